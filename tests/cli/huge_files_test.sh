#!/bin/sh
# A file of 20 GB is refused at once where there is a limit; where all of it is read, as of a run that
# is ingested, a stop ends that before the end of the file.  Links in a run are not followed.
# usage: huge_files_test.sh STRATA
. "$(dirname "$0")/begin.sh"

truncate -s 20G "$out/sparse.py" || { echo "skipped: no sparse files here"; exit 77; }
for words in facts summary; do
    timeout 30 "$strata" $words "$out/sparse.py" >"$out/result" 2>"$out/messages"
    [ $? -eq 3 ] || fail "$words: $? $(cat "$out/messages")"
    grep -q "larger than the limit" "$out/messages" || fail "$words says: $(cat "$out/messages")"
done

run=$out/run/p1/checkpoint_1
mkdir -p "$run/snapshot"
printf '{"problem":"p1","checkpoint":"checkpoint_1","idx":1}\n' >"$out/run/checkpoint_results.jsonl"
ln "$out/sparse.py" "$run/snapshot/sparse.py"
"$strata" ingest --quiet --store "$out/store" "$out/run" >"$out/result" 2>"$out/messages" &
pid=$!
sleep 0.5
kill -INT $pid 2>/dev/null
(sleep 30; kill -KILL $pid 2>/dev/null) &
wait $pid
status=$?
[ $status -eq 130 ] || fail "ingest: a stop ends with $status: $(cat "$out/messages")"

mv "$out/run/checkpoint_results.jsonl" "$out/elsewhere"
ln -s "$out/elsewhere" "$out/run/checkpoint_results.jsonl"
for words in summary "report --quiet --records"; do
    # shellcheck disable=SC2086 # a command and its options
    "$strata" $words "$out/run" >"$out/result" 2>"$out/messages"
    [ $? -eq 3 ] || fail "$words follows a link: $? $(cat "$out/messages")"
    grep -q "not followed" "$out/messages" || fail "$words says: $(cat "$out/messages")"
done
exit $failed
