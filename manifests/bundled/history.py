"""Histories of the bundled panel, as git fast-import streams.

A history is a list of steps; each step changes a project (modules of functions) and becomes one
commit.  Early and late steps have their own style, so the tables show eras that differ.
"""

import copy
import datetime

from pytext import Dice, Function, Module, Statement, Style, Writer

# What an author does next, and how often: of 100 steps.
CAREFUL = {"function": 34, "grow": 16, "edit": 12, "split": 14, "tests": 10, "branch": 8, "docs": 6}
HURRIED = {"function": 22, "grow": 40, "edit": 8, "copy": 14, "tests": 4, "branch": 6, "docs": 6}
STEADY = {"function": 30, "grow": 26, "edit": 14, "copy": 4, "split": 8, "tests": 8, "branch": 6,
          "docs": 4}

BUSINESS = (["order", "invoice", "line", "batch", "rate", "client", "total", "entry"],
            ["load", "post", "sum", "check", "send", "close"])
FILES = (["path", "chunk", "header", "block", "index", "suffix", "owner", "target"],
         ["read", "scan", "pack", "move", "hash", "list"])
WEB = (["request", "route", "session", "header", "token", "view", "form", "reply"],
       ["parse", "match", "serve", "sign", "render", "cache"])
SIGNAL = (["sample", "window", "peak", "offset", "scale", "series", "noise", "grid"],
          ["fit", "smooth", "trim", "plot", "filter", "shift"])

# What marks a commit as written together with a machine; some hurried ones carry it.
ASSISTED = "\n\nCo-authored-by: Copilot <copilot@users.noreply.github.com>"
LINK = "docs/latest"  # the one symbolic link of a project

# The styles' numbers are those of Style; "renamed" is the package's first name.
HISTORIES = [
    {"name": "bundled/drawer", "words": FILES, "commits": 16, "from": 2021,
     "early": (Style(12, 22, 5), CAREFUL), "late": (Style(14, 26, 6), STEADY)},
    {"name": "bundled/gaugelog", "words": SIGNAL, "commits": 26, "from": 2020,
     "early": (Style(14, 20, 5), STEADY), "late": (Style(34, 34, 7), HURRIED)},
    {"name": "bundled/daybook", "words": BUSINESS, "commits": 42, "from": 2009,
     "early": (Style(12, 20, 5), STEADY), "late": (Style(16, 22, 5), STEADY),
     "python2_until": 2016, "renamed": "DayBook"},
    {"name": "bundled/sheetfold", "words": BUSINESS, "commits": 32, "from": 2019,
     "early": (Style(8, 16, 5), CAREFUL), "late": (Style(20, 26, 6), HURRIED)},
    {"name": "bundled/waypost", "words": WEB, "commits": 46, "from": 2016,
     "early": (Style(8, 20, 6), CAREFUL), "late": (Style(10, 22, 6), STEADY),
     "renamed": "wayposts"},
    {"name": "bundled/stackpipe", "words": FILES, "commits": 38, "from": 2017,
     "early": (Style(12, 20, 6), STEADY), "late": (Style(18, 24, 6), HURRIED)},
    {"name": "bundled/framelet", "words": WEB, "commits": 60, "from": 2013,
     "early": (Style(8, 20, 6), STEADY), "late": (Style(8, 18, 5), CAREFUL)},
    {"name": "bundled/numgrid", "words": SIGNAL, "commits": 54, "from": 2015,
     "early": (Style(9, 22, 6), STEADY), "late": (Style(12, 22, 6), STEADY)},
]
TURN = datetime.datetime(2023, 11, 1, tzinfo=datetime.timezone.utc)  # then the pace changes
END = datetime.datetime(2025, 6, 1, tzinfo=datetime.timezone.utc)


class Project:
    """The files of one commit: modules written from functions, and texts as they are."""

    def __init__(self, package):
        self.package = package
        self.modules = []
        self.texts = {}
        self.python2 = False

    def files(self):
        out = {module.path: module.text(self.python2) for module in self.modules}
        out.update(self.texts)
        return out

    def functions(self):
        return [(m, f) for m in self.modules for f in m.functions]


