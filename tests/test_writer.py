"""trace.md is written whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from summarizer.errors import InputError
from summarizer.writer import read_existing, write_trace


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob(".trace-recorder*")]


def test_write_and_read_back(tmp_path):
    """The text comes back byte for byte, lone surrogates of broken sources included."""
    out = tmp_path / "op"
    out.mkdir()
    write_trace(out, "# x\n\udcff\n")
    assert (out / "trace.md").read_bytes() == b"# x\n\xff\n"
    assert read_existing(out) == "# x\n\udcff\n"
    assert leftovers(tmp_path) == []


def test_no_trace(tmp_path):
    """No file is None, not an error."""
    assert read_existing(tmp_path) is None


@pytest.mark.parametrize("kind", ["directory", "fifo", "symlink"])
def test_what_is_no_regular_file_is_refused(tmp_path, kind):
    """A directory, FIFO or link named trace.md is neither read nor replaced."""
    place = tmp_path / "trace.md"
    if kind == "directory":
        place.mkdir()
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        place.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="not a regular file"):
        read_existing(tmp_path)


def test_leftover_of_a_dead_writer_is_removed(tmp_path):
    """The next run removes what a kill left behind, but not another directory's file."""
    out = tmp_path / "op"
    out.mkdir()
    write_trace(out, "one\n")
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    from summarizer.writer import _key

    dead = tmp_path / f".trace-recorder.{_key(out)}.{process.pid}.00000000.tmp"
    other = tmp_path / f".trace-recorder.{'0' * 12}.{process.pid}.00000000.tmp"
    alive = tmp_path / f".trace-recorder.{_key(out)}.{os.getppid()}.00000000.tmp"
    for path in (dead, other, alive):
        path.write_text("half", encoding="utf-8")
    write_trace(out, "two\n")
    assert not dead.exists()
    assert other.exists()
    assert alive.exists()


def test_kill_leaves_old_or_new(tmp_path):
    """kill -9 at any moment leaves the old file or the complete new one."""
    out = tmp_path / "op"
    out.mkdir()
    old, new = "old\n" * 1000, "new\n" * 400_000
    script = (
        "import sys; from pathlib import Path; from summarizer.writer import write_trace\n"
        "while True:\n"
        f"    write_trace(Path({str(out)!r}), 'new\\n' * 400000)\n"
    )
    for delay in (0.15, 0.2, 0.25, 0.3, 0.35):
        write_trace(out, old)
        process = subprocess.Popen([sys.executable, "-c", script])
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert (out / "trace.md").read_text(encoding="utf-8") in {old, new}
    write_trace(out, old)
    assert leftovers(tmp_path) == []
