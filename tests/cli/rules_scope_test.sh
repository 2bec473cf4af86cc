#!/bin/sh
# `files` and `ignores` count from the folder of the rule file on, in scan and in check alike.
# usage: rules_scope_test.sh STRATA
. "$(dirname "$0")/begin.sh"
set -e
mkdir -p "$out/project/src" "$out/project/tests" "$out/other"
for path in project/src/a.py project/tests/b.py other/c.py; do
    echo 'f(1)' > "$out/$path"
done
cat > "$out/project/rules.yaml" <<'RULE'
id: call
language: python
severity: warning
rule: {kind: call}
files: ["src/**", "other/*"]
RULE
cd "$out"

expect() {
    if [ "$1" != "$2" ]; then
        echo "expected '$2', got '$1'"
        exit 1
    fi
}
scan() {
    "$strata" rules scan --quiet --format lines --rules project/rules.yaml "$@" | cut -d' ' -f1 | paste -sd' ' -
}
hits() {
    "$strata" check --json --rules project/rules.yaml "$@" | sed -n 's/.*"ast_grep_hits": *\([0-9]*\).*/\1/p'
}
expect "$(scan project)" "src/a.py"
expect "$(scan project/src/a.py project/tests/b.py other/c.py)" "project/src/a.py other/c.py"
expect "$(cd project && "$strata" rules scan --quiet --format lines --rules rules.yaml .)" "src/a.py call 1 1 0 4"
expect "$(hits project)" 1
expect "$(hits project other)" 2
expect "$(hits project/tests)" 0

git init -q repo
cp -r project/src project/tests repo
git -C repo add -A
git -C repo -c user.name=a -c user.email=a@example.org commit -qm one
expect "$(scan --git repo)" "src/a.py"
expect "$(hits --git repo)" 1

# One content at two paths, in a store.
cp repo/src/a.py repo/tests/a.py
git -C repo add -A
git -C repo -c user.name=a -c user.email=a@example.org commit -qm two
"$strata" mine --quiet --store store --rules project/rules.yaml repo > /dev/null
expect "$("$strata" score --quiet --store store | tail -1 | sed -n 's/.*"ast_grep_hits": *\([0-9]*\).*/\1/p')" 1
