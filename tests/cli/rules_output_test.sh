#!/bin/sh
# What the rules commands print: hits in each format, rules as a list and as YAML, explanations.
# usage: rules_output_test.sh STRATA
. "$(dirname "$0")/begin.sh"
cd "$out"

cat >rules.yml <<'RULE'
id: call-of-f
language: python
severity: error
message: "Do not call f.\nReally."
note: It is old.
url: https://example.org/f
rule: {pattern: f($X)}
---
id: none-compared
language: python
severity: warning
metadata: {advice: true}
rule: {pattern: $A == None}
---
id: never-run
language: python
severity: off
rule: {pattern: g()}
RULE
printf 'y = 1\nx == None\nf(2)\n' >'odd name.py'

scan() {
    "$strata" rules scan --quiet --rules rules.yml "$@" >result 2>messages
    status=$?
    [ $status -eq 1 ] || fail "scan $*: ends with $status, not 1 for a hit of severity error: $(cat messages)"
}
same() { # WHAT EXPECTED
    [ "$(cat result)" = "$2" ] || fail "$1: expected '$2', got '$(cat result)'"
}

scan 'odd name.py'
same text 'odd name.py:2:1: warning: none-compared [none-compared]
odd name.py:3:1: error: Do not call f.\x0aReally. [call-of-f]'
scan --format lines .
same lines 'odd name.py call-of-f 3 3 0 4
odd name.py none-compared 2 2 0 9'
scan --format lines --no-path .
same "lines without paths" 'call-of-f 3 3 0 4
none-compared 2 2 0 9'
scan --format jsonl .
python3 - result <<'END' || fail "jsonl: $(cat result)"
import json, sys
hits = [json.loads(line) for line in open(sys.argv[1])]
assert [h["rule"] for h in hits] == ["call-of-f", "none-compared"], hits
expected = {"path": "odd name.py", "rule": "call-of-f", "severity": "error", "message": "Do not call f.\nReally.",
            "start_line": 3, "end_line": 3, "start_column": 0, "end_column": 4, "start_byte": 16, "end_byte": 20,
            "text": "f(2)"}
assert expected.items() <= hits[0].items(), hits[0]
END
scan --format sarif .
python3 - result <<'END' || fail "sarif: $(cat result)"
import json, sys
run, = json.load(open(sys.argv[1]))["runs"]
rules = run["tool"]["driver"]["rules"]
assert rules[0] == {"id": "call-of-f", "shortDescription": {"text": "Do not call f.\nReally."},
                    "help": {"text": "It is old."}, "helpUri": "https://example.org/f"}, rules
assert [r["level"] for r in run["results"]] == ["error", "warning"]
place = run["results"][0]["locations"][0]["physicalLocation"]
assert place == {"artifactLocation": {"uri": "odd%20name.py"},
                 "region": {"startLine": 3, "startColumn": 1, "endLine": 3, "endColumn": 5}}, place
END
"$strata" rules scan --quiet --format xml . 2>messages
[ $? -eq 2 ] && grep -q 'one of text, jsonl, sarif, lines' messages || fail "an unknown format: $(cat messages)"
"$strata" rules scan --quiet --format lines --rules missing.yml . >result 2>messages
[ $? -eq 3 ] && [ "$(cat result)" = "REFUSED 8" ] || fail "rules that cannot be read: $(cat result messages)"

# Files that cannot be scanned are reported, others are.
printf '\377\376f(1)' >binary.py
"$strata" rules scan --rules rules.yml --format lines . >result 2>messages
grep -q 'binary.py: skipped: not decodable' messages || fail "a binary file is not reported: $(cat messages)"
grep -q 'odd name.py call-of-f' result || fail "the other file is not scanned"
rm binary.py

"$strata" rules list --rules rules.yml >result || fail "list ends with $?"
for line in '^counts *error .*call-of-f' '^advice *warning .*none-compared' '^unused *off .*never-run'; do
    grep -q "$line" result || fail "list lacks '$line': $(cat result)"
done
"$strata" rules list --rules rules.yml --json >result || fail "list --json ends with $?"
python3 - result <<'END' || fail "list --json: $(cat result)"
import json, sys
rules = [json.loads(line) for line in open(sys.argv[1])]
assert [(r["id"], r["runs"], r["counts"]) for r in rules] == [
    ("call-of-f", True, True), ("none-compared", True, False), ("never-run", False, False)], rules
assert rules[1]["metadata"] == {"advice": True} and rules[0]["metadata"] is None
assert all(len(r["fingerprint"]) == 32 for r in rules)
END
"$strata" rules list surplus 2>messages
[ $? -eq 2 ] || fail "list with an argument is not a usage error"

"$strata" rules show --rules rules.yml none-compared call-of-f >result || fail "show ends with $?"
[ "$(sed -n 1p result)" = "# rules.yml:9" ] && grep -q '^id: call-of-f$' result || fail "show: $(cat result)"
"$strata" rules show --rules rules.yml none-compare 2>messages
[ $? -eq 3 ] && grep -q 'did you mean "none-compared"' messages || fail "show of a wrong id: $(cat messages)"
"$strata" rules show --rules rules.yml xyzzyx 2>messages
[ $? -eq 3 ] && grep -q 'there is no rule "xyzzyx"; see' messages || fail "show of a strange id: $(cat messages)"
"$strata" rules show 2>/dev/null
[ $? -eq 2 ] || fail "show of nothing is not a usage error"

"$strata" rules explain --rules rules.yml call-of-f 'odd name.py:3' >result || fail "explain ends with $?"
grep -q '^rule call-of-f (rules.yml:1) on line 3 of odd name.py$' result || fail "explain: $(cat result)"
"$strata" rules explain --rules rules.yml call-of-g 'odd name.py:3' 2>messages
[ $? -eq 3 ] && grep -q 'did you mean "call-of-f"' messages || fail "explain of a wrong id: $(cat messages)"
for place in 'odd name.py' ':3' 'odd name.py:0' 'odd name.py:x'; do
    "$strata" rules explain --rules rules.yml call-of-f "$place" 2>messages
    [ $? -eq 2 ] && grep -q 'FILE:LINE' messages || fail "explain at $place: $(cat messages)"
done
"$strata" rules explain call-of-f 2>/dev/null
[ $? -eq 2 ] || fail "explain without a place is not a usage error"
"$strata" rules explain --rules rules.yml call-of-f missing.py:1 2>/dev/null
[ $? -eq 3 ] || fail "explain on a missing file"

# Examples in test files: wrong ones are named with their line.
cat >tests.yml <<'TESTS'
id: call-of-f
valid: [g(1), f(3)]
invalid: [f(1), h(1)]
TESTS
"$strata" rules test --rules rules.yml tests.yml >result
[ $? -eq 1 ] || fail "wrong examples are no finding"
grep -q '^tests.yml:2: call-of-f: valid code is matched$' result || fail "test: $(cat result)"
grep -q '^tests.yml:3: call-of-f: invalid code is not matched$' result || fail "test: $(cat result)"
grep -q '^4 examples, 2 wrong; 2 of 3 rules have none$' result || fail "test: $(cat result)"
for text in 'valid: [f(1)]' '{id: call-of-f, valid: f(1)}' '{id: call-of-f, valid: [[1]]}' '{id'; do
    echo "$text" >bad.yml
    "$strata" rules test --rules rules.yml bad.yml 2>messages
    [ $? -eq 3 ] && grep -q 'bad.yml' messages || fail "test of '$text': $(cat messages)"
done
"$strata" rules test --rules rules.yml 2>/dev/null
[ $? -eq 2 ] || fail "test of no files is not a usage error"
exit $failed
