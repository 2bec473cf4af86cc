"""Repositories and moments that no fixture of make-odd-repos has.

usage: hostile_test.py STRATA SHARED

A tree of 100,000 entries, folders 5,000 deep, a tree too large for the memory allowed (with any number
of jobs), files and folders without permission, paths that are no repository, a repository that is
repacked while it is mined, two mines on one store.  Each is named, counted, and has its exit status.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def git(*args, stdin=b""):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment.update(GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL=os.devnull)
    return subprocess.run(["git", *map(str, args)], input=stdin, env=environment, check=True,
                          stdout=subprocess.PIPE).stdout


def commit(mark, files, parent=None):
    """A commit of FILES, pairs of path and content, as fast-import text."""
    out = (f"commit refs/heads/main\nmark :{mark}\n"
           f"committer A <a@example.invalid> {1500000000 + mark * 1000} +0000\ndata 1\nm\n")
    out += f"from {parent}\n" if parent else ""
    for path, content in files:
        out += f"M 644 inline {path}\ndata {len(content)}\n{content}\n"
    return out


class Box:
    def __init__(self, strata, folder):
        self.strata, self.folder = strata, folder

    def repository(self, name, *commits):
        path = self.folder / name
        git("init", "--quiet", "--bare", "--initial-branch=main", path)
        git("--git-dir", path, "fast-import", "--quiet", stdin="".join(commits).encode())
        return path

    def mine(self, path, *options, prefix=(), store="store"):
        """Exit status and the repository's line."""
        shutil.rmtree(self.folder / store, ignore_errors=True)
        done = subprocess.run([*prefix, self.strata, "mine", "--store", self.folder / store, "--json",
                               "--quiet", "--no-rules", *options, f"r={path}"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        lines = done.stdout.decode().splitlines()
        return done.returncode, json.loads(lines[0]) if lines else {"reason": done.stderr.decode()}


def test_large_trees(box):
    wide = [(f"d/f{i:06}.py", f"x = {i % 7}\n") for i in range(100_000)]
    path = box.repository("wide.git", commit(1, wide), commit(2, [("d/f000001.py", "y = 1\n")], ":1"))
    status, line = box.mine(path)
    check(status == 0 and line["files"] == 200_000 and line["blobs"] == 8, f"wide: {status} {line}")
    lines = [box.mine(path, "--memory", "16M", "--jobs", jobs) for jobs in ("1", "8")]
    check(lines[0] == lines[1] and lines[0][0] == 1 and "--memory" in lines[0][1]["reason"],
          f"wide, little memory: {lines}")
    deep = "/".join(["d"] * 5000)
    path = box.repository("deep.git", commit(1, [("a.py", "x = 1\n")]),
                          commit(2, [(f"{deep}/a.py", "x = 2\n")], ":1"))
    status, line = box.mine(path)
    check(status == 1 and line["status"] == "partial" and line["checkpoints"] == 1 and
          "nested too deep" in line["reason"], f"deep: {status} {line}")


def test_no_repository(box):
    (box.folder / "file").write_text("text")
    (box.folder / "empty").mkdir()
    os.symlink("loop", box.folder / "loop")
    for name, reason in (("file", "not a git repository"), ("empty", "not a git repository"),
                         ("loop", "symbolic links"), ("nowhere", "No such file")):
        status, line = box.mine(box.folder / name)
        check(status == 1 and line["status"] == "skipped" and reason in line["reason"],
              f"{name}: {status} {line}")


def test_no_permission(box):
    """Root may read everything: the program is run as nobody."""
    prefix = ()
    if os.geteuid() == 0:
        if not shutil.which("setpriv"):
            return print("permissions: skipped, root without setpriv")
        prefix = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    path = box.repository("closed.git", commit(1, [("a.py", "x = 1\n")]))
    git("--git-dir", path, "repack", "-adq")
    pack = next(path.rglob("*.pack"))
    shared = box.folder / "shared"
    shared.mkdir()
    box.folder.chmod(0o755)
    shared.chmod(0o777)
    for closed in (path, path / "objects", pack):
        before = closed.stat().st_mode
        closed.chmod(0)
        status, line = box.mine(path, prefix=prefix, store=f"shared/{closed.name}")
        closed.chmod(before)
        check(status == 1 and line["status"] == "skipped" and "Permission denied" in line["reason"],
              f"closed {closed.name}: {status} {line}")


def source(seed, i):
    return "".join(f"def f{k}(x):\n    if x:\n        return {seed * 1000 + i * 7 + k}\n    return x\n\n\n"
                   for k in range(100))


def test_repacked_meanwhile(box):
    """New commits, new packs and the old ones gone, over and over while it is mined."""
    commits = [commit(i, [(f"p{f}.py", source(i, f)) for f in range(4)], f":{i - 1}" if i > 1 else None)
               for i in range(1, 201)]
    path = box.repository("busy.git", *commits)
    over = threading.Event()

    def churn():
        mark = 1000
        while not over.is_set():
            git("--git-dir", path, "fast-import", "--quiet",
                stdin=commit(mark, [("p0.py", source(mark, 0))], "refs/heads/main^0").encode())
            git("--git-dir", path, "repack", "-adq")
            mark += 1

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for jobs in ("1", "8"):
            status, line = box.mine(path, "--strategy", "all", "--jobs", jobs)
            check(status == 0 and line["checkpoints"] >= 200 and line["notes"] == 0,
                  f"repacked meanwhile: {status} {line}")
    finally:
        over.set()
        thread.join()
    return path


def test_two_at_once(box, path):
    """The second is told who writes, or waits and finds nothing to do."""
    command = [box.strata, "mine", "--store", box.folder / "both", "--no-rules", "--quiet",
               "--strategy", "all", f"r={path}"]
    runs = [subprocess.Popen([*command, "--wait"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(4)]
    outputs = [run.communicate()[0].decode() for run in runs]
    check([run.returncode for run in runs] == [0] * 4, f"four at once: {outputs}")
    check(sum("unchanged" in output for output in outputs) == 3, f"four at once: {outputs}")
    found = subprocess.run([box.strata, "store", "verify", "--store", box.folder / "both"],
                           stdout=subprocess.PIPE)
    check(found.returncode == 0, f"four at once: {found.stdout.decode()}")


def main():
    with tempfile.TemporaryDirectory(prefix="strata-hostile.") as name:
        box = Box(os.path.abspath(sys.argv[1]), pathlib.Path(name))
        test_large_trees(box)
        test_no_repository(box)
        test_no_permission(box)
        test_two_at_once(box, test_repacked_meanwhile(box))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
