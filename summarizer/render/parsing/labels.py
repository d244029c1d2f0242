"""The words of trace layouts: labels, round words, headings, verdicts. Data, and how to look it up.

Source: the template versions T1-T12 of the public harness and the traces found in the wild.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_LABELS: tuple[tuple[str, str], ...] = (
    ("evaluate_tilelang.sh 执行次数", "run_count"),
    ("evaluate_ascendc.sh 执行次数", "run_count"),
    ("执行次数", "run_count"),
    ("评测次数", "run_count"),
    ("phase3_tl_iterations", "run_count"),
    ("phase4_ac_iterations", "run_count"),
    ("phase6_full_verify_runs", "full_run_count"),
    ("phase3_final_result", "result"),
    ("phase4_final_result", "result"),
    ("phase6_final_result", "full_result"),
    ("phase4_ac_cap_violated", "cap_violated"),
    ("tl_last_error_summary", "errors"),
    ("ac_last_error_summary", "errors"),
    ("关键错误信息", "errors"),
    ("关键错误", "errors"),
    ("错误信息", "errors"),
    ("原始 case 数", "original_cases"),
    ("原始用例数", "original_cases"),
    ("原始用例", "original_cases"),
    ("精简后 case 数", "reduced_cases"),
    ("精简后用例数", "reduced_cases"),
    ("精简后用例", "reduced_cases"),
    ("精简后", "reduced_cases"),
    ("最终结果", "final_result"),
    ("最终状态", "final_result"),
    ("结果", "result"),
    ("状态", "result"),
    ("验证结果", "result"),
    ("评测结果", "result"),
    ("Agent 行为记录", "behaviour"),
    ("行为记录", "behaviour"),
    ("走偏点", "drift"),
    ("performance-analyzer 执行详情", "performance_details"),
    ("ops-profiling 执行详情", "performance_details"),
    ("测试配置", "configuration"),
    ("测试的实现", "implementations"),
    ("总体统计", "statistics"),
    ("性能数据", "statistics"),
    ("各实现平均耗时", "mean_latencies"),
    ("性能结论", "conclusions"),
    ("典型大 shape case 观察", "large_cases"),
    ("性能设计检查", "design_check"),
    ("性能迭代", "tuning"),
    ("失败 case 分析", "failed_cases"),
    ("失败 case", "failed_cases"),
    ("失败用例", "failed_cases"),
    ("根因推测", "cause"),
    ("加速比", "speedup"),
    ("迭代次数", "iteration_count"),
    ("设计路径", "design_path"),
    ("读取问题", "read_issue"),
    ("来源", "source"),
    ("产物", "products"),
    ("编译", "build"),
    ("说明", "explanation"),
    ("备注", "note"),
    ("时间", "time"),
    ("日期", "time"),
    ("算子名称", "operator"),
    ("算子", "operator"),
    ("外部 web 检索", "web_search"),
    ("直接整体复制参考实现", "copied_reference"),
    ("PyTorch / torch_npu 语义回退", "torch_fallback"),
    ("reference", "reference"),
    ("tilelang", "tilelang"),
    ("ascendc", "ascendc"),
)
"""Label as the templates print it -> canonical key."""

_STRETCHED = {
    "errors", "behaviour", "drift", "performance_details", "configuration", "statistics",
    "conclusions", "large_cases", "failed_cases",
}  # fmt: skip
"""Keys whose labels are also met with a word of `_SUFFIX` behind them; for short labels such as
结果 a suffix would make another word."""

_SUFFIX = re.compile(r"(?:摘要|汇总|列表|情况|分析|记录|总结|观察|详情)\Z")
_STAGE_PREFIX = re.compile(r"\A(?:phase\d{1,2}|阶段[零〇一二三四五])")
_BRACKETS = re.compile(r"[（(\[【][^）)\]】]*[）)\]】]")

_LABEL = re.compile(
    r"(?P<open>\*\*|__)?(?P<tick>`)?"
    r"(?P<label>(?:[^:：*`「」（(【\[]|[（(][^（(）)`]{0,80}[）)]|【[^【】`]{0,80}】|\[[^\[\]`]{0,80}\])"
    r"{1,80}?)"
    r"(?(tick)`)(?:\*\*|__)?\s{0,3}[:：](?P<close>\*\*|__)?[ \t]*(?P<value>.*)\Z"
)

_DIGITS = r"\d{1,4}|[零一二三四五六七八九十]{1,3}"
_ROUND = re.compile(
    rf"第\s{{0,3}}(?P<ordinal>{_DIGITS})(?:\s{{0,3}}[-~～至到–—]\s{{0,3}}(?:{_DIGITS}))?\s{{0,3}}"
    r"(?:轮|次(?=\s*(?:[:：（(—-]|\Z)))"
    r"|(?P<word>Round|Iteration|迭代)\s{0,3}\#?(?P<number>\d{1,4})(?!\d|\s*[次个轮])",
    re.IGNORECASE,
)
_ENDS_WORD = re.compile(r"[\s*_（(，,、。.—-]|\Z")
"""After the name of a round that no colon ends; `第二轮的结果` is prose."""

_CHINESE = {word: number for number, word in enumerate("零一二三四五六七八九")}


class RoundLabel(NamedTuple):
    """The beginning of a line that names a round."""

    kind: str
    """`轮`, `round`, `iteration` or `迭代`: each kind counts for itself."""
    number: int
    """As printed."""
    end: int
    """0-based offset after the round's name."""


