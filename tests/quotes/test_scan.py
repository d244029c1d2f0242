"""Looking up many strings at once gives what one search per string gives."""

from __future__ import annotations

import random

import pytest

from summarizer.model.evidence import Evidence, Witness
from summarizer.model.source import Completeness, SourceRef
from tests.quotes.logs import make_evidence
from tests.quotes.mutants import Generator
from validators.quotes import Corpus, Quote, check_quotations, folded, scan, seeds, windows


def places(data: bytes, string: bytes) -> list[int]:
    found, position = [], data.find(string)
    while position >= 0:
        found.append(position)
        position = data.find(string, position + 1)
    return found


@pytest.mark.parametrize("grid", scan.GRIDS)
def test_scan_finds_every_place(grid: scan.Grid) -> None:
    """With numpy the sampled scan misses no place and invents none, at any alignment."""
    numpy = pytest.importorskip("numpy")
    rng = random.Random(7)
    for length in (0, 5, 9, 17, 64, 200, 201, 202, 203, 400):
        data = bytes(rng.choice(b"abc\xff0") for _ in range(length))
        strings = {bytes(rng.choice(b"abc") for _ in range(grid.run))}
        for start in range(0, max(0, length - grid.run), 7):
            strings.add(data[start : start + grid.run + start % 5])
        strings = {string for string in strings if len(string) >= grid.run}
        found = scan.scan(numpy, data, sorted(strings), grid, data[:50])
        assert {s: hits for s, (hits, _) in found.items()} == {s: places(data, s) for s in strings}


def test_known_places_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Verdicts are the same whether places were looked up beforehand or not."""
    monkeypatch.setattr(folded, "WHOLE_BYTES", 0)
    monkeypatch.setattr(windows, "SMALL_BYTES", 0)
    evidence = make_evidence(31)
    cases = Generator(evidence, 32).cases(1)
    quotes = [Quote(case.text, case.stage, case.round_no) for case in cases]
    plain = check_quotations(Corpus(evidence), quotes)

    def search_each(corpus: Corpus, strings: object) -> None:
        for string in strings:  # type: ignore[attr-defined]
            hits = places(corpus.data, string)
            seed = seeds.Seed(string, 0)
            seeds.hits_of(corpus)[string] = seeds.Located(
                seed, hits[: seeds.HIT_LIMIT], len(hits) <= seeds.HIT_LIMIT
            )

    monkeypatch.setattr("validators.quotes.engine.prefetch", search_each)
    assert check_quotations(Corpus(evidence), quotes) == plain


def test_nothing_is_prefetched_without_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numpy is missing the search goes on without it."""
    monkeypatch.setattr(scan, "LARGE_BYTES", 0)
    monkeypatch.setattr(scan, "numpy_or_none", lambda: None)
    ref = SourceRef("s.jsonl", 1, 0, 1)
    item = Evidence("E1", "a line of text", Witness.TOOL_OUTPUT, Completeness.FULL, ref, None, None)
    corpus = Corpus([item])
    verdicts = check_quotations(corpus, [Quote("a line of text")] * 20)
    assert {verdict.status.value for verdict in verdicts} == {"verbatim"}
