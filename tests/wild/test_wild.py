"""The six public traces: what is wrong is named with its value, what is right is left alone."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from summarizer.model.finding import Finding
from summarizer.pipeline import Checked, SourceOptions, check_trace

HERE = Path(__file__).parent
NAMES = (
    "abs",
    "advance_step_v2_old",
    "interpolate",
    "mhc_post_grad",
    "scatter_pa_kv_cache",
    "swiglu",
)


class Row(NamedTuple):
    """One claim of a trace whose truth was established by hand."""

    name: str
    line: int
    claim: str
    code: str | None
    """Of the finding that refutes it; None when nothing may be found in this line."""
    says: str
    """Part of the finding's message, expected text or notes; for other rows why."""
    codes_beside: tuple[str, ...] = ()
    """Findings about another matter that the line may have."""


REFUTED = (
    Row("swiglu", 5, "PARTIAL PASS at the head, 通过 in 阶段二", "S405", "通过 in line 25"),
    Row("swiglu", 5, "PARTIAL PASS is no word of the template", "S404", "template's form"),
    Row("swiglu", 69, "Status    : FAIL (partial)", "Q107", "nothing else"),
    Row("abs", 3, "时间 11:05", "S410", "2026-05-14 11:11:51"),
    Row("abs", 68, "加速比 0.59 beside 0.075 and 0.078", "N206", "0.96"),
    Row("abs", 68, "that 0.59 is another aggregate", "N206", "mean of the per-case ratios"),
    Row("abs", 68, "0.6x and 0.8x flags", "N207", "是"),
    Row("abs", 68, "flags that hang on the definition", "N207", "(0.59) would give 否"),
    Row("interpolate", 5, "PASS partial at the head, 通过 in 阶段二", "S405", "通过 in line 28"),
    Row("interpolate", 122, "整体平均 5.04 ms", "N205", "5.44"),
    Row("interpolate", 127, "5.04 (mean across 10 cases)", "N205", "5.44"),
    Row("interpolate", 86, "case 7 is bicubic", "N212", "case[7] is nearest in line 71"),
    Row("interpolate", 86, "case 6 has align=True", "N212", "align_corners=F in line 70"),
    Row("interpolate", 39, "case[5]: max_abs_diff=...", "Q107", "output[5]"),
    Row("interpolate", 132, "case[14]: dtype=torch.float32", "Q107", "output[14]"),
    Row("interpolate", 135, "[case 0-13, 16-47, 49-72: matched]", "Q107", "never a range"),
    Row("interpolate", 136, "Result: fail (3/73)", "Q107", "pass or fail"),
    Row("scatter_pa_kv_cache", 71, "1.09x", "N216", "as a speed-up it is 0.92x"),
    Row("scatter_pa_kv_cache", 71, "1.09x, by the means", "N216", "0.74x"),
)
"""Claims that the trace itself or a file beside it refutes."""

CORRECT = (
    *(
        Row("swiglu", line, "mismatch percentage", None, "unequal / half the input's elements")
        for line in range(40, 49)
    ),
    Row("swiglu", 38, "41/50, 9 failures", None, "nine are listed"),
    Row("swiglu", 72, "最高为 1.46%", None, "case[16] of the list"),
    Row("abs", 11, "原始 50", None, "lines of the backup"),
    Row("abs", 12, "精简后 10", None, "case results of the JSON"),
    Row("abs", 51, "reference mean=0.075ms", None, "0.07501 in the JSON"),
    Row("abs", 52, "ascendc mean=0.078ms", None, "0.07813 in the JSON"),
    Row("abs", 54, "overall speedup 0.59x", None, "the report's own overall figure"),
    Row("abs", 55, "case 2: 0.98x", None, "per-case ratio"),
    Row("abs", 56, "small shapes 0.36x-0.64x", None, "per-case ratios"),
    Row("abs", 73, "PASS: AscendC 验证通过", None, "stands in the summary of the log"),
    Row("interpolate", 21, "an iteration and 执行次数 0", None, "a round without a run"),
    Row("interpolate", 49, "bf16 case 5/9", None, "cases 5 and 9 of the list are bf16"),
    *(
        Row("interpolate", line, "latency of a case", None, "as in the JSON")
        for line in range(64, 74)
    ),
    Row("interpolate", 74, "the reference's ValueError", None, "as in the JSON, and no advice"),
    Row("interpolate", 101, "70/73 (96%)", None, "three are listed; 95.9 %"),
    Row("interpolate", 122, "最大 case 22.64", None, "the greatest of the JSON", ("N205",)),
    Row("interpolate", 127, "加速比 N/A", None, "the JSON has none", ("N205", "S402")),
    Row(
        "mhc_post_grad", 26, "3 runs, 10 cases in 阶段四", None, "that run does not count in the 3"
    ),
    Row("advance_step_v2_old", 24, "2.39x 加速", None, "0.647 / 0.271"),
    Row("advance_step_v2_old", 97, "加速比: 2.39x", None, "0.647 / 0.271"),
    Row("scatter_pa_kv_cache", 31, "第 3 次迭代", None, "iterations 0, 1 and 2"),
)
"""Claims that are right."""

