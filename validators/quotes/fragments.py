r"""Checks quotations that leave something out: an ellipsis, a shortened path, a redacted secret.

Every fragment must be verbatim (in canonical form, on token boundaries), in order, in one view of
one evidence text, within REACH characters, and what is left out must hide no negation. A gap of
whole lines may hold one, since it belongs to another line's statement; that is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from summarizer.text.normalize import Mapped
from validators.quotes.boundaries import cuts_token
from validators.quotes.corpus import Corpus, Ranks, Span
from validators.quotes.exact import Match
from validators.quotes.negation import negations
from validators.quotes.seeds import LONG_FROM, Seed, choose, locate
from validators.quotes.views import VIEWS, Reading
from validators.quotes.windows import merged, span_around

REACH = 16 << 10
"""Characters of the source that an elided quotation may span."""
SECRET_REACH = 4096
"""Characters that one redaction mark may stand for."""
_WINDOWS = 256
_CHAINS = 256
_FEW = 8
"""Places of a seed below which no rarer one is looked for."""

ELLIPSIS = re.compile(r"\s*(?:[\[(]\s*)?(?:\.{3,}|…+)(?:\s*[\])])?\s*")
"""An ellipsis of the quotation, also in brackets, in any form."""
REDACTED = re.compile(r"\[redacted:[a-z0-9_-]+\]")
"""The mark that our own output puts in place of a secret."""
_WORD = re.compile(r"\w")


class Placed(NamedTuple):
    """A fragment in a canonical source text."""

    start: int
    end: int
    secrets: tuple[str, ...]
    """What stands behind its redaction marks, in order."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a quotation that must stand in the source without a gap."""

    parts: tuple[str, ...]
    """Its text, split at redaction marks; an empty first or last part is a mark at the end."""

    @property
    def literal(self) -> str:
        """Its longest part."""
        return max((part.strip() for part in self.parts), key=len)

    def find(self, form: str, position: int) -> Placed | None:
        """The first place of the fragment at or after an index of `form`.

        A mark stands for the characters up to the next literal part, or for the rest of the
        token; every part is taken at its first place, so the search is linear.
        """
        anchor = self.parts[0] or self.parts[1]
        at = form.find(anchor, position)
        while at >= 0:
            placed = self._placed(form, at)
            if placed:
                return placed
            at = form.find(anchor, at + 1)
        return None

    def _placed(self, form: str, at: int) -> Placed | None:
        secrets: list[str] = []
        start, cursor, rest = at, at + len(self.parts[0]), self.parts[1:]
        if not self.parts[0]:
            start = at - len(_token_before(form, at))
            secrets.append(form[start:at])
            cursor, rest = at + len(self.parts[1]), self.parts[2:]
        for part in rest:
            end = cursor + len(_token_after(form, cursor))
            if part:
                end = form.find(part, cursor + 1, end + len(part))
            secrets.append(form[cursor : max(end, 0)])
            cursor = end + len(part)
            if end < 0:
                return None
        return Placed(start, cursor, tuple(secrets)) if all(secrets) else None


# A secret is one token: no blank, no quotation mark.
_SECRET = re.compile(rf"[^\s\"'<>]{{0,{SECRET_REACH}}}")


def _token_after(form: str, at: int) -> str:
    found = _SECRET.match(form, at)
    return found.group() if found else ""


def _token_before(form: str, at: int) -> str:
    found = _SECRET.match(form[max(0, at - SECRET_REACH) : at][::-1])
    return found.group() if found else ""


@dataclass(frozen=True, slots=True)
class GapMatch:
    """Where a quotation with gaps stands."""

    match: Match
    skipped: int
    """Source characters left out."""
    refused: str | None = None
    """Reason for which it is no genuine quotation; None: it is one."""
    notes: tuple[str, ...] = ()
    elided: bool = True
    """False when redaction marks are the only gaps."""


def pieces_of(text: str) -> tuple[Piece, ...]:
    """Split one canonical reading at its ellipses; fragments without a word are dropped."""
    fragments = [part for part in ELLIPSIS.split(text) if _WORD.search(REDACTED.sub("", part))]
    return tuple(Piece(_parts(part)) for part in fragments)


def _parts(fragment: str) -> tuple[str, ...]:
    first, *rest = REDACTED.split(fragment)
    parts = [first]
    for i, part in enumerate(rest):
        # Two marks in a row hide one token; a mark at the end leaves an empty last part.
        if part or i == len(rest) - 1:
            parts.append(part)
    return tuple(parts)


def has_gaps(text: str) -> bool:
    """Whether a quotation holds an ellipsis or a redaction mark."""
    return ELLIPSIS.search(text) is not None or REDACTED.search(text) is not None


def find_with_gaps(corpus: Corpus, forms: Sequence[Reading], ranks: Ranks) -> GapMatch | None:
    """The best place where all fragments stand in order.

    Returns:
        An accepted match, else the best refused one, else None.
    """
    best: GapMatch | None = None
    for reading in forms:
        pieces = pieces_of(reading.text)
        if not pieces or not has_gaps(reading.text):
            continue
        for span in _places(corpus, pieces, ranks):
            if best and best.refused is None and ranks[span.item] >= best.match.rank:
                continue
            best = _better(_in_span(corpus, span, reading, pieces, ranks), best)
            if best and best.refused is None and best.match.rank.foreign == 0:
                return best
    return best


def _better(one: GapMatch | None, two: GapMatch | None) -> GapMatch | None:
    if one is None or two is None:
        return one or two
    key = (one.refused is not None, one.match.rank), (two.refused is not None, two.match.rank)
    return one if key[0] < key[1] else two


