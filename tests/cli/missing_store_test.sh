#!/bin/sh
# A store that is not there is named by every command that does not fill one, and none is made.
# usage: missing_store_test.sh STRATA
. "$(dirname "$0")/begin.sh"
cd "$out"
mkdir empty

# refuses ARGUMENT...
refuses() {
    "$strata" "$@" >result 2>messages
    status=$?
    [ $status -eq 3 ] || fail "$*: ends with $status, not 3"
    [ ! -s result ] || fail "$*: prints a result"
    grep -q "missing\|empty" messages || fail "$*: does not name the store: $(cat messages)"
    [ ! -e missing ] && [ -z "$(ls empty)" ] || fail "$*: makes a store"
}
for store in missing empty; do
    for command in score report "store info" "store verify" "store compact" "store compact --list-stale" \
        "store compact --drop-stale" "store export --format csv --out exported"; do
        # shellcheck disable=SC2086 # several words
        refuses $command --store $store
    done
    refuses store merge merged $store
done
exit $failed
