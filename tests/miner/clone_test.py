"""strata panel clone and check against a real git server on loopback, with faults.

usage: clone_test.py STRATA SHARED

The server is git-http-backend behind Python's http.server.  The first part of a path says what goes
wrong: /good, /moved (redirected), /slow (a trickle), /cut (the first two packs are cut in the
middle), /always-cut, /stall (the pack never comes), /gone (404).
"""

import http.server
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

BACKEND = "/usr/lib/git-core/git-http-backend"
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)
        print("FAILED:", what)


def git(*args, stdin=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    environment.update(GIT_CONFIG_NOSYSTEM="1", GIT_CONFIG_GLOBAL=os.devnull)
    return subprocess.run(["git", *map(str, args)], input=stdin, env=environment, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode().strip()


class Handler(http.server.BaseHTTPRequestHandler):
    root = None
    n_cuts = {}
    lock = threading.Lock()

    def log_message(self, *args):
        pass

    def handle(self):
        try:
            super().handle()
        except ConnectionError:
            pass  # the client was stopped

    def do_GET(self):
        self.serve(b"")

    def do_POST(self):
        length = self.headers.get("Content-Length")
        if length is not None:
            body = self.rfile.read(int(length))
        else:
            body = b""
            while (size := int(self.rfile.readline(), 16)):
                body += self.rfile.read(size)
                self.rfile.readline()
        self.serve(body)

    def serve(self, body):
        path, _, query = self.path.partition("?")
        _, fault, rest = path.split("/", 2)
        if fault == "gone":
            self.send_error(404)
        elif fault == "moved":
            self.send_response(302)
            self.send_header("Location", f"/good/{rest}" + (f"?{query}" if query else ""))
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            self.answer(fault, rest, self.backend("/" + rest, query, body))

    def backend(self, path, query, body):
        environment = {"GIT_PROJECT_ROOT": str(self.root), "GIT_HTTP_EXPORT_ALL": "1",
                       "PATH_INFO": path, "QUERY_STRING": query, "REQUEST_METHOD": self.command,
                       "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                       "CONTENT_LENGTH": str(len(body)), "REMOTE_ADDR": "127.0.0.1",
                       "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                       "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
                       "PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1",
                       "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory",
                       "GIT_CONFIG_VALUE_0": "*", "HOME": str(self.root)}
        return subprocess.run([BACKEND], input=body, env=environment,
                              stdout=subprocess.PIPE).stdout

    def answer(self, fault, rest, output):
        head, _, content = output.partition(b"\r\n\r\n")
        is_pack = b"PACK" in content
        status = 200
        headers = []
        for line in head.decode().split("\r\n"):
            name, _, value = line.partition(": ")
            if name == "Status":
                status = int(value.split()[0])
            elif name:
                headers.append((name, value))
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if is_pack and self.cuts(fault, rest):
            self.wfile.write(content[:len(content) // 2])
            self.wfile.flush()
            self.close_connection = True
        elif is_pack and fault == "stall":
            time.sleep(8)
        elif is_pack and fault == "slow":
            for at in range(0, len(content), 20000):
                self.wfile.write(content[at:at + 20000])
                self.wfile.flush()
                time.sleep(0.05)
        else:
            self.wfile.write(content)

    def cuts(self, fault, rest):
        if fault == "always-cut":
            return True
        if fault != "cut":
            return False
        with self.lock:
            self.n_cuts[rest] = self.n_cuts.get(rest, 0) + 1
            return self.n_cuts[rest] <= 2


def make_upstream(folder, name, n_commits):
    """A repository with a default branch called trunk, another branch, and a tag."""
    rng = random.Random(name)
    path = folder / f"{name}.git"
    git("init", "--quiet", "--bare", "--initial-branch=trunk", path)
    stream = bytearray()
    for i in range(1, n_commits + 1):
        data = "".join(f"x{rng.randrange(10**9)} = {rng.random()}\n" for _ in range(200)).encode()
        stream += (f"commit refs/heads/trunk\nmark :{i}\n"
                   f"committer A <a@example.invalid> {1600000000 + i * 9000} +0000\ndata 1\nm\n"
                   f"M 100644 inline app.py\ndata {len(data)}\n").encode() + data + b"\n"
    stream += (f"reset refs/heads/side\nfrom :{n_commits - 2}\n\n"
               f"reset refs/tags/v1\nfrom :3\n\n").encode()
    git("--git-dir", path, "fast-import", "--quiet", stdin=bytes(stream))
    return path


def write_manifest(path, repositories):
    with open(path, "w") as file:
        json.dump({"name": "test", "repositories": repositories}, file)


class Tool:
    def __init__(self, strata):
        self.strata = strata
        self.environment = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}

    def run(self, *args):
        done = subprocess.run([self.strata, *map(str, args)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=self.environment)
        lines = [json.loads(line) for line in done.stdout.decode().splitlines() if line[:1] == "{"]
        return done.returncode, {line.get("repository"): line for line in lines}


def test_clone(tool, folder, url, upstreams):
    manifest, mirrors = folder / "panel.json", folder / "mirrors"
    faults = ["good", "moved", "slow", "cut", "always-cut", "stall", "gone"]
    repositories = [{"name": f"owner/{fault}", "url": f"{url}/{fault}/{fault}.git"}
                    for fault in faults]
    repositories.append({"name": "owner/tagged", "url": f"{url}/good/good.git", "ref": "v1"})
    repositories.append({"name": "owner/branch", "url": f"{url}/good/good.git", "ref": "side"})
    repositories.append({"name": "owner/no-ref", "url": f"{url}/good/good.git", "ref": "v9"})
    repositories.append({"name": "owner/file", "url": f"file://{upstreams['good']}"})
    repositories.append({"name": "owner/no-file", "url": f"file://{folder}/nowhere"})
    write_manifest(manifest, repositories + [{"name": "o/shell", "url": "ext::sh -c 'touch hacked'"}])
    refused, _ = tool.run("panel", "clone", "--manifest", manifest, "--mirrors", mirrors, "--quiet")
    check(refused == 3 and not pathlib.Path("hacked").exists(), f"a command as url: exit {refused}")
    write_manifest(manifest, repositories)
    clone = ["panel", "clone", "--manifest", manifest, "--mirrors", mirrors, "--json",
             "--retry-delay", "0.05", "--tries", "3", "--stall", "2", "--quiet"]
    status, results = tool.run(*clone)
    check(status == 1, f"clone: exit {status}")
    for name in ("good", "moved", "slow", "cut", "tagged", "branch", "file"):
        check(results[f"owner/{name}"]["state"] == "cloned", f"{name}: {results[f'owner/{name}']}")
    check(results["owner/cut"]["tries"] == 3, f"cut: {results['owner/cut']}")
    for name, tries in (("always-cut", 3), ("stall", 3), ("gone", 1), ("no-ref", 1),
                        ("no-file", 1)):
        found = results[f"owner/{name}"]
        check(found["state"] == "failed" and found["tries"] == tries and found["reason"],
              f"{name}: {found}")
        check(not (mirrors / f"owner/{name}.git").exists(), f"{name}: no mirror appeared")
    check("does not appear to be a git repository" in results["owner/no-file"]["reason"],
          f"a reason that says why: {results['owner/no-file']}")
    for name, ref in (("good", "trunk"), ("cut", "trunk"), ("tagged", "v1"), ("branch", "side")):
        mirror = mirrors / f"owner/{name}.git"
        expected = git("--git-dir", upstreams["cut" if name == "cut" else "good"], "rev-parse", ref)
        check(git("--git-dir", mirror, "rev-parse", "HEAD") == expected, f"{name}: HEAD is {ref}")
        check(len(git("--git-dir", mirror, "for-each-ref").splitlines()) == 1, f"{name}: one ref")
        check(not (mirror / "shallow").exists(), f"{name}: not shallow")
    status, results = tool.run(*clone)
    check(results["owner/good"]["state"] == "present", "a mirror that is there is left alone")
    return manifest, mirrors


def test_check(tool, folder, upstreams, mirrors):
    head = git("--git-dir", upstreams["good"], "rev-parse", "trunk")
    older = git("--git-dir", upstreams["good"], "rev-parse", "trunk~2")
    git("clone", "--quiet", "--bare", "--depth", "2", f"file://{upstreams['good']}",
        mirrors / "a/shallow.git")
    git("--git-dir", upstreams["good"], "config", "uploadpack.allowFilter", "true")
    git("clone", "--quiet", "--bare", "--filter=blob:none", f"file://{upstreams['good']}",
        mirrors / "a/partial.git")
    for name in ("good", "moved", "lacks", "damaged"):
        git("clone", "--quiet", "--bare", f"file://{upstreams['good']}", mirrors / f"a/{name}.git")
    for pack in (mirrors / "a/damaged.git").rglob("*.pack"):
        pack.chmod(0o644)
        os.truncate(pack, pack.stat().st_size // 2)
    manifest = folder / "check.json"
    write_manifest(manifest, [{"name": "a/good", "head": head}, {"name": "a/moved", "head": older},
                              {"name": "a/lacks", "head": "1" * 40}, {"name": "a/damaged"},
                              {"name": "a/shallow"}, {"name": "a/partial"}, {"name": "a/missing"}])
    status, found = tool.run("panel", "check", "--manifest", manifest, "--mirrors", mirrors,
                             "--json")
    check(status == 1, f"check: exit {status}")
    for name, state in (("good", "good"), ("moved", "moved"), ("lacks", "lacks head"),
                        ("damaged", "damaged"), ("shallow", "shallow"), ("partial", "partial"),
                        ("missing", "missing")):
        check(found[f"a/{name}"]["state"] == state, f"check {name}: {found[f'a/{name}']}")
    return manifest


def test_mine(tool, folder, manifest, mirrors):
    """One broken repository never ends the run."""
    status, found = tool.run("mine", "--store", folder / "store", "--manifest", manifest,
                             "--mirrors", mirrors, "--json", "--quiet")
    check(status == 1, f"mine: exit {status}")
    for name, state in (("good", "done"), ("moved", "done"), ("lacks", "skipped"),
                        ("damaged", "skipped"), ("shallow", "partial"), ("partial", "partial"),
                        ("missing", "skipped")):
        check(found[f"a/{name}"]["status"] == state, f"mine {name}: {found[f'a/{name}']}")


def test_stop(tool, folder, url):
    manifest, mirrors = folder / "slow.json", folder / "stopped"
    write_manifest(manifest, [{"name": f"o/r{i}", "url": f"{url}/slow/slow.git"}
                              for i in range(40)])
    command = [tool.strata, "panel", "clone", "--manifest", manifest, "--mirrors", mirrors,
               "--quiet", "--jobs", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=tool.environment)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    check(process.wait() == 130, f"stopped: exit {process.returncode}")
    status, _ = tool.run("panel", "clone", "--manifest", manifest, "--mirrors", mirrors, "--quiet",
                         "--jobs", "8")
    check(status == 0, f"after a stop: exit {status}")
    check(not list(mirrors.rglob("*.part")), "nothing half-made is left")


def test_resume(tool, folder, url, upstreams):
    """What a killed run left is gone on with: a server that cuts every pack has none to send any more.
    What it left damaged is made anew."""
    manifest, mirrors = folder / "resume.json", folder / "resumed"
    parts = {name: mirrors / f"o/{name}.git.part" for name in ("whole", "damaged")}
    for part in parts.values():
        git("init", "--quiet", "--bare", part)
        git("--git-dir", part, "fetch", "--quiet", upstreams["always-cut"],
            "+refs/heads/trunk:refs/heads/trunk")
        git("--git-dir", part, "repack", "-adq")
        (part / "objects/pack/tmp_pack_Ab12").write_bytes(b"PACK")
        (part / "refs/heads/trunk.lock").write_bytes(b"")
    for pack in parts["damaged"].rglob("*.pack"):
        pack.chmod(0o644)
        os.truncate(pack, pack.stat().st_size // 2)
    write_manifest(manifest, [
        {"name": "o/whole", "url": f"{url}/always-cut/always-cut.git"},
        {"name": "o/damaged", "url": f"{url}/good/always-cut.git"}])
    status, found = tool.run("panel", "clone", "--manifest", manifest, "--mirrors", mirrors,
                             "--json", "--retry-delay", "0.05", "--tries", "3", "--quiet")
    check(status == 0, f"resume: exit {status}, {found}")
    check(found["o/whole"]["tries"] == 1, f"resume: {found['o/whole']}")
    expected = git("--git-dir", upstreams["always-cut"], "rev-parse", "trunk")
    for name in parts:
        mirror = mirrors / f"o/{name}.git"
        check(git("--git-dir", mirror, "rev-parse", "HEAD") == expected, f"resume: head of {name}")
        git("--git-dir", mirror, "fsck", "--full")
        check(not list(mirror.rglob("tmp_*")) and not list(mirror.rglob("*.lock")),
              f"resume: litter in {name}")


def main():
    if not os.path.exists(BACKEND):
        print(f"skipped: {BACKEND} is missing (package git)")
        return 77
    tool = Tool(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="strata-clone.") as name:
        folder = pathlib.Path(name)
        Handler.root = folder / "upstream"
        upstreams = {fault: make_upstream(Handler.root, fault, 30)
                     for fault in ("good", "slow", "cut", "always-cut", "stall", "moved")}
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        _, mirrors = test_clone(tool, folder, url, upstreams)
        manifest = test_check(tool, folder, upstreams, mirrors)
        test_mine(tool, folder, manifest, mirrors)
        test_stop(tool, folder, url)
        test_resume(tool, folder, url, upstreams)
        server.shutdown()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
