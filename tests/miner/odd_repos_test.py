"""Every repository of make-odd-repos ends as its expected.tsv says.

usage: odd_repos_test.py STRATA SHARED

Counts, statuses, messages; one job and eight give the same scores; nothing is written to a
repository and nothing in one is run.
"""

import csv
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

STATUS = {"count": "done", "part": "partial", "skip": "skipped", "error": "skipped"}
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def lines_of(command, expected_status):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(done.returncode == expected_status,
          f"{' '.join(map(str, command[:4]))}: exit {done.returncode}, not {expected_status}: "
          f"{done.stderr.decode(errors='replace')[-500:]}")
    return [json.loads(line) for line in done.stdout.decode().splitlines()], done.stdout


def fingerprint(folder):
    digest = hashlib.sha256()
    for root, dirs, files in os.walk(folder):
        dirs.sort()
        for name in sorted(files):
            path = os.path.join(root, name)
            digest.update(os.fsencode(path) + b"\0")
            if not os.path.islink(path):
                with open(path, "rb") as file:
                    digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()


def check_counts(strata, odd, rows):
    names = [f"{row['name']}={odd / row['name']}" for row in rows]
    counted, _ = lines_of([strata, "mine", "--count", "--json", "--quiet", *names], 1)
    for row, found in zip(rows, counted):
        for column, key in (("commits", "commits"), ("single", "single"), ("py", "source")):
            if row["outcome"] in ("count", "part") and row[column] != "-":
                check(found.get(key) == int(row[column]),
                      f"{row['name']}: {key} {found.get(key)}, not {row[column]}: {row['must']}")
        if row["outcome"] in ("skip", "error"):
            check(found["reason"] and "commits" not in found,
                  f"{row['name']}: {row['outcome']} with a reason: {found}")


def mine(strata, odd, rows, store, jobs):
    names = [f"{row['name']}={odd / row['name']}" for row in rows]
    command = [strata, "mine", "--store", store, "--json", "--quiet", "--jobs", str(jobs), *names]
    return lines_of(command, 1)[0]


def check_mined(rows, results):
    for row, found in zip(rows, results):
        check(found["status"] == STATUS[row["outcome"]],
              f"{row['name']}: {found['status']}, not {STATUS[row['outcome']]}: {row['must']}")
        if found["status"] in ("partial", "skipped"):
            check(bool(found["reason"]), f"{row['name']}: {found['status']} without a reason")
    named = {row["name"]: found for row, found in zip(rows, results)}
    for name, words in (("shallow", "shallow"), ("partial-blobs", "is missing"),
                        ("partial-trees", "is missing"), ("missing-commit", "is missing"),
                        ("corrupt-blob", "app.py"), ("empty-object", "app.py"),
                        ("pack-cut", "cut short"), ("alternates-gone", "moved-away"),
                        ("newer-format", "refstorage"), ("empty-ref", "refs/heads/main"),
                        ("unborn", "no commit yet"), ("unborn-head", "refs/heads/gone"),
                        ("not-a-repository", "not a git repository"),
                        ("unreadable-date", "no number")):
        check(words in (named[name]["reason"] or ""),
              f"{name}: '{words}' is not in '{named[name]['reason']}'")
    check(named["odd-dates"]["bad_dates"] == 9,
          f"odd-dates: {named['odd-dates']['bad_dates']} bad dates")
    check(named["path-bytes"]["files"] == 16, "path-bytes: 16 files in its one listing")
    check(named["corrupt-blob"]["files"] == 2, "corrupt-blob: 2 of 3 files")


def main():
    strata, shared = sys.argv[1], pathlib.Path(sys.argv[2])
    tool = shared / "tools" / "make-odd-repos"
    if not tool.exists():
        print(f"skipped: {tool} is missing")
        return 77
    with tempfile.TemporaryDirectory(prefix="strata-odd.") as folder:
        odd = pathlib.Path(folder) / "odd"
        subprocess.run([tool, odd], stdout=subprocess.DEVNULL, check=True)
        with open(odd / "expected.tsv") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        before = fingerprint(odd)
        check_counts(strata, odd, rows)
        scores = []
        for jobs in (1, 8):
            store = pathlib.Path(folder) / f"store-{jobs}"
            check_mined(rows, mine(strata, odd, rows, store, jobs))
            scores.append(lines_of([strata, "score", "--store", store, "--quiet"], 0)[1])
        check(scores[0] == scores[1], "one job and eight give the same scores")
        check(len(scores[0].splitlines()) > 100, "there are scores")
        check(not (odd / "hook-ran").exists(), "no hook, filter or monitor ran")
        check(fingerprint(odd) == before, "no repository was written to")
        subprocess.run(["chmod", "-R", "u+w", odd])
    print(f"{len(rows)} repositories, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
