#!/bin/sh
# strata check on one file says what flags each line: rule and message, or clone and its other places.
# usage: check_flags_test.sh STRATA
. "$(dirname "$0")/begin.sh"
set -e
cd "$out"

cat > shop.py <<'EOF'
def total(items):
    for item in items:
        if item.price:
            book(item)
            print(item)
    return {}.get("a", None)


def count(things):
    for thing in things:
        if thing.price:
            book(thing)
            print(thing)
    return 1 != None
EOF
cat > rules.yml <<'EOF'
id: plain-get
language: python
severity: warning
message: Drop the default.
rule: {pattern: "$D.get($K, None)"}
---
id: only-advice
language: python
severity: hint
message: Never mind.
metadata: {advice: true}
rule: {pattern: "$A != None"}
EOF
cat > expected <<'EOF'
clones      8 source lines
rules       1 source lines, 1 hits of 1 rules (1 more do not count)
verbosity   0.7500  (9 lines)
parts       clones 0.6667, statements 0.0833, whole functions 0.0000, each alone
shop.py:2-5: clone: the same as lines 10-13
shop.py:6-6: plain-get: Drop the default.
shop.py:10-13: clone: the same as lines 2-5
EOF
"$strata" check --quiet --rules rules.yml shop.py | sed -n '/^clones/,$p' > actual
diff expected actual

# The same clone in another file is named with the file.
cp shop.py copy.py
"$strata" check --quiet --rules rules.yml --flags . > actual
grep -q 'copy.py:2-5: clone: the same as lines 10-13, shop.py:2-5, shop.py:10-13$' actual || {
    cat actual
    exit 1
}

# A profile that names a rule there is not gets a word about it.
echo '{"name": "odd", "rules": {"only": ["plain-get", "plane-get"]}}' > odd.json
"$strata" check --quiet --rules rules.yml --profile odd.json shop.py 2> messages > actual
grep -q 'profile odd: no rule is called "plane-get"' messages || { cat messages; exit 1; }
[ "$(wc -l < messages)" -eq 1 ]
