#!/bin/sh
# Every built-in rule has what it must have, and its examples hold in ast-grep.
# usage: rule_examples_test.sh RULES_DIR AST_GREP
set -eu
cd "$1"
ast_grep=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# id, severity, message, note and category once per rule; each id once, and with examples of its own.
awk '
    FNR == 1 { rule++ }
    /^---/ { rule++ }
    /^id: / { id[rule] = $2; if (seen[$2]++) { print "twice: " $2; bad = 1 } }
    /^(language|severity|message|note|metadata|rule):/ { sub(":.*", ""); has[rule, $0]++ }
    END {
        n = split("language severity message note metadata rule", keys, " ")
        for (r = 1; r <= rule; r++)
            for (k = 1; k <= n; k++)
                if (has[r, keys[k]] != 1) { print id[r] ": no " keys[k]; bad = 1 }
        exit bad
    }' strict/*.yml calibrated/*.yml

# at least two invalid and two valid examples for each
awk '
    function close_case() {
        if (id != "" && (n["invalid"] < 2 || n["valid"] < 2)) { print "too few examples: " id; bad = 1 }
        n["invalid"] = n["valid"] = 0
    }
    FNR == 1 || /^---/ { close_case(); id = "" }
    /^id: / { id = $2; print id > ids }
    /^(valid|invalid):/ { sub(":.*", ""); list = $0 }
    /^  - / { n[list]++ }
    END { close_case(); exit bad }' ids="$scratch/tests" tests/*-test.yml
sed -n 's/^id: //p' strict/*.yml calibrated/*.yml | sort > "$scratch/rules"
sort "$scratch/tests" | diff "$scratch/rules" - || {
    echo "rules (<) and examples (>) do not pair up"
    exit 1
}

if [ ! -x "$ast_grep" ]; then
    echo "skipped: no ast-grep at $ast_grep (npm ci --ignore-scripts brings it)"
    exit 77
fi
report=$("$ast_grep" test --skip-snapshot-tests 2>&1) || {
    echo "$report" | grep -v ^PASS
    exit 1
}
