#!/bin/sh
# The store commands on stores of two repositories: what they print, as text and as JSON, and what
# they leave behind.
# usage: store_commands_test.sh STRATA
. "$(dirname "$0")/begin.sh"
cd "$out"

commit() { # REPOSITORY FILE TEXT
    [ -d "$1" ] || git init -q "$1"
    printf '%b' "$3" >"$1/$2"
    git -C "$1" add -A
    git -C "$1" -c user.name=a -c user.email=a@example.org commit -qm "$2"
}
commit one a.py 'def f(x):\n    if x == True:\n        return x\n    return None\n'
commit one b.py 'x = bool(True)\n'
commit two c.py 'def g():\n    pass\n'
printf 'id: call\nlanguage: python\nrule: {kind: call}\n' >rules.yml

"$strata" mine --quiet --store store one >mined || fail "mine one ends with $?: $(cat mined)"
"$strata" mine --quiet --store other two >mined || fail "mine two ends with $?: $(cat mined)"

json() { # NAME PROGRAM: the JSON of result, as the variable is
    python3 -c "import json, sys
lines = [json.loads(line) for line in open('result')]
$2" || fail "$1: $(cat result)"
}

# ---- info
"$strata" store info --store store >result || fail "info ends with $?"
for line in '^store store: [0-9]* bytes, [0-9.]* % of them free$' \
    '^trajectories  0 unfinished, 1 done, 0 partial, 0 skipped$' '^checkpoints   2$' \
    '^listed files  3 of 2 blobs$' '^facts  *[0-9]* ' '^facts  *[0-9a-f]*  2 values, .* of 2 listed blobs, current$' \
    '^rule groups  *[0-9a-f]*  2 values, .* of 2 listed blobs, newest$' '^profiles  *paper: in full, with [0-9]* rules$' \
    '^ *1 trajectories with {'; do
    grep -q -e "$line" result || fail "info lacks '$line': $(cat result)"
done
"$strata" store info --store store --profile paper --measure >result || fail "info --measure ends with $?"
grep -q '^bytes a .* no dictionary ' result || fail "info --measure: $(cat result)"
[ "$(grep -c ': in full' result)" -eq 1 ] || fail "info --profile asks for others too: $(cat result)"
"$strata" store info --store store --json --measure >result || fail "info --json ends with $?"
json "info --json" "
info, = lines
assert info['trajectories'] == {'unfinished': 0, 'done': 1, 'partial': 0, 'skipped': 0}
assert info['checkpoints'] == 2 and info['listed_files'] == 3 and info['listed_blobs'] == 2
assert info['tables']['facts']['values'] == 2 and info['measured']['facts']['values'] == 2
assert [f['current'] for f in info['facts']] == [True] and [g['newest'] for g in info['rule_groups']] == [True]
assert all(p['in_full'] for p in info['profiles']) and len(info['profiles']) >= 4
assert info['parameters'][0]['trajectories'] == 1"
"$strata" store info --store store --profile missing.json 2>messages
[ $? -eq 3 ] && grep -q missing.json messages || fail "info of a missing profile: $(cat messages)"

# ---- verify
"$strata" store verify --store store >result || fail "verify ends with $?"
grep -q '^[0-9]* values, 0 findings$' result || fail "verify: $(cat result)"
"$strata" store verify --store store --json >result || fail "verify --json ends with $?"
[ ! -s result ] || fail "verify --json has findings: $(cat result)"

# ---- merge
"$strata" store merge merged store other >result || fail "merge ends with $?"
[ "$(grep -c '^\(store\|other\): 1 trajectories taken, 0 of them fuller' result)" -eq 2 ] || fail "merge: $(cat result)"
"$strata" score --quiet --store merged >scores || fail "score of the merged store ends with $?"
[ "$(wc -l <scores)" -eq 3 ] || fail "the merged store has $(wc -l <scores) scores, not 3"
"$strata" store merge merged 2>/dev/null
[ $? -eq 2 ] || fail "merge of nothing is not a usage error"

