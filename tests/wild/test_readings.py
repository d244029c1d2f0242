"""What single lines and words of traces are read as."""

from __future__ import annotations

import time

import pytest

from summarizer.pipeline import check_text
from validators.report_lines import impossible
from validators.times import read_moment


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("2026-05-14", "2026-05-14T23:59:59.999999"),
        ("2026-05-14 11:05", "2026-05-14T11:05:59.999999"),
        ("2026-05-14T11:05:07", "2026-05-14T11:05:07.999999"),
        ("2026-5-4 9:05", "2026-05-04T09:05:59.999999"),
        ("2026-04-29 15:50 UTC+8 (Round 3 final)", "2026-04-29T15:50:59.999999+08:00"),
        ("2026-04-29 15:50:00+08:00", "2026-04-29T15:50:00.999999+08:00"),
        ("2026-04-29 15:50:00-0330", "2026-04-29T15:50:00.999999-03:30"),
        ("2026-04-29T15:50:00.5Z", "2026-04-29T15:50:00.999999+00:00"),
        ("2026-04-29 10:00 至 2026-04-29 11:00", "2026-04-29T11:00:59.999999"),
    ],
)
def test_a_time_means_its_last_instant(text: str, last: str) -> None:
    """A date ends with its day, a minute with its last second; a span counts by its end."""
    moment = read_moment(text)
    assert moment is not None
    assert moment.last.isoformat() == last


@pytest.mark.parametrize(
    "text",
    ["", "昨天", "2026-13-14", "2026-02-30 11:05", "2026-05-14 10:00-11:30", "9999-12-31"],
)
def test_what_is_no_certain_time_is_none(text: str) -> None:
    """A date that no calendar has, or a span whose end has no date, is not compared."""
    assert read_moment(text) is None


@pytest.mark.parametrize(
    "line",
    [
        "Status    : PASS",
        "Result: fail",
        "AscendC Verification Report",
        "case[0]: output[0]: matched",
        "case[0]: output[0]: matched within ±1 LSB (max_abs_diff=1, dtype=torch.int8)",
        "case[2]: output[2][1]: dtype(ref=torch.int8, cand=torch.int8), unequal_elements=1",
        "case[2]: output[2].key: type mismatch: ref=Tensor, cand=tuple",
        "case[2]: list length mismatch: ref=2, cand=1",
        "case[7]: RuntimeError: out of memory",
        "Status: OK",
        "inputs[0]: list[3]",
        "",
    ],
)
def test_what_the_script_prints_is_possible(line: str) -> None:
    """Lines of every version of the script, and lines that are not its own, are left alone."""
    assert impossible(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "Status    : FAIL (partial)",
        "Status: PASS 10/10",
        "Result: fail (3/73)",
        "Result: PASS",
        "AscendC Verification Report (Full Cases)",
        "case[0]-[9]: matched (all 10 simplified cases)",
        "case[0] ~ case[9]: matched",
        "[case 0-13, 16-47, 49-72: matched]",
        "case[1]: matched",
        "case[1]: output[2]: matched",
        "case[5]: max_abs_diff=4.25e+37, MARE=1.86e+37",
        "case[4]: output[4]: dtype=torch.float32, max_abs_diff=1",
    ],
)
def test_what_the_script_never_prints_is_impossible(line: str) -> None:
    """Ranges, counts, remarks and lines without their output are retold, not quoted."""
    assert impossible(line) is not None


LONG = 2_000
LINES = {
    "cases": "case 1/" * LONG,
    "dtypes": "fp16 case 1 (bicubic) " * LONG,
    "word": "a" * LONG * 5,
    "blanks": "case" + " " * LONG + "234" + " " * LONG + "unequal",
    "shapes": "[1,2] 3 unequal (4%) " * LONG,
    "open brackets": "[(" * LONG,
    "fractions": "1/2 = 50% " * LONG,
    "quotes": "“" * LONG + '"' * LONG,
    "percentages": "AscendC 快 8% " * LONG,
    "groups": "小 shape case 0.36x " * LONG,
    "tolerances": "MERE=1 MARE=2 threshold=3 " * LONG,
    "ranges": "case[0]-" * LONG,
    "overall": "整体平均" * LONG,
    "latencies": "- ascendc 延迟" * LONG,
    "times": "2026-01-01 10:00 " * LONG,
}


@pytest.mark.parametrize("name", LINES)
def test_a_long_line_costs_no_more_than_its_length(name: str) -> None:
    """A line of many thousand claims is read in seconds at most, and no rule crashes on it."""
    line = LINES[name]
    text = (
        f"# T\n\n- 时间: {line}\n\n## 阶段二: AscendC\n\n- {line}\n\n"
        f"## 阶段三: 性能分析\n\n- {line}\n  - case[0] {line}: 4.15\n\n"
        f"## 汇总表报告\n\n{line}\n\n## 评测输出摘要\n\n```\n{line}\n```\n"
    )
    started = time.process_time()
    findings = check_text(text, None).findings
    assert time.process_time() - started < 10
    assert [f.message for f in findings if f.code == "X901"] == []
