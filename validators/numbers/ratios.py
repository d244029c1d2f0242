"""Rules on speed-ups: by which definition, in which direction, against which threshold."""

from __future__ import annotations

import re
from collections.abc import Iterator

from validators.numbers.known import Ratio, known_ratios, ratios_of, same_as
from validators.numbers.latencies import never_measured, stated_latencies
from validators.numbers.printed import (
    NUMBER,
    Interval,
    Printed,
    around,
    parse_printed,
    shown_like,
)
from validators.numbers.row import check_ratio_cell, fits, printed_quotient
from validators.outcomes import NEEDS
from validators.passages import Passage, passages
from validators.replacing import ratio_as_written, turned_direction, with_groups
from validators.rule import NUMBERS, CheckContext, Flag
from validators.table_row import (
    RATIO,
    summary_row,
)

RATIO_FIGURE = re.compile(rf"(?<![A-Za-z0-9_.])({NUMBER})\s*(?:[x×X](?![A-Za-z0-9×])|倍)")
_TOPIC = re.compile(
    r"加速|speed-?up|快|慢|reference|pytorch|参考|tilelang|比值|overall|均值之比",
    re.IGNORECASE | re.ASCII,
)
_REACH = 200
"""Characters before a figure in which its role is looked for."""
_STRONG_END = "；;。！!"
_MEAN_OF_RATIOS = (
    r"算术平均|mean of (?:the )?(?:per-case )?ratios|平均加速比"
    r"|(?:各|逐|per)\s*-?case\s*(?:加速比|比值)?的?平均"
)
_RATIO_OF_MEANS = r"均值之比|按\s*mean|mean\s*统计|ratio of (?:the )?means|两个均值"
_KEYWORDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("mean_of_ratios", re.compile(_MEAN_OF_RATIOS, re.IGNORECASE | re.ASCII)),
    ("geomean", re.compile(r"几何平均|geo-?mean|geometric mean", re.IGNORECASE | re.ASCII)),
    ("overall", re.compile(r"overall", re.IGNORECASE | re.ASCII)),
    ("ratio_of_means", re.compile(_RATIO_OF_MEANS, re.IGNORECASE | re.ASCII)),
    ("median", re.compile(r"中位数?|median", re.IGNORECASE | re.ASCII)),
    ("min", re.compile(r"最小|最低|最差|\bmin\b", re.IGNORECASE | re.ASCII)),
    ("max", re.compile(r"最大|最高|最好|\bmax\b", re.IGNORECASE | re.ASCII)),
    ("case", re.compile(r"\bcase\s*\[?\s*(\d{1,6})\]?(?!\s*个)", re.IGNORECASE | re.ASCII)),
)
_PER_CASE = re.compile(r"比值|各\s*case|逐\s*case|per-?case", re.IGNORECASE | re.ASCII)
_AFTER = re.compile(r"\s*[（(]([^）)]{0,40})[）)]")
_OVERALL_IS = (
    ("mean_of_ratios", re.compile(r"算术平均")),
    ("ratio_of_means", re.compile(r"均值之比|两个均值")),
    ("geomean", re.compile(r"几何平均")),
)
_SLOW = re.compile(
    r"慢(?:了|约|于)?[^，,。；;\d]{0,8}$|slower[^,.;\d]{0,8}$", re.IGNORECASE | re.ASCII
)
_REFERENCE_FASTER = re.compile(
    r"(?:reference|pytorch|参考)\S{0,6}\s*(?:约|仍)?快[^，,。；;\d]{0,6}$", re.IGNORECASE | re.ASCII
)
_THRESHOLD_BEFORE = re.compile(
    r"(?:性能|达到?|超过|大于|小于|低于|高于|不足|未到|阈值|目标|>|<|≥|≤)\s*$"
)
_THRESHOLD_AFTER = re.compile(
    r"\s*(?:、\s*0\.\d\s*x|/\s*0\.\d\s*x|两?列|阈值|门槛|标准|目标|基线|线|pytorch|以上|以下|[:：]\s*[是否])",
    re.IGNORECASE | re.ASCII,
)
_DIRECTION = re.compile(
    r"AscendC\s*(?:实现)?(?:整体|总体|平均|仍|明显|显著|略|稍)*\s*(快于|慢于)\s*"
    r"(reference|pytorch|参考|tilelang)",
    re.IGNORECASE | re.ASCII,
)
_THRESHOLDS = {"0.6", "0.8", "1.1"}
_TILELANG = re.compile(r"tilelang", re.IGNORECASE | re.ASCII)
_REFERENCE = re.compile(r"reference|pytorch|参考", re.IGNORECASE | re.ASCII)
_VERSUS = re.compile(
    r"(tilelang|ascendc)\s*vs\.?\s*(reference|tilelang|pytorch)\s*[:：]?\s*$",
    re.IGNORECASE | re.ASCII,
)
_PAIR = re.compile(rf"\s*[（(]\s*({NUMBER})\s*(?:ms)?\s*/\s*({NUMBER})\s*(?:ms)?\s*[）)]")
GROUP = ("min_of_ratios", "max_of_ratios")
"""The role of a figure that some of the cases have."""
_GROUP_WORDS = re.compile(
    r"(?:小|大|中|中等|典型|部分|其余|其他|多数|少数|个别|极端|small|large|tiny|big|most|some|other)\s*(?:的)?\s*"
    r"(?:shape|case|用例|尺寸|形状|tensor|张量)(?!\s*[\[（(]?\s*(?:case\s*)?\d)",
    re.IGNORECASE | re.ASCII,
)
_OF_ALL = re.compile(r"整体|总体|平均|均值|\bmeans?\b|overall", re.IGNORECASE | re.ASCII)
_ABOUT = re.compile(r"(?:约|大约|左右|~|≈|about)\s*$", re.IGNORECASE | re.ASCII)
_LATENCIES_OF = re.compile(
    r"(?:中位数|中位耗时|median|耗时|延迟|latency|用时)\s*(?:约)?(?:为|是)?\s*(?:约)?\s*"
    r"(?:reference|pytorch|参考(?:实现)?)\s*(?:的)?\s*(?:约)?\s*$",
    re.IGNORECASE | re.ASCII,
)
_SPEEDUP_AFTER = re.compile(r"\s*(?:的)?\s*(?:加速|speed-?up)", re.IGNORECASE | re.ASCII)
_SECTIONS = {"performance", "summary_table", "header", "overview", "full_validation", "ascendc"}


