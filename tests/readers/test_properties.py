"""Properties: no input crashes the reader, and copies never change what happened."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from summarizer.errors import InputError
from summarizer.readers import read_transcripts
from summarizer.readers.claude_code.messages import split_user_text
from summarizer.readers.times import instant

FIXTURES = Path(__file__).parent / "fixtures" / "claude_code"
SMALL = [path for path in sorted(FIXTURES.glob("*/*.jsonl")) if path.stat().st_size < 60_000]
quick = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def survive(path: Path) -> None:
    """Reads a file; InputError is the only exception allowed."""
    refusal = None
    try:
        assert read_transcripts([path]).events
    except InputError as error:
        refusal = str(error)
    assert refusal is None or str(path) in refusal


@quick
@given(source=st.sampled_from(SMALL), cut=st.floats(0, 1))
def test_any_prefix_is_read(tmp_path: Path, source: Path, cut: float) -> None:
    """A file cut at any byte is read, or refused with its name; a cut record is an issue."""
    data = source.read_bytes()
    path = tmp_path / "cut.jsonl"
    path.write_bytes(data[: int(len(data) * cut)])
    survive(path)


@quick
@given(source=st.sampled_from(SMALL), seed=st.integers(0, 2**32), count=st.integers(1, 200))
def test_any_garbling_is_read(tmp_path: Path, source: Path, seed: int, count: int) -> None:
    """Bytes overwritten anywhere never crash the reader."""
    chance = random.Random(seed)
    data = bytearray(source.read_bytes())
    for _ in range(count):
        data[chance.randrange(len(data))] = chance.choice(b'\0\n\r"{}[]\\,:\xff\xb2 a1')
    path = tmp_path / "garbled.jsonl"
    path.write_bytes(data)
    survive(path)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([
                "type",
                "text",
                "content",
                "id",
                "name",
                "input",
                "tool_use_id",
                "is_error",
                "file",
                "stdout",
                "usage",
                "message",
                "attachment",
                "data",
                "timestamp",
                "agentId",
            ]),
            inner,
            max_size=5,
        )
    ),
    max_leaves=12,
)


@quick
@given(
    kind=st.sampled_from([
        "user",
        "assistant",
        "system",
        "attachment",
        "progress",
        "queue-operation",
    ]),
    fields=st.dictionaries(
        st.sampled_from([
            "message",
            "toolUseResult",
            "attachment",
            "data",
            "content",
            "timestamp",
            "uuid",
            "cwd",
            "version",
            "isSidechain",
            "parentUuid",
            "forkedFrom",
            "subtype",
            "agentId",
        ]),
        json_values,
        max_size=8,
    ),
    block=st.dictionaries(
        st.sampled_from(["type", "text", "content", "id", "name", "input", "tool_use_id"]),
        json_values | st.sampled_from(["tool_use", "tool_result", "text", "t1", "Bash", "Edit"]),
    ),
)
def test_any_shape_of_a_record_is_read(tmp_path: Path, session, kind, fields, block) -> None:
    """Values of unexpected types in any known field never crash the reader."""
    one = session()
    one.call("t1", command="x")
    one.add(kind, **{key: value for key, value in fields.items() if key != "type"})
    one.add(kind, message={"content": [block]}, toolUseResult=fields.get("toolUseResult"))
    survive(one.write(tmp_path / "shape.jsonl"))


@pytest.mark.parametrize("source", SMALL, ids=lambda path: path.parent.name)
def test_repeated_lines_change_no_event(tmp_path: Path, source: Path) -> None:
    """A file whose lines all stand there twice has the same events as the file itself."""
    data = source.read_bytes().removeprefix(b"\xef\xbb\xbf")
    once, twice = tmp_path / "once.jsonl", tmp_path / "twice.jsonl"
    once.write_bytes(data)
    twice.write_bytes(b"\n".join(line for line in data.split(b"\n") for _ in range(2)))
    first, second = read_transcripts([once]), read_transcripts([twice])

    def image(result):
        return [(type(one).__name__, getattr(one, "call_id", None)) for one in result.events]

    assert image(second) == image(first)
    assert second.usage == first.usage


@given(st.text(), st.booleans(), st.booleans())
def test_no_text_in_the_users_role_is_lost(text: str, is_meta: bool, is_summary: bool) -> None:
    """Splitting keeps every character but blank lines at the seams."""
    pieces = "".join(
        piece.text for piece in split_user_text(text, is_meta=is_meta, is_summary=is_summary)
    )
    assert pieces.replace("\n", "").strip() == text.replace("\n", "").strip()


@given(st.datetimes(), st.sampled_from(["Z", "", "+08:00", "-0330"]))
def test_instants_order_like_times(moment, zone: str) -> None:
    """A timestamp with any offset is the same instant as its UTC form."""
    offset = {"Z": 0, "": 0, "+08:00": 8 * 3600, "-0330": -3.5 * 3600}[zone]
    utc = instant(moment.isoformat() + "Z")
    other = instant(moment.isoformat() + zone)
    assert utc is not None
    assert other is not None
    assert other == pytest.approx(utc - offset, abs=1e-3)
