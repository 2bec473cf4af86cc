#!/bin/sh
# strata ingest: its table, its notes, its JSON lines, and its exit statuses.
# usage: ingest_output_test.sh STRATA
. "$(dirname "$0")/begin.sh"
cd "$out"

write() { # FILE TEXT
    mkdir -p "$(dirname "$1")"
    printf '%b' "$2" >"$1"
}
write runs/one/config.yaml 'agent: {type: claude_code, version: "2.0"}\nmodel: {name: m}\n'
write runs/one/environment.yaml 'type: local\n'
write runs/one/p/problem.yaml 'name: p\nversion: 3\ncheckpoints:\n  checkpoint_1: {order: 1}\n  checkpoint_2: {order: 2}\n'
write runs/one/p/checkpoint_1/snapshot/main.py 'def f(x):\n    return bool(x)\n'
write runs/one/p/checkpoint_1/after_skill/snapshot/main.py 'z = 1\n'
write runs/one/p/checkpoint_1/evaluation.json '{"pass_counts": {"Core": 1}, "total_counts": {"Core": 2}}'
write runs/one/p/checkpoint_2/snapshot/main.py 'def f(x):\n    return x\n'
write runs/one/checkpoint_results.jsonl \
    '{"problem": "p", "checkpoint": "checkpoint_2", "idx": 2, "strict_pass_rate": 1.0}\nhalf a {\nhalf b {\n'

"$strata" ingest --quiet --store store runs >result 2>messages
[ $? -eq 1 ] || fail "notes are no finding: $(cat messages)"
grep -q '^ *1 *1 *2 *2 *2 *2  m/one$' result || fail "no row for the run: $(cat result)"
grep -q '^ *1 *1 *2 *2 *2 *2  all$' result || fail "no sum: $(cat result)"
grep -q '^1 records were made from the files of their checkpoints\.$' result || fail "made records: $(cat result)"
grep -q '^1 trees after an extra step were left out; --after-step takes them as well\.$' result || fail "after step: $(cat result)"
grep -q '^runs/one/checkpoint_results.jsonl line 2: .*JSON' messages || fail "the broken line is not named: $(cat messages)"

"$strata" ingest --quiet --store store --json --after-step runs >result 2>messages
[ $? -eq 1 ] || fail "--json ends without a finding"
python3 - result <<'END' || fail "--json: $(cat result)"
import json, sys
run, *notes = [json.loads(line) for line in open(sys.argv[1])]
assert run["run"] == "m/one" and run["place"] == "runs/one", run
assert run["problems"] == 1 and run["new_trajectories"] == 1 and run["trees"] == 3 and run["after_step_trees"] == 1
assert run["records_broken"] == 2 and run["remarks"] == 2 and run["blobs_analysed"] == 1, run
assert [n["place"] for n in notes] == ["runs/one/checkpoint_results.jsonl line %d" % n for n in (2, 3)], notes
assert all(set(n) == {"place", "remark"} for n in notes)
END

# Again with other rules: only those are run on the blobs that are there.
printf 'id: call\nlanguage: python\nrule: {kind: call}\n' >rules.yml
rm runs/one/checkpoint_results.jsonl
"$strata" ingest --quiet --store store --rules rules.yml runs/one >result 2>messages
[ $? -eq 0 ] || fail "a sound run ends with findings: $(cat messages)"
"$strata" ingest --quiet --store empty_rules --no-rules runs/one >result 2>messages || fail "--no-rules ends with $?"
"$strata" score --quiet --store empty_rules | grep -q ast_grep_hits && fail "--no-rules: there are hits"

# From a repository, and what cannot be used.
git init -q repo
cp -r runs repo
git -C repo add -A -f
git -C repo -c user.name=a -c user.email=a@example.org commit -qm one
"$strata" ingest --quiet --store from_git --git repo --prefix runs >result 2>messages || fail "--git ends with $?: $(cat messages)"
"$strata" score --quiet --store from_git | sed 's/"origin":"[^"]*"//; s/"ref":"[^"]*"//' >git_scores
[ "$(wc -l <git_scores)" -eq 2 ] || fail "--git gives $(wc -l <git_scores) scores"
mkdir nothing
"$strata" ingest --quiet --store none nothing >result 2>messages
[ $? -eq 3 ] && grep -q "there is no run in SlopCodeBench's layout" messages || fail "no run: $(cat messages)"
[ ! -e none ] || fail "a store is made though there is no run"
"$strata" ingest --quiet --store none --json nothing >result 2>messages
[ $? -eq 3 ] && grep -q remark result || fail "no run, as JSON: $(cat result)"
for words in 'runs' '--store s' '--store s --git repo runs' '--store s --rev HEAD runs' '--store s --rules r --no-rules runs'; do
    # shellcheck disable=SC2086 # several words
    "$strata" ingest $words >result 2>messages
    [ $? -eq 2 ] || fail "ingest $words is not a usage error: $(cat messages)"
done
"$strata" ingest --store s --git repo --rev nowhere 2>messages
[ $? -eq 3 ] && grep -q nowhere messages || fail "a missing revision: $(cat messages)"
exit $failed
