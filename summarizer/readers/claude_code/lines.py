"""Turns the bytes of a JSONL file into objects with their place; knows no record type."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator
from io import FileIO
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from summarizer.errors import InputError
from summarizer.model.source import SourceFile, SourceRef
from summarizer.readers.digest import FileDigest
from summarizer.readers.issues import IssueLog

JsonObject = dict[str, Any]
"""One decoded record; values are checked where they are used."""

_BOM = b"\xef\xbb\xbf"
_CHUNK = 1 << 18
"""Bytes read at once."""
_SESSION_TYPES = frozenset({
    "user",
    "assistant",
    "system",
    "attachment",
    "summary",
    "file-history-snapshot",
    "progress",
    "queue-operation",
    "mode",
    "permission-mode",
    "last-prompt",
    "ai-title",
    "custom-title",
})
_STATE_TYPES = frozenset({"summary", "file-history-snapshot"})
_LONG_HEAD = re.compile(rb'"sessionId"\s*:\s*"')
_LONG_TYPE = re.compile(rb'"(?:uuid|parentUuid|operation)"\s*:')


Record = tuple[JsonObject, SourceRef]
"""One line that held a JSON object, and its place."""


def sniff(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a Claude Code session.

    Looks at content only: records with `sessionId` and a known `type` (stream-json output of the
    same client has `session_id`, Qwen Code has `message.parts`).
    """
    lines = head.removeprefix(_BOM).split(b"\n")
    for line in lines[:-1]:
        verdict = _sniff_object(line)
        if verdict is not None:
            return verdict
    last = lines[-1]
    verdict = _sniff_object(last)
    if verdict is not None:
        return verdict
    # The head may end inside a record of several megabytes.
    cut = last.lstrip(b" \t\r\0")
    return cut[:1] == b"{" and bool(_LONG_HEAD.search(cut)) and bool(_LONG_TYPE.search(cut))


def _sniff_object(line: bytes) -> bool | None:
    """True or False for a line that decides, None for one that says nothing."""
    try:
        values = decode_line(line).values
    except ValueError:
        return None
    if not values or not isinstance(values[0], dict):
        return None
    record = values[0]
    message = record.get("message")
    if isinstance(message, dict) and "parts" in message:
        return False
    kind = record.get("type")
    if not isinstance(kind, str):
        return False
    if kind in _STATE_TYPES and "session_id" not in record:
        return True
    return "sessionId" in record and (kind in _SESSION_TYPES or "uuid" in record)


class Decoded(NamedTuple):
    """The JSON values of one line."""

    values: list[Any]
    """Several when a crash glued records together."""
    complete: bool
    """False when something after the last value is no JSON."""


def decode_line(line: bytes) -> Decoded:
    """Decodes one line as leniently as possible.

    Bytes that are no UTF-8 become lone surrogates (`surrogateescape`), NUL bytes around a record
    are ignored.

    Raises:
        ValueError: The line does not begin with JSON.
    """
    text = line.decode("utf-8", "surrogateescape").strip("\0 \t\r\ufeff")
    decoder = json.JSONDecoder(strict=False)
    values: list[Any] = []
    position = 0
    while position < len(text):
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            if values:
                return Decoded(values, False)
            raise ValueError(f"no JSON: {error}") from error
        values.append(value)
        while position < len(text) and text[position] in "\0 \t\r":
            position += 1
    return Decoded(values, True)


def open_snapshot(path: Path) -> tuple[int, int]:
    """Opens a regular file and returns (file descriptor, size at that moment).

    Raises:
        InputError: No such file, a directory or device, or not readable.
    """
    try:
        # O_NONBLOCK: a recorded path may name a FIFO, which would block for ever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {str(path)!r}: {_reason(error)}") from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise InputError(f"{str(path)!r} is no regular file")
    return descriptor, status.st_size


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


