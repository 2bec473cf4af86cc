#!/usr/bin/env python3
"""Compute the main tables of `strata report` anew from what `strata store export` writes.

usage: report_tables.py STRATA STORE

Nothing of the report's own code is used: complexity and erosion come from the counters of the
callables, the rest from scores, dates, stars and records.  Tiers, slopes, growth, drift, phases,
ratios, solve rates, predictions and the nine variants of erosion are compared value by value.  Exit
status 1 when one differs.
"""

import collections
import json
import math
import statistics
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

# Profile `paper`: one for the callable and one for each of these.
COUNTED = ["if", "elif", "for", "while", "except", "except_star", "assert", "list_comp", "set_comp", "dict_comp",
           "generator", "comp_if", "case_guard", "and_or", "ternary"]
HIGH = 10
LEFT_OUT = {".git", ".venv", "venv", "env", ".env", "__pycache__", "build", "dist", "node_modules", "site-packages",
            ".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox"}
TIERS = [("hobby", 100), ("niche", 1000), ("established", 10000), ("major", math.inf)]
CUTS = {"2022-11-30 ChatGPT": 1669766400, "2024-01-01": 1704067200}
PHASES = ["Start", "Early", "Mid", "Late", "Final"]
STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131,
           2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042]


def lines_of(path):
    with path.open() as lines:
        for line in lines:
            yield json.loads(line)


# ---- The panel ------------------------------------------------------------------------------------


SIZES = {"none": lambda sloc: 1, "sqrt": math.sqrt, "linear": lambda sloc: sloc}
VARIANTS = [(cutoff, size) for cutoff in (8, 10, 12) for size in SIZES]


def callables_of_blobs(folder):
    """Of each blob with facts and without errors: complexity and source lines of its callables."""
    callables = {row["blob"]: [] for row in lines_of(folder / "blobs.jsonl") if row["has_error"] == 0}
    for row in lines_of(folder / "callables.jsonl"):
        if row["is_reachable"] and row["blob"] in callables and row["sloc_parts"] > 0:
            complexity = 1 + sum(row["all_" + name] for name in COUNTED)
            callables[row["blob"]].append((complexity, row["sloc_parts"]))
    return callables


def erosions(folder):
    """By checkpoint and variant, from the callables of its files."""
    sums = {}
    for blob, callables in callables_of_blobs(folder).items():
        for variant in VARIANTS:
            masses = [(cc > variant[0], cc * SIZES[variant[1]](sloc)) for cc, sloc in callables]
            sums[blob, variant] = (math.fsum(m for _, m in masses), math.fsum(m for high, m in masses if high))
    found = collections.defaultdict(lambda: {variant: [0.0, 0.0] for variant in VARIANTS})
    for row in lines_of(folder / "files.jsonl"):
        if LEFT_OUT & set(row["path"].split("/")[:-1]):
            continue
        for variant, total in found[row["trajectory"], row["ordinal"]].items():
            every, high = sums.get((row["blob"], variant), (0.0, 0.0))
            total[0] += every
            total[1] += high
    return {key: {v: high / every if every else 0.0 for v, (every, high) in by_variant.items()}
            for key, by_variant in found.items()}


class Point:
    def __init__(self, checkpoint, score, erosion):
        self.time = checkpoint["time_s"]
        record = checkpoint["record"] or "{}"
        self.record = json.loads(record) if isinstance(record, str) else record
        self.x = self.record.get("idx", checkpoint["ordinal"] + 1)
        self.kept = bool(score and score["total_loc"] > 0)
        self.value = {}
        if self.kept:
            lines = score["total_lines"]
            self.value = {"verbosity": score["verbosity"], "erosion": erosion[HIGH, "sqrt"],
                          "cc_max": score["cc_max"], "cc_mean": score["cc_mean"], "loc": lines,
                          "high_count": score["high_cc_functions"], **erosion}
            if score["ast_grep_hits"] is not None:
                self.value["hit_ratio"] = score["ast_grep_hits"] / lines
            if abs(self.value["erosion"] - score["erosion"]) > 1e-12:
                sys.exit(f"erosion of {checkpoint['trajectory']} {checkpoint['ordinal']} is {self.value['erosion']}, "
                         f"the score says {score['erosion']}")


