"""Properties that hold for every text, genuine, cut or garbled."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from summarizer.eval_logs import never_started, parse_evaluations
from summarizer.model.reports import Outcome
from summarizer.model.source import Completeness

FIXTURES = Path(__file__).parent / "fixtures"
TEXTS = [
    path.read_bytes().decode("utf-8", errors="surrogateescape")
    for path in sorted(FIXTURES.glob("*/*/input.txt"))
]
VERDICT = re.compile(r"^(?:Result: pass|Status +: PASS|PASS: \w+ 验证通过)\r*$", re.MULTILINE)
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")
FRAGMENTS = st.sampled_from([
    "=" * 72 + "\n", "-" * 72 + "\n", "AscendC Verification Report\n", "Comparison\n", "Inputs\n",
    "Status    : PASS\n", "Status    : FAIL\n", "Result: pass\n", "Result: fail\n", "\r", "\x1b[0m",
    "case[0]: output[0]: matched\n", "case[1]: output[1]: shape mismatch: ref=(3,), cand=(6,)\n",
    "... [12 characters truncated] ...\n", "Traceback (most recent call last):\n", "\0", "\ud800",
    "===== AscendC 验证开始 x =====\n", "k.cpp:1:2: error: x\n", "\u2028", "\n", "case[", "  x",
])  # fmt: skip
ANY_TEXT = st.one_of(st.text(), st.lists(FRAGMENTS, max_size=25).map("".join))


def outcomes(text: str, completeness: Completeness = Completeness.UNKNOWN) -> list[Outcome]:
    reports = parse_evaluations(text, exit_code=None, failed=None, completeness=completeness)
    return [report.outcome for report in reports]


@given(ANY_TEXT, st.sampled_from(Completeness), st.booleans(), st.sampled_from([None, 0, 1, 124]))
@example("\x1b]0;" * 50, Completeness.FULL, False, None)
def test_any_text_gives_ordered_reports_inside_it(
    text: str, completeness: Completeness, timed_out: bool, exit_code: int | None
) -> None:
    """No text crashes the parser; ranges ascend, counts are consistent, () needs a proof."""
    reports = parse_evaluations(
        text, exit_code=exit_code, failed=None, completeness=completeness, timed_out=timed_out
    )
    assert reports or never_started(text, exit_code) is not None
    position = 0
    for report in reports:
        assert position <= report.char_start <= report.char_end <= len(text)
        position = report.char_end
        if report.cases_total is not None:
            assert report.cases_passed is not None
            assert report.cases_total - report.cases_passed == len(report.failed_cases)


@given(st.sampled_from(TEXTS), st.integers(0), st.integers(0))
def test_a_cut_report_passes_only_by_its_verdict_line(text: str, first: int, second: int) -> None:
    """Whatever stretch is left, PASS needs a whole verdict line in it."""
    start, end = sorted((first % (len(text) + 1), second % (len(text) + 1)))
    left = text[start:end]
    passed = Outcome.PASS in outcomes(left)
    assert not passed or VERDICT.search(ESCAPE.sub("", left))


@given(st.sampled_from(TEXTS), st.integers(0), st.integers(0))
def test_a_report_cut_in_the_middle_never_gains_cases(text: str, first: int, second: int) -> None:
    """Removing the middle may lose a count but never makes one that differs from the whole."""
    whole = parse_evaluations(text, exit_code=None, failed=None, completeness=Completeness.FULL)
    if len(whole) != 1 or whole[0].cases_total is None:
        return
    start, end = sorted((first % (len(text) + 1), second % (len(text) + 1)))
    note = "\n\n... [9 characters truncated] ...\n\n"
    reports = parse_evaluations(
        text[:start] + note + text[end:],
        exit_code=None,
        failed=None,
        completeness=Completeness.HEAD_TAIL,
    )
    for report in reports:
        assert report.cases_total in {None, whole[0].cases_total}


def test_a_cut_behind_the_last_case_leaves_the_count_open() -> None:
    """Cases that were cut away may have followed, whatever closes the block."""
    matched = "case[{}]: output[0]: matched, MERE=0, MARE=0, threshold=0.0001, mare_threshold=0.001"
    lines = [matched.format(0), matched.format(1), "", "... [61 characters truncated] ...", ""]
    text = "\n".join([*lines, "-" * 72, "Result: fail", ""])
    (report,) = parse_evaluations(
        text, exit_code=None, failed=None, completeness=Completeness.HEAD_TAIL
    )
    assert (report.outcome, report.cases_total) == (Outcome.FAIL, None)


def test_megabyte_lines_are_read_in_linear_time() -> None:
    """A progress bar of a megabyte, escapes without an end and colons by the thousand are cheap."""
    bar = "".join(f"\x1b[32m[{n}]\x1b[0m\r" for n in range(60_000))
    text = bar + "\n" + "\x1b]" * 300_000 + "\n" + "a:1:" * 250_000 + "\n" + "…" * 300_000 + "\n"
    assert outcomes(text + "=" * 500_000) == [Outcome.UNKNOWN]