class LineFile:
    """Reads one JSONL file up to the size it had when it was opened.

    `source` is complete after the iteration: digest and length of exactly the bytes that were
    read, whatever another process appends meanwhile.
    """

    def __init__(self, path: Path, kind: str, issues: IssueLog) -> None:
        self.path = str(path)
        self.kind = kind
        self.records = 0
        """Lines seen so far, blank ones included."""
        self.source = SourceFile(self.path, kind, hashlib.sha256(b"").hexdigest(), 0)
        self._issues = issues

    def __iter__(self) -> Iterator[Record]:
        """Yields the objects of the file in order; everything else becomes an issue.

        Raises:
            InputError: The file cannot be opened or read.
        """
        path, offset = self.path, 0
        descriptor, size = open_snapshot(Path(path))
        with os.fdopen(descriptor, "rb", buffering=0) as stream, FileDigest(size) as digest:
            for body, ended in self._bodies(stream, size, digest):
                self.records += 1
                end = offset + len(body)
                # The usual case first and without detours: this loop decides the speed.
                if body.startswith(b"{"):
                    try:
                        value = orjson.loads(body)
                    except orjson.JSONDecodeError:
                        yield from self._lenient(body, offset, ended)
                    else:
                        yield value, SourceRef(path, self.records, offset, end)
                elif body:
                    yield from self._unusual(body, offset, ended)
                offset = end + ended
        self.source = SourceFile(path, self.kind, digest.hexdigest(), offset)

    def _bodies(
        self, stream: FileIO, left: int, digest: FileDigest
    ) -> Iterator[tuple[bytes, bool]]:
        """Yields every line without its newline, and whether it had one.

        The file is read in large pieces; lines of any length are put together from them.
        """
        pending: list[bytes] = []
        while left > 0:
            try:
                chunk = stream.read(min(_CHUNK, left))
            except OSError as error:
                raise InputError(f"cannot read {self.path!r}: {_reason(error)}") from error
            if not chunk:
                break
            left -= len(chunk)
            digest.update(chunk)
            lines = chunk.split(b"\n")
            if len(lines) == 1:
                pending.append(chunk)
                continue
            pending.append(lines[0])
            yield b"".join(pending), True
            for line in lines[1:-1]:
                yield line, True
            pending = [lines[-1]]
        rest = b"".join(pending)
        if rest:
            yield rest, False

    def _unusual(self, body: bytes, offset: int, ended: bool) -> Iterator[Record]:
        """A line that does not begin with a brace: BOM, blanks, another value, garbage."""
        if offset == 0 and body.startswith(_BOM):
            body, offset = body[len(_BOM) :], len(_BOM)
        if not body.strip():
            return
        try:
            value = orjson.loads(body)
        except orjson.JSONDecodeError:
            yield from self._lenient(body, offset, ended)
            return
        ref = SourceRef(self.path, self.records, offset, offset + len(body))
        yield from self._checked(value, ref)

    def _lenient(self, body: bytes, offset: int, ended: bool) -> Iterator[Record]:
        ref = SourceRef(self.path, self.records, offset, offset + len(body))
        try:
            values, complete = decode_line(body)
        except ValueError:
            self._broken(body, ref, ended)
            return
        if not complete:
            self._broken(body, ref, ended)
        if not values:
            self._add("nul_bytes", ref, "a line of NUL bytes (left by a crash)")
            return
        self._add("decoded_leniently", ref, "not strict UTF-8 JSON; read leniently")
        for value in values:
            yield from self._checked(value, ref)

    def _broken(self, body: bytes, ref: SourceRef, ended: bool) -> None:
        if ended:
            self._add("bad_json", ref, "line is no JSON")
        else:
            self._add("torn_last_line", ref, f"last line ends inside a record ({len(body)} bytes)")

    def _checked(self, value: object, ref: SourceRef) -> Iterator[Record]:
        if isinstance(value, dict):
            yield value, ref
        else:
            self._add("not_an_object", ref, f"JSON {type(value).__name__} instead of an object")

    def _add(self, kind: str, ref: SourceRef, message: str) -> None:
        self._issues.add(kind, self.path, ref.record, message)
