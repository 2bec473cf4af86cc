#!/bin/sh
# The examples of the documentation do what their first lines say.
# usage: examples_test.sh STRATA ANALYSE TRAJECTORIES
. "$(dirname "$0")/../cli/begin.sh"
analyse=$2
trajectories=$3
cd "$out"

git init -q repo
printf 'def f(x):\n    if x == True:\n        return x\n    return None\n' >repo/a.py
git -C repo add -A
git -C repo -c user.name=a -c user.email=a@example.org commit -qm one
"$strata" mine --quiet --store store --no-rules repo >/dev/null || fail "mine ends with $?"

"$analyse" repo/a.py >found || fail "analyse ends with $?"
grep -q '^1-4: f, [0-9]* statements$' found || fail "analyse does not print the function: $(cat found)"
grep -q '^2: bool-literal-comparison$' found || fail "analyse does not print the hit: $(cat found)"
"$analyse" missing.py 2>messages && fail "analyse of a missing file ends with 0"
grep -q missing.py messages || fail "analyse does not name the missing file"

"$trajectories" store >listed || fail "trajectories ends with $?"
grep -q '^repo$' listed || fail "trajectories does not print the trajectory: $(cat listed)"
grep -q '^  [0-9a-f]*: 1 files$' listed || fail "trajectories does not print the checkpoint: $(cat listed)"
"$trajectories" missing 2>messages && fail "trajectories of a missing store ends with 0"
exit $failed
