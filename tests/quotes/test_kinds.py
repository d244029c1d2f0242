"""Every kind of genuine and false quotation, as data in `fixtures/`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from summarizer.model.evidence import Evidence, Witness
from summarizer.model.source import Completeness, SourceRef
from validators.quotes import Corpus, Quote, Status, check_quotation, folded

FIXTURES = Path(__file__).parent / "fixtures"
CASES = [
    json.loads(line) for line in (FIXTURES / "cases.jsonl").read_text("utf-8").split("\n") if line
]


def read_evidence() -> list[Evidence]:
    text = (FIXTURES / "ascend.txt").read_text("utf-8")
    text = text.replace("\\e", "\x1b").replace("\\r", "\r").replace("\\t", "\t")
    found = []
    for number, block in enumerate(text.removeprefix("=== ").split("\n=== "), 1):
        head, _, body = block.partition("\n")
        name, witness, stage, round_no, completeness = head.split()
        found.append(
            Evidence(
                name,
                body,
                Witness(witness),
                Completeness(completeness),
                SourceRef("session.jsonl", number, 100 * number, 100 * number + 90),
                None if stage == "-" else stage,
                None if round_no == "-" else int(round_no),
            )
        )
    return found


@pytest.fixture(params=["whole", "windows"])
def corpus(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """The evidence, searched as small evidence and as large evidence is."""
    if request.param == "windows":
        monkeypatch.setattr(folded, "WHOLE_BYTES", 0)
    return Corpus(read_evidence())


@pytest.mark.parametrize("case", CASES, ids=[case["kind"] for case in CASES])
def test_kind(corpus: Corpus, case: dict[str, str]) -> None:
    """Each kind gets its verdict, its place and its reason, however large the evidence is."""
    quote = Quote(case["text"], case.get("stage"), case.get("round_no"))  # type: ignore[arg-type]
    verdict = check_quotation(corpus, quote)
    assert verdict.status == case["status"], verdict
    if "evidence" in case:
        assert verdict.evidence_ids[0] == case["evidence"]
    if "diff" in case:
        assert case["diff"] in (verdict.diff or "")
    if "reason" in case:
        assert any(reason.startswith(case["reason"]) for reason in verdict.reasons), verdict
    assert verdict.accepted == (verdict.status in {"verbatim", "folded", "redacted", "elided"})


def test_ranges_point_at_the_source(corpus: Corpus) -> None:
    """The range of an accepted quotation holds its original characters."""
    texts = {evidence.id: evidence.text for evidence in corpus.items}
    for case in CASES:
        verdict = check_quotation(corpus, Quote(case["text"]))
        if verdict.char_start is None or verdict.char_end is None:
            assert verdict.status is Status.ABSENT
            continue
        source = texts[verdict.evidence_ids[0]][verdict.char_start : verdict.char_end]
        assert source == verdict.source_text
        if verdict.status is Status.VERBATIM:
            assert source == case["text"].strip()


def test_table_is_complete() -> None:
    """The table holds every status and at least twenty kinds on either side."""
    statuses = [case["status"] for case in CASES]
    assert set(statuses) == {status.value for status in Status}
    accepted = sum(Status(status).accepted for status in statuses)
    assert accepted >= 20
    assert len(statuses) - accepted >= 20
