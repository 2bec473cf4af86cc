"""A run that was stopped or killed goes on, and ends as if it had never been interrupted.

usage: resume_test.py STRATA SHARED
"""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

N_KILLS = 10
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def git(folder, *args, stdin=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment.update(GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL=os.devnull)
    return subprocess.run(["git", "-C", folder, *args], input=stdin, env=environment,
                          stdout=subprocess.PIPE, check=True).stdout.decode().strip()


def source(rng, n_functions):
    parts = []
    for i in range(n_functions):
        parts.append(f"def f{rng.randrange(10**9)}(a, b={i}):\n"
                     f"    if a > {rng.randrange(99)} and b:\n"
                     f"        return [x for x in range(b) if x % {i + 2}]\n"
                     f"    for item in a:\n        print(item, {rng.randrange(99)})\n"
                     f"    return None\n\n\n")
    return "".join(parts).encode()


def add_commits(folder, rng, first, last):
    """Commits FIRST to LAST on main, each rewriting some of twenty files."""
    stream = bytearray()
    for i in range(first, last + 1):
        stream += (f"commit refs/heads/main\nmark :{i}\n"
                   f"committer A <a@example.invalid> {1600000000 + i * 5000} +0000\n"
                   "data 1\nm\n").encode()
        if i == first and first > 1:
            stream += b"from refs/heads/main^0\n"
        for name in rng.sample(range(20), 4):
            data = source(rng, rng.randrange(4, 12))
            stream += f"M 100644 inline pkg/m{name}.py\ndata {len(data)}\n".encode() + data + b"\n"
    git(folder, "fast-import", "--quiet", stdin=bytes(stream))


class Miner:
    def __init__(self, strata, repositories):
        self.strata = strata
        self.repositories = repositories

    def command(self, store, *options):
        names = [f"{folder.name}={folder}" for folder in self.repositories]
        return [self.strata, "mine", "--store", store, "--json", "--quiet",
                "--commits", "25", *options, *names]

    def run(self, store, *options):
        done = subprocess.run(self.command(store, *options), stdout=subprocess.PIPE, check=True)
        return [json.loads(line) for line in done.stdout.decode().splitlines()]

    def scores(self, store):
        command = [self.strata, "score", "--store", store, "--quiet"]
        return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout

    def interrupt(self, store, number, after_s):
        """Start, send signal NUMBER after some seconds; the exit status and what was printed."""
        process = subprocess.Popen(self.command(store, "--jobs", "2"), stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        time.sleep(after_s)
        process.send_signal(number)
        out, _ = process.communicate()
        return process.returncode, [json.loads(line) for line in out.decode().splitlines()]


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
    strata = sys.argv[1]
    rng = random.Random(7)
    with tempfile.TemporaryDirectory(prefix="strata-resume.") as name:
        folder = pathlib.Path(name)
        repositories = []
        for i in range(3):
            repository = folder / f"r{i}"
            repository.mkdir()
            git(repository, "init", "--quiet", "--bare", "--initial-branch=main", ".")
            add_commits(repository, rng, 1, 100)
            repositories.append(repository)
        miner = Miner(strata, repositories)
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
