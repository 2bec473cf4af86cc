#!/bin/sh
# Names out of a tree reach a terminal without control characters, in results and in messages.
# usage: odd_names_test.sh STRATA
. "$(dirname "$0")/begin.sh"
escape=$(printf '\033')

mkdir "$out/tree"
printf 'def f(x):\n    if x == True:\n        return x\n    return 1\n' >"$out/tree/${escape}[31mgood.py"
cp "$out/tree/${escape}[31mgood.py" "$out/tree/copy${escape}c.py"
printf 'def f(:\n' >"$out/tree/${escape}[32mbad.py"

look() {
    "$strata" "$@" >"$out/result" 2>"$out/messages"
    cat "$out/result" "$out/messages" >"$out/all"
    [ -s "$out/all" ] || { echo "$*: says nothing"; failed=1; }
    LC_ALL=C grep -q "$escape" "$out/all" && { echo "$*: an escape gets through"; failed=1; }
}
look check --clones --flags "$out/tree"
look check "$out/tree/${escape}[31mgood.py"
look rules scan "$out/tree"
look rules scan --format lines "$out/tree"
look check --rules "${escape}[31m" "$out/tree"
look facts "$out/${escape}[31m"
look facts "--${escape}[31m"
look "${escape}[31m"
look score --store "$out/${escape}[31m"
printf '{"problem":"p","checkpoint":"c","idx":1,"model":"\\u001b[31mm","run":"r\\u001b[0m",%s}\n' \
    '"strict_pass_rate":1.0,"erosion":0.1,"loc":9,"sloc":9' >"$out/records.jsonl"
look report --records "$out/records.jsonl"
grep -q 31mm "$out/result" || { echo "report: does not name the model"; failed=1; }

# A row of a table stays one, and a name in another script is read as it is.
git init -q "$out/dépôt
x"
"$strata" mine --quiet --store "$out/store" "dépôt
x=$out/dépôt
x" >"$out/result"
grep -q '^dépôt\\x0ax  skipped ' "$out/result" || { echo "mine: $(cat "$out/result")"; failed=1; }
exit $failed
