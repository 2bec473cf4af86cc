#!/usr/bin/env python3
"""The same hits in strata and in the ast-grep command line, for any rule files and trees.

usage: rule_files.py STRATA AST_GREP --rules FILE... --trees FOLDER... [--keep FOLDER] [--most N]

For every rule file and every tree both tools scan the tree with one thread, and their hits (path, rule,
lines, columns) are compared as lists that may hold a hit twice.  One line a pair says how many were
compared and how many differ; the first differences follow.  --keep remembers what ast-grep found, so
that another run only runs strata.  --most takes that many trees, evenly from the list.

Exit 0: all the same; 1: differences, or nothing was compared; 77: ast-grep is missing.
"""

import argparse
import collections
import hashlib
import json
import os
import pathlib
import pickle
import subprocess
import sys

NO_IGNORE = [word for kind in ("hidden", "dot", "exclude", "global", "parent", "vcs")
             for word in ("--no-ignore", kind)]


def run(command, good=(0,)):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in good:
        sys.exit(f"{command[0]}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def ast_grep_hits(program, rules, tree):
    hits = collections.Counter()
    for line in run([program, "scan", "--rule", rules, "--threads", 1, "--json=stream", *NO_IGNORE,
                     tree], good=(0, 1)).splitlines():
        match = json.loads(line)
        start, end = match["range"]["start"], match["range"]["end"]
        hits[os.path.relpath(match["file"], tree), match["ruleId"], start["line"] + 1,
             end["line"] + 1, start["column"], end["column"]] += 1
    return hits


def strata_hits(program, rules, tree):
    hits = collections.Counter()
    for line in run([program, "rules", "scan", "--quiet", "--jobs", 1, "--format", "lines",
                     "--rules", rules, tree]).decode().splitlines():
        path, rule, *numbers = line.rsplit(" ", 5)
        hits[path, rule, *map(int, numbers)] += 1
    return hits


def kept(folder, rules, tree, compute):
    """What COMPUTE gives, remembered under the text of the rules and the name of the tree."""
    if folder is None:
        return compute()
    name = hashlib.sha256(rules.read_bytes() + str(tree.resolve()).encode()).hexdigest()
    path = folder / name
    if path.exists():
        return pickle.loads(path.read_bytes())
    folder.mkdir(parents=True, exist_ok=True)
    hits = compute()
    path.write_bytes(pickle.dumps(hits))
    return hits


def compare(args, rules, tree):
    theirs = kept(args.keep, rules, tree, lambda: ast_grep_hits(args.ast_grep, rules, tree))
    ours = strata_hits(args.strata, rules, tree)
    differing = (ours - theirs) + (theirs - ours)
    for hit in sorted(differing)[:20]:
        print(f"  {'strata' if ours[hit] > theirs[hit] else 'ast-grep'} alone:", *hit)
    return sum(theirs.values()), sum(differing.values())


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("strata", type=pathlib.Path)
    parser.add_argument("ast_grep", type=pathlib.Path)
    parser.add_argument("--rules", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--trees", type=pathlib.Path, nargs="+", required=True)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--most", type=int)
    args = parser.parse_args()
    if not os.access(args.ast_grep, os.X_OK):
        print(f"skipped: no ast-grep at {args.ast_grep}")
        return 77
    trees = args.trees
    if args.most and args.most < len(trees):
        trees = [trees[i * len(trees) // args.most] for i in range(args.most)]
    n_compared = n_differing = 0
    for rules in args.rules:
        of_rules = [0, 0]
        for tree in trees:
            compared, differing = compare(args, rules, tree)
            of_rules[0] += compared
            of_rules[1] += differing
            if len(trees) <= 20 or differing:
                print(f"{rules.name} {tree}: {compared} hits, {differing} differing", flush=True)
        print(f"{rules.name}: {len(trees)} trees, {of_rules[0]} hits, {of_rules[1]} differing",
              flush=True)
        n_compared += of_rules[0]
        n_differing += of_rules[1]
    print(f"{n_compared} hits compared, {n_differing} differing")
    return 1 if n_differing or not n_compared else 0


if __name__ == "__main__":
    sys.exit(main())
