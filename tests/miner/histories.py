"""What the tests of whole mines share: small histories and runs, and the program on them."""

import contextlib
import json
import os
import pathlib
import random
import resource
import subprocess
import tempfile
import time

TIMEOUT_S = 120
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def git(folder, *args, stdin=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment.update(GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL=os.devnull)
    return subprocess.run(["git", "-C", folder, *args], input=stdin, env=environment,
                          stdout=subprocess.PIPE, check=True).stdout.decode().strip()


def source(rng, n_functions):
    parts = []
    for i in range(n_functions):
        parts.append(f"def f{rng.randrange(10**9)}(a, b={i}):\n"
                     f"    if a > {rng.randrange(99)} and b:\n"
                     f"        return [x for x in range(b) if x % {i + 2}]\n"
                     f"    for item in a:\n        print(item, {rng.randrange(99)})\n"
                     f"    return None\n\n\n")
    return "".join(parts).encode()


def add_commits(folder, rng, first, last):
    """Commits FIRST to LAST on main, each rewriting some of twenty files."""
    stream = bytearray()
    for i in range(first, last + 1):
        stream += (f"commit refs/heads/main\nmark :{i}\n"
                   f"committer A <a@example.invalid> {1600000000 + i * 5000} +0000\n"
                   "data 1\nm\n").encode()
        if i == first and first > 1:
            stream += b"from refs/heads/main^0\n"
        for name in rng.sample(range(20), 4):
            data = source(rng, rng.randrange(4, 12))
            stream += f"M 100644 inline pkg/m{name}.py\ndata {len(data)}\n".encode() + data + b"\n"
    git(folder, "fast-import", "--quiet", stdin=bytes(stream))


@contextlib.contextmanager
def histories(name, seed, n_repositories, n_commits):
    """A folder of our own with repositories r0, r1, ... of so many commits each."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix=f"strata-{name}.") as path:
        folder = pathlib.Path(path)
        repositories = []
        for i in range(n_repositories):
            repository = folder / f"r{i}"
            repository.mkdir()
            git(repository, "init", "--quiet", "--bare", "--initial-branch=main", ".")
            add_commits(repository, rng, 1, n_commits)
            repositories.append(repository)
        yield folder, repositories, rng


class Miner:
    def __init__(self, strata, repositories, *options):
        self.strata = strata
        self.repositories = repositories
        self.options = options

    def command(self, store, *options):
        names = [f"{folder.name}={folder}" for folder in self.repositories]
        return [self.strata, "mine", "--store", store, "--json", "--quiet",
                "--commits", "25", *self.options, *options, *names]

    def run(self, store, *options):
        done = subprocess.run(self.command(store, *options), stdout=subprocess.PIPE, check=True)
        return [json.loads(line) for line in done.stdout.decode().splitlines()]

    def scores(self, store):
        command = [self.strata, "score", "--store", store, "--quiet"]
        return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout

    def interrupt(self, store, number, after_s):
        """Start, send signal NUMBER after some seconds; the exit status and what was printed."""
        process = subprocess.Popen(self.command(store, "--jobs", "2"), stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        time.sleep(after_s)
        process.send_signal(number)
        out, _ = process.communicate()
        return process.returncode, [json.loads(line) for line in out.decode().splitlines()]


def write_run(folder, rng):
    """A run of an agent: two problems of three checkpoints."""
    run = folder / "runs" / "run"
    for problem in ("p", "q"):
        for i in range(1, 4):
            snapshot = run / problem / f"checkpoint_{i}" / "snapshot"
            snapshot.mkdir(parents=True)
            for name in range(4):
                (snapshot / f"m{name}.py").write_bytes(source(rng, 3))
        (run / problem / "problem.yaml").write_text(
            f"name: {problem}\nversion: 1\ncheckpoints:\n"
            + "".join(f"  checkpoint_{i}: {{order: {i}}}\n" for i in range(1, 4)))
    (run / "config.yaml").write_text(
        "agent: {type: a, version: '1'}\nmodel: {name: m, provider: q}\n"
        "prompt_path: prompts/plain.jinja\nthinking: none\noutput_path: out/run\n")
    (run / "environment.yaml").write_text("type: local\n")
    return run


class Ingester:
    """As Miner, of runs."""

    def __init__(self, strata, run, *options):
        self.strata = strata
        self.folder = run
        self.options = options

    def run(self, store, *options):
        done = subprocess.run([self.strata, "ingest", "--store", store, "--json", "--quiet",
                               *self.options, *options, self.folder], stdout=subprocess.PIPE, check=False)
        check(done.returncode in (0, 1), f"ingest ends with {done.returncode}")
        lines = map(json.loads, done.stdout.decode().splitlines())
        return [line | {"analysed": line["blobs_analysed"]} for line in lines if "run" in line]


class Runner:
    def __init__(self, strata):
        self.strata = strata
        self.slowest_s = 0
        self.memory_mb = 0

    def run(self, what, allowed, *words):
        """Exit status, standard output and error; a crash, hang or bad status is a failure."""
        started = time.monotonic()
        with subprocess.Popen([self.strata, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            try:
                out, error = process.communicate(timeout=TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                out, error = process.communicate()
                check(False, f"{what}: {words[:2]} hangs")
        self.slowest_s = max(self.slowest_s, time.monotonic() - started)
        self.memory_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
        error = error.decode(errors="replace")
        check("Sanitizer" not in error and "runtime error" not in error,
              f"{what}: {words[:2]}: {error[:2000]}")
        check(process.returncode in allowed,
              f"{what}: {words[:2]} ends with {process.returncode}: {error[-2000:]}")
        if process.returncode == 3:
            check(error.startswith("strata "), f"{what}: {words[:2]} says why: {error!r}")
        return process.returncode, out, error