def check_wrong_ratio(context: CheckContext) -> Iterator[Flag]:
    """A speed-up that is not what its name says.

    加速比 is the reference's mean latency divided by AscendC's. Another aggregate (mean of the
    per-case ratios, geometric mean, the script's own overall figure) must stand under its own
    name; a wrong figure that equals one of them, or has the roles exchanged, is named as that. A
    figure of some cases (`小 shape case 仅 0.36x`) is compared with the per-case ratios. Without a
    measurement at hand the latencies that the trace states itself decide.

    Bad:
        - 加速比 3.14x   (that is the mean of the per-case ratios; 0.4563 / 1.2465 = 0.37)
    Good:
        - 按 mean 统计约为 reference 的 0.37x（0.4563 / 1.2465）
    """
    for passage in passages(context):
        if may_hold_ratios(passage) and _TOPIC.search(passage.line.masked):
            for match in RATIO_FIGURE.finditer(passage.line.masked):
                yield from _in_prose(context, passage, match)
    row = summary_row(context.doc)
    if row is not None and len(row.cells) > RATIO:
        yield from check_ratio_cell(context, row)


def may_hold_ratios(passage: Passage) -> bool:
    """Whether a passage may state the speed: prose of stages, cells of the overview."""
    key = passage.section.key
    return (passage.kind == "prose" and key in _SECTIONS) or (
        passage.kind == "cell" and key == "overview"
    )


def _in_prose(context: CheckContext, passage: Passage, match: re.Match[str]) -> Iterator[Flag]:
    masked = passage.line.masked
    printed = parse_printed(match[1])
    if printed is None or _is_threshold(masked, match):
        return
    location = passage.at(match.start(), match.end())
    ratios, from_outside = ratios_at_hand(context)
    if not from_outside:
        if context.facts is not None and never_measured(context):
            yield from _without_measurement(context, passage, match)
            return
        context.ledger.unverifiable("ratios", NEEDS, location)
        own = list(_own_arithmetic(passage, match, printed))
        if own:
            yield from own
            return
    for roles in roles_of(masked, match):
        flags = list(_against(context, passage, match, roles, (ratios, from_outside)))
        yield from flags
        if flags:
            return


def ratios_at_hand(context: CheckContext) -> tuple[dict[str, Ratio], bool]:
    """Ratios of the measurement, else those of the latencies that the trace itself states."""
    measured = context.facts.performance if context.facts is not None else None
    if measured is not None and measured.executed:
        return context.once("ratios", lambda _: known_ratios(measured)), True
    return context.once("own ratios", _own_ratios), False


def _own_ratios(context: CheckContext) -> dict[str, Ratio]:
    values: dict[tuple[str, str], list[Interval]] = {}
    for stated in stated_latencies(context):
        if stated.statistic in {"mean", "median"}:
            value = around(stated.printed.value, stated.printed.half_unit)
            values.setdefault((stated.implementation, stated.statistic), []).append(value)
    return ratios_of(values)


