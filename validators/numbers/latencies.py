"""Rule on latencies: which implementation, which statistic, which case, which unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from summarizer.model.facts import CaseFacts, Performance
from summarizer.model.trace import TextSpan
from summarizer.text.marks import unmarked
from validators.numbers.known import (
    IMPLEMENTATIONS,
    STATISTICS,
    case_latency,
    input_half_unit,
    latency,
)
from validators.numbers.own import listed_extreme, listed_latencies, listed_mean
from validators.numbers.printed import (
    NUMBER,
    UNIT,
    Interval,
    Printed,
    in_milliseconds,
    parse_printed,
    rounds_to,
    shown_like,
)
from validators.outcomes import NEEDS
from validators.passages import Passage, passages, span_location
from validators.replacing import with_figure, with_groups
from validators.rule import NUMBERS, CheckContext, Flag
from validators.table_row import CANDIDATE_MS, REFERENCE_MS, summary_row

_STATISTIC_WORDS = {
    "mean": "mean",
    "avg": "mean",
    "average": "mean",
    "平均": "mean",
    "均值": "mean",
    "median": "median",
    "中位数": "median",
    "min": "min",
    "最小": "min",
    "max": "max",
    "最大": "max",
    "std": "std",
    "标准差": "std",
}
_IMPLEMENTATION_WORDS = {
    "reference": "reference",
    "pytorch": "reference",
    "参考": "reference",
    "tilelang": "tilelang",
    "ascendc": "ascendc",
}
_WORD = re.compile(
    r"(?P<impl>\breference\b|\bpytorch\b|参考|\btilelang\b|\bascendc\b)"
    r"|(?P<stat>\bmean\b|\bavg\b|\baverage\b|平均|均值|\bmedian\b|中位数|\bmin\b|最小|\bmax\b|最大"
    r"|\bstd\b|标准差)(?:\s*[(（]ms[)）])?",
    re.IGNORECASE | re.ASCII,
)
_VALUE = re.compile(rf"\s*(?:耗时|延迟|latency)?\s*[=:：为]?\s*({NUMBER})\s*({UNIT})?")
_RATIO = re.compile(r"\s*[x×X倍%]")
_CASE = re.compile(r"\bcase\s{0,4}\[?\s{0,4}(\d{1,6})\]?", re.IGNORECASE | re.ASCII)
_PAIR = re.compile(rf"[（(]\s*({NUMBER})\s*(?:ms)?\s*/\s*({NUMBER})\s*(?:ms)?\s*[）)]")
_OVERALL = re.compile(
    rf"(?P<stat>(?:整体|总体|总)平均|最大\s*case|最慢\s*case)\s*(?:延迟|耗时)?\s*[=:：为]?\s*"
    rf"(?P<value>{NUMBER})\s*(?P<unit>{UNIT})?",
    re.IGNORECASE | re.ASCII,
)
"""A figure over all cases, beside a summary row with one implementation."""
_NEAR = 24
"""Characters before such a figure in which another implementation may be named."""
_CELL = re.compile(rf"\s*({NUMBER})\s*({UNIT})?\s*(?:[（(]([^（(）)]{{0,80}})[）)])?\s*\Z")
_OWN_LABELS = {"statistics", "reference", "tilelang", "ascendc", "mean_latencies", "large_cases"}


class Latency(NamedTuple):
    """One latency that a trace states."""

    implementation: str
    statistic: str
    """Of `STATISTICS`; `case` when `case` is set."""
    case: int | None
    printed: Printed
    """Milliseconds."""
    span: TextSpan
    text: str
    unit: str | None = None
    """As printed; None for a bare number of milliseconds."""


def stated_latencies(context: CheckContext) -> tuple[Latency, ...]:
    """Every latency with a recognised role."""
    return context.once("latencies", lambda c: tuple(_stated(c)))


def _stated(context: CheckContext) -> Iterator[Latency]:
    for passage in passages(context):
        if passage.kind == "prose" and passage.stage == "performance":
            yield from _in_line(passage)
        elif passage.kind == "prose" and passage.section.key == "summary_table":
            yield from _overall(context, passage)
    for item in listed_latencies(context):
        text = item.span.text
        yield Latency(
            item.implementation, "case", item.case, item.printed, item.span, text, item.unit
        )
    yield from _in_tables(context)


def _overall(context: CheckContext, passage: Passage) -> Iterator[Latency]:
    """`整体平均 5.04 ms` above the row; only where AscendC alone was measured."""
    measured = context.facts.performance if context.facts is not None else None
    if measured is not None and latency(measured, "reference", "mean") is not None:
        return
    masked = passage.line.masked
    for match in _OVERALL.finditer(masked):
        printed = parse_printed(match["value"])
        named = list(_WORD.finditer(masked, max(0, match.start() - _NEAR), match.start()))
        others = [word for word in named if word["impl"] and word["impl"].lower() != "ascendc"]
        if printed is not None and not others:
            text = passage.span.text[match.start("value") : match.end()].strip()
            span = TextSpan(text, passage.span.line, passage.span.column + match.start("value"))
            statistic = "mean" if "平均" in match["stat"] else "max"
            milliseconds = in_milliseconds(printed, match["unit"])
            yield Latency("ascendc", statistic, None, milliseconds, span, text, match["unit"])


def _in_line(passage: Passage) -> Iterator[Latency]:
    """Read words left to right: an implementation, a statistic, a value behind either."""
    masked = passage.line.masked
    implementation = passage.label if passage.label in IMPLEMENTATIONS else None
    case = _CASE.search(masked)
    number = int(case[1]) if case else None
    for word in _WORD.finditer(masked):
        if word["impl"]:
            implementation = _IMPLEMENTATION_WORDS[word["impl"].lower()]
            statistic = "case" if number is not None else "mean"
            bare = passage.label in _OWN_LABELS or number is not None
        else:
            statistic = _STATISTIC_WORDS[word["stat"].lower()]
            bare = True
        value = _VALUE.match(masked, word.end())
        if implementation is None or value is None or _RATIO.match(masked, value.end()):
            continue
        if value[2] is None and not (bare and "." in value[1]):
            continue  # a bare integer behind a word is no latency
        yield from _latency(passage, implementation, statistic, number, value)


def _latency(
    passage: Passage,
    implementation: str,
    statistic: str,
    case: int | None,
    value: re.Match[str],
) -> Iterator[Latency]:
    printed = parse_printed(value[1])
    if printed is not None:
        text = passage.span.text[value.start(1) : value.end()].strip()
        span = TextSpan(text, passage.span.line, passage.span.column + value.start(1))
        milliseconds = in_milliseconds(printed, value[2])
        case = case if statistic == "case" else None
        yield Latency(implementation, statistic, case, milliseconds, span, text, value[2])


def _in_tables(context: CheckContext) -> Iterator[Latency]:
    """Tables with one row per implementation, and the summary row."""
    section = context.doc.section("performance")
    for table in section.tables if section is not None else ():
        columns = [_statistic_of(cell.text) for cell in table.header]
        for row in table.rows:
            implementation = _implementation_of(row[0].text) if row else None
            for statistic, cell in zip(columns, row, strict=False):
                if implementation is not None and statistic is not None:
                    yield from _cell(implementation, statistic, cell)
    row_of_record = summary_row(context.doc)
    if row_of_record is not None and len(row_of_record.cells) > CANDIDATE_MS:
        yield from _cell("reference", "mean", row_of_record.span(REFERENCE_MS))
        yield from _cell("ascendc", "mean", row_of_record.span(CANDIDATE_MS))


def _statistic_of(header: str) -> str | None:
    word = _WORD.match(unmarked(header).strip())
    return _STATISTIC_WORDS[word["stat"].lower()] if word and word["stat"] else None


def _implementation_of(cell: str) -> str | None:
    word = _WORD.match(unmarked(cell).strip())
    return _IMPLEMENTATION_WORDS[word["impl"].lower()] if word and word["impl"] else None


def _cell(implementation: str, statistic: str, cell: TextSpan) -> Iterator[Latency]:
    match = _CELL.match(unmarked(cell.text))
    printed = parse_printed(match[1]) if match else None
    if match is not None and printed is not None:
        remark = _WORD.search(match[3] or "")
        if remark is not None and remark["stat"]:
            statistic = _STATISTIC_WORDS[remark["stat"].lower()]
        milliseconds = in_milliseconds(printed, match[2])
        yield Latency(
            implementation, statistic, None, milliseconds, cell, cell.text.strip(), match[2]
        )


def check_wrong_latency(context: CheckContext) -> Iterator[Flag]:
    """A latency that is not the measured one of that implementation, statistic or case.

    It is compared in milliseconds with as many digits as it shows. A figure that belongs to the
    other implementation, another statistic or another case is named as that. Without a measurement
    at hand a mean is compared with the trace's own list of latencies.

    Bad:
        - ascendc: mean=0.0042ms   (0.0042 is the median, the mean is 1.2465)
    Good:
        - ascendc: mean=1.2465ms, median=0.0042ms
    """
    for stated in stated_latencies(context):
        yield from _check(context, stated)
    for passage in passages(context):
        if passage.kind == "prose" and passage.stage == "performance":
            for match in _PAIR.finditer(passage.line.masked):
                yield from _pair(context, passage, match)


def _check(context: CheckContext, stated: Latency) -> Iterator[Flag]:
    location = span_location(stated.span)
    measured = context.facts.performance if context.facts is not None else None
    if measured is None or not (measured.executed or never_measured(context)):
        context.ledger.unverifiable("latencies", NEEDS, location)
        yield from _against_own_list(context, stated)
        return
    if not measured.executed:
        yield Flag(
            f"a latency of {stated.text!r} is stated; no measurement is in the evidence",
            location,
            expected="N/A",
            actual=stated.text,
        )
        return
    truth = _truth(measured, stated)
    if truth is None:
        context.ledger.unverifiable("latencies", "a report that states this statistic", location)
        return
    context.ledger.checked(NUMBERS, (location.line, location.column))
    if not rounds_to(truth, stated.printed):
        other = _other(measured, stated)
        role = f"case[{stated.case}]" if stated.case is not None else stated.statistic
        expected = _in_unit(truth, stated)
        yield Flag(
            f"{stated.implementation} {role} is {expected}, not {stated.text}",
            location,
            expected=expected,
            actual=stated.text,
            notes=(other,) if other else (),
            replacement=with_figure(stated.span.text, expected.removesuffix(stated.unit or "")),
        )


def _against_own_list(context: CheckContext, stated: Latency) -> Iterator[Flag]:
    """Without a measurement at hand: a mean, least or greatest against the trace's own list."""
    name, statistic = stated.implementation, stated.statistic
    truth: Interval | None = None
    if statistic == "mean":
        truth = listed_mean(context, name)
    elif statistic in {"min", "max"}:
        truth = listed_extreme(context, name, statistic)
    if truth is None or rounds_to(truth, stated.printed):
        return
    expected = _in_unit(truth, stated)
    yield Flag(
        f"the {statistic} of the values listed for {name} is {expected}, not {stated.text}",
        span_location(stated.span),
        expected=expected,
        actual=stated.text,
    )


