"""The view of one evaluated stage: result, quotations, notes, drift points."""

from __future__ import annotations

from dataclasses import dataclass

from summarizer.model.draft import Draft
from summarizer.model.facts import Facts, Round, Stage, StageName
from summarizer.render.words import OUTCOME_WORDS, UNKNOWN, counted_cases, drift_texts
from summarizer.text.markdown import escape_text

ERROR_LINES_SHOWN = 5
"""Lines of one failure signature that are quoted; the rest is counted."""

_REASONS = {
    "output_cut": "客户端截断了输出",
    "no_output": "没有记录到输出",
    "timeout": "超时",
    "interrupted": "被中断",
    "unrecognised": "输出中没有可识别的报告",
    "no_transcript": "无会话记录",
}


@dataclass(frozen=True, slots=True)
class QuoteGroup:
    """Quoted lines of one failure signature."""

    label: str
    lines: tuple[str, ...]
    more: int
    """Lines of the signature that are not quoted."""


@dataclass(frozen=True, slots=True)
class NoteView:
    """One round's notes."""

    label: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StageView:
    """One evaluated stage."""

    result: str
    runs: str
    """Number of evaluation runs, `N/A` without a transcript."""
    quotes: tuple[QuoteGroup, ...]
    notes: tuple[NoteView, ...]
    drift: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...]
    ran: bool
    """Whether the stage has anything to show beyond its result."""


def stage_view(name: StageName, facts: Facts, draft: Draft) -> StageView:
    """Return the strings of one stage."""
    stage = facts.stages[name]
    blind = facts.session.client is None
    return StageView(
        result=_result_words(stage),
        runs=UNKNOWN if blind else str(stage.evaluate_runs),
        quotes=_quotes(stage),
        notes=_notes(name, stage, draft),
        drift=drift_texts(name, draft),
        remarks=_remarks(stage),
        ran=bool(stage.rounds or stage.pending_changes or stage.pending_attempts),
    )


def _result_words(stage: Stage) -> str:
    if stage.result in {"PASS", "FAIL", "SKIP", "NOT_RUN"}:
        words = {"PASS": "通过", "FAIL": "失败", "SKIP": "跳过", "NOT_RUN": "未执行"}[stage.result]
    else:
        reason = _REASONS.get(stage.reason or "", stage.reason or "")
        words = {"NOT_VERIFIED": "未验证", "UNKNOWN": "未知"}[stage.result]
        words += f"（{escape_text(reason)}）" if reason else ""
    if stage.stale:
        words += "（其后代码又有修改）"
    return words


def _remarks(stage: Stage) -> tuple[str, ...]:
    remarks = []
    if stage.direct_runs:
        remarks.append(f"另有直接调用 verification 脚本 {stage.direct_runs} 次，不计入执行次数")
    if stage.attempts_not_started:
        remarks.append(f"另有 {stage.attempts_not_started} 次调用没有启动，不计入执行次数")
    if stage.result == "SKIP" and stage.skip_reason_source == "agent" and stage.skip_reason:
        remarks.append(f"跳过原因：Agent 说明（未核实）：「{escape_text(stage.skip_reason)}」")
    if stage.result == "SKIP" and stage.skip_reason is None:
        remarks.append("跳过原因没有记录")
    return tuple(remarks)


def _quotes(stage: Stage) -> tuple[QuoteGroup, ...]:
    groups: list[QuoteGroup] = []
    if stage.skip_reason_source == "tool" and stage.skip_reason is not None:
        groups.append(QuoteGroup("跳过原因（工具输出）", (stage.skip_reason,), 0))
    by_signature: dict[str, list[Round]] = {}
    for item in stage.rounds:
        if item.signature is not None:
            by_signature.setdefault(item.signature, []).append(item)
    for rounds in by_signature.values():
        first = rounds[0]
        lines = first.error_lines or first.result_lines
        if not lines:
            continue
        label = "、".join(f"第 {item.round_no} 轮" for item in rounds)
        groups.append(
            QuoteGroup(
                f"{label}（{OUTCOME_WORDS[first.outcome]}{_counted(first)}）",
                lines[:ERROR_LINES_SHOWN],
                max(0, len(lines) - ERROR_LINES_SHOWN),
            )
        )
    return tuple(groups)


def _counted(item: Round) -> str:
    return f"，{counted_cases(item)}" if item.cases_total is not None else ""


def _notes(name: str, stage: Stage, draft: Draft) -> tuple[NoteView, ...]:
    outcomes = {item.round_no: item for item in stage.rounds}
    views = []
    for note in draft.rounds:
        if note.stage != name:
            continue
        item = outcomes.get(note.round_no)
        if item is None:
            label = "未评测的修改" if not stage.rounds else "最后一轮之后（未评测）"
        else:
            label = f"第 {note.round_no} 轮（{OUTCOME_WORDS[item.outcome]}{_counted(item)}）"
        views.append(NoteView(label, tuple(statement.text for statement in note.statements)))
    return tuple(views)
