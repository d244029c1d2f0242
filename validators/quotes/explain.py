"""Says why a quotation is not genuine: altered, stitched or absent; never accepts one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from summarizer.text.normalize import canonical
from validators.quotes.align import Aligned, align, diff, shared, tokens, with_ends
from validators.quotes.boundaries import cuts_token
from validators.quotes.corpus import Corpus, Rank, Ranks, Span
from validators.quotes.fragments import ELLIPSIS
from validators.quotes.verdict import Status, Verdict
from validators.quotes.views import VIEWS, Reading, View
from validators.quotes.windows import windows_for

COMPARED = 20_000
"""Characters of a refused quotation that are compared with its source; the work grows with their
square, and the first difference is what matters."""
ALIGNED = 8
"""Windows that are aligned token by token: so many by shared characters, so many by votes."""
ALTERED_FROM = 60.0
"""Similarity from which a refused quotation counts as an altered text, not as an invented one."""
ALTERED_SHORT_FROM = 66.0
SHORT = 24
STITCHED_BELOW = 75.0
"""A closer text is an altered one, even where fragments of it stand elsewhere ..."""
STITCHED_LINES_BELOW = 97.0
"""... unless the fragments are joined where their lines begin and end."""
MAX_FRAGMENTS = 4
_MIN_FRAGMENT = 6
"""Characters of the shortest fragment that counts."""


_CHANCE_TOKENS = 8
"""Tokens at a line's start that two messages may share by chance."""
_JOINTS = frozenset(".,;:|/+&-")
"""Marks that a writer puts between two messages."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A window in one view, with the closest part in it."""

    span: Span
    view: View
    form: str
    aligned: Aligned
    reading: Reading


@dataclass(frozen=True, slots=True)
class Fragment:
    """A part of a quotation that is verbatim somewhere."""

    span: Span
    view: View
    start: int
    end: int
    """Half-open range in the canonical window."""
    starts_line: bool = False
    ends_line: bool = False
    """Whether it begins or ends where a line of the source does."""
    line: int = 0
    """Character index in the window's text where its line begins."""


def closest(
    corpus: Corpus, spans: Sequence[Span], forms: Sequence[Reading], ranks: Ranks
) -> Candidate | None:
    """The window whose tokens differ least; a tie goes to the attributed place."""
    rough = []
    for span in spans:
        text = corpus.text(span.start, span.end)
        for view in VIEWS[:2]:
            form = view.plain(text)
            if form:
                rough.append((shared(forms[-1].text, form), span, view, form))
    by_votes = rough[:ALIGNED]
    rough.sort(key=lambda entry: (-round(entry[0], 3), ranks[entry[1].item], entry[1].start))
    best: Candidate | None = None
    for _, span, view, form in by_votes + [e for e in rough[:ALIGNED] if e not in by_votes]:
        for reading in forms:
            candidate = Candidate(span, view, form, align(reading.text, form), reading)
            if best is None or _key(candidate, ranks) < _key(best, ranks):
                best = candidate
    if best is None:
        return None
    return replace(best, aligned=with_ends(best.reading.text, best.form, best.aligned))


def _key(candidate: Candidate, ranks: Ranks) -> tuple[float, Rank, int]:
    rank = ranks[candidate.span.item]
    return -round(candidate.aligned.closeness, 2), rank, candidate.span.start


def is_altered(candidate: Candidate) -> bool:
    """Whether the closest text is close enough to be the quotation's source."""
    limit = ALTERED_FROM if len(candidate.reading.text) > SHORT else ALTERED_SHORT_FROM
    return candidate.aligned.similarity >= limit


