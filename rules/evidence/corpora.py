#!/usr/bin/env python3
"""Lay out the two corpora that evidence.py measures the built-in rules on.

usage: corpora.py MINI_PANEL_CSV MIRRORS OUT

MIRRORS holds a bare repository per name, as OWNER+NAME or OWNER+NAME/repo.  OUT/human gets, for each
repository of the panel that is there, the *.py files of its last first-parent commit before 2024.
OUT/agent gets, for each run and problem of the agents' repository, those of its last checkpoint,
every distinct content once, without installed packages.
"""

import csv
import re
import subprocess
import sys
from pathlib import Path

AGENTS = ("Dongximing/slop-code-bench", "0014d97b2508d652ddd99fa3d3a033694a4ebe5a")
HUMANS_BEFORE = "2024-01-01"
SNAPSHOT = re.compile(r"outputs/([^/]+)/([^/]+)/([^/]+)/checkpoint_(\d+)/snapshot/(.+\.py)")
INSTALLED = re.compile(r"site-packages|dist-packages|venv|node_modules|__pycache__|(^|/)(pyarrow_)?lib\d*/")


def mirror(mirrors, name):
    folder = mirrors / name.replace("/", "+")
    return folder / "repo" if (folder / "repo").is_dir() else folder


def git(repository, *words):
    done = subprocess.run(["git", "-C", repository, *words], check=True, capture_output=True)
    return done.stdout.decode("utf-8", "surrogateescape")


def python_files(repository, commit):
    """(path, blob id) of every regular *.py file of the commit's tree."""
    for entry in git(repository, "ls-tree", "-r", "-z", commit).split("\0"):
        if entry.endswith(".py"):
            head, path = entry.split("\t", 1)
            mode, _, blob = head.split()
            if mode.startswith("100"):
                yield path, blob


def write_blobs(repository, targets):
    """Write each (blob id, file) of targets; blobs that the mirror lacks are named and left out."""
    batch = subprocess.Popen(
        ["git", "-C", repository, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    for blob, file in targets:
        batch.stdin.write(f"{blob}\n".encode())
        batch.stdin.flush()
        head = batch.stdout.readline().split()
        if head[-1] == b"missing":
            print(f"{repository}: {file.name}: blob {blob} is missing", file=sys.stderr)
            continue
        data = batch.stdout.read(int(head[2]))
        batch.stdout.read(1)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    batch.stdin.close()
    batch.wait()


def lay_out_human(names, mirrors, out):
    for name in names:
        repository = mirror(mirrors, name)
        if not repository.is_dir():
            print(f"{name}: no mirror, left out", file=sys.stderr)
            continue
        commit = git(
            repository, "log", "-1", "--first-parent", f"--before={HUMANS_BEFORE}", "--format=%H"
        ).strip()
        folder = out / name.replace("/", "+")
        write_blobs(repository, ((b, folder / p) for p, b in python_files(repository, commit)))


def lay_out_agents(mirrors, out):
    repository = mirror(mirrors, AGENTS[0])
    checkpoints = {}  # (model, run, problem) -> {checkpoint number: [(path, blob)]}
    for path, blob in python_files(repository, AGENTS[1]):
        found = SNAPSHOT.fullmatch(path)
        if found and not INSTALLED.search(found[5]):
            series = checkpoints.setdefault(found.group(1, 2, 3), {})
            series.setdefault(int(found[4]), []).append((found[5], blob))
    seen = set()
    targets = []
    for (model, run, problem), series in sorted(checkpoints.items()):
        for path, blob in series[max(series)]:
            if blob not in seen:
                seen.add(blob)
                targets.append((blob, out / model / run / problem / path))
    write_blobs(repository, targets)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    panel, mirrors, out = (Path(word) for word in sys.argv[1:])
    with panel.open(newline="") as rows:
        names = [row["repo"] for row in csv.DictReader(rows)]
    lay_out_human(names, mirrors, out / "human")
    lay_out_agents(mirrors, out / "agent")


if __name__ == "__main__":
    main()
