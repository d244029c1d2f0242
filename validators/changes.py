"""The direction of a change: `A` 换成 `B` where the session replaced B with A.

Only what the real changes contradict is flagged: the opposite is known, and the stated direction
occurs in none of the rounds that the line is about. Part of the rule on histories.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from summarizer.model.facts import ApiChange, Stage
from validators.passages import Passage, mentions
from validators.prose import FILLER, Inline
from validators.rule import NAMES, CheckContext, Flag

_INTO = re.compile(rf"[{FILLER}\s]*(?:换成|换为|改为|改成|替换为|替换成|->|→)[{FILLER}\s]*")
_WITH = re.compile(rf"[{FILLER}\s]*with[{FILLER}\s]*")
_REPLACED = re.compile(rf"\breplac(?:ed|es|ing)\s*{FILLER}*\Z", re.IGNORECASE | re.ASCII)
_PART = re.compile(r"删去|新增|；")


def reversed_changes(context: CheckContext, passage: Passage, stage: Stage) -> Iterator[Flag]:
    """Flag changes told the wrong way round."""
    changes = _changes(passage, stage)
    codes = passage.line.codes
    for one, other in pairwise(codes):
        if not _exchange(passage.line.masked, one, other):
            continue
        context.ledger.checked(NAMES, (passage.span.line, one.start, "direction"))
        forward = any(_goes(change, one.text, other.text) for change in changes)
        if not forward and any(_surely(change, other.text, one.text) for change in changes):
            yield Flag(
                f"the change went from {other.text!r} to {one.text!r}",
                passage.at(one.start, other.end),
                expected=f"{other.text} -> {one.text}",
                actual=f"{one.text} -> {other.text}",
            )
    yield from _removed_or_added(passage, changes)


def _changes(passage: Passage, stage: Stage) -> tuple[ApiChange, ...]:
    """Changes of the rounds that a line is about or names; of the whole stage when of none."""
    named = mentions(passage.line.masked, passage.zero_based)
    rounds = {*passage.rounds, *(number for mention in named for number in mention.rounds)}
    files = [f for item in stage.rounds if item.round_no in rounds for f in item.changed_files]
    if not files:
        files = [f for item in stage.rounds for f in item.changed_files]
        files.extend(stage.pending_changes)
    return tuple(change for file in files for change in file.changes)


def _exchange(masked: str, one: Inline, other: Inline) -> bool:
    between = masked[one.end : other.start]
    if _INTO.fullmatch(between):
        return True
    return bool(_WITH.fullmatch(between) and _REPLACED.search(masked[: one.start]))


def _goes(change: ApiChange, old: str, new: str) -> bool:
    if (old, new) in {(a, b) for a, b in change.replaced}:
        return True
    return _holds(change.removed_lines, old) and _holds(change.added_lines, new)


def _surely(change: ApiChange, old: str, new: str) -> bool:
    """Whether the change replaced `old` by `new`, and neither stands on the other side."""
    if (old, new) in {(a, b) for a, b in change.replaced}:
        return True
    only_old = _holds(change.removed_lines, old) and not _holds(change.added_lines, old)
    return only_old and _holds(change.added_lines, new) and not _holds(change.removed_lines, new)


def _holds(lines: tuple[str, ...], text: str) -> bool:
    """Whether a text stands in lines, at word boundaries."""
    for line in lines:
        at = line.find(text)
        while at >= 0:
            before, after = line[at - 1 : at], line[at + len(text) : at + len(text) + 1]
            if not (_word(before) and _word(text[:1])) and not (_word(after) and _word(text[-1:])):
                return True
            at = line.find(text, at + 1)
    return False


def _word(char: str) -> bool:
    return char.isalnum() or char == "_"


def _removed_or_added(passage: Passage, changes: tuple[ApiChange, ...]) -> Iterator[Flag]:
    """`删去 x`, `新增 y`: whole lines that the stage only added, only removed."""
    removed = {line.strip() for change in changes for line in change.removed_lines}
    added = {line.strip() for change in changes for line in change.added_lines}
    masked = passage.line.masked
    for code in passage.line.codes:
        said = [match[0] for match in _PART.finditer(masked, 0, code.start)]
        text = code.text.strip()
        if not said or said[-1] == "；" or (text in removed) == (text in added):
            continue
        if (said[-1] == "删去") == (text in added):
            went = "added" if text in added else "removed"
            yield Flag(
                f"{text!r} was {went}",
                passage.at(code.start, code.end),
                expected=went,
                actual=said[-1],
            )
