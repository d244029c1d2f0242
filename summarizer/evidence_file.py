"""Writes evidence items as JSON where the caller wants them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from summarizer.errors import InputError
from summarizer.model.evidence import Evidence


def check_outside(path: Path, output_dir: Path) -> None:
    """Refuse a file inside an operator's output directory.

    Raises:
        InputError: the path lies inside; only trace.md may be created there.
    """
    inside = output_dir.resolve()
    target = path.resolve()
    if target == inside or inside in target.parents:
        raise InputError(f"{path}: lies inside {output_dir}, where only trace.md may be created")


def write_evidence(path: Path, evidence: Sequence[Evidence]) -> None:
    """Write a JSON array with one object per evidence item.

    Raises:
        InputError: the file cannot be written.
    """
    items = [asdict(item) for item in evidence]
    text = json.dumps(items, ensure_ascii=True, indent=1)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from error
