#!/bin/sh
# What the documents name is there: files and folders, structs and enums, commands and their options.
# usage: names_test.sh SOURCE_DIR STRATA
set -u
cd "$1" || exit 1
strata=$2
failed=0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

fail() {
    echo "$1"
    failed=1
}

documents="README.md CONTRIBUTING.md docs/*.md tests/README.md benchmarks/README.md manifests/README.md
    aggregate/*.md store/*.md"

# A name in backquotes with a slash that begins with a folder of the repository is a path in it, unless
# a part of it is a placeholder.
folders="base|rules|analyzer|git|store|intake|manifests|miner|runner|aggregate|cli|docs|tests|benchmarks|cmake|tools"
# shellcheck disable=SC2086 # a list of files
grep -oE "\`($folders)/[A-Za-z0-9_./-]*\`" $documents | tr -d '`' | grep -vE '/(FOLDER|MODULE|NAME|CATEGORY)' | sort -u >"$out/paths"
[ -s "$out/paths" ] || fail "no document names a path"
while IFS=: read -r document path; do
    ls -d "$path" "$path".[ch] "$path".py >/dev/null 2>&1 || [ -n "$(ls "$path"* 2>/dev/null)" ] ||
        fail "$document: $path does not exist"
done <"$out/paths"

# Links to files.
# shellcheck disable=SC2086
for document in $documents; do
    grep -oE '\]\([A-Za-z0-9_./-]+\.(md|html)\)' "$document" | sed 's/^](//; s/)$//' | while read -r target; do
        [ -e "$(dirname "$document")/$target" ] || echo "$document: the link to $target leads nowhere"
    done
done >"$out/links"
[ ! -s "$out/links" ] || fail "$(cat "$out/links")"

grep -rhoE '^ *(struct|enum) [a-z_]+( \{|;)' --include=*.h --include=*.c base analyzer git store intake \
    manifests miner runner aggregate cli | sed 's/^ *//; s/[ ;{]*$//' | sort -u >"$out/defined"
# shellcheck disable=SC2086
grep -ohE '`(struct|enum) [a-z_]+`' $documents | tr -d '`' | sort -u | comm -23 - "$out/defined" |
    sed 's/^/there is no /' >"$out/structs"
[ ! -s "$out/structs" ] || fail "$(cat "$out/structs")"

# Commands as they are shown: indented lines that begin with strata, without what follows a # or a |.
# shellcheck disable=SC2086
sed -n 's/^    strata \(.*\)/\1/p' $documents | sed 's/[#|>].*//' | sort -u >"$out/commands"
[ -s "$out/commands" ] || fail "no document shows a command"
while read -r first second rest; do
    name=$first
    "$strata" "$first" --help >"$out/help" 2>/dev/null || true
    if grep -q "^usage: strata $first COMMAND" "$out/help"; then
        name="$first $second"
        # shellcheck disable=SC2086 # a name may be two words
        "$strata" $name --help >"$out/help" 2>/dev/null || true
    fi
    grep -q "^usage: strata $name\( \|\$\)" "$out/help" || { fail "there is no command $name"; continue; }
    for word in $second $rest; do
        case $word in
        --*) grep -qE -e "^  ${word%%=*}( |\$)" "$out/help" || fail "strata $name has no option $word" ;;
        esac
    done
done <"$out/commands"
exit $failed
