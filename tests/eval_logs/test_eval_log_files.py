"""Finding and reading evaluation logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from summarizer.errors import InputError
from summarizer.eval_logs import find_eval_logs, read_eval_log


def test_logs_are_found_hidden_or_not(tmp_path: Path) -> None:
    """Exactly the wrapper's files and the archived log are found, sorted by name."""
    names = [".last_ascendc_eval.log", ".last_tilelang_eval.summary", "eval_output.log",
             "last_ascendc_eval.log"]  # fmt: skip
    for name in [*names, "trace.md", "last_performance.log", "my_eval_output.log.bak"]:
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / ".last_ascendc_eval.summary").mkdir()
    assert [path.name for path in find_eval_logs(tmp_path)] == names


def test_a_log_is_read_without_loss(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 survive a round trip, and the file is described."""
    data = b"\xc4\xe3\xba\xc3\r\nResult: pass\n\x00"
    path = tmp_path / ".last_tilelang_eval.summary"
    path.write_bytes(data)
    log = read_eval_log(path)
    assert log.text.encode("utf-8", errors="surrogateescape") == data
    assert (log.kind, log.is_summary, log.source.bytes) == ("tilelang", True, len(data))


def test_what_cannot_be_read_is_an_input_error(tmp_path: Path) -> None:
    """A missing file and a missing directory name the path."""
    with pytest.raises(InputError, match="absent"):
        read_eval_log(tmp_path / "absent")
    with pytest.raises(InputError, match="absent"):
        find_eval_logs(tmp_path / "absent")
