"""The command line end to end, through `main(argv)`."""

from __future__ import annotations

import io
import json
import os
import re
import shutil
from pathlib import Path

import pytest

from summarizer.cli.main import COMMANDS, main
from summarizer.example import copy_example

TABLE_HEADING = "## 汇总表报告"


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A copy of the bundled session, and no client store to be found."""
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "no-store"))
    return copy_example(tmp_path)


def record(example, *extra: str) -> int:
    return main([
        "record",
        str(example.output_dir),
        "--transcript",
        str(example.transcript),
        *extra,
    ])


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def public_report_rows(text: str) -> list[str]:
    """The rule of the public report script: rows behind the first heading."""
    rows = []
    for line in text[text.find(TABLE_HEADING) :].split("\n")[1:]:
        row = line.strip()
        if row.startswith("|") and "Level" not in row and "---" not in row and len(row) > 5:
            rows.append(row)
    return rows


def test_record_writes_only_the_trace(example, capsys):
    """One new file; every other file keeps content and time."""
    before = snapshot(example.output_dir)
    assert record(example) == 0
    after = snapshot(example.output_dir)
    assert set(after) - set(before) == {"trace.md"}
    assert {name: after[name] for name in before} == before
    assert list(example.output_dir.parent.iterdir()) == [example.output_dir]
    assert "written:" in capsys.readouterr().err


def test_record_is_deterministic(example):
    """The same sources give the same bytes."""
    record(example)
    first = (example.output_dir / "trace.md").read_bytes()
    record(example)
    assert (example.output_dir / "trace.md").read_bytes() == first


def test_false_statements_reach_the_trace_only_as_drift_points(example):
    """What the agent said wrongly stands only behind the mark of an unverified statement."""
    record(example)
    text = (example.output_dir / "trace.md").read_text(encoding="utf-8")
    for said in ("1.8x", "3 次", "9 个通过"):
        lines = [line for line in text.split("\n") if said in line]
        assert lines, said
        assert all("与日志不符" in line and "说明（未核实）：「" in line for line in lines)


def test_speed_up_cell_is_the_ratio_of_means(example):
    """The table holds 0.37; the report's own 3.14 stands under its own name."""
    record(example)
    text = (example.output_dir / "trace.md").read_text(encoding="utf-8")
    (row,) = public_report_rows(text)
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert len(cells) == 13
    assert cells[6:9] == ["0.4563", "1.2465", "0.37"]
    assert "报告的 Overall speedup 为 3.14x（各 case 比值的算术平均）" in text


def test_own_trace_validates_clean(example, capsys):
    """What record wrote passes validate without a finding."""
    record(example)
    capsys.readouterr()
    trace = str(example.output_dir / "trace.md")
    assert main(["validate", trace, "--transcript", str(example.transcript)]) == 0
    assert capsys.readouterr().out == ""


def test_own_trace_may_be_replaced(example):
    """A trace of ours that nobody edited is replaced without asking."""
    assert record(example) == 0
    assert record(example) == 0


def test_edited_and_foreign_traces_are_kept(example, capsys):
    """An edited or foreign trace.md needs --force."""
    trace = example.output_dir / "trace.md"
    trace.write_text("# Trace: mine\n", encoding="utf-8")
    assert record(example) == 2
    assert "--force" in capsys.readouterr().err
    assert trace.read_text(encoding="utf-8") == "# Trace: mine\n"
    assert record(example, "--force") == 0
    trace.write_text(trace.read_text(encoding="utf-8").replace("6/10", "9/10"), encoding="utf-8")
    assert record(example) == 2


def test_dry_run_prints_and_writes_nothing(example, capsys):
    """--dry-run gives the trace on stdout."""
    before = snapshot(example.output_dir)
    assert record(example, "--dry-run") == 0
    assert capsys.readouterr().out.startswith("# Trace: ELU\n")
    assert snapshot(example.output_dir) == before


def test_evidence_file_is_refused_inside(example, tmp_path, capsys):
    """Only trace.md may be created in an output directory."""
    assert record(example, "--evidence", str(example.output_dir / "e.json")) == 2
    assert not (example.output_dir / "trace.md").exists()
    assert record(example, "--evidence", str(tmp_path / "e.json")) == 0
    items = json.loads((tmp_path / "e.json").read_text(encoding="utf-8"))
    assert {"id", "text", "witness", "source"} <= set(items[0])


def test_evidence_never_replaces_a_source(example, tmp_path, capsys):
    """An existing file needs --force, and a source stays whatever is asked."""
    content = example.transcript.read_bytes()
    assert record(example, "--evidence", str(example.transcript)) == 2
    assert "--force" in capsys.readouterr().err
    link = tmp_path / "link.json"
    link.symlink_to(example.transcript)
    assert record(example, "--force", "--evidence", str(link)) == 2
    assert "is a source" in capsys.readouterr().err
    assert example.transcript.read_bytes() == content
    assert not (example.output_dir / "trace.md").exists()


