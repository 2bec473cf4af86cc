#!/usr/bin/env python3
"""How close rules come to the lines that the calibrated selection should mark.

usage: calibrated_lines.py [OPTION...] STRATA RULES DATA MIRRORS

RULES is a rule file or a folder of them; DATA holds calibrated-lines.jsonl, calibrated-constructs.jsonl
and calibrated-examples.jsonl; MIRRORS holds bare repositories as OWNER+NAME/repo or OWNER/NAME.  A rule
stands for the construct of its id, without a trailing "-calibrated".

First come the examples that do not hold.  Then, for each kind of file: Jaccard of the marked lines over
all files, the share of the files with ten marked lines or more at 0.9 or better, and the mean absolute
difference of the marked share.  Then, per construct with a rule, the lines of the data, those missing and
those in excess; behind them how many of these no other construct marks.  Only source lines count.

  --only ID,...    only these constructs; the data's marked lines are then those of these constructs
  --show ID        print the places of this construct that differ (repeatable)
  --keep FOLDER    keep the files read from the mirrors there for the next run
  --all            list constructs without differences too
  --no-examples    leave the examples out
  --exact          exit status 1 also when a construct with a rule differs anywhere

Exit status 1: an example does not hold, or a kind is below the limits (agents 0.97, 95 % and 0.005; humans
0.95, 90 % and 0.005; checked where every construct has a rule).  77: nothing could be compared.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SUFFIX = "-calibrated"
LIMITS = {"agent": (0.97, 0.95, 0.005), "human": (0.95, 0.90, 0.005)}


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def find_mirror(mirrors, repo):
    for path in (mirrors / repo.replace("/", "+") / "repo", mirrors / repo, mirrors / (repo + ".git")):
        if path.is_dir():
            return path
    return None


def read_blobs(mirror, blobs, folder):
    """Write each blob that MIRROR has as BLOB.py into FOLDER."""
    process = subprocess.run(["git", "--git-dir", mirror, "cat-file", "--batch"],
                             input="".join(blob + "\n" for blob in blobs).encode(),
                             stdout=subprocess.PIPE, env={**os.environ, "GIT_NO_LAZY_FETCH": "1"})
    out, at = process.stdout, 0
    for blob in blobs:
        end = out.find(b"\n", at)
        words = out[at:end].split()
        at = end + 1
        if len(words) == 3 and words[1] == b"blob":
            size = int(words[2])
            (folder / (blob + ".py")).write_bytes(out[at:at + size])
            at += size + 1


def collect(files, mirrors, folder):
    """The files of FILES that are at hand, each in FOLDER as BLOB.py."""
    wanted = collections.defaultdict(list)
    for file in files:
        if not (folder / (file["blob"] + ".py")).exists():
            wanted[file["repo"]].append(file["blob"])
    for repo, blobs in wanted.items():
        mirror = find_mirror(mirrors, repo)
        if mirror:
            read_blobs(mirror, blobs, folder)
    return [file for file in files if (folder / (file["blob"] + ".py")).exists()]


def run(command):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout.decode()


def scan(strata, rules, folder):
    """The lines of each construct in each *.py of FOLDER, by the file's stem."""
    hits = collections.defaultdict(lambda: collections.defaultdict(set))
    for line in run([strata, "rules", "scan", "--quiet", "--format", "lines", "--rules", rules,
                     folder]).splitlines():
        path, rule, start, end, _, _ = line.rsplit(" ", 5)
        construct = rule[:-len(SUFFIX)] if rule.endswith(SUFFIX) else rule
        hits[pathlib.Path(path).stem][construct] |= set(range(int(start), int(end) + 1))
    return hits


def constructs_of(strata, rules):
    lines = run([strata, "rules", "list", "--json", "--rules", rules]).splitlines()
    ids = {json.loads(line)["id"] for line in lines}
    return {i[:-len(SUFFIX)] if i.endswith(SUFFIX) else i for i in ids}


def source_lines(strata, folder, blobs):
    found = {}
    for at in range(0, len(blobs), 100):
        paths = [folder / (blob + ".py") for blob in blobs[at:at + 100]]
        for line in run([strata, "facts", *paths]).splitlines():
            facts = json.loads(line)
            found[pathlib.Path(facts["path"]).stem] = {
                number for first, last in facts["sloc_parts_lines"] for number in range(first, last + 1)}
    return found


def check_examples(strata, rules, data, constructs):
    """Print the examples that do not hold and return how many."""
    examples = [e for e in rows(data / "calibrated-examples.jsonl") if e["id"] in constructs]
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for i, example in enumerate(examples):
            (folder / f"e{i}.py").write_text(example["code"], encoding="utf-8")
        hits = scan(strata, rules, folder)
    wrong = 0
    for i, example in enumerate(examples):
        lines = sorted(hits[f"e{i}"][example["id"]])
        if lines != example["lines"]:
            wrong += 1
            print(f"example of {example['id']}: lines {lines}, not {example['lines']}:")
            print("    " + example["code"].replace("\n", "\n    ").rstrip())
    print(f"examples: {len(examples)} of {len({e['id'] for e in examples})} constructs, {wrong} wrong")
    return wrong


def jaccard(a, b):
    return len(a & b) / len(a | b) if a | b else 1.0