class History:
    """Makes the commits of a plan into self.stream."""

    def __init__(self, plan):
        self.plan = plan
        self.dice = Dice(plan["name"])
        self.writer = Writer(self.dice, *plan["words"])
        self.stream = bytearray()
        self.n_commits = 0
        self.n_marks = 0
        self.n_modules = 0
        self.tip = None
        short = plan["name"].split("/")[1]
        self.project = Project(plan.get("renamed", short))
        self.short = short

    # ---- the stream

    def data(self, text):
        raw = text.encode()
        self.stream += b"data %d\n" % len(raw) + raw + b"\n"

    def due(self):
        """When the next commit is due: two thirds of them up to the turn, one third after it."""
        start = datetime.datetime(self.plan["from"], 2, 1, tzinfo=datetime.timezone.utc)
        before = self.plan["commits"] * 2 // 3
        if self.n_commits < before:
            return start + (TURN - start) / before * self.n_commits
        return TURN + (END - TURN) / (self.plan["commits"] - before) * (self.n_commits - before)

    def commit(self, message, before, after, parents, branch="main"):
        """Write one commit that turns the files BEFORE into AFTER; returns its mark."""
        self.n_marks += 1
        zone = self.dice.pick(["+0000", "+0100", "-0500", "+0900"])
        when = int(self.due().timestamp()) + self.dice.below(5 * 24 * 3600)
        self.stream += f"commit refs/heads/{branch}\nmark :{self.n_marks}\n".encode()
        for role in ("author", "committer"):
            self.stream += f"{role} panel <panel@example.org> {when} {zone}\n".encode()
        self.data(message + "\n")
        for word, mark in zip(["from"] + ["merge"] * len(parents), parents):
            self.stream += f"{word} :{mark}\n".encode()
        for path in sorted(before.keys() - after.keys()):
            self.stream += f"D {path}\n".encode()
        for path in sorted(after):
            if before.get(path) != after[path]:
                mode = "120000" if path == LINK else "100644"
                self.stream += f"M {mode} inline {path}\n".encode()
                self.data(after[path])
        self.stream += b"\n"
        self.n_commits += 1
        return self.n_marks

    def save(self, message, before):
        parents = [self.tip] if self.tip else []
        self.tip = self.commit(message, before, self.project.files(), parents)

    # ---- steps: each changes the project and returns the commit's message

    def style_and_steps(self):
        return self.plan["late" if self.due().year >= 2024 else "early"]

    def new_module(self, style):
        self.n_modules += 1
        noun = self.writer.noun()
        has_class = self.dice.chance(50)
        module = Module(f"{self.project.package}/{noun}_{self.n_modules}.py",
                        f"Everything about one {noun}.",
                        noun.capitalize() if has_class else None, 2 if has_class else 0)
        for _ in range(self.dice.between(1, 3)):
            module.functions.append(self.writer.function(style))
        self.project.modules.append(module)
        return module

    def step_function(self, style):
        full = [m for m in self.project.modules if len(m.functions) >= 7]
        if len(full) == len(self.project.modules) or self.dice.chance(25):
            return f"Add {self.new_module(style).path}"
        module = self.dice.pick([m for m in self.project.modules if m not in full])
        function = self.writer.function(style)
        module.functions.append(function)
        return f"Add {function.name}"

    def largest(self):
        """One of the three longest functions: work goes where work has gone before."""
        ranked = sorted(self.project.functions(), key=lambda mf: -len(mf[1].body))
        return self.dice.pick(ranked[:3])[1]

    def step_grow(self, style):
        function = self.largest()
        for _ in range(self.dice.between(1, 3)):
            function.body.append(self.writer.statement(style))
        return f"{function.name}: handle one more case"

    def step_edit(self, style):
        function = self.dice.pick(self.project.functions())[1]
        function.body[self.dice.below(len(function.body))] = self.writer.statement(style)
        return f"Fix {function.name}"

    def step_copy(self, style):
        module, function = self.dice.pick(self.project.functions())
        module.functions.append(function.copy(self.writer.name()))
        return f"Add a variant of {function.name}"

    def step_split(self, style):
        function = self.largest()
        if len(function.body) < 4:
            return self.step_function(style)
        module = next(m for m, f in self.project.functions() if f is function)
        half = len(function.body) // 2
        name = self.writer.name()
        call = Statement([f"{function.args[0]} = {name}({', '.join(function.args)})"])
        part = Function(name, function.args, f"Second half of {function.name}.",
                        function.body[half:], function.args[0])
        function.body[half:] = [call]
        module.functions.append(part)
        return f"Split {function.name}"

    def step_tests(self, style):
        module, function = self.dice.pick(self.project.functions())
        path = f"tests/test_{function.name}.py"
        name = module.path[:-3].replace("/", ".")
        self.project.texts[path] = "\n".join([
            f"from {name} import {function.name}", "", "", f"def test_{function.name}():",
            *(f"    {arg} = {self.writer.expression(2)}" for arg in function.args),
            f"    assert {function.name}({', '.join(function.args)}) is not None", ""])
        return f"Test {function.name}"

    def step_docs(self, style):
        self.project.texts["README.md"] += f"\nIt can {self.writer.name().replace('_', ' ')}.\n"
        return "Say more in the README"

    # ---- one-time events

    def start(self):
        style, _ = self.style_and_steps()
        self.project.python2 = "python2_until" in self.plan
        self.project.texts["README.md"] = f"# {self.short}\n"
        self.project.texts["setup.py"] = (
            f'from setuptools import setup\n\nsetup(name="{self.short}", version="0.1")\n')
        self.project.texts[f"{self.project.package}/__init__.py"] = ""
        self.project.texts["build/lib/old.py"] = "value = 1\n"
        self.project.texts[LINK] = "../README.md"
        self.new_module(style)
        self.save("Start", {})

    def branch_and_merge(self, style):
        """Two commits on a branch, one on main meanwhile, then the merge."""
        base, fork = self.project.files(), self.tip
        trunk = self.project
        self.project = copy.deepcopy(trunk)
        module = self.new_module(style)
        first = self.project.files()
        mark = self.commit(f"Begin {module.path}", base, first, [fork], "topic")
        module.functions.append(self.writer.function(style))
        mark = self.commit(f"Finish {module.path}", first, self.project.files(), [mark], "topic")
        self.project = trunk
        message = self.step_edit(style)
        self.save(message, base)
        before = self.project.files()
        self.project.modules.append(module)
        self.tip = self.commit("Merge branch 'topic'", before, self.project.files(),
                               [self.tip, mark])

    def rename_package(self):
        before = self.project.files()
        old = self.project.package
        self.project.package = self.short
        for module in self.project.modules:
            module.path = module.path.replace(old + "/", self.short + "/", 1)
        self.project.texts = {k.replace(old + "/", self.short + "/", 1): v
                              for k, v in self.project.texts.items()}
        self.save(f"Rename the package to {self.short}", before)

    def delete_module(self):
        before = self.project.files()
        gone = self.project.modules.pop(0)
        self.save(f"Remove {gone.path}", before)

    def leave_python2(self):
        before = self.project.files()
        self.project.python2 = False
        self.save("Move to Python 3", before)

    def write(self):
        n = self.plan["commits"]
        self.start()
        while self.n_commits < n:
            if self.project.python2 and self.due().year > self.plan["python2_until"]:
                self.leave_python2()
            elif self.project.package != self.short and self.n_commits > n // 3:
                self.rename_package()
            elif self.n_commits == n // 2 and len(self.project.modules) > 2:
                self.delete_module()
            else:
                self.step()
        self.stream += b"reset refs/heads/topic\nfrom 0000000000000000000000000000000000000000\n\n"
        self.stream += b"done\n"

    def step(self):
        style, steps = self.style_and_steps()
        draw = self.dice.below(sum(steps.values()))
        for name, weight in steps.items():
            if draw < weight:
                break
            draw -= weight
        if name == "branch" and self.n_commits + 4 <= self.plan["commits"]:
            self.branch_and_merge(style)
            return
        before = self.project.files()
        message = getattr(self, f"step_{'function' if name == 'branch' else name}")(style)
        if steps is HURRIED and self.dice.chance(40):
            message += ASSISTED
        self.save(message, before)
