"""Rules on percentages and tolerances that a trace's own figures decide, without any source."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from validators.numbers.printed import (
    NUMBER,
    Interval,
    Printed,
    exactly,
    parse_printed,
    rounds_to,
    shown_like,
)
from validators.passages import Passage, passages
from validators.rule import CheckContext, Flag

_SHAPE = re.compile(r"[\[（(]\s*(\d{1,9}(?:\s*[,×x]\s*\d{1,9}){0,7})\s*,?\s*[\]）)]", re.ASCII)
_UNEQUAL = re.compile(
    rf"(\d{{1,12}})\s*(?:个\s*)?(?:unequal|mismatch(?:es|ed)?|不等|不一致|不匹配)[^（(\d]{{0,12}}"
    rf"[（(]\s*({NUMBER})\s*%\s*[）)]",
    re.IGNORECASE | re.ASCII,
)
_HIGHEST = re.compile(
    rf"mismatch(?:_ratio)?\s*(?:最高|最大|max\w*)\s*(?:为|=|:|：|is|约)?\s*({NUMBER})\s*%",
    re.IGNORECASE | re.ASCII,
)
_SHARE = re.compile(
    rf"(?<![\w./])(\d{{1,6}})\s*/\s*(\d{{1,6}})(?:\s*(?:PASS|通过|个|case|cases))?"
    rf"\s*(?:=|≈|[（(])\s*(?:约\s*)?({NUMBER})\s*%",
    re.IGNORECASE | re.ASCII,
)
_DIVISORS = range(1, 9)
"""An output may be a fraction of the input whose shape is given: a gated activation halves it."""

_FIGURE = r"(\d{1,9}(?:\.\d{1,12})?(?:e[-+]?\d{1,3})?)"
_DTYPE = re.compile(r"dtype(?:\(ref=|=)(?:torch\.)?(\w+)", re.ASCII)
_THRESHOLD = re.compile(rf"(?<!mare_)\bthreshold={_FIGURE}", re.ASCII)
_MARE_THRESHOLD = re.compile(rf"\bmare_threshold={_FIGURE}", re.ASCII)
_MERE = re.compile(rf"\bMERE={_FIGURE}", re.ASCII)
_MARE = re.compile(rf"\bMARE={_FIGURE}", re.ASCII)
_PASSED = re.compile(r"\bpassed=(True|False)\b", re.ASCII)
_TOLERANCES = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 2.0**-13,
    "float64": 2.0**-30,
    "complex64": 2.0**-13,
    "complex128": 2.0**-30,
}
"""Data type -> threshold of the mean relative error. Source: `verification_ascendc.py` from its
second version on; that version prints float32's for the narrower types too."""
_NARROW = {"float16", "bfloat16"}


class _Mismatch(NamedTuple):
    passage: Passage
    start: int
    end: int
    unequal: int
    elements: int
    """Product of the shape beside it."""
    printed: Printed
    text: str


def check_wrong_percentage(context: CheckContext) -> Iterator[Flag]:
    """A percentage that does not follow from the figures beside it.

    `70/73 = 96%` is arithmetic; so is `240 unequal (1.46%)` beside the shape of a case. Where the
    output is a part of the input whose shape is given (a gated activation halves it), the part
    that the other lines of the trace share is taken.

    Bad:
        - 全量: 70/73 PASS (98%)
    Good:
        - 全量: 70/73 PASS (96%)
    """
    found: list[_Mismatch] = []
    highest: list[tuple[Passage, re.Match[str]]] = []
    for passage in passages(context):
        if passage.kind == "code":
            continue
        masked = passage.line.masked
        for match in _SHARE.finditer(masked):
            yield from _share(passage, match)
        found.extend(_mismatches(passage, masked))
        highest.extend((passage, match) for match in _HIGHEST.finditer(masked))
    yield from _against_shapes(context, found)
    for passage, match in highest:
        yield from _against_highest(passage, match, found)


def _share(passage: Passage, match: re.Match[str]) -> Iterator[Flag]:
    printed, total = parse_printed(match[3]), int(match[2])
    if printed is None or total == 0 or int(match[1]) > total:
        return
    truth = exactly(100 * int(match[1]) / total)
    if not rounds_to(truth, printed):
        expected = shown_like(truth.middle, printed)
        yield Flag(
            f"{match[1]}/{match[2]} is {expected}%, not {match[3]}%",
            passage.at(match.start(3), match.end(3)),
            expected=expected,
            actual=match[3],
            replacement=expected,
        )


def _mismatches(passage: Passage, masked: str) -> Iterator[_Mismatch]:
    shapes = list(_SHAPE.finditer(masked))
    ends = [shape.end() for shape in shapes]
    for match in _UNEQUAL.finditer(masked):
        before = bisect_right(ends, match.start())
        printed = parse_printed(match[2])
        if not before or printed is None:
            continue
        sizes = [int(size) for size in re.findall(r"\d+", shapes[before - 1][1])]
        elements = math.prod(sizes)
        if elements:
            yield _Mismatch(
                passage,
                match.start(2),
                match.end(2),
                int(match[1]),
                elements,
                printed,
                match[2],
            )