class Line:
    def __init__(self, about, points):
        self.id = about["trajectory"]
        self.is_agent = about["kind"] == "agent"
        self.setup = json.loads(about["params"] or "{}") if self.is_agent else {}
        self.tier = next(n for n, top in TIERS if about["stars"] < top) if about["stars"] is not None else None
        if not self.is_agent:
            points = sorted((p for p in points if p.time is not None), key=lambda p: (p.time, p.x))
        self.points = points if not self.is_agent else sorted(points, key=lambda p: p.x)
        self.configured = self.setup.get("n_checkpoints", 0)

    def series(self, measure):
        kept = [p for p in self.points if p.kept]
        xs = [p.x for p in kept] if self.is_agent else range(1, len(kept) + 1)
        return [(x, p.value[measure]) for x, p in zip(xs, kept) if p.value[measure] is not None]

    def run(self):
        return tuple(self.setup.get(k, "") for k in ("model", "prompt", "variant", "run"))


def read_panel(folder):
    scores = {(r["trajectory"], r["ordinal"]): r for r in lines_of(folder / "scores.jsonl")}
    erosion = erosions(folder)
    none = dict.fromkeys(VARIANTS, 0.0)
    points = collections.defaultdict(list)
    for row in lines_of(folder / "checkpoints.jsonl"):
        key = row["trajectory"], row["ordinal"]
        points[row["trajectory"]].append(Point(row, scores.get(key), erosion.get(key, none)))
    lines = [Line(about, points[about["trajectory"]]) for about in lines_of(folder / "trajectories.jsonl")]
    share_configured(lines)
    return lines


def share_configured(lines):
    """What one run does not say of a problem another may; no fewer than were seen."""
    most = collections.Counter()
    for line in lines:
        problem = line.setup.get("problem")
        most[problem] = max(most[problem], line.configured)
    for line in lines:
        seen = max((p.x for p in line.points), default=0)
        line.configured = max(line.configured or most[line.setup.get("problem")], seen)


# ---- Statistics -----------------------------------------------------------------------------------


def mean(values):
    values = [v for v in values if v is not None]
    return float(sum(map(Fraction, values)) / len(values)) if values else None


def deviation(values):
    return statistics.stdev(map(Fraction, values)) if len(values) > 1 else None


def median(values):
    return statistics.median(values) if values else None


def share(part, whole):
    return part / whole if whole else None


def half_width(values):
    n = len(values)
    if n < 2:
        return None
    return (STUDENT[n - 2] if n <= 31 else 1.96) * float(deviation(values)) / math.sqrt(n)


def least_squares(pairs):
    xs, ys = [Fraction(x) for x, _ in pairs], [Fraction(y) for _, y in pairs]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return float(sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs))


ESTIMATORS = {
    "least squares": least_squares,
    "end points": lambda p: (p[-1][1] - p[0][1]) / (p[-1][0] - p[0][0]),
    "mean step": lambda p: (p[-1][1] - p[0][1]) / (len(p) - 1),
    "median of pairwise slopes": lambda p: median(
        [(b[1] - a[1]) / (b[0] - a[0]) for i, a in enumerate(p) for b in p[i + 1:]]),
    "least squares over progress": lambda p: least_squares(p) * (p[-1][0] - p[0][0]),
}


# ---- The report's rows ----------------------------------------------------------------------------


class Comparison:
    def __init__(self, report):
        self.tables = {(s["name"], t["name"]): t["rows"] for s in report["sections"] for t in s["tables"]}
        self.n_compared = self.n_differing = 0

    def row(self, section, table, **names):
        for row in self.tables[section, table]:
            if all(row[name] == value for name, value in names.items()):
                return row
        sys.exit(f"no row {names} in {section}/{table}")

    def same(self, where, row, **expected):
        for name, value in expected.items():
            have = row[name]
            self.n_compared += 1
            if have is None or value is None:
                agrees = have is value
            else:
                agrees = math.isclose(have, value, rel_tol=1e-9, abs_tol=1e-12)
            if not agrees:
                self.n_differing += 1
                print(f"{where} {name}: the report has {have}, computed anew {value}")


def populations(lines):
    people = [line for line in lines if not line.is_agent]
    for tier, _ in TIERS:
        yield tier, [line for line in people if line.tier == tier]
    yield "all repositories", people
    yield "agents", [line for line in lines if line.is_agent and line.is_compared]


def heads_or_all(lines, measure):
    values = []
    for line in lines:
        series = [y for _, y in line.series(measure)]
        values += series if line.is_agent else series[-1:]
    return values