def _in_unit(truth: Interval, stated: Latency) -> str:
    """The right figure as the wrong one is written."""
    one = in_milliseconds(Printed(1.0, 0.5), stated.unit).value
    printed = Printed(stated.printed.value / one, stated.printed.half_unit / one)
    return shown_like(truth.middle / one, printed) + (stated.unit or "")


def never_measured(context: CheckContext) -> bool:
    """Whether a whole session is at hand and no measurement was started in it."""
    facts = context.facts
    if facts is None or context.blind:
        return False
    return facts.session.format is not None and not facts.performance.runs


def _truth(measured: Performance, stated: Latency) -> Interval | None:
    if stated.case is None:
        return latency(measured, stated.implementation, stated.statistic)
    case = _case_of(measured, stated.case)
    if case is None:
        return None
    return case_latency(case, stated.implementation, input_half_unit(measured))


def _case_of(measured: Performance, index: int) -> CaseFacts | None:
    return next((case for case in measured.per_case if case.index == index), None)


def _other(measured: Performance, stated: Latency) -> str | None:
    """Name the role in which a wrong figure would be right."""
    for implementation in sorted(IMPLEMENTATIONS, key=lambda name: name == stated.implementation):
        for statistic in sorted(STATISTICS, key=lambda name: name != stated.statistic):
            value = latency(measured, implementation, statistic)
            if value is not None and rounds_to(value, stated.printed):
                return f"it is the {statistic} of {implementation}"
    for case in measured.per_case:
        for implementation in IMPLEMENTATIONS:
            value = case_latency(case, implementation, input_half_unit(measured))
            if value is not None and rounds_to(value, stated.printed):
                return f"it is case[{case.index}] of {implementation}"
    truth = _truth(measured, stated)
    for factor in (1000.0, 0.001):
        scaled = Printed(stated.printed.value / factor, stated.printed.half_unit / factor)
        if truth is not None and rounds_to(truth, scaled):
            return "the digits are right, the unit is not"
    return None


