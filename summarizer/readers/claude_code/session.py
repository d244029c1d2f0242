"""Walks over all records of a session and gives the events; the entry point of the reader."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from summarizer.errors import InputError
from summarizer.model.events import ReadResult
from summarizer.model.source import SourceFile
from summarizer.readers.claude_code.context import Context
from summarizer.readers.claude_code.files import AgentFile, find_agent_files, is_agent_file
from summarizer.readers.claude_code.finish import finish
from summarizer.readers.claude_code.lines import LineFile, decode_line, open_snapshot
from summarizer.readers.claude_code.state import Walk
from summarizer.readers.claude_code.walk import note_growth, take_record, take_repeated
from summarizer.readers.issues import IssueLog
from summarizer.readers.times import instant

_PEEK = 1 << 18
"""Bytes looked at on each end of a file to order several files by time."""


def read(paths: Sequence[Path]) -> ReadResult:
    """Reads session files that belong together, with their sub-agents and side files.

    Records that several files hold (resume, fork, copies) are taken from the earliest file.

    Raises:
        InputError: A file cannot be read, or no step of a session was recognised in any.
    """
    walk = Walk(Context(IssueLog()))
    sources: list[SourceFile] = []
    main = _in_time_order(_without_agents(paths))
    for path in main:
        walk.begin_file(path)
        sources.append(_walk(walk, path, "transcript"))
    note_growth(walk)
    read_paths = {path.resolve() for path in main}
    for path in main:
        for agent in find_agent_files(path, walk.context.session_ids):
            if agent.path.resolve() in read_paths or not _belongs(agent, walk):
                continue
            read_paths.add(agent.path.resolve())
            walk.begin_agent(agent)
            sources.append(_walk(walk, agent.path, "subagent"))
    take_repeated(walk)
    result = finish(walk, sources)
    if not result.events:
        raise InputError(_nothing_read(result))
    return result


def _walk(walk: Walk, path: Path, kind: str) -> SourceFile:
    lines = LineFile(path, kind, walk.context.issues)
    for value, ref in lines:
        take_record(walk, value, ref)
    return lines.source


def _nothing_read(result: ReadResult) -> str:
    names = ", ".join(repr(one.path) for one in result.files)
    records = sum(result.record_types.values())
    problems = ", ".join(f"{one.count} x {one.kind}" for one in result.issues) or "none"
    return (
        f"parse failure: {names}: {records} records and not one recognised event "
        f"(problems: {problems}); is this a Claude Code session?"
    )


def _without_agents(paths: Sequence[Path]) -> list[Path]:
    """Session files; sub-agent files only when nothing else was named."""
    unique = list(dict.fromkeys(paths))
    return [path for path in unique if not is_agent_file(path)] or unique


def _in_time_order(paths: list[Path]) -> list[Path]:
    if len(paths) < 2:
        return paths
    return sorted(paths, key=lambda path: (*time_range(path), str(path)))


def time_range(path: Path) -> tuple[float, float]:
    """First and last timestamp near the two ends of a session file, seconds; infinite if none.

    Raises:
        InputError: The file cannot be read.
    """
    descriptor, size = open_snapshot(path)
    with os.fdopen(descriptor, "rb") as stream:
        head = stream.read(_PEEK)
        stream.seek(max(size - _PEEK, 0))
        tail = stream.read(_PEEK)
    first = next((one for line in head.split(b"\n") for one in _moments(line)), float("inf"))
    last = next((one for line in reversed(tail.split(b"\n")) for one in _moments(line)), first)
    return first, last


def _moments(line: bytes) -> list[float]:
    try:
        values = decode_line(line).values
    except ValueError:
        return []
    found = [
        instant(value.get("timestamp"))
        for value in values
        # State records are written at any time; a record with an id tells when it happened.
        if isinstance(value, dict) and "uuid" in value
    ]
    return [one for one in found if one is not None]


def _belongs(agent: AgentFile, walk: Walk) -> bool:
    """Whether a sub-agent file beside the session is one of this session's."""
    if agent.own_folder:
        return True
    try:
        descriptor, _ = open_snapshot(agent.path)
    except InputError:
        return False
    with os.fdopen(descriptor, "rb") as stream:
        head = stream.read(_PEEK)
    for line in head.split(b"\n"):
        try:
            values = decode_line(line).values
        except ValueError:
            continue
        for value in values:
            if isinstance(value, dict) and isinstance(value.get("sessionId"), str):
                return value["sessionId"] in walk.context.session_ids
    return False
