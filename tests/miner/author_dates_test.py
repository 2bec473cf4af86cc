"""Both dates of a commit are recorded as git has them; one that cannot be real is none.

usage: author_dates_test.py STRATA SHARED
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from histories import check, failures, git

# Author's and committer's date of a commit, and what of the author's is recorded.
COMMITTED = 1600000000
DATES = [
    (f"{COMMITTED - 86400} +0200", COMMITTED - 86400),
    (f"{COMMITTED + 90000} -0700", COMMITTED + 90000),
    ("0 +0000", None),
    ("99999999999 +0000", None),
]


def write_history(repository):
    stream = ""
    for i, (author, _) in enumerate(DATES):
        source = f"def f(a):\n    return a + {i}\n"
        stream += (f"commit refs/heads/main\nauthor A <a@example.invalid> {author}\n"
                   f"committer B <b@example.invalid> {COMMITTED + i * 5000} +0000\ndata 1\nm\n"
                   f"M 100644 inline m.py\ndata {len(source)}\n{source}\n")
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", repository], check=True)
    git(repository, "fast-import", "--quiet", "--date-format=raw-permissive", stdin=stream.encode())


def mine(strata, folder, repository):
    done = subprocess.run([strata, "mine", "--json", "--quiet", "--store", folder / "store", f"r={repository}"],
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[0])


def exported(strata, folder):
    subprocess.run([strata, "store", "export", "--quiet", "--store", folder / "store", "--format", "jsonl",
                    "--out", folder / "out", "--table", "checkpoints"], stdout=subprocess.DEVNULL, check=True)
    return [json.loads(line) for line in (folder / "out" / "checkpoints.jsonl").open()]


def main():
    strata = sys.argv[1]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        repository = folder / "r.git"
        write_history(repository)
        mine(strata, folder, repository)
        rows = exported(strata, folder)
        check(len(rows) == len(DATES), f"{len(rows)} checkpoints")
        for i, (row, (author, recorded)) in enumerate(zip(rows, DATES)):
            check(row["time_s"] == COMMITTED + i * 5000, f"committed: {row}")
            check(row["author_time_s"] == recorded, f"written {author}: {row}")
        check(mine(strata, folder, repository)["status"] == "unchanged", "mined again: nothing is lacking")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
