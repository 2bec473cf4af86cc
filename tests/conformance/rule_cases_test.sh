#!/bin/sh
# Every handed rule case prints what its .expected file holds.
# usage: rule_cases_test.sh STRATA CASES_DIR
set -eu
strata=$1
if [ ! -d "$2" ]; then
    echo "skipped: no rule cases at $2"
    exit 77
fi
cd "$2"
n=0
bad=0
for rules in *.yaml; do
    name=${rules%.yaml}
    n=$((n + 1))
    "$strata" rules scan --quiet --format lines --no-path --rules "$rules" "$name.py" \
        2> /dev/null | cmp -s - "$name.expected" || {
        echo "differs: $name"
        bad=$((bad + 1))
    }
done
echo "$n cases, $bad differ"
[ "$n" -gt 0 ] && [ "$bad" -eq 0 ]
