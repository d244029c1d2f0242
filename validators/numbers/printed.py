"""Compares a printed decimal with the value it should be, within the rounding it shows.

Pure arithmetic; must not know traces.
"""

from __future__ import annotations

import math
import re
from typing import NamedTuple

NUMBER = r"\d[\d,]{0,20}(?:\.\d{1,20})?(?:[eE][-+]?\d{1,3})?"
"""Source of a pattern for an unsigned decimal, thousands separators allowed; bounded, so that a
line of nothing but digits costs no more than any other."""

_DECIMAL = re.compile(r"(\d[\d,]*)(?:\.(\d+))?(?:[eE]([-+]?\d{1,3}))?\Z")
_SLACK = 1e-9
_TO_MS = {
    "ms": 1.0,
    "毫秒": 1.0,
    "us": 1e-3,
    "µs": 1e-3,
    "μs": 1e-3,
    "微秒": 1e-3,
    "s": 1e3,
    "秒": 1e3,
}

UNIT = r"(?:ms|us|µs|μs|s(?![A-Za-z])|毫秒|微秒|秒)"
"""Source of a pattern for a unit of time."""


class Printed(NamedTuple):
    """A decimal as it stands in a text."""

    value: float
    half_unit: float
    """Half of one unit of the last printed digit."""


class Interval(NamedTuple):
    """What is known of a value; a point when both ends are equal."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        """The value itself, or the best guess at it."""
        return (self.low + self.high) / 2


def exactly(value: float) -> Interval:
    """An interval that is one point."""
    return Interval(value, value)


def around(value: float, half_unit: float) -> Interval:
    """The values that a printed value with this precision may stand for.

    The ends themselves are left out: what is printed as 0.050 was less than 0.0505, so the same
    value is never printed as 0.051.
    """
    reach = half_unit * (1 - 1e-6)
    return Interval(value - reach, value + reach)


def quotient(over: Interval, under: Interval) -> Interval | None:
    """The values of `over / under` for positive inputs, None when the divisor may be zero."""
    if under.low <= 0:
        return None
    return Interval(over.low / under.high, over.high / under.low)


def parse_printed(text: str) -> Printed | None:
    """Read a decimal with its precision; None when it is no usable number."""
    match = _DECIMAL.match(text.strip())
    if match is None:
        return None
    try:
        value = float(text.strip().replace(",", ""))
    except ValueError:
        return None
    exponent = int(match[3] or 0) - len(match[2] or "")
    if not math.isfinite(value) or abs(exponent) > 300:
        return None
    return Printed(value, 0.5 * 10.0**exponent)


def in_milliseconds(printed: Printed, unit: str | None) -> Printed:
    """Convert from a unit of time; None means milliseconds already."""
    factor = _TO_MS[unit] if unit is not None else 1.0
    return Printed(printed.value * factor, printed.half_unit * factor)


def rounds_to(truth: Interval, printed: Printed) -> bool:
    """Whether a value in `truth` is printed so when it is rounded correctly, half up or to even."""
    slack = _SLACK * max(1.0, abs(printed.value)) * printed.half_unit + abs(truth.high) * 1e-12
    reach = printed.half_unit + slack
    return truth.low - reach <= printed.value <= truth.high + reach


def shown_like(value: float, printed: Printed, least: int = 0) -> str:
    """The value with as many digits after the point as the printed one has, `least` or more."""
    digits = max(least, min(12, round(-math.log10(2 * printed.half_unit))))
    return f"{value:.{digits}f}"
