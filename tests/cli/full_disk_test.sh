#!/bin/sh
# A store on a full disk that has lost its lock file is refused with a message; LMDB alone would map a
# page that has no disk space and the process would end by SIGBUS.
# usage: full_disk_test.sh STRATA
. "$(dirname "$0")/begin.sh"

mkdir "$out/disk"
mount -t tmpfs -o size=14M none "$out/disk" 2>/dev/null ||
    { echo "skipped: a file system of a few megabytes cannot be mounted here"; exit 77; }
trap 'umount "$out/disk"; rm -rf "$out"' EXIT
mkdir "$out/source"
printf 'def f(x):\n    return x\n' >"$out/source/a.py"
git -C "$out/source" init -q
git -C "$out/source" add a.py
git -C "$out/source" -c user.name=a -c user.email=a@b commit -q -m a
"$strata" mine --quiet --store "$out/disk/store" "r=$out/source" >/dev/null || fail "mine: $?"
"$strata" score --quiet --store "$out/disk/store" >"$out/before" || fail "score: $?"
rm "$out/disk/store/lock.mdb"
dd if=/dev/zero of="$out/disk/fill" bs=4k 2>/dev/null

for words in score "store info" "store verify" report; do
    # shellcheck disable=SC2086 # a name may be two words
    "$strata" $words --store "$out/disk/store" >"$out/result" 2>"$out/messages"
    [ $? -eq 3 ] || fail "$words on a full disk: $? $(cat "$out/messages")"
    grep -q "No space left on device" "$out/messages" || fail "$words says: $(cat "$out/messages")"
done

rm "$out/disk/fill"
"$strata" score --quiet --store "$out/disk/store" >"$out/after" || fail "score with room: $?"
cmp "$out/before" "$out/after" || fail "the scores are others"
exit $failed
