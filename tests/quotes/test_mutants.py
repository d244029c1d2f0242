"""Labelled quotations made by `mutants.py`: nothing false passes, nothing genuine fails."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.quotes.logs import make_evidence
from tests.quotes.mutants import ALTERED, GENUINE, Case, Generator
from validators.quotes import Corpus, Quote, Verdict, check_quotations, folded

PER_KIND = 5


def right_place(case: Case, verdict: Verdict) -> bool:
    if case.evidence_id is None or verdict.char_start is None or verdict.char_end is None:
        return True
    if "stitched" in case.expected:
        return case.evidence_id in verdict.evidence_ids
    assert case.char_start is not None
    assert case.char_end is not None
    overlaps = verdict.char_start < case.char_end and case.char_start < verdict.char_end
    return verdict.evidence_ids[0] == case.evidence_id and overlaps


def describe(case: Case, verdict: Verdict) -> str:
    return f"{case.kind}: {case.text[:200]!r} -> {verdict.status.value} {verdict.reasons}"


def judge(seed: int) -> tuple[Sequence[Case], Sequence[Verdict]]:
    evidence = make_evidence(seed)
    cases = Generator(evidence, seed + 1).cases(PER_KIND)
    quotes = [Quote(case.text, case.stage, case.round_no) for case in cases]
    return cases, check_quotations(Corpus(evidence), quotes)


@pytest.mark.parametrize("seed", [20261, 20262])
@pytest.mark.parametrize("whole_bytes", [folded.WHOLE_BYTES, 0], ids=["whole", "windows"])
def test_verdicts(seed: int, whole_bytes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """No altered text is accepted, no genuine one refused, and the rest is named and placed."""
    monkeypatch.setattr(folded, "WHOLE_BYTES", whole_bytes)
    cases, verdicts = judge(seed)
    pairs = list(zip(cases, verdicts, strict=True))
    accepted = [describe(c, v) for c, v in pairs if v.accepted and not c.genuine]
    refused = [describe(c, v) for c, v in pairs if c.genuine and not v.accepted]
    assert not accepted
    assert not refused
    wrong = [describe(c, v) for c, v in pairs if v.status.value not in c.expected]
    assert len(wrong) <= 0.005 * len(pairs), wrong
    misplaced = [describe(c, v) for c, v in pairs if not right_place(c, v)]
    assert len(misplaced) <= 0.01 * len(pairs), misplaced


def test_kinds() -> None:
    """The suite holds at least 32 kinds of false texts and 20 of genuine ones, each with cases."""
    assert len(ALTERED) >= 32
    assert len(GENUINE) >= 20
    made = {case.kind for case in Generator(make_evidence(5), 6).cases(1)}
    assert made >= set(ALTERED) | set(GENUINE)