def _against(
    context: CheckContext,
    passage: Passage,
    match: re.Match[str],
    roles: tuple[str, ...],
    at_hand: tuple[dict[str, Ratio], bool],
) -> Iterator[Flag]:
    """Compare a figure with the ratios that it may be."""
    ratios, from_outside = at_hand
    known = [role for role in roles if role in ratios]
    printed = parse_printed(match[1])
    if not known or printed is None:
        return
    masked = passage.line.masked
    location = passage.at(match.start(), match.end())
    if from_outside:
        context.ledger.checked(NUMBERS, (location.line, location.column, roles[0]))
    if roles == GROUP:
        yield from _of_group(passage, match, ratios)
        return
    inverse = _may_be_inverse(masked, match) or is_ratio_of_latencies(masked, match)
    if any(fits(ratios[role].value, printed, inverse) for role in known):
        return
    truth = ratios[known[0]]
    named = same_as(printed, ratios, known)
    right: str | None = None
    if from_outside and len(known) == 1:
        right = ratio_as_written(truth.value, printed, inverse)
    yield Flag(
        f"{truth.words} is {shown_like(truth.value.middle, printed, 2)}x, not {match[0]}",
        location,
        expected=f"{shown_like(truth.value.middle, printed, 2)}x",
        actual=match[0],
        notes=(named,) if named else (),
        replacement=with_groups(match, [right]) if right is not None else None,
    )


def _of_group(passage: Passage, match: re.Match[str], ratios: dict[str, Ratio]) -> Iterator[Flag]:
    """A figure of some cases (`小 shape case 仅 0.36x-0.64x`) is the ratio of one of them."""
    printed = parse_printed(match[1])
    cases = [ratio.value for name, ratio in ratios.items() if name.startswith("case[")]
    if printed is None or any(fits(value, printed, True) for value in cases):
        return
    low, high = min(value.low for value in cases), max(value.high for value in cases)
    if _ABOUT.search(near(passage.line.masked, match)) and low <= printed.value <= high:
        return
    yield Flag(
        f"no case has a ratio of {match[0]}; they reach from {low:.2f}x to {high:.2f}x",
        passage.at(match.start(), match.end()),
        expected=f"a ratio of {low:.2f}x to {high:.2f}x that a case has",
        actual=match[0],
    )


def _without_measurement(
    context: CheckContext, passage: Passage, match: re.Match[str]
) -> Iterator[Flag]:
    location = passage.at(match.start(), match.end())
    if passage.section.key in {"performance", "header", "overview"}:
        yield Flag(
            f"a ratio of {match[0]} is stated; no measurement is in the evidence",
            location,
            actual=passage.cut(match.start(), match.end()),
        )


def _is_threshold(masked: str, match: re.Match[str]) -> bool:
    if match[1] not in _THRESHOLDS:
        return False
    before, after = near(masked, match), match.end()
    return bool(_THRESHOLD_BEFORE.search(before) or _THRESHOLD_AFTER.match(masked, after)) or bool(
        re.search(r"0\.\d\s*x\s*[、/,，]\s*$", before)
    )


def near(masked: str, match: re.Match[str]) -> str:
    """The words before a figure that can say what it is."""
    return masked[max(0, match.start() - _REACH) : match.start()]


def roles_of(masked: str, match: re.Match[str]) -> list[tuple[str, ...]]:
    """What the figure must be: every group needs one fitting ratio; empty without a role."""
    words = near(masked, match)
    before = words[max(words.rfind(end) for end in _STRONG_END) + 1 :]
    groups: list[tuple[str, ...]] = []
    versus = _VERSUS.search(before)
    if versus is not None:
        return [(_versus(versus[1].lower(), versus[2].lower()),)]
    groups.append(_role_before(before))
    groups.extend(_roles_after(masked, match))
    found = [group for group in groups if group]
    if not found and _SPEEDUP_AFTER.match(masked, match.end()) and not _TILELANG.search(before):
        return [("ratio_of_means",)]
    return found


def _versus(candidate: str, baseline: str) -> str:
    baseline = "reference" if baseline == "pytorch" else baseline
    if (candidate, baseline) == ("ascendc", "reference"):
        return "ratio_of_means"
    return f"{baseline}/{candidate}"


