#!/bin/sh
# strata mine and the panel commands: tables, JSON lines, counts, manifests with mirrors, and what is
# refused.
# usage: mine_output_test.sh STRATA
. "$(dirname "$0")/begin.sh"
cd "$out"

commit() { # REPOSITORY FILE TEXT
    printf '%b' "$3" >"$1/$2"
    git -C "$1" add -A
    git -C "$1" -c user.name=a -c user.email=a@example.org commit -qm "$2"
}
git init -q -b main origin
commit origin a.py 'def f(x):\n    return bool(x)\n'
commit origin b.txt 'text\n'
commit origin test_a.py 'x = 1\n'

cat >panel.json <<END
{"name": "small", "sampling": {"commits": 10, "strategy": "even"},
 "repositories": [{"name": "o/origin", "url": "file://$out/origin", "stars": 5, "as_of": "2026-01-01"},
                  {"name": "o/gone", "url": "file://$out/gone", "stars": 5000}]}
END

# ---- panel clone and check
"$strata" panel check --manifest panel.json --mirrors mirrors >result
[ $? -eq 1 ] || fail "check of no mirrors is no finding"
grep -q '^missing .*o/origin' result && grep -q '^0 of 2 mirrors are good$' result || fail "check: $(cat result)"
"$strata" panel clone --quiet --manifest panel.json --mirrors mirrors --tries 1 --retry-delay 0 >result 2>messages
[ $? -eq 1 ] || fail "clone of a missing repository is no finding: $(cat messages)"
grep -q '^o/gone: failed after 1 tries: ' result || fail "clone does not say why: $(cat result)"
grep -q '^2 repositories: 1 cloned, 0 updated, 0 present, 1 failed, 0 stopped$' result || fail "clone: $(cat result)"
"$strata" panel clone --manifest panel.json --mirrors mirrors --tries 1 --retry-delay 0 --json >result 2>messages
grep -q '^1 of 2 repositories to clone, about ' messages || fail "clone does not estimate: $(cat messages)"
python3 - result <<'END' || fail "clone --json: $(cat result)"
import json, sys
a, b = [json.loads(line) for line in open(sys.argv[1])]
assert (a["repository"], a["state"], a["reason"]) == ("o/origin", "present", None), a
assert (b["state"], b["tries"]) == ("failed", 1) and b["reason"], b
END
"$strata" panel check --manifest panel.json --mirrors mirrors --json >result
python3 - result <<'END' || fail "check --json: $(cat result)"
import json, sys
a, b = [json.loads(line) for line in open(sys.argv[1])]
assert a["state"] == "good" and a["commits"] == 3 and len(a["head"]) == 40, a
assert b["state"] == "missing" and b["head"] is None, b
END
"$strata" panel check --manifest panel.json --mirrors mirrors --all >result
grep -q '^good  *3  o/origin$' result || fail "check --all: $(cat result)"
for words in "panel check --mirrors m" "panel check --manifest panel.json" "panel clone --mirrors m" \
    "panel clone --manifest panel.json --mirrors m --retry-delay 4000" "panel check --manifest a --mirrors b c"; do
    # shellcheck disable=SC2086 # several words
    "$strata" $words 2>messages
    [ $? -eq 2 ] || fail "$words is not a usage error: $(cat messages)"
done
"$strata" panel clone --manifest missing.json --mirrors m 2>messages
[ $? -eq 3 ] && grep -q missing.json messages || fail "a missing manifest: $(cat messages)"

# ---- mine a panel
"$strata" mine --quiet --store store --manifest panel.json --mirrors mirrors >result 2>messages
[ $? -eq 1 ] || fail "a missing mirror is no finding: $(cat messages)"
grep -q '^o/origin *done *3 *[0-9]* *2 ' result || fail "no row for o/origin: $(cat result)"
grep -q '^o/gone *skipped ' result && grep -q '^o/gone: skipped: ' result || fail "no reason for o/gone: $(cat result)"
grep -q '^2 repositories: 1 done, 0 partial, 1 skipped, 0 unfinished; 2 checkpoints, ' result || fail "no sums: $(cat result)"
"$strata" mine --quiet --store store --json --manifest panel.json --mirrors mirrors >result
python3 - result <<'END' || fail "mine --json: $(cat result)"
import json, sys
a, b = [json.loads(line) for line in open(sys.argv[1])]
assert a["status"] == "unchanged" and a["checkpoints"] == 2 and a["reason"] is None and not a["head_moved"], a
assert b["status"] == "skipped" and b["reason"], b
END
"$strata" mine --quiet --store urls --manifest panel.json >result 2>messages
[ $? -eq 1 ] && grep -q '^o/origin *done' result || fail "urls that are paths: $(cat result messages)"
sed "s|file://$out/origin|https://example.org/o.git|" panel.json >far.json
"$strata" mine --quiet --store far --manifest far.json 2>messages
[ $? -eq 2 ] && grep -q 'name the folder of its mirror with --mirrors' messages || fail "a url far away: $(cat messages)"