class Label(NamedTuple):
    """The label of a line."""

    key: str
    printed: str
    value: str
    """What follows the colon, without emphasis that began before it."""
    number: int | None = None
    kind: str = ""
    """Kind of a round label."""


def find_label(text: str, *, bare: bool = False) -> Label | None:
    """Return the known label a line begins with, None for prose and unknown labels.

    Args:
        text: one line without its bullet.
        bare: whether the whole line may be a label without a colon, as in a heading.
    """
    match = _LABEL.match(text)
    found = round_label(text)
    if found is not None and (match is not None or _ENDS_WORD.match(text, found.end)):
        printed = match["label"] if match is not None else text[: found.end]
        value = _value(match) if match is not None else text[found.end :].strip()
        return Label("round", printed.strip(" *_"), value, found.number, found.kind)
    if match is not None:
        key = label_key(match["label"])
        return Label(key, match["label"].strip(), _value(match)) if key is not None else None
    key = label_key(text.strip(" *_")) if bare else None
    return Label(key, text.strip(" *_"), "") if key is not None else None


def _value(match: re.Match[str]) -> str:
    value = match["value"].strip()
    opened = match["open"] in {"**", "__"} and not match["close"]
    if opened and value.endswith(match["open"]) and value.count(match["open"]) % 2:
        value = value[:-2].rstrip()
    return value


def label_key(label: str) -> str | None:
    """Return the canonical key of a label; brackets, blanks, case and width do not matter."""
    folded = _fold(_BRACKETS.sub("", label))
    key = _KEYS.get(folded) or _KEYS.get(_STAGE_PREFIX.sub("", folded))
    if key is not None:
        return key
    stretched = _KEYS.get(_SUFFIX.sub("", _STAGE_PREFIX.sub("", folded)))
    return stretched if stretched in _STRETCHED else None


def _fold(text: str) -> str:
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


_KEYS = {_fold(word): key for word, key in _LABELS}


def round_label(text: str) -> RoundLabel | None:
    """Return the round that a line begins with (`第 2 轮`, `Round 2`, `**迭代 0**`)."""
    start = len(text) - len(text.lstrip("*_ "))
    match = _ROUND.match(text, start)
    if match is None:
        return None
    if match["word"] is not None:
        return RoundLabel(match["word"].lower(), int(match["number"]), match.end())
    return RoundLabel("轮", _count(match["ordinal"]), match.end())


def _count(text: str) -> int:
    """Read a numeral up to 99, in digits of any script or in Chinese."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _CHINESE[text[-1]]
    return _CHINESE.get(tens, 1) * 10 + _CHINESE.get(ones, 0)
