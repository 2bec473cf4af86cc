#!/usr/bin/env python3
"""Compare `strata facts` with an oracle made of Python's own tokenizer and ast.

usage: python_oracle.py [--most N] [--show N] STRATA ORACLE FOLDER...

Every *.py file below the folders (the first N of a fixed shuffle with --most) goes through both.
Compared are whether the file is Python at all, source lines, and for every callable its name,
rows, source lines and cyclomatic complexity.  Differences are put into classes, counted, and the
first of each class shown.  Exit status 0 when every file that the oracle accepts agrees, but for
the named faults of the grammar; 1 otherwise; 77 when there is nothing to compare with.
"""
import argparse
import collections
import hashlib
import json
import os
import subprocess
import sys

BATCH = 200

# Classes of difference that are the grammar's, not ours: a tree with errors where Python sees none.
KNOWN = {"grammar: error in a file Python takes"}


def find_files(folders, most):
    found = []
    for folder in folders:
        for root, _, names in os.walk(folder):
            found += [os.path.join(root, n) for n in names if n.endswith(".py")]
    found = [path for path in found if os.path.isfile(path)]
    found.sort(key=lambda path: hashlib.sha256(path.encode("utf-8", "surrogateescape")).digest())
    return found[:most] if most else found


def run_lines(command, paths):
    done = subprocess.run(command + paths, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    lines = done.stdout.splitlines()
    if len(lines) != len(paths):
        sys.exit("%s printed %d lines for %d files" % (command[0], len(lines), len(paths)))
    return [json.loads(line.decode("utf-8", "surrogateescape")) for line in lines]


def compare_callables(expected, got):
    for a, b in zip(expected, got):
        if (a["name"], a["start_line"]) != (b["name"], b["start_line"]):
            return "callables: name or first row"
        if a["end_line"] != b["end_line"]:
            return "callables: last row"
        if a["sloc"] != b["sloc"]:
            return "callables: source lines"
        if a["cc"] != b["cc"]:
            return "callables: complexity"
    return None


def classify(oracle, ours):
    """The class of the difference, None where both agree."""
    refused = ours["status"] == "skipped"
    if oracle["parse"] == "reject":
        return None if refused else "accepted, though Python refuses"
    if ours.get("has_error") and refused:
        return "grammar: error in a file Python takes"
    if refused:
        return "refused: " + ours["reason"]
    if oracle["physical_lines"] != ours["physical_lines"]:
        return "physical lines"
    if oracle["encoding"] != ours["encoding"]:
        return "encoding"
    if oracle["sloc"] != ours["sloc"]:
        return "source lines"
    if len(oracle["functions"]) != len(ours["functions"]):
        return "callables: number"
    return compare_callables(oracle["functions"], ours["functions"])


def count_equal(oracle, ours):
    keys = ("name", "start_line", "end_line", "sloc", "cc")
    expected = collections.Counter(tuple(f[k] for k in keys) for f in oracle["functions"] or [])
    got = collections.Counter(tuple(f[k] for k in keys) for f in ours.get("functions") or [])
    return sum(expected.values()), sum((expected & got).values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("--show", type=int, default=5)
    parser.add_argument("strata")
    parser.add_argument("oracle")
    parser.add_argument("folders", nargs="+")
    args = parser.parse_args()
    if not os.path.exists(args.oracle):
        print("skipped: there is no oracle at %s" % args.oracle)
        return 77
    files = find_files(args.folders, args.most)
    if not files:
        print("skipped: no Python files below %s" % " ".join(args.folders))
        return 77

    classes = collections.Counter()
    examples = collections.defaultdict(list)
    accepted = agreeing = callables = callables_equal = both_refuse = 0
    for at in range(0, len(files), BATCH):
        batch = files[at : at + BATCH]
        oracle = run_lines([sys.executable, args.oracle, "--name", "path"], batch)
        ours = run_lines([args.strata, "facts"], batch)
        for path, a, b in zip(batch, oracle, ours):
            difference = classify(a, b)
            if a["parse"] == "ok":
                accepted += 1
                agreeing += difference is None
                n, equal = count_equal(a, b)
                callables += n
                callables_equal += equal
            else:
                both_refuse += difference is None
            if difference:
                classes[difference] += 1
                if len(examples[difference]) < args.show:
                    examples[difference].append(path)

    print("%d files: Python takes %d, of which %d agree (%.4f %%); %d refused by both"
          % (len(files), accepted, agreeing, 100.0 * agreeing / max(accepted, 1), both_refuse))
    print("%d callables, of which %d agree (%.4f %%)"
          % (callables, callables_equal, 100.0 * callables_equal / max(callables, 1)))
    for name, n in sorted(classes.items()):
        print("%6d  %s" % (n, name))
        for path in examples[name]:
            print("          %s" % path)
    wrong = sum(n for name, n in classes.items()
                if name not in KNOWN and not name.startswith("accepted"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