def _seeds(corpus: Corpus, piece: Piece) -> list[Seed]:
    return choose(corpus, piece.literal, 3, words=True) + choose(corpus, piece.literal, 3)


def gap_seeds(corpus: Corpus, forms: Sequence[Reading]) -> list[Seed]:
    """The seeds that `find_with_gaps` will ask for in large evidence."""
    if len(corpus.data) <= LONG_FROM:
        return []
    return [
        seed
        for reading in forms
        if has_gaps(reading.text)
        for piece in pieces_of(reading.text)
        for seed in _seeds(corpus, piece)
    ]


def _places(corpus: Corpus, pieces: Sequence[Piece], ranks: Ranks) -> Iterable[Span]:
    """Windows around the fragment that stands in the fewest places."""
    fewest: Sequence[int] | None = None
    for piece in pieces:
        for seed in _seeds(corpus, piece):
            if fewest is not None and len(fewest) <= _FEW:
                break
            hits = locate(corpus, seed).hits
            if hits and (fewest is None or len(hits) < len(fewest)):
                fewest = hits
    reach = REACH if len(corpus.data) == corpus.chars else 3 * REACH
    spans = (span_around(corpus, hit, reach, reach) for hit in fewest or ())
    joined = sorted(merged(spans), key=lambda span: (ranks[span.item], span.start))
    return joined[:_WINDOWS]


def _in_span(
    corpus: Corpus, span: Span, reading: Reading, pieces: Sequence[Piece], ranks: Ranks
) -> GapMatch | None:
    text = corpus.text(span.start, span.end)
    best: GapMatch | None = None
    for view in VIEWS:
        form = view.plain(text)
        if form is None or not all(piece.find(form, 0) for piece in pieces):
            continue
        mapped = view.mapped(text)
        names = tuple(name for name in (reading.name, view.name) if name)
        for chain in sorted(_chains(form, pieces), key=_hidden):
            best = _better(_judge(corpus, span, text, mapped, chain, reading, names, ranks), best)
            if best and best.refused is None:
                return best
    return best


Chain = tuple[Placed, ...]


def _hidden(chain: Chain) -> int:
    return sum(two.start - one.end for one, two in pairwise(chain))


def _chains(form: str, pieces: Sequence[Piece]) -> Iterator[Chain]:
    """Yield the tightest placements of the fragments, one per place of the first fragment."""
    places = [_bounded(form, piece) for piece in pieces]
    for first in places[0][:_CHAINS]:
        chain = [first]
        for options in places[1:]:
            after = next((m for m in options if m.start >= chain[-1].end), None)
            if after is None:
                return
            chain.append(after)
        if chain[-1].end - chain[0].start <= REACH:
            yield _tightened(chain, places)


def _tightened(chain: list[Placed], places: Sequence[Sequence[Placed]]) -> Chain:
    """Move each fragment but the last as close to its successor as it goes."""
    tight = chain[-1:]
    for options in reversed(places[:-1]):
        closest = [m for m in options if m.end <= tight[0].start]
        tight.insert(0, closest[-1])
    return tuple(tight)


def _bounded(form: str, piece: Piece) -> list[Placed]:
    found = []
    position = 0
    while (placed := piece.find(form, position)) is not None:
        if not cuts_token(form, placed.start) and not cuts_token(form, placed.end):
            found.append(placed)
        position = max(placed.start, position) + 1
        if len(found) >= 8 * _CHAINS:
            break
    return found


def _judge(
    corpus: Corpus,
    span: Span,
    text: str,
    mapped: Mapped,
    chain: Chain,
    reading: Reading,
    names: tuple[str, ...],
    ranks: Ranks,
) -> GapMatch:
    offset = corpus.char_offset(span.item, span.start)
    ranges = [mapped.original_span(placed.start, placed.end) for placed in chain]
    match = Match(
        span.item,
        offset + ranges[0][0],
        offset + ranges[-1][1],
        ranks[span.item],
        names=names,
    )
    skipped = 0
    refused: str | None = None
    notes: list[str] = []
    for (_, start), (end, _) in pairwise(ranges):
        skipped += end - start
        hidden, note = _gap(text, start, end)
        refused = refused or hidden
        notes += [note] if note and note not in notes else []
    for found in chain:
        for secret in found.secrets:
            if negations(secret):
                refused = refused or f"negation_redacted: {secret}"
    elided = ELLIPSIS.search(reading.text) is not None
    return GapMatch(match, skipped, refused, tuple(notes), elided)


def _gap(text: str, start: int, end: int) -> tuple[str | None, str | None]:
    """A reason to refuse a gap of the source, and a remark on it."""
    gap = text[start:end]
    found = negations(gap)
    if not found or (gap and not any(char.isspace() for char in gap) and "/" in gap):
        return None, None
    first, last = gap.find("\n"), gap.rfind("\n")
    whole_lines = first >= 0 and not gap[:first].strip() and not gap[last:].strip()
    if whole_lines and not _continues(gap[first:last]):
        return None, f"skipped_lines_negate: {found[0]}"
    return f"negation_hidden: {found[0]}", None


_CONTINUED = re.compile(
    r"^[ \t]*(?:no|not|non|never|nor|without|cannot|[a-z]+n['’]t|[不未无没非勿])|"
    r"(?<![A-Za-z0-9_])(?:no|not|never|without|cannot|[a-z]+n['’]t|[不未无没非勿])[ \t]*$",
    re.MULTILINE,
)


def _continues(lines: str) -> bool:
    """Whether a skipped line may be the middle of a wrapped sentence with its negation."""
    return _CONTINUED.search(lines) is not None
