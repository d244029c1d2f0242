"""Brings events of the main agent and of sub-agents into one order."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import NamedTuple

from summarizer.model.events import AgentCall, Event
from summarizer.readers.times import instant


class Stream(NamedTuple):
    """Events whose order is fixed, with the call that started them."""

    events: Sequence[Event]
    started_by: str | None = None
    """Call id of the `AgentCall`; None for the main agent and for orphans."""


def merge_streams(main: Sequence[Event], agents: Sequence[Stream]) -> tuple[Event, ...]:
    """Merges sub-agents into the main order by time; no stream is reordered in itself.

    A sub-agent's events come after the call that started it; at equal times they come before
    the other events, that is inside their call.
    """
    if not agents:
        return tuple(main)
    queue = _Queue([Stream(main), *agents])
    merged: list[Event] = []
    while (event := queue.pop()) is not None:
        merged.append(event)
    return tuple(merged)


class _Queue:
    """Gives the earliest next event of all streams that have begun."""

    def __init__(self, streams: Sequence[Stream]) -> None:
        self._streams = streams
        self._times = [_running_times(stream.events) for stream in streams]
        self._heap: list[tuple[float, bool, int, int]] = []
        calls = {
            event.call_id
            for stream in streams
            for event in stream.events
            if isinstance(event, AgentCall)
        }
        self._waiting: dict[str, list[int]] = {}
        for number, stream in enumerate(streams):
            if number and stream.started_by is not None and stream.started_by in calls:
                self._waiting.setdefault(stream.started_by, []).append(number)
            else:
                self._push(number, 0)

    def _push(self, number: int, index: int) -> None:
        if index < len(self._times[number]):
            heapq.heappush(self._heap, (self._times[number][index], number == 0, number, index))

    def pop(self) -> Event | None:
        """The next event; None when all were given."""
        if not self._heap and self._waiting:
            # Sub-agents that claim to have started each other (a broken file): lose nothing.
            self._begin(next(iter(self._waiting)))
        if not self._heap:
            return self.pop() if self._waiting else None
        _, _, number, index = heapq.heappop(self._heap)
        event = self._streams[number].events[index]
        if isinstance(event, AgentCall):
            self._begin(event.call_id)
        self._push(number, index + 1)
        return event

    def _begin(self, call_id: str) -> None:
        for number in self._waiting.pop(call_id, []):
            self._push(number, 0)


def _running_times(events: Sequence[Event]) -> list[float]:
    """The time of each event, never less than that of the one before."""
    latest = float("-inf")
    times = []
    for event in events:
        moment = instant(event.timestamp)
        if moment is not None and moment > latest:
            latest = moment
        times.append(latest)
    return times
