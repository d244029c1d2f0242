"""Tells which section a heading opens; must not know what stands below it.

Source: the template versions T1-T12 of the public harness and the traces found in the wild.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from summarizer.model.trace import TextSpan

_NUMBERING = re.compile(
    r"\A[*_\s]*(?:(?:\d{1,2}\.)+\d{0,2}[、)]?\s+|\d{1,2}[、)]\s*|[一二三四五六七八九十]{1,3}、\s*)?"
)
_BRACKETS = re.compile(r"\s*[（(][^）)]*[）)]\s*")

_NAMED: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("summary_table", re.compile(r"(?:Trace\s*)?汇总表")),
    ("eval_excerpt", re.compile(r"评测输出")),
    ("violations", re.compile(r"违规路径")),
    ("final_status", re.compile(r"final_status\b")),
    ("overview", re.compile(r"(?:执行|阶段|流程)概览")),
)
"""Sections that are known by their name; they open a section at any depth."""

_STAGE = re.compile(
    r"阶段\s*(?P<numeral>[零〇一二三四五0-5](?:\s*[.．]\s*[五5])?)\s*(?P<mark>[:：—–-]|\Z)?\s*(?P<title>.*)"
)
PHASE = re.compile(
    r"(?:Phase|Stage)\s*\d{1,2}\s*(?P<mark>[:：—–-]|\Z)?\s*(?P<title>.*)", re.IGNORECASE
)

_BY_NUMERAL = {
    "零": "cases", "〇": "cases", "0": "cases", "一": "tilelang", "1": "tilelang",
    "二": "ascendc", "2": "ascendc", "三": "performance", "3": "performance",
    "四": "full_validation", "4": "full_validation",
}  # fmt: skip

_BY_WORD: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("cases", re.compile(r"精简")),
    ("full_validation", re.compile(r"全量|\bfull\b", re.IGNORECASE)),
    ("performance", re.compile(r"性能|performance", re.IGNORECASE)),
    ("design", re.compile(r"设计文档")),
)
"""The first that occurs decides; `AscendC 性能分析` is about performance."""

_IMPLEMENTATION = re.compile(r"TileLang|AscendC", re.IGNORECASE)

_WITHOUT_NUMBER: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("cases", re.compile(r"(?:Case|用例)\s*精简", re.IGNORECASE)),
    ("tilelang", re.compile(r"TileLang\s*(?:设计|实现|设计与验证|设计表达)?", re.IGNORECASE)),
    ("ascendc", re.compile(r"AscendC\s*(?:转译|实现|转译与验证)?", re.IGNORECASE)),
    ("performance", re.compile(r"性能(?:分析|测试|数据)")),
    ("full_validation", re.compile(r"全量\s*(?:用例|case)?\s*验证", re.IGNORECASE)),
    ("header", re.compile(r"(?:基本|算子|基础)信息")),
)
"""Whole headings, brackets left aside, that traces without stage numbers use."""

_DASH = re.compile(r"\s(?:—|--|–|-)\s*(?=\S)")
_VERDICT = re.compile(
    r"通过|成功|完成|失败|跳过|部分|未执行|未验证|已执行|\d+/\d+|✅|❌"
    r"|\b(?:PASS(?:ED)?|FAIL(?:ED|URE)?|DONE|SKIP(?:PED)?|ERROR|SUCCESS)\b",
    re.IGNORECASE,
)


def section_key(heading: str) -> str:
    """Return the canonical key of the section that a heading opens, `other` for unknown ones."""
    text = _NUMBERING.sub("", heading)
    for key, pattern in _NAMED:
        if pattern.match(text):
            return key
    stage = _STAGE.match(text)
    if stage is not None:
        return _stage_key(stage["numeral"], stage["title"])
    phase = PHASE.match(text)
    if phase is not None:
        return _word_key(phase["title"]) or "other"
    bare = _BRACKETS.sub(" ", text).strip(" *_:：")
    return next((key for key, pattern in _WITHOUT_NUMBER if pattern.fullmatch(bare)), "other")


def _stage_key(numeral: str, title: str) -> str:
    """The number decides unless the title names another stage and not its own."""
    if len(numeral) > 1:
        return "design"
    by_number = _BY_NUMERAL.get(numeral, "other")
    by_word = _word_key(title)
    if by_word is None or by_number in _named_in(title):
        return by_number
    return by_word


def _word_key(title: str) -> str | None:
    return next(iter(_named_in(title)), None)


def _named_in(title: str) -> list[str]:
    """Keys of the stages that a title names, the most telling first."""
    keys = [key for key, pattern in _BY_WORD if pattern.search(title)]
    return [*keys, *(match[0].lower() for match in _IMPLEMENTATION.finditer(title))]


def names_stage(heading: str) -> bool:
    """Whether a heading numbers a stage (`阶段二: ...`, `Phase 4: ...`), of whatever depth."""
    text = _NUMBERING.sub("", heading)
    match = _STAGE.match(text) or PHASE.match(text)
    # `Phase 4 迭代历史` below `Phase 4: AscendC` is a part of it.
    return match is not None and match["mark"] is not None


def names_section(heading: str) -> bool:
    """Whether a heading opens a section at any depth."""
    text = _NUMBERING.sub("", heading)
    return names_stage(heading) or any(pattern.match(text) for _, pattern in _NAMED)


def heading_status(heading: TextSpan) -> TextSpan | None:
    """Return the verdict behind a dash in a heading, None without one."""
    dashes = [match.end() for match in _DASH.finditer(heading.text)]
    for verdict in _VERDICT.finditer(heading.text):
        before = bisect_right(dashes, verdict.start())
        if before:
            start = dashes[before - 1]
            return TextSpan(heading.text[start:].strip(), heading.line, heading.column + start)
    return None
