"""The one table of rules. Codes and names are public; a retired code is never used again."""

from __future__ import annotations

import inspect
import re

from summarizer.model.finding import Severity
from validators import (
    checker,
    claims,
    drift,
    history,
    outcomes,
    policy,
    quotations,
    report_lines,
    structure,
    times,
)
from validators.numbers import (
    counts,
    latencies,
    passes,
    percentages,
    ratios,
    row,
    settings,
    sizes,
    speedups,
)
from validators.rule import Check, Fix, Rule

ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

RETIRED_CODES: frozenset[str] = frozenset()

_PARTS = re.compile(r"(?P<text>.*?)\n+Bad:\n(?P<bad>.*?)\nGood:\n(?P<good>.*)\Z", re.DOTALL)


def _rule(code: str, name: str, severity: Severity, fix: Fix, check: Check) -> Rule:
    """Make a rule whose explanation and examples stand in the docstring of its check."""
    text, bad, good = _documented(check)
    return Rule(code, name, severity, fix, text, bad, good, check)


def _documented(check: Check) -> tuple[str, str, str]:
    """Return explanation, bad and good example; empty when docstrings were stripped (`-OO`)."""
    match = _PARTS.match(inspect.cleandoc(check.__doc__ or ""))
    if match is None:
        return "", "", ""
    return (
        match["text"].strip(),
        inspect.cleandoc("\n" + match["bad"]),
        inspect.cleandoc("\n" + match["good"]),
    )


RULES: tuple[Rule, ...] = (
    _rule("C301", "name-not-in-evidence", ERROR, Fix.NONE, claims.check_name_not_in_evidence),
    _rule("C302", "statement-not-by-agent", ERROR, Fix.NONE, claims.check_statement_not_by_agent),
    _rule("C303", "wrong-operator", ERROR, Fix.SAFE, claims.check_wrong_operator),
    _rule("C304", "wrong-history", ERROR, Fix.NONE, history.check_wrong_history),
    _rule("D501", "dead-end-missing", ERROR, Fix.UNSAFE, drift.check_dead_end_missing),
    _rule("D502", "round-missing", ERROR, Fix.UNSAFE, drift.check_round_missing),
    _rule("D503", "failure-missing", ERROR, Fix.UNSAFE, drift.check_failure_signature_missing),
    _rule("D504", "agent-claim-as-fact", ERROR, Fix.NONE, claims.check_agent_claim_as_fact),
    _rule("D505", "drift-denied", WARNING, Fix.NONE, drift.check_drift_denied),
    _rule("D506", "wrong-folded-count", ERROR, Fix.SAFE, drift.check_folded_line_count),
    _rule("D507", "wrong-counter-evidence", ERROR, Fix.SAFE, claims.check_counter_evidence),
    _rule("N201", "wrong-run-count", ERROR, Fix.SAFE, counts.check_wrong_run_count),
    _rule("N202", "wrong-round-count", ERROR, Fix.NONE, counts.check_wrong_round_count),
    _rule("N203", "wrong-case-count", ERROR, Fix.SAFE, counts.check_wrong_case_count),
    _rule("N204", "wrong-pass-count", ERROR, Fix.SAFE, passes.check_wrong_pass_count),
    _rule("N205", "wrong-latency", ERROR, Fix.SAFE, latencies.check_wrong_latency),
    _rule("N206", "wrong-ratio", ERROR, Fix.SAFE, ratios.check_wrong_ratio),
    _rule("N207", "wrong-threshold-flag", ERROR, Fix.SAFE, row.check_wrong_threshold_flag),
    _rule("N208", "wrong-configuration", ERROR, Fix.SAFE, settings.check_wrong_configuration),
    _rule("N209", "contradictory-cells", ERROR, Fix.NONE, settings.check_contradictory_cells),
    _rule("N210", "wrong-failing-cases", ERROR, Fix.SAFE, passes.check_wrong_failing_cases),
    _rule("N211", "wrong-size", ERROR, Fix.SAFE, sizes.check_wrong_size),
    _rule("N212", "wrong-case-shape", ERROR, Fix.SAFE, sizes.check_wrong_case_shape),
    _rule("N213", "wrong-direction", ERROR, Fix.SAFE, ratios.check_wrong_direction),
    _rule("N214", "wrong-percentage", ERROR, Fix.SAFE, percentages.check_wrong_percentage),
    _rule("N215", "wrong-tolerance", ERROR, Fix.NONE, percentages.check_wrong_tolerance),
    _rule("N216", "ambiguous-ratio", WARNING, Fix.NONE, speedups.check_ambiguous_ratio),
    _rule("N217", "wrong-speed-percentage", ERROR, Fix.NONE, speedups.check_wrong_speed_percentage),
    _rule("P601", "advice-in-trace", WARNING, Fix.NONE, policy.check_advice),
    _rule("P602", "skipped-as-failed", ERROR, Fix.SAFE, policy.check_skipped_as_failed),
    _rule("P603", "vague-note", WARNING, Fix.NONE, policy.check_vague_note),
    _rule("Q101", "quote-absent", ERROR, Fix.NONE, quotations.check_quote_absent),
    _rule("Q102", "quote-altered", ERROR, Fix.SAFE, quotations.check_quote_altered),
    _rule("Q103", "quote-stitched", ERROR, Fix.NONE, quotations.check_quote_stitched),
    _rule("Q104", "quote-from-elsewhere", ERROR, Fix.UNSAFE, quotations.check_quote_from_elsewhere),
    _rule(
        "Q105", "quote-from-non-witness", ERROR, Fix.NONE, quotations.check_quote_from_non_witness
    ),
    _rule("Q106", "quote-elided", INFO, Fix.UNSAFE, quotations.check_quote_elided),
    _rule("Q107", "line-never-printed", ERROR, Fix.NONE, report_lines.check_line_never_printed),
    _rule("S401", "missing-section", ERROR, Fix.UNSAFE, structure.check_missing_section),
    _rule("S402", "malformed-summary-row", ERROR, Fix.SAFE, structure.check_malformed_summary_row),
    _rule("S403", "row-lost-or-extra", ERROR, Fix.SAFE, structure.check_row_count),
    _rule(
        "S404", "malformed-final-result", ERROR, Fix.SAFE, structure.check_malformed_final_result
    ),
    _rule(
        "S405",
        "verdict-contradicts-evidence",
        ERROR,
        Fix.SAFE,
        outcomes.check_verdict_contradicts_evidence,
    ),
    _rule("S407", "provenance-hash-mismatch", WARNING, Fix.NONE, structure.check_provenance_hash),
    _rule("S408", "stale-unmarked", WARNING, Fix.SAFE, outcomes.check_stale_unmarked),
    _rule("S409", "missing-field", WARNING, Fix.UNSAFE, structure.check_missing_field),
    _rule("S410", "time-before-evidence", WARNING, Fix.NONE, times.check_time_before_evidence),
    _rule("X901", "rule-crashed", ERROR, Fix.NONE, checker.check_nothing),
    _rule("X902", "cannot-be-checked", INFO, Fix.NONE, checker.check_unverifiable),
)
"""All rules, by code; those about the checker itself come last."""
