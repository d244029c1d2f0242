"""Hostile traces: no rule crashes, none takes long."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validators import CheckContext, run_rules

LONG = 15_000

LINES = {
    "counts": "第 1 轮 3/8，" * LONG,
    "ratios": "加速 1.5x，" * LONG,
    "digits": "1," * LONG + "快",
    "brackets": "（(" * LONG,
    "backticks": "`a" * LONG,
    "growing backticks": "".join("`" * (n % 50 + 1) + "a" for n in range(LONG)),
    "statements": "Agent 说明（未核实）：「a」" * 2_000,
    "outline": "`a`：新建（10 行；" + "函数" * LONG,
    "one word": "a" * LONG * 5,
    "failing cases": "失败 " + "case[1]、" * LONG,
    "directions": "AscendC 整体仍" * LONG,
}


def _crashes(context: CheckContext) -> list[str]:
    return [f.message for f in run_rules(context).findings if f.code == "X901"]


@pytest.mark.parametrize("name", LINES)
def test_a_long_line_is_read_in_linear_time(
    name: str, frozen: Callable[[str], Any], make_context: Callable[..., CheckContext]
) -> None:
    """A line of many thousand claims costs seconds at most, and no rule crashes on it."""
    elu = frozen("elu")
    text = elu.trace.replace("- 走偏点:\n", f"- 走偏点:\n  - {LINES[name]}\n", 1)
    context = make_context(text, elu)
    started = time.process_time()
    assert _crashes(context) == []
    assert time.process_time() - started < 20


MANGLED: dict[str, Callable[[str], str]] = {
    "empty": lambda text: "",
    "NUL, escape, surrogate, line separator": lambda text: text.replace(
        "ELU", "E\0L\x1b[31m\ud800U\u2028"
    ),
    "lone carriage returns": lambda text: text.replace("\n", "\r"),
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "no line ends": lambda text: text.replace("\n", " "),
    "full-width digits": lambda text: text.translate({48 + n: 0xFF10 + n for n in range(10)}),
    "superscripts": lambda text: text.replace("1", "¹"),
    "deep list": lambda text: "\n".join("  " * n + "- 第 1 轮: 3/8" for n in range(80)),
    "own table only": lambda text: "## 汇总表报告\n\n|\n|-|\n|\n",
    "huge numbers": lambda text: text.replace("10", "9" * 400),
}


@pytest.mark.parametrize("name", MANGLED)
def test_a_mangled_trace_crashes_no_rule(
    name: str, frozen: Callable[[str], Any], make_context: Callable[..., CheckContext]
) -> None:
    """Whatever stands in the file, the answer is findings."""
    elu = frozen("elu")
    text = MANGLED[name](elu.trace)
    for session in (elu, None):
        assert _crashes(make_context(text, session)) == []


def test_crlf_changes_no_finding(
    frozen: Callable[[str], Any], make_context: Callable[..., CheckContext]
) -> None:
    """Line ends of another system are no fault of a trace."""
    elu = frozen("elu")
    assert run_rules(make_context(elu.trace.replace("\n", "\r\n"), elu)).findings == ()


PIECES = st.sampled_from([
    "## 阶段二: AscendC\n", "## 汇总表报告\n", "## 评测输出摘要\n", "- 结果: ", "通过", "失败",
    "- 走偏点:\n", "  - 第 2 轮：", "第 1-3 轮", "迭代 0", "6/10", "0.37x", "（0.4563 / 1.2465）",
    "```\n", "> ", "|", "\n", "| --- |\n", "「", "」", "Agent 说明（未核实）：「", "，日志：", "`",
    "- ascendc: mean=", "1.2ms", "AscendC 快于 reference", "- 关键错误信息:\n", "error: x", "…",
    "<!-- trace-recorder: ignore N201 -->", "\0", "\ud800", "\u2028", "９", "退出码 1", "跳过",
    "新建（10 行；", "case[1]、", "其余 3 行",
])  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(pieces=st.lists(PIECES, max_size=40))
def test_any_order_of_fragments_crashes_no_rule(
    frozen: Callable[[str], Any], make_context: Callable[..., CheckContext], pieces: list[str]
) -> None:
    """Fragments of the format in any order are read, with and without sources."""
    text = "".join(pieces)
    assert _crashes(make_context(text, frozen("elu"))) == []
    assert _crashes(make_context(text, None)) == []
