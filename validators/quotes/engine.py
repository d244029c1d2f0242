"""Turns a quotation and the evidence into a verdict; must not know how a trace is written.

The verdict is by equality of canonical forms on token boundaries within one evidence text.
Similarity only words the message of a refusal.
"""

from __future__ import annotations

from collections.abc import Sequence

from validators.quotes.corpus import Corpus, Ranks, encode
from validators.quotes.exact import Match, find_exact
from validators.quotes.folded import better, find_folded, settled
from validators.quotes.fragments import GapMatch, find_with_gaps, gap_seeds, has_gaps
from validators.quotes.scan import prefetch
from validators.quotes.seeds import Seed
from validators.quotes.verdict import Quote, Status, Verdict
from validators.quotes.views import Reading, readings
from validators.quotes.windows import seeds_of


def check_quotation(corpus: Corpus, quote: Quote) -> Verdict:
    """Check one quotation; see `check_quotations`."""
    return check_quotations(corpus, (quote,))[0]


def check_quotations(corpus: Corpus, quotes: Sequence[Quote]) -> tuple[Verdict, ...]:
    """Check many quotations against the same evidence.

    Args:
        corpus: The evidence.
        quotes: What is quoted, with its attribution.

    Returns:
        One verdict per quotation, in order; never raises for any text.
    """
    texts = [quote.text.strip() for quote in quotes]
    prefetch(corpus, (encode(text) for text in texts))
    matches = [
        find_exact(corpus, text, _ranks(corpus, quote)) if text else None
        for text, quote in zip(texts, quotes, strict=True)
    ]
    prefetch(
        corpus,
        (
            seed.data
            for text, match in zip(texts, matches, strict=True)
            if text and not settled(match)
            for seed in _seeds(corpus, text)
        ),
    )
    return tuple(
        _check(corpus, text, match, _ranks(corpus, quote))
        for text, match, quote in zip(texts, matches, quotes, strict=True)
    )


def _seeds(corpus: Corpus, text: str) -> list[Seed]:
    forms = readings(text)
    return seeds_of(corpus, forms) + gap_seeds(corpus, forms)


def _ranks(corpus: Corpus, quote: Quote) -> Ranks:
    key = f"ranks:{quote.stage}:{quote.round_no}"
    cached = corpus.cached(key)
    if isinstance(cached, Ranks):
        return cached
    built = Ranks(corpus, quote.stage, quote.round_no)
    corpus.cached(key, built)
    return built


def _check(corpus: Corpus, text: str, match: Match | None, ranks: Ranks) -> Verdict:
    if not text:
        return Verdict(Status.ABSENT, reasons=("empty",))
    if settled(match) and match is not None:
        return _found(corpus, match, text, ranks)
    forms = readings(text)
    if not forms:
        return _found(corpus, match, text, ranks) if match else Verdict(Status.ABSENT)
    with_gaps = has_gaps(forms[0].text)
    match = find_folded(corpus, forms, ranks, match, exhaustive=not with_gaps)
    gaps: GapMatch | None = None
    if with_gaps and not settled(match):
        gaps = find_with_gaps(corpus, forms, ranks)
        if gaps and gaps.refused is None and better(gaps.match, match) is gaps.match:
            return _with_gaps(corpus, gaps, ranks)
        match = match or find_folded(corpus, forms, ranks)
    if match is not None:
        return _found(corpus, match, text, ranks)
    return _refused(corpus, text, forms, ranks, gaps)


def _cut_sources(corpus: Corpus, ranks: Ranks) -> tuple[str, ...]:
    cut = [corpus.items[item].id for item in corpus.cut_items if ranks[item].foreign == 0]
    return (f"source_cut: {', '.join(cut)}",) if cut else ()


def _misplaced(corpus: Corpus, match: Match, ranks: Ranks) -> tuple[str, ...]:
    """Why a match is in the wrong place; empty when it is in the right one."""
    evidence = corpus.items[match.item]
    if match.rank.foreign == 0:
        return ()
    if match.rank.foreign == 2:
        reason = f"non_witness: {evidence.witness.value}"
    else:
        reason = f"found_in: {evidence.stage or '-'}/{evidence.round_no or '-'}"
    return (reason, *_cut_sources(corpus, ranks))


def _at(
    corpus: Corpus,
    match: Match,
    status: Status,
    reasons: tuple[str, ...],
    *,
    similarity: float = 100.0,
    diff: str | None = None,
    skipped: int = 0,
) -> Verdict:
    evidence = corpus.items[match.item]
    return Verdict(
        status,
        evidence_ids=(evidence.id,),
        place=corpus.place(match.item),
        char_start=match.char_start,
        char_end=match.char_end,
        witness=evidence.witness,
        source_text=evidence.text[match.char_start : match.char_end],
        similarity=similarity,
        diff=diff,
        skipped=skipped,
        reasons=reasons,
    )


def _found(corpus: Corpus, match: Match, text: str, ranks: Ranks) -> Verdict:
    if match.negation is not None:
        blank = " " if match.negation.isascii() else ""
        return _at(
            corpus,
            match,
            Status.ALTERED,
            (*match.names, f"negation_cut_off: {match.negation}"),
            similarity=99.0,
            diff=f"[-{match.negation}{blank}-]{text}",
        )
    misplaced = _misplaced(corpus, match, ranks)
    if misplaced:
        return _at(corpus, match, Status.WRONG_PLACE, match.names + misplaced)
    source = corpus.items[match.item].text[match.char_start : match.char_end]
    return _at(corpus, match, Status.VERBATIM if source == text else Status.FOLDED, match.names)


def _with_gaps(corpus: Corpus, gaps: GapMatch, ranks: Ranks) -> Verdict:
    misplaced = _misplaced(corpus, gaps.match, ranks)
    status = Status.ELIDED if gaps.elided else Status.REDACTED
    reasons = gaps.match.names + gaps.notes + misplaced
    if misplaced:
        status = Status.WRONG_PLACE
    return _at(corpus, gaps.match, status, reasons, skipped=gaps.skipped)


def _refused(
    corpus: Corpus,
    text: str,
    forms: Sequence[Reading],
    ranks: Ranks,
    gaps: GapMatch | None,
) -> Verdict:
    from validators.quotes import explain  # rapidfuzz is loaded only when something is refused

    cut = _cut_sources(corpus, ranks)
    if gaps is not None and gaps.refused is not None:
        source = corpus.items[gaps.match.item].text[gaps.match.char_start : gaps.match.char_end]
        return _at(
            corpus,
            gaps.match,
            Status.ALTERED,
            (*gaps.match.names, gaps.refused, *cut),
            similarity=explain.similarity(text, source),
            diff=explain.difference(text, source),
            skipped=gaps.skipped,
        )
    return explain.refusal(corpus, forms, ranks, cut)
