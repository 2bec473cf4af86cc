#!/usr/bin/env python3
"""How close the verbosity of whole trees comes to that of the reference's rules.

usage: calibrated_trees.py [OPTION...] STRATA DATA MIRRORS

DATA holds calibrated-trees.jsonl: repositories at a commit and agents' checkpoints with the counts that
profile `paper` gave with the reference's rules.  MIRRORS holds bare repositories as OWNER+NAME/repo or
OWNER/NAME.  Each tree is checked with the built-in rules under `paper` and under `strict`; the agents' are
folders of one repository, read from its objects.

First come the trees that differ most.  Then, for each selection, the means of verbosity and of its parts for
humans and agents, and their ratio.

  --runs NAME      the repository that holds the agents' runs (Dongximing/slop-code-bench)
  --at REV         its revision (0014d97b2508)
  --only WORD      only trees whose name has this in it; the limits on means are then not checked
  --out FILE       write one CSV row a tree there
  --jobs N         trees checked at a time (1)

Exit status 1: source lines or clone lines of a tree differ, the means of verbosity are further from the data
than 0.003 (humans) and 0.005 (agents), one of the named repositories is further than 0.002, fewer than 95 % of
the trees are within 0.01, the ratio of the means is not from 2.4 to 2.6, or a tree cannot be checked.  77: nothing could be compared.
"""
import argparse
import collections
import concurrent.futures
import csv
import json
import pathlib
import statistics
import subprocess
import sys

MEAN_LIMITS = {"human": 0.003, "agent": 0.005}
NAMED_LIMIT, TREE_LIMIT, TREE_SHARE = 0.002, 0.01, 0.95
RATIO = (2.4, 2.6)
SELECTIONS = {"calibrated": "paper", "strict": "strict"}  # by the profile that takes it
EXACT = ("total_loc", "clone_loc")
NO_MIRROR = "no mirror"
PARTS = ("clone_share", "statement_share", "function_share")


def find_mirror(mirrors, repo):
    for path in (mirrors / repo.replace("/", "+") / "repo", mirrors / repo, mirrors / (repo + ".git")):
        if path.is_dir():
            return path
    return None


def name_of(tree):
    return tree["repo"] if tree["kind"] == "human" else f"{tree['trajectory']}/{tree['checkpoint']}"


def tree_words(tree, args):
    """The options of `strata check` that name the tree; None without its mirror."""
    mirror = find_mirror(args.mirrors, tree["repo"] if tree["kind"] == "human" else args.runs)
    if not mirror:
        return None
    if tree["kind"] == "human":
        return ["--git", mirror, "--rev", tree["sha"]]
    prefix = f"outputs/{tree['trajectory']}/{tree['checkpoint']}/snapshot"
    return ["--git", mirror, "--rev", args.at, "--prefix", prefix]


