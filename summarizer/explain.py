"""Finds the source lines behind one line of a trace.

Quotations are looked up where they stand, statements by the evidence they were worded from,
figures by the report they were computed from. Prints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from summarizer.draft.offline import draft_offline
from summarizer.errors import InputError
from summarizer.facts import Derived
from summarizer.model.draft import Statement
from summarizer.model.evidence import Evidence, Witness
from summarizer.model.facts import STAGES, Facts, Pointer
from summarizer.model.trace import Section, TraceDoc
from summarizer.pipeline import SourceOptions, derive, read_trace_text
from summarizer.render.parse import parse_trace, split_trace

CONTEXT_LINES = 2
"""Lines shown before and after a found line."""
SNIPPET_LINES = 12
"""Lines shown of a source in which no single line was asked for."""

_PREFIX = re.compile(r"^\s*(?:>\s?)+|^\s*[-*+]\s+")
_ROUND = re.compile(r"第\s*(\d+)\s*轮")
_STAGE_SECTIONS = {"tilelang", "ascendc", "full_validation"}


@dataclass(frozen=True, slots=True)
class SourceSnippet:
    """A piece of a source with the line that matters."""

    evidence: Evidence
    first_line: int
    """1-based number of the first shown line inside the evidence text."""
    lines: tuple[str, ...]
    hit: int | None
    """1-based number of the line that was asked for; None when the whole text is meant."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What stands behind a line."""

    line: str
    kind: str
    """`quotation`, `statement`, `figure`, `section`, `nothing`."""
    note: str
    snippets: tuple[SourceSnippet, ...]


def explain_line(path: Path, number: int, options: SourceOptions) -> Explanation:
    """Return the sources of line `number` (1-based) of a trace.

    Raises:
        InputError: the trace or its sources cannot be read, or there is no such line.
    """
    text = read_trace_text(path)
    lines = split_trace(text)
    if not 1 <= number <= len(lines):
        raise InputError(f"{path}:{number}: the file has {len(lines)} lines")
    line = lines[number - 1]
    derived = derive(path.parent, options)
    doc = parse_trace(text)
    section = _section_at(doc, number)
    round_no = _round_at(lines, number, section)
    return (
        _statement(line, derived)
        or _quotation(line, derived, section, round_no)
        or _figure(line, derived, section)
        or _section(line, derived.facts, derived.evidence, section, round_no)
    )


def _section_at(doc: TraceDoc, number: int) -> Section | None:
    found = None
    for section in doc.sections:
        if section.heading.line <= number:
            found = section
    return found


def _round_at(lines: Sequence[str], number: int, section: Section | None) -> int | None:
    first = section.heading.line if section is not None else 1
    for index in range(number - 1, first - 2, -1):
        match = _ROUND.search(lines[index])
        if match and not lines[index].lstrip().startswith(">"):
            return int(match[1])
    return None


def _statement(line: str, derived: Derived) -> Explanation | None:
    """A statement that the drafter worded: its own evidence."""
    draft = draft_offline(derived.facts)
    notes = [s for note in draft.rounds for s in note.statements]
    notes += [s for drift in draft.drift for s in drift.statements]
    bare = _PREFIX.sub("", line).strip()
    matches: list[Statement] = [s for s in notes if s.text == bare]
    if not matches or not bare:
        return None
    wanted = dict.fromkeys(i for statement in matches for i in statement.evidence)
    found = [e for e in derived.evidence if e.id in wanted or e.id.split(".")[0] in wanted]
    codes = re.findall(r"`+ ?(.+?) ?`+", bare)
    return Explanation(line, "statement", "", tuple(_snippet(e, codes) for e in found))


def _quotation(
    line: str, derived: Derived, section: Section | None, round_no: int | None
) -> Explanation | None:
    """A quoted line: every place it stands in, the attributed round first."""
    text = line
    while (shorter := _PREFIX.sub("", text, count=1)) != text:
        text = shorter
    text = text.strip().strip("`").strip()
    if len(text) < 2:
        return None
    found = [e for e in derived.evidence if text in e.text]
    if not found:
        return None
    stage = section.key if section is not None else None
    found.sort(
        key=lambda e: (
            not e.witness.proves_quotation,
            not (e.stage == stage and e.round_no == round_no),
            e.stage != stage,
        )
    )
    best = [e for e in found if e.witness.proves_quotation] or found
    note = f"found in {len(found)} places" if len(found) > 1 else ""
    return Explanation(line, "quotation", note, tuple(_snippet(e, [text]) for e in best[:3]))


def _figure(line: str, derived: Derived, section: Section | None) -> Explanation | None:
    """A figure of the performance section or of the table: the report it was computed from."""
    if section is None or section.key not in {"performance", "summary_table"}:
        return None
    measured = derived.facts.performance
    if not measured.executed:
        return None
    wanted = {measured.evidence.evidence_id} if measured.evidence is not None else set()
    found = [
        e
        for e in derived.evidence
        if (e.id in wanted and e.witness is Witness.TOOL_OUTPUT)
        or e.witness is Witness.PERFORMANCE_FILE
    ]
    note = (
        f"ratio of means = {measured.mean_reference_ms} / {measured.mean_ascendc_ms}"
        f" = {measured.ratio_of_means}"
    )
    cases = re.findall(r"case\[(\d+)\]", line)
    needles = [f"[{int(case):<5d}]" for case in cases] or ["Overall", "Impl"]
    return Explanation(line, "figure", note, tuple(_snippet(e, needles) for e in found))


def _section(
    line: str,
    facts: Facts,
    evidence: Sequence[Evidence],
    section: Section | None,
    round_no: int | None,
) -> Explanation:
    """Anything else: the runs that the section's result rests on."""
    pointers: list[Pointer] = []
    if section is not None and section.key in _STAGE_SECTIONS:
        for name in STAGES:
            if name != section.key:
                continue
            rounds = facts.stages[name].rounds
            own = [item for item in rounds if item.round_no == round_no] or list(rounds)
            pointers = [run.evidence for item in own for run in item.runs]
            skipped = facts.stages[name].skip_evidence
            pointers += [skipped] if skipped is not None else []
    elif section is not None and section.key == "cases" and facts.cases.evidence is not None:
        pointers = [facts.cases.evidence]
    elif facts.last_evaluation is not None and section is not None and section.key != "other":
        pointers = [facts.last_evaluation]
    wanted = {pointer.evidence_id for pointer in pointers}
    found = [e for e in evidence if e.id in wanted]
    kind = "section" if found else "nothing"
    note = "" if found else "no source stands behind this line"
    return Explanation(line, kind, note, tuple(_snippet(e, ["Result:", "Status"]) for e in found))


def _snippet(evidence: Evidence, needles: Sequence[str]) -> SourceSnippet:
    lines = evidence.text.split("\n")
    for needle in sorted(needles, key=len, reverse=True):
        first = needle.split("\n", 1)[0]
        for index, line in enumerate(lines):
            if first and first in line:
                start = max(0, index - CONTEXT_LINES)
                end = min(len(lines), index + CONTEXT_LINES + 1)
                return SourceSnippet(evidence, start + 1, tuple(lines[start:end]), index + 1)
    return SourceSnippet(evidence, 1, tuple(lines[:SNIPPET_LINES]), None)
