"""Rules on what a measurement was made with, and on cells that contradict each other."""

from __future__ import annotations

import re
from collections.abc import Iterator

from summarizer.model.facts import Performance
from validators.outcomes import NEEDS, read_mark
from validators.passages import passages, span_location
from validators.rule import NUMBERS, CheckContext, Flag
from validators.table_row import (
    AT_LEAST_06,
    AT_LEAST_08,
    CANDIDATE_MS,
    COMPILED,
    CORRECT,
    CORRECT_MARK,
    RATIO,
    REFERENCE_MS,
    STATUS,
    UNKNOWN,
    Row,
    summary_row,
)

_SETTING = re.compile(
    r"\b(device|warmup|repeats?|seed)\s*[=:：]\s*([A-Za-z0-9][\w.:-]*)", re.IGNORECASE | re.ASCII
)


def check_wrong_configuration(context: CheckContext) -> Iterator[Flag]:
    """Device, warm-up, repeats or seed of the measurement are stated otherwise than reported.

    Figures are comparable only when they were taken alike; the template's example values are easily
    copied along.

    Bad:
        - 测试配置: device=npu, warmup=5, repeat=10, seed=0   (the report says Repeat : 50)
    Good:
        - 测试配置: device=npu, warmup=5, repeat=50, seed=0
    """
    measured = context.facts.performance if context.facts is not None else None
    for passage in passages(context):
        if passage.kind != "prose" or passage.stage != "performance":
            continue
        for match in _SETTING.finditer(passage.line.masked):
            if match[2] == UNKNOWN or match[2] == "N":
                continue
            name = "repeat" if match[1].lower().startswith("repeat") else match[1].lower()
            location = passage.at(match.start(2), match.end(2))
            truth = _setting(measured, name)
            if truth is None:
                context.ledger.unverifiable("settings", NEEDS, location)
                continue
            context.ledger.checked(NUMBERS, (location.line, location.column))
            if not _same(match[2], truth):
                yield Flag(
                    f"{name} is {truth}, not {match[2]}",
                    location,
                    expected=truth,
                    actual=match[2],
                    replacement=truth,
                )


def _setting(measured: Performance | None, name: str) -> str | None:
    value = getattr(measured, name) if measured is not None else None
    return None if value is None else str(value)


def _same(claimed: str, truth: str) -> bool:
    """`npu` and `npu:0` are the same device."""
    return claimed.split(":", 1)[0].lower() == truth.split(":", 1)[0].lower()


def check_contradictory_cells(context: CheckContext) -> Iterator[Flag]:
    """Cells of the summary row that cannot all be true.

    精度正确 stands twice and must agree with itself and with 最终状态; what did not compile cannot
    be correct; what is faster than 0.8x is faster than 0.6x; a ratio needs both latencies.

    Bad:
        | ... | ✅ | ❌ | 0.086 | 0.186 | 0.46 | 成功 | 是 | 否 | 否 |
    Good:
        | ... | ✅ | ❌ | 0.086 | 0.186 | 0.46 | 失败 | 否 | 否 | 否 |
    """
    row = summary_row(context.doc)
    if row is None or len(row.cells) <= AT_LEAST_08:
        return
    for one, other, message in _contradictions(row):
        yield Flag(
            message,
            span_location(row.span(other)),
            expected=None,
            actual=f"cell {one + 1} {row.text(one)!r}, cell {other + 1} {row.text(other)!r}",
        )


def _contradictions(row: Row) -> Iterator[tuple[int, int, str]]:
    marks = {
        column: read_mark(row.text(column))
        for column in (COMPILED, CORRECT_MARK, STATUS, CORRECT, AT_LEAST_06, AT_LEAST_08)
    }
    for one, other in ((CORRECT_MARK, CORRECT), (CORRECT, STATUS)):
        if None not in {marks[one], marks[other]} and marks[one] is not marks[other]:
            yield one, other, f"cells {one + 1} and {other + 1} contradict each other"
    if marks[COMPILED] is False and marks[CORRECT_MARK] is True:
        yield COMPILED, CORRECT_MARK, "what did not compile cannot be correct"
    if marks[AT_LEAST_06] is False and marks[AT_LEAST_08] is True:
        yield AT_LEAST_06, AT_LEAST_08, "a ratio above 0.8 is above 0.6 too"
    for column in (REFERENCE_MS, CANDIDATE_MS):
        if row.text(RATIO) != UNKNOWN and row.text(column) == UNKNOWN:
            yield column, RATIO, "a ratio is stated without one of its two latencies"
