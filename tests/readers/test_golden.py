"""Every fixture folder is read and compared with its golden dump."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from summarizer.model.events import ReadResult
from summarizer.model.source import SourceRef
from summarizer.readers import read_transcripts

FIXTURES = Path(__file__).parent / "fixtures"
CASES = sorted(path.parent for path in FIXTURES.glob("*/*/README.md"))


def dump(result: ReadResult, root: Path) -> dict[str, Any]:
    """A compact image of a result: all fields; long texts as length, digest and beginning."""

    def name(path: str) -> str:
        return Path(path).relative_to(root).as_posix()

    def image(value: Any) -> Any:
        if isinstance(value, SourceRef):
            return f"{name(value.path)}:{value.record} [{value.byte_start}:{value.byte_end}]"
        if isinstance(value, Enum):
            return value.value
        if isinstance(value, str):
            return value if len(value) <= 120 else short(value)
        if isinstance(value, tuple):
            return [image(one) for one in value]
        if dataclasses.is_dataclass(value):
            fields = ((one.name, getattr(value, one.name)) for one in dataclasses.fields(value))
            return {key: image(one) for key, one in fields if one not in (None, (), "", False)}
        return value

    return {
        "client_versions": list(result.client_versions),
        "session_ids": list(result.session_ids),
        "cwds": list(result.cwds),
        "span": [result.started_at, result.ended_at],
        "files": [[name(one.path), one.kind, one.bytes, one.sha256] for one in result.files],
        "usage": {key: dataclasses.asdict(one) for key, one in result.usage.items()},
        "record_types": dict(sorted(result.record_types.items())),
        "issues": [[one.kind, name(one.path), one.record, one.count] for one in result.issues],
        "events": [image(one) for one in result.events],
    }


def short(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{len(text)} chars {digest} {text[:60]}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_fixture_reads_as_its_golden_says(case: Path, update_golden: bool) -> None:
    """Events, issues, usage and sources of a fixture equal its expected.json."""
    result = read_transcripts(sorted(case.glob("*.jsonl")))
    actual = json.dumps(dump(result, case), indent=1, ensure_ascii=True) + "\n"
    golden = case / "expected.json"
    if update_golden:
        golden.write_text(actual, encoding="utf-8")
    assert actual == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.name}")
def test_byte_ranges_enclose_the_record(case: Path) -> None:
    """The bytes a reference names are the line of that record, without its newline."""
    result = read_transcripts(sorted(case.glob("*.jsonl")))
    for event in result.events:
        raw = Path(event.ref.path).read_bytes()
        assert event.ref.byte_start is not None
        line = raw[event.ref.byte_start : event.ref.byte_end]
        assert raw[: event.ref.byte_start].count(b"\n") == event.ref.record - 1
        assert b"\n" not in line
        assert line.strip(b"\r\0 ").startswith(b"{")
