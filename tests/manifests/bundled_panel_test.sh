#!/bin/sh
# The bundled panel comes out with the commit ids that its manifest pins, and the same agent run
# twice.  usage: bundled_panel_test.sh MANIFESTS-BUNDLED-FOLDER
set -eu
bundled=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$bundled/make-panel" "$out/one" >"$out/log"
"$bundled/make-panel" "$out/two" >/dev/null
diff -r "$out/one/agents" "$out/two/agents"

n=0
while read -r name head _; do
    case $name in bundled/*) ;; *) continue ;; esac
    grep -q "\"$name\".*\"head\": \"$head\"" "$bundled/panel.json" || {
        echo "$name is now at $head, which panel.json does not pin"
        exit 1
    }
    git -C "$out/one/mirrors/$name.git" fsck --strict --no-dangling
    n=$((n + 1))
done <"$out/log"
[ "$n" -eq "$(grep -c '"head"' "$bundled/panel.json")" ] || {
    echo "panel.json and make-panel name different repositories"
    exit 1
}
echo "$n repositories as pinned"
