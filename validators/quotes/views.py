"""The declared readings of sources and quotations; must not know how a match is searched.

A quotation is genuine when one of its readings equals a part of one view of the source. Views are
never mixed: what a progress bar overwrote cannot be joined with what stayed on the screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from summarizer.text.marks import (
    code_mark_spans,
    number_spans,
    unmarked,
    without_numbers,
    without_prefixes,
)
from summarizer.text.normalize import Mapped, canonical, canonical_map, identity, removed
from summarizer.text.terminal import overwritten_spans


@dataclass(frozen=True, slots=True)
class View:
    """One reading of a source text."""

    name: str
    """Reason word; empty for the text as it is."""
    needs: str
    """A character without which the view adds nothing; empty for the text as it is."""
    hidden: Callable[[str], Iterable[tuple[int, int]]]
    """Text -> half-open ranges that this view leaves out, ascending."""

    def plain(self, text: str) -> str | None:
        """The canonical form of the view, None where the view equals the text."""
        if not self.needs:
            return canonical(text)
        spans = list(self.hidden(text)) if self.needs in text else []
        if not spans:
            return None
        pieces: list[str] = []
        done = 0
        for start, end in spans:
            pieces.append(text[done:start])
            done = end
        return canonical("".join((*pieces, text[done:])))

    def mapped(self, text: str) -> Mapped:
        """The same canonical form with the way back."""
        return canonical_map(removed(identity(text), self.hidden(text)))


def _nothing(_text: str) -> Iterable[tuple[int, int]]:
    return ()


VIEWS = (
    View("", "", _nothing),
    View("after_cr", "\r", overwritten_spans),
    View("line_numbers", "\n", number_spans),
    View("backticks", "`", code_mark_spans),
)
"""In the order in which they are tried."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of a quotation in canonical form."""

    name: str
    """Reason word; empty for the text as it is."""
    text: str


_READINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("", lambda text: text),
    ("markdown", unmarked),
    ("line_prefixes", without_prefixes),
    ("line_prefixes", lambda text: unmarked(without_prefixes(text))),
    ("line_numbers", without_numbers),
)


def readings(text: str) -> tuple[Reading, ...]:
    """The distinct, non-empty readings of a quotation, the literal one first."""
    found: dict[str, Reading] = {}
    for name, read in _READINGS:
        form = canonical(read(text))
        if form:
            found.setdefault(form, Reading(name, form))
    return tuple(found.values())
