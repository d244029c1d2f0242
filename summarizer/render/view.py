"""Turns facts and a draft into the strings that a template puts in its places.

All text from outside is escaped here; the template holds headings, labels and order only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from summarizer.model.draft import Draft
from summarizer.model.facts import Cases, Facts, Issue, Pointer, Run
from summarizer.render.view_performance import (
    PerformanceView,
    performance_view,
    summary_row,
    table_note,
)
from summarizer.render.view_stage import StageView, stage_view
from summarizer.render.words import (
    OUTCOME_WORDS,
    UNKNOWN,
    counted_cases,
    number_or_unknown,
)
from summarizer.text.markdown import code_span, escape_text

EXCERPT_LINES = 40
"""Lines of the evaluation excerpt."""

_CASE_LINE = re.compile(r"^case\[\d+\]")

_SOURCES = {
    "backup_file": "备份用例文件",
    "case_file": "当前用例文件",
    "eval_report": "评测报告的用例行",
    "performance_json": "性能 JSON",
    "performance_report": "性能报告",
}

_CASE_RESULTS = {"PASS": "通过", "FAIL": "失败", "SKIP": "跳过", "UNKNOWN": "未知"}

_ISSUES = {
    "bad_json": "不是合法的 JSON，跳过",
    "not_an_object": "JSON 不是对象，跳过",
    "torn_last_line": "最后一行不完整，跳过",
    "unknown_type": "未识别的记录类型，跳过",
    "missing_side_file": "引用的旁文件不存在，完整输出不可得",
    "missing_subagent": "子代理的记录不存在，其操作不可见",
    "decoded_leniently": "含非法字符，宽松解码",
    "still_growing": "最后一条记录不是 Agent 的收尾消息，会话可能未结束",
    "replayed": "与其他文件中的记录重复，只计一次",
    "unreadable_performance_file": "性能文件无法读取",
    "foreign_performance_file": "性能文件属于另一个算子，没有采用",
    "not_a_number": "不是可用的数值",
    "inconsistent_performance": "性能数据自相矛盾",
    "vanished": "读取时文件已不存在",
}
"""Words for kinds of read issues; other kinds are shown with their own message."""


@dataclass(frozen=True, slots=True)
class TraceView:
    """Everything a template needs; all strings are ready Markdown."""

    title: str
    time: str
    operator: str
    design_path: str
    design_result: str
    design_note: str
    """阶段〇.五 of template T11: whether a design document was written, and where."""
    products: str
    """Files that AscendC rounds wrote and that take part in an evaluation."""
    final_result: str
    cases_result: str
    cases_original: str
    cases_reduced: str
    cases_note: str
    tilelang: StageView
    ascendc: StageView
    full_validation: StageView
    performance: PerformanceView
    table_note: str
    row: tuple[str, ...]
    excerpt_label: str
    excerpt: tuple[str, ...]
    excerpt_more: int
    sources: tuple[str, ...]
    issues: tuple[str, ...]


def build_view(facts: Facts, draft: Draft) -> TraceView:
    """Return the strings of one trace."""
    label, excerpt, more = _excerpt(facts)
    return TraceView(
        title=escape_text(facts.operator.name or facts.operator.folder or UNKNOWN),
        time=_time(facts),
        operator=escape_text(facts.operator.folder or facts.operator.name or UNKNOWN),
        design_path=escape_text(facts.operator.design_path or UNKNOWN),
        design_result="通过" if _design_files(facts) else "跳过",
        design_note=_design_note(facts),
        products=_products(facts),
        final_result=_final_result(facts),
        cases_result=_CASE_RESULTS[facts.cases.result],
        cases_original=number_or_unknown(facts.cases.original),
        cases_reduced=number_or_unknown(facts.cases.reduced),
        cases_note=_cases_note(facts.cases),
        tilelang=stage_view("tilelang", facts, draft),
        ascendc=stage_view("ascendc", facts, draft),
        full_validation=stage_view("full_validation", facts, draft),
        performance=performance_view(facts, draft),
        table_note=table_note(facts.performance),
        row=summary_row(facts),
        excerpt_label=label,
        excerpt=excerpt,
        excerpt_more=more,
        sources=_sources(facts),
        issues=_issues(facts),
    )


def _design_files(facts: Facts) -> list[str]:
    changes = [
        change
        for stage in facts.stages.values()
        for group in (*(item.changed_files for item in stage.rounds), stage.pending_changes)
        for change in group
    ]
    paths = (change.path for change in changes if change.path.startswith("design/"))
    return [path for path in dict.fromkeys(paths) if path.endswith(".md")]


def _design_note(facts: Facts) -> str:
    files = _design_files(facts)
    if not files:
        return "会话中没有写入设计文档"
    return "写入 " + "、".join(code_span(path) for path in files)


def _products(facts: Facts) -> str:
    paths = dict.fromkeys(
        change.path
        for name in ("ascendc", "full_validation")
        for item in facts.stages[name].rounds
        for change in item.changed_files
        if change.counts
    )
    return ", ".join(code_span(path) for path in paths) or UNKNOWN


def _time(facts: Facts) -> str:
    started = _clock(facts.session.started_at)
    ended = _clock(facts.session.ended_at)
    if facts.session.client is None:
        return f"{UNKNOWN}（无会话记录）"
    if started is None or ended is None:
        return UNKNOWN
    return f"{started} 至 {ended}"


def _clock(stamp: str | None) -> str | None:
    """Return `2026-11-30 22:58:43+00:00`; an unreadable stamp is shown as it is."""
    if stamp is None:
        return None
    try:
        moment = datetime.fromisoformat(stamp.replace("Z", "+00:00"))
    except ValueError:
        return escape_text(stamp)
    return moment.replace(microsecond=0).isoformat(sep=" ")


def _final_result(facts: Facts) -> str:
    """The template's two parts, and a full validation that ran and failed."""
    final = facts.final_result
    text = f"{final.tilelang} (tilelang) | {final.ascendc} (ascendc)"
    if final.full_validation == "FAIL":
        last = facts.stages["full_validation"].last_verdict
        known = last is not None and last.cases_total is not None
        counted = f" {counted_cases(last)}" if last is not None and known else ""
        text += f" | FAIL (全量{counted})"
    return text


