"""Finds the files that belong to a session; must not know what stands in them.

Source: layout of `~/.claude/projects/<slug>/`, see the README's list of formats.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

import orjson

from summarizer.errors import InputError
from summarizer.model.source import SourceFile, SourceRef
from summarizer.readers.claude_code.lines import open_snapshot

_SIDE_FOLDERS = frozenset({"tool-results", "tasks"})
_SIDE_SUFFIXES = frozenset({".txt", ".json", ".output", ".log"})


class AgentFile(NamedTuple):
    """A sub-agent's transcript."""

    path: Path
    agent_id: str
    tool_use_id: str | None
    """The call that started it, where the meta file says so."""
    own_folder: bool
    """Whether it lies in a folder of the session (else it may belong to another one)."""


class SideText(NamedTuple):
    """A side file that was read."""

    text: str
    ref: SourceRef
    source: SourceFile


def is_agent_file(path: Path) -> bool:
    """Whether the name is that of a sub-agent's transcript."""
    return path.name.startswith("agent-") and path.suffix == ".jsonl"


def find_agent_files(session: Path, session_ids: Iterable[str]) -> list[AgentFile]:
    """Sub-agent transcripts that may belong to a session file, sorted by path.

    Looks into the session's folder (named like the file or like a session id), its `workflows`,
    a `subagents` folder beside the file, and beside the file itself (2.0.x). Compaction helpers
    (`agent-acompact-*`) are no sub-agents.
    """
    parent = session.parent
    folders = [parent / session.stem / "subagents"]
    folders += [parent / name / "subagents" for name in session_ids if _plain_name(name)]
    found: dict[Path, AgentFile] = {}
    for folder in folders:
        for path in sorted(folder.rglob("agent-*.jsonl")) if folder.is_dir() else []:
            _add_agent(found, path, own_folder=True)
    for folder in (parent / "subagents", parent):
        for path in sorted(folder.glob("agent-*.jsonl")) if folder.is_dir() else []:
            _add_agent(found, path, own_folder=False)
    found.pop(session, None)
    return list(found.values())


def _plain_name(name: str) -> bool:
    return bool(name) and "/" not in name and "\0" not in name and name not in {".", ".."}


def _add_agent(found: dict[Path, AgentFile], path: Path, *, own_folder: bool) -> None:
    if path.name.startswith("agent-acompact-") or path in found or not path.is_file():
        return
    tool_use_id = None
    try:
        meta = orjson.loads(path.with_suffix(".meta.json").read_bytes())
    except (OSError, ValueError):
        meta = None
    if isinstance(meta, dict) and isinstance(meta.get("toolUseId"), str):
        tool_use_id = meta["toolUseId"]
    found[path] = AgentFile(path, path.stem.removeprefix("agent-"), tool_use_id, own_folder)


def read_side_file(recorded: str, transcript: str, session_ids: Iterable[str]) -> SideText | None:
    """Reads a file that a record refers to; None when it is not there.

    The recorded absolute path comes first; copies of transcripts keep stale paths, so the name is
    then tried in the session's folder. Only names that the client gives to such files are read:
    a transcript must not make this tool open anything else.
    """
    name = PurePosixPath(recorded.replace("\\", "/"))
    if name.parent.name not in _SIDE_FOLDERS or name.suffix not in _SIDE_SUFFIXES:
        return None
    if "\0" in recorded:
        return None
    if Path(recorded).is_absolute():
        read = _read_text(Path(recorded))
        if read is not None:
            return read
    for folder in side_folders(transcript, session_ids, name.parent.name):
        read = _read_text(folder / name.name)
        if read is not None:
            return read
    return None


def side_folders(transcript: str, session_ids: Iterable[str], kind: str) -> list[Path]:
    """Existing folders for side files of a session, most likely first.

    Args:
        transcript: The file whose record refers to a side file.
        session_ids: Ids that its records name.
        kind: `tool-results` or `tasks`.
    """
    here = Path(transcript)
    owners = [here.parent / here.stem]
    owners += [here.parent / one for one in session_ids if _plain_name(one)]
    # A sub-agent's file lies in <session>/subagents/.
    owners += [here.parent.parent, here.parent]
    return [owner / kind for owner in owners if (owner / kind).is_dir()]


def _read_text(path: Path) -> SideText | None:
    try:
        descriptor, size = open_snapshot(path)
    except InputError:
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            data = stream.read(size)
        except OSError:
            return None
    source = SourceFile(str(path), "side_file", hashlib.sha256(data).hexdigest(), len(data))
    text = data.decode("utf-8", "surrogateescape")
    return SideText(text, SourceRef(str(path), 1, 0, len(data)), source)
