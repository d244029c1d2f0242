"""Turns findings with a known right text into a new text; reads and writes no file.

A fix is kept only when the rules, run again, have nothing to say that they did not say before.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from summarizer.model.finding import Finding, Location, Severity

Check = Callable[[str], Sequence[Finding]]
"""Runs every rule on a text."""

MAX_PASSES = 5
"""Rounds of fixing and checking after which what is left stays."""
HASH_MISMATCH = "S407"
"""Any change of a stamped text gives this finding; it says who wrote, not what is wrong."""

_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE_NUMBER = re.compile(r"\blines? \d+")


@dataclass(frozen=True, slots=True)
class Edit:
    """One range of a text and what comes into its place."""

    start: int
    """0-based character offset in the whole text."""
    end: int
    """Half-open."""
    text: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Fixed:
    """What became of a text."""

    text: str
    applied: tuple[Finding, ...]
    """The findings that were repaired, in the order of the repairs; places are those of the text
    in which they were found."""
    refused: tuple[Finding, ...]
    """Findings whose repair would have caused another finding; nothing was changed for them."""


Wanted = Callable[[Finding, Sequence[Finding]], bool]
"""Whether a finding may be repaired, given all findings on the same text."""


def fix_text(text: str, check: Check, wanted: Wanted) -> Fixed:
    """Apply fixes until nothing is left to fix, `MAX_PASSES` times at most.

    Args:
        text: The whole file.
        check: Gives all findings on a text, whatever the user selected.
        wanted: Which findings may be repaired.

    Returns:
        The text and what was done; the text is the same object when nothing was.
    """
    applied: list[Finding] = []
    refused: dict[tuple[str, str], Finding] = {}
    findings = tuple(check(text))
    for _ in range(MAX_PASSES):
        edits = edits_of(
            text, (f for f in findings if wanted(f, findings) and identity(f) not in refused)
        )
        if not edits:
            break
        done = _apply_checked(text, findings, edits, check)
        for finding in done.refused:
            refused[identity(finding)] = finding
        if done.text == text:
            break
        applied += done.applied
        text, findings = done.text, tuple(check(done.text))
    left = Counter(map(identity, findings))
    return Fixed(text, tuple(applied), tuple(f for k, f in refused.items() if left[k]))


def _apply_checked(
    text: str, findings: Sequence[Finding], edits: Sequence[Edit], check: Check
) -> Fixed:
    """Apply all edits when that causes no finding, else those that alone cause none."""
    changed = apply_edits(text, edits)
    if _is_better(findings, check(changed), edits):
        return Fixed(changed, tuple(edit.finding for edit in edits), ())
    kept: list[Edit] = []
    refused: list[Finding] = []
    for edit in edits:
        tried = [*kept, edit]
        if _is_better(findings, check(apply_edits(text, tried)), tried):
            kept = tried
        else:
            refused.append(edit.finding)
    return Fixed(
        apply_edits(text, kept) if kept else text,
        tuple(edit.finding for edit in kept),
        tuple(refused),
    )


def _is_better(before: Sequence[Finding], after: Sequence[Finding], edits: Sequence[Edit]) -> bool:
    """Whether every repaired finding is gone, no other has come, and its line is free of errors.

    Where an error stays that nobody but a person can repair, it is open which claim of the line is
    the wrong one: `第 6 轮 ... 10/10` may be the right count of another round.
    """
    lines = {edit.finding.location.line for edit in edits}
    if any(f.location.line in lines and f.severity is Severity.ERROR for f in after):
        return False
    old, new = Counter(map(identity, before)), Counter(map(identity, after))
    repaired = Counter(identity(edit.finding) for edit in edits)
    # Remarks count claims in their wording, and a repair may change such a count.
    wrong = {identity(f) for f in after if f.severity is not Severity.INFO}
    caused = {key for key in new - old if key in wrong and key[0] != HASH_MISMATCH}
    return not caused and all(new[key] <= old[key] - n for key, n in repaired.items())


def identity(finding: Finding) -> tuple[str, str]:
    """What makes a finding the same after lines were shifted: its code and its message."""
    return finding.code, _LINE_NUMBER.sub("line", finding.message)


def edits_of(text: str, findings: Iterable[Finding]) -> tuple[Edit, ...]:
    """Return the edits of findings, by place; of two that overlap the first counts."""
    starts = line_starts(text)
    edits = [edit for f in findings if (edit := _edit(text, starts, f)) is not None]
    edits.sort(key=lambda edit: (edit.start, edit.end))
    chosen: list[Edit] = []
    for edit in edits:
        if not chosen or edit.start >= chosen[-1].end:
            chosen.append(edit)
    return tuple(chosen)


def _edit(text: str, starts: Sequence[int], finding: Finding) -> Edit | None:
    """The edit of a finding; None without a replacement or a range of one line."""
    new = finding.replacement
    bounds = _range_of(text, starts, finding.location)
    if new is None or bounds is None or _LINE_END.search(new):
        return None
    start, end = bounds
    if text[start:end] == new:
        return None
    return Edit(start, end, new, finding)


def _range_of(text: str, starts: Sequence[int], place: Location) -> tuple[int, int] | None:
    """Character offsets of a place within one line, None when it is no such range."""
    if place.end_column is None or place.end_line not in {None, place.line}:
        return None
    if not 1 <= place.line < len(starts):
        return None
    base = starts[place.line - 1]
    start, end = base + place.column - 1, base + place.end_column - 1
    inside = base <= start < end <= starts[place.line]
    return (start, end) if inside and not _LINE_END.search(text[start:end]) else None


def line_starts(text: str) -> list[int]:
    """Offset of each line's first character, then the length of the text."""
    return [0, *(match.end() for match in _LINE_END.finditer(text)), len(text)]


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """Return the text with non-overlapping edits made, from its end so that offsets hold."""
    for edit in sorted(edits, key=lambda edit: edit.start, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text


def unified_diff(old: str, new: str, path: str) -> str:
    """Return a unified diff of two texts, empty when they are equal.

    Lines are parted as positions count them, so a lone carriage return ends one; it is shown by
    the caller, who knows what a terminal may get.
    """
    lines = list(
        difflib.unified_diff(_kept_lines(old), _kept_lines(new), path, path, lineterm="\n")
    )
    out = []
    for line in lines:
        body = _LINE_END.sub("", line)
        out.append(body)
        if not _LINE_END.search(line):
            out.append("\\ No newline at end of file")
    return "\n".join(out) + "\n" if out else ""


def _kept_lines(text: str) -> list[str]:
    starts = line_starts(text)
    parts = [text[low:high] for low, high in pairwise(starts)]
    return [part for part in parts if part]


WRONG_ROUNDS = "N202"
_OF_A_ROUND = {"N204", "N210", "S405", "D506", "Q102"}
_RESULTS = {"N204", "N210", "S405"}


def in_doubt(finding: Finding, found: Sequence[Finding]) -> bool:
    """Whether a claim about a round may be right of another round.

    Where rounds are numbered wrongly, what stands under a number may belong to its neighbour, and
    a repair would make a right text wrong. So it is where several kinds of
    result are wrong in one line at once: rather the round is.
    """
    if finding.code not in _OF_A_ROUND:
        return False
    if any(other.code == WRONG_ROUNDS for other in found):
        return True
    beside = {
        other.code
        for other in found
        if other.code in _RESULTS
        and other.replacement is not None
        and other.location.line == finding.location.line
    }
    return finding.code in _RESULTS and len(beside) > 1


def fixable(
    finding: Finding, safe: Collection[str], unsafe: Collection[str], *, with_unsafe: bool
) -> bool:
    """Whether a finding has a repair of a class that the caller allows.

    Args:
        finding: Any finding.
        safe: Codes of the rules whose repairs are safe.
        unsafe: Codes of the rules whose repairs a person should look at.
        with_unsafe: Whether those are wanted too.
    """
    if finding.replacement is None:
        return False
    return finding.code in safe or (with_unsafe and finding.code in unsafe)
