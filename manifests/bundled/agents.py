"""Two agent trajectories of the bundled panel, as one run in SlopCodeBench's output layout.

Only what a run leaves behind is written: snapshots, run information, evaluations and the records of
the checkpoints, without quality keys, which strata computes from the snapshots.
"""

import datetime
import json
import shutil

from pytext import Dice, Module, Style, Writer

RUN = "demo-agent/just-solve_20250601T0900"
PROBLEMS = [
    {"name": "invoice_tool", "entry": "invoices", "checkpoints": 5,
     "words": (["invoice", "line", "rate", "client", "total"], ["load", "sum", "check", "post"])},
    {"name": "log_reader", "entry": "reader", "checkpoints": 4,
     "words": (["event", "window", "source", "field", "batch"], ["parse", "scan", "merge", "emit"])},
]
MODEL = {"provider": "demo", "name": "demo-agent"}
GROUPS = ["Core", "Functionality", "Regression", "Error"]
STYLE = Style(long_way=36, nest=30, size=5)


class Workspace:
    """The program an agent writes: it piles new cases on one function and copies the others."""

    def __init__(self, problem):
        self.dice = Dice(problem["name"])
        self.writer = Writer(self.dice, *problem["words"])
        self.main = Module(problem["entry"] + ".py", f"Solves {problem['name']}.")
        self.main.functions += [self.writer.function(STYLE) for _ in range(5)]
        self.main.functions[0].name = "main"

    def solve_next(self):
        for _ in range(self.dice.between(3, 6)):
            self.main.functions[0].body.append(self.writer.statement(STYLE))
        self.main.functions.append(self.writer.function(STYLE))
        if self.dice.chance(60):
            copied = self.dice.pick(self.main.functions[1:])
            self.main.functions.append(copied.copy(self.writer.name()))

    def files(self):
        return {self.main.path: self.main.text(python2=False), "NOTES.md": "Run the entry file.\n"}


def json_text(value):
    return json.dumps(value, indent=2) + "\n"


def yaml_text(value, depth=0):
    """Enough of YAML for mappings, lists of mappings and scalars that JSON spells the same."""
    pad = "  " * depth
    lines = []
    for key in sorted(value):
        item = value[key]
        if isinstance(item, dict) and item:
            lines += [f"{pad}{key}:", yaml_text(item, depth + 1).rstrip("\n")]
        else:
            lines.append(f"{pad}{key}: {json.dumps(item)}")
    return "\n".join(lines) + "\n"