# ---- a head that moves
"$strata" mine --quiet --store moving name=origin >result || fail "mine ends with $?"
commit origin c.py 'y = bool(1)\n'
"$strata" mine --quiet --store moving name=origin >result
grep -q '^name: its head has moved since it was mined; its checkpoints are kept' result || fail "a moved head: $(cat result)"
"$strata" mine --quiet --store moving --moved extend name=origin >result
grep -q '^name *done' result || fail "--moved extend: $(cat result)"
printf 'id: call\nlanguage: python\nrule: {kind: call}\n' >rules.yml
"$strata" rules show unused-variable >/dev/null 2>&1
"$strata" mine --quiet --store fresh --rules rules.yml name=origin >result || fail "mine with rules ends with $?"
printf 'id: call\nlanguage: python\nrule: {kind: call}\n---\nid: name\nlanguage: python\nrule: {kind: identifier}\n' >rules.yml
"$strata" mine --quiet --store fresh --rules rules.yml name=origin >result || fail "mine with more rules ends with $?"
grep -q '^the hits of unchanged rules were kept for [0-9]* blobs; 1 rule was run$' result || fail "kept hits: $(cat result)"

# ---- policies and options that change what is chosen
"$strata" mine --quiet --store policies --exclude-tests --exclude-vendored --exclude-generated --no-merges --content-only \
    --history all --strategy all --include '*.py' --exclude 'z*' --exclude-dir x --suffix .pyw --latest-date 2020-01-01 \
    --max-file-bytes 1K --commit-every 1M --memory 16M --seed 3 --commits 5 name=origin >result ||
    fail "all options end with $?: $(cat result)"
grep -q 'committer dates cannot be real and are not used as times' result || fail "--latest-date: $(cat result)"
"$strata" store export --quiet --store policies --format csv --out csv --table files >/dev/null
grep -q test_a.py csv/files.csv && fail "--exclude-tests has tests in it"

# ---- counting
"$strata" mine --quiet --count name=origin nowhere=missing >result
[ $? -eq 1 ] || fail "--count of a missing repository is no finding"
grep -q '^ *4 *4 *3 *0 *0  name$' result && grep -q '^ *- .*  nowhere: ' result || fail "--count: $(cat result)"
"$strata" mine --quiet --count --json name=origin nowhere=missing >result
python3 - result <<'END' || fail "--count --json: $(cat result)"
import json, sys
a, b = [json.loads(line) for line in open(sys.argv[1])]
assert (a["commits"], a["single"], a["source"], a["reason"]) == (4, 4, 3, None), a
assert "commits" not in b and b["reason"], b
END

# ---- what is refused
for words in "" "--store s" "--store s --manifest panel.json origin" "--store s --mirrors m origin" "origin" \
    "--store s --ref x --manifest panel.json" "--store s --max-file-bytes 2G origin" "--store s --memory 1M origin" \
    "--store s --include [ origin" "--store s --exclude [ origin" "--store s =origin" "--store s a=origin a=origin" \
    "--store s --strategy best origin" "--store s --moved away origin" "--store s --rules r --no-rules origin"; do
    # shellcheck disable=SC2086 # several words
    "$strata" mine $words >result 2>messages
    [ $? -eq 2 ] || fail "mine $words is not a usage error: $(cat messages)"
done

# ---- panel build
cat >candidates.csv <<END
repo,stars,license,created,pushed,source
a/one,5,MIT,2020-01-01,2026-01-01,x@2026-01-01
a/two,50,MIT,2024-01-01,2026-01-01,y
b/three,500,Apache-2.0,2020-01-01,2026-01-01,y
c/four,5000,MIT,2020-01-01,2020-01-01,y
d/five,50000,MIT,2020-01-01,2026-01-01,y
END
"$strata" panel build --counts 2,1,1,1 --name mine candidates.csv >result || fail "build ends with $?"
python3 - result <<'END' || fail "build: $(cat result)"
import json, sys
panel = json.load(open(sys.argv[1]))
assert panel["name"] == "mine" and len(panel["repositories"]) == 5, panel
assert panel["repositories"][0]["url"].startswith("https://github.com/"), panel
END
"$strata" panel build --counts 1,0,0,1 --created-before 2023-01-01 --pushed-since 2021-01-01 --license MIT --license X \
    --exclude a/two --exclude-source y --url-prefix file:// --include d/five@dev --seed 7 --out built.json candidates.csv ||
    fail "build with all options ends with $?"
python3 - built.json <<'END' || fail "build --out: $(cat built.json)"
import json, sys
names = {r["name"]: r for r in json.load(open(sys.argv[1]))["repositories"]}
assert set(names) == {"a/one", "d/five"} and names["d/five"]["ref"] == "dev", names
assert names["a/one"]["url"] == "file://a/one.git"
END
"$strata" panel build --counts 9,9,9,9 candidates.csv 2>messages
[ $? -eq 3 ] || fail "too few candidates: $(cat messages)"
"$strata" panel build --out nowhere/panel.json --counts 1,0,0,0 candidates.csv 2>messages
[ $? -eq 3 ] || fail "a file that cannot be written: $(cat messages)"
for words in "" "a.csv b.csv" "--counts 1,2 candidates.csv" "--counts 1,2,3,x candidates.csv"; do
    # shellcheck disable=SC2086 # several words
    "$strata" panel build $words 2>messages
    [ $? -eq 2 ] || fail "panel build $words is not a usage error: $(cat messages)"
done
exit $failed
