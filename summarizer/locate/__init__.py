"""Finds the transcripts of the session that filled an output directory.

Named files win. Otherwise the client's own store and the directory itself are searched, and the
sessions that really worked on the directory are chosen. Must not know what the work was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from summarizer.errors import InputError
from summarizer.locate.candidates import (
    Candidate,
    examine,
    examine_all,
    groups_of,
    mentions_name,
    session_files,
    store_root,
    stored_sessions,
    without_copies,
)
from summarizer.locate.touch import Ownership, belongs

__all__ = ["Candidate", "Located", "Ownership", "belongs", "find_transcripts"]

_REMEDY = "name the right one with --transcript FILE"


@dataclass(frozen=True, slots=True)
class Located:
    """The chosen transcripts."""

    paths: tuple[Path, ...]
    """In order of time; never empty."""
    reason: str
    """Why these, one line."""
    candidates: tuple[Candidate, ...] = ()
    """Everything that was examined, chosen or not."""
    recorded_output_dir: str | None = None
    """The output directory as the chosen transcripts spell it; None when they do not name it."""


def find_transcripts(
    output_dir: Path, *, named: Sequence[Path], env: Mapping[str, str], home: Path | None
) -> Located:
    """Finds the transcripts of an output directory.

    Args:
        output_dir: The directory whose trace is wanted.
        named: Files or directories the caller named; empty to search.
        env: Environment; `CLAUDE_CONFIG_DIR` moves the client's store.
        home: Home directory; None when there is none.

    Raises:
        InputError: Nothing found, a named file unusable, or several unrelated sessions that
            overlap in time; the message lists what was considered and the remedy.
    """
    if named:
        return _named(output_dir, named)
    root = store_root(env, home)
    inside = session_files(output_dir) if output_dir.is_dir() else []
    name = Path(output_dir).absolute().name
    stored = [path for path in stored_sessions(root) if mentions_name(path, name)]
    candidates = tuple(examine_all(inside, output_dir)) + tuple(
        examine_all([path for path in stored if path not in inside], output_dir)
    )
    local = set(inside)
    # Another path with the same ending is another directory, unless the file was put here.
    touching = [
        one
        for one in candidates
        if one.ownership.touched and (one.ownership.match == "absolute" or one.path in local)
    ]
    if not touching:
        raise InputError(_none_found(output_dir, root, candidates))
    chosen = _joined(output_dir, touching)
    return _located(chosen, candidates, _found_reason(chosen, candidates))


def _located(chosen: Sequence[Candidate], candidates: Sequence[Candidate], reason: str) -> Located:
    spellings = [one.ownership.recorded_output_dir for one in chosen if one.ownership.touched]
    recorded = next((one for one in spellings if one is not None), None)
    return Located(tuple(one.path for one in chosen), reason, tuple(candidates), recorded)


def _found_reason(chosen: Sequence[Candidate], candidates: Sequence[Candidate]) -> str:
    names = ", ".join(one.path.name for one in chosen)
    evidence = "; ".join(one.ownership.evidence for one in chosen)
    joined = f", {len(chosen)} files joined by time" if len(chosen) > 1 else ""
    return (
        f"{names}: worked on this directory ({evidence}){joined}; "
        f"{len(candidates)} transcripts examined"
    )


def _joined(output_dir: Path, touching: Sequence[Candidate]) -> list[Candidate]:
    """All sessions of the directory, unless unrelated ones overlap in time."""
    groups = [without_copies(group) for group in groups_of(touching)]
    spans = sorted(
        (min(one.span[0] for one in group), max(one.span[1] for one in group)) for group in groups
    )
    overlapping = any(earlier[1] > later[0] for earlier, later in pairwise(spans))
    if overlapping:
        listed = "\n".join(f"  {one.describe()}" for group in groups for one in group)
        raise InputError(
            f"several unrelated sessions worked on {str(output_dir)!r} at the same time:\n"
            f"{listed}\n{_REMEDY}"
        )
    chosen = [one for group in groups for one in group]
    return sorted(chosen, key=lambda one: (one.span, str(one.path)))


def _none_found(output_dir: Path, root: Path | None, candidates: Sequence[Candidate]) -> str:
    looked = [f"{output_dir}/*.jsonl"]
    looked.append(f"{root}/*/*.jsonl" if root is not None else "no home directory")
    seen = "".join(
        f"\n  {one.describe()}"
        + (
            f" names {one.ownership.recorded_output_dir}"
            if one.ownership.recorded_output_dir
            else ""
        )
        for one in candidates
    )
    rest = f"; examined, but none worked on it:{seen}" if seen else ""
    return (
        f"no transcript of a session that worked on {str(output_dir)!r} found in "
        f"{' and '.join(looked)}{rest}\n{_REMEDY}"
    )


def _named(output_dir: Path, named: Sequence[Path]) -> Located:
    files: list[Path] = []
    folders: list[Path] = []
    for path in named:
        if path.is_dir():
            found = session_files(path)
            if not found:
                raise InputError(f"{str(path)!r} holds no *.jsonl; {_REMEDY}")
            folders += found
        else:
            files.append(path)
    own = [examine(path, output_dir) for path in dict.fromkeys(files)]
    in_folders = [
        one for one in examine_all(dict.fromkeys(folders), output_dir) if one.path not in files
    ]
    if folders and not in_folders and not own:
        raise InputError(f"no transcript among {len(folders)} *.jsonl files; {_REMEDY}")
    touching = [one for one in in_folders if one.ownership.touched]
    chosen = own + (touching or (in_folders if not own else []))
    if not files:
        chosen = _joined(output_dir, chosen) if touching else chosen
    related = _related(output_dir, chosen)
    chosen = sorted([*chosen, *related], key=lambda one: (one.span, str(one.path)))
    return _located(chosen, [*own, *in_folders, *related], _named_reason(chosen, related))


def _related(output_dir: Path, chosen: Sequence[Candidate]) -> list[Candidate]:
    """Forks and resumes beside the named files that share records with them.

    A session beside them that worked on the same directory before or after is taken too; one
    that shares nothing is not.
    """
    known = {one.path.resolve() for one in chosen}
    ids = frozenset[bytes]().union(*(one.record_ids for one in chosen))
    beside = [
        path
        for folder in dict.fromkeys(one.path.parent for one in chosen)
        for path in session_files_here(folder)
        if path.resolve() not in known
    ]
    related: list[Candidate] = []
    for one in examine_all(beside, output_dir):
        shares = bool(one.record_ids & ids)
        copied = bool(one.record_ids) and one.record_ids <= ids
        apart = all(
            one.span[1] <= other.span[0] or other.span[1] <= one.span[0] for other in chosen
        )
        if (shares and not copied) or (not shares and one.ownership.touched and apart):
            related.append(one)
    return related


def session_files_here(folder: Path) -> list[Path]:
    """Session files directly in a folder, sub-agents left out."""
    return [path for path in session_files(folder) if path.parent == folder]


def _named_reason(chosen: Sequence[Candidate], related: Sequence[Candidate]) -> str:
    reason = f"named: {', '.join(one.path.name for one in chosen if one not in related)}"
    if related:
        reason += f"; with {', '.join(one.path.name for one in related)} of the same work"
    recorded = next(
        (one.ownership for one in chosen if one.ownership.touched), Ownership(False, "none", None)
    )
    if recorded.match in {"suffix", "name"}:
        what = "the end of its path" if recorded.match == "suffix" else "its name"
        reason += f"; recorded as {recorded.recorded_output_dir}, recognised by {what}"
    elif not recorded.touched:
        reason += "; it does not name this directory"
    return reason
