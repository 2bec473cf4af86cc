"""Stores mined apart and merged, in any order, give the bytes of one that was mined at once.
Stores that differ in rules, limits or sampling merge to the same bytes in any order.

usage: merge_test.py STRATA SHARED
"""

import itertools
import subprocess
import sys

from histories import Miner, check, failures, histories

REPORTS = (["score"], ["report", "--format", "json"], ["report", "--format", "csv"])


def outputs(strata, store, statuses=(0,)):
    results = [subprocess.run([strata, *words, "--store", store, "--quiet"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False) for words in REPORTS]
    for words, result in zip(REPORTS, results):
        check(result.returncode in statuses, f"{store}, {words}: {result.stderr}")
    return [result.stdout for result in results]


def merge(strata, folder, *stores):
    out = "+".join(f"({store})" if "+" in store else store for store in stores)
    subprocess.run([strata, "store", "merge", folder / out, *(folder / s for s in stores)],
                   stdout=subprocess.DEVNULL, check=True)
    return out


def test_as_mined_at_once(strata, folder, repositories):
    for i, repository in enumerate(repositories):
        Miner(strata, [repository]).run(folder / f"s{i}")
    Miner(strata, repositories).run(folder / "whole")
    whole = outputs(strata, folder / "whole")
    check(all(whole), "there are scores and reports")
    for out in (merge(strata, folder, "s0", "s1", "s2"), merge(strata, folder, "s2", "s1", "s0"),
                merge(strata, folder, merge(strata, folder, "s0", "s1"), "s2"),
                merge(strata, folder, "s0", merge(strata, folder, "s2", "s1")),
                merge(strata, folder, "s0+s1+s2", "s1", "whole")):
        check(outputs(strata, folder / out) == whole, f"merged as {out}: the same bytes")


def test_any_order(strata, folder, what, stores):
    """Stores that no one mine would make: whatever the order and grouping, all merge to the same.
    The newest rules need not have been run on all files, which the exit status then says."""
    merged = [merge(strata, folder, *order) for order in itertools.permutations(stores)]
    merged.append(merge(strata, folder, stores[0], merge(strata, folder, *stores[1:])))
    merged.append(merge(strata, folder, merge(strata, folder, stores[1], stores[0]), *stores[2:]))
    first = outputs(strata, folder / merged[0], (0, 1))
    check(all(first), f"{what}: there are scores and reports")
    for out in merged:
        check(outputs(strata, folder / out, (0, 1)) == first, f"{what}, merged as {out}: the same bytes")
        verified = subprocess.run([strata, "store", "verify", "--store", folder / out],
                                  stdout=subprocess.PIPE, check=False)
        check(verified.returncode == 0, f"{what}, merged as {out}: {verified.stdout}")


def main():
    strata = sys.argv[1]
    with histories("merge", 3, 3, 30) as (folder, repositories, _):
        test_as_mined_at_once(strata, folder, repositories)
        rules = folder / "rules.yml"
        rules.write_text("id: r\nlanguage: python\nseverity: warning\nrule:\n  pattern: print($$$A)\n")
        for name, options in (("g0", []), ("g1", ["--rules", rules]), ("g2", ["--no-rules"]),
                              ("l1", ["--max-file-bytes", "1K"]), ("p1", ["--strategy", "even"]),
                              ("p2", ["--seed", "5"])):
            Miner(strata, repositories[:2], *options).run(folder / name)
        test_any_order(strata, folder, "other rules", ["g0", "g1", "g2"])
        test_any_order(strata, folder, "other limits", ["g0", "l1", "s2"])
        test_any_order(strata, folder, "sampled in other ways", ["g0", "p1", "p2"])
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
