"""A genuine trace as numbered lines, and what one injected fault or variation is.

Works on text and on the facts as JSON; imports nothing of the project, so that the bench cannot
share a mistake with what it measures.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

Facts = dict[str, Any]

_HEADING = re.compile(r"^#{2,3}\s+(.*)")
_SECTIONS = (
    ("cases", re.compile(r"阶段零|Phase 2")),
    ("tilelang", re.compile(r"阶段一|Phase 3")),
    ("ascendc", re.compile(r"阶段二|Phase 4")),
    ("performance", re.compile(r"阶段三|Phase 5")),
    ("full_validation", re.compile(r"阶段四|Phase 6")),
    ("table", re.compile(r"汇总表报告")),
    ("excerpt", re.compile(r"评测输出摘要")),
    ("sources", re.compile(r"证据说明")),
)
_FENCE = re.compile(r"^[\s>]*```")
_LABEL = re.compile(
    r"^[\s>]*[-*]\s+(?:\*\*)?(关键错误信息|Agent 行为记录|走偏点|Errors|Notes|Drift points)"
)
_ROUND = re.compile(r"^\s*(?:[-*]|#{3,4})\s+(?:第\s*(\d+)\s*轮|Round (\d+)|Iteration (\d+))")


@dataclass(frozen=True)
class Line:
    """One line of a trace and where it stands."""

    text: str
    section: str
    """`head`, `cases`, `tilelang`, `ascendc`, `performance`, `full_validation`, `table`,
    `excerpt`, `sources` or `other`."""
    label: str
    """The labelled list it stands in, as printed; empty outside."""
    round_no: int | None
    """The round it stands under."""
    fenced: bool
    is_fence: bool


@dataclass(frozen=True)
class Base:
    """A genuine trace of a session."""

    session: str
    style: str
    """`own` as rendered, `zh` and `en` as a person would write it."""
    text: str
    facts: Facts
    lines: tuple[Line, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Number and place the lines."""
        object.__setattr__(self, "lines", tuple(_placed(self.text)))

    @property
    def name(self) -> str:
        """Session and style."""
        return f"{self.session}/{self.style}"

    def prose(self, *sections: str) -> Iterator[tuple[int, Line]]:
        """Lines outside fences, of the given sections or of all but the list of sources."""
        for index, line in enumerate(self.lines):
            wanted = line.section in sections if sections else line.section != "sources"
            if wanted and not line.fenced and not line.is_fence:
                yield index, line

    def quoted(self, *sections: str) -> Iterator[tuple[int, Line]]:
        """Lines inside fences."""
        for index, line in enumerate(self.lines):
            if line.fenced and (not sections or line.section in sections):
                yield index, line


@dataclass(frozen=True)
class Fault:
    """A trace that is wrong in one place."""

    kind: str
    text: str
    touched: frozenset[int]
    """1-based lines of the new text that a finding may point at, besides line 1."""
    codes: tuple[str, ...]
    """Codes that name the fault rightly; the first is the one to be published for it."""
    was: str
    now: str
    altered_quotation: bool = False
    at: str = ""
    """Which place of the genuine trace was changed, for telling faults apart."""
    anywhere: bool = False
    """Whether something is missing, so that a finding of the right rule may stand anywhere."""


@dataclass(frozen=True)
class Variation:
    """A trace that is worded otherwise and still true."""

    kind: str
    text: str
    what: str = ""


Maker = Callable[[Base, random.Random], Iterator[Fault]]


def _placed(text: str) -> Iterator[Line]:
    section, label, round_no, fenced = "head", "", None, False
    for raw in text.split("\n"):
        is_fence = _FENCE.match(raw) is not None
        if not fenced and not is_fence:
            heading = _HEADING.match(raw)
            if heading and raw.startswith("## "):
                section, label, round_no = _section(heading[1]), "", None
            labelled = _LABEL.match(raw)
            if labelled:
                label, round_no = labelled[1], None
            numbered = _ROUND.match(raw)
            if numbered:
                round_no = _number(numbered)
        yield Line(raw, section, label, round_no, fenced and not is_fence, is_fence)
        fenced ^= is_fence


def _number(match: re.Match[str]) -> int:
    if match[3] is not None:
        return int(match[3]) + 1  # iterations are counted from 0
    return int(match[1] or match[2])


def _section(heading: str) -> str:
    return next((key for key, pattern in _SECTIONS if pattern.search(heading)), "other")


def edited(
    base: Base, start: int, stop: int, new: list[str], *, around: int = 0
) -> tuple[str, frozenset[int]]:
    """Return the text with lines [start, stop) replaced, and the touched 1-based lines."""
    lines = [line.text for line in base.lines]
    text = "\n".join([*lines[:start], *new, *lines[stop:]])
    first, last = start + 1 - around, start + max(len(new), 1) + around
    heads = {heading_of(base, start) + 1}
    return text, frozenset(range(first, last + 1)) | heads


def heading_of(base: Base, index: int) -> int:
    """Index of the heading above a line."""
    return next((i for i in range(index, -1, -1) if base.lines[i].text.startswith("#")), 0)


def swap_line(
    base: Base,
    kind: str,
    index: int,
    new: str,
    codes: tuple[str, ...],
    *,
    quotation: bool = False,
    at: str = "",
) -> Fault:
    """A fault that changes one line."""
    old = base.lines[index].text
    text, touched = edited(base, index, index + 1, [new])
    return Fault(kind, text, touched, codes, old, new, quotation, at or f"{index}")


def substitutions(
    base: Base,
    kind: str,
    where: Iterator[tuple[int, Line]],
    pattern: re.Pattern[str],
    make: Callable[[re.Match[str], Line], str | None],
    codes: tuple[str, ...],
    *,
    quotation: bool = False,
) -> Iterator[Fault]:
    """One fault per match: group 1 (the whole match without groups) is replaced.

    `make` gets the match and its line and returns the wrong text, or None when every change there
    would leave a true trace.
    """
    group = 1 if pattern.groups else 0
    for index, line in where:
        for match in pattern.finditer(line.text):
            wrong = make(match, line)
            if wrong is None or wrong == match[group]:
                continue
            start, end = match.span(group)
            new = line.text[:start] + wrong + line.text[end:]
            yield swap_line(
                base, kind, index, new, codes, quotation=quotation, at=f"{index}:{start}"
            )


def wrong_integer(text: str, rng: random.Random, *, taken: tuple[int, ...] = ()) -> str:
    """Another non-negative integer with a like number of digits, none of those `taken`."""
    value = int(text)
    near = [value + d for d in (1, -1, 2, -2, 3, 10) if value + d >= 0 and value + d not in taken]
    return str(rng.choice(near))


def wrong_decimal(text: str, rng: random.Random) -> str:
    """Another decimal of the same form, off by far more than rounding allows."""
    digits = [i for i, char in enumerate(text) if char.isdigit()]
    leading = next((i for i in digits if text[i] != "0"), digits[-1])
    place, step = (leading, 1) if rng.random() < 0.5 else (digits[-1], 4)
    old = int(text[place])
    new = old + step if old + step <= 9 else old - step
    if place == leading and new == 0:
        new = old + 1
    return f"{text[:place]}{new}{text[place + 1 :]}"