# ---- compact: after another set of rules the hits of the first are stale
"$strata" store compact --store store --list-stale >result || fail "--list-stale ends with $?"
[ "$(cat result)" = "nothing is stale" ] || fail "--list-stale: $(cat result)"
"$strata" mine --quiet --store store --rules rules.yml one >mined || fail "mining with other rules ends with $?"
"$strata" store info --store store --json >result
old=$(python3 -c "import json
print([g['key'] for g in json.load(open('result'))['rule_groups'] if not g['newest']][0])")
"$strata" score --quiet --store store >/dev/null 2>messages
"$strata" score --store store 2>messages >/dev/null
grep -q '^of 2 groups of rules in the store the newest counts' messages || fail "score does not say which group counts"
"$strata" store compact --store store --list-stale >result || fail "--list-stale ends with $?"
grep -q "^hits  *$old  2 values" result || fail "--list-stale: $(cat result)"
"$strata" store compact --store store --drop-stale --drop-hits "$old" 2>messages
[ $? -eq 2 ] && grep -q 'leave out --drop-facts' messages || fail "--drop-stale with a key: $(cat messages)"
"$strata" store compact --store store --drop-hits xyz 2>messages
[ $? -eq 2 ] && grep -q "'xyz' is not a key" messages || fail "a wrong key: $(cat messages)"
"$strata" store compact --store store --drop-hits 00000000000000000000000000000000 2>messages
[ $? -eq 3 ] && grep -q 'there is no group of rules with the key 0' messages || fail "a missing key: $(cat messages)"
"$strata" store compact --store store --drop-facts 0123456789ABCDEFabcdef0123456789 2>messages
[ $? -eq 3 ] && grep -q 'there is no set of facts with the key 0123456789abcdef' messages || fail "missing facts: $(cat messages)"
"$strata" store compact --store store --drop-hits "$old" >result || fail "compact ends with $?"
grep -q '^kept 1 trajectories, 2 listings, 2 facts, 2 hits; dropped 0 listings, 0 facts, 2 hits, ' result ||
    fail "compact: $(cat result)"
"$strata" store compact --store store --drop-stale --json >result || fail "compact --json ends with $?"
json "compact --json" "assert lines[0]['trajectories'] == 1 and lines[0]['dropped_hits'] == 0"
"$strata" store verify --store store --quiet >result || fail "verify after compact ends with $?: $(cat result)"

# ---- export
"$strata" store export --quiet --store store --format csv --out csv >result || fail "export ends with $?"
grep -q '^1 trajectories, 2 checkpoints, 2 scores, 3 files, 2 blobs, 1 callables$' result || fail "export: $(cat result)"
[ "$(wc -l <csv/files.csv)" -eq 4 ] || fail "csv/files.csv: $(cat csv/files.csv)"
"$strata" store export --quiet --store store --format jsonl --out jsonl --table scores >result || fail "export ends with $?"
[ "$(cat jsonl/*.jsonl | wc -l)" -eq 2 ] && [ "$(wc -l <jsonl/scores.jsonl)" -eq 2 ] || fail "--table writes $(wc -l jsonl/*)"
"$strata" store export --quiet --store store --format sqlite --out db.sqlite >result || fail "export ends with $?"
python3 -c "import sqlite3
assert sqlite3.connect('db.sqlite').execute('select count(*) from checkpoints').fetchone() == (2,)" || fail "db.sqlite"
for words in '--format csv' '--out x' '--format xml --out x' '--format csv --out x --table xyz'; do
    # shellcheck disable=SC2086 # several words
    "$strata" store export --store store $words 2>messages
    [ $? -eq 2 ] || fail "export $words is not a usage error"
done

# ---- two writers: the second says so, or waits
python3 - store <<'END' &
import fcntl, os, sys, time
with open(sys.argv[1] + "/writer.lock", "r+") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    open("locked", "w").close()
    time.sleep(3)
END
holder=$!
while [ ! -e locked ]; do sleep 0.1; done
"$strata" mine --quiet --store store one >result 2>messages
[ $? -eq 3 ] || fail "a second writer: $(cat messages)"
"$strata" mine --quiet --store store --rules rules.yml --wait one >result 2>messages || fail "--wait ends with $?: $(cat messages)"
grep -q 'waiting for it' messages || fail "--wait says nothing: $(cat messages)"
wait $holder

# ---- a damaged value is found, reported, and made again by mining
python3 - store/data.mdb <<'END'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
magic = b"\x28\xb5\x2f\xfd"
places = [i for i in range(len(data)) if data[i:i + 4] == magic]
for place in places:
    data[place + 12] ^= 0xff
open(sys.argv[1], "wb").write(data)
assert places
END
"$strata" store verify --store store >result 2>messages
status=$?
[ $status -eq 1 ] || [ $status -eq 3 ] || fail "verify of a damaged store ends with $status: $(cat result messages)"
"$strata" store verify --store store --json >result 2>messages
[ $status -ne 1 ] || json "verify --json" "assert lines and set(lines[0]) == {'table', 'key', 'problem'}"
exit $failed
