"""Stores whose checks fit and whose values lie: no command crashes, hangs or takes memory without bound.

usage: hostile_stores_test.py STRATA SHARED HOSTILE_STORES [NAME...]

HOSTILE_STORES is the program that writes them.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

from histories import Runner, check, failures

MEMORY_MB_MAX = 1500
# Nothing in these is damaged: what they say may be.
WHOLE = {"listing_of_odd_paths", "times_that_cannot_be", "texts_that_are_odd", "json_that_is_odd",
         "facts_of_endless_lines", "hits_over_endless_lines", "facts_of_many_callables",
         "hits_of_one_line", "rules_that_are_odd"}


def try_all(runner, folder, name):
    store = folder / "stores" / name
    status, out, error = runner.run(name, (0, 1, 3), "store", "verify", "--store", store)
    said = (out.decode(errors="replace") + error)[:200]
    check((status == 0) == (name in WHOLE), f"{name}: verify ends with {status}: {said}")
    for words in (["store", "info"], ["store", "info", "--json"], ["store", "info", "--measure"],
                  ["score", "--quiet"],
                  ["report", "--quiet"], ["report", "--quiet", "--format", "json"],
                  ["store", "export", "--quiet", "--format", "csv", "--out", folder / "csv"],
                  ["store", "export", "--quiet", "--format", "sqlite", "--out", folder / "db"],
                  ["store", "compact", "--list-stale"]):
        runner.run(name, (0, 1, 3), *words, "--store", store)
    for words in (["store", "compact", "--store"], ["store", "merge", folder / "merged"],
                  ["mine", "--quiet", folder / "no-repository", "--store"]):
        copy = folder / "copy"
        shutil.copytree(store, copy)
        runner.run(name, (0, 1, 3), *words, copy)
        shutil.rmtree(copy)
        shutil.rmtree(folder / "merged", ignore_errors=True)


def main():
    runner = Runner(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="strata-hostile.") as path:
        folder = pathlib.Path(path)
        (folder / "stores").mkdir()
        names = subprocess.run([sys.argv[3], folder / "stores"], stdout=subprocess.PIPE,
                               check=True).stdout.decode().split()
        for name in sys.argv[4:] or names:
            before = runner.memory_mb
            try_all(runner, folder, name)
            if runner.memory_mb > before:
                print(f"{name}: {runner.memory_mb} MB")
    check(runner.memory_mb < MEMORY_MB_MAX, f"{runner.memory_mb} MB at most")
    print(f"{len(names)} stores; at most {runner.slowest_s:.1f} s and {runner.memory_mb} MB a "
          f"command; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
