"""Words the right text for a range of a trace; must not know any rule.

A replacement is given only where it is exact: the source's own characters, a recomputed figure in
the writing of the wrong one, a verdict word. None means that a person has to write it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from validators.numbers.printed import NUMBER, Interval, Printed, quotient, shown_like
from validators.passages import Passage
from validators.quoted import Judged
from validators.quotes.fragments import ELLIPSIS, REDACTED
from validators.table_row import UNKNOWN
from validators.verdicts import read_verdict

_FIGURE = re.compile(NUMBER)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_MARKUP = re.compile(r"[\\`*_<>\[\]|&#~]")
_CLOSE = 80.0
"""Similarity from which an altered text is surely the one that was meant."""
_DOUBTFUL = ("source_cut", "non_witness", "compared", "fragment_", "skipped_lines")
_FAST_SLOW = str.maketrans("快慢", "慢快")
_SAID_TRUE = {"✅", "✔", "✓", "√", "是", "成功", "通过", "yes", "true", "pass", "passed", "ok"}
_SAID_FALSE = {"❌", "✘", "✗", "×", "否", "失败", "未通过", "no", "false", "fail", "failed"}
_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)\s*(?:ms|毫秒|[x×倍])", re.IGNORECASE)
_ONE_WORD = re.compile(
    r"[\s*]*(?:PASS|PASSED|FAIL|FAILED|SKIP|SKIPPED|通过|失败|跳过|成功)[\s*]*", re.IGNORECASE
)
_SAID_OF = {
    name: re.compile(rf"([^|,;，；、/]{{1,20}}?)\s*[（(]\s*{name}\s*[）)]", re.IGNORECASE)
    for name in ("tilelang", "ascendc")
}


def with_figure(text: str, figure: str) -> str | None:
    """The text with its first number exchanged; None when there is none."""
    match = _FIGURE.search(text)
    return None if match is None else text[: match.start()] + figure + text[match.end() :]


def with_groups(match: re.Match[str], figures: Sequence[str]) -> str:
    """The matched text with its groups 1, 2, ... exchanged."""
    text, start = match[0], match.start()
    for number in range(len(figures), 0, -1):
        low, high = match.start(number) - start, match.end(number) - start
        text = text[:low] + figures[number - 1] + text[high:]
    return text


def in_the_writing_of(value: float, printed: Printed) -> str:
    """A ratio with the digits of the wrong one, two where that shows none."""
    return shown_like(value, printed, 0 if printed.half_unit < 0.5 else 2)


def ratio_as_written(truth: Interval, printed: Printed, inverse: bool) -> str | None:
    """A ratio, or its inverse where that is surely the one meant; None where either may be.

    Args:
        truth: reference over AscendC.
        printed: what the trace says.
        inverse: whether the sentence may state the inverse.
    """
    if not inverse:
        return in_the_writing_of(truth.middle, printed)
    other = quotient(Interval(1.0, 1.0), truth)
    if other is None or printed.value <= 0 or truth.middle <= 0:
        return None
    near = abs(math.log(printed.value / truth.middle))
    far = abs(math.log(printed.value / other.middle))
    if min(near, far) * 2 >= max(near, far):
        return None
    return in_the_writing_of((truth if near < far else other).middle, printed)


def only(values: Iterable[str]) -> str | None:
    """The one value that all of them are, None when they differ."""
    distinct = list(dict.fromkeys(values))
    return distinct[0] if len(distinct) == 1 else None


def turned_direction(text: str) -> str | None:
    """`快于` as `慢于` and the other way round; None when the text says neither or both."""
    return text.translate(_FAST_SLOW) if ("快" in text) != ("慢" in text) else None


def case_list(written: str, cases: Sequence[int]) -> str:
    """Cases listed with the separator and the tail of the list they replace."""
    separator = re.search(r"\](\s*[、,，]\s*|\s+)case", written)
    listed = (separator[1] if separator else "、").join(f"case[{number}]" for number in cases)
    return listed + written[len(written.rstrip(" 、,，\t")) :]


def source_of(judged: Judged) -> str | None:
    """The source's own characters for an altered or elided quotation, as its place needs them.

    None where they do not fit into one line, could not be told from markup, or where another text
    may be the one that was meant.
    """
    quotation, verdict = judged.quotation, judged.verdict
    source = (verdict.source_text or "").strip()
    doubtful = any(reason.startswith(_DOUBTFUL) for reason in verdict.reasons)
    if not source or doubtful or verdict.similarity < _CLOSE or _CONTROL.search(source):
        return None
    if REDACTED.search(quotation.text):
        return None
    if ELLIPSIS.search(quotation.text) and not verdict.accepted:
        return None  # which part of the source belongs to which fragment is open
    if quotation.kind == "block_line":
        return source
    if _in_code_span(quotation.passage, quotation.start, len(quotation.text)):
        return None if "`" in source else source
    return None if _MARKUP.search(source) else source


def _in_code_span(passage: Passage, start: int, size: int) -> bool:
    return any(code.start == start and len(code.text) == size for code in passage.line.codes)


def template_cell(written: str, column: int, text: str) -> str | None:
    """The template's word for a cell that says the same in another one; None without it."""
    if text.lower() in {"-", "—", "n/a", "na", "none", "无"}:
        return UNKNOWN
    figure = _WITH_UNIT.fullmatch(text)
    if column in {6, 7, 8}:
        # A latency is no ratio: only the unit of the column is taken off.
        unit_fits = figure is not None and text.lower().endswith(("ms", "毫秒")) == (column < 8)
        return figure[1] if figure is not None and unit_fits else None
    pair = {4: ("✅", "❌"), 5: ("✅", "❌"), 9: ("成功", "失败")}.get(column)
    if column in {10, 11, 12}:
        pair = ("是", "否")
    if pair is None or not written:
        return None
    said = text.lower()
    return pair[0] if said in _SAID_TRUE else pair[1] if said in _SAID_FALSE else None


def result_in_form(text: str) -> str | None:
    """Two plain verdicts in the template's form; None where more than that is said."""
    found = {name: pattern.search(text) for name, pattern in _SAID_OF.items()}
    words = {name: read_verdict(match[1]) for name, match in found.items() if match is not None}
    rest = text
    for match in found.values():
        rest = rest.replace(match[0], "", 1) if match is not None else rest
    plain = rest.strip(" |,;，；、/") == ""
    allowed = words.get("tilelang") in {"PASS", "FAIL", "SKIP"}
    if not plain or not allowed or words.get("ascendc") not in {"PASS", "FAIL"}:
        return None
    if any(match is not None and not _ONE_WORD.fullmatch(match[1]) for match in found.values()):
        return None
    return f"{words['tilelang']} (tilelang) | {words['ascendc']} (ascendc)"
