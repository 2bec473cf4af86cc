#!/bin/sh
# The two selections of the built-in rules: filters of `strata rules`, and what `strata check` counts.
# usage: rules_selection_test.sh STRATA
. "$(dirname "$0")/begin.sh"
set -e
cd "$out"

fail() {
    echo "$1"
    exit 1
}

# Each selection has its own rules, and together they are all.
n_all=$("$strata" rules list | wc -l)
n_strict=$("$strata" rules list --selection strict | wc -l)
n_calibrated=$("$strata" rules list --selection calibrated --json | grep -c '"selection":"calibrated"')
[ "$n_calibrated" = 112 ] || fail "calibrated: $n_calibrated rules"
[ "$n_all" = $((n_strict + n_calibrated)) ] || fail "$n_all is not $n_strict and $n_calibrated"
"$strata" rules show fn-two-none-exits --selection calibrated | grep -q 'extent: function' || fail "show"
status=0
"$strata" rules show fn-two-none-exits --selection strict > shown 2> messages || status=$?
[ $status = 3 ] || fail "show of another selection: status $status"
"$strata" rules test --selection calibrated | grep -q ', 0 wrong; 0 of 112 rules have none$' || fail "test"
status=0
"$strata" rules list --selection lenient > shown 2> messages || status=$?
[ $status = 2 ] || fail "an unknown selection: status $status"

cat > shop.py <<'EOF'
def find(items, key):
    if not items:
        return None
    if key is None:
        return None
    found = items.get(key)
    if found is None:
        return None
    print(items.get(key, None))
    return found
EOF
"$strata" rules scan --quiet --format jsonl --selection strict shop.py > strict
"$strata" rules scan --quiet --format jsonl --selection calibrated shop.py > calibrated
"$strata" rules scan --quiet --format jsonl shop.py > both
[ -s strict ] && [ -s calibrated ] || fail "a selection finds nothing"
grep -q '"selection":"calibrated"' strict && fail "strict has hits of the other"
grep -v '"selection":"calibrated"' calibrated && fail "calibrated has hits of the other"
[ "$(sort strict calibrated)" = "$(sort both)" ] || fail "both are not the two together"

# check counts the strict ones; paper the calibrated ones.  Every hit is listed, and says whether it counts.
"$strata" check --quiet --json --flags shop.py > default.json
"$strata" check --quiet --json --flags --profile strict shop.py > strict.json
cmp default.json strict.json || fail "strict is not the default"
"$strata" check --quiet --json --flags --profile paper shop.py > paper.json
# "counts" comes three lines before "selection" in an entry.
counting() {
    tr -d '\n' < "$1" | grep -o "\"counts\": *$2,[^}]*\"selection\": *\"[a-z]*\"" | sed 's/.*"\([a-z]*\)"$/\1/' | sort -u | tr '\n' ' '
}
[ "$(counting strict.json true)" = "strict " ] || fail "strict counts $(counting strict.json true)"
[ "$(counting paper.json true)" = "calibrated " ] || fail "paper counts $(counting paper.json true)"
[ "$(counting paper.json false)" = "strict " ] || fail "paper leaves out $(counting paper.json false)"
"$strata" check --quiet --profile paper shop.py | grep -q '^parts  *clones 0.0000, statements 0\.[0-9]*, whole functions 1.0000, each alone$' ||
    fail "parts: $("$strata" check --quiet --profile paper shop.py | grep '^parts')"

# Rules of the strict selection alone do not say how verbose code is under paper; those of others do.
"$strata" rules show none-default-of-plain-type > one.yml
"$strata" check --quiet --json --rules one.yml --profile paper shop.py > one.json 2> messages
grep -q '"verbosity":' one.json && fail "verbosity without calibrated rules"
grep -q 'counts calibrated rules, and there are none' messages || fail "no word about it"
sed 's/selection: strict, //' one.yml > own.yml
"$strata" check --quiet --json --rules own.yml --profile paper shop.py | grep -q '"verbosity":' || fail "rules of others"
