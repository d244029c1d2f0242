"""Recorded timestamps as comparable numbers; must not know any format of a transcript."""

from __future__ import annotations

import re
from datetime import datetime, timezone

_ISO = re.compile(
    r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?\s*(Z|[+-]\d\d:?\d\d)?", re.ASCII
)

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def instant(timestamp: object) -> float | None:
    """Seconds since the epoch of an ISO 8601 timestamp.

    A timestamp without a zone counts as UTC. None when the value is no timestamp.
    """
    match = _ISO.fullmatch(timestamp.strip()) if isinstance(timestamp, str) else None
    if match is None:
        return None
    day, clock, fraction, zone = match.groups()
    offset = "+00:00" if zone in {None, "Z"} else f"{zone[:3]}:{zone[-2:]}"
    try:
        moment = datetime.fromisoformat(f"{day}T{clock}{offset}")
    except ValueError:
        return None
    seconds = (moment - _EPOCH).total_seconds()
    return seconds + (float(f"0.{fraction}") if fraction else 0.0)