def _pair(context: CheckContext, passage: Passage, match: re.Match[str]) -> Iterator[Flag]:
    """`（0.4563 / 1.2465）` behind a ratio: two latencies of the same statistic."""
    location = passage.at(match.start(), match.end())
    one, other = parse_printed(match[1]), parse_printed(match[2])
    if one is None or other is None or "." not in match[1] + match[2]:
        return
    measured = context.facts.performance if context.facts is not None else None
    if measured is None or not measured.executed:
        context.ledger.unverifiable("latencies", NEEDS, location)
        return
    masked = passage.line.masked.lower()
    statistic = "median" if "median" in masked or "中位" in masked else "mean"
    wanted = _pair_candidates(measured, masked, statistic)
    if not wanted:
        return
    context.ledger.checked(NUMBERS, (location.line, location.column))
    if any(rounds_to(a, one) and rounds_to(b, other) for a, b in wanted):
        return
    swapped = any(rounds_to(a, other) and rounds_to(b, one) for a, b in wanted)
    first, second = wanted[0]
    yield Flag(
        f"the {statistic} latencies are others than {match[0]!r}",
        location,
        expected=f"{shown_like(first.middle, one)} / {shown_like(second.middle, other)}",
        actual=match[0],
        notes=("inverted: the two are exchanged",) if swapped else (),
        replacement=_right_pair(match, wanted, one, other),
    )


def _right_pair(
    match: re.Match[str], wanted: Sequence[tuple[Interval, Interval]], one: Printed, other: Printed
) -> str | None:
    """The pair that is meant: the only one, or the only one with a figure where it stands."""
    near = [pair for pair in wanted if rounds_to(pair[0], one) or rounds_to(pair[1], other)]
    meant = wanted if len(wanted) == 1 else near
    if len(meant) != 1:
        return None
    first, second = meant[0]
    return with_groups(match, [shown_like(first.middle, one), shown_like(second.middle, other)])


def _pair_candidates(
    measured: Performance, masked: str, statistic: str
) -> list[tuple[Interval, Interval]]:
    """Latency pairs of the implementations that the line names, reference over AscendC first."""
    named = {impl for word, impl in _IMPLEMENTATION_WORDS.items() if word in masked}
    found = []
    for over, under in (
        ("reference", "ascendc"),
        ("tilelang", "ascendc"),
        ("reference", "tilelang"),
    ):
        one, other = latency(measured, over, statistic), latency(measured, under, statistic)
        if one is not None and other is not None and {over, under} <= (named or {over, under}):
            found.append((one, other))
    return found
