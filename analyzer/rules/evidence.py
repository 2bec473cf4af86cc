#!/usr/bin/env python3
"""Measure the built-in rules on two corpora and write the table of README.md.

usage: evidence.py STRATA HUMAN AGENT > README.md

HUMAN and AGENT are folders that corpora.py laid out.  The rules are those beside this script; the
counts of read hits come from precision.csv.
"""

import collections
import csv
import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
COUNTING = ("warning", "info", "error")
FILES_PER_CALL = 400

Hits = collections.namedtuple("Hits", "count lines")  # per rule: number of hits, set of (file, line)
Rule = collections.namedtuple("Rule", "id severity category message")
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


def read_hits(strata, folder):
    """The hits of the rules beside this script in the files of FOLDER, as `strata rules scan` has them."""
    words = [strata, "rules", "scan", "--quiet", "--format", "jsonl", "--rules", HERE / "python", folder]
    for text in subprocess.run(words, check=True, capture_output=True).stdout.splitlines():
        yield json.loads(text)


def measure(strata, name, folder):
    files = sorted(str(path) for path in folder.rglob("*.py") if path.is_file())
    sloc = source_lines(strata, files)
    hits = collections.defaultdict(lambda: Hits(collections.Counter(), set()))
    for hit in read_hits(strata, folder):
        rule = hits[hit["rule"]]
        rule.count["all"] += 1
        path = str(folder / hit["path"])
        rule.lines.update((path, line) for line in range(hit["start_line"], hit["end_line"] + 1))
    return Corpus(name, len(files), sloc, hits)


def rules_in_files():
    """Every rule, in the order of the files."""
    for file in sorted((HERE / "python").glob("*.yml")):
        for document in file.read_text().split("\n---\n"):
            keys = {}
            for line in document.splitlines():
                key, colon, value = line.partition(": ")
                if colon and key in ("id", "severity", "message"):
                    keys[key] = value.strip('"')
            yield Rule(keys["id"], keys["severity"], file.stem, keys["message"])


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


def print_table(rules, corpora, counting, precision):
    human, agent = corpora
    print("| rule | severity | human | agent | ratio | own lines | read, right |")
    print("|---|---|--:|--:|--:|--:|--:|")
    category = None
    for rule, severity, file, _ in rules:
        if file != category:
            category = file
            print(f"| **{category}** | | | | | | |")
        own = own_share(corpora, rule, counting)
        read = precision.get(rule)
        h, a = per_kloc(human, rule), per_kloc(agent, rule)
        print(
            f"| {rule} | {severity} | {h:.3f} | {a:.3f} | {ratio(h, a)} "
            f"| {'–' if own is None else f'{own:.0%}'} "
            f"| {f'{read[0]}, {read[1]}' if read else ''} |"
        )


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    strata = sys.argv[1]
    rules = list(rules_in_files())
    counting = {rule for rule, severity, _, _ in rules if severity in COUNTING}
    corpora = [
        Flagged.of(measure(strata, name, Path(folder)), counting)
        for name, folder in zip(("human", "agent"), sys.argv[2:])
    ]
    with (HERE / "precision.csv").open(newline="") as rows:
        precision = {row["rule"]: (int(row["read"]), int(row["right"])) for row in csv.DictReader(rows)}
    print((HERE / "README.head.md").read_text().format(
        n_rules=len(rules),
        n_counting=len(counting),
        n_hint=len(rules) - len(counting),
        human_files=f"{corpora[0].n_files:,}",
        human_sloc=f"{len(corpora[0].sloc):,}",
        human_share=f"{flagged_share(corpora[0], counting):.1%}",
        agent_files=f"{corpora[1].n_files:,}",
        agent_sloc=f"{len(corpora[1].sloc):,}",
        agent_share=f"{flagged_share(corpora[1], counting):.1%}",
        n_read=len(precision),
    ))
    print_table(rules, corpora, counting, precision)


if __name__ == "__main__":
    main()
