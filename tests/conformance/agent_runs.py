#!/usr/bin/env python3
"""Compare what is recomputed from agents' snapshots with what their records say.

usage: agent_runs.py STRATA STORE

STORE is one that `strata ingest` filled.  Under the profile released-code, of each checkpoint with
source and a record that was measured, five figures are compared: source lines, functions and
methods, the largest and the mean complexity, the share of mass in functions of high complexity.
Checkpoints that differ are printed and classified.  Exit status 1 when fewer than 95 % agree; 77
when there is nothing to compare.
"""

import collections
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

LEAST_SHARE = 0.95


def read_table(folder, name):
    with (folder / f"{name}.jsonl").open() as lines:
        for line in lines:
            row = json.loads(line)
            yield (row["trajectory"], row["ordinal"]), row


def export(strata, store, folder):
    words = [strata, "store", "export", "--quiet", "--store", store, "--format", "jsonl", "--out", folder,
             "--profile", "released-code", "--table", "checkpoints", "--table", "scores"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode > 1:
        sys.exit(done.stderr)


def figures(score, record):
    """(name, recomputed, recorded)"""
    return [
        ("sloc", score["total_loc"], record.get("sloc")),
        ("functions", score["total_functions"], record.get("functions", 0) + record.get("methods", 0)),
        ("cc_max", score["cc_max"], record.get("cc_max")),
        ("cc_mean", score["cc_mean"], record.get("cc_mean")),
        ("mass.high_cc_pct", score["erosion"], record.get("mass.high_cc_pct")),
    ]


def agree(ours, theirs):
    """A figure that the record lacks is not held against ours."""
    return theirs is None or math.isclose(ours, theirs, rel_tol=1e-9, abs_tol=1e-12)


def differences(score, record):
    return [(name, ours, theirs) for name, ours, theirs in figures(score, record) if not agree(ours, theirs)]


def classify(score, record):
    """Why a checkpoint agrees, differs, or cannot be compared."""
    if score is None:
        return "no snapshot"
    if "sloc" not in record:
        return "not measured by the release"
    if not score["files_walked"]:
        return "both empty" if not record["sloc"] else "no source kept, though the record has some"
    wrong = differences(score, record)
    if not wrong:
        return "agree"
    if score["files_skipped_parse"]:
        return "differ: a file with a syntax error"
    return "differ: " + ", ".join(name for name, _, _ in wrong)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    classes = collections.Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        export(sys.argv[1], sys.argv[2], folder)
        scores = dict(read_table(folder, "scores"))
        for key, checkpoint in read_table(folder, "checkpoints"):
            score, record = scores.get(key), checkpoint["record"]
            if record is None:
                continue  # a repository's commit
            if isinstance(record, str):
                record = json.loads(record)
            found = classify(score, record)
            classes[found] += 1
            if found.startswith("differ"):
                print(key, differences(score, record))
    for found, n in sorted(classes.items()):
        print(f"{n:6} {found}")
    n_compared = sum(n for found, n in classes.items() if found == "agree" or found.startswith("differ"))
    if not n_compared:
        sys.exit(77)
    share = classes["agree"] / n_compared
    print(f"{classes['agree']} of {n_compared} compared agree ({share:.1%})")
    sys.exit(share < LEAST_SHARE)


if __name__ == "__main__":
    main()
