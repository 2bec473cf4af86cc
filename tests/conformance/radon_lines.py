#!/usr/bin/env python3
"""Statement lines of the standard library are what radon's raw metrics call sloc.

usage: radon_lines.py STRATA

Needs radon for the Python that runs it; without it the test is skipped (status 77).
"""

import json
import os
import pathlib
import subprocess
import sys
import warnings

try:
    import radon.raw
except ImportError:
    print("radon is missing; it comes with: apt-get install radon")
    sys.exit(77)

MOST_FILES = 120
MOST_BYTES = 40_000  # radon takes a time that grows with the square of a long statement


def choose():
    folder = pathlib.Path(os.__file__).parent
    files = sorted(p for p in folder.rglob("*.py") if p.stat().st_size < MOST_BYTES)
    return files[:: max(1, len(files) // MOST_FILES)]


def radon_sloc(path):
    """None for what radon itself refuses."""
    try:
        return radon.raw.analyze(path.read_text(encoding="utf-8")).sloc
    except (SyntaxError, UnicodeDecodeError):
        return None


def main():
    warnings.simplefilter("ignore")
    files = choose()
    lines = subprocess.run([sys.argv[1], "facts", *map(str, files)], stdout=subprocess.PIPE,
                           check=True).stdout.splitlines()
    assert len(lines) == len(files)
    n_compared, failed = 0, False
    for path, line in zip(files, lines):
        expected = radon_sloc(path)
        if expected is None:
            continue
        n_compared += 1
        got = json.loads(line).get("statement_lines")
        if got != expected:
            print(f"{path}: {got} statement lines, radon has {expected}")
            failed = True
    print(f"{n_compared} files compared")
    return failed or n_compared < len(files) // 2


if __name__ == "__main__":
    sys.exit(main())
