"""What a trace lists itself: latencies per case, failing cases, what each case is.

Needs no evidence. Must not know rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from summarizer.model.trace import Entry, TextSpan
from summarizer.text.marks import unmarked
from validators.numbers.printed import (
    NUMBER,
    UNIT,
    Interval,
    Printed,
    around,
    in_milliseconds,
    parse_printed,
)
from validators.passages import Passage, passages
from validators.rule import CheckContext

_OF_CASES = re.compile(
    r"(?P<impl>\breference\b|\bpytorch\b|\btilelang\b|\bascendc\b).{0,20}?(?:延迟|耗时|latenc)",
    re.IGNORECASE | re.ASCII,
)
_CASE_ITEM = re.compile(r"\s*[`*]{0,2}case\s*\[?(\d{1,6})\]?", re.IGNORECASE | re.ASCII)
_LATENCY = re.compile(rf"[:：=]\s*({NUMBER})\s*({UNIT})?\s*\Z")
_DTYPES = {
    "fp32": "float32", "float32": "float32", "fp16": "float16", "float16": "float16",
    "half": "float16", "bf16": "bfloat16", "bfloat16": "bfloat16", "fp64": "float64",
    "float64": "float64", "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64",
}  # fmt: skip
_MODES = ("bilinear", "trilinear", "bicubic", "nearest", "area")
_ALIGN = re.compile(
    r"\balign(?:_corners)?\s*=\s*(True|False)\b|\b(?:bilinear|bicubic)\s+([TF])\b",
    re.IGNORECASE | re.ASCII,
)
_WORD = re.compile(r"[A-Za-z]+\d*", re.ASCII)
_MENTION = re.compile(
    r"(?:(?P<before>\b[A-Za-z]{2,10}\d{0,3})\s{1,3})?\bcase\s{0,3}(?P<numbers>\[?\d{1,4}\]?(?:\s*[/、,]\s*\[?\d{1,4}\]?){0,20})"
    r"(?:\s*[（(](?P<after>[^）)]{1,80})[）)])?",
    re.IGNORECASE | re.ASCII,
)
_REDUCED = re.compile(r"精简|简化|\b10\s*(?:个\s*)?cases?\b", re.IGNORECASE | re.ASCII)
_FULL = re.compile(r"全量|full", re.IGNORECASE | re.ASCII)


class OwnLatency(NamedTuple):
    """One latency of a list headed by the name of an implementation."""

    implementation: str
    case: int
    printed: Printed
    """Milliseconds."""
    span: TextSpan
    unit: str | None


class Described(NamedTuple):
    """Where a mention of a case contradicts the trace's own list of cases."""

    passage: Passage
    start: int
    end: int
    case: int
    here: str
    listed: str
    line: int
    """Of the list."""


def listed_latencies(context: CheckContext) -> tuple[OwnLatency, ...]:
    """Latencies of lists such as `ascendc 各 case 延迟 (ms):`, one item per case."""
    return context.once("listed", lambda c: tuple(_listed(c)))


def _listed(context: CheckContext) -> Iterator[OwnLatency]:
    section = context.doc.section("performance")
    pending = list(section.entries) if section is not None else []
    while pending:
        entry = pending.pop(0)
        head = _OF_CASES.search(f"{entry.label_text or ''} {entry.value.text}")
        if head is None or _LATENCY.search(entry.value.text):
            pending.extend(entry.children)
            continue
        name = head["impl"].lower().replace("pytorch", "reference")
        for child in entry.children:
            yield from _item(name, child)


def _item(implementation: str, entry: Entry) -> Iterator[OwnLatency]:
    case = _CASE_ITEM.match(entry.value.text)
    found = _LATENCY.search(entry.value.text)
    printed = parse_printed(found[1]) if found is not None else None
    if case is None or found is None or printed is None:
        return
    span = TextSpan(
        entry.value.text[found.start(1) :].strip(),
        entry.value.line,
        entry.value.column + found.start(1),
    )
    milliseconds = in_milliseconds(printed, found[2])
    yield OwnLatency(implementation, int(case[1]), milliseconds, span, found[2])


def listed_mean(context: CheckContext, implementation: str) -> Interval | None:
    """The mean of a list's own values; None without a list of at least two."""
    values = _values(context, implementation)
    if len(values) < 2:
        return None
    return Interval(
        sum(value.low for value in values) / len(values),
        sum(value.high for value in values) / len(values),
    )


def listed_extreme(context: CheckContext, implementation: str, statistic: str) -> Interval | None:
    """The least (`min`) or greatest (`max`) of a list's own values; None without a list."""
    values = _values(context, implementation)
    if len(values) < 2:
        return None
    pick = min if statistic == "min" else max
    return Interval(pick(value.low for value in values), pick(value.high for value in values))


def _values(context: CheckContext, implementation: str) -> list[Interval]:
    items = [i for i in listed_latencies(context) if i.implementation == implementation]
    return [around(item.printed.value, item.printed.half_unit) for item in items]


def contradicting_descriptions(context: CheckContext) -> Iterator[Described]:
    """Mentions of reduced cases with a data type or mode that the list of cases denies.

    The performance analysis runs on the reduced cases, so its list says what each of them is. Only
    mentions that surely mean reduced cases are compared: those of the stages that evaluate them,
    or of a line that says so.
    """
    listed = {
        int(match[1]): (_attributes(entry.value.text), entry.value.line)
        for entry in _performance_items(context)
        if (match := _CASE_ITEM.match(entry.value.text))
    }
    if not listed:
        return
    for passage in passages(context):
        if passage.kind == "prose" and _is_of_reduced(passage):
            for match in _MENTION.finditer(passage.line.masked):
                yield from _compared(passage, match, listed)


def _performance_items(context: CheckContext) -> Iterator[Entry]:
    section = context.doc.section("performance")
    pending: list[Entry] = list(section.entries) if section is not None else []
    while pending:
        entry = pending.pop(0)
        yield entry
        pending.extend(entry.children)


def _is_of_reduced(passage: Passage) -> bool:
    if passage.stage in {"performance", "full_validation"} or _FULL.search(passage.line.masked):
        return False
    return passage.stage in {"tilelang", "ascendc"} or bool(_REDUCED.search(passage.line.masked))


def _compared(
    passage: Passage,
    match: re.Match[str],
    listed: dict[int, tuple[dict[str, str], int]],
) -> Iterator[Described]:
    here = _attributes(f"{match['before'] or ''} {match['after'] or ''}")
    for number in re.findall(r"\d+", match["numbers"]):
        attributes, line = listed.get(int(number), ({}, 0))
        for kind, value in here.items():
            if attributes.get(kind, value) != value:
                yield Described(
                    passage,
                    match.start(),
                    match.end(),
                    int(number),
                    value,
                    attributes[kind],
                    line,
                )
                break


def _attributes(text: str) -> dict[str, str]:
    """Data type and mode that a description names, where it names one of each kind."""
    words: Sequence[str] = [word.lower() for word in _WORD.findall(unmarked(text))]
    found: dict[str, str] = {}
    for kind, values in (
        ("dtype", {_DTYPES[word] for word in words if word in _DTYPES}),
        ("mode", {word for word in words if word in _MODES}),
    ):
        if len(values) == 1:
            found[kind] = values.pop()
    align = _ALIGN.search(text)
    if align is not None:
        found["align_corners"] = "align_corners=" + (align[1] or align[2])[0].upper()
    return found
