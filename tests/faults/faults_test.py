#!/usr/bin/env python3
"""Every command with its Nth allocation, mapping or file call made to fail.

usage: faults_test.py STRATA SHARED [--most N] [--kind KIND]... [--only WORD] [--seed N] [--keep DIR]

A preloaded shim (SHARED/tools/fault-shim.c, compiled here) fails one call of a run.  What must hold:

1. No run ends by a signal or hangs.
2. A run that ends as the undisturbed one does (same status) has the same output, to the byte.
3. Any other run says why on stderr; when memory ran out the status is 4, else 1, 3 or 4.
4. A command that writes leaves a whole store; run again undisturbed it gives the undisturbed result.

Without --most a sample: every N is tried where there are few, then evenly spread ones.
"""
import argparse, concurrent.futures, os, pathlib, random, shutil, subprocess, sys, tempfile

ERRNO = {"EIO": 5, "ENOMEM": 12, "ENOSPC": 28, "short": 0}
# kind of call, errno; "mem" and "thread" have their own
KINDS = [("mem", "ENOMEM"), ("mmap", "ENOMEM"), ("open", "EIO"), ("read", "EIO"), ("read", "short"),
         ("write", "ENOSPC"), ("write", "short"), ("sync", "EIO"), ("rename", "ENOSPC"),
         ("stat", "EIO"), ("lock", "EIO"), ("thread", "ENOMEM")]

SOURCE = '''"""A module."""
import os

def walk(root, limit):
    found = []
    for name in os.listdir(root):
        if name.startswith(".") or name == "x":
            continue
        elif len(name) > limit and limit > %d:
            found.append(name)
        else:
            try:
                found.append(name.upper())
            except (ValueError, OSError) as err:
                print(err)
    return found

def twice(values):
    out = []
    for value in values:
        if value is None:
            out.append(value)
        elif value == True:
            out.append(not value)
    return out
'''


def git(folder, *words):
    environment = dict(os.environ, GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@b", GIT_COMMITTER_NAME="a",
                       GIT_COMMITTER_EMAIL="a@b", GIT_CONFIG_GLOBAL="/dev/null",
                       GIT_AUTHOR_DATE=words[0] if words[0][0].isdigit() else "1600000000 +0000",
                       GIT_COMMITTER_DATE=words[0] if words[0][0].isdigit() else "1600000000 +0000")
    words = words[1:] if words[0][0].isdigit() else words
    subprocess.run(["git", "-C", folder, *words], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=environment)


def make_repository(folder):
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for k in range(4):
        (folder / "a.py").write_text(SOURCE % k)
        (folder / f"b{k}.py").write_text(SOURCE % (k + 7) + SOURCE.replace("walk", "stroll") % k)
        git(folder, "add", "-A")
        git(folder, f"{1600000000 + 10000000 * k} +0000", "commit", "-q", "-m", f"change {k}")
    git(folder, "gc", "-q")


def make_records(path):
    path.write_text("".join(
        '{"problem":"p%d","checkpoint":"checkpoint_%d","idx":%d,"n_checkpoints":3,"model":"m",'
        '"strict_pass_rate":%.2f,"core_pass_rate":0.5,"isolated_pass_rate":0.25,"cost":1.5,"steps":3,'
        '"mass.cc":%d.5,"erosion":0.%d,"verbosity":0.25}\n' % (p, c, c, c / 3, c, c + 1)
        for p in range(3) for c in (1, 2, 3)))


class Box:
    """What the commands of a test read, and the stores they write."""

    def __init__(self, strata, folder):
        self.strata, self.folder = strata, folder
        self.repository = folder / "repository"
        make_repository(self.repository)
        make_records(folder / "records.jsonl")
        self.store = folder / "store"
        self.plain("mine", "--quiet", "--store", self.store, "--commits", "3", f"r={self.repository}")
        (folder / "other.py").write_text(SOURCE % 3)
        (folder / "rules.yml").write_text(
            "id: none-check\nlanguage: python\nseverity: warning\nrule:\n  pattern: $A is None\n")

    def plain(self, *words):
        return subprocess.run([self.strata, *map(str, words)], capture_output=True, timeout=120)

    def commands(self):
        """(name, words, does it write {out}?); {out} is a place of the run's own."""
        store, repository, folder = self.store, self.repository, self.folder
        read = ["--quiet", "--store", store]
        return [
            ("mine", ["mine", "--quiet", "--jobs", "2", "--commits", "3", "--store", "{out}", f"r={repository}"], True),
            ("score", ["score", *read], False),
            ("report", ["report", *read], False),
            ("report-json", ["report", "--format", "json", *read], False),
            ("report-html", ["report", "--format", "html", *read], False),
            ("report-records", ["report", "--quiet", "--records", folder / "records.jsonl"], False),
            ("summary", ["summary", folder / "records.jsonl"], False),
            ("export-csv", ["store", "export", *read, "--format", "csv", "--out", "{out}"], True),
            ("export-sqlite", ["store", "export", *read, "--format", "sqlite", "--out", "{out}"], True),
            ("check", ["check", "--json", "--flags", repository], False),
            ("check-git", ["check", "--git", repository, "--rev", "HEAD"], False),
            ("facts", ["facts", folder / "other.py"], False),
            ("rules-list", ["rules", "list"], False),
            ("rules-scan", ["rules", "scan", "--rules", folder / "rules.yml", repository], False),
            ("rules-test", ["rules", "test"], False),
            ("store-info", ["store", "info", "--store", store], False),
            ("store-verify", ["store", "verify", "--store", store], False),
            ("store-merge", ["store", "merge", "{out}", store], True),
            ("store-compact", ["store", "compact", "--store", "{out}"], True),
        ]


