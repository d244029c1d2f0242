"""Rules on sizes: lines and names of a new file, shapes of the cases that were timed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.model.facts import STAGES, CaseFacts, ChangedFile, FileOutline, Stage
from summarizer.text.marks import unmarked
from validators.numbers.own import contradicting_descriptions
from validators.outcomes import NEEDS
from validators.passages import Passage, passages
from validators.replacing import only
from validators.rule import NUMBERS, CheckContext, Flag

_OUTLINE = re.compile(r"(?:新建|重写)（(\d{1,6})\s*行")
_KINDS = {"类型": "types", "函数": "functions", "调用": "calls"}
_LISTED = re.compile(r"(类型|函数|调用)[^；）]{0,2000}?等\s*(\d{1,6})\s*个")
_CASE = re.compile(
    r"case\[(\d{1,6})\]\s*shape\s*=\s*(\([\d\s,]*\)|\[[\d\s,]*\]),?\s*(?:torch\.)?([A-Za-z]\w*)?",
    re.ASCII,
)
_INTEGER = re.compile(r"\d+")


def check_wrong_size(context: CheckContext) -> Iterator[Flag]:
    """A number of lines, functions, types or calls of a new file that is not the file's.

    It is read off the text that was written, so there is nothing to estimate.

    Bad:
        - `kernel/pybind11.cpp`：新建（12 行；...）   (10 lines were written)
    Good:
        - `kernel/pybind11.cpp`：新建（10 行；...）
    """
    for passage in passages(context):
        if passage.kind != "prose" or passage.stage not in STAGES:
            continue
        line = passage.line
        match = _OUTLINE.search(line.masked)
        if match is None or not line.codes:
            continue
        if context.facts is None:
            context.ledger.unverifiable("file sizes", NEEDS, passage.at(match.start(1)))
            continue
        outlines = _outlines(context.facts.stages[passage.stage], passage, line.codes[0].text)
        if outlines:
            yield from _compare(context, passage, match, [outline.lines for outline in outlines])
            for listed in _LISTED.finditer(line.masked, match.end()):
                sizes = [len(getattr(outline, _KINDS[listed[1]])) for outline in outlines]
                yield from _compare(context, passage, listed, sizes)


def _outlines(stage: Stage, passage: Passage, path: str) -> list[FileOutline]:
    """Outlines of a file, of the passage's rounds or of work that no round closed."""
    changes: list[ChangedFile] = list(stage.pending_changes)
    for item in stage.rounds:
        if not passage.rounds or item.round_no in passage.rounds:
            changes.extend(item.changed_files)
    tail = "/" + path.removeprefix("./")
    return [c.outline for c in changes if c.outline is not None and ("/" + c.path).endswith(tail)]


def _compare(
    context: CheckContext, passage: Passage, match: re.Match[str], allowed: list[int]
) -> Iterator[Flag]:
    group = match.lastindex or 1
    location = passage.at(match.start(group), match.end(group))
    context.ledger.checked(NUMBERS, (location.line, location.column))
    if int(match[group]) not in allowed:
        expected = " or ".join(str(size) for size in dict.fromkeys(allowed))
        yield Flag(
            f"{match[group]} is stated; the file has {expected}",
            location,
            expected=expected,
            actual=match[group],
            replacement=only(str(size) for size in allowed),
        )


def check_wrong_case_shape(context: CheckContext) -> Iterator[Flag]:
    """A shape or data type that is not the one of the case it stands beside.

    Latencies are compared by shape; a wrong one sends the tuning to another case. Also flagged,
    without any source: a reduced case that is called bicubic here and nearest in the trace's own
    list of cases.

    Bad:
        - case[5] shape=(1000, 100), float16: reference=2.8034ms   (case 5 is (1000, 1000), float32)
    Good:
        - case[5] shape=(1000, 1000), float32: reference=2.8034ms
    """
    for other in contradicting_descriptions(context):
        yield Flag(
            f"case[{other.case}] is {other.listed} in line {other.line}, {other.here} here",
            other.passage.at(other.start, other.end),
            expected=other.listed,
            actual=other.passage.cut(other.start, other.end),
        )
    for passage in passages(context):
        if passage.kind != "prose" or passage.stage != "performance":
            continue
        # Escapes move columns; the finding then points at the line.
        text = unmarked(passage.span.text)
        for match in _CASE.finditer(text):
            case = _case(context, int(match[1]))
            if case is None or case.shape is None:
                context.ledger.unverifiable("case shapes", NEEDS, passage.at(0))
                continue
            context.ledger.checked(NUMBERS, (passage.span.line, match.start(), "shape"))
            if _differs(case, match):
                yield Flag(
                    f"case[{match[1]}] is {case.shape}, {case.dtype or '?'}",
                    passage.at(0),
                    expected=f"{case.shape}, {case.dtype or '?'}",
                    actual=match[0],
                    replacement=_right_line(passage.span.text, case, match),
                )


def _case(context: CheckContext, index: int) -> CaseFacts | None:
    cases = context.facts.performance.per_case if context.facts is not None else ()
    return next((case for case in cases if case.index == index), None)


def _right_line(line: str, case: CaseFacts, match: re.Match[str]) -> str | None:
    """The line with the case's shape and type, where both stand in it just as they were read."""
    right = match[0]
    known = (case.dtype or "").removeprefix("torch.").lower()
    right = right.replace(match[2], case.shape or match[2], 1)
    if match[3] and known and match[3].lower() != known:
        head, _, tail = right.rpartition(match[3])
        right = head + known + tail
    return line.replace(match[0], right) if line.count(match[0]) == 1 else None


def _differs(case: CaseFacts, match: re.Match[str]) -> bool:
    if _INTEGER.findall(case.shape or "") != _INTEGER.findall(match[2]):
        return True
    known = (case.dtype or "").removeprefix("torch.").lower()
    return bool(match[3] and known) and match[3].lower() not in {known, "half", "float", "bf"}
