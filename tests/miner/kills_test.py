"""Whatever the moment `strata mine` is killed at, the store is whole and the mine can go on.

usage: kills_test.py STRATA SHARED

Stores are mined with one kill after the other until they are done, 200 kills in all.  After each
one every value must verify; a store that is done must score as one that nobody interrupted.
"""

import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from histories import Miner, add_commits, check, failures, git

N_KILLS = 200


def check_whole(strata, store, what):
    """No finding; a store that was killed before it had its tables may be refused, not damaged."""
    done = subprocess.run([strata, "store", "verify", "--store", store], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    said = (done.stdout + done.stderr).decode()
    is_new = done.returncode == 3 and ("does not exist" in said or "is empty" in said or
                                       "No such file" in said)
    check(done.returncode == 0 or is_new, f"{what}: verify ends with {done.returncode}: {said}")
    return is_new


def main():
    strata = sys.argv[1]
    rng = random.Random(11)
    with tempfile.TemporaryDirectory(prefix="strata-kills.") as name:
        folder = pathlib.Path(name)
        repository = folder / "r"
        repository.mkdir()
        git(repository, "init", "--quiet", "--bare", "--initial-branch=main", ".")
        add_commits(repository, rng, 1, 120)
        miner = Miner(strata, [repository])
        started = time.monotonic()
        miner.run(folder / "whole", "--jobs", "2")
        total_s = time.monotonic() - started
        whole = miner.scores(folder / "whole")

        n_kills = n_stores = n_new = n_done = 0
        while n_kills < N_KILLS:
            store = folder / f"killed-{n_stores}"
            n_stores += 1
            for _ in range(8):
                # Loading the rules comes before the store.
                after_s = rng.uniform(0.3, 1) * total_s
                status, _ = miner.interrupt(store, signal.SIGKILL, after_s)
                if status == 0:
                    n_done += 1
                    break
                n_kills += 1
                n_new += check_whole(strata, store, f"kill {n_kills}")
            miner.run(store)
            check(miner.scores(store) == whole, f"store {n_stores}: the same scores")
    print(f"{n_kills} kills, {n_new} before there was a store; {n_stores} stores, {n_done} of them "
          f"done before the next kill; {total_s:.2f} s a run, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
