"""Reads verdict words in every wording seen in traces; must not know rules."""

from __future__ import annotations

import re

_WORDS = {
    "PASS": ("全部通过", "通过", "成功", "完成", "PASSED", "PASS", "DONE", "SUCCESS", "已执行"),
    "FAIL": ("未通过", "不通过", "没有通过", "编译失败", "失败", "FAILED", "FAIL", "ERROR"),
    "PARTIAL": ("部分通过", "部分成功", "PARTIAL PASS", "PASS PARTIAL", "PARTIAL"),
    "SKIP": ("跳过", "SKIPPED", "SKIP"),
    "NOT_RUN": ("未执行", "未运行", "没有执行", "NOT_RUN"),
    "NOT_VERIFIED": ("未验证", "没有验证", "NOT_VERIFIED"),
    "UNFINISHED": ("未完成", "未成功"),
    "UNKNOWN": ("未知", "结论未知", "UNKNOWN"),
}
_OF_WORD = {word: verdict for verdict, words in _WORDS.items() for word in words}
_PATTERN = re.compile(
    "|".join(
        rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word)
        for word in sorted(_OF_WORD, key=len, reverse=True)
    ),
    re.IGNORECASE | re.ASCII,
)
_BRACKET = re.compile(r"[（(\[【]")
_COUNT = re.compile(r"(?<![A-Za-z0-9_./])(\d{1,5})\s*/\s*(\d{1,5})(?![A-Za-z0-9_/]|\.\d)")

CHINESE = {
    "PASS": "通过",
    "FAIL": "失败",
    "SKIP": "跳过",
    "NOT_RUN": "未执行",
    "NOT_VERIFIED": "未验证",
    "UNKNOWN": "未知",
    "PARTIAL": "部分通过",
    "UNFINISHED": "未完成",
}

OUTCOMES = {
    "通过": "PASS",
    "未通过": "FAIL",
    "失败": "FAIL",
    "编译失败": "COMPILE_ERROR",
    "环境错误": "ENVIRONMENT_ERROR",
    "超时": "TIMEOUT",
    "结论未知": "UNKNOWN",
    "PASS": "PASS",
    "FAIL": "FAIL",
    "COMPILE_ERROR": "COMPILE_ERROR",
    "ENVIRONMENT_ERROR": "ENVIRONMENT_ERROR",
    "TIMEOUT": "TIMEOUT",
    "UNKNOWN": "UNKNOWN",
}
"""Words for the outcome of a round, as they stand in a round's heading."""


def with_verdict(text: str, verdict: str) -> str | None:
    """The text with its first verdict word exchanged, in the language of that word.

    None where the text has no verdict word, or `verdict` no word that a template knows.
    """
    match = _PATTERN.search(text)
    if match is None or verdict not in {"PASS", "FAIL", "SKIP", "NOT_RUN"}:
        return None
    word = verdict if match[0].isascii() else CHINESE[verdict]
    return text[: match.start()] + word + text[match.end() :]


def read_verdict(text: str) -> str | None:
    """Return the first verdict word of a text; `9/10 PASS` is no PASS. None without one."""
    match = _PATTERN.search(text)
    if match is None:
        return None
    word = match[0] if match[0] in _OF_WORD else match[0].upper()
    verdict = _OF_WORD[word]
    # A count in a bracket may be of something else: `通过（全量 15/16）`.
    counted = _COUNT.search(_BRACKET.split(text, maxsplit=1)[0])
    if verdict == "PASS" and counted and int(counted[1]) < int(counted[2]):
        return "PARTIAL"
    return verdict