def test_evidence_place_is_checked_before_anything_is_written(example, tmp_path):
    """A directory that is not there stops the run, not the end of it."""
    assert record(example, "--evidence", str(tmp_path / "nope" / "e.json")) == 2
    assert not (example.output_dir / "trace.md").exists()


class FullDisk(io.TextIOWrapper):
    """A stream on a file system without room."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8")

    def write(self, _text: str) -> int:
        raise OSError(28, "No space left on device")

    def flush(self) -> None:
        raise OSError(28, "No space left on device")

    def close(self) -> None:
        """Nothing is left to flush."""


def test_output_that_cannot_be_written_is_an_environment_error(example, monkeypatch, capsys):
    """A full disk or a closed descriptor behind stdout gives exit code 3 and no traceback."""
    for stream in (FullDisk(), None):
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout", stream)
            assert record(example, "--dry-run") == 3
    assert capsys.readouterr().err.count("cannot write the output") == 2


def test_unwritable_stderr_loses_only_the_diagnostics(example, monkeypatch):
    """The trace is written and the exit code tells the truth."""
    with monkeypatch.context() as patch:
        patch.setattr("sys.stderr", FullDisk())
        assert record(example) == 0
    assert (example.output_dir / "trace.md").exists()


def test_read_only_file_system_is_bad_input(example, monkeypatch, capsys):
    """Where not even the temporary file can be removed there is still one clear error."""

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("summarizer.writer._write_synced", refuse)
    monkeypatch.setattr("pathlib.Path.unlink", refuse)
    assert record(example) == 2
    assert "Read-only file system" in capsys.readouterr().err


def test_output_dir_may_be_named_through_a_link(example, tmp_path, capsys):
    """The session knows the directory by its own name."""
    link = tmp_path / "link"
    link.symlink_to(example.output_dir)
    argv = ["record", str(link), "--transcript", str(example.transcript), "--dry-run"]
    assert main(argv) == 0
    assert capsys.readouterr().out.startswith("# Trace: ELU\n")


def test_impossible_level_is_bad_usage(example):
    """A value for the table that no table has is refused before any work."""
    assert record(example, "--level", "-3") == 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (rb"elu_kernel.cpp", rb"elu\u202ekernel.cpp"),
        (rb"elu_kernel.cpp", rb"elu\u2028kernel.cpp"),
        (rb"elu_kernel.cpp", rb"elu\n## kernel.cpp"),
        (rb"elu_kernel.cpp", rb"elu\u001b[31mkernel.cpp"),
        (rb"max_abs_diff", rb"\udc80max_abs_diff"),
        (rb"max_abs_diff", rb"\ud800\u0000max_abs_diff"),
    ],
)
def test_unprintable_characters_of_the_session_pass_the_gate(example, capsys, old, new):
    """What the trace shows as an escape is still found in the sources, and it is UTF-8."""
    example.transcript.write_bytes(example.transcript.read_bytes().replace(old, new))
    assert record(example) == 0, capsys.readouterr().err
    (example.output_dir / "trace.md").read_text(encoding="utf-8", errors="strict")


def test_facts_prints_the_interface(example, capsys):
    """facts gives the documented keys."""
    argv = ["facts", str(example.output_dir), "--transcript", str(example.transcript)]
    assert main(argv) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["schema_version"] == 1
    assert {"operator", "sources", "cases", "stages", "performance", "dead_ends"} <= set(facts)


def test_transcript_is_found_in_the_store(example, tmp_path, monkeypatch, capsys):
    """Without --transcript the client's store is searched for the session of this directory."""
    store = tmp_path / "store" / "projects" / "-some-project"
    store.mkdir(parents=True)
    recorded = "/home/user/agents/work/claude-code/A_31_ELU/ops_workdir/output/level1/31_ELU"
    text = example.transcript.read_text(encoding="utf-8")
    moved = text.replace(recorded, str(example.output_dir))
    (store / "one.jsonl").write_text(moved, encoding="utf-8")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "store"))
    assert main(["record", str(example.output_dir)]) == 0
    assert "one.jsonl" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("make", "needle"),
    [
        (lambda f: None, "no transcript"),
        (lambda f: (f / "t.jsonl").write_text("", encoding="utf-8"), "empty"),
        (lambda f: (f / "t.jsonl").write_text("hello\n", encoding="utf-8"), "format"),
        (lambda f: (f / "t.jsonl").mkdir(), "holds no"),
    ],
    ids=["none", "empty", "no transcript", "directory"],
)
def test_bad_transcripts_are_one_message(example, tmp_path, capsys, make, needle):
    """Each kind of bad transcript is one message with the remedy, exit 2, nothing written."""
    make(tmp_path)
    named = ["--transcript", str(tmp_path / "t.jsonl")] if (tmp_path / "t.jsonl").exists() else []
    assert main(["record", str(example.output_dir), *named]) == 2
    captured = capsys.readouterr()
    assert needle in captured.err
    assert "--transcript" in captured.err or "name" in captured.err
    assert "Traceback" not in captured.err
    assert not (example.output_dir / "trace.md").exists()


