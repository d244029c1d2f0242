"""The one-screen report of `record`: what was read, found, checked and left unverified."""

from __future__ import annotations

import posixpath
from collections import Counter
from typing import TYPE_CHECKING

from summarizer.model.facts import STAGES, Facts, Stage
from summarizer.model.finding import Severity

if TYPE_CHECKING:
    from summarizer.pipeline import Recorded

SHOWN = 12
"""Lines of what could not be verified; the report is to stay on one screen."""

_TITLES = {"tilelang": "TileLang", "ascendc": "AscendC", "full_validation": "full validation"}


def record_summary(recorded: Recorded) -> str:
    """Return the report as plain text lines."""
    facts = recorded.facts
    lines = ["sources"]
    lines += [f"  {line}" for line in _sources(facts)]
    lines.append("stages")
    lines += [f"  {_stage(name, facts.stages[name])}" for name in STAGES]
    lines.append(f"  performance: {_performance(facts)}")
    lines.append("checks")
    lines += [f"  {line}" for line in _checks(recorded)]
    unverified = _unverified(recorded)
    if unverified:
        lines.append("not verified")
        lines += [f"  {line}" for line in unverified[:SHOWN]]
        if len(unverified) > SHOWN:
            lines.append(f"  and {len(unverified) - SHOWN} more; `facts` lists all")
    lines.append(_outcome(recorded))
    return "\n".join(lines)


def _sources(facts: Facts) -> list[str]:
    lines = []
    if facts.session.chosen_because:
        versions = ", ".join(facts.session.client_versions)
        client = f" ({facts.session.client} {versions})" if facts.session.client else ""
        lines.append(f"transcript {facts.session.chosen_because}{client}")
    kinds = Counter(source.kind for source in facts.sources)
    lines.append("files read: " + ", ".join(f"{n} {kind}" for kind, n in kinds.items()))
    return lines


def _stage(name: str, stage: Stage) -> str:
    rounds = ", ".join(
        f"{item.round_no}:{item.outcome.value}"
        + (f" {item.cases_passed}/{item.cases_total}" if item.cases_total is not None else "")
        for item in stage.rounds[:12]
    )
    more = f", ... {len(stage.rounds)} rounds" if len(stage.rounds) > 12 else ""
    detail = f" ({rounds}{more})" if rounds else ""
    return f"{_TITLES[name]}: {stage.result}, {stage.evaluate_runs} runs{detail}"


def _performance(facts: Facts) -> str:
    measured = facts.performance
    if not measured.executed:
        return "not measured"
    ratio = f"{measured.ratio_of_means:.2f}x" if measured.ratio_of_means is not None else "unknown"
    text = f"ratio of means {ratio}, source {measured.source_of_record}"
    if measured.json_path:
        text += f" ({posixpath.basename(measured.json_path)})"
    return text + (", stale" if measured.stale else "")


def _checks(recorded: Recorded) -> list[str]:
    checked = recorded.checked
    lines = [f"{count} {what}" for what, count in checked.items()]
    errors = sum(f.severity is Severity.ERROR for f in recorded.findings)
    warnings = sum(f.severity is Severity.WARNING for f in recorded.findings)
    lines.append(f"findings in the text written: {errors} errors, {warnings} warnings")
    facts = recorded.facts
    lines.append(
        f"dead ends: {len(facts.dead_ends)}; statements of the agent contradicted by a log: "
        f"{len(facts.agent_claims_contradicted)}"
    )
    return lines


def _unverified(recorded: Recorded) -> list[str]:
    facts = recorded.facts
    lines = [
        f"{posixpath.basename(issue.path)}"
        + (f" record {issue.record}" if issue.record is not None else "")
        + f": {issue.message}"
        + (f" ({issue.count} times)" if issue.count > 1 else "")
        for issue in facts.read_issues
    ]
    for name in STAGES:
        for item in facts.stages[name].rounds:
            for run in item.runs:
                if not run.outcome.is_verdict:
                    lines.append(
                        f"{_TITLES[name]} round {item.round_no}: a run without verdict "
                        f"({run.reason})"
                    )
    lines += [f.message for f in recorded.findings if f.code == "X902"]
    return lines


def _outcome(recorded: Recorded) -> str:
    if recorded.written_to is not None:
        return f"written: {recorded.written_to} ({recorded.draft.drafter} drafter)"
    return "not written" if not recorded.passed else "dry run: nothing written"
