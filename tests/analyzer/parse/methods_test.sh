#!/bin/sh
# The analyzer as builds have it that leave parse methods out: each is configured and built in a folder
# of its own, with warnings as errors, and passes the analyzer's tests and the fuzz corpora.  The
# equality test compares what is left with the public API.
# usage: parse_methods_test.sh SOURCE WORK NODE_MODULES [METHODS...]
# METHODS are the methods to have, joined by commas, such as heap,dense; "none" has none of them.
# Without any: every set but the whole one.
set -eu
source=$1
work=$2
node_modules=$3
shift 3
[ $# -gt 0 ] || set -- none heap dense direct heap,dense heap,direct dense,direct
programs='analyzer_parse_equality_test analyzer_parse_heap_test analyzer_sources_test
    analyzer_lines_test analyzer_callables_test analyzer_clones_test analyzer_facts_codec_test
    analyzer_scanner_test fuzz_analyze fuzz_facts fuzz_rules'

switch() { # METHOD
    case ,$methods, in
    *,$1,*) echo ON ;;
    *) echo OFF ;;
    esac
}

for methods in "$@"; do
    build=$work/$(echo "$methods" | tr , -)
    mkdir -p "$build"
    if ! {
        cmake -S "$source" -B "$build" -G Ninja -D CMAKE_BUILD_TYPE=Debug \
            -D CMAKE_C_FLAGS_DEBUG='-g -O1' -D STRATA_WERROR=ON -D STRATA_BENCHMARKS=OFF \
            -D STRATA_NODE_MODULES="$node_modules" -D STRATA_PARSE_HEAP="$(switch heap)" \
            -D STRATA_PARSE_DENSE="$(switch dense)" -D STRATA_PARSE_DIRECT="$(switch direct)"
        targets=$(ninja -C "$build" -t targets all)
        wanted=
        for program in $programs; do
            case $targets in
            *"$program"*) wanted="$wanted $program" ;;
            esac
        done
        # shellcheck disable=SC2086 # a list of words
        ninja -C "$build" $wanted
        for program in $wanted; do
            case $program in
            fuzz_*) "$build/tests/$program" "$source/tests/fuzz/corpus/${program#fuzz_}" ;;
            *) "$build/tests/$program" ;;
            esac
        done
    } >"$build/log" 2>&1; then
        tail -n 30 "$build/log"
        echo "methods $methods: failed, see $build/log"
        exit 1
    fi
    echo "methods $methods: $(echo $wanted | wc -w) programs passed," \
        "$(grep -c '^\[       OK \]' "$build/log") tests"
done