def test_transcript_of_another_task(example, tmp_path, capsys):
    """A session that never touched the directory is refused by name."""
    other = tmp_path / "output" / "level1" / "99_Other"
    other.mkdir()
    assert main(["record", str(other), "--transcript", str(example.transcript)]) == 2
    assert "never worked on" in capsys.readouterr().err
    assert not (other / "trace.md").exists()


def test_torn_last_line_is_reported(example, capsys):
    """A transcript cut in its last line is read up to there, and the report says so."""
    data = example.transcript.read_bytes()
    example.transcript.write_bytes(data[:-40])
    assert record(example) == 0
    trace = (example.output_dir / "trace.md").read_text(encoding="utf-8")
    assert "最后一行不完整" in trace


@pytest.mark.parametrize("path", ["missing", "file"])
def test_bad_output_directory(tmp_path, capsys, path):
    """No such directory, or a file: one message, exit 2."""
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert main(["record", str(tmp_path / path)]) == 2
    assert str(tmp_path / path) in capsys.readouterr().err


@pytest.mark.parametrize(
    "argv",
    [
        ["nonsense"],
        ["record"],
        ["record", "x", "--nonsense"],
        ["validate"],
        ["rule", "Z999"],
        ["explain", "trace.md"],
        ["record", "x", "--profile", "T99"],
    ],
)
def test_wrong_usage(argv, capsys):
    """Wrong usage is exit 2 with a message, never a traceback."""
    assert main(argv) == 2
    captured = capsys.readouterr()
    assert captured.err
    assert "Traceback" not in captured.err


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command, capsys):
    """--help works for each command."""
    assert main([command, "--help"]) == 0
    assert "Usage:" in capsys.readouterr().out


def test_version(capsys):
    """--version names the tool and its version."""
    assert main(["--version"]) == 0
    assert re.fullmatch(r"trace-recorder \d+\.\d+\.\d+\n", capsys.readouterr().out)


def test_demo(capsys):
    """demo shows the trace and a report that says what was checked."""
    assert main(["demo"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("# Trace: ELU\n")
    assert "quotations verified" in captured.err
    assert "numbers recomputed" in captured.err


def test_explain_shows_the_source_of_a_quotation(example, capsys):
    """explain of a quoted line names the record and shows the line in context."""
    record(example)
    trace = example.output_dir / "trace.md"
    lines = trace.read_text(encoding="utf-8").split("\n")
    number = next(i for i, line in enumerate(lines, 1) if "case[7]: output[7]" in line)
    capsys.readouterr()
    argv = ["explain", f"{trace}:{number}", "--transcript", str(example.transcript)]
    assert main(argv) == 0
    out = capsys.readouterr().out
    assert "session.jsonl record 61" in out
    assert "ascendc round 2" in out


def test_explain_shows_the_diff_behind_a_statement(example, capsys):
    """explain of a note shows the change it was worded from."""
    record(example)
    trace = example.output_dir / "trace.md"
    lines = trace.read_text(encoding="utf-8").split("\n")
    number = next(i for i, line in enumerate(lines, 1) if "`inBuf.Get`" in line)
    capsys.readouterr()
    argv = ["explain", f"{trace}:{number}", "--transcript", str(example.transcript)]
    assert main(argv) == 0
    assert "record 57" in capsys.readouterr().out


def test_validate_without_evidence_is_exit_4(example, tmp_path, capsys):
    """A trace without any source beside it could be compared with nothing."""
    record(example)
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(example.output_dir / "trace.md", alone)
    assert main(["validate", str(alone / "trace.md")]) == 4
    assert "X902" in capsys.readouterr().out


def test_inspect_lists_what_was_understood(example, capsys):
    """inspect counts events and names the client."""
    assert main(["inspect", str(example.transcript)]) == 0
    out = capsys.readouterr().out
    assert "client: Claude Code" in out or "client: claude-code" in out
    assert "shell_call" in out


def test_terminal_cannot_be_controlled(tmp_path, capsys):
    """A path with control characters is shown escaped."""
    assert main(["record", str(tmp_path / "a\x1b[31mb")]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_read_only_directory(example, capsys):
    """A directory that cannot be written gives one message and no file."""
    if os.geteuid() == 0:
        pytest.skip("root writes everywhere")
    example.output_dir.chmod(0o555)
    try:
        assert record(example) == 2
    finally:
        example.output_dir.chmod(0o755)
