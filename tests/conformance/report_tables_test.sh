#!/bin/sh
# The tables of a report over the bundled panel, computed anew from its export.
# usage: report_tables_test.sh STRATA MANIFESTS-BUNDLED-FOLDER
set -eu
strata=$(realpath "$1")
bundled=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

"$bundled/make-panel" "$out" >/dev/null
"$strata" mine --quiet --store "$out/store" --manifest "$bundled/panel.json" --mirrors "$out/mirrors" >/dev/null
"$strata" ingest --quiet --store "$out/store" "$out/agents" >/dev/null
python3 "$here/report_tables.py" "$strata" "$out/store"
