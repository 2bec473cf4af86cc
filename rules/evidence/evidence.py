#!/usr/bin/env python3
"""Measure the built-in rules on two corpora and write the table of README.md.

usage: evidence.py STRATA HUMAN AGENT > README.md

HUMAN and AGENT are folders that corpora.py laid out.  The rules are those of both selections.
precision.csv says how many hits that sample_hits.py draws were read, and the numbers of the wrong
ones.  kept.csv says why a rule counts although it fires as often on human code; without a reason
there such a rule is an error.
"""

import collections
import csv
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
RULES = HERE.parent
COUNTING = ("warning", "info", "error")
OVERLAP = 0.8
FILES_PER_CALL = 400

Hits = collections.namedtuple("Hits", "count lines")  # per rule: number of hits, set of (file, line)
Rule = collections.namedtuple("Rule", "id severity category message is_of_function")
Corpus = collections.namedtuple("Corpus", "name n_files sloc hits")


def source_lines(strata, files):
    """The (file, line) pairs that hold source, as `strata facts` counts them."""
    lines = set()
    for first in range(0, len(files), FILES_PER_CALL):
        words = [strata, "facts", *files[first : first + FILES_PER_CALL]]
        for text in subprocess.run(words, check=True, capture_output=True).stdout.splitlines():
            facts = json.loads(text)
            for first_line, last_line in facts.get("sloc_parts_lines", ()):
                lines.update((facts["path"], line) for line in range(first_line, last_line + 1))
    return lines


def read_hits(strata, folder, selection="strict"):
    """The hits of the rules of a selection in the files of FOLDER, as `strata rules scan` has them."""
    words = [strata, "rules", "scan", "--quiet", "--format", "jsonl", "--rules", RULES / selection, folder]
    for text in subprocess.run(words, check=True, capture_output=True).stdout.splitlines():
        yield json.loads(text)


def measure(strata, name, folder, selection, sloc, n_files):
    hits = collections.defaultdict(lambda: Hits(collections.Counter(), set()))
    for hit in read_hits(strata, folder, selection):
        rule = hits[hit["rule"]]
        rule.count["all"] += 1
        path = str(folder / hit["path"])
        rule.lines.update((path, line) for line in range(hit["start_line"], hit["end_line"] + 1))
    return Corpus(name, n_files, sloc, hits)


def rules_in_files(selection="strict"):
    """Every rule of a selection, in the order of the files."""
    for file in sorted((RULES / selection).glob("*.yml")):
        for document in file.read_text().split("\n---\n"):
            keys = {}
            for line in document.splitlines():
                key, colon, value = line.partition(": ")
                if colon and key in ("id", "severity", "message"):
                    keys[key] = value.strip('"')
            is_of_function = "extent: function" in document
            yield Rule(keys["id"], keys["severity"], file.stem, keys["message"], is_of_function)


def per_kloc(corpus, rule):
    return 1000 * corpus.hits[rule].count["all"] / len(corpus.sloc) if rule in corpus.hits else 0.0


def own_share(corpora, rule, counting):
    """The share of the rule's lines that no other counting rule flags; None without any line."""
    own = total = 0
    for corpus in corpora:
        if rule not in corpus.hits:
            continue
        others = corpus.others
        lines = corpus.hits[rule].lines
        total += len(lines)
        mine = 1 if rule in counting else 0
        own += sum(1 for line in lines if others[line] <= mine)
    return own / total if total else None


class Flagged(Corpus):
    """A corpus that knows how many counting rules flag each line."""

    @classmethod
    def of(cls, corpus, counting):
        made = cls(*corpus)
        made.others = collections.Counter()
        for rule, hits in corpus.hits.items():
            if rule in counting:
                made.others.update(hits.lines)
        return made


def flagged_share(corpus, counting):
    return sum(1 for line in corpus.sloc if corpus.others[line]) / len(corpus.sloc)


def ratio(human, agent):
    if human == 0:
        return "–" if agent == 0 else "only agents"
    return f"{agent / human:.2f}"


def is_human(corpora, rule):
    """Does the rule fire on human code as often as on agents', or on neither?"""
    human, agent = corpora
    return per_kloc(agent, rule) <= per_kloc(human, rule)


def print_table(rules, corpora, counting, precision, kept):
    human, agent = corpora
    print("| rule | severity | human | agent | ratio | own lines | read, right | kept: |")
    print("|---|---|--:|--:|--:|--:|--:|---|")
    category = None
    for rule, severity, file, *_ in rules:
        if file != category:
            category = file
            print(f"| **{category}** | | | | | | | |")
        own = own_share(corpora, rule, counting)
        read = precision.get(rule)
        h, a = per_kloc(human, rule), per_kloc(agent, rule)
        print(
            f"| {rule} | {severity} | {h:.3f} | {a:.3f} | {ratio(h, a)} "
            f"| {'–' if own is None else f'{own:.0%}'} "
            f"| {f'{read[0]}, {read[0] - len(read[1])}' if read else ''} "
            f"| {kept[rule] if rule in counting and is_human(corpora, rule) else ''} |"
        )


