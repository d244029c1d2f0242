"""Writes evidence items as JSON where the caller wants them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from summarizer.errors import InputError
from summarizer.model.evidence import Evidence
from summarizer.writer import replace_file


def check_destination(path: Path, output_dir: Path, *, force: bool) -> None:
    """Refuse a place where evidence cannot or must not be written, before any work is done.

    Raises:
        InputError: the path lies inside the output directory, where only trace.md may be created;
            it exists (unless `force`) or is no regular file; its directory cannot be written.
    """
    inside = output_dir.resolve()
    target = path.resolve()
    if target == inside or inside in target.parents:
        raise InputError(f"{path}: lies inside {output_dir}, where only trace.md may be created")
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a regular file; name another one")
    if path.exists() and not force:
        raise InputError(f"{path}: exists; --force replaces it")
    if not target.parent.is_dir():
        raise InputError(f"{path}: there is no directory {str(path.parent)!r}")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise InputError(f"{path}: its directory cannot be written")


def check_no_source(path: Path, sources: Sequence[Path]) -> None:
    """Refuse to replace a file that the session was read from, whatever its name here.

    Raises:
        InputError: the path is one of the sources.
    """
    for source in sources:
        if path.exists() and source.exists() and path.samefile(source):
            raise InputError(f"{path}: is a source of this trace; name another file")


def write_evidence(path: Path, evidence: Sequence[Evidence]) -> None:
    """Write a JSON array with one object per evidence item, completely or not at all.

    Raises:
        InputError: the file cannot be written.
    """
    items = [asdict(item) for item in evidence]
    text = json.dumps(items, ensure_ascii=True, indent=1)
    replace_file(path, (text + "\n").encode("ascii"))
