"""Whatever is done to the files of a store, no command crashes, hangs or takes memory without bound;
what is wrong is named or the store refused; and mining and ingesting again make it whole.

usage: damage_test.py STRATA SHARED [N [SEED]]

N damages, 45 when it is not given; the whole of it, by hand, is 1,000.
"""

import collections
import itertools
import os
import random
import shutil
import sys

from histories import Ingester, Miner, Runner, check, failures, histories, write_run

PAGE = 4096
META_BYTES = 152  # of the page that LMDB reads
MEMORY_MB_MAX = 1024
RULES = "id: r\nlanguage: python\nseverity: warning\nrule:\n  pattern: return None\n"


def flip(data, at, rng):
    data[at] ^= rng.randrange(1, 256)


def flip_anywhere(data, rng):
    flip(data, rng.randrange(len(data)), rng)


def flip_many(data, rng):
    for _ in range(rng.randrange(2, 40)):
        flip_anywhere(data, rng)


def flip_meta(data, rng):
    flip(data, rng.randrange(2) * PAGE + rng.randrange(META_BYTES), rng)


def flip_both_metas(data, rng):
    for page in range(2):
        flip(data, page * PAGE + rng.randrange(META_BYTES), rng)


def flip_used(data, rng):
    """A byte that is not zero: in little stores most bytes are slack."""
    while True:
        at = rng.randrange(len(data))
        if data[at]:
            return flip(data, at, rng)


def zero_page(data, rng):
    page = rng.randrange(len(data) // PAGE) * PAGE
    data[page:page + PAGE] = bytes(PAGE)


def copy_page(data, rng):
    """As a write that went to the wrong place."""
    to, source = (rng.randrange(len(data) // PAGE) * PAGE for _ in range(2))
    data[to:to + PAGE] = data[source:source + PAGE]


def cut(data, rng):
    lengths = (0, 1, PAGE - 1, PAGE, 2 * PAGE, 2 * PAGE + 1, len(data) - 1, len(data) - PAGE,
               rng.randrange(len(data)))
    del data[rng.choice(lengths):]


def extend(data, rng):
    data += rng.randbytes(rng.choice((1, 100, PAGE, 5 * PAGE + 3)))


def garble_lock(data, rng):
    kind = rng.randrange(3)
    if kind == 0:
        flip_many(data, rng)
    elif kind == 1:
        del data[rng.randrange(len(data)):]
    else:
        data[:] = rng.randbytes(rng.randrange(1, 20000))


DAMAGES = ([("data.mdb", damage) for damage in (flip_anywhere, flip_used, flip_many, flip_meta,
                                                flip_both_metas, zero_page, copy_page, cut,
                                                extend)]
           + [("lock.mdb", garble_lock), ("writer.lock", garble_lock)])


def look(runner, what, folder, store, whole):
    """What commands that read make of a damaged store: refused, named or harmless."""
    status, out, _ = runner.run(what, (0, 1, 3), "store", "verify", "--store", store)
    for words in (["store", "info"], ["report", "--quiet"],
                  ["store", "export", "--format", "csv", "--out", folder / "exported", "--quiet"]):
        runner.run(what, (0, 1, 3), *words, "--store", store)
    scored, scores, _ = runner.run(what, (0, 1, 3), "score", "--quiet", "--store", store)
    runner.run(what, (0, 3), "store", "merge", folder / "merged", store)
    if status == 0:
        check(scored == 0 and scores == whole, f"{what}: verify finds nothing, scores differ")
    if status == 1:
        check(out.count(b"\n") > 1, f"{what}: verify names what is damaged: {out!r}")
    return {0: "harmless", 1: "named", 3: "refused"}.get(status, "failed")


def repair(runner, what, store, tools, whole):
    for tool in tools:
        tool.run(store)
    _, scores, _ = runner.run(what, (0,), "score", "--quiet", "--store", store)
    check(scores == whole, f"{what}: repaired, the same scores")
    runner.run(what, (0,), "store", "verify", "--store", store)


def damage_one(runner, number, folder, whole_store, tools, whole, rng):
    file, damage = DAMAGES[number % len(DAMAGES)]
    what = f"damage {number}, {damage.__name__} of {file}"
    store = folder / "damaged"
    for name in ("damaged", "merged", "exported", "compacted"):
        shutil.rmtree(folder / name, ignore_errors=True)
    shutil.copytree(whole_store, store)
    data = bytearray((store / file).read_bytes())
    damage(data, rng)
    (store / file).write_bytes(data)
    seen = look(runner, what, folder, store, whole)
    shutil.copytree(store, folder / "compacted")
    runner.run(what, (0, 3), "store", "compact", "--store", folder / "compacted")
    # Whoever comes first repairs, and the other brings back the rest.
    repair(runner, what, store, tools if number % 2 else tools[::-1], whole)
    return damage.__name__, seen


def main():
    n_damages = int(sys.argv[3]) if len(sys.argv) > 3 else 45
    seed = sys.argv[4] if len(sys.argv) > 4 else "23"
    counts = collections.Counter()
    with histories("damage", 9, 1, 25) as (folder, repositories, history_rng):
        runner = Runner(sys.argv[1])
        rules = folder / "rules.yml"
        rules.write_text(RULES)
        tools = [Miner(runner.strata, repositories, "--rules", rules),
                 Ingester(runner.strata, write_run(folder, history_rng), "--rules", rules)]
        store = folder / "whole"
        for tool in tools:
            tool.run(store)
        runner.run("compact", (0,), "store", "compact", "--store", store)  # little slack
        _, whole, _ = runner.run("score", (0,), "score", "--quiet", "--store", store)
        for i in range(n_damages):
            rng = random.Random(f"{seed} {i}")
            counts[damage_one(runner, i, folder, store, tools, whole, rng)] += 1
        size = os.path.getsize(store / "data.mdb")
    for damage, group in itertools.groupby(sorted(counts), key=lambda key: key[0]):
        print(f"{damage}: " + ", ".join(f"{counts[key]} {key[1]}" for key in group))
    memory_mb = runner.memory_mb
    check(memory_mb < MEMORY_MB_MAX, f"{memory_mb} MB at most")
    print(f"{n_damages} damages of a store of {size} bytes; at most {memory_mb} MB and "
          f"{runner.slowest_s:.1f} s a command; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
