"""Memory while mining does not grow with the length of a history.

usage: memory_test.py STRATA SHARED

Two histories of the same few trees, of 3,000 and of 30,000 commits with a merge at every tenth, are
mined in every mode that walks one.  Anonymous memory (what is not a file mapped) is read while the
program runs; the peak for the long history may pass the other by no more than the spills hold, a few
records of 256 KiB each.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

LENGTHS = (3_000, 30_000)
GROWTH_MAX_KB = 24000  # the cache of delta bases and windows into packs, which are bounded
MODES = {
    "random": ["mine"],
    "even": ["mine", "--strategy", "even"],
    "random, whole history": ["mine", "--history", "all"],
    "even, whole history": ["mine", "--history", "all", "--strategy", "even"],
    "count": ["mine", "--count"],
}


def make_history(path, n_commits):
    """A chain in which every tenth commit merges a side commit made on its grandparent."""
    stream = []
    for i in range(1, n_commits + 1):
        source = "".join(f"def f{k}(x):\n    return x + {(i + k) % 50}\n\n\n" for k in range(40))
        stream.append(f"commit refs/heads/{'side' if i % 10 == 9 else 'main'}\nmark :{i}\n"
                      f"committer A <a@example.invalid> {1500000000 + i * 60} +0000\n"
                      f"data 1\nm\n")
        if i % 10 == 0:
            stream.append(f"from :{i - 2}\nmerge :{i - 1}\n")
        elif i > 1:
            stream.append(f"from :{i - 1}\n")
        stream.append(f"M 644 inline app.py\ndata {len(source)}\n{source}\n")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", path], check=True,
                   env=environment)
    subprocess.run(["git", "--git-dir", path, "fast-import", "--quiet"], check=True,
                   env=environment, input="".join(stream).encode())


def anonymous_kb(pid):
    try:
        with open(f"/proc/{pid}/status") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("RssAnon")), 0)
    except OSError:
        return 0


def peak_of(command):
    """The peak of anonymous memory, in KB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    peak = 0
    while process.poll() is None:
        peak = max(peak, anonymous_kb(process.pid))
        time.sleep(0.002)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {process.returncode}")
    return peak


def main():
    strata = sys.argv[1]
    if not os.path.exists("/proc/self/status") or not shutil.which("git"):
        print("skipped: needs /proc and git")
        return 77
    n_failures = 0
    with tempfile.TemporaryDirectory(prefix="strata-memory.") as name:
        folder = pathlib.Path(name)
        for n in LENGTHS:
            make_history(folder / f"{n}.git", n)
        for mode, options in MODES.items():
            peaks = []
            for n in LENGTHS:
                store = folder / "store"
                shutil.rmtree(store, ignore_errors=True)
                kept = [] if mode == "count" else ["--store", str(store), "--jobs", "1", "--no-rules"]
                peaks.append(peak_of([strata, *options, *kept, "--quiet",
                                      f"r={folder / f'{n}.git'}"]))
            grows = peaks[1] - peaks[0] > GROWTH_MAX_KB
            n_failures += grows
            print(f"{'FAILED: ' if grows else ''}{mode}: {peaks[0]} KB for {LENGTHS[0]} commits, "
                  f"{peaks[1]} KB for {LENGTHS[1]}")
    print(f"{n_failures} failures")
    return 1 if n_failures else 0


sys.exit(main())
