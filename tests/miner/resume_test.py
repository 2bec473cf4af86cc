"""A run that was stopped or killed goes on, and ends as if it had never been interrupted.

usage: resume_test.py STRATA SHARED
"""

import json
import signal
import sys
import time

from histories import Miner, add_commits, check, failures, histories

N_KILLS = 10
def test_threads_and_memory_change_nothing(miner, folder, whole):
    for name, options in (("jobs 1", ["--jobs", "1"]), ("jobs 8", ["--jobs", "8"]),
                          ("16 MB", ["--memory", "16M"]), ("verified", ["--verify-objects"])):
        store = folder / name.replace(" ", "-")
        miner.run(store, *options)
        check(miner.scores(store) == whole, f"{name}: the same scores")


def test_mining_twice_adds_nothing(miner, folder, whole):
    again = miner.run(folder / "whole")
    check(all(r["status"] == "unchanged" and r["analysed"] == 0 for r in again),
          f"mined again: {again}")
    check(miner.scores(folder / "whole") == whole, "mined again: the same scores")


def test_stopped_goes_on(miner, folder, whole, n_blobs, total_s):
    for i, share in enumerate((0.1, 0.5)):
        store = folder / f"stopped-{i}"
        status, first = miner.interrupt(store, signal.SIGINT, total_s * share)
        check(status in (0, 130), f"stopped: exit {status}")
        second = miner.run(store)
        check(miner.scores(store) == whole, f"stopped after {share}: the same scores")
        analysed = sum(r["analysed"] for r in first + second)
        check(analysed == n_blobs,
              f"stopped after {share}: {analysed} analysed in two runs, {n_blobs} blobs")


def test_killed_goes_on(miner, folder, whole, total_s):
    for i in range(N_KILLS):
        store = folder / f"killed-{i}"
        miner.interrupt(store, signal.SIGKILL, total_s * (i + 0.5) / N_KILLS)
        miner.run(store)
        check(miner.scores(store) == whole, f"killed at {i} of {N_KILLS}: the same scores")


def test_moved_head(miner, folder, whole, rng):
    store = folder / "whole"
    before = {(s["trajectory"], s["checkpoint"]) for s in map(json.loads, whole.splitlines())}
    add_commits(miner.repositories[0], rng, 101, 130)
    kept = miner.run(store)[0]
    check(kept["status"] == "unchanged" and kept["head_moved"], f"moved, kept: {kept}")
    check(miner.scores(store) == whole, "moved, kept: the same scores")
    extended = miner.run(store, "--moved", "extend")[0]
    check(extended["status"] == "done" and extended["checkpoints"] > kept["checkpoints"],
          f"moved, extended: {extended}")
    after = {(s["trajectory"], s["checkpoint"])
             for s in map(json.loads, miner.scores(store).splitlines())}
    check(before < after, "moved, extended: the old checkpoints are all there")
    again = miner.run(store, "--moved", "extend")[0]
    check(again["status"] == "unchanged", f"extended again: {again}")
    miner.run(store, "--moved", "anew")
    check(len(miner.scores(store)) > 0, "there are scores")
    add_commits(miner.repositories[0], rng, 131, 140)
    miner.run(store, "--moved", "anew")
    miner.run(folder / "fresh")
    check(miner.scores(store) == miner.scores(folder / "fresh"), "moved, anew: as mined afresh")


def main():
    with histories("resume", 7, 3, 100) as (folder, repositories, rng):
        miner = Miner(sys.argv[1], repositories)
        started = time.monotonic()
        n_blobs = sum(r["analysed"] for r in miner.run(folder / "whole", "--jobs", "2"))
        total_s = time.monotonic() - started
        whole = miner.scores(folder / "whole")
        check(len(whole.splitlines()) == 75, "25 checkpoints of each of three repositories")
        test_threads_and_memory_change_nothing(miner, folder, whole)
        test_mining_twice_adds_nothing(miner, folder, whole)
        test_stopped_goes_on(miner, folder, whole, n_blobs, total_s)
        test_killed_goes_on(miner, folder, whole, total_s)
        test_moved_head(miner, folder, whole, rng)
    print(f"{n_blobs} blobs, {total_s:.1f} s a run, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
