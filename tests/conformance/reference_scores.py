#!/usr/bin/env python3
"""Compare `strata check --git` with the recorded scores of the reference checker.

usage: reference_scores.py [--rules FILE] [--functions FILE] STRATA SCORES MIRRORS

SCORES is reference-scores.jsonl; MIRRORS holds bare repositories as OWNER+NAME/repo or OWNER/NAME.
Without --rules everything but the rule columns is compared; with FILE, the rule set R2, those too.
With --functions, the single files of reference-functions.jsonl are compared line by line as well.
Counts must be equal, masses and shares to 1e-9.  Differences in trees whose record names odd files
(a byte-order mark, foreign line separators, not UTF-8, files the reference's tokenizer refuses) are
shown and counted apart.  Exit status 1 when another tree differs; 77 when nothing could be compared.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

COUNTS = ["files_scanned", "files_skipped_parse", "total_loc", "clone_loc", "total_functions",
          "high_cc_functions", "high_cog_functions"]
SHARES = ["total_mass", "high_cc_mass", "erosion", "total_cog_mass", "high_cog_mass", "cog_erosion"]
RULE_COUNTS = ["ast_grep_flagged_loc", "verbosity_flagged_loc"]
RULE_SHARES = ["verbosity"]


def find_mirror(mirrors, repo):
    for name in (repo.replace("/", "+") + "/repo", repo, repo + ".git"):
        path = os.path.join(mirrors, name)
        if os.path.isdir(path):
            return path
    return None


def read_rows(path, rules):
    rows, odd = [], {}
    with open(path) as lines:
        for line in lines:
            row = json.loads(line)
            key = (row["repo"], row["commit"], row["prefix"])
            if "odd_files" in row or "skipped_tokenize" in row:
                odd[key] = [row.get("odd_files"), row.get("skipped_tokenize")]
            if row["rules"] == rules and row["tokenizer"] in ("both", "3.12"):
                rows.append((key, row))
    return rows, odd


def close(a, b):
    return b is not None and abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def compare_trees(args):
    rows, odd = read_rows(args.scores, "R2" if args.rules else "R1")
    counts = COUNTS + (RULE_COUNTS if args.rules else [])
    shares = SHARES + (RULE_SHARES if args.rules else [])
    compared = equal = explained = missing = 0
    for key, row in rows:
        repo, commit, prefix = key
        mirror = find_mirror(args.mirrors, repo)
        if not mirror:
            missing += 1
            continue
        command = [args.strata, "check", "--json", "--quiet", "--git", mirror, "--rev", commit]
        command += ["--prefix", prefix] if prefix else []
        command += ["--rules", args.rules] if args.rules else ["--no-rules"]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        compared += 1
        ours = json.loads(done.stdout) if done.returncode == 0 else {}
        wrong = [(k, row[k], ours.get(k)) for k in counts if row[k] != ours.get(k)]
        wrong += [(k, row[k], ours.get(k)) for k in shares if not close(row[k], ours.get(k))]
        equal += not wrong
        explained += bool(wrong) and key in odd
        if wrong:
            print("%s %s %s: %s %s" % (repo, commit[:12], prefix, wrong, odd.get(key, "UNEXPLAINED")))
            sys.stdout.write(done.stderr.decode("utf-8", "replace"))
    print("%d trees compared, %d equal, %d differ in odd files, %d differ; %d not at hand"
          % (compared, equal, explained, compared - equal - explained, missing))
    return compared, compared - equal - explained


def compare_functions(args):
    compared = differing = 0
    with open(args.functions) as lines, tempfile.TemporaryDirectory() as folder:
        for line in lines:
            row = json.loads(line)
            mirror = find_mirror(args.mirrors, row["repo"])
            if not mirror:
                continue
            path = os.path.join(folder, "source.py")
            with open(path, "wb") as out:
                subprocess.run(["git", "--git-dir=" + mirror, "cat-file", "blob", row["blob"]],
                               stdout=out, check=True)
            ours = json.loads(subprocess.run([args.strata, "facts", path],
                                             stdout=subprocess.PIPE).stdout)
            reached = [f for f in ours["functions"] if f["reachable"]]
            got = [(f["name"], f["start_line"], f["end_line"], f["sloc_parts"], f["cc"],
                    f["cognitive"]) for f in reached]
            expected = [tuple(f[k] for k in ("name", "start", "end", "sloc", "cc", "cog"))
                        for f in row["functions"]]
            wrong = [(a, b) for a, b in zip(expected, got) if a != b]
            compared += 1
            if wrong or len(got) != len(expected) or ours["sloc_parts"] != row["sloc"]:
                differing += 1
                print("%s %s: source lines %d, %d; functions %d, %d; %s"
                      % (row["repo"], row["path"], row["sloc"], ours["sloc_parts"], len(expected),
                         len(got), wrong))
    print("%d files compared function by function, %d differ" % (compared, differing))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules")
    parser.add_argument("--functions")
    parser.add_argument("strata")
    parser.add_argument("scores")
    parser.add_argument("mirrors")
    args = parser.parse_args()
    if not os.path.exists(args.scores) or not os.path.isdir(args.mirrors):
        print("skipped: no reference scores at %s, or no mirrors at %s" % (args.scores, args.mirrors))
        return 77
    compared, wrong = compare_trees(args)
    if args.functions:
        compare_functions(args)
    if not compared:
        print("skipped: none of the repositories is at hand")
        return 77
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