def print_calibrated(rules, corpora):
    human, agent = corpora
    counting = {rule.id for rule in rules}
    print("| rule | lines | human | agent | ratio | own lines |")
    print("|---|---|--:|--:|--:|--:|")
    topic = None
    for rule in rules:
        if rule.category != topic:
            topic = rule.category
            print(f"| **{topic}** | | | | | |")
        own = own_share(corpora, rule.id, counting)
        h, a = per_kloc(human, rule.id), per_kloc(agent, rule.id)
        print(
            f"| {rule.id} | {'function' if rule.is_of_function else 'statement'} | {h:.3f} | {a:.3f} "
            f"| {ratio(h, a)} | {'–' if own is None else f'{own:.0%}'} |"
        )


def corpora_of(strata, folders, selection, rules):
    """Both corpora with the hits of a selection, of which the RULES that count flag lines."""
    counting = {rule.id for rule in rules if rule.severity in COUNTING}
    return [
        Flagged.of(measure(strata, name, folder, selection, sloc, n_files), counting)
        for name, folder, sloc, n_files in folders
    ]


def overlaps(rules, corpora):
    """(rule, other, common lines, its lines) of pairs that have too many of the rule's lines in common."""
    lines = {
        rule.id: {(c.name, *at) for c in corpora if rule.id in c.hits for at in c.hits[rule.id].lines}
        for rule in rules
    }
    for a in rules:
        for b in rules:
            common = len(lines[a.id] & lines[b.id]) if a.id != b.id else 0
            if common > OVERLAP * len(lines[a.id]):
                yield a.id, b.id, common, len(lines[a.id])


def print_overlaps(rules, corpora):
    found = list(overlaps(rules, corpora))
    print("\n## Overlap\n")
    print(f"Pairs of rules, hints among them, of which one has over {OVERLAP:.0%} of its lines in "
          f"common with the other: {len(found)}.\n")
    for rule, other, common, total in found:
        print(f"* {rule}: {common} of its {total} lines are lines of {other}")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    strata = sys.argv[1]
    rules = list(rules_in_files())
    counting = {rule.id for rule in rules if rule.severity in COUNTING}
    folders = []
    for name, folder in zip(("human", "agent"), map(Path, sys.argv[2:])):
        files = sorted(str(path) for path in folder.rglob("*.py") if path.is_file())
        folders.append((name, folder, source_lines(strata, files), len(files)))
    corpora = corpora_of(strata, folders, "strict", rules)
    calibrated = list(rules_in_files("calibrated"))
    calibrated_corpora = corpora_of(strata, folders, "calibrated", calibrated)
    constructs = {rule.id for rule in calibrated}
    with (HERE / "precision.csv").open(newline="") as rows:
        precision = {row["rule"]: (int(row["read"]), row["wrong"].split()) for row in csv.DictReader(rows)}
    with (HERE / "kept.csv").open(newline="") as rows:
        kept = {row["rule"]: row["why"] for row in csv.DictReader(rows)}
    unexplained = [rule for rule in sorted(counting - kept.keys()) if is_human(corpora, rule)]
    if unexplained:
        sys.exit(f"these fire as often on human code; say why in kept.csv or make them hints: {unexplained}")
    print((RULES / "README.head.md").read_text().format(
        n_rules=len(rules),
        n_counting=len(counting),
        n_hint=len(rules) - len(counting),
        human_files=f"{corpora[0].n_files:,}",
        human_sloc=f"{len(corpora[0].sloc):,}",
        human_share=f"{flagged_share(corpora[0], counting):.1%}",
        agent_files=f"{corpora[1].n_files:,}",
        agent_sloc=f"{len(corpora[1].sloc):,}",
        agent_share=f"{flagged_share(corpora[1], counting):.1%}",
        n_calibrated=len(calibrated),
        n_function=sum(1 for rule in calibrated if rule.is_of_function),
        human_calibrated=f"{flagged_share(calibrated_corpora[0], constructs):.1%}",
        agent_calibrated=f"{flagged_share(calibrated_corpora[1], constructs):.1%}",
        n_read=len(precision),
        n_kept=sum(1 for rule in counting if is_human(corpora, rule)),
    ))
    print_table(rules, corpora, counting, precision, kept)
    print_overlaps(rules, corpora)
    print("\n## Evidence of the calibrated selection\n")
    print((HERE / "calibrated.head.md").read_text())
    print_calibrated(calibrated, calibrated_corpora)


if __name__ == "__main__":
    main()
