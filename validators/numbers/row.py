"""Rules on the ratio and the flags of the summary row."""

from __future__ import annotations

from collections.abc import Iterator

from summarizer.model.facts import Performance
from summarizer.model.trace import TextSpan
from validators.numbers.known import Ratio, known_ratios, same_as
from validators.numbers.printed import (
    Interval,
    Printed,
    around,
    exactly,
    parse_printed,
    quotient,
    rounds_to,
    shown_like,
)
from validators.outcomes import NEEDS
from validators.passages import span_location
from validators.replacing import in_the_writing_of, with_figure
from validators.rule import NUMBERS, CheckContext, Flag
from validators.table_row import (
    AT_LEAST_06,
    AT_LEAST_08,
    CANDIDATE_MS,
    RATIO,
    REFERENCE_MS,
    Row,
    summary_row,
)


def printed_quotient(over: str, under: str) -> Interval | None:
    """The values that the quotient of two printed decimals may have."""
    one, other = parse_printed(over), parse_printed(under)
    if one is None or other is None:
        return None
    return quotient(around(one.value, one.half_unit), around(other.value, other.half_unit))


def check_ratio_cell(context: CheckContext, row: Row) -> Iterator[Flag]:
    """The 加速比 cell: the ratio of the means, or what the row's own cells allow."""
    span, text = row.span(RATIO), row.text(RATIO)
    printed = parse_printed(text.rstrip("xX×"))
    if printed is None:
        return
    location = span_location(span)
    measured = context.facts.performance if context.facts is not None else None
    ratios: dict[str, Ratio] = {}
    if measured is not None and measured.executed:
        ratios = context.once("ratios", lambda _: known_ratios(measured))
    if "ratio_of_means" in ratios:
        context.ledger.checked(NUMBERS, (location.line, location.column))
        truth: Interval | None = ratios["ratio_of_means"].value
    else:
        truth = printed_quotient(row.text(REFERENCE_MS), row.text(CANDIDATE_MS))
        context.ledger.unverifiable("ratios", NEEDS, location)
    if truth is None or rounds_to(truth, printed):
        return
    named = same_as(printed, ratios, ["ratio_of_means"]) or _inverted(truth, printed)
    right = with_figure(span.text, in_the_writing_of(truth.middle, printed))
    yield Flag(
        f"加速比 is {shown_like(truth.middle, printed, 2)}, not {text}",
        location,
        expected=shown_like(truth.middle, printed, 2),
        actual=text,
        notes=(named,) if named else (),
        replacement=right if "ratio_of_means" in ratios else None,
    )


def _inverted(truth: Interval, printed: Printed) -> str | None:
    return "inverted: the roles are exchanged" if fits(truth, printed, True) else None


def check_wrong_threshold_flag(context: CheckContext) -> Iterator[Flag]:
    """A 0.6x or 0.8x cell that does not follow from the ratio.

    是 means strictly greater, compared on the unrounded ratio of the means.

    Bad:
        | ... | 0.075 | 0.078 | 0.96 | 成功 | 是 | 否 | 否 |
    Good:
        | ... | 0.075 | 0.078 | 0.96 | 成功 | 是 | 是 | 是 |
    """
    row = summary_row(context.doc)
    if row is None or len(row.cells) <= AT_LEAST_08:
        return
    measured = context.facts.performance if context.facts is not None else None
    known = {
        AT_LEAST_06: measured.at_least_06x if measured is not None else None,
        AT_LEAST_08: measured.at_least_08x if measured is not None else None,
    }
    for column, threshold in ((AT_LEAST_06, 0.6), (AT_LEAST_08, 0.8)):
        span: TextSpan = row.span(column)
        location = span_location(span)
        claimed = {"是": True, "否": False}.get(row.text(column))
        truth = known[column]
        if claimed is None:
            continue
        if truth is None and claimed and parse_printed(row.text(RATIO).rstrip("xX×")) is None:
            message = f"there is no ratio that could be greater than {threshold}"
            yield Flag(message, location, expected="N/A", actual=row.text(column))
        elif truth is None:
            context.ledger.unverifiable("threshold flags", NEEDS, location)
            truth = _by_own_ratio(row, threshold)
        else:
            context.ledger.checked(NUMBERS, (location.line, location.column))
        if truth is not None and truth is not claimed:
            word = "是" if truth else "否"
            yield Flag(
                f"the ratio is {'' if truth else 'not '}greater than {threshold}",
                location,
                expected=word,
                actual=row.text(column),
                notes=_by_another_definition(measured, threshold, claimed),
                replacement=(
                    span.text.replace(row.text(column), word) if known[column] is truth else None
                ),
            )


def _by_another_definition(
    measured: Performance | None, threshold: float, claimed: bool
) -> tuple[str, ...]:
    """Name the aggregate by which a wrong flag would be right."""
    others = (
        ("the mean of the per-case ratios", measured.mean_of_ratios if measured else None),
        ("the geometric mean of the ratios", measured.geomean_of_ratios if measured else None),
    )
    named = [
        f"{words} ({value:.2f}) would give {'是' if claimed else '否'}"
        for words, value in others
        if value is not None and (value > threshold) is claimed
    ]
    return tuple(named[:1])


def _by_own_ratio(row: Row, threshold: float) -> bool | None:
    """The flag that the row's own ratio decides; None where its rounding leaves it open."""
    printed = parse_printed(row.text(RATIO).rstrip("xX×"))
    if printed is None:
        return None
    interval = around(printed.value, printed.half_unit)
    if interval.low > threshold:
        return True
    return False if interval.high < threshold else None


def fits(value: Interval, printed: Printed, inverse: bool) -> bool:
    """Whether a printed ratio is `value`, or its inverse where that may be meant."""
    if rounds_to(value, printed):
        return True
    other = quotient(exactly(1.0), value)
    return inverse and other is not None and rounds_to(other, printed)
