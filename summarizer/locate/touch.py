"""Which directory a session worked on: by its writes and commands, not by what it mentions.

A path recorded on another machine is recognised by its last components.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from summarizer.model.events import CallState, FileChange, FileRead, ReadResult, ShellCall

Match = Literal["absolute", "suffix", "name", "none"]
"""How a recorded directory equals the one at hand: the whole path, its last two or three
components, only its name, or not at all."""

_RAN = frozenset({CallState.EXECUTED, CallState.BACKGROUNDED, CallState.ABORTED})
_READ_ONLY = frozenset({
    "awk",
    "basename",
    "cat",
    "cd",
    "cksum",
    "cmp",
    "cut",
    "diff",
    "dirname",
    "du",
    "echo",
    "egrep",
    "fgrep",
    "file",
    "find",
    "grep",
    "head",
    "jq",
    "less",
    "ls",
    "md5sum",
    "more",
    "nl",
    "od",
    "printf",
    "pwd",
    "readlink",
    "realpath",
    "rg",
    "sed",
    "sha256sum",
    "sort",
    "stat",
    "tail",
    "test",
    "tree",
    "uniq",
    "wc",
    "xxd",
    "[",
})
"""Commands that only look at what they name (`sed -i` is told apart)."""
_SEGMENT = re.compile(r"&&|\|\||[;|\n]")
_ASSIGNMENT = re.compile(r"\w+=\S*\Z")
_BEFORE = r"[^\s'\"`=:;,|&<>(){}\[\]]*"
"""Characters of a path to the left of a known ending."""
_AFTER = r"(?=[/\s'\"`:;,|&<>(){}\[\]]|\Z)"


@dataclass(frozen=True, slots=True)
class Ownership:
    """Whether and how a session worked on an output directory."""

    touched: bool
    """It wrote a file below the directory or ran a command that names it."""
    match: Match
    recorded_output_dir: str | None
    """The directory's absolute path as the transcript spells it; None when it does not occur."""
    writes: int = 0
    """Files written or edited below it, failed attempts not counted."""
    commands: int = 0
    """Commands that name it and do more than look."""
    mentions: int = 0
    """Reads and commands that only look at it."""

    @property
    def evidence(self) -> str:
        """One phrase for messages."""
        return f"{self.writes} writes, {self.commands} commands, {self.mentions} reads"


_NOTHING = Ownership(False, "none", None)


def belongs(result: ReadResult, output_dir: Path) -> Ownership:
    """Whether a session worked on `output_dir`.

    The whole path is tried first, then its last three and two components, then its name alone
    (only together with a write or a command).
    """
    best = _NOTHING
    for match, tail in _tails(output_dir):
        found = _ownership(result, match, tail, output_dir)
        if found.touched:
            return found
        if best is _NOTHING and found.mentions and match != "name":
            best = found
    return best


def _spellings(output_dir: Path) -> tuple[str, ...]:
    """The absolute path as given and with links followed."""
    given = os.path.normpath(output_dir.absolute())
    return tuple(dict.fromkeys((given, os.path.realpath(output_dir))))


def _tails(output_dir: Path) -> Iterator[tuple[Match, str]]:
    spellings = _spellings(output_dir)
    for spelling in spellings:
        yield "absolute", spelling
    parts = [part for part in Path(spellings[0]).parts if part != os.sep]
    for count in (3, 2):
        if len(parts) >= count:
            yield "suffix", "/".join(parts[-count:])
    if parts:
        yield "name", parts[-1]


class _Pattern:
    """Finds a directory by the end of its path."""

    def __init__(self, match: Match, tail: str, output_dir: Path) -> None:
        self.match = match
        self.tail = tail
        self.wanted = frozenset(_spellings(output_dir))
        # A relative spelling can hold fewer components than the tail.
        name = posixpath.basename(tail)
        self._regex = re.compile(f"{_BEFORE}{re.escape(name)}{_AFTER}")

    def directories(self, text: str, cwd: str | None) -> Iterator[str]:
        """The recorded spellings of the directory in a text, made absolute."""
        for found in self._regex.finditer(text):
            directory = found[0]
            if not directory.startswith("/"):
                if directory.startswith(("$", "~")) or not cwd:
                    continue
                directory = posixpath.join(cwd, directory)
            directory = posixpath.normpath(directory)
            if self._fits(directory):
                yield directory

    def _fits(self, directory: str) -> bool:
        if self.match == "absolute":
            return directory in self.wanted
        return directory.endswith("/" + self.tail)


def _ownership(result: ReadResult, match: Match, tail: str, output_dir: Path) -> Ownership:
    pattern = _Pattern(match, tail, output_dir)
    seen: Counter[str] = Counter()
    writes = commands = mentions = 0
    for event in result.events:
        if isinstance(event, FileChange):
            found = list(pattern.directories(event.path, None))
            if event.state is CallState.EXECUTED and _is_below(event.path, found):
                writes += 1
                seen.update({one: 3 for one in found[:1]})
        elif isinstance(event, ShellCall):
            found = list(pattern.directories(event.command, event.cwd))
            found += _inside(event.cwd, pattern)
            if found and event.state in _RAN:
                acts = _acts(event, pattern)
                commands += acts
                mentions += not acts
                seen.update(found)
        elif isinstance(event, FileRead):
            found = list(pattern.directories(event.path, None))
            mentions += bool(found)
            seen.update(found[:1])
    recorded = seen.most_common(1)[0][0] if seen else None
    touched = bool(writes or commands)
    if not touched and not mentions:
        return _NOTHING
    return Ownership(touched, match, recorded, writes, commands, mentions)


def _is_below(path: str, directories: list[str]) -> bool:
    whole = posixpath.normpath(path)
    return any(whole.startswith(directory + "/") for directory in directories)


def _inside(cwd: str | None, pattern: _Pattern) -> list[str]:
    """The directory, when a command ran inside it."""
    return list(pattern.directories(cwd, None)) if cwd else []


def _acts(call: ShellCall, pattern: _Pattern) -> bool:
    """Whether a command does more than look at the directory it names."""
    inside = bool(_inside(call.cwd, pattern))
    names_before = False
    for segment in _SEGMENT.split(call.command):
        named = any(pattern.directories(segment, call.cwd))
        names_before = names_before or named
        if not (named or inside or names_before):
            continue
        words = segment.strip(" \t({").split()
        while words and (_ASSIGNMENT.match(words[0]) or words[0] in {"sudo", "time", "env"}):
            words.pop(0)
        if not words:
            continue
        program = posixpath.basename(words[0])
        if program not in _READ_ONLY or ">" in segment.replace("2>&1", "").replace(
            "2>/dev/null", ""
        ):
            return True
        if program == "sed" and any(word.startswith("-i") for word in words):
            return True
    return False
