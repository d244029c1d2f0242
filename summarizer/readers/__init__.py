"""Turns transcript files into events: one entry of `READERS` per format.

A new format is one module (or package) with `sniff` and `read`, one line in `READERS` and one
fixture folder. Nothing downstream knows which format a session was stored in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from summarizer.errors import InputError
from summarizer.model.events import ReadResult
from summarizer.readers import claude_code
from summarizer.readers.claude_code.lines import open_snapshot

_HEAD = 1 << 18
"""Bytes a format is recognised by."""


class Reader(NamedTuple):
    """One transcript format."""

    name: str
    """Key of the format, e.g. `claude-code`."""
    sniff: Callable[[bytes], bool]
    """Whether a file that begins with these bytes has this format."""
    read: Callable[[Sequence[Path]], ReadResult]
    """Reads files of one session, or of sessions that belong together."""


READERS: tuple[Reader, ...] = (Reader("claude-code", claude_code.sniff, claude_code.read),)
"""All formats, in the order in which they are tried."""


def sniff_format(path: Path) -> str | None:
    """The name of a file's format, judged by its content; None when no reader knows it.

    Raises:
        InputError: The file cannot be read.
    """
    head = _head(path)
    return next((reader.name for reader in READERS if reader.sniff(head)), None)


def _head(path: Path) -> bytes:
    descriptor, _ = open_snapshot(path)
    with os.fdopen(descriptor, "rb") as stream:
        try:
            return stream.read(_HEAD)
        except OSError as error:
            raise InputError(f"cannot read {str(path)!r}: {error.strerror}") from error


def read_transcripts(paths: Sequence[Path | str]) -> ReadResult:
    """Reads the transcripts of one session, or of sessions that belong together.

    Records that several files hold are taken once, from the earliest file; the order inside a
    file is kept, and sessions are joined by time. Files that belong to a session (sub-agents,
    stored outputs) are found from its transcript and need not be named.

    Raises:
        InputError: No path, no such file, a directory, an empty file, an unknown or mixed
            format, or not one recognised event; the message names the file and the remedy.
    """
    files = [Path(path) for path in paths]
    if not files:
        raise InputError("no transcript named; name one with --transcript FILE")
    formats = {path: _format_of(path) for path in files}
    names = sorted(set(formats.values()))
    if len(names) > 1:
        listed = ", ".join(f"{str(path)!r} is {name}" for path, name in formats.items())
        raise InputError(f"transcripts of different formats: {listed}; name those of one client")
    reader = next(reader for reader in READERS if reader.name == names[0])
    return reader.read(files)


def _format_of(path: Path) -> str:
    if path.is_dir():
        raise InputError(f"{str(path)!r} is a directory; name the session's .jsonl file in it")
    name = sniff_format(path)
    if name is not None:
        return name
    if not _head(path).strip(b"\0 \t\r\n\xef\xbb\xbf"):
        raise InputError(
            f"{str(path)!r} is empty; name the transcript of the session that did the work"
        )
    known = ", ".join(reader.name for reader in READERS)
    raise InputError(
        f"{str(path)!r} has no known transcript format (known: {known}); for Claude Code name a "
        "session file ~/.claude/projects/<project>/<session>.jsonl"
    )