def fragments(corpus: Corpus, spans: Sequence[Span], text: str) -> tuple[Fragment, ...]:
    """Split a canonical quotation into at most MAX_FRAGMENTS verbatim parts of the windows.

    Returns:
        The parts in the quotation's order, covering all of it; empty when that is impossible.
    """
    ends = [t.start + len(t.text) for t in tokens(text) if not t.text.isspace()]
    starts = [t.start for t in tokens(text) if not t.text.isspace()]
    forms = [
        (span, view, form)
        for span in spans
        for view in VIEWS[:2]
        if (form := view.plain(corpus.text(span.start, span.end)))
    ]
    found: list[Fragment] = []
    position = 0
    while position < len(starts):
        if found and position + 1 < len(starts) and text[starts[position]] in _JOINTS:
            position += 1
        best = max(
            (
                _longest(span, view, form, text, starts, ends, position)
                for span, view, form in forms
            ),
            default=(0, None),
            key=lambda entry: entry[0],
        )
        count, fragment = best
        if fragment is None or len(found) == MAX_FRAGMENTS:
            return ()
        if position + count < len(starts):
            fragment, count = _ended_at_line(corpus, fragment, text, starts, position, count)
        found.append(_at_lines(corpus, fragment))
        position += count
    return tuple(found)


def is_stitched(found: Sequence[Fragment], best: Candidate | None) -> bool:
    """Whether verbatim parts come from several lines, and no single text explains them better."""
    if len(found) < 2:
        return False
    similarity = _similarity(best)
    if len({(f.span, f.line) for f in found}) == 1:
        return False
    if similarity >= STITCHED_BELOW:
        return similarity < STITCHED_LINES_BELOW and all(
            one.ends_line or two.starts_line for one, two in pairwise(found)
        )
    return True


def _longest(
    span: Span,
    view: View,
    form: str,
    text: str,
    starts: Sequence[int],
    ends: Sequence[int],
    first: int,
) -> tuple[int, Fragment | None]:
    """How many tokens from `first` on stand in a window, and where."""
    low, high = 0, len(starts) - first
    while low < high:
        middle = (low + high + 1) // 2
        if text[starts[first] : ends[first + middle - 1]] in form:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return 0, None
    part = text[starts[first] : ends[first + low - 1]]
    start = form.find(part)
    while start >= 0:
        if not cuts_token(form, start) and not cuts_token(form, start + len(part)):
            break
        start = form.find(part, start + 1)
    if start < 0 or (len(part) < _MIN_FRAGMENT and low < len(starts)):
        return 0, None
    return low, Fragment(span, view, start, start + len(part))


def _ended_at_line(
    corpus: Corpus,
    fragment: Fragment,
    text: str,
    starts: Sequence[int],
    first: int,
    count: int,
) -> tuple[Fragment, int]:
    """Give back the few tokens that the next line of the source shares by chance."""
    source = corpus.text(fragment.span.start, fragment.span.end)
    low, high = fragment.view.mapped(source).original_span(fragment.start, fragment.end)
    tail = source[low:high].rpartition("\n")[2] if "\n" in source[low:high] else ""
    shared_tail = [t for t in tokens(canonical(tail)) if not t.text.isspace()]
    if not 0 < len(shared_tail) <= min(_CHANCE_TOKENS, count - 1):
        return fragment, count
    kept = count - len(shared_tail)
    size = len(text[starts[first] : starts[first + kept]].rstrip())
    return replace(fragment, end=fragment.start + size), kept


def _at_lines(corpus: Corpus, fragment: Fragment) -> Fragment:
    """The fragment with the knowledge whether it begins and ends a line."""
    text = corpus.text(fragment.span.start, fragment.span.end)
    start, end = fragment.view.mapped(text).original_span(fragment.start, fragment.end)
    before, after = text[:start].rstrip(" \t"), text[end:].lstrip(" \t\r")
    return replace(
        fragment,
        starts_line=not before or before[-1] in "\r\n",
        ends_line=not after or after[0] == "\n",
        line=text.rfind("\n", 0, start) + 1,
    )


def similarity(quoted: str, source: str) -> float:
    """0-100, for display."""
    return align(canonical(quoted), canonical(source)).similarity


def difference(quoted: str, source: str) -> str:
    """Token diff of two texts in canonical form."""
    return diff(canonical(quoted), canonical(source))


