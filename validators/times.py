"""Rule on the time at the head of a trace: it cannot lie before the evidence it tells of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

from summarizer.model.evidence import Witness
from validators.passages import labelled, span_location
from validators.rule import CheckContext, Flag

_STATED = re.compile(
    r"(?P<date>\d{4}-\d{1,2}-\d{1,2})"
    r"(?:[ T](?P<time>\d{1,2}:\d{2}(?::\d{2})?)(?:\.\d{1,9})?"
    r"\s{0,3}(?P<zone>Z|(?:(?:UTC|GMT)[+-]|\+|(?<=:\d\d:\d\d)-)\d{1,2}(?::?\d{2})?(?!\d)|UTC|GMT)?)?",
    re.ASCII,
)
"""Without seconds a bare `-11:30` is no offset but the end of a span."""
_CLOCK = re.compile(r"\d:\d{2}", re.ASCII)
_LOGGED = re.compile(
    r"^=+ [^\n=]{1,40}?(?:[A-Z][a-z]{2} )(?P<month>[A-Z][a-z]{2}) +(?P<day>\d{1,2})"
    r" (?P<time>\d{2}:\d{2}:\d{2}) (?P<zone>[A-Z]{2,5} )?(?P<year>\d{4})\b",
    re.ASCII | re.MULTILINE,
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WIDTHS = (timedelta(days=1), timedelta(minutes=1), timedelta(seconds=1))
"""How long a date, a minute, a second lasts."""
_LOGS = {Witness.EVAL_LOG, Witness.RUN_FILE}


class Moment(NamedTuple):
    """A point of time as precise as it is written."""

    last: datetime
    """The latest instant it can mean; aware only when the text gives an offset."""
    text: str


def check_time_before_evidence(context: CheckContext) -> Iterator[Flag]:
    """The trace's 时间 is earlier than the evidence that it tells of.

    A time before the last run is that of a draft or of another session; what came later may be
    missing. Times are compared where both carry an offset, or where both come from the clock of
    one machine; a time without seconds means the end of its minute, a date the end of its day.

    Bad:
        - 时间: 2026-05-14 11:05   (the evaluation log ends 11:11:51)
    Good:
        - 时间: 2026-05-14 11:12
    """
    known = _evidence_times(context)
    if not known:
        return
    for section in context.doc.sections[:1]:
        for entry in labelled(section, "time"):
            stated = read_moment(entry.value.text)
            if stated is None:
                continue
            same = [one for one in known if _comparable(one.last, stated.last)]
            if not same:
                continue
            latest = max(same, key=lambda moment: moment.last)
            if stated.last < latest.last:
                yield Flag(
                    f"{stated.text!r} is before the evidence of {latest.text!r}",
                    span_location(entry.value),
                    expected=f"not before {latest.text}",
                    actual=stated.text,
                )


def _comparable(one: datetime, other: datetime) -> bool:
    return (one.tzinfo is None) == (other.tzinfo is None)


def read_moment(text: str) -> Moment | None:
    """Read the last time of a text, `2026-05-14 11:05` with or without seconds and offset.

    Of a span it is the end that must not lie before the evidence. None when there is no date, or
    when a clock follows that has none.
    """
    found = list(_STATED.finditer(text))
    if not found or _CLOCK.search(text, found[-1].end()):
        return None
    match = found[-1]
    clock = match["time"] or ""
    width = _WIDTHS[clock.count(":")]
    start = _naive(match["date"].split("-"), clock)
    try:
        if start is None:
            return None
        last = start.replace(tzinfo=_zone(match["zone"])) + width - timedelta(microseconds=1)
    except (OverflowError, ValueError):
        return None
    return Moment(last, match[0].strip())


def _naive(date: Sequence[str], clock: str) -> datetime | None:
    """A time without an offset; None when the calendar does not have it."""
    hour, minute, second = (*clock.split(":"), "", "", "")[:3]
    text = "-".join(part.zfill(2) for part in date)
    text += "T" + ":".join((part or "0").zfill(2) for part in (hour, minute, second))
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _zone(text: str | None) -> timezone | None:
    if text is None:
        return None
    digits = re.sub(r"[^\d+-]", "", text)
    if not digits:
        return timezone.utc
    hours, minutes = (digits[1:-2], digits[-2:]) if len(digits) > 3 else (digits[1:], "0")
    offset = timedelta(hours=int(hours), minutes=int(minutes))
    return timezone(-offset if digits.startswith("-") else offset)


def _evidence_times(context: CheckContext) -> list[Moment]:
    found: list[Moment] = []
    for item in context.evidence:
        if item.witness in _LOGS and context.blind:
            found.extend(_logged(item.text))
    if context.facts is not None:
        stages = context.facts.stages.values()
        stamps = [run.ended_at for s in stages for item in s.rounds for run in item.runs]
        for stamp in stamps:
            moment = read_moment(stamp) if stamp is not None else None
            if moment is not None and moment.last.tzinfo is not None:
                found.append(Moment(moment.last - timedelta(seconds=1), moment.text))
    return found


def _logged(text: str) -> Iterator[Moment]:
    """The lines with which the harness's wrappers begin and end a log, in the machine's own time.

    Source: `date` in the wrappers, `===== 验证结束 Thu May 14 11:11:51 CST 2026 exit=0 =====`. A
    zone's letters name no offset (CST is two zones), so the time is taken as local.
    """
    for match in _LOGGED.finditer(text):
        if match["month"] not in _MONTHS:
            continue
        month = str(_MONTHS.index(match["month"]) + 1)
        moment = _naive((match["year"], month, match["day"]), match["time"])
        if moment is not None:
            yield Moment(moment, f"{moment:%Y-%m-%d %H:%M:%S}")
