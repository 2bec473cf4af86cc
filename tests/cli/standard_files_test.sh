#!/bin/sh
# What is printed reaches standard output or the exit status says that it did not; with the standard
# files closed nothing of it lands in a file of the store.
# usage: standard_files_test.sh STRATA
. "$(dirname "$0")/begin.sh"

if [ -w /dev/full ]; then
    for words in --help --version "store --help" "check --help"; do
        # shellcheck disable=SC2086 # several words
        "$strata" $words >/dev/full 2>"$out/messages"
        [ $? -eq 3 ] || fail "strata $words: a full disk does not end with 3"
        grep -q "No space left" "$out/messages" || fail "strata $words: a full disk is not told"
    done
fi

# A repository that is not there is skipped, which the store keeps and the table says.
"$strata" mine --store "$out/store" "$out/missing" <&- >&- 2>&-
[ $? -eq 3 ] || fail "mine: a closed standard output does not end with 3"
grep -q "[^0-9]" "$out/store/writer.lock" && fail "mine: its table is in a file of the store"
"$strata" store merge "$out/none" "$out/store" "$out/missing" 2>/dev/null
[ $? -eq 3 ] || fail "store merge: a missing store goes unseen"
[ ! -e "$out/none" ] || fail "store merge: a store is made though a source is missing"
"$strata" store merge "$out/merged" "$out/store" <&- >&- 2>&-
[ $? -eq 3 ] || fail "store merge: a closed standard output does not end with 3"
grep -q "[^0-9]" "$out/merged/writer.lock" && fail "store merge: its counts are in a file of the store"
exit $failed
