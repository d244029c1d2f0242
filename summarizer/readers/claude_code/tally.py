"""Counts and envelope fields over all records: usage, versions, directories, times."""

from __future__ import annotations

import re

from summarizer.model.events import ModelUsage
from summarizer.readers.claude_code.lines import JsonObject
from summarizer.readers.times import instant

_DETAILED = {"system": "subtype", "attachment": "attachment", "progress": "data"}
_CANONICAL = re.compile(r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z", re.ASCII)


class Tally:
    """What is summed up; no events."""

    def __init__(self) -> None:
        self.record_types: dict[str, int] = {}
        self.versions: dict[str, None] = {}
        self.cwds: dict[str, None] = {}
        self.version: str | None = None
        """Version of the latest record that named one."""
        self.started_at: str | None = None
        self.ended_at: str | None = None
        self._plain = True
        """Every timestamp so far has the client's usual form."""
        self._usage: dict[str, tuple[str, int, int]] = {}
        self._strings: dict[str, str] = {}

    def record_type(self, kind: str, value: JsonObject) -> None:
        """Counts one record under its type, or `type/subtype`."""
        if kind in _DETAILED:
            detail = value.get(_DETAILED[kind])
            if isinstance(detail, dict):
                detail = detail.get("type")
            if isinstance(detail, str):
                kind = f"{kind}/{detail}"
        self.record_types[kind] = self.record_types.get(kind, 0) + 1

    def envelope(self, value: JsonObject) -> None:
        """Takes version, directory and time of one record."""
        version = value.get("version")
        if version != self.version and isinstance(version, str) and version:
            self.version = version
            self.versions.setdefault(version)
        cwd = value.get("cwd")
        if isinstance(cwd, str) and cwd not in self.cwds and cwd:
            self.cwds.setdefault(cwd)
        timestamp = value.get("timestamp")
        if isinstance(timestamp, str) and timestamp:
            self._time(timestamp)

    def _time(self, timestamp: str) -> None:
        if _CANONICAL.fullmatch(timestamp) is None:
            self._plain = False
        if self.started_at is None or self.ended_at is None:
            if instant(timestamp) is not None:
                self.started_at = self.ended_at = timestamp
        elif self._before(self.ended_at, timestamp):
            self.ended_at = timestamp
        elif self._before(timestamp, self.started_at):
            self.started_at = timestamp

    def _before(self, left: str, right: str) -> bool:
        if self._plain:
            # All timestamps so far have the one form that sorts as text.
            return left < right
        first, second = instant(left), instant(right)
        return first is not None and second is not None and first < second

    def shared(self, text: str | None) -> str | None:
        """The same object for equal texts that many records repeat."""
        return None if text is None else self._strings.setdefault(text, text)

    def usage_row(self, value: JsonObject) -> None:
        """Takes the usage of one record; one API message is written as several of them.

        Each message id counts once, with the row that has most output tokens.
        """
        message = value.get("message")
        usage = message.get("usage") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(usage, dict):
            return
        model = message.get("model")
        if not isinstance(model, str) or model == "<synthetic>":
            return
        key = message.get("id") or value.get("uuid")
        if not isinstance(key, str):
            return
        output = _count(usage.get("output_tokens"))
        known = self._usage.get(key)
        if known is not None and known[2] > output:
            return
        total = (
            _count(usage.get("input_tokens"))
            + _count(usage.get("cache_creation_input_tokens"))
            + _count(usage.get("cache_read_input_tokens"))
        )
        if known is not None and known[2] == output:
            total = max(total, known[1])
        self._usage[key] = (model, total, output)

    def usage(self) -> dict[str, ModelUsage]:
        """Totals by model, in order of first appearance."""
        sums: dict[str, list[int]] = {}
        for model, tokens_in, tokens_out in self._usage.values():
            row = sums.setdefault(model, [0, 0, 0])
            row[0] += tokens_in
            row[1] += tokens_out
            row[2] += 1
        return {model: ModelUsage(*row) for model, row in sums.items()}


def _count(value: object) -> int:
    return value if type(value) is int and value > 0 else 0