def _cases_note(cases: Cases) -> str:
    parts = []
    if cases.original_from is not None:
        parts.append(f"原始数取自{_SOURCES.get(cases.original_from, cases.original_from)}")
    if cases.reduced_from is not None:
        parts.append(f"精简数取自{_SOURCES.get(cases.reduced_from, cases.reduced_from)}")
    if not parts:
        return "没有来源说明用例数" if cases.result != "FAIL" else "精简命令没有被执行"
    return "；".join(parts)


def _excerpt(facts: Facts) -> tuple[str, tuple[str, ...], int]:
    """Return where the last evaluation with a verdict stands, its lines, and how many are left."""
    found = _last_run(facts)
    if found is None:
        return "没有任何一次评测得到结论", (), 0
    place, run = found
    cases = [line for line in run.error_lines if _CASE_LINE.match(line)]
    other = [line for line in run.error_lines if not _CASE_LINE.match(line)]
    status = [line for line in run.result_lines if not line.startswith("Result")]
    result = [line for line in run.result_lines if line.startswith("Result")]
    room = max(0, EXCERPT_LINES - len(status) - len(result))
    body = [*other, *cases]
    lines = [*status, *body[:room], *result]
    return place, tuple(lines), max(0, len(body) - room)


def _last_run(facts: Facts) -> tuple[str, Run] | None:
    wanted: Pointer | None = facts.last_evaluation
    titles = {"tilelang": "阶段一", "ascendc": "阶段二", "full_validation": "阶段四"}
    for name, stage in facts.stages.items():
        for item in stage.rounds:
            for run in item.runs:
                if wanted is not None and run.evidence == wanted and run.outcome.is_verdict:
                    place = f"{titles[name]}第 {item.round_no} 轮"
                    counted = f"，{counted_cases(run)}" if run.cases_total is not None else ""
                    ended = f"{OUTCOME_WORDS[run.outcome]}{counted}"
                    return f"最后一次有结论的评测：{place}（{ended}）", run
    return None


def _sources(facts: Facts) -> tuple[str, ...]:
    kinds = {
        "transcript": "会话记录",
        "subagent": "子代理记录",
        "side_file": "会话旁文件",
        "eval_log": "评测日志",
        "performance": "性能 JSON",
        "performance_log": "性能日志",
        "cases": "用例文件",
        "cases_backup": "用例备份",
        "model": "模型文件",
    }
    return tuple(
        f"{kinds.get(source.kind, source.kind)} {code_span(source.path.rsplit('/', 1)[-1])}"
        f"（sha256 {source.sha256[:12]}，{source.bytes} 字节）"
        for source in facts.sources
    )


def _issues(facts: Facts) -> tuple[str, ...]:
    """One line per kind and file, with the first place and the number of places."""
    grouped: dict[tuple[str, str], list[Issue]] = {}
    for issue in facts.read_issues:
        grouped.setdefault((issue.kind, issue.path), []).append(issue)
    lines = []
    for (kind, path), issues in grouped.items():
        first = issues[0]
        count = sum(issue.count for issue in issues)
        where = f" 第 {first.record} 条记录" if first.record is not None else ""
        times = f"（共 {count} 处）" if count > 1 else ""
        words = _ISSUES.get(kind)
        text = f"{words}（{escape_text(first.message)}）" if words else escape_text(first.message)
        if kind in {"replayed", "still_growing"}:
            text = words or text
        lines.append(f"{code_span(path.rsplit('/', 1)[-1])}{where}：{text}{times}")
    return tuple(lines)
