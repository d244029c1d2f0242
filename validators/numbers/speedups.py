"""Rules on speed stated otherwise than as a plain ratio: in per cent, or by the latencies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validators.numbers.known import Ratio
from validators.numbers.printed import (
    NUMBER,
    Interval,
    exactly,
    parse_printed,
    quotient,
    rounds_to,
    shown_like,
)
from validators.numbers.ratios import (
    GROUP,
    RATIO_FIGURE,
    is_ratio_of_latencies,
    may_hold_ratios,
    ratios_at_hand,
    roles_of,
)
from validators.numbers.row import fits
from validators.passages import Passage, mentions, passages
from validators.rule import NUMBERS, CheckContext, Flag

_PERCENT = re.compile(
    r"(?P<word>加速|更快|快|更慢|慢|提速|faster|slower)(?:了|约|于)?"
    r"(?:\s*(?:reference|pytorch|参考))?\s*(?:大约|约|了|by|仅|~|≈)?\s*"
    rf"(?P<value>{NUMBER})\s*%",
    re.IGNORECASE | re.ASCII,
)
_OF_VERSIONS = re.compile(
    r"优化前|优化后|修改前|修改后|之前|此前|原来|上一|前一|旧版|初版|previous|before|earlier",
    re.IGNORECASE | re.ASCII,
)
"""Two states of AscendC are compared, of which the measurement knows the last."""
_SLOWER = ("慢", "slower")


def check_wrong_speed_percentage(context: CheckContext) -> Iterator[Flag]:
    """A gain or loss in per cent (`加速约 8%`) that the measurement does not give.

    Per cent of what is seldom said; both readings are accepted: relative to the reference's
    latency and relative to AscendC's. A figure that is neither is wrong by either. Comparisons with
    an earlier version of the code are not judged.

    Bad:
        - AscendC 比 reference 快 30%   (0.4563 / 0.4215 = 1.083)
    Good:
        - AscendC 比 reference 快 8%
    """
    for passage in passages(context):
        if may_hold_ratios(passage):
            masked = passage.line.masked
            if _OF_VERSIONS.search(masked) or mentions(masked, passage.zero_based):
                continue
            for match in _PERCENT.finditer(masked):
                yield from _percent(context, passage, match)


def _percent(context: CheckContext, passage: Passage, match: re.Match[str]) -> Iterator[Flag]:
    printed = parse_printed(match["value"])
    ratios, from_outside = ratios_at_hand(context)
    roles = [name for group in roles_of(passage.line.masked, match) for name in group]
    if not roles and passage.stage == "performance":
        roles = ["ratio_of_means"]
    known = [name for name in roles if name in ratios]
    if printed is None or not known or tuple(roles) == GROUP:
        return
    location = passage.at(match.start("value"), match.end())
    if from_outside:
        context.ledger.checked(NUMBERS, (location.line, location.column, "percent"))
    slower = match["word"].lower().endswith(_SLOWER)
    readings = [reading for name in known for reading in _readings(ratios[name], slower)]
    if any(rounds_to(reading, printed) for reading in readings):
        return
    shown = sorted({f"{shown_like(max(0.0, one.middle), printed)}%" for one in readings})
    turned = any(one.high < 0 for one in readings)
    yield Flag(
        f"{ratios[known[0]].words} is {ratios[known[0]].value.middle:.2f}, so"
        f" {match[0].strip()!r} is wrong",
        location,
        expected=None if turned else " or ".join(shown),
        actual=f"{match['value']}%",
        notes=("the direction is the other one",) if turned else (),
    )


def _readings(ratio: Ratio, slower: bool) -> tuple[Interval, ...]:
    """Per cent by which AscendC is faster (slower): of either latency."""
    inverse = quotient(exactly(1.0), ratio.value)
    if inverse is None:
        return ()
    over, under = (inverse, ratio.value) if slower else (ratio.value, inverse)
    return (
        Interval(100 * (over.low - 1), 100 * (over.high - 1)),
        Interval(100 * (1 - under.high), 100 * (1 - under.low)),
    )


def check_ambiguous_ratio(context: CheckContext) -> Iterator[Flag]:
    """A ratio of latencies stands where the template's ratio is one of speeds.

    加速比 is reference / AscendC, so `约为 reference 的 1.09x` reads as faster. Said of a latency
    it means slower, and whoever collects the figures cannot tell. Say 慢 or give 加速比.

    Bad:
        - AscendC 中位数约为 Reference 的 1.09x   (0.964 / 0.883; the speed-up is 0.92x)
    Good:
        - AscendC 按中位数慢 1.09x（0.964 / 0.883）
    """
    for passage in passages(context):
        if not may_hold_ratios(passage):
            continue
        masked = passage.line.masked
        for match in RATIO_FIGURE.finditer(masked):
            if is_ratio_of_latencies(masked, match):
                yield from _ambiguous(context, passage, match)


def _ambiguous(context: CheckContext, passage: Passage, match: re.Match[str]) -> Iterator[Flag]:
    printed = parse_printed(match[1])
    ratios, _ = ratios_at_hand(context)
    roles = [name for group in roles_of(passage.line.masked, match) for name in group]
    for name in roles:
        if printed is None or name not in ratios:
            continue
        value = ratios[name].value
        if rounds_to(value, printed) or not fits(value, printed, True):
            continue
        means = ratios.get("ratio_of_means")
        other = means is not None and name != "ratio_of_means"
        yield Flag(
            f"{match[0]} is a ratio of latencies; as a speed-up it is {value.middle:.2f}x",
            passage.at(match.start(), match.end()),
            expected=f"{value.middle:.2f}x",
            actual=match[0],
            notes=(f"the ratio of the means is {means.value.middle:.2f}x",)
            if other and means is not None
            else (),
        )
        return