class Kind:
    """What is counted for the files of one kind."""

    def __init__(self):
        self.files = self.common = self.either = self.loc = self.marked = self.found = 0
        self.ten = self.ten_good = 0
        self.share_difference = 0.0

    def add(self, want, have, loc):
        self.files += 1
        self.loc += loc
        self.marked += len(want)
        self.found += len(have)
        self.common += len(want & have)
        self.either += len(want | have)
        if len(want) >= 10:
            self.ten += 1
            self.ten_good += jaccard(want, have) >= 0.9
        self.share_difference += abs(len(want) - len(have)) / loc if loc else 0.0

    def report(self, name):
        overall = self.common / self.either if self.either else 1.0
        share = self.ten_good / self.ten if self.ten else 1.0
        difference = self.share_difference / self.files
        print(f"{name}: {self.files} files, {self.loc} source lines, {self.marked} marked, "
              f"{self.found} found; Jaccard {overall:.4f}; at 0.9: {self.ten_good} of {self.ten} "
              f"({share:.3f}); mean difference of the share {difference:.5f}")
        least, good, most = LIMITS[name]
        return overall >= least and share >= good and difference <= most


def construct_table(tally, constructs, show_all):
    print(f"{'construct':34} {'human':>6} {'miss':>5} {'more':>5}   {'agent':>6} {'miss':>5} {'more':>5}"
          "   miss alone, more alone")
    differing = 0
    for construct in sorted(constructs):
        counts = {kind: tally[kind, construct] for kind in ("human", "agent")}
        differs = any(c[1] or c[2] for c in counts.values())
        differing += differs
        if differs or show_all:
            h, a = counts["human"], counts["agent"]
            print(f"{construct:34} {h[0]:6} {h[1]:5} {h[2]:5}   {a[0]:6} {a[1]:5} {a[2]:5}   "
                  f"{h[3] + a[3]:5} {h[4] + a[4]:5}")
    print(f"{len(constructs)} constructs, {differing} differ")
    return differing


def ranges(lines):
    out = []
    for line in sorted(lines):
        if out and out[-1][1] == line - 1:
            out[-1][1] = line
        else:
            out.append([line, line])
    return ", ".join(f"{a}-{b}" if a != b else str(a) for a, b in out)


def show(args, file, construct, want, have):
    path = args.folder / (file["blob"] + ".py")
    text = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for name, lines in (("missing", want - have), ("in excess", have - want)):
        if lines:
            print(f"{construct} {name}: {file['kind']} {path} ({file['repo']} {file['path']}): "
                  f"{ranges(lines)}")
            for line in sorted(lines)[:60]:
                print(f"    {line:5} {text[line - 1]}")


def compare(args, constructs):
    files = collect(rows(args.data / "calibrated-lines.jsonl"), args.mirrors, args.folder)
    if not files:
        return None
    parts = {row["blob"]: row["by"] for row in rows(args.data / "calibrated-constructs.jsonl")}
    hits = scan(args.strata, args.rules, args.folder)
    sources = source_lines(args.strata, args.folder, [file["blob"] for file in files])
    kinds = {"human": Kind(), "agent": Kind()}
    tally = collections.defaultdict(lambda: [0] * 5)
    for file in files:
        blob, source = file["blob"], sources[file["blob"]]
        if len(source) != file["loc"]:
            print(f"{blob}: {len(source)} source lines, {file['loc']} in the data")
        by = {name: set(lines) for name, lines in parts[blob].items()}
        have = {name: lines & source for name, lines in hits[blob].items() if name in constructs}
        want = set(file["flagged"])
        if args.only:
            want = set().union(*(by.get(name, ()) for name in constructs))
        found = set().union(*have.values())
        kinds[file["kind"]].add(want, found, len(source))
        for name in constructs:
            w, h = by.get(name, set()), have.get(name, set())
            for i, n in enumerate((w, w - h, h - w, (w - h) - found, (h - w) - want)):
                tally[file["kind"], name][i] += len(n)
            if name in args.show and w != h:
                show(args, file, name, w, h)
    for file in rows(args.data / "calibrated-lines.jsonl"):
        if file["blob"] not in sources:
            print(f"not in a mirror: {file['repo']} {file['path']} {file['blob']}")
    good = all([kinds[name].report(name) for name in kinds if kinds[name].files])
    return good, construct_table(tally, constructs, args.all)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("strata", type=pathlib.Path)
    parser.add_argument("rules", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("mirrors", type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="append", default=[])
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--no-examples", action="store_true")
    parser.add_argument("--exact", action="store_true")
    args = parser.parse_args()
    if not (args.data / "calibrated-lines.jsonl").exists():
        print(f"skipped: no calibrated-lines.jsonl in {args.data}")
        return 77
    named = {example["id"] for example in rows(args.data / "calibrated-examples.jsonl")}
    constructs = constructs_of(args.strata, args.rules) & named
    missing = named - constructs
    if args.only:
        constructs &= set(args.only.split(","))
    wrong = 0 if args.no_examples else check_examples(args.strata, args.rules, args.data, constructs)
    with tempfile.TemporaryDirectory() as scratch:
        args.folder = args.keep or pathlib.Path(scratch)
        args.folder.mkdir(parents=True, exist_ok=True)
        result = compare(args, constructs)
    if result is None:
        print(f"skipped: none of the files is in a repository of {args.mirrors}")
        return 77
    good, differing = result
    if missing:
        print(f"{len(missing)} constructs without a rule; the limits are for all of them")
    failed = wrong or (args.exact and differing) or (not good and not missing and not args.only)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
