"""Every repository of make-hostile-repos, mined beside a sound one, then all of them together.

usage: hostile_repos_test.py STRATA SHARED [FOLDER]

FOLDER holds what make-hostile-repos wrote; without it that is made anew, which takes minutes and 1 GB.
None may crash, take over 20 s of CPU or more than the memory allowed; every refusal has its reason.
"""

import collections
import os
import pathlib
import subprocess
import sys
import tempfile

from damaged_repos_test import MEMORY_MB_MAX, SECONDS_MAX, SLOW_FACTOR, check, failures, mine


def judge(what, result, names):
    """Check one run over NAMES; the lines by name."""
    status, lines, seconds, rss_mb, messages = result
    check(status in (0, 1), f"{what}: exit {status}: {messages[-2000:]}")
    check(rss_mb < MEMORY_MB_MAX * SLOW_FACTOR, f"{what}: {rss_mb:.0f} MB")
    lines = {line["repository"]: line for line in lines}
    for name in names:
        line = lines.get(name, {})
        check(line.get("status") in ("done", "partial", "skipped"), f"{what}: {name}: {line}")
        if line.get("status") != "done":
            check(line.get("reason"), f"{what}: {name}: no reason: {line}")
    return lines, seconds, rss_mb


def mine_each(strata, folder, repositories):
    good = repositories["good"]
    whole, *_ = judge("good", mine(strata, folder, good), ["good"])
    seen = {}
    for name, path in sorted(repositories.items()):
        if name == "good":
            continue
        lines, seconds, rss_mb = judge(name, mine(strata, folder, path, good), [name])
        check(seconds < SECONDS_MAX * SLOW_FACTOR, f"{name}: {seconds:.1f} s")
        check(lines.get("good") == whole["good"], f"{name}: good: {lines.get('good')}")
        line = lines.get(name, {})
        seen[name] = line.get("status"), line.get("reason")
        print(f"{name}: {line.get('status')}, {seconds:.1f} s, {rss_mb:.0f} MB: {line.get('reason')}",
              flush=True)
    return whole["good"], seen


def mine_all(strata, folder, repositories, good, seen):
    lines, seconds, rss_mb = judge("all", mine(strata, folder, *sorted(repositories.values())),
                                   repositories)
    # Blobs that another repository had first are not analysed again.
    for key in ("status", "checkpoints", "files", "blobs", "notes", "reason"):
        check(lines.get("good", {}).get(key) == good[key], f"all: good: {lines.get('good')}")
    for name, before in seen.items():
        line = lines.get(name, {})
        now = line.get("status"), line.get("reason")
        # Nor is a blob read that is damaged here and whole in another repository.
        is_known_blob = now == ("done", None) and before[0] == "partial" and ": blob " in before[1]
        check(now == before or is_known_blob, f"all: {name}: {now}; alone: {before}")
    print(f"all: {seconds:.1f} s, {rss_mb:.0f} MB")


def main():
    strata, shared = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    tool = shared / "tools/make-hostile-repos"
    if not tool.exists():
        print("skipped: make-hostile-repos is not here")
        return 77
    folder = pathlib.Path(tempfile.mkdtemp(prefix="strata-hostile-repos."))
    try:
        made = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else folder / "repos"
        if not made.exists():
            subprocess.run([tool, made], check=True, stdout=subprocess.DEVNULL)
        repositories = {path.name: path for path in made.iterdir() if path.is_dir()}
        good, seen = mine_each(strata, folder, repositories)
        mine_all(strata, folder, repositories, good, seen)
    finally:  # some are nested too deep for shutil
        subprocess.run(["rm", "-rf", folder], check=False)
    counts = collections.Counter(status for status, _ in seen.values())
    print(", ".join(f"{n} {status}" for status, n in sorted(counts.items(), key=str)) +
          f"; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
