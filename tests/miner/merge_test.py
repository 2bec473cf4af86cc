"""Stores mined apart and merged, in any order, give the bytes of one that was mined at once.

usage: merge_test.py STRATA SHARED
"""

import subprocess
import sys

from histories import Miner, check, failures, histories

REPORTS = (["score"], ["report", "--format", "json"], ["report", "--format", "csv"])


def outputs(strata, store):
    return [subprocess.run([strata, *words, "--store", store, "--quiet"], stdout=subprocess.PIPE,
                           check=True).stdout for words in REPORTS]


def main():
    strata = sys.argv[1]
    with histories("merge", 3, 3, 30) as (folder, repositories, _):
        for i, repository in enumerate(repositories):
            Miner(strata, [repository]).run(folder / f"s{i}")
        Miner(strata, repositories).run(folder / "whole")
        whole = outputs(strata, folder / "whole")
        check(all(whole), "there are scores and reports")

        def merge(out, *stores):
            subprocess.run([strata, "store", "merge", folder / out, *(folder / s for s in stores)],
                           stdout=subprocess.DEVNULL, check=True)
            return out

        for out in (merge("012", "s0", "s1", "s2"), merge("210", "s2", "s1", "s0"),
                    merge("01+2", merge("01", "s0", "s1"), "s2"),
                    merge("0+12", "s0", merge("12", "s2", "s1")),
                    merge("twice", "012", "s1", "whole")):
            check(outputs(strata, folder / out) == whole, f"merged as {out}: the same bytes")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
