#!/bin/sh
# What of the records is no JSON, and what of a profile is no rule, is told by the exit status too.
# usage: left_out_test.sh STRATA
. "$(dirname "$0")/begin.sh"
cd "$out"

record='{"problem":"p","checkpoint":"c","idx":1,"n_checkpoints":1,"strict_pass_rate":1.0}'
echo "$record" >good.jsonl
printf '%s\nhalf a {\n' "$record" >torn.jsonl
printf 'nothing\n[]\n' >broken.jsonl
printf '{"fn": [[11, 4]]}\n{"fn"\n' >functions.jsonl

# ends STATUS ARGUMENT...
ends() {
    expected=$1
    shift
    "$strata" "$@" >result 2>messages
    status=$?
    [ $status -eq "$expected" ] || fail "$*: ends with $status, not $expected: $(cat messages)"
}
ends 0 report --section solve --records good.jsonl
[ ! -s messages ] || fail "report of good records says: $(cat messages)"
ends 1 report --section solve --records good.jsonl --records torn.jsonl
grep -q 'torn.jsonl line 2.*the line is left out' messages || fail "the torn line is not named"
ends 1 report --section solve --records broken.jsonl
ends 1 report --section solve --results broken.jsonl
ends 1 report --section solve --records good.jsonl --functions functions.jsonl
ends 3 report --section solve --records missing.jsonl
ends 0 summary good.jsonl
ends 1 summary good.jsonl torn.jsonl
ends 3 summary broken.jsonl
ends 1 summary --functions functions.jsonl

git init -q repo
echo 'x = bool(True)' >repo/a.py
git -C repo add -A
git -C repo -c user.name=a -c user.email=a@example.org commit -qm one
ends 0 mine --quiet --store store repo
echo '{"name": "mine", "extends": "paper", "rules": {"only": ["no-such-rule"]}}' >profile.json
for command in score report; do
    ends 1 $command --quiet --store store --profile profile.json
    grep -q 'no rule of the store is called "no-such-rule"' messages || fail "$command: it is not named"
done
exit $failed
