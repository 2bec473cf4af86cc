"""Whatever the moment `strata mine` is killed at, the store is whole and the mine can go on.

usage: kills_test.py STRATA SHARED

Stores are mined with one kill after the other until they are done, at least 200 kills in all.  After
each one every value must verify; a store that is done must score as one that nobody interrupted.

A mine writes little and commits often here, and a kill waits for a certain commit of its run and then
a random while, so that kills are spread over the whole mine however fast the machine is.
"""

import collections
import random
import signal
import struct
import subprocess
import sys
import time

from histories import Miner, check, failures, histories

N_KILLS = 200
PAGE = 4096
META_AT = 16 + 24 + 2 * 48  # last page and transaction in a meta page


def snapshot(store):
    """Transaction and last page of what is committed, pages of the file; zeros when there is none."""
    try:
        with open(store / "data.mdb", "rb") as file:
            head = file.read(2 * PAGE)
            n_pages = file.seek(0, 2) // PAGE
    except FileNotFoundError:
        return 0, 0, 0
    if len(head) < 2 * PAGE:
        return 0, 0, 0
    last, txn = max((struct.unpack_from("<QQ", head, page * PAGE + META_AT) for page in range(2)),
                    key=lambda pair: pair[1])
    return txn, last, n_pages


def check_whole(strata, store, what):
    """No finding; a store that was killed before it had its tables may be refused, not damaged."""
    done = subprocess.run([strata, "store", "verify", "--store", store], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    said = (done.stdout + done.stderr).decode()
    is_new = done.returncode == 3 and ("there is no such folder" in said or "is empty" in said or
                                       "has no data.mdb" in said)
    check(done.returncode == 0 or is_new, f"{what}: verify ends with {done.returncode}: {said}")


def kill_after(miner, store, n_commits, delay_s):
    """Kill a mine DELAY_S after its commit number N_COMMITS; false when it was done before."""
    started = snapshot(store)[0]
    process = subprocess.Popen(miner.command(store, "--jobs", "2"), stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    while process.poll() is None and snapshot(store)[0] < started + n_commits:
        time.sleep(0.0005)
    time.sleep(delay_s)
    process.send_signal(signal.SIGKILL)
    status = process.wait()
    check(status in (0, -signal.SIGKILL), f"a mine that was to be killed ends with {status}")
    return status != 0


class Moments:
    """Where in a mine the kills were."""

    def __init__(self, n_transactions):
        self.n_transactions = n_transactions
        self.tenths = collections.Counter()
        self.kinds = collections.Counter()

    def add(self, before, after):
        txn, last, n_pages = after
        self.tenths[min(9, 10 * txn // self.n_transactions)] += 1
        self.kinds["before there was a store" if txn == 0 else
                   "before its first batch" if txn <= 2 else
                   "resumed, before a batch of its own" if txn == before[0] else
                   "resumed, after batches of its own" if before[0] > 2 else
                   "in the first run, after batches of it"] += 1
        self.kinds["(of all) in the middle of writing a batch that made the file grow"] += \
            n_pages > last + 1 > 1


def main():
    rng = random.Random(11)
    with histories("kills", 12, 10, 40) as (folder, repositories, _):
        strata = sys.argv[1]
        miner = Miner(strata, repositories, "--commit-every", "4K")
        miner.run(folder / "whole")
        n_transactions = snapshot(folder / "whole")[0]
        started = time.monotonic()
        miner.run(folder / "timed", "--jobs", "2")
        batch_s = (time.monotonic() - started) / n_transactions
        whole = miner.scores(folder / "whole")
        moments = Moments(n_transactions)
        n_kills = n_stores = 0
        while n_kills < N_KILLS:
            store = folder / f"killed-{n_stores}"
            n_stores += 1
            before = snapshot(store)
            while kill_after(miner, store, rng.randrange(n_transactions // 4),
                             rng.uniform(0, 2) * batch_s):
                n_kills += 1
                check_whole(strata, store, f"kill {n_kills}")
                after = snapshot(store)
                moments.add(before, after)
                before = after
            check(miner.scores(store) == whole, f"store {n_stores}: the same scores")
    print(f"{n_kills} kills of {n_stores} stores, of {n_transactions} transactions each:")
    for kind, n in sorted(moments.kinds.items()):
        print(f"{n:5} {kind}")
    print("by tenths of the transactions:", *(moments.tenths[i] for i in range(10)))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
