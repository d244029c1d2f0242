"""Reads the labelled sessions: the facts as JSON for the generator, the checker for the bench."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.accuracy import handwriting
from bench.accuracy.base import Base
from summarizer.example import copy_example
from summarizer.facts import Derived
from summarizer.model.finding import Finding
from summarizer.pipeline import SourceOptions, check_text, derive_from, finish, gather

SESSIONS = Path(__file__).resolve().parents[2] / "tests" / "sessions"
_COMMENT = re.compile(r"\n<!-- trace-recorder [^\n]*-->\n?\Z")


@dataclass(frozen=True)
class Subject:
    """One session: its genuine traces, and the checker over its evidence."""

    bases: tuple[Base, ...]
    derived: Derived
    transcripts: tuple[Path, ...]

    def findings(self, text: str) -> tuple[Finding, ...]:
        """What `validate` reports for a text, of whatever severity."""
        return check_text(text, self.derived).findings


def read_subjects(only: tuple[str, ...] = ()) -> list[Subject]:
    """Read the labelled sessions, all or those whose names end so."""
    with tempfile.TemporaryDirectory() as folder:
        return [
            _subject(path.parent, Path(folder) / path.parent.name)
            for path in sorted(SESSIONS.glob("*/labels.json"))
            if not only or path.parent.name.endswith(only)
        ]


def _subject(folder: Path, target: Path) -> Subject:
    target.mkdir()
    output_dir, transcripts = _copied(folder, target)
    gathered = gather(output_dir, SourceOptions(transcripts=transcripts))
    derived = derive_from(gathered)
    facts = json.loads(derived.facts.model_dump_json())
    # Without its provenance comment the text counts as written by a person: nothing is trusted.
    own = _COMMENT.sub("", finish(gathered, profile=None).text)
    styles = {"own": own, "zh": handwriting.chinese(facts), "en": handwriting.english(facts)}
    bases = tuple(Base(folder.name, style, text, facts) for style, text in styles.items())
    return Subject(bases, derived, transcripts)


def _copied(folder: Path, target: Path) -> tuple[Path, tuple[Path, ...]]:
    if not (folder / "projects").is_dir():
        example = copy_example(target)
        return example.output_dir, (example.transcript,)
    shutil.copytree(folder, target, dirs_exist_ok=True)
    output_dir = next((target / "output").glob("level*/*"))
    return output_dir, tuple(sorted((target / "projects").glob("*/*.jsonl")))


def all_bases(subjects: list[Subject]) -> Iterator[tuple[Subject, Base]]:
    """Every genuine trace with its session."""
    for subject in subjects:
        for base in subject.bases:
            yield subject, base