def _role_before(before: str) -> tuple[str, ...]:
    nearest: tuple[int, str] | None = None
    for name, pattern in _KEYWORDS:
        for found in pattern.finditer(before):
            role = f"case[{found[1]}]" if name == "case" else name
            if nearest is None or found.start() > nearest[0]:
                nearest = (found.start(), role)
    role = nearest[1] if nearest is not None else "general"
    per_case = _PER_CASE.search(before) is not None
    if role in {"min", "max"}:
        return (f"{role}_of_ratios",) if per_case else ()
    if role == "median":
        return ("median_of_ratios",) if per_case else ("ratio_of_medians",)
    if role == "general" and _is_of_group(before):
        return GROUP
    if role == "ratio_of_means" or role == "general":
        return _pair_role(before)
    return (role,)


def _is_of_group(before: str) -> bool:
    """Whether some cases are spoken of, and not all of them again behind that."""
    found = list(_GROUP_WORDS.finditer(before))
    return bool(found) and _OF_ALL.search(before, found[-1].end()) is None


def is_ratio_of_latencies(masked: str, match: re.Match[str]) -> bool:
    """Whether a figure compares latencies themselves: `中位数约为 reference 的 1.09x`."""
    return _LATENCIES_OF.search(near(masked, match)) is not None


def _pair_role(before: str) -> tuple[str, ...]:
    """Which implementations a general ratio is between; all three named: any pair may be meant."""
    tilelang, reference = _TILELANG.search(before), _REFERENCE.search(before)
    if tilelang and not reference:
        return ("tilelang/ascendc",)
    if tilelang and reference:
        return ("ratio_of_means", "tilelang/ascendc", "reference/tilelang")
    if not re.search(
        r"加速|speed-?up|快|慢|reference|pytorch|参考|均值", before, re.IGNORECASE | re.ASCII
    ):
        return ()
    return ("ratio_of_means",)


def _roles_after(masked: str, match: re.Match[str]) -> Iterator[tuple[str, ...]]:
    """A bracket behind the figure that says what it is: `（case[0]）`, `（均值之比）`."""
    after = _AFTER.match(masked, match.end())
    if after is None:
        return
    case = re.fullmatch(r"\s*case\s*\[(\d{1,6})\]\s*", after[1])
    if case is not None:
        yield (f"case[{case[1]}]",)
    for name, pattern in _OVERALL_IS:
        if pattern.search(after[1]):
            yield (name,)


def _may_be_inverse(masked: str, match: re.Match[str]) -> bool:
    before = near(masked, match)
    return bool(_SLOW.search(before) or _REFERENCE_FASTER.search(before))


def _own_arithmetic(passage: Passage, match: re.Match[str], printed: Printed) -> Iterator[Flag]:
    """Without a source: `0.46x（0.086 / 0.186）` against its own two figures."""
    pair = _PAIR.match(passage.line.masked, match.end())
    if pair is None:
        return
    expected = printed_quotient(pair[1], pair[2])
    if expected is not None and not fits(expected, printed, True):
        yield Flag(
            f"{pair[1]} / {pair[2]} is {shown_like(expected.middle, printed, 2)}, not {match[0]}",
            passage.at(match.start(), match.end()),
            expected=f"{shown_like(expected.middle, printed, 2)}x",
            actual=passage.cut(match.start(), match.end()),
        )


def check_wrong_direction(context: CheckContext) -> Iterator[Flag]:
    """AscendC is said to be faster where it is slower, or the other way round.

    It is decided by the ratio of the means; a statement about single cases is not judged.

    Bad:
        - AscendC 快于 reference   (0.4563 / 1.2465 = 0.37)
    Good:
        - AscendC 慢于 reference
    """
    measured = context.facts.performance if context.facts is not None else None
    for passage in passages(context):
        if passage.kind != "prose" or passage.section.key not in _SECTIONS:
            continue
        for match in _DIRECTION.finditer(passage.line.masked):
            location = passage.at(match.start(), match.end())
            truth = _mean_ratio(context, match[2]) if measured is not None else None
            if truth is None:
                context.ledger.unverifiable("comparisons of speed", NEEDS, location)
                continue
            context.ledger.checked(NUMBERS, (location.line, location.column, "direction"))
            faster = match[1].startswith("快")
            if (truth.high < 1.0 and faster) or (truth.low > 1.0 and not faster):
                yield Flag(
                    f"the ratio of the means is {truth.middle:.2f}",
                    location,
                    expected="慢于" if faster else "快于",
                    actual=passage.cut(match.start(), match.end()),
                    replacement=turned_direction(passage.cut(match.start(), match.end())),
                )


def _mean_ratio(context: CheckContext, baseline: str) -> Interval | None:
    assert context.facts is not None
    measured = context.facts.performance
    ratios = context.once("ratios", lambda _: known_ratios(measured))
    name = "tilelang/ascendc" if baseline.lower() == "tilelang" else "ratio_of_means"
    return ratios[name].value if name in ratios else None
