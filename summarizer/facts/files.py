"""Follows the content of files through a session, as far as the transcript shows it.

Contents are compared by identity of text: a copy has the content of its source even where that
content is in no record. Knows nothing of rounds.
"""

from __future__ import annotations

import fnmatch
import posixpath
from dataclasses import dataclass, field

from summarizer.facts.commands import FileOperation, join_path
from summarizer.model.events import FileChange


class Unknown:
    """A content that no record holds; equal only to itself and its copies."""


Content = str | Unknown
"""The text of a file, or a token for it."""


class Absent:
    """The state of a file that does not exist."""


ABSENT = Absent()
State = str | Unknown | Absent


@dataclass(slots=True)
class FileStates:
    """Contents by absolute path as the transcript spells it; starts out knowing nothing."""

    states: dict[str, State] = field(default_factory=dict)

    def get(self, path: str) -> State:
        """Return the state; a file never seen gets a token of its own."""
        return self.states.setdefault(path, Unknown())

    def apply_change(self, change: FileChange, path: str) -> tuple[State, State]:
        """Apply a successful file change; return (state before, state after)."""
        before: State = self.states.get(path) or self.get(path)
        if change.original is not None:
            before = change.original
        elif change.created:
            before = ABSENT
        if change.content is not None:
            after: State = change.content
        elif isinstance(before, str):
            after = _apply_edits(before, change.edits)
        else:
            after = Unknown()
        self.states[path] = after
        return before, after

    def apply_operation(self, operation: FileOperation) -> tuple[State, State]:
        """Apply a shell command's effect on a file; return (state before, state after)."""
        target = self._inside(operation)
        before = self.get(target)
        after: State = Unknown()
        if operation.how in {"copy", "move"} and operation.source is not None:
            after = self.get(operation.source)
            if operation.how == "move":
                self.states[operation.source] = ABSENT
        elif operation.how == "delete":
            after = ABSENT
        elif operation.substitutions is not None and isinstance(before, str):
            after = before
            for item in operation.substitutions:
                after = item.apply(after)
        elif operation.content is not None:
            after = operation.content
            if operation.append:
                after = before + operation.content if isinstance(before, str) else Unknown()
        self.states[target] = after
        return before, after

    def under(self, path: str) -> list[str]:
        """Return the files known to exist below a directory, or that a pattern names."""
        known = [name for name, state in self.states.items() if state is not ABSENT]
        if any(char in path for char in "*?["):
            return [n for n in known if fnmatch.fnmatchcase(n, path) or _below(n, path)]
        return [name for name in known if name.startswith(path.rstrip("/") + "/")]

    def forget(self, path: str) -> None:
        """The content may have changed in a way that no record shows."""
        self.states[path] = Unknown()

    def _inside(self, operation: FileOperation) -> str:
        """The file that is written when the target is a directory."""
        if operation.source is None or operation.how not in {"copy", "move"}:
            return operation.target
        if posixpath.splitext(operation.target)[1] or operation.target in self.states:
            return operation.target
        base = posixpath.basename(operation.source)
        if posixpath.splitext(base)[1]:
            # `cp a/31_ELU.json out/31_ELU`: a file with an ending copied onto a name without one.
            return join_path(operation.target, base)
        return operation.target

    def target_of(self, operation: FileOperation) -> str:
        """The path that an operation writes."""
        return self._inside(operation)


def same_state(one: State | None, other: State | None) -> bool:
    """Whether two states are the same content for certain."""
    return one is other or (isinstance(one, str) and one == other)


def _below(name: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(name, pattern.rstrip("/") + "/*")


def _apply_edits(text: str, edits: tuple[tuple[str, str, bool], ...]) -> State:
    for old, new, replace_all in edits:
        if old == "":
            text = new if text == "" else text + new
        elif old not in text:
            # The client accepted an edit that does not fit what we know: our text is outdated.
            return Unknown()
        else:
            text = text.replace(old, new) if replace_all else text.replace(old, new, 1)
    return text
