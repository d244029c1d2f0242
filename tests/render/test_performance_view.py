"""阶段三 says what a measurement does not allow to say."""

from __future__ import annotations

import pytest

from summarizer.draft.offline import draft_offline
from summarizer.model.facts import CaseFacts, Facts, ImplementationFacts, Performance
from summarizer.render.profiles import PROFILES
from summarizer.render.render import render_trace
from tests.builders import Story


def trace_of(performance: Performance) -> str:
    facts: Facts = Story().derive().facts.model_copy(update={"performance": performance})
    return render_trace(facts, draft_offline(facts), PROFILES["T6"])


def measured(**changes: object) -> Performance:
    timed = ImplementationFacts(ok=True, mean_ms=0.3, basis="case_latencies")
    return Performance(
        executed=True,
        cases=2,
        implementations={"reference": timed, "ascendc": ImplementationFacts(ok=True)},
        per_case=(CaseFacts(index=0, reference_ms=0.2, ascendc_ms=0.1), CaseFacts(index=1)),
        **changes,
    )


@pytest.mark.parametrize(
    ("performance", "line"),
    [
        (Performance(executed=False), "- 结果: 未执行"),
        (
            Performance(executed=False, unreadable="not JSON"),
            "- 结果: UNKNOWN（性能文件无法读取：not JSON）",
        ),
        (
            measured(ratio_unknown_because="reference 有 3 个 case 的延迟，ascendc 有 2 个"),
            "    - 加速比 UNKNOWN：reference 有 3 个 case 的延迟，ascendc 有 2 个",
        ),
        (measured(), "    - ascendc: N/A（没有每个 case 的有效延迟）"),
        (
            measured(overall_speedup_reported=9.99, overall_confirmed=False),
            "    - 报告的 Overall speedup 与各 case 的延迟不符，没有采用（见读取问题）",
        ),
    ],
)
def test_what_is_unknown_is_said(performance, line):
    """A missing report is 未执行, a damaged one UNKNOWN; no ratio goes without its reason."""
    assert line in trace_of(performance).split("\n")


def test_no_line_of_a_device_name_reaches_the_text():
    """A line end in a device name is no line of the trace."""
    assert "## x" not in trace_of(measured(device="npu\n## x")).split("\n")