def save(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def evaluation(problem, index, dice):
    """Test results that get worse as the program grows."""
    name = f"checkpoint_{index}"
    totals = {"Core": 4, "Functionality": 3, "Regression": 4 * (index - 1), "Error": 2}
    passes = {group: n - min(n, dice.below(index + 1)) for group, n in totals.items()}
    tests = {}
    for group, n in totals.items():
        if n:
            ids = [f"test_{problem['entry']}_{group.lower()}_{i}" for i in range(n)]
            owner = f"checkpoint_{index - 1}" if group == "Regression" else name
            tests[f"{owner}-{group}"] = {"passed": ids[:passes[group]],
                                         "failed": ids[passes[group]:], "skipped": []}
    return {"schema_version": 1, "problem_name": problem["name"], "problem_version": 1,
            "checkpoint_name": name, "checkpoint_version": 1, "duration": 2.5 + index,
            "entrypoint": f"python {problem['entry']}.py", "tests": tests,
            "pass_counts": passes, "total_counts": totals,
            "pytest_exit_code": 0 if passes == totals else 1,
            "pytest_collected": sum(totals.values()), "test_collection_hash": None,
            "infrastructure_failure": False}


def rate(passed, total):
    return passed / total if total else 0.0


def record(problem, index, result, inference):
    passes, totals = result["pass_counts"], result["total_counts"]
    n_passed, n_total = sum(passes.values()), sum(totals.values())
    out = {"problem": problem["name"], "version": 1, "checkpoint": f"checkpoint_{index}",
           "path": f"{problem['name']}/checkpoint_{index}", "idx": index, "state": "ran",
           "is_first": index == 1, "is_last": index == problem["checkpoints"],
           "strict_pass_rate": rate(n_passed, n_total),
           "core_pass_rate": rate(passes["Core"], totals["Core"]),
           "isolated_pass_rate": rate(n_passed - passes["Regression"],
                                      n_total - totals["Regression"]),
           "total_tests": n_total, "passed_tests": n_passed}
    for group in GROUPS:
        out[f"{group.lower()}_total"] = totals[group]
        out[f"{group.lower()}_passed"] = passes[group]
    usage = inference["usage"]
    out.update(started=inference["started"], ended=inference["completed"],
               duration=inference["elapsed"], cost=usage["cost"], steps=usage["steps"],
               **usage["net_tokens"])
    return out


def inference_result(index, started, dice):
    elapsed = 180.0 + 60 * index + dice.below(120)
    tokens = {"cache_read": 4000 * index, "cache_write": 900, "input": 9000 + 500 * index,
              "output": 700 + 150 * index, "reasoning": 0}
    ended = started + datetime.timedelta(seconds=elapsed)
    return {"artifacts_dir": "agent", "checkpoint_path": f"checkpoint_{index}",
            "completed": ended.isoformat(), "elapsed": elapsed, "error_message": None,
            "had_error": False, "snapshot_dir": "snapshot", "started": started.isoformat(),
            "usage": {"cost": 0.25 + 0.125 * index, "steps": 10 + 3 * index,
                      "current_tokens": dict.fromkeys(tokens, 0), "net_tokens": tokens}}


def write_checkpoint(folder, problem, index, workspace, started):
    name = f"checkpoint_{index}"
    settings = {"env": {}, "include_prior_tests": True, "name": name, "order": index,
                "state": "Core Tests", "timeout": 20, "version": 1}
    inference = inference_result(index, started, workspace.dice)
    result = evaluation(problem, index, workspace.dice)
    save(folder / "checkpoint.yaml", yaml_text(settings))
    save(folder / "prompt.txt", f"Solve step {index} of {problem['name']}.")
    save(folder / "inference_result.json", json_text(inference))
    save(folder / "evaluation.json", json_text(result))
    for path, text in workspace.files().items():
        save(folder / "snapshot" / path, text)
    return record(problem, index, result, inference)


def write_problem(run, problem):
    folder = run / problem["name"]
    names = [f"checkpoint_{i}" for i in range(1, problem["checkpoints"] + 1)]
    checkpoints = {name: {"name": name, "order": i, "version": 1}
                   for i, name in enumerate(names, 1)}
    save(folder / "problem.yaml", yaml_text(
        {"name": problem["name"], "version": 1, "description": "bundled",
         "entry_file": problem["entry"], "category": "bundled", "checkpoints": checkpoints}))
    workspace = Workspace(problem)
    started = datetime.datetime(2025, 6, 1, 9, 0)
    records = []
    for index in range(1, problem["checkpoints"] + 1):
        workspace.solve_next()
        records.append(write_checkpoint(folder / f"checkpoint_{index}", problem, index, workspace,
                                        started))
        started += datetime.timedelta(minutes=20)
    save(folder / "run_info.yaml", yaml_text(
        {"agent_type": "command", "agent_version": None, "model_name": MODEL["name"], "seed": 42,
         "snapshot_dir": "snapshot", "pass_policy": "any",
         "summary": {"checkpoints": dict.fromkeys(names, "ran"), "state": "completed",
                     "passed_policy": True}}))
    return records


def write_run(folder):
    shutil.rmtree(folder, ignore_errors=True)
    run = folder / RUN
    save(run / "config.yaml", yaml_text(
        {"agent": {"type": "command", "version": None}, "model": MODEL, "thinking": "none",
         "prompt_path": "just-solve.jinja", "pass_policy": "any",
         "problems": [problem["name"] for problem in PROBLEMS]}))
    save(run / "environment.yaml", yaml_text({"name": "local", "type": "local"}))
    save(run / "problem_catalog.json", json_text({"commit": "bundled", "version": "1"}))
    records = [r for problem in PROBLEMS for r in write_problem(run, problem)]
    save(run / "checkpoint_results.jsonl", "".join(json.dumps(r) + "\n" for r in records))
    print(f"{RUN} {len(records)} checkpoints")
