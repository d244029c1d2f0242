"""Flattens a parsed trace into lines that know their section, label and round.

Must not know rules.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from summarizer.model.finding import Location
from summarizer.model.trace import Entry, Section, TextSpan, TraceDoc
from validators.prose import Line, read_line
from validators.rule import CheckContext

STAGE_OF_SECTION = {
    "cases": "cases",
    "tilelang": "tilelang",
    "ascendc": "ascendc",
    "performance": "performance",
    "full_validation": "full_validation",
}
"""Section key -> `Evidence.stage`; sections of other keys belong to no stage."""

TITLES = {
    "tilelang": "阶段一",
    "ascendc": "阶段二",
    "performance": "阶段三",
    "full_validation": "阶段四",
}

LINE_END = re.compile(r"\r\n|\r|\n")

_CHINESE = {word: number for number, word in enumerate("零一二三四五六七八九十")}
_NUMBER = r"(?:\d{1,4}|[一二三四五六七八九十])"
_ROUND = re.compile(
    rf"第\s*({_NUMBER})\s*(?:[-~～至到–—]\s*(?:第\s*)?({_NUMBER})\s*)?[轮次](?!性)"
    r"|(?:\bRound|\bIteration|迭代)\s*(\d{1,4})\b",
    re.IGNORECASE | re.ASCII,
)
_LEAD = re.compile(r"[\s>*+#_-]*")
_BETWEEN = re.compile(r"[\s、，,和与及/+&]*\Z")
_MAX_RANGE = 200

Kind = Literal["prose", "code", "cell"]


@dataclass(frozen=True, slots=True)
class Mention:
    """`第 N 轮` in a text."""

    rounds: tuple[int, ...]
    """1-based."""
    start: int
    end: int
    counts_rounds: bool
    """False for `第 N 次`, which may count something else."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One line of the trace with what it belongs to."""

    section: Section
    stage: str | None
    label: str | None
    """Canonical key of the nearest known label around it, `round` left aside."""
    rounds: tuple[int, ...]
    """1-based rounds it is attributed to; empty without attribution."""
    kind: Kind
    span: TextSpan
    """For prose the whole line of the file, else the line of the block or the cell."""
    info: str = ""
    """Language of the block a `code` line stands in."""
    has_children: bool = False
    """Whether list items or blocks hang below it."""
    item_start: bool = False
    """Whether the line begins a list item or paragraph."""
    zero_based: bool = False
    heads_round: bool = False
    """Whether the item itself is labelled with a round."""
    value: str = ""
    """For prose what follows the label, without the label."""

    @property
    def line(self) -> Line:
        """The line taken apart."""
        return read_line(self.span.text)

    def cut(self, start: int, end: int) -> str:
        """The original text of a 0-based half-open range, verbatim parts included."""
        return self.span.text[start:end]

    def at(self, start: int, end: int | None = None) -> Location:
        """The place of a 0-based half-open range of the span's text."""
        return Location(
            self.span.line,
            self.span.column + start,
            self.span.line,
            self.span.column + (end if end is not None else len(self.span.text)),
        )


def passages(context: CheckContext) -> tuple[Passage, ...]:
    """All lines of a trace that carry content, in the order of the document's structure."""
    return context.once("passages", lambda c: tuple(_walk_document(c.doc)))


def file_lines(doc: TraceDoc) -> list[str]:
    """The lines of the trace's text, without their ends."""
    return LINE_END.split(doc.text)


def _walk_document(doc: TraceDoc) -> Iterator[Passage]:
    lines = file_lines(doc)
    for section in doc.sections:
        walker = _Walker(lines, section, STAGE_OF_SECTION.get(section.key))
        for entry in section.entries:
            yield from walker.entry(entry, None, ())
        for block in section.blocks:
            for span in block.lines:
                yield walker.passage(span, "code", None, (), info=block.info)
        for table in section.tables:
            for row in table.rows:
                for cell in row:
                    yield walker.passage(cell, "cell", None, ())