def refusal(
    corpus: Corpus,
    forms: Sequence[Reading],
    ranks: Ranks,
    notes: tuple[str, ...],
) -> Verdict:
    """The verdict on a quotation that no text proves.

    Args:
        corpus: The evidence.
        forms: Readings of the quotation, at least one.
        ranks: One per item.
        notes: Reasons that belong to every refusal.
    """
    if len(forms[0].text) > COMPARED:
        notes += (f"compared: first {COMPARED} characters",)
        forms = tuple(Reading(form.name, form.text[:COMPARED].rstrip()) for form in forms)
    parts = [part for part in ELLIPSIS.split(forms[0].text) if part]
    if len(parts) > 1:
        return _refused_parts(corpus, parts, ranks, notes)
    spans = windows_for(corpus, forms[-1].text)
    best = closest(corpus, spans, forms, ranks)
    if best is None or best.aligned.similarity < STITCHED_LINES_BELOW:
        for reading in forms:
            found = fragments(corpus, spans, reading.text)
            if is_stitched(found, best):
                return _stitched(corpus, found, best, notes)
    if best is None or not is_altered(best):
        return Verdict(Status.ABSENT, similarity=_similarity(best), reasons=notes)
    return _altered(corpus, best, notes)


def _similarity(candidate: Candidate | None) -> float:
    return candidate.aligned.similarity if candidate else 0.0


def _refused_parts(
    corpus: Corpus, parts: Sequence[str], ranks: Ranks, notes: tuple[str, ...]
) -> Verdict:
    """The verdict on a quotation with an ellipsis whose fragments do not stand in order."""
    found: list[Fragment] = []
    worst: Candidate | None = None
    for part in parts:
        spans = windows_for(corpus, part)
        cover = fragments(corpus, spans, part)
        found += cover
        best = None if cover else closest(corpus, spans, (Reading("", part),), ranks)
        if not cover and best is None:
            return Verdict(Status.ABSENT, reasons=("fragment_absent", *notes))
        if best and (worst is None or best.aligned.similarity < worst.aligned.similarity):
            worst = best
    if worst is None:
        return _stitched(corpus, found, None, notes)
    if is_altered(worst):
        return _altered(corpus, worst, ("fragment_altered", *notes))
    return Verdict(
        Status.ABSENT, similarity=_similarity(worst), reasons=("fragment_absent", *notes)
    )


def _source_range(corpus: Corpus, span: Span, view: View, start: int, end: int) -> tuple[int, int]:
    offset = corpus.char_offset(span.item, span.start)
    low, high = view.mapped(corpus.text(span.start, span.end)).original_span(start, end)
    return offset + low, offset + high


def _altered(corpus: Corpus, best: Candidate, notes: tuple[str, ...]) -> Verdict:
    aligned = best.aligned
    evidence = corpus.items[best.span.item]
    start, end = _source_range(corpus, best.span, best.view, aligned.start, aligned.end)
    source = best.form[aligned.start : aligned.end]
    kind = () if evidence.witness.proves_quotation else (f"non_witness: {evidence.witness.value}",)
    return Verdict(
        Status.ALTERED,
        evidence_ids=(evidence.id,),
        place=corpus.place(best.span.item),
        char_start=start,
        char_end=end,
        witness=evidence.witness,
        source_text=evidence.text[start:end],
        similarity=min(aligned.similarity, 99.99),
        diff=diff(best.reading.text, source),
        reasons=kind + notes,
    )


def _stitched(
    corpus: Corpus,
    found: Sequence[Fragment],
    best: Candidate | None,
    notes: tuple[str, ...],
) -> Verdict:
    ranges = [_source_range(corpus, f.span, f.view, f.start, f.end) for f in found]
    items = [fragment.span.item for fragment in found]
    if len(set(items)) > 1:
        reason = "different_sources"
    elif ranges != sorted(ranges):
        reason = "order_changed"
    else:
        reason = "apart"
    evidence = corpus.items[items[0]]
    return Verdict(
        Status.STITCHED,
        evidence_ids=tuple(corpus.items[item].id for item in items),
        place=corpus.place(items[0]),
        char_start=ranges[0][0],
        char_end=ranges[0][1],
        witness=evidence.witness,
        source_text=evidence.text[slice(*ranges[0])],
        similarity=_similarity(best),
        reasons=(reason, *notes),
    )
