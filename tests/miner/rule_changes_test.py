"""After a change of rules only the changed ones are run, and what is stored is as if mined afresh.

usage: rule_changes_test.py STRATA SHARED
"""

import subprocess
import sys

from histories import Ingester, Miner, check, failures, histories, write_run

PATTERNS = {"print": "print($$$A)", "return-none": "return None", "call-range": "range($A)",
            "compare": "$A > $B"}

# Name, patterns that are others or new (None: gone), whose metadata change, how many rules are run.
CHANGES = (
    ("two changed", {"print": "print($A)", "compare": "$A and $B"}, (), 2),
    ("one added", {"modulo": "$A % $B"}, (), 1),
    ("one removed", {"compare": None}, (), 0),
    ("metadata only", {}, ("print", "return-none"), 0),
    ("all at once", {"print": None, "compare": "$A and $B", "modulo": "$A % $B"},
     ("return-none",), 2),
    ("nothing alike", {name: "$A[$B]" for name in PATTERNS}, (), 4))


def write_rules(path, patterns, advice=()):
    path.write_text("\n---\n".join(
        f"id: {name}\nlanguage: python\nseverity: warning\n"
        + ("metadata:\n  advice: true\n" if name in advice else "")
        + f"rule:\n  pattern: {pattern}\n" for name, pattern in patterns.items()))
    return path


def scores(strata, store):
    return subprocess.run([strata, "score", "--store", store, "--quiet"], stdout=subprocess.PIPE,
                          check=True).stdout


def test_changes(what, tool, folder):
    for name, patterns, advice, n_run in CHANGES:
        changed = {k: v for k, v in (PATTERNS | patterns).items() if v}
        store, fresh = folder / f"{what} {name}", folder / f"{what} {name}, fresh"
        n_blobs = sum(r["analysed"] for r in
                      tool.run(store, "--rules", write_rules(folder / "old.yml", PATTERNS)))
        new = write_rules(folder / "new.yml", changed, advice)
        results = tool.run(store, "--rules", new)
        n_taken = sum(r["hits_taken_over"] for r in results)
        n_expected = 0 if n_run == len(changed) else n_blobs
        check(n_blobs > 0 and n_taken == n_expected,
              f"{what}, {name}: {n_taken} of {n_blobs} blobs had hits taken over")
        check(all(r["rules_run_on_these"] == (n_run if n_expected else 0) for r in results),
              f"{what}, {name}: rules run: {results}")
        tool.run(fresh, "--rules", new)
        check(scores(tool.strata, store) == scores(tool.strata, fresh),
              f"{what}, {name}: the scores of one made afresh")
        again = tool.run(store, "--rules", new)
        check(sum(r["analysed"] for r in again) == 0, f"{what}, {name}: again adds nothing")


def test_limit(miner, folder):
    """Hits follow from the limits too: a file once too large has them when it no longer is."""
    rules = write_rules(folder / "old.yml", PATTERNS)
    miner.run(folder / "limit", "--rules", rules, "--max-file-bytes", "1K")
    miner.run(folder / "limit", "--rules", rules)
    miner.run(folder / "limit, fresh", "--rules", rules)
    check(scores(miner.strata, folder / "limit") == scores(miner.strata, folder / "limit, fresh"),
          "another limit: the scores of one mined afresh")


def main():
    with histories("rules", 5, 1, 20) as (folder, repositories, rng):
        miner = Miner(sys.argv[1], repositories)
        test_changes("mine", miner, folder)
        test_changes("ingest", Ingester(sys.argv[1], write_run(folder, rng)), folder)
        test_limit(miner, folder)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