UNDECIDED = (
    Row("swiglu", 39, "失败集中在大尺寸 tensor 上", None, "a judgement; 'mostly' has no figure"),
    Row("abs", 32, "执行次数 2", None, "the log of a third, full run is all that is left"),
    Row("mhc_post_grad", 10, "原始 10", None, "the backup of model.py is not there"),
    Row("mhc_post_grad", 11, "精简后 9", None, "the case file was edited later"),
    Row("mhc_post_grad", 38, "mean 0.892ms", None, "the summary beside it is of a later, full run"),
    Row("mhc_post_grad", 41, "小 case 上接近", None, "a judgement"),
    Row("advance_step_v2_old", 23, "迭代次数 1", None, "an iteration is no run; no session"),
    Row("advance_step_v2_old", 25, "迭代次数 1", None, "an iteration is no run; no session"),
    Row("scatter_pa_kv_cache", 28, "expected int32, got float16", None, "not marked as quoted"),
)
"""Claims that need a session, or are no claims of fact; the reason stands in `says`."""

CHANGED = (
    ("swiglu", "240 unequal (1.46%)", "240 unequal (1.64%)", "N214"),
    ("swiglu", "最高为 1.46%", "最高为 1.64%", "N214"),
    ("swiglu", "- 结果: 41/50 通过", "- 结果: 42/50 通过", "N204"),
    ("swiglu", "9 个 case 失败\n", "8 个 case 失败\n", "N204"),
    ("swiglu", "(ascendc: 41/50", "(ascendc: 43/50", "N204"),
    ("swiglu", "10/10 case 全部 matched。\n\n### AscendC (全量", "", None),
    ("abs", "0.36x-0.64x", "0.35x-0.64x", "N206"),
    ("abs", "0.36x-0.64x", "0.36x-0.66x", "N206"),
    ("abs", "speedup 0.98x", "speedup 0.89x", "N206"),
    ("abs", "overall speedup 0.59x", "overall speedup 0.96x", "N206"),
    ("abs", "mean=0.078ms", "mean=0.087ms", "N205"),
    ("abs", "2026-05-14 11:05", "2026-05-14 11:11", None),
    ("abs", "2026-05-14 11:05", "2026-05-14 11:05 UTC+8", None),
    ("interpolate", "bicubic F: 4.23", "bicubic F: 4.32", "N205"),
    ("interpolate", "最大 case 22.64", "最大 case 26.24", "N205"),
    ("interpolate", "70/73 PASS (96%)", "70/73 PASS (98%)", "N214"),
    ("interpolate", "- 结果: 70/73 PASS", "- 结果: 71/73 PASS", "N204"),
    ("interpolate", "bf16 case 5/9", "bf16 case 4/9", "N212"),
    ("interpolate", "case 6/7 (bicubic align=True)", "case 6/7", None),
    ("interpolate", "MERE=2.54683e-05, MARE=0.00860863", "MERE=2.5, MARE=0.00860863", "N215"),
    ("interpolate", "threshold=0.00012207, mare_threshold=0.0012207, passed=False\ncase[15]",
     "threshold=0.00012207, mare_threshold=0.00012207, passed=False\ncase[15]", "N215"),
    ("advance_step_v2_old", "**加速比: 2.39x**", "**加速比: 2.93x**", "N206"),
    ("advance_step_v2_old", "AscendC 2.39x 加速", "AscendC 2.93x 加速", "N206"),
    ("advance_step_v2_old", "**加速比: 2.39x**", "AscendC 比 reference 快 139%", None),
    ("advance_step_v2_old", "**加速比: 2.39x**", "AscendC 比 reference 快 39%", "N217"),
    ("scatter_pa_kv_cache", "的 1.09x", "的 1.19x", "N206"),
    ("scatter_pa_kv_cache", "约为 Reference 的 1.09x", "慢 1.09x", None),
)  # fmt: skip
"""(trace, old text, new text, code that the change adds; None when it adds none of any code)."""

