#!/usr/bin/env python3
"""Print random hits of the most frequent built-in rules that count, to be read and judged.

usage: sample_hits.py STRATA HUMAN AGENT [--rules N | --rule ID]... [--hits N] [--seed N]

HUMAN and AGENT are folders that corpora.py laid out.  Of each of the --rules (40) most frequent
rules, or of each --rule named, --hits (20) hits of both corpora together are drawn with --seed (1);
a rule with fewer shows them all.  The same corpora, rules and seed give the same hits in the same
order, so that precision.csv can name the wrong ones by their number.
"""

import argparse
import random
from pathlib import Path

from evidence import COUNTING, read_hits, rules_in_files

AROUND = 2  # lines shown before and after a hit
LONGEST = 14  # lines of a hit that are shown


def show(number, corpus, folder, hit):
    lines = (folder / hit["path"]).read_bytes().decode("utf-8", "replace").split("\n")
    first, last = hit["start_line"], hit["end_line"]
    print(f"[{number}] {corpus} {hit['path']}:{first}-{last}")
    for at in range(max(first - AROUND, 1), min(last + AROUND, len(lines)) + 1):
        if at < first + LONGEST or at > last:
            print(f"{'>' if first <= at <= last else ' '} {lines[at - 1].rstrip()[:150]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("human", type=Path)
    parser.add_argument("agent", type=Path)
    parser.add_argument("--rules", type=int, default=40)
    parser.add_argument("--rule", action="append")
    parser.add_argument("--hits", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    counting = {rule.id for rule in rules_in_files() if rule.severity in COUNTING}
    found = {}
    for corpus, folder in (("human", args.human), ("agent", args.agent)):
        for hit in read_hits(args.strata, folder):
            found.setdefault(hit["rule"], []).append((corpus, folder, hit))
    ranked = sorted(counting & found.keys(), key=lambda rule: (-len(found[rule]), rule))
    for rule in args.rule or ranked[: args.rules]:
        hits = found.get(rule, [])
        drawn = random.Random(f"{args.seed} {rule}").sample(hits, min(args.hits, len(hits)))
        print(f"\n== {rule}: {len(hits)} hits")
        for number, (corpus, folder, hit) in enumerate(drawn, 1):
            show(number, corpus, folder, hit)


if __name__ == "__main__":
    main()
