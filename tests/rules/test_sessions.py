"""True traces of recorded sessions: nothing to find; every wrong figure in them: found."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from validators import CheckContext, run_rules

FIGURE = re.compile(r"\d+(?:\.\d+)?")

NOT_JUDGED = (
    "- 时间:",  # clock times
    "- 来源:",  # hashes and sizes of the sources
    "- 读取问题:",
    "- 说明: 延迟单位为",  # the definition of the thresholds
)
MUTANTS_PER_SESSION = 60


def test_a_true_trace_has_no_findings(
    session_name: str, frozen: Callable[[str], Any], make_context: Callable[..., CheckContext]
) -> None:
    """A false alarm is as bad as a miss."""
    session = frozen(session_name)
    report = run_rules(make_context(session.trace, session))
    assert [(f.code, f.location.line, f.message) for f in report.findings] == []


def test_a_true_trace_by_hand_has_no_findings(
    handwritten: Any, make_context: Callable[..., CheckContext]
) -> None:
    """Other layouts, labels, units and wordings of the truth are no findings either."""
    report = run_rules(make_context(handwritten.text, handwritten.session))
    codes = [(f.code, f.location.line, f.message) for f in report.findings if f.code != "Q106"]
    assert codes == []
    assert report.checked["numbers recomputed"] >= 10


def test_a_true_trace_without_sources_has_only_open_claims(
    session_name: str, frozen: Callable[[str], Any], make_context: Callable[..., CheckContext]
) -> None:
    """Nothing in a true trace contradicts itself; what cannot be compared is said."""
    session = frozen(session_name)
    report = run_rules(make_context(session.trace, None))
    assert {finding.code for finding in report.findings} == {"X902"}
    assert report.checked["cannot be checked"] > 20
    assert report.checked["quotations verified"] == 0


def _mutants(text: str, seed: int) -> list[tuple[int, str, str, str]]:
    """(line, figure, wrong figure, text) of a sample of single-digit changes."""
    lines = text.split("\n")
    places = [
        (number, match)
        for number, line in enumerate(lines)
        if not line.startswith(NOT_JUDGED)
        for match in FIGURE.finditer(line)
    ]
    chosen = random.Random(seed).sample(places, min(MUTANTS_PER_SESSION, len(places)))
    found = []
    for number, match in chosen:
        old = match[0]
        # Two steps away, so that no rounding of the right value gives the wrong one.
        new = old[:-1] + str((int(old[-1]) + 2) % 10)
        line = lines[number][: match.start()] + new + lines[number][match.end() :]
        changed = "\n".join([*lines[:number], line, *lines[number + 1 :]])
        found.append((number + 1, old, new, changed))
    return found


KNOWN_MISSES = {
    # Which of several failing rounds a sentence without figures is about cannot be told.
    "softmax": {"没有消除该失败", "第 3 轮：修改", "第 1 轮：未通过", "第 2 轮：修改"},
}


def test_a_changed_digit_is_found(
    session_name: str, frozen: Callable[[str], Any], make_context: Callable[..., CheckContext]
) -> None:
    """Nearly every figure of a trace has a role, and a wrong one is an error or a warning."""
    session = frozen(session_name)
    lines = session.trace.split("\n")
    missed = []
    for number, old, new, text in _mutants(session.trace, seed=20):
        report = run_rules(make_context(text, session))
        known = any(part in lines[number - 1] for part in KNOWN_MISSES.get(session_name, ()))
        if not known and all(finding.severity.value == "info" for finding in report.findings):
            missed.append((number, old, new, lines[number - 1][:120]))
    assert missed == []


WORDS = [
    ("elu", "- 最终结果: SKIP (tilelang) | PASS", "- 最终结果: SKIP (tilelang) | FAIL", "S405"),
    ("elu", "- 最终结果: SKIP (tilelang)", "- 最终结果: PASS (tilelang)", "S405"),
    ("elu", "- 结果: 跳过", "- 结果: 通过", "S405"),
    ("elu", "    - 退化检测通过\n    - 运行", "    - 退化检测未通过\n    - 运行", "S405"),
    ("elu", "| 成功 | 是 |", "| 失败 | 否 |", "S405"),
    ("elu", "（各 case 比值的算术平均）", "（各 case 比值的几何平均）", "N206"),
    ("elu", "- reference: mean=0.4563ms", "- ascendc: mean=0.4563ms", "N205"),
    ("elu", "9/10 个 case 慢于", "9/10 个 case 快于", "N203"),
    ("elu", "passed=False\n    > case[4]", "passed=True\n    > case[4]", "Q102"),
    ("gelu", "- 结果: 完成", "- 结果: 未执行", "S405"),
    (
        "softmax",
        "## 阶段三: 性能分析\n\n- 结果: 未执行",
        "## 阶段三: 性能分析\n\n- 结果: 完成",
        "S405",
    ),
]


@pytest.mark.parametrize(("name", "old", "new", "code"), WORDS)
def test_a_changed_word_is_found(
    name: str,
    old: str,
    new: str,
    code: str,
    frozen: Callable[[str], Any],
    make_context: Callable[..., CheckContext],
) -> None:
    """A verdict, a role or a definition exchanged for another is an error."""
    session = frozen(name)
    assert old in session.trace
    report = run_rules(make_context(session.trace.replace(old, new, 1), session))
    assert code in {finding.code for finding in report.findings}