class Runner:
    def __init__(self, box, shim, scratch):
        self.box, self.shim, self.scratch = box, shim, scratch

    def run(self, name, words, tag, fault=None, count=None):
        out = self.scratch / f"{name}-{tag}"
        if name == "store-compact" and not out.exists():
            shutil.copytree(self.box.store, out)
        environment = dict(os.environ, LC_ALL="C")
        if fault or count:
            kind, error, n = fault or (count[0], "ENOMEM", 0)
            environment |= {"LD_PRELOAD": str(self.shim), "FI_KIND": kind, "FI_N": str(n),
                            "FI_ERR": str(ERRNO[error])}
            if count:
                environment["FI_COUNT"] = str(count[1])
        words = [str(word).replace("{out}", str(out)) for word in words]
        try:
            done = subprocess.run([self.box.strata, *words], capture_output=True, timeout=60,
                                  env=environment, cwd=self.scratch)
            return done.returncode, done.stdout.replace(str(out).encode(), b"OUT"), done.stderr, out
        except subprocess.TimeoutExpired:
            return "hang", b"", b"", out

    def result_of(self, name, out):
        """What the written place OUT holds, as comparable bytes."""
        if not out.exists():
            return b"missing"
        if name.startswith("export"):
            if out.is_dir():
                return b"".join(p.name.encode() + p.read_bytes() for p in sorted(out.iterdir()))
            return subprocess.run([sys.executable, "-c", "import sqlite3,sys\n"
                                   "for l in sqlite3.connect(sys.argv[1]).iterdump(): print(l)", str(out)],
                                  capture_output=True).stdout
        verify = self.box.plain("store", "verify", "--quiet", "--store", out)
        score = self.box.plain("score", "--quiet", "--store", out)
        return b"verify %d\n" % verify.returncode + score.stdout


def is_told(kind, status, stdout, stderr):
    """None, or what is wrong with the message; findings, status 1, may be told on stdout."""
    if not stderr.strip() and not (status == 1 and stdout.strip()):
        return "says nothing"
    if kind == "mem" and status != 4:
        return f"status {status}, not 4"
    if status not in (1, 3, 4):
        return f"status {status}"
    return None


def try_one(runner, name, words, writes, normal, kind, error, n):
    """What is wrong with the run whose Nth call of KIND fails, or None."""
    tag = f"{kind}-{error}-{n}"
    status, stdout, stderr, out = runner.run(name, words, tag, (kind, error, n))
    try:
        if status == "hang" or status < 0 or status > 128:
            return f"ended by {status}: {stderr[-200:]!r}"
        if status == normal["status"]:
            if stdout != normal["stdout"]:
                return f"status {status} with other output"
            if writes and runner.result_of(name, out) != normal["result"]:
                return f"status {status} with another result"
            return None
        wrong = is_told(kind, status, stdout, stderr)
        if wrong:
            return f"{wrong}: {stderr[-300:]!r}"
        if writes:
            again = runner.run(name, words, tag)
            if again[0] != normal["status"] or runner.result_of(name, out) != normal["result"]:
                return f"run again: status {again[0]}, another result: {again[2][-200:]!r}"
        return None
    finally:
        if out.is_dir():
            shutil.rmtree(out)
        elif out.exists():
            out.unlink()


def sample(total, most, rng):
    if not most or total <= most:
        return list(range(1, total + 1))
    first = list(range(1, most // 4 + 1))
    step = (total - len(first)) / (most - len(first))
    return first + sorted({len(first) + 1 + int(i * step + rng.random() * step) for i in range(most - len(first))})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("strata")
    parser.add_argument("shared", type=pathlib.Path)
    parser.add_argument("--most", type=int, default=12)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    source = args.shared / "tools" / "fault-shim.c"
    compiler = shutil.which("cc")
    if not source.exists() or not compiler:
        print(f"skipped: {source} or a C compiler is missing")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        shim = scratch / "shim.so"
        subprocess.run([compiler, "-w", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
        box = Box(os.path.abspath(args.strata), scratch)
        runner = Runner(box, shim, scratch)
        rng = random.Random(args.seed)
        jobs, bad, n_runs = [], [], 0
        for name, words, writes in box.commands():
            if args.only not in name:
                continue
            status, stdout, stderr, out = runner.run(name, words, "normal")
            normal = {"status": status, "stdout": stdout,
                      "result": runner.result_of(name, out) if writes else b""}
            if status not in (0, 1):
                bad.append(f"{name}: undisturbed it ends with {status}: {stderr[-300:]!r}")
                print(bad[-1], flush=True)
                continue
            for kind, error in KINDS:
                if args.kind and kind not in args.kind:
                    continue
                counted = scratch / f"count-{name}-{kind}"
                runner.run(name, words, f"count-{kind}", count=(kind, counted))
                total = int(counted.read_text()) if counted.exists() else 0
                jobs += [(name, words, writes, normal, kind, error, n) for n in sample(total, args.most, rng)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            for job, wrong in zip(jobs, pool.map(lambda job: try_one(runner, *job), jobs)):
                n_runs += 1
                if wrong:
                    bad.append(f"{job[0]}: {job[4]} {job[5]} {job[6]}: {wrong}")
                    print(bad[-1], flush=True)
        print(f"{n_runs} runs with one failing call, {len(bad)} wrong")
        return 1 if bad or not n_runs else 0


sys.exit(main())
