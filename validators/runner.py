"""Runs rules, isolates one that crashes, sorts what they found; must not know any single rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from summarizer.errors import InputError
from summarizer.model.finding import Finding, Location, Severity
from validators.registry import RETIRED_CODES, RULES
from validators.rule import OWN_LIST, CheckContext, Flag, Rule, RuleReport

CRASHED = "X901"
NEEDS_SESSION = {
    "Q101": "quotations",
    "Q102": "quotations",
    "C301": "names",
    "C302": "statements of the agent",
    "C303": "operator names",
    "C304": "statements about rounds",
    "N201": "run counts",
    "N202": "round counts",
    "N204": "numbers of passed cases",
    "N205": "latencies",
    "N206": "ratios",
    "N208": "settings of the measurement",
    "N210": "lists of failing cases",
    "S405": "verdicts",
}
"""Rule -> what it checks, where a log file of the last run alone can confirm but not refute."""

_NOT_KNOWN = re.compile(r"UNKNOWN|未知|NOT_RUN|未执行|N/A|nothing", re.IGNORECASE)

ALWAYS = "X"
"""Family that no selection switches off: silence must mean checked and clean."""


def run_rules(
    context: CheckContext,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    rules: Sequence[Rule] = RULES,
) -> RuleReport:
    """Run the rules on one trace.

    Args:
        context: The trace and what is known about its session; use a new one for every run.
        select: Codes, prefixes of codes or names of the rules to run; empty for all. The rules
            about the checker itself always run unless they are ignored by name or code.
        ignore: The same, for rules not to run.
        rules: The table.

    Returns:
        Findings by place, and how many claims were compared.

    Raises:
        InputError: `select` or `ignore` names no rule.
    """
    for wanted in (*select, *ignore):
        _known(wanted, rules)
    found: list[Finding] = []
    for rule in rules:
        if _runs(rule, select, ignore):
            found.extend(_findings(rule, context))
    if not any(_matches(rule, ignore) for rule in rules if rule.code == CRASHED):
        kept = found
    else:
        kept = [finding for finding in found if finding.code != CRASHED]
    shown, suppressed = _suppress(context, kept)
    return RuleReport(_sorted(shown), context.ledger.counts(), _sorted(suppressed))


def _known(wanted: str, rules: Sequence[Rule]) -> None:
    if any(_named(rule, wanted) for rule in rules):
        return
    retired = " (retired)" if wanted.upper() in RETIRED_CODES else ""
    raise InputError(f"no rule {wanted!r}{retired}; `trace-recorder rule` lists all")


def _named(rule: Rule, wanted: str) -> bool:
    return bool(wanted) and (rule.code.startswith(wanted.upper()) or rule.name == wanted)


def _matches(rule: Rule, wanted: Sequence[str]) -> bool:
    return any(_named(rule, one) for one in wanted)


def _runs(rule: Rule, select: Sequence[str], ignore: Sequence[str]) -> bool:
    if _matches(rule, ignore):
        return False
    return not select or rule.code.startswith(ALWAYS) or _matches(rule, select)


def _findings(rule: Rule, context: CheckContext) -> list[Finding]:
    found: list[Finding] = []
    try:
        for flag in rule.check(context):
            if context.blind and _needs_session(rule, flag):
                kind = NEEDS_SESSION[rule.code]
                context.ledger.unverifiable(kind, "the transcript of the session", flag.location)
            else:
                found.append(_stamped(rule, flag))
    except Exception as error:  # noqa: BLE001  # a broken rule must not silence the others
        found.append(_crash(rule, error))
    return list(dict.fromkeys(found))


def _needs_session(rule: Rule, flag: Flag) -> bool:
    """Whether a finding rests on the absence of a transcript; a log may still refute a verdict."""
    if rule.code == "S405":
        return flag.expected is None or _NOT_KNOWN.search(flag.expected) is not None
    if rule.code == "N204":
        return OWN_LIST not in flag.notes
    if rule.code in {"N205", "N206", "N208"}:
        return "no measurement" in flag.message
    return rule.code in NEEDS_SESSION


def _stamped(rule: Rule, flag: Flag) -> Finding:
    return Finding(
        code=rule.code,
        rule=rule.name,
        severity=rule.severity,
        message=flag.message,
        location=flag.location,
        expected=flag.expected,
        actual=flag.actual,
        source=flag.source,
        diff=flag.diff,
        notes=flag.notes,
        replacement=flag.replacement,
    )


def _crash(rule: Rule, error: Exception) -> Finding:
    trail = error.__traceback__
    while trail is not None and trail.tb_next is not None:
        trail = trail.tb_next
    where = ""
    if trail is not None:
        name = trail.tb_frame.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]
        where = f" at {name}:{trail.tb_lineno}"
    return Finding(
        code=CRASHED,
        rule="rule-crashed",
        severity=Severity.ERROR,
        message=f"rule {rule.code} ({rule.name}) crashed: {type(error).__name__}: {error}{where}",
        location=Location(1),
        notes=("what this rule checks was not checked; please report this",),
    )


def _suppress(
    context: CheckContext, findings: Sequence[Finding]
) -> tuple[list[Finding], list[Finding]]:
    """Part the findings that a comment in the trace covers; never those about the checker."""
    covered = {
        (suppression.line, code)
        for suppression in context.doc.suppressions
        for code in suppression.codes
    }
    shown: list[Finding] = []
    suppressed: list[Finding] = []
    for finding in findings:
        hidden = (finding.location.line, finding.code) in covered
        target = suppressed if hidden and not finding.code.startswith(ALWAYS) else shown
        target.append(finding)
    return shown, suppressed


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    return tuple(
        sorted(findings, key=lambda f: (f.location.line, f.location.column, f.code, f.message))
    )