class _Walker:
    """Carries what is the same for all lines of a section."""

    def __init__(self, lines: Sequence[str], section: Section, stage: str | None) -> None:
        self.lines = lines
        self.section = section
        self.stage = stage

    def passage(
        self,
        span: TextSpan,
        kind: Kind,
        label: str | None,
        rounds: tuple[int, ...],
        *,
        info: str = "",
        has_children: bool = False,
        item_start: bool = False,
        zero_based: bool = False,
        heads_round: bool = False,
        value: str = "",
    ) -> Passage:
        return Passage(
            self.section,
            self.stage,
            label,
            rounds,
            kind,
            span,
            info,
            has_children,
            item_start,
            zero_based,
            heads_round,
            value,
        )

    def whole_line(self, span: TextSpan) -> TextSpan:
        """The line of the file in which a span of prose stands."""
        if 1 <= span.line <= len(self.lines):
            return TextSpan(self.lines[span.line - 1], span.line, 1)
        return span

    def entry(self, entry: Entry, label: str | None, rounds: tuple[int, ...]) -> Iterator[Passage]:
        if entry.label is not None and entry.label != "round":
            label = entry.label
        first = self.whole_line(entry.value)
        rounds = self.rounds_of(entry, first) or rounds
        below = bool(entry.children or entry.blocks)
        yield self.passage(
            first,
            "prose",
            label,
            rounds,
            has_children=below,
            item_start=True,
            zero_based=entry.zero_based,
            heads_round=entry.label == "round",
            value=entry.value.text,
        )
        for span in entry.continuation:
            line = self.whole_line(span)
            zero = entry.zero_based
            yield self.passage(line, "prose", label, rounds, zero_based=zero, value=span.text)
        for block in entry.blocks:
            for span in block.lines:
                yield self.passage(span, "code", label, rounds, info=block.info)
        for child in entry.children:
            yield from self.entry(child, label, rounds)

    def rounds_of(self, entry: Entry, first: TextSpan) -> tuple[int, ...]:
        for text in (first.text, entry.value.text):
            leading = leading_rounds(text, entry.zero_based)
            if leading:
                return leading
        if entry.number is not None and entry.label == "round":
            return (entry.number + (1 if entry.zero_based else 0),)
        return ()


def leading_rounds(text: str, zero_based: bool = False) -> tuple[int, ...]:
    """The rounds named at the start of a line (`- 第 1 轮、第 2 轮（...）`), 1-based."""
    lead = _LEAD.match(text)
    position = lead.end() if lead else 0
    found: list[int] = []
    for mention in mentions(text, zero_based):
        if not _BETWEEN.match(text[position : mention.start]):
            break
        found.extend(mention.rounds)
        position = mention.end
    return tuple(dict.fromkeys(found))


@functools.lru_cache(maxsize=4096)
def mentions(text: str, zero_based: bool = False) -> tuple[Mention, ...]:
    """Every `第 N 轮`, `第 N-M 轮`, `Round N` and `迭代 N` of a text."""
    found = []
    for match in _ROUND.finditer(text):
        first = _number(match[1] or match[3])
        last = _number(match[2]) if match[2] else first
        shift = 1 if zero_based else 0
        if last < first or last - first > _MAX_RANGE:
            last = first
        rounds = tuple(number + shift for number in range(first, last + 1))
        counts = not match[0].rstrip().endswith("次")
        found.append(Mention(rounds, match.start(), match.end(), counts))
    return tuple(found)


def mention_before(masked: str, position: int, zero_based: bool = False) -> Mention | None:
    """The last mention that ends at or before a 0-based position."""
    found = mentions(masked, zero_based)
    index = bisect_right(found, position, key=lambda mention: mention.end)
    return found[index - 1] if index else None


def _number(text: str) -> int:
    return _CHINESE[text] if text in _CHINESE else int(text)


def labelled(section: Section | None, label: str) -> Iterator[Entry]:
    """All entries of a section with a canonical label, outermost first."""
    if section is None:
        return
    pending = list(section.entries)
    while pending:
        entry = pending.pop(0)
        if entry.label == label:
            yield entry
        pending.extend(entry.children)


def span_location(span: TextSpan) -> Location:
    """The place of a whole span."""
    return Location(span.line, span.column, span.line, span.column + len(span.text))
