"""Measures the accuracy of `validate`: faults found, genuine traces left alone.

    python bench/accuracy/run.py [--per-kind N] [--missed] [--markdown] [--no-write]

Faults are injected one at a time into genuine traces of the labelled sessions, rendered by this
tool and written by hand in Chinese and in English. A fault counts as found when a finding that the
genuine trace does not have points at the touched lines, at the heading above them or at the whole
document; warnings count only where the rule that the fault belongs to is a warning. A fault is
undecided when the trace's line is reported as one that cannot be checked (X902), because the client
cut away the output that would refute it; it counts as not found.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench.accuracy.base import Base, Fault
from bench.accuracy.faults import faults_of
from bench.accuracy.subjects import Subject, all_bases, read_subjects
from bench.accuracy.variations import variations_of
from summarizer.model.finding import Finding, Severity
from validators import RULES

RESULTS = Path(__file__).with_name("results.json")
SEED = 7
NAMES = {rule.code: rule.name for rule in RULES}
WARNINGS = {rule.code for rule in RULES if rule.severity is Severity.WARNING}


@dataclass
class Tally:
    """Counts of one run of the bench."""

    injected: Counter[str] = field(default_factory=Counter)
    """Faults by kind."""
    found: Counter[str] = field(default_factory=Counter)
    undecided: Counter[str] = field(default_factory=Counter)
    by_code: Counter[str] = field(default_factory=Counter)
    """Faults found by an expected code, by kind."""
    rule_injected: Counter[str] = field(default_factory=Counter)
    """Faults by the first rule that they belong to."""
    rule_found: Counter[str] = field(default_factory=Counter)
    true_of: Counter[str] = field(default_factory=Counter)
    """Faults that a rule reported at their place, by code."""
    false_of: Counter[str] = field(default_factory=Counter)
    """Findings on genuine texts, by code."""
    genuine: int = 0
    varied: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """Variations with a finding, by kind."""
    quotations: int = 0
    quotations_accepted: int = 0
    quotations_refused: int = 0
    missed: list[str] = field(default_factory=list)
    cried_wolf: list[str] = field(default_factory=list)


def key(finding: Finding) -> tuple[str, str, str | None]:
    """What makes a finding the same in two versions of a text; its line may differ."""
    return finding.code, finding.message, finding.actual


def visible(findings: Iterable[Finding]) -> list[Finding]:
    """Errors and warnings."""
    return [f for f in findings if f.severity is not Severity.INFO]


def undecided(findings: Iterable[Finding], touched: frozenset[int]) -> bool:
    """Whether a touched line is among those that are reported as not to be checked."""
    notes = " ".join(" ".join(f.notes) for f in findings if f.code == "X902" if _cut_off(f))
    return bool({int(n) for n in re.findall(r"\d+", notes)} & touched)


def _cut_off(finding: Finding) -> bool:
    return "cut off" in finding.message


def measure(
    subjects: list[Subject], *, seed: int = SEED, per_kind: int = 3, per_variation: int = 3
) -> Tally:
    """Run the bench."""
    tally = Tally()
    for subject, base in all_bases(subjects):
        before = visible(subject.findings(base.text))
        tally.genuine += 1
        _count_false(tally, base, "genuine", base.text, before)
        known = {key(finding) for finding in before}
        for fault in faults_of(base, seed, per_kind):
            _count_fault(tally, base, fault, subject.findings(fault.text), known)
        for variation in variations_of(base, seed, per_variation):
            tally.varied[variation.kind] += 1
            reported = visible(subject.findings(variation.text))
            wrong = [f for f in reported if key(f) not in known]
            tally.refused[variation.kind] += bool(wrong)
            what = f"{variation.kind} ({variation.what})"
            _count_false(tally, base, what, variation.text, wrong)
    return tally


def _count_false(
    tally: Tally, base: Base, what: str, text: str, findings: Iterable[Finding]
) -> None:
    lines = text.replace("\r\n", "\n").split("\n")
    for finding in findings:
        tally.false_of[finding.code] += 1
        tally.quotations_refused += finding.code.startswith("Q")
        line = finding.location.line
        shown = lines[line - 1].strip() if line <= len(lines) else ""
        tally.cried_wolf.append(
            f"{base.name}: {what}: {line} {finding.code} {finding.message} | {shown[:160]}"
        )


def _count_fault(
    tally: Tally,
    base: Base,
    fault: Fault,
    findings: Iterable[Finding],
    known: set[tuple[str, str, str | None]],
) -> None:
    findings = list(findings)
    new = [f for f in visible(findings) if key(f) not in known]
    wanted = set(fault.codes)
    near = [
        f
        for f in new
        if (f.severity is Severity.ERROR or f.code in wanted)
        and (
            f.location.line in fault.touched
            or f.location.line == 1
            or (fault.anywhere and f.code in wanted)
        )
    ]
    codes = {f.code for f in near}
    owner = fault.codes[0]
    tally.injected[fault.kind] += 1
    tally.rule_injected[owner] += 1
    tally.found[fault.kind] += bool(codes)
    tally.rule_found[owner] += bool(codes)
    tally.by_code[fault.kind] += bool(codes & wanted)
    for code in codes:
        tally.true_of[code] += 1
    tally.quotations += fault.altered_quotation
    unsure = not codes and undecided(findings, fault.touched)
    tally.undecided[fault.kind] += unsure
    tally.quotations_accepted += fault.altered_quotation and not codes and not unsure
    if not codes:
        elsewhere = ", ".join(f"{f.code}@{f.location.line}" for f in new) or "nothing"
        elsewhere = "undecided" if unsure else elsewhere
        tally.missed.append(
            f"{fault.kind} [{owner}] {base.name} line {min(fault.touched)}-{max(fault.touched)}"
            f" (found: {elsewhere})\n    was: {fault.was.strip()[:230]}\n"
            f"    now: {fault.now.strip()[:230]}"
        )


def results(tally: Tally) -> dict[str, Any]:
    """The published figures; plain numbers, in a stable order."""
    codes = sorted({*tally.rule_injected, *tally.true_of, *tally.false_of})
    return {
        "faults": sum(tally.injected.values()),
        "kinds": len(tally.injected),
        "found": sum(tally.found.values()),
        "found_by_expected_rule": sum(tally.by_code.values()),
        "undecided": sum(tally.undecided.values()),
        "genuine_traces": tally.genuine,
        "variations": sum(tally.varied.values()),
        "variation_kinds": len(tally.varied),
        "variations_refused": sum(tally.refused.values()),
        "false_findings": sum(tally.false_of.values()),
        "altered_quotations": tally.quotations,
        "altered_quotations_accepted": tally.quotations_accepted,
        "genuine_quotations_refused": tally.quotations_refused,
        "rules": {
            code: {
                "injected": tally.rule_injected[code],
                "found": tally.rule_found[code],
                "true": tally.true_of[code],
                "false": tally.false_of[code],
            }
            for code in codes
        },
        "fault_kinds": {
            kind: [tally.injected[kind], tally.found[kind], tally.by_code[kind]]
            for kind in sorted(tally.injected)
        },
        "variations_by_kind": {
            kind: [tally.varied[kind], tally.refused[kind]] for kind in sorted(tally.varied)
        },
    }


def percent(part: int, whole: int) -> str:
    """A share with one decimal; nothing of nothing is a dash."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def markdown(measured: dict[str, Any]) -> str:
    """The README's table, from the written results."""
    total, found = measured["faults"], measured["found"]
    lines = [
        f"{total} faults of {measured['kinds']} kinds, one at a time, in"
        f" {measured['genuine_traces']} genuine traces (rendered, and by hand in Chinese and"
        f" English); {measured['variations']} genuine variations of"
        f" {measured['variation_kinds']} kinds.",
        "",
        "| measure | value |",
        "| --- | --- |",
        f"| recall | {percent(found, total)} ({found}/{total}) |",
        f"| not decidable, reported as such (output cut off by the client) |"
        f" {measured['undecided']} |",
        f"| precision | {precision(measured)} |",
        f"| altered quotations accepted |"
        f" {measured['altered_quotations_accepted']} of {measured['altered_quotations']} |",
        f"| genuine quotations refused | {measured['genuine_quotations_refused']} |",
        f"| genuine variations refused |"
        f" {measured['variations_refused']} of {measured['variations']} |",
        "",
        "| rule | faults | found | recall | false findings | precision |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for code, row in measured["rules"].items():
        right, wrong = row["true"], row["false"]
        lines.append(
            f"| {code} `{NAMES.get(code, '?')}` | {row['injected']} | {row['found']}"
            f" | {percent(row['found'], row['injected'])} | {wrong}"
            f" | {percent(right, right + wrong)} |"
        )
    return "\n".join(lines) + "\n"


def precision(measured: dict[str, Any]) -> str:
    """Faults reported, as a share of those and of the findings on genuine texts."""
    right, wrong = measured["found"], measured["false_findings"]
    return f"{percent(right, right + wrong)} ({wrong} false findings)"


def _print(measured: dict[str, Any]) -> None:
    print(f"{'kind of fault':50} injected found by its rule")
    for kind, (injected, found, by_code) in measured["fault_kinds"].items():
        mark = "" if injected == found == by_code else "  <"
        print(f"{kind:50} {injected:8} {found:5} {by_code:11}{mark}")
    print(f"\n{'rule':36} faults found  true false")
    for code, row in measured["rules"].items():
        name = f"{code} {NAMES.get(code, '?')}"
        print(f"{name:36} {row['injected']:6} {row['found']:5} {row['true']:5} {row['false']:5}")
    print(f"\n{'genuine variation':50} tried refused")
    for kind, (tried, refused) in measured["variations_by_kind"].items():
        print(f"{kind:50} {tried:5} {refused:7}{'  <' if refused else ''}")
    for name in ("faults", "kinds", "found", "found_by_expected_rule", "undecided", "variations",
                 "variations_refused", "false_findings", "altered_quotations",
                 "altered_quotations_accepted", "genuine_quotations_refused"):  # fmt: skip
        print(f"{name.replace('_', ' '):30} {measured[name]}")
    print(
        f"recall {percent(measured['found'], measured['faults'])}, precision {precision(measured)}"
    )


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--per-kind", type=int, default=3, help="faults of a kind per trace")
    parser.add_argument("--per-variation", type=int, default=3)
    parser.add_argument("--missed", action="store_true", help="list what was missed")
    parser.add_argument("--markdown", action="store_true", help="print the stored README table")
    parser.add_argument("--no-write", action="store_true")
    options = parser.parse_args()
    if options.markdown:
        print(markdown(json.loads(RESULTS.read_text(encoding="utf-8"))), end="")
        return 0
    subjects = read_subjects()
    tally = measure(subjects, per_kind=options.per_kind, per_variation=options.per_variation)
    measured = results(tally)
    _print(measured)
    if options.missed:
        print("\nmissed:", *tally.missed, sep="\n")
        print("\ncried wolf:", *tally.cried_wolf, sep="\n")
    if not options.no_write:
        text = json.dumps(measured, ensure_ascii=False, indent=1) + "\n"
        RESULTS.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
