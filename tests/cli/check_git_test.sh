#!/bin/sh
# `check --git` takes a revision by every name that git has for it.
# usage: check_git_test.sh STRATA
. "$(dirname "$0")/begin.sh"

repository=$out/repository
mkdir "$repository"
git -C "$repository" init -q -b main
git -C "$repository" config user.name a
git -C "$repository" config user.email a@b
mkdir "$repository/below"
for n in 1 2 3; do
    for line in $(seq $n); do echo "x$line = $line"; done >"$repository/below/a.py"
    git -C "$repository" add -A
    git -C "$repository" commit -q -m "$n"
done
git -C "$repository" tag -a -m v2 v2 HEAD~1
git -C "$repository" branch old HEAD~2
id=$(git -C "$repository" rev-parse HEAD)

lines_at() { # REVISION LINES
    found=$("$strata" check --json --git "$repository" --rev "$1" 2>&1)
    case $found in
    *"\"total_loc\": $2,"*) ;;
    *) fail "$1: $found" ;;
    esac
}
git -C "$repository" pack-refs --all
for revision in HEAD main refs/heads/main "$id" "$(echo "$id" | cut -c1-10)" 'v2~0^{commit}~0' 'HEAD^0'; do
    case $revision in v2*) lines_at "$revision" 2 ;; *) lines_at "$revision" 3 ;; esac
done
lines_at v2 2
lines_at HEAD~1 2
lines_at old 1
lines_at 'main^^' 1
"$strata" check --git "$repository" --rev nowhere >"$out/result" 2>"$out/messages"
[ $? -eq 3 ] && grep -q nowhere "$out/messages" || fail "nowhere: $(cat "$out/messages")"
exit $failed
