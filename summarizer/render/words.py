"""Words and small helpers that several parts of the view share."""

from __future__ import annotations

from summarizer.model.draft import Draft
from summarizer.model.facts import Round, Run
from summarizer.model.reports import Outcome

UNKNOWN = "N/A"

OUTCOME_WORDS = {
    Outcome.PASS: "通过",
    Outcome.FAIL: "未通过",
    Outcome.COMPILE_ERROR: "编译失败",
    Outcome.ENVIRONMENT_ERROR: "环境错误",
    Outcome.TIMEOUT: "超时",
    Outcome.UNKNOWN: "结论未知",
}


def number_or_unknown(value: int | None) -> str:
    """Return a count, `N/A` when unknown."""
    return UNKNOWN if value is None else str(value)


def counted_cases(item: Round | Run) -> str:
    """Return `6/10`; only for items whose cases were counted."""
    return f"{item.cases_passed}/{item.cases_total}"


def drift_texts(name: str, draft: Draft) -> tuple[tuple[str, ...], ...]:
    """Return the statements of each drift point of a stage."""
    return tuple(
        tuple(statement.text for statement in note.statements)
        for note in draft.drift
        if note.stage == name
    )
