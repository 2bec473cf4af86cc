#!/bin/sh
# Every command that `strata --help` lists tells its usage and its exit statuses, on standard output
# and with status 0; an option nobody has is a usage error, said on standard error.
# usage: help_test.sh STRATA
. "$(dirname "$0")/begin.sh"

fail() {
    echo "strata $name: $1"
    failed=1
}

"$strata" --help | sed -n 's/^  \([a-z][a-z ]*[a-z]\)  .*/\1/p' >"$out/names"
[ -s "$out/names" ] || { echo "strata --help lists no commands"; exit 1; }

while read -r name; do
    # shellcheck disable=SC2086 # a name may be two words
    "$strata" $name --help >"$out/help" 2>"$out/messages" || fail "--help ends with $?"
    [ ! -s "$out/messages" ] || fail "--help says something on standard error"
    head -n 1 "$out/help" | grep -q "^usage: strata $name\( \|\$\)" || fail "help has no usage line"
    grep -q "^Exit status: " "$out/help" || fail "help has no exit statuses"
    awk 'length > 92 { exit 1 }' "$out/help" || fail "help has a line over 92 columns"

    # shellcheck disable=SC2086
    "$strata" $name --no-such-option >"$out/result" 2>"$out/messages"
    status=$?
    [ $status -eq 2 ] || fail "an unknown option ends with $status, not 2"
    [ ! -s "$out/result" ] || fail "an unknown option prints a result"
    grep -q -e "--no-such-option" "$out/messages" || fail "an unknown option is not named"
done <"$out/names"

# Values that no run could mean are usage errors as well.
usage() {
    "$strata" "$@" >"$out/result" 2>"$out/messages"
    [ $? -eq 2 ] || fail "$*: is no usage error"
}
name=
usage mine --store "$out/store" --suffix "" "$out"
usage mine --store "$out/store" --exclude-dir "" "$out"
usage mine --store "$out/store" --exclude-dir a/b "$out"
usage mine --store "$out/store" name=
usage report --store "$out/store" --rule-subset x=severity:errors
usage mine --store "$out/store" --latest-date 2026-02-30 "$out"
usage check --jobs 0 "$out"
usage check --no-rules --max-verbosity 0.5 "$out"

"$strata" no-such-command >"$out/result" 2>"$out/messages"
if [ $? -ne 2 ] || [ -s "$out/result" ] || [ ! -s "$out/messages" ]; then
    fail "an unknown command is no usage error"
fi
"$strata" store no-such-command 2>"$out/messages"
[ $? -eq 2 ] && grep -q "store no-such-command" "$out/messages" || fail "a wrong second word is not named"
echo "$(wc -l <"$out/names") commands looked at"
exit $failed