def compare_tiers(report, lines):
    for name, group in populations(lines):
        if not group:
            continue
        verbosity, erosion = (heads_or_all(group, m) for m in ("verbosity", "erosion"))
        report.same(f"tiers {name}", report.row("tiers", "tiers", group=name), n=len(erosion),
                    verbosity_mean=mean(verbosity), verbosity_stddev=deviation(verbosity),
                    erosion_mean=mean(erosion), erosion_stddev=deviation(erosion))


def compare_slopes(report, lines):
    for name, group in populations(lines):
        for measure in ("verbosity", "erosion"):
            series = [s for s in (line.series(measure) for line in group) if len(s) >= 2]
            if not series:
                continue
            where = f"slopes {name} {measure}"
            names = ESTIMATORS if name in ("all repositories", "agents") else {}
            for estimator in names:
                slopes = [ESTIMATORS[estimator](s) for s in series]
                row = report.row("slopes", "estimators", group=name, measure=measure, estimator=estimator)
                report.same(where, row, n=len(slopes), mean=mean(slopes), median=median(slopes))
            slopes = [least_squares(s) for s in series]
            row = report.row("slopes", "slopes", group=name, measure=measure)
            report.same(where, row, n=len(slopes), mean=mean(slopes), median=median(slopes))
            rising = sum(s[-1][1] > s[0][1] for s in series)
            report.same(where, report.row("slopes", "rising", group=name, measure=measure), n=len(series),
                        rising=rising, share=rising / len(series), ties=sum(s[-1][1] == s[0][1] for s in series),
                        slope_rising=sum(slope > 0 for slope in slopes))


def compare_growth(report, lines):
    for name, group in populations(lines):
        for measure in ("verbosity", "erosion"):
            for least in (2, 5) if name == "agents" else (5,):
                series = [[y for _, y in s] for s in (line.series(measure) for line in group) if len(s) >= least]
                if not series:
                    continue
                positive = [s for s in series if s[0] > 0]
                rises = [s[-1] > s[0] for s in series]
                positive_rises = sum(s[-1] > s[0] for s in positive)
                report.same(f"growth {name} {measure}",
                            report.row("growth", "growth", group=name, measure=measure, least=least),
                            n=len(series), rising=sum(rises), rising_share=share(sum(rises), len(series)),
                            positive=len(positive), positive_rising=positive_rises,
                            positive_share=share(positive_rises, len(positive)),
                            median_growth=median([(s[-1] - s[0]) / s[0] for s in positive]))


def signed_rank(shifts):
    """Sum of positive ranks, and the two-sided p where every choice of signs can be counted."""
    kept = sorted((s for s in shifts if s), key=abs)
    sizes = [abs(s) for s in kept]
    n = len(kept)
    ranks = [sum(other < size for other in sizes) + (sizes.count(size) + 1) / 2 for size in sizes]
    plus = sum(rank for rank, s in zip(ranks, kept) if s > 0)
    if n >= 50 or len(set(sizes)) < n or n == 0:
        return plus, None
    ways = [1]
    for rank in range(1, n + 1):
        longer = ways + [0] * rank
        for total, count in enumerate(ways):
            longer[total + rank] += count
        ways = longer
    smaller = int(min(plus, n * (n + 1) / 2 - plus))
    return plus, min(1.0, 2 * sum(ways[:smaller + 1]) / 2**n)


def compare_drift(report, lines):
    people = [line for line in lines if not line.is_agent]
    for cut, cut_s in CUTS.items():
        for measure in ("verbosity", "erosion"):
            sides, shifts = ([], []), []
            for line in people:
                own = ([], [])
                for p in line.points:
                    if p.kept and p.value[measure] is not None:
                        own[p.time >= cut_s].append(p.value[measure])
                for side, values in zip(sides, own):
                    side.extend(values)
                if min(map(len, own)) >= 3:
                    shifts.append(median(own[1]) - median(own[0]))
            if not all(sides):
                continue
            where = f"drift {cut} {measure}"
            cliff = sum((b > a) - (b < a) for a in sides[0] for b in sides[1]) / (len(sides[0]) * len(sides[1]))
            report.same(where, report.row("drift", "pooled", cut=cut, measure=measure, group="all"),
                        n_before=len(sides[0]), n_after=len(sides[1]), before=median(sides[0]),
                        after=median(sides[1]), shift=median(sides[1]) - median(sides[0]), cliff=cliff)
            row = report.row("drift", "within", cut=cut, measure=measure, group="all")
            report.same(where, row, n=len(shifts), shift=median(shifts), rising=sum(s > 0 for s in shifts),
                        share=share(sum(s > 0 for s in shifts), len(shifts)))
            plus, p = signed_rank(shifts)
            if shifts:
                report.same(where, row, w_plus=plus)
            if p is not None:
                report.same(where, row, p=p)


