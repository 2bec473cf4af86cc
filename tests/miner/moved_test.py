"""Which commits a mine chooses when a repository changed since the last one: a quick form of what
resume_test.py does with larger histories.

usage: moved_test.py STRATA SHARED
"""

import json
import subprocess
import sys

from histories import Miner, add_commits, check, failures, git, histories


def checkpoints(miner, store):
    return [s["checkpoint"] for s in map(json.loads, miner.scores(store).splitlines())]


def run_any(miner, store, *options):
    """The exit status and the results of a mine that may be partial."""
    done = subprocess.run(miner.command(store, "--no-rules", *options), stdout=subprocess.PIPE,
                          check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.decode().splitlines()]


def test_unchanged_and_moved(miner, store, repository, rng):
    first = miner.run(store, "--commits", "6", "--jobs", "1")[0]
    check(first["status"] == "done" and first["checkpoints"] == 6, f"mined: {first}")
    before = checkpoints(miner, store)
    again = miner.run(store, "--commits", "6")[0]
    check(again["status"] == "unchanged" and again["analysed"] == 0, f"mined again: {again}")
    add_commits(repository, rng, 13, 18)
    kept = miner.run(store, "--commits", "6")[0]
    check(kept["status"] == "unchanged" and kept["head_moved"], f"kept: {kept}")
    check(checkpoints(miner, store) == before, "kept: the same checkpoints")
    extended = miner.run(store, "--commits", "6", "--moved", "extend")[0]
    check(extended["status"] == "done" and extended["checkpoints"] > 6, f"extended: {extended}")
    check(set(before) < set(checkpoints(miner, store)), "extended: the old ones are there")
    sampled = miner.run(store, "--commits", "6", "--moved", "anew")[0]
    check(sampled["status"] == "done" or sampled["status"] == "unchanged", f"sampled: {sampled}")
    other = miner.run(store, "--commits", "4", "--strategy", "even")[0]
    check(other["checkpoints"] == 4, f"other parameters: {other}")
    every = miner.run(store, "--strategy", "all", "--history", "all", "--no-merges")[0]
    check(every["checkpoints"] == 18, f"all: {every}")


def test_rewritten(miner, store, repository):
    """A history that was rewritten cannot be extended, and what the store has of it stays."""
    before = checkpoints(miner, store)
    git(repository, "update-ref", "refs/heads/main", "main~9")
    _, results = run_any(miner, store, "--strategy", "all", "--history", "all", "--no-merges",
                         "--moved", "extend")
    check("rewritten" in results[0].get("reason", ""), f"rewritten: {results}")
    check(checkpoints(miner, store) == before, "rewritten: the same checkpoints")


def test_shallow_and_broken(miner, folder):
    git(folder, "clone", "--quiet", "--bare", "--depth", "3", f"file://{folder}/r0", "shallow")
    (folder / "nothing").mkdir()
    miner.repositories = [folder / "shallow", folder / "nothing"]
    status, results = run_any(miner, folder / "odd")
    check(status == 1, f"exit {status}")
    check(results[0]["status"] == "partial" and "shallow" in results[0]["reason"],
          f"shallow: {results[0]}")
    check(results[1]["status"] == "skipped" and results[1]["reason"], f"nothing: {results[1]}")
    status, results = run_any(miner, folder / "odd")
    check(status == 1 and results[0]["analysed"] == 0, f"again: {results}")


def test_count(strata, repository):
    done = subprocess.run([strata, "mine", "--count", repository], stdout=subprocess.PIPE,
                          check=False)
    words = done.stdout.decode().split()
    check(done.returncode == 0 and "9" in words, f"count: {done.stdout}")


def main():
    with histories("moved", 11, 1, 12) as (folder, repositories, rng):
        miner = Miner(sys.argv[1], repositories, "--jobs", "2")
        test_unchanged_and_moved(miner, folder / "store", repositories[0], rng)
        test_rewritten(miner, folder / "store", repositories[0])
        test_count(sys.argv[1], repositories[0])
        test_shallow_and_broken(miner, folder)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
