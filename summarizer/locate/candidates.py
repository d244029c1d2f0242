"""Transcript files that may belong to an output directory, with what is known of each."""

from __future__ import annotations

import json
import mmap
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from summarizer.errors import InputError
from summarizer.locate.touch import Ownership, belongs
from summarizer.model.events import ReadResult
from summarizer.readers import read_transcripts, sniff_format
from summarizer.readers.times import instant

_UUID = re.compile(rb'"uuid"\s*:\s*"([0-9A-Za-z-]{8,64})"')


@dataclass(frozen=True, slots=True)
class Candidate:
    """One transcript file."""

    path: Path
    started_at: str | None
    ended_at: str | None
    ownership: Ownership
    record_ids: frozenset[bytes]
    """Ids of its records, to recognise copies and forks."""

    @property
    def span(self) -> tuple[float, float]:
        """Start and end in seconds; an unknown time overlaps with everything."""
        start, end = instant(self.started_at), instant(self.ended_at)
        return (
            float("-inf") if start is None else start,
            float("inf") if end is None else end,
        )

    def describe(self) -> str:
        """One line for messages."""
        return (
            f"{self.path} ({self.started_at or '?'} to {self.ended_at or '?'}; "
            f"{self.ownership.evidence})"
        )


def session_files(folder: Path) -> list[Path]:
    """Session files of a folder: its own, else those one level below, else of a whole store."""
    for pattern in ("*.jsonl", "*/*.jsonl", "projects/*/*.jsonl"):
        found = [path for path in _glob(folder, pattern) if not path.name.startswith("agent-")]
        if found:
            return found
    return []


def _glob(folder: Path, pattern: str) -> list[Path]:
    try:
        return sorted(path for path in folder.glob(pattern) if path.is_file())
    except OSError:
        return []


def store_root(env: Mapping[str, str], home: Path | None) -> Path | None:
    """The client's `projects` folder: below CLAUDE_CONFIG_DIR, else below ~/.claude."""
    configured = env.get("CLAUDE_CONFIG_DIR")
    if configured:
        return Path(configured) / "projects"
    return home / ".claude" / "projects" if home is not None else None


def stored_sessions(root: Path | None) -> list[Path]:
    """All session files of a store."""
    if root is None:
        return []
    return [path for path in _glob(root, "*/*.jsonl") if not path.name.startswith("agent-")]


def mentions_name(path: Path, name: str) -> bool:
    """Whether a file holds a directory's name at all; a cheap test before reading it.

    The name is also searched in the form in which JSON escapes other alphabets.
    """
    raw = name.encode("utf-8", "surrogateescape")
    escaped = json.dumps(name)[1:-1].encode("ascii")
    needles = {raw, escaped, escaped.replace(b"\\u", b"\\U")}
    try:
        with path.open("rb") as stream:
            if os.fstat(stream.fileno()).st_size == 0:
                return False
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as view:
                return any(view.find(needle) >= 0 for needle in needles)
    except (OSError, ValueError):
        return False


def examine(path: Path, output_dir: Path) -> Candidate:
    """Reads one transcript and judges whether it worked on the directory.

    Raises:
        InputError: It cannot be read.
    """
    result: ReadResult = read_transcripts([path])
    return Candidate(
        path=path,
        started_at=result.started_at,
        ended_at=result.ended_at,
        ownership=belongs(result, output_dir),
        record_ids=record_ids(path),
    )


def examine_all(paths: Iterable[Path], output_dir: Path) -> Iterator[Candidate]:
    """Examines those of the files that are transcripts; others are passed over."""
    for path in paths:
        try:
            if sniff_format(path) is not None:
                yield examine(path, output_dir)
        except InputError:
            # A foreign or broken file beside the wanted one is no reason to stop.
            continue


def record_ids(path: Path) -> frozenset[bytes]:
    """The ids of the records of a file, without decoding it."""
    ids: set[bytes] = set()
    try:
        with path.open("rb") as stream:
            for line in stream:
                # The id stands near one end of a record; its texts are in between.
                ids.update(_UUID.findall(line[:4096]) + _UUID.findall(line[-4096:]))
    except OSError:
        return frozenset()
    return frozenset(ids)


def groups_of(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Candidates that share records, directly or through others, in order of time."""
    groups: list[tuple[set[bytes], list[Candidate]]] = []
    for candidate in sorted(candidates, key=lambda one: (one.span, str(one.path))):
        ids, members = set(candidate.record_ids), [candidate]
        rest = []
        for known_ids, known in groups:
            if known_ids & ids:
                ids |= known_ids
                members = known + members
            else:
                rest.append((known_ids, known))
        groups = [*rest, (ids, members)]
    return [members for _, members in groups]


def without_copies(group: Sequence[Candidate]) -> list[Candidate]:
    """A group without files whose records all stand in another one."""
    kept: list[Candidate] = []
    for one in sorted(group, key=lambda member: -len(member.record_ids)):
        if not any(one.record_ids and one.record_ids <= other.record_ids for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda member: (member.span, str(member.path)))
