"""The traces of the labelled sessions read as their goldens; a change of wording is seen here."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from summarizer.example import copy_example
from summarizer.pipeline import SourceOptions, record_run

HERE = Path(__file__).parent
SESSIONS = sorted(path.parent for path in HERE.glob("*/labels.json"))
PROFILES_SHOWN = (
    ("T6", SESSIONS),
    ("T11", [folder for folder in SESSIONS if folder.name.endswith("A_31_ELU")]),
)


@pytest.mark.parametrize(
    ("profile", "folder"),
    [(name, folder) for name, folders in PROFILES_SHOWN for folder in folders],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_trace(profile, folder, tmp_path, update_golden):
    """Rendered from the raw session, the trace equals the golden and passes the gate clean."""
    if (folder / "projects").is_dir():
        shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
        output_dir = next((tmp_path / "output").glob("level*/*"))
        transcripts = tuple(sorted((tmp_path / "projects").glob("*/*.jsonl")))
    else:
        example = copy_example(tmp_path)
        output_dir, transcripts = example.output_dir, (example.transcript,)
    recorded = record_run(
        output_dir, SourceOptions(transcripts=transcripts), profile=profile, dry_run=True
    )
    golden = folder / f"expected.{profile}.md"
    if update_golden:
        golden.write_text(recorded.text, encoding="utf-8")
    assert recorded.text == golden.read_text(encoding="utf-8")
    assert recorded.findings == ()
