"""Makes lines of an output citable; must not know any format."""

from __future__ import annotations

from collections.abc import Iterable

from summarizer.model.reports import TextLine
from summarizer.text.lines import Line


def cite(line: Line) -> TextLine:
    """Return a line as a citable value."""
    return TextLine(line.text, line.start, line.end)


def cite_whole(lines: Iterable[Line]) -> tuple[TextLine, ...]:
    """Return the complete ones of these lines in order of appearance, repeated texts dropped."""
    seen: dict[str, TextLine] = {}
    for line in sorted(lines, key=_start):
        if not line.torn:
            seen.setdefault(line.text, cite(line))
    return tuple(seen.values())


def _start(line: Line) -> int:
    return line.start
