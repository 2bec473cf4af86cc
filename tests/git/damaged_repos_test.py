"""Whatever is done to the files of a repository, mining it ends soon, takes bounded memory, gives its
reason, and does not touch the sound repository beside it.

usage: damaged_repos_test.py STRATA SHARED [N [SEED]]

N damages of packs, indexes, a multi-pack index, a commit-graph, loose objects, refs and configuration; 60
when it is not given; the whole of it, by hand, is 2,000.  A command of its own can be put before the
program by STRATA_RUN_WITH, as "prlimit --as=3000000000".
"""

import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

SECONDS_MAX = 20
MEMORY_MB_MAX = 256 + 300  # --memory is 256 MB
SLOW_FACTOR = 6 if "asan" in sys.argv[1] else 1

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what, flush=True)


def git(folder, *words, stdin=b""):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment.update(GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL=os.devnull)
    return subprocess.run(["git", "-c", "fastimport.unpackLimit=1", "--git-dir", folder, *words], input=stdin, env=environment, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def history(rng, first, n):
    """N commits as fast-import text; each changes one of some files a little."""
    out = []
    for i in range(first, first + n):
        lines = [f"def f{k}(x):\n    return x + {k if k % 7 != i % 7 else i}\n" for k in range(120)]
        text = "".join(lines) + f"y = {rng.random()}\n"
        out.append(f"commit refs/heads/main\nmark :{i}\ncommitter A <a@example.invalid> "
                   f"{1500000000 + i * 1000} +0000\ndata 1\nm\n" +
                   (f"from :{i - 1}\n" if i > first else
                    "from refs/heads/main^0\n" if first > 1 else "") +
                   f"M 644 inline d{i % 2}/f{i % 3}.py\ndata {len(text)}\n{text}\n")
    return "".join(out).encode()


def make(folder, kind):
    """A bare repository whose objects are loose, in one pack, or in several with a multi-pack index."""
    rng = random.Random(kind)
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", folder], check=True)
    git(folder, "fast-import", "--quiet", stdin=history(rng, 1, 12))
    if kind == "loose":
        for pack in (folder / "objects/pack").glob("*.pack"):
            moved = folder / pack.name
            pack.rename(moved)
            pack.with_suffix(".idx").unlink()
            git(folder, "unpack-objects", "-q", stdin=moved.read_bytes())
            moved.unlink()
    elif kind == "packed":
        git(folder, "repack", "-adFq", "--depth=50")
        git(folder, "pack-refs", "--all")
        git(folder, "commit-graph", "write", "--reachable")
    elif kind == "version1":
        git(folder, "-c", "pack.indexVersion=1", "-c", "repack.useDeltaBaseOffset=false", "repack",
            "-adFq")
    else:
        for first in (13, 25):
            git(folder, "fast-import", "--quiet", stdin=history(rng, first, 12))
        git(folder, "multi-pack-index", "write")
        git(folder, "commit-graph", "write", "--reachable")
    return folder


# ---- Damages -----------------------------------------------------------------------------------


def flip(data, rng):
    for _ in range(rng.choice((1, 1, 1, 3, 30))):
        data[rng.randrange(len(data))] ^= rng.randrange(1, 256)


def flip_head(data, rng):
    """Where the fields are."""
    data[rng.randrange(min(len(data), 1100))] ^= rng.randrange(1, 256)


def big_number(data, rng):
    at = rng.randrange(max(1, len(data) - 8))
    data[at:at + rng.choice((1, 2, 4, 8))] = rng.choice((b"\xff", b"\x7f", b"\x80", b"\0")) * 4


def cut(data, rng):
    del data[rng.choice((0, 1, len(data) // 2, len(data) - 1, len(data) - 20, rng.randrange(len(data)))):]


def extend(data, rng):
    data += rng.randbytes(rng.choice((1, 20, 4096)))


def move(data, rng):
    to, source, n = rng.randrange(len(data)), rng.randrange(len(data)), rng.randrange(1, 200)
    data[to:to + n] = data[source:source + n]


def zero(data, rng):
    at, n = rng.randrange(len(data)), rng.randrange(1, 4096)
    data[at:at + n] = bytes(len(data[at:at + n]))


def junk(data, rng):
    data[:] = rng.randbytes(rng.randrange(1, 5000))


def replace_by(kind):
    def damage(path, rng):
        path.unlink()
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "folder":
            path.mkdir()
        elif kind == "device":
            path.symlink_to("/dev/zero")
        elif kind == "link":
            path.symlink_to(path.name)
        elif kind == "sparse":
            path.write_bytes(b"")
            os.truncate(path, rng.choice((1 << 20, 8 << 30)))
    damage.__name__ = kind
    return damage


IN_BYTES = (flip, flip, flip_head, flip_head, big_number, cut, extend, move, zero, junk)
OF_FILES = tuple(replace_by(kind) for kind in ("fifo", "folder", "device", "link", "sparse", "gone"))


def files_of(folder):
    """What is looked at, by kind, so that each kind is as likely."""
    kinds = collections.defaultdict(list)
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = path.relative_to(folder)
        if name.parts[0] == "hooks" or path.stat().st_size == 0:
            continue
        kind = path.suffix if path.suffix in (".pack", ".idx") else (
            "loose" if len(name.parts) == 3 and name.parts[0] == "objects" and
            len(name.parts[1]) == 2 else path.name)
        if kind not in ("description", "exclude", "packs", "refs") and path.suffix not in (".rev", ".bitmap"):
            kinds[kind].append(path)
    return kinds


def damage(folder, rng):
    kinds = files_of(folder)
    kind = rng.choice(sorted(kinds))
    path = rng.choice(kinds[kind])
    if rng.random() < 0.1:
        how = rng.choice(OF_FILES)
        how(path, rng)
    else:
        how = rng.choice(IN_BYTES)
        data = bytearray(path.read_bytes())
        how(data, rng)
        path.chmod(0o644)
        path.write_bytes(data)
    return kind, how.__name__


# ---- Mining ------------------------------------------------------------------------------------


def mine(strata, folder, *repositories):
    """Exit status, lines, seconds and MB of one run."""
    before = os.environ.get("STRATA_RUN_WITH", "").split()
    shutil.rmtree(folder / "store", ignore_errors=True)
    command = [*before, strata, "mine", "--store", folder / "store", "--json", "--quiet", "--no-rules",
               "--strategy", "all", "--jobs", "2", *(f"{path.name}={path}" for path in repositories)]
    with open(folder / "out", "w+b") as out, open(folder / "err", "w+b") as err:
        started = time.monotonic()
        process = subprocess.Popen(list(map(str, command)), stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu_s = usage.ru_utime + usage.ru_stime
        out.seek(0)
        err.seek(0)
        lines = [json.loads(line) for line in out.read().decode().splitlines()]
        return (process.returncode, lines, min(cpu_s, time.monotonic() - started),
                usage.ru_maxrss / 1024, err.read().decode(errors="replace"))


def mine_damaged(strata, folder, sound, rng, number):
    """Damage a copy of one of the repositories, and mine it with a sound one."""
    source = rng.choice(sorted(p for p in folder.iterdir() if p.name.startswith("whole-")))
    damaged = folder / "damaged"
    if damaged.exists():
        shutil.rmtree(damaged)
    shutil.copytree(source, damaged)
    kind, how = damage(damaged, rng)
    status, lines, seconds, rss_mb, messages = mine(strata, folder, damaged, folder / "sound")
    what = f"damage {number}, {how} of {kind} in {source.name}"
    check(status in (0, 1), f"{what}: exit {status}: {messages[-2000:]}")
    check(seconds < SECONDS_MAX * SLOW_FACTOR, f"{what}: {seconds:.1f} s")
    check(rss_mb < MEMORY_MB_MAX * SLOW_FACTOR, f"{what}: {rss_mb:.0f} MB")
    lines = {line["repository"]: line for line in lines}
    check(lines.get("sound") == sound, f"{what}: sound: {lines.get('sound')}")
    line = lines.get("damaged", {})
    check(line.get("status") in ("done", "partial", "skipped"), f"{what}: {line}")
    if line.get("status") != "done":
        check(line.get("reason"), f"{what}: no reason: {line}")
    return (kind, how, line.get("status")), seconds, rss_mb


def main():
    strata = os.path.abspath(sys.argv[1])
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    seed = sys.argv[4] if len(sys.argv) > 4 else "7"
    counts, slowest, largest = collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory(prefix="strata-damaged.") as name:
        folder = pathlib.Path(name)
        for kind in ("loose", "packed", "version1", "many"):
            make(folder / f"whole-{kind}", kind)
        make(folder / "sound", "packed")
        status, lines, *_ = mine(strata, folder, folder / "sound")
        check(status == 0 and lines[0]["status"] == "done", f"sound alone: {status} {lines}")
        for i in range(n):
            seen, seconds, rss_mb = mine_damaged(strata, folder, lines[0], random.Random(f"{seed} {i}"),
                                                 i)
            counts[seen[0], seen[2]] += 1
            slowest, largest = max(slowest, seconds), max(largest, rss_mb)
    for kind in sorted({kind for kind, _ in counts}):
        print(f"{kind}: " + ", ".join(f"{counts[key]} {key[1]}" for key in sorted(counts, key=str)
                                      if key[0] == kind))
    print(f"{n} damages; at most {slowest:.1f} s and {largest:.0f} MB; {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
