"""Each fixture is one trace and what must be read from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from summarizer.render.parse import parse_trace

FIXTURES = sorted(path.parent for path in Path(__file__).parent.glob("fixtures/*/trace.md"))


@pytest.mark.parametrize("folder", FIXTURES, ids=lambda folder: folder.name)
def test_a_trace_is_read_as_in_its_golden(folder, outline, update_golden):
    """Sections, labels, rounds, blocks, tables and all their places are those of the golden."""
    text = (folder / "trace.md").read_bytes().decode()
    found = outline(parse_trace(text))
    golden = folder / "expected.txt"
    if update_golden:
        golden.write_text(found, encoding="utf-8")
    assert found == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FIXTURES, ids=lambda folder: folder.name)
@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_line_ends_do_not_matter(folder, line_end, outline):
    """The same trace with other line ends is read alike."""
    text = (folder / "trace.md").read_bytes().decode()
    golden = (folder / "expected.txt").read_text(encoding="utf-8")
    assert outline(parse_trace(text.replace("\n", line_end))) == golden


@pytest.mark.parametrize("folder", FIXTURES, ids=lambda folder: folder.name)
def test_every_piece_stands_where_it_is_said_to_stand(folder, spans):
    """Line and column of each piece of text point at that text in the file."""
    text = (folder / "trace.md").read_bytes().decode()
    lines = text.split("\n")
    for span in spans(parse_trace(text)):
        line = lines[span.line - 1]
        assert line[span.column - 1 : span.column - 1 + len(span.text)] == span.text


@pytest.mark.parametrize("folder", FIXTURES, ids=lambda folder: folder.name)
def test_a_named_profile_replaces_the_detected_one(folder):
    """The caller's word counts, and the reason says so."""
    doc = parse_trace((folder / "trace.md").read_bytes().decode(), profile="T1")
    assert (doc.profile, doc.profile_because) == ("T1", "named by the caller")
