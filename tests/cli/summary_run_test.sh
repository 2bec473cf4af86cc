#!/bin/sh
# strata summary on the folder of a run: its setup comes from its files, and what one run does not say
# of a problem another may.
# usage: summary_run_test.sh STRATA
. "$(dirname "$0")/begin.sh"
set -e
cd "$out"

mkdir -p one/p two/q
echo 'model: {name: m}
thinking: none
prompt_path: a/plain.jinja
agent: {type: t, version: 2.0.51}
problems: [p, q]' > one/config.yaml
echo 'name: p
checkpoints: {checkpoint_1: {order: 1}, checkpoint_2: {order: 2}}' > one/p/problem.yaml
echo '{"problem": "p", "checkpoint": "checkpoint_1", "idx": 1, "strict_pass_rate": 1.0,
"isolated_pass_rate": 1.0, "core_pass_rate": 1.0}' | tr -d '\n' > one/checkpoint_results.jsonl
cp one/checkpoint_results.jsonl two
echo 'name: q
checkpoints: {checkpoint_1: {order: 1}, checkpoint_2: {order: 2}, checkpoint_3: {order: 3}}' > two/q/problem.yaml

has() {
    grep -qF -- "$1" "$2" || {
        echo "not there: $1"
        cat "$2"
        exit 1
    }
}

"$strata" summary --result one > result 2> warnings
has '"model": "m",' result
has '"thinking": "none",' result
has '"prompt": "plain",' result
has '"agent_version": "2.0.51",' result
has '"expected_checkpoints": 2,' result
has '"pct_checkpoints_solved": 50.0,' result
has 'problem q has is not known' warnings

"$strata" summary one two > both 2> warnings
has '"expected_checkpoints":5' both
if [ -s warnings ]; then
    cat warnings
    exit 1
fi

# The same folders as records of a report; two files that name no run are of one each.
"$strata" report --quiet --section solve --records one --records two --format csv > report 2> warnings
has 'm,plain,one,one,t 2.0.51,none,' report
has ',,two,two,,,' report
cp one/checkpoint_results.jsonl bare.jsonl
"$strata" report --quiet --section solve --records bare.jsonl --records two/checkpoint_results.jsonl \
    --format csv > report
has ',,,bare.jsonl,,,' report
has ',,,two/checkpoint_results.jsonl,,,' report
