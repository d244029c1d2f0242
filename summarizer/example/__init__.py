"""The bundled real session that `demo` records; where its files lie and how to copy them."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

OPERATOR = "31_ELU"


@dataclass(frozen=True, slots=True)
class Example:
    """A copy of the bundled session."""

    output_dir: Path
    transcript: Path


def copy_example(target: Path) -> Example:
    """Copy the bundled session into an existing directory and return its places."""
    source = resources.files("summarizer.example") / "data"
    with resources.as_file(source) as folder:
        output_dir = target / "output" / "level1" / OPERATOR
        shutil.copytree(folder / OPERATOR, output_dir)
        transcript = target / "session.jsonl"
        shutil.copyfile(folder / "session.jsonl", transcript)
    return Example(output_dir, transcript)