def phase_of(i, n):
    if i == 1:
        return "Start"
    if i == n:
        return "Final"
    interior = n - 2
    groups = [interior // 3 + (interior % 3 > k) for k in range(3)]
    return "Early" if i - 1 <= groups[0] else "Mid" if i - 1 <= groups[0] + groups[1] else "Late"


def by_phase(lines):
    phases = collections.defaultdict(list)
    for line in lines:
        points = line.points if line.is_agent else [p for p in line.points if p.kept]
        for number, point in enumerate(points, 1):
            x = point.x if line.is_agent else number
            phases[phase_of(x, line.configured if line.is_agent else len(points))].append(point)
    return phases


def rate(record, kind):
    return share(record.get(kind + "_passed", 0), record.get(kind + "_total", 0))


def compare_phases(report, lines):
    groups = dict(populations(lines))
    for name in ("agents", "all repositories"):
        if not groups[name]:
            continue
        phases = by_phase(groups[name])
        for phase in PHASES:
            kept = [p for p in phases[phase] if p.kept]
            values = {m: [p.value[m] for p in kept if p.value.get(m) is not None]
                      for m in ("verbosity", "erosion", "cc_max", "high_count", "hit_ratio")}
            row = report.row("phases", "quality", group=name, phase=phase)
            report.same(f"phases {name} {phase}", row, n=len(kept), **{m: mean(v) for m, v in values.items()})
            half = half_width(values["erosion"])
            if half is not None:
                report.same(f"phases {name} {phase}", row, erosion_95_low=mean(values["erosion"]) - half,
                            erosion_95_high=mean(values["erosion"]) + half)
            records = [p.record for p in phases[phase] if p.record]
            if name == "agents":
                solved = {k: mean([float(r.get(k + "_pass_rate") == 1.0) for r in records])
                          for k in ("strict", "isolated", "core")}
                churn = [r.get("delta.churn_ratio") for r in records]
                report.same(f"phases {phase}", report.row("phases", "outcomes", phase=phase), records=len(records),
                            kept=len(kept), **solved, cost=mean([r.get("cost") for r in records]),
                            core_rate=mean([rate(r, "core") for r in records]),
                            functionality_rate=mean([rate(r, "functionality") for r in records]),
                            error_rate=mean([rate(r, "error") for r in records]),
                            churn=mean([c for c in churn if c is not None and math.isfinite(c)]))


def compare_ratios(report, lines):
    groups = dict(populations(lines))
    if not groups["agents"] or not groups["all repositories"]:
        return
    for measure in ("verbosity", "erosion"):
        agents, heads = (mean(heads_or_all(groups[g], measure)) for g in ("agents", "all repositories"))
        what = "mean (agents pooled, repositories at head)"
        report.same(f"ratios {measure}", report.row("agents-vs-human", "ratios", what=what, measure=measure),
                    agents=agents, human=heads, ratio=agents / heads)
        above = [heads_or_all([line], measure)[0] > agents for line in groups["all repositories"] if
                 heads_or_all([line], measure)]
        ever = [max(y for _, y in line.series(measure)) > agents for line in groups["all repositories"] if
                line.series(measure)]
        report.same(f"above {measure}", report.row("agents-vs-human", "above", measure=measure), n=len(above),
                    at_head=sum(above), ever=sum(ever))


# ---- Prediction and the nine variants -------------------------------------------------------------


def correlation(pairs):
    pairs = [(x, y) for x, y in pairs if x is not None and y is not None]
    xs, ys = [x for x, _ in pairs], [y for _, y in pairs]
    if len(set(xs)) < 2 or len(set(ys)) < 2:
        return None
    return statistics.correlation(xs, ys)


def rank_correlation(pairs):
    pairs = [(x, y) for x, y in pairs if x is not None and y is not None]

    def ranks(values):
        return [sum(o < v for o in values) + (sum(o == v for o in values) + 1) / 2 for v in values]

    return correlation(list(zip(ranks([x for x, _ in pairs]), ranks([y for _, y in pairs]))))


def prediction(lines, measure):
    """Columns of a row: what MEASURE says of the next checkpoint's pass rate and cost."""
    neighbours = [(a, b) for line in lines if line.is_agent and line.is_compared
                  for a, b in zip(line.points, line.points[1:]) if a.kept and b.x == a.x + 1 and b.record]
    passes = [(a.value.get(measure), b.record.get("strict_pass_rate")) for a, b in neighbours]
    costs = [(a.value.get(measure), b.record.get("cost")) for a, b in neighbours]
    return {"pass": correlation(passes), "cost": correlation(costs), "cost_rank": rank_correlation(costs)}


def compare_sensitivity(report, lines):
    groups = dict(populations(lines))
    for row in report.tables["sensitivity", "prediction"]:
        if row["measure"] in ("erosion", "loc", "cc_mean", "cc_max", "hit_ratio"):
            report.same(f"prediction {row['measure']}", row, **prediction(lines, row["measure"]))
    for cutoff, size in VARIANTS:
        row = report.row("sensitivity", "erosion", cutoff=cutoff, size=size)
        people, agents = (heads_or_all(groups[g], (cutoff, size)) for g in ("all repositories", "agents"))
        slopes = [least_squares(s) for s in (line.series((cutoff, size)) for line in groups["all repositories"])
                  if len(s) >= 2]
        report.same(f"erosion above {cutoff}, {size}", row, human_mean=mean(people), human_stddev=deviation(people),
                    agents_mean=mean(agents), human_slope=median(slopes), **prediction(lines, (cutoff, size)))


# ---- Agent runs -----------------------------------------------------------------------------------


class Run:
    def __init__(self, lines):
        self.lines = lines
        problems = [[p.record for p in line.points if p.record] for line in lines]
        records = [r for problem in problems for r in problem]
        self.n = len(records)
        self.expected = sum(line.configured for line in lines)
        self.solved = {k: sum(r.get(k + "_pass_rate") == 1.0 for r in records) for k in ("strict", "isolated", "core")}
        self.partial = sum(any(r.get("strict_pass_rate") == 1.0 for r in problem) for problem in problems)
        self.costs = [r["cost"] for r in records if "cost" in r]
        self.net = math.fsum(self.costs)

    def rank(self):
        return (-self.solved["isolated"], -self.solved["core"], -self.solved["strict"], self.net / max(self.n, 1))


def find_runs(lines):
    runs = collections.defaultdict(list)
    for line in lines:
        if line.is_agent:
            runs[line.run()].append(line)
    runs = {key: Run(own) for key, own in runs.items()}
    models = collections.defaultdict(list)
    for key, run in runs.items():
        if key[1] in ("", "just-solve"):
            models[key[0]].append(run)
    best = [min(candidates, key=Run.rank) for candidates in models.values()]
    for run in runs.values():
        for line in run.lines:
            line.is_compared = run in best
    return runs


def compare_solve(report, runs):
    for (model, prompt, variant, name), run in runs.items():
        row = report.row("solve", "runs", model=model, prompt=prompt, variant=variant, run=name)
        report.same(f"solve {model} {variant} {name}", row, n=run.n, expected=run.expected,
                    **{k: n / run.expected for k, n in run.solved.items()}, partial=run.partial / len(run.lines),
                    cost_mean=mean(run.costs), cost_stddev=deviation(run.costs),
                    net_cost=run.net if run.costs else None)


def read_report(strata, store):
    words = [strata, "report", "--quiet", "--json", "--store", store]
    for section in ("tiers", "slopes", "growth", "drift", "phases", "agents-vs-human", "solve", "sensitivity"):
        words += ["--section", section]
    return json.loads(subprocess.run(words, capture_output=True, check=True).stdout)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    strata, store = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        subprocess.run([strata, "store", "export", "--quiet", "--store", store, "--format", "jsonl", "--out", name],
                       stdout=subprocess.DEVNULL, check=True)
        lines = read_panel(Path(name))
    runs = find_runs(lines)
    report = Comparison(read_report(strata, store))
    compare_tiers(report, lines)
    compare_slopes(report, lines)
    compare_growth(report, lines)
    compare_drift(report, lines)
    compare_phases(report, lines)
    compare_ratios(report, lines)
    compare_solve(report, runs)
    compare_sensitivity(report, lines)
    print(f"{report.n_compared} values compared, {report.n_differing} differ")
    sys.exit(report.n_differing > 0 or report.n_compared == 0)


if __name__ == "__main__":
    main()