def check(strata, words, profile):
    run = subprocess.run([strata, "check", "--quiet", "--json", "--jobs", "1", "--profile", profile, *words],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return (json.loads(run.stdout), "") if run.returncode == 0 else (None, run.stderr.strip())


def measure(tree, args):
    """The scores of the tree by selection, or what is wrong."""
    words = tree_words(tree, args)
    if words is None:
        return tree, None, NO_MIRROR
    scores = {}
    for selection, profile in SELECTIONS.items():
        scores[selection], problem = check(args.strata, words, profile)
        if problem:
            return tree, None, problem
    return tree, scores, ""


def mean_table(measured):
    """Print the means by selection; returns those of the calibrated one by kind."""
    means = collections.defaultdict(dict)
    print(f"{'selection':12} {'kind':6} {'trees':>5} {'verbosity':>15} {'clones':>7} {'statem.':>7} {'funct.':>7}")
    for selection in SELECTIONS:
        for kind in MEAN_LIMITS:
            scores = [s[selection] for tree, s in measured if tree["kind"] == kind and not tree.get("named")]
            if len(scores) < 2:
                continue
            values = [score["verbosity"] for score in scores]
            means[selection][kind] = statistics.mean(values)
            parts = " ".join(f"{statistics.mean(score[part] for score in scores):7.4f}" for part in PARTS)
            print(f"{selection:12} {kind:6} {len(scores):5} {means[selection][kind]:7.4f}±{statistics.stdev(values):.4f} {parts}")
        if len(means[selection]) == 2:
            print(f"{selection:12} ratio  {means[selection]['agent'] / means[selection]['human']:.3f}")
    return means["calibrated"]


def judge_trees(measured):
    """The sentences on what is wrong with single trees."""
    wrong, far = [], 0
    for tree, scores in measured:
        score = scores["calibrated"]
        off = abs(score["verbosity"] - tree["verbosity"])
        far += off > TREE_LIMIT
        for key in EXACT:
            if score[key] != tree[key]:
                wrong.append(f"{name_of(tree)}: {key} {score[key]}, wanted {tree[key]}")
        if tree.get("named"):
            print(f"{name_of(tree)}: verbosity {score['verbosity']:.4f}, wanted {tree['verbosity']:.4f}")
            if off > NAMED_LIMIT:
                wrong.append(f"{name_of(tree)}: verbosity is off by {off:.4f}")
    print(f"{len(measured) - far} of {len(measured)} trees are within {TREE_LIMIT}")
    if far > (1 - TREE_SHARE) * len(measured):
        wrong.append(f"{far} of {len(measured)} trees are further than {TREE_LIMIT}")
    return wrong


def judge_means(measured, means):
    wrong = []
    for kind, mean in means.items():
        wanted = statistics.mean(t["verbosity"] for t, _ in measured if t["kind"] == kind and not t.get("named"))
        print(f"{kind}: mean {mean:.4f}, wanted {wanted:.4f}")
        if abs(mean - wanted) > MEAN_LIMITS[kind]:
            wrong.append(f"{kind}: the mean is off by {abs(mean - wanted):.4f}")
    if len(means) == 2 and not RATIO[0] <= means["agent"] / means["human"] <= RATIO[1]:
        wrong.append(f"the ratio is {means['agent'] / means['human']:.3f}")
    return wrong


def write_rows(path, measured):
    with open(path, "w", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(["kind", "tree", "wanted", *SELECTIONS])
        for tree, scores in measured:
            rows.writerow([tree["kind"], name_of(tree), tree["verbosity"],
                           *(scores[selection]["verbosity"] for selection in SELECTIONS)])


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("strata")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("mirrors", type=pathlib.Path)
    parser.add_argument("--runs", default="Dongximing/slop-code-bench")
    parser.add_argument("--at", default="0014d97b2508")
    parser.add_argument("--only", default="")
    parser.add_argument("--out")
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()
    with open(args.data / "calibrated-trees.jsonl", encoding="utf-8") as lines:
        trees = [json.loads(line) for line in lines]
    trees = [tree for tree in trees if args.only in name_of(tree)]
    measured, n_failed = [], collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for tree, scores, problem in pool.map(lambda tree: measure(tree, args), trees):
            if scores:
                measured.append((tree, scores))
            else:
                n_failed[problem] += 1
    unread = sum(n for problem, n in n_failed.items() if problem != NO_MIRROR)
    for problem, n in n_failed.most_common(5):
        print(f"left out: {n} trees: {problem}")
    if not measured:
        sys.exit(1 if unread else 77)
    if args.out:
        write_rows(args.out, measured)
    by_distance = sorted(measured, key=lambda m: -abs(m[1]["calibrated"]["verbosity"] - m[0]["verbosity"]))
    for tree, scores in by_distance[:5]:
        print(f"furthest: {name_of(tree)}: {scores['calibrated']['verbosity']:.4f}, wanted {tree['verbosity']:.4f}")
    wrong = judge_trees(measured)
    means = mean_table(measured)
    if not args.only:
        wrong += judge_means(measured, means)
    if unread:
        wrong.append(f"{unread} trees with a mirror could not be checked")
    for sentence in wrong:
        print("wrong: " + sentence)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
