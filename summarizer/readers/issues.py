"""Collects what a reader could not understand; must not know any format."""

from __future__ import annotations

from dataclasses import replace

from summarizer.model.source import ReadIssue


class IssueLog:
    """Counts issues: one entry per (kind, file, detail), with the place of the first one."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str, str], ReadIssue] = {}
        self._counts: dict[tuple[str, str, str], int] = {}

    def add(self, kind: str, path: str, record: int | None, message: str, detail: str = "") -> None:
        """Counts one occurrence.

        Args:
            kind: Stable word, see `ReadIssue.kind`.
            path: The file it concerns.
            record: 1-based record, None for the whole file.
            message: Shown for the first occurrence.
            detail: Separates issues of one kind (a type name, a side file), so that each is
                counted by itself.
        """
        key = (kind, path, detail)
        if key not in self._first:
            self._first[key] = ReadIssue(kind, path, record, message)
        self._counts[key] = self._counts.get(key, 0) + 1

    def as_tuple(self) -> tuple[ReadIssue, ...]:
        """All issues, in order of first appearance."""
        return tuple(replace(one, count=self._counts[key]) for key, one in self._first.items())
