#!/bin/sh
# A grid of sensitivity, and the cuts of drift, name each of their values once.
# usage: report_grid_test.sh STRATA
. "$(dirname "$0")/begin.sh"

printf '{"problem":"p","checkpoint":"c","idx":1,"model":"m","run":"r",%s}\n' \
    '"strict_pass_rate":1.0,"erosion":0.1,"loc":9,"sloc":9' >"$out/records.jsonl"

# refused WORDS OPTION...: a usage error that says WORDS.
refused() {
    words=$1
    shift
    "$strata" report --records "$out/records.jsonl" "$@" >"$out/result" 2>"$out/messages"
    status=$?
    [ $status = 2 ] || { echo "$*: exit status $status, not 2"; failed=1; }
    grep -q -e "$words" "$out/messages" || { echo "$*: says $(cat "$out/messages")"; failed=1; }
}
refused '10.0 is given twice' --cutoffs 8,10,10.0
refused 'at least one' --cutoffs ''
refused 'numbers' --cutoffs 8,,10
refused 'numbers' --cutoffs nan
refused 'sqrt is given twice' --size-terms sqrt,none,sqrt
refused 'at least one' --size-terms ''
refused 'subtree is given twice' --clone-definitions subtree,subtree
refused 'twice' --rule-subset a=advice --rule-subset a=severity:hint
refused 'write NAME=' --rule-subset =advice
refused 'twice' --cut 2024-01-01 --cut 2024-01-01=again

"$strata" report --records "$out/records.jsonl" --cutoffs 10,8 --size-terms sqrt \
    --rule-subset a=advice --rule-subset b=severity:hint --cut 2024-01-01 --cut 2023-01-01 \
    >"$out/result" || { echo "different values are refused"; failed=1; }
exit $failed
