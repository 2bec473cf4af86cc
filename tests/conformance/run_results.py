#!/usr/bin/env python3
"""Compare `strata summary` of agent runs with the result.json that the release wrote into them.

usage: run_results.py STRATA RUNS

RUNS is a folder with runs anywhere below it.  All runs are summarised at once, so that what one says
of a problem serves the others, then each on its own with the checkpoints its result.json expects:
that must be the same bytes.  Exit status 1 when one differs; 77 when there is none.
"""

import json
import subprocess
import sys
from pathlib import Path


def summary(strata, *words):
    return subprocess.run([strata, "summary", *words], capture_output=True, check=True).stdout


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    strata, results = sys.argv[1], sorted(Path(sys.argv[2]).rglob("result.json"))
    if not results:
        print("skipped: no result.json below", sys.argv[2])
        sys.exit(77)
    expected = [json.loads(path.read_bytes())["expected_checkpoints"] for path in results]
    lines = summary(strata, *(path.parent for path in results)).splitlines()
    same_expected = same_bytes = 0
    for path, number, line in zip(results, expected, lines, strict=True):
        found = json.loads(line)["result"]["expected_checkpoints"]
        same_expected += found == number
        if summary(strata, "--result", "--expected", str(number), path.parent) == path.read_bytes():
            same_bytes += 1
        else:
            print("differs:", path)
        if found != number:
            print(f"{path}: {number} checkpoints expected, {found} found")
    print(f"{same_bytes} of {len(results)} result files are the same bytes, "
          f"{same_expected} of {len(results)} expect the same checkpoints")
    sys.exit(same_bytes < len(results))


if __name__ == "__main__":
    main()