def _against_shapes(context: CheckContext, found: Sequence[_Mismatch]) -> Iterator[Flag]:
    if not found:
        return
    divisor = _common_divisor(found)
    for one in found:
        location = one.passage.at(one.start, one.end)
        if divisor is None:
            context.ledger.unverifiable("mismatch percentages", "the shape of the output", location)
            continue
        truth = _percentage(one, divisor)
        if not rounds_to(exactly(truth), one.printed):
            expected = shown_like(truth, one.printed)
            part = "elements" if divisor == 1 else f"elements / {divisor}"
            yield Flag(
                f"{one.unequal} of {one.elements} {part} is {expected}%, not {one.text}%",
                location,
                expected=expected,
                actual=one.text,
                replacement=expected,
            )


def _percentage(one: _Mismatch, divisor: int) -> float:
    return 100.0 * one.unequal * divisor / one.elements


def _common_divisor(found: Sequence[_Mismatch]) -> int | None:
    """The part of the shape that most lines agree on; None when there is no such part."""
    fitting = {
        divisor: sum(rounds_to(exactly(_percentage(one, divisor)), one.printed) for one in found)
        for divisor in _DIVISORS
    }
    best = max(_DIVISORS, key=lambda divisor: (fitting[divisor], -divisor))
    if fitting[best] * 2 <= len(found) or (len(found) > 1 and fitting[best] < 2):
        return None
    return best


def _against_highest(
    passage: Passage, match: re.Match[str], found: Sequence[_Mismatch]
) -> Iterator[Flag]:
    printed = parse_printed(match[1])
    if printed is None or not found:
        return
    top = max((one.printed for one in found), key=lambda one: one.value)
    if not rounds_to(Interval(top.value - top.half_unit, top.value + top.half_unit), printed):
        expected = shown_like(top.value, top)
        yield Flag(
            f"the highest percentage listed is {expected}%, not {match[1]}%",
            passage.at(match.start(1), match.end(1)),
            expected=expected,
            actual=match[1],
            replacement=expected,
        )


def check_wrong_tolerance(context: CheckContext) -> Iterator[Flag]:
    """A line of the verification report whose own figures cannot stand together.

    The threshold follows from the data type, the one for the maximum is ten times it, the mean
    relative error is never above the maximum one, and `passed` follows from all four.

    Bad:
        case[3]: output[3]: ..., MERE=0.0001, MARE=0.0005, threshold=0.00012207, mare_threshold=0.0012207, passed=False
    Good:
        case[3]: output[3]: ..., MERE=0.0001, MARE=0.0052, threshold=0.00012207, mare_threshold=0.0012207, passed=False
    """  # noqa: E501  # a line of the report
    for passage in passages(context):
        text = passage.span.text
        if "MERE=" in text or "threshold=" in text:
            for message, match, expected in _impossible(text):
                yield Flag(
                    message,
                    passage.at(match.start(1), match.end(1)),
                    expected=expected,
                    actual=match[1],
                )


def _impossible(text: str) -> Iterator[tuple[str, re.Match[str], str]]:
    dtype, threshold, tenfold = (
        _DTYPE.search(text), _THRESHOLD.search(text), _MARE_THRESHOLD.search(text)
    )  # fmt: skip
    mere, mare = _MERE.search(text), _MARE.search(text)
    if dtype and threshold and dtype[1] in _TOLERANCES:
        allowed = [_TOLERANCES[dtype[1]]]
        allowed += [_TOLERANCES["float32"]] if dtype[1] in _NARROW else []
        if not any(_same(threshold[1], value) for value in allowed):
            yield f"the threshold of {dtype[1]} is another", threshold, f"{allowed[0]:.6g}"
    if threshold and tenfold and not _same(tenfold[1], 10 * float(threshold[1])):
        expected = f"{10 * float(threshold[1]):.6g}"
        yield "mare_threshold is ten times the threshold", tenfold, expected
    if mere and mare and float(mere[1]) > float(mare[1]) * (1 + 1e-5):
        yield "the mean relative error is above the maximum one", mere, f"at most {mare[1]}"
    yield from _wrong_passed(text)


def _same(printed: str, value: float) -> bool:
    """Both are printed with six digits; a tenfold value comes from the unrounded threshold."""
    return math.isclose(float(printed), value, rel_tol=2e-5)


def _wrong_passed(text: str) -> Iterator[tuple[str, re.Match[str], str]]:
    passed = _PASSED.search(text)
    pairs = [
        (value, limit)
        for pattern, against in ((_MERE, _THRESHOLD), (_MARE, _MARE_THRESHOLD))
        if (value := pattern.search(text)) and (limit := against.search(text))
    ]
    if passed is None or len(pairs) != 2:
        return
    if any(math.isclose(float(v[1]), float(t[1]), rel_tol=1e-5) for v, t in pairs):
        return
    truth = all(float(value[1]) < float(limit[1]) for value, limit in pairs)
    if str(truth) != passed[1]:
        yield "passed follows from the errors and their thresholds", passed, str(truth)
