"""Rules about the checker itself: what crashed, what could not be compared."""

from __future__ import annotations

from collections.abc import Iterator

from summarizer.model.finding import Location
from validators.rule import CheckContext, Flag

_LISTED = 12


def check_nothing(context: CheckContext) -> Iterator[Flag]:
    """A rule failed inside; the runner reports it and goes on with the others.

    What the crashed rule checks was not checked, so the trace must not count as clean.

    Bad:
        (a fault of trace-recorder)
    Good:
        (never reported)
    """
    del context
    return iter(())


def check_unverifiable(context: CheckContext) -> Iterator[Flag]:
    """Claims that no source at hand can confirm or refute, one finding per kind.

    Silence means checked and clean. What could not be compared is listed, with the source that
    would decide.

    Bad:
        (a trace whose transcript is not there)
    Good:
        (the same trace checked with `--transcript FILE`)
    """
    grouped: dict[tuple[str, str], list[Location]] = {}
    for claim in context.ledger.open_claims():
        grouped.setdefault((claim.kind, claim.needs), []).append(claim.location)
    for (kind, needs), places in grouped.items():
        lines = sorted({place.line for place in places})
        listed = ", ".join(str(line) for line in lines[:_LISTED])
        more = f" and {len(lines) - _LISTED} more" if len(lines) > _LISTED else ""
        first = min(places, key=lambda place: (place.line, place.column))
        yield Flag(
            f"{kind} that cannot be checked: {len(places)}; needs {needs}",
            first,
            notes=(f"lines {listed}{more}",),
        )
