#!/bin/sh
# A pipe is read like a file; one that nobody writes to does not hold up a stop.
# usage: pipes_test.sh STRATA
. "$(dirname "$0")/begin.sh"

mkfifo "$out/pipe" "$out/silent"
(sleep 0.3; printf 'def f(x):\n'; sleep 0.3; printf '    return x\n') >"$out/pipe" &
"$strata" facts "$out/pipe" >"$out/result"
[ $? -eq 0 ] && grep -q '"sloc":2,' "$out/result" || fail "a pipe: $(cat "$out/result")"

for words in "facts" "check" "rules scan" "summary" "panel build"; do
    # shellcheck disable=SC2086 # a name may be two words
    "$strata" $words "$out/silent" >"$out/result" 2>"$out/messages" &
    pid=$!
    exec 9>"$out/silent" # opens when the other end has been opened
    kill -TERM $pid
    wait $pid
    status=$?
    exec 9>&-
    [ $status -eq 130 ] || fail "$words: a stop ends with $status: $(cat "$out/messages")"
done
exit $failed
