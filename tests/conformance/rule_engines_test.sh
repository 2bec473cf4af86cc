#!/bin/sh
# The built-in rules have the same hits in strata and in the ast-grep command line.
# usage: rule_engines_test.sh STRATA AST_GREP RULES_DIR FOLDER...
#
# RULES_DIR holds sgconfig.yml.  Both tools scan each folder with one thread; every difference is
# printed (<: strata alone, >: ast-grep alone), as path, rule, start line, end line, start column,
# end column.  Folders with more than 50 MB take some minutes.
set -eu
export LC_ALL=C
strata=$(realpath "$1")
rules=$(realpath "$3")
if [ ! -x "$2" ]; then
    echo "skipped: no ast-grep at $2 (npm ci --ignore-scripts brings it)"
    exit 77
fi
ast_grep=$(realpath -s "$2")
shift 3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# One line per match from ast-grep's stream of JSON objects.  A quote inside a JSON string is
# escaped, so `,"range":{"` is found where the object has it and nowhere in its texts.
matches() {
    awk -v folder="$1/" '
        function number(name,   rest) {
            rest = substr($0, index($0, name) + length(name))
            $0 = rest
            return rest + 0
        }
        {
            $0 = substr($0, index($0, ",\"range\":{\""))
            $0 = substr($0, index($0, "},\"start\":{"))
            start_line = number("\"line\":") + 1
            start_column = number("\"column\":")
            end_line = number("\"line\":") + 1
            end_column = number("\"column\":")
            $0 = substr($0, index($0, ",\"file\":\"") + 9)
            path = substr($0, 1, index($0, "\",\"") - 1)
            if (index(path, folder) == 1)
                path = substr(path, length(folder) + 1)
            $0 = substr($0, index($0, ",\"ruleId\":\"") + 11)
            rule = substr($0, 1, index($0, "\"") - 1)
            print path, rule, start_line, end_line, start_column, end_column
        }'
}

bad=0
for folder; do
    folder=$(cd "$folder" && pwd -P)
    "$strata" rules scan --quiet --jobs 1 --rules "$rules/strict" --rules "$rules/calibrated" \
        --format lines "$folder" |
        sort > "$scratch/strata"
    (cd "$rules" && "$ast_grep" scan --threads 1 --json=stream \
        --no-ignore hidden --no-ignore dot --no-ignore exclude --no-ignore global \
        --no-ignore parent --no-ignore vcs "$folder") > "$scratch/json" 2> "$scratch/messages" || {
        cat "$scratch/messages"
        exit 1
    }
    matches "$folder" < "$scratch/json" | sort > "$scratch/ast-grep"
    bytes=$(find "$folder" -type f -name '*.py' -exec cat {} + | wc -c)
    echo "$folder: $bytes bytes, $(wc -l < "$scratch/strata") and $(wc -l < "$scratch/ast-grep") hits"
    diff "$scratch/strata" "$scratch/ast-grep" > "$scratch/diff" || bad=$((bad + 1))
    sed -n '/^[<>]/p' "$scratch/diff" | head -50
    if [ ! -s "$scratch/strata" ]; then
        echo "no hits: nothing was compared"
        bad=$((bad + 1))
    fi
done
[ "$bad" -eq 0 ]
