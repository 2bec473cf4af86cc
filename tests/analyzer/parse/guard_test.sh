#!/bin/sh
# A tree-sitter other than the one that the direct walk was written against stops the build, never
# goes unseen: one of another version at configuration, one with other structs at compilation.
# usage: parse_guard_test.sh SOURCE NODE_MODULES COMPILER
set -eu
source=$1
node_modules=$2
compiler=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
runtime=vendor/tree-sitter/lib

mkdir -p "$work/node_modules/tree-sitter/vendor/tree-sitter"
ln -s "$(realpath "$node_modules/tree-sitter-python")" "$work/node_modules/"
cp "$node_modules/tree-sitter/package.json" "$work/node_modules/tree-sitter/"
cp -r "$node_modules/tree-sitter/$runtime" "$work/node_modules/tree-sitter/$runtime"
changed=$work/node_modules/tree-sitter/$runtime

compile() { # the direct walk, against the changed runtime
    "$compiler" -std=c17 -D_GNU_SOURCE -D STRATA_PARSE_DIRECT -fsyntax-only -I "$source" \
        -isystem "$changed/include" -isystem "$changed/src" "$source/analyzer/parse/direct.c"
}

fails_with() { # TEXT COMMAND...
    text=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "should have failed with '$text': $*"
        exit 1
    fi
    grep -q "$text" "$work/log" || { cat "$work/log"; echo "failed without '$text'"; exit 1; }
}

compile # unchanged, it compiles

# One more field in a node, an inline leaf's field gone wider, one more in the tree.
change() { # FILE SED-SCRIPT
    cp "$changed/src/$1" "$work/kept"
    sed -i "$2" "$changed/src/$1"
    ! cmp -s "$changed/src/$1" "$work/kept" || { echo "$1 has no such line: $2"; exit 1; }
    fails_with 'static assertion failed' compile
    cp "$work/kept" "$changed/src/$1"
}
change subtree.h 's/^  uint32_t visible_child_count;/  uint32_t something_new;\n&/; s/^      uint32_t visible_child_count;/      uint32_t something_new;\n&/'
change subtree.h 's/uint16_t parse_state;/uint64_t parse_state;/'
change tree.h 's/^  Subtree root;/  uint32_t something_new;\n&/'

sed -i 's/"version": *"[^"]*"/"version": "0.25.9"/' "$work/node_modules/tree-sitter/package.json"
fails_with 'was written against' cmake -S "$source" -B "$work/build" -G Ninja \
    -D STRATA_TESTS=OFF -D STRATA_BENCHMARKS=OFF -D STRATA_NODE_MODULES="$work/node_modules"
echo "four changes, four times the build stopped"
