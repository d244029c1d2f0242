"""Searches a quotation in canonical form; must not decide what a verdict is.

Small evidence is canonicalised as a whole, once: the search is then complete. Large evidence is
canonicalised only around the rarest words of a quotation.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from summarizer.text.normalize import canonical
from validators.quotes.corpus import SEPARATOR, Corpus, Rank, Ranks, Span, decode, encode
from validators.quotes.exact import CONTEXT, Match, edge, splits_ascii_word
from validators.quotes.views import VIEWS, Reading, View
from validators.quotes.windows import pivot_windows, windows_for

WHOLE_BYTES = 6 << 20
"""Up to this size the whole evidence is canonicalised; about 10 ms per megabyte."""

_CHUNK = 4096
"""Characters after which a line end closes a chunk."""


class FoldedIndex:
    """One view of all evidence in canonical form."""

    __slots__ = ("_chunks", "_items", "_starts", "corpus", "data", "view")

    def __init__(self, corpus: Corpus, view: View) -> None:
        """Canonicalise every item that the view changes."""
        self.corpus = corpus
        self.view = view
        self._items: list[int] = []
        self._starts: list[int] = []
        self._chunks: dict[int, tuple[list[int], list[int]]] = {}
        parts: list[bytes] = []
        position = 0
        for number, evidence in enumerate(corpus.items):
            form = view.plain(evidence.text)
            if form is None:
                continue
            self._items.append(number)
            self._starts.append(position)
            parts.append(encode(form))
            position += len(parts[-1]) + 1
        self.data = SEPARATOR.join(parts)

    def find(self, reading: Reading, ranks: Ranks, best: Match | None) -> Match | None:
        """The better one of `best` and the best occurrence of a reading."""
        needle = encode(reading.text)
        position = self.data.find(needle)
        while position >= 0:
            if splits_ascii_word(self.data, position, position + len(needle)):
                position = self.data.find(needle, position + 1)
                continue
            slot = bisect_right(self._starts, position) - 1
            item = self._items[slot]
            if best is None or best.negation is not None or ranks[item] < best.rank:
                found = self._accept(slot, position, reading, ranks[item])
                best = better(found, best)
                position += 1
            elif slot + 1 < len(self._starts):
                position = self._starts[slot + 1]
            else:
                break
            position = self.data.find(needle, position)
        return best

    def _accept(self, slot: int, position: int, reading: Reading, rank: Rank) -> Match | None:
        first = self._starts[slot]
        low = max(first, position - CONTEXT)
        end = position + len(encode(reading.text))
        around = self.data[low : end + CONTEXT].partition(SEPARATOR)[0]
        before, after = around[: position - low], around[end - low :]
        # A cut character at the far end of the context is of no interest.
        cut, negation = edge(
            before.decode("utf-8", "replace"), reading.text, after.decode("utf-8", "replace")
        )
        if cut:
            return None
        start = len(decode(self.data[first:position]))
        names = tuple(name for name in (reading.name, self.view.name) if name)
        span = self._original_span(self._items[slot], start, reading.text)
        return Match(self._items[slot], *span, rank, negation, names)

    def _original_span(self, item: int, start: int, quoted: str) -> tuple[int, int]:
        """Map a match back, canonicalising only the chunks around it once more."""
        text = self.corpus.items[item].text
        raw, forms = self._chunk_starts(item, text)
        slack = len(raw) + 1
        low = max(0, bisect_right(forms, start - slack) - 1)
        high = bisect_right(forms, start + len(quoted) + slack)
        window = text[raw[low] : raw[high] if high < len(raw) else len(text)]
        mapped = self.view.mapped(window)
        found = _nearest(mapped.text, quoted, start - forms[low])
        if found is None:
            mapped, found = self.view.mapped(text), start
            return mapped.original_span(found, found + len(quoted))
        low_char, high_char = mapped.original_span(found, found + len(quoted))
        return raw[low] + low_char, raw[low] + high_char

    def _chunk_starts(self, item: int, text: str) -> tuple[list[int], list[int]]:
        """Where chunks of whole lines begin, in the text and, about, in its canonical form.

        Blanks between chunks may or may not survive, so the second is off by at most one per
        chunk.
        """
        known = self._chunks.get(item)
        if known is not None:
            return known
        raw, forms = [0], [0]
        while (end := text.find("\n", raw[-1] + _CHUNK)) >= 0:
            chunk = text[raw[-1] : end + 1]
            forms.append(forms[-1] + 1 + len(self.view.plain(chunk) or canonical(chunk)))
            raw.append(end + 1)
        self._chunks[item] = raw, forms
        return raw, forms


def _nearest(form: str, quoted: str, expected: int) -> int | None:
    """The occurrence on token boundaries closest to an index."""
    best: int | None = None
    start = form.find(quoted)
    while start >= 0:
        closer = best is None or abs(start - expected) < abs(best - expected)
        if closer and edges_of(form, start, start + len(quoted)) == (None,):
            best = start
        start = form.find(quoted, start + 1)
    return best


def edges_of(form: str, start: int, end: int) -> tuple[str | None] | None:
    """The negation cut off by a match in a canonical text; None when it cuts a token."""
    cut, negation = edge(
        form[max(0, start - CONTEXT) : start], form[start:end], form[end : end + CONTEXT]
    )
    return None if cut else (negation,)


def better(one: Match | None, two: Match | None) -> Match | None:
    """The match that is to be reported; the second one on a tie."""
    if one is None or two is None:
        return one or two
    return one if one.order[:2] < two.order[:2] else two


def settled(match: Match | None) -> bool:
    """Whether no other place could be better than this match."""
    return match is not None and match.negation is None and match.rank.foreign == 0


def _index(corpus: Corpus, view: View) -> FoldedIndex:
    cached = corpus.cached(f"folded:{view.name}")
    if isinstance(cached, FoldedIndex):
        return cached
    built = FoldedIndex(corpus, view)
    corpus.cached(f"folded:{view.name}", built)
    return built


def find_folded(
    corpus: Corpus,
    forms: Sequence[Reading],
    ranks: Ranks,
    best: Match | None = None,
    *,
    exhaustive: bool = True,
) -> Match | None:
    """The best occurrence of any reading in any view, or `best` if none is better.

    Args:
        corpus: The evidence.
        forms: Readings of the quotation, at least one.
        ranks: One per item.
        best: What is known already.
        exhaustive: Whether large evidence is canonicalised as a whole (once, about 2 s per
            100 MB) for a quotation each of whose words stands in too many places.
    """
    if len(corpus.data) > WHOLE_BYTES:
        return _find_near_pivots(corpus, forms, ranks, best, exhaustive)
    return _find_in_whole(corpus, forms, ranks, best)


def _find_in_whole(
    corpus: Corpus, forms: Sequence[Reading], ranks: Ranks, best: Match | None
) -> Match | None:
    for view in VIEWS:
        index = _index(corpus, view)
        for reading in forms:
            best = index.find(reading, ranks, best)
            if settled(best):
                return best
    return best


def _find_near_pivots(
    corpus: Corpus,
    forms: Sequence[Reading],
    ranks: Ranks,
    best: Match | None,
    exhaustive: bool,
) -> Match | None:
    size = len(encode(forms[0].text))
    reach = 256 + size // 2
    searched = False
    for group, complete in pivot_windows(corpus, forms[-1].text, reach, reach, ranks):
        searched = searched or complete
        best = find_in(corpus, group, forms, ranks, best)
        if settled(best):
            return best
    if best is None:
        spans = windows_for(corpus, forms[-1].text)
        best = find_in(corpus, (_wider(corpus, span) for span in spans), forms, ranks)
    if best is None and exhaustive and not searched:
        # Every word of the quotation is everywhere: only the whole evidence can tell.
        best = _find_in_whole(corpus, forms, ranks, best)
    return best


def _wider(corpus: Corpus, span: Span) -> Span:
    """A window with room for colour codes and indentation that the quotation lacks."""
    size = span.end - span.start
    return Span(span.item, *corpus.widened(span.item, span.start - size, span.end + size))


def find_in(
    corpus: Corpus,
    spans: Iterable[Span],
    forms: Sequence[Reading],
    ranks: Ranks,
    best: Match | None = None,
) -> Match | None:
    """The best occurrence of any reading in any view of some windows."""
    for span in spans:
        if best is not None and best.negation is None and ranks[span.item] >= best.rank:
            continue
        text = corpus.text(span.start, span.end)
        for view in VIEWS:
            form = view.plain(text)
            if form is None:
                continue
            for reading in forms:
                best = better(_in_window(corpus, span, text, view, form, reading, ranks), best)
        if settled(best):
            break
    return best


def _in_window(
    corpus: Corpus,
    span: Span,
    text: str,
    view: View,
    form: str,
    reading: Reading,
    ranks: Ranks,
) -> Match | None:
    low, high = corpus.bounds(span.item)
    start = form.find(reading.text)
    while start >= 0:
        end = start + len(reading.text)
        verdict = edges_of(form, start, end)
        # At a window's edge the neighbouring character is unknown, unless the item ends there.
        inside = (start > 0 or span.start == low) and (end < len(form) or span.end == high)
        if verdict is not None and inside:
            offset = corpus.char_offset(span.item, span.start)
            char_start, char_end = view.mapped(text).original_span(start, end)
            names = tuple(name for name in (reading.name, view.name) if name)
            rank = ranks[span.item]
            return Match(span.item, offset + char_start, offset + char_end, rank, verdict[0], names)
        start = form.find(reading.text, start + 1)
    return None
