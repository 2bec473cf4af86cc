#!/bin/sh
# strata check and facts: JSON with everything in it, bounds as exit statuses, files left out, and what
# is refused.
# usage: check_output_test.sh STRATA
. "$(dirname "$0")/begin.sh"
cd "$out"
mkdir tree

cat >tree/shop.py <<'EOF'
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


def only(x):
    return count(x)
EOF
printf 'def f(:\n' >tree/bad.py
cat >rules.yml <<'EOF'
id: plain-get
language: python
severity: warning
message: Drop the default.
rule: {pattern: "$D.get($K, None)"}
EOF
cat >profile.json <<'EOF'
{"name": "wrappers", "extends": "paper", "rules": {"trivial_wrapper": true}, "verbosity": {"parts": ["rules", "clones", "structural"]}}
EOF

"$strata" check --json --files --flags --clones --rules rules.yml --profile profile.json tree >result || fail "check ends with $?"
python3 - result <<'END' || fail "check --json: $(cat result)"
import json, sys
check = json.load(open(sys.argv[1]))
assert check["profile"] == "wrappers" and check["rules"] == 1 and check["commit"] is None
assert check["skipped"] == [{"path": "bad.py", "reason": "syntax error"}], check["skipped"]
places = check["clones"][0]
assert [(p["path"], p["start_line"], p["end_line"]) for p in places] == [("shop.py", 2, 5), ("shop.py", 10, 13)], places
(shop,) = check["files"]
assert shop["path"] == "shop.py" and shop["total_loc"] == check["total_loc"] > 0
flags = shop["flags"]
assert [f["clone_group"] for f in flags if "clone_group" in f][0] == 0
assert [(f["start_line"], f["rule"], f["severity"]) for f in flags if "rule" in f] == [(6, "plain-get", "warning")]
assert [(f["function"], f["structural_rule"]) for f in flags if "function" in f] == [("only", "trivial-wrapper")]
assert len(flags) == 6, flags
END
"$strata" check --quiet --profile profile.json --rules rules.yml tree/shop.py >result
grep -q '^tree/shop.py:17-18: trivial-wrapper: only only calls another function$' result || fail "the wrapper: $(cat result)"
grep -q '^wrappers ' result || fail "no line of wrappers: $(cat result)"
"$strata" check --quiet --no-rules --clones tree >result
grep -q '^clone group 1, 2 times for$' result && grep -q '^  shop.py:2-5$' result || fail "clones: $(cat result)"
grep -q '^left out    bad.py: syntax error$' result || fail "left out: $(cat result)"
grep -q '^rules ' result && fail "rules are in a check without rules"
"$strata" check --json --no-rules tree >result
python3 -c "import json
check = json.load(open('result'))
assert check['rules'] is None and 'clones' not in check and 'files' not in check" || fail "--no-rules: $(cat result)"

"$strata" check --quiet --rules rules.yml --max-verbosity 0.9 --max-erosion 1 tree >/dev/null || fail "within bounds ends with $?"
"$strata" check --quiet --rules rules.yml --max-verbosity 0.1 tree >/dev/null
[ $? -eq 1 ] || fail "above --max-verbosity"
python3 -c "print('def f(x):\n' + '    if x: pass\n' * 12)" >complex.py
"$strata" check --quiet --no-rules --max-erosion 0.5 complex.py >/dev/null
[ $? -eq 1 ] || fail "above --max-erosion"

# A revision, with a tree that is damaged but can be used.
git init -q repo
blob=$(git -C repo hash-object -w ../tree/shop.py)
one=$(printf '100644 blob %s\tshop.py\n' "$blob" | git -C repo mktree)
tree=$( (git -C repo cat-file tree "$one"; git -C repo cat-file tree "$one") |
    git -C repo hash-object -t tree -w --stdin --literally)
commit=$(git -C repo -c user.name=a -c user.email=a@example.org commit-tree -m m "$tree")
git -C repo update-ref HEAD "$commit"
"$strata" check --json --no-rules --git repo >result 2>messages || fail "check --git ends with $?: $(cat messages)"
grep -q "\"commit\": \"$commit\"" result || fail "the commit is not named"
grep -q "^strata check: tree '': " messages || fail "the damaged tree is not named: $(cat messages)"

for words in "" "--git repo tree" "--rev HEAD tree" "--prefix x tree" "--rules rules.yml --no-rules tree" "--max-erosion x tree"; do
    # shellcheck disable=SC2086 # several words
    "$strata" check $words >result 2>messages
    [ $? -eq 2 ] || fail "check $words is not a usage error: $(cat messages)"
done
"$strata" check --profile missing.json tree 2>messages
[ $? -eq 3 ] && grep -q missing.json messages || fail "a missing profile: $(cat messages)"

# ---- facts
printf '\377\376x' >broken.py
"$strata" facts tree/shop.py broken.py missing.py tree/bad.py >result 2>messages
[ $? -eq 3 ] && grep -q missing.py messages || fail "facts of a missing file: $(cat messages)"
python3 - result <<'END' || fail "facts: $(cat result)"
import json, sys
shop, broken, bad = [json.loads(line) for line in open(sys.argv[1])]
assert shop["status"] == "analysed" and shop["reason"] is None and shop["sloc"] == 14, shop
assert [f["name"] for f in shop["functions"]] == ["total", "count", "only"]
assert shop["functions"][0]["cc"] == 3 and shop["functions"][2]["trivial_wrapper"]
assert {c["definition"] for c in shop["clone_candidates"]} == {"subtree", "function_body"}
assert broken["status"] == "skipped" and broken["reason"] == "not decodable" and "sloc" not in broken
assert bad["status"] == "skipped" and bad["reason"] == "syntax error" and bad["has_error"]
END
"$strata" facts --max-file-bytes 10 --max-depth 5 --max-nodes 5 tree/shop.py | grep -q '"reason":"too large"' ||
    fail "--max-file-bytes is not heeded"
for words in "" "--max-file-bytes 4G x.py" "--max-depth 0 x.py"; do
    # shellcheck disable=SC2086 # several words
    "$strata" facts $words 2>messages
    [ $? -eq 2 ] || fail "facts $words is not a usage error: $(cat messages)"
done
exit $failed