ABOUT_THE_CHECKER = "X"


def check(path: Path, home: Path) -> Checked:
    """Check a trace with nothing but the files beside it."""
    return check_trace(path, SourceOptions(home=home))


@pytest.fixture(name="found", scope="module")
def _found(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Finding, ...]]:
    home = tmp_path_factory.mktemp("home")
    known: dict[str, tuple[Finding, ...]] = {}

    def findings_of(name: str) -> tuple[Finding, ...]:
        if name not in known:
            known[name] = tuple(check(HERE / name / "trace.md", home).findings)
        return known[name]

    return findings_of


@pytest.mark.parametrize("name", NAMES)
def test_findings_are_those_that_were_reviewed(
    name: str, found: Callable[[str], tuple[Finding, ...]], update_golden: bool
) -> None:
    """A trace has the findings of its golden file, at these places and in these words."""
    golden = HERE / name / "expected.txt"
    text = "".join(_shown(finding) for finding in found(name))
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def _shown(finding: Finding) -> str:
    place = f"{finding.location.line}:{finding.location.column}"
    lines = [f"{place} {finding.severity.value} {finding.code} {finding.message}"]
    if finding.expected is not None:
        lines.append(f"    expected: {finding.expected}")
    lines.extend(f"    note: {note}" for note in finding.notes)
    return "\n".join(lines) + "\n"


def _ids(row: Row) -> str:
    return f"{row.name}:{row.line} {row.claim}"


@pytest.mark.parametrize("row", REFUTED, ids=_ids)
def test_what_is_refuted_is_found_with_its_value(
    row: Row, found: Callable[[str], tuple[Finding, ...]]
) -> None:
    """A wrong claim has a finding of the right code that states the right value."""
    texts = [
        " ".join((f.message, f.expected or "", *f.notes))
        for f in found(row.name)
        if f.location.line == row.line and f.code == row.code
    ]
    assert any(row.says in text for text in texts), texts


@pytest.mark.parametrize("row", [*CORRECT, *UNDECIDED], ids=_ids)
def test_what_is_not_refuted_is_left_alone(
    row: Row, found: Callable[[str], tuple[Finding, ...]]
) -> None:
    """A right claim, and one that nothing at hand decides, has at most `cannot be checked`."""
    here = [
        f
        for f in found(row.name)
        if f.location.line == row.line
        and not f.code.startswith(ABOUT_THE_CHECKER)
        and f.code not in row.codes_beside
    ]
    assert here == []


@pytest.mark.parametrize(("name", "old", "new", "code"), CHANGED)
def test_a_changed_figure_is_found(
    name: str, old: str, new: str, code: str | None, tmp_path: Path
) -> None:
    """What is accepted was compared: a changed figure is found, an equivalent wording is not."""
    folder = shutil.copytree(HERE / name, tmp_path / name)
    trace = folder / "trace.md"
    text = trace.read_text(encoding="utf-8")
    assert text.count(old) == 1
    before = _codes(trace, tmp_path)
    trace.write_text(text.replace(old, new), encoding="utf-8")
    added = _codes(trace, tmp_path) - before
    assert (code in added) if code is not None else not added


def _codes(trace: Path, home: Path) -> Counter[str]:
    codes = (finding.code for finding in check(trace, home).findings)
    return Counter(code for code in codes if not code.startswith(ABOUT_THE_CHECKER))


def test_every_trace_says_what_it_could_not_check(
    found: Callable[[str], tuple[Finding, ...]],
) -> None:
    """No trace without its session is silently clean."""
    assert all(any(f.code == "X902" for f in found(name)) for name in NAMES)


def test_the_layouts_are_named(tmp_path: Path) -> None:
    """Each of the three layouts and each template is recognised for what it is."""
    named = {name: check(HERE / name / "trace.md", tmp_path).doc.profile for name in NAMES}
    assert named == {
        "abs": "T11",
        "advance_step_v2_old": "overview",
        "interpolate": "T6",
        "mhc_post_grad": "T1",
        "scatter_pa_kv_cache": "phase",
        "swiglu": "T1",
    }
