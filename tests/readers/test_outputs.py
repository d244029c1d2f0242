"""What a result still holds of an output, and where the rest is looked for."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from summarizer.model.events import CallState, FileChange, FileRead, OtherCall, ShellCall
from summarizer.model.source import Completeness
from summarizer.readers import read_transcripts

C = Completeness


def shell(result) -> ShellCall:
    return next(event for event in result.events if isinstance(event, ShellCall))


def cut(total: int, *, wide: int = 0, code: str = "Exit code 1\n") -> str:
    """A failing output of `total` characters as the client cuts it; `wide` of 1000 are CJK."""
    whole = code + "".join("好" if i % 1000 < wide else "x" for i in range(total))
    return (
        f"{whole[:5000]}\n\n... [{len(whole) - 10_000} characters truncated] ...\n\n{whole[-5000:]}"
    )


@pytest.mark.parametrize(
    ("version", "text", "expected"),
    [
        ("2.1.197", cut(20_000), C.HEAD_TAIL),
        ("2.1.197", cut(30_000), C.HEAD),
        ("2.1.42", cut(30_000), C.HEAD_TAIL),
        ("1.0.51", cut(150_000, code=""), C.HEAD_TAIL),
        ("2.1.197", cut(29_412, wide=10), C.HEAD),
        ("2.1.197", cut(11_000, wide=900), C.HEAD),
        ("2.1.197", cut(20_000, wide=10), C.HEAD_TAIL),
        ("2.1.197", cut(29_500), C.UNKNOWN),
        ("2.1.197", cut(50_000), C.HEAD),
        ("2.1.197", cut(50_123), C.HEAD_TAIL),
        ("2.1.197", "Exit code 1\nlog:\n\n... [77 characters truncated] ...\n\nend", C.FULL),
        ("2.1.197", "Exit code 1\n" + "y" * 9_000, C.FULL),
    ],
)
def test_failing_output_knows_which_end_it_has(
    read, session, version: str, text: str, expected: Completeness
) -> None:
    """The mark counts only where the kept length fits; the end is claimed only when it is one."""
    one = session(version=version)
    one.call("t1", command="make")
    one.result("t1", text, error=True)
    (output,) = shell(read(one)).outputs
    assert output.completeness is expected
    assert output.text == text.removeprefix("Exit code 1\n")


@pytest.mark.parametrize(
    ("version", "kept", "expected"),
    [
        ("1.0.51", 30_000, C.HEAD),
        ("2.1.1", 30_000, C.HEAD),
        ("2.1.2", 30_000, C.FULL),
        ("1.0.51", 500, C.FULL),
    ],
)
def test_lines_mark_of_old_versions(
    read, session, version: str, kept: int, expected: Completeness
) -> None:
    """The mark at the end of a succeeding output is removed and means a lost end."""
    text = "z" * kept + "\n\n... [12 lines truncated] ..."
    one = session(version=version)
    one.call("t1", command="make")
    one.result("t1", text)
    (output,) = shell(read(one)).outputs
    assert output.completeness is expected
    assert output.text == (text if expected is C.FULL else "z" * kept)


def persisted(session, path: str, *, size: int | None, stdout: str, shown: str = "0.1KB"):
    one = session()
    one.call("t1", command="make")
    words = (
        f"<persisted-output>\nOutput too large ({shown}). Full output saved to: {path}\n\n"
        "Preview (first 2KB):\nfirst\n...\n</persisted-output>"
    )
    data = {"stdout": stdout, "stderr": "", "interrupted": False, "persistedOutputPath": path}
    if size is not None:
        data["persistedOutputSize"] = size
    one.result("t1", words, data=data)
    return one


def test_stored_output_is_taken_from_the_record_when_it_holds_all(read, session) -> None:
    """`stdout` with at least the stored size is the full output."""
    text = "错" * 40
    (output,) = shell(
        read(persisted(session, "/x/tool-results/a.txt", size=120, stdout=text))
    ).outputs
    assert (output.text, output.completeness, output.via) == (text, C.FULL, "result")


@pytest.mark.parametrize("place", ["a/tool-results/x.txt", "s1/tool-results/x.txt"])
def test_stored_output_is_found_beside_the_transcript(tmp_path: Path, session, place: str) -> None:
    """A stale absolute path is resolved by name in the session's folder."""
    whole = "first\nsecond 好\n"
    side = tmp_path / place
    side.parent.mkdir(parents=True)
    side.write_text(whole, encoding="utf-8")
    size = len(whole.encode())
    one = persisted(session, "/gone/s1/tool-results/x.txt", size=size, stdout="first")
    result = read_transcripts([one.write(tmp_path / "a.jsonl")])
    (output,) = shell(result).outputs
    assert (output.text, output.completeness, output.via) == (whole, C.FULL, "side_file")
    assert output.source.path == str(side)
    assert [(one.kind, one.bytes) for one in result.files][1:] == [("side_file", size)]


@pytest.mark.parametrize(
    ("stdout", "text", "expected"),
    [("", "first", C.PREVIEW), ("first\nsecond\nthi", "first\nsecond\nthi", C.HEAD)],
)
def test_missing_side_file_is_an_issue(
    read, session, stdout: str, text: str, expected: Completeness
) -> None:
    """Without the file the longest beginning at hand is kept, and the loss is reported."""
    result = read(persisted(session, "/gone/tool-results/x.txt", size=999, stdout=stdout))
    (output,) = shell(result).outputs
    assert (output.text, output.completeness) == (text, expected)
    assert "missing_side_file" in {one.kind for one in result.issues}


@pytest.mark.parametrize("name", ["tool-results/x.txt", "secret.txt", "tool-results/x.key"])
def test_only_files_the_client_writes_are_opened(tmp_path: Path, session, name: str) -> None:
    """A record cannot make the reader open another file, or hang on a FIFO."""
    path = tmp_path / "elsewhere" / name
    path.parent.mkdir(parents=True)
    if name == "tool-results/x.txt":
        os.mkfifo(path)
    else:
        path.write_text("secret", encoding="utf-8")
    one = persisted(session, str(path), size=999, stdout="")
    result = read_transcripts([one.write(tmp_path / "a.jsonl")])
    assert shell(result).outputs[0].text == "first"


def test_forged_sentences_in_an_output_stay_output(read, session) -> None:
    """What a command prints is text, whatever form it imitates."""
    texts = [
        "Command running in background with ID: b9",
        "<persisted-output>\nOutput too large (1KB). Full output saved to: /etc/passwd\n",
        "Exit code 7\nmade up",
        "[skill_script_hook intercepted execution]\ncommand: x\ncwd: /\nexit_code: 0\n"
        "duration_ms: 1\n--- stdout ---\nResult: pass\n--- stderr ---\n",
    ]
    one = session()
    for number, text in enumerate(texts):
        one.call(f"t{number}", command="cat log")
        one.result(f"t{number}", text)
    calls = [event for event in read(one).events if isinstance(event, ShellCall)]
    assert [call.state for call in calls] == [CallState.EXECUTED] * 4
    assert [call.exit_code for call in calls] == [0] * 4
    assert [call.outputs[0].text for call in calls if call.call_id != "t1"] == [
        texts[0],
        texts[2],
        texts[3],
    ]


def test_pasted_hook_report_is_the_users_word(read, session) -> None:
    """A report that the user pasted replaces no command."""
    one = session()
    one.call("t1", command="make")
    one.result("t1", "[hook-noop] original command was intercepted and executed")
    one.user(
        "look:\n[skill_script_hook intercepted execution]\ncommand: make\ncwd: /w\n"
        "exit_code: 0\nduration_ms: 1\n--- stdout ---\nResult: pass\n--- stderr ---\n"
    )
    assert shell(read(one)).outputs[0].text.startswith("[hook-noop]")


def background(session, **more):
    one = session()
    one.call("t1", command="./long.sh")
    words = (
        "Command running in background with ID: b1. Output is being written to: "
        "/tmp/s/tasks/b1.output. You will be notified when it completes."
    )
    data = {"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}
    one.result("t1", words, data=data)
    return one


def note(status: str, summary: str) -> str:
    return (
        "<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n"
        f"<output-file>/tmp/s/tasks/b1.output</output-file>\n<status>{status}</status>\n"
        f"<summary>{summary}</summary>\n</task-notification>"
    )


@pytest.mark.parametrize(
    ("status", "summary", "code", "failed"),
    [
        ("failed", 'Background command "x" failed with exit code 4', 4, True),
        ("completed", 'Background command "exit code 9" completed (exit code 0)', 0, False),
        ("killed", 'Background command "x" was stopped', None, None),
    ],
)
def test_background_end_comes_from_the_notification(
    read, session, status: str, summary: str, code: int | None, failed: bool | None
) -> None:
    """Exit status and time of the end are those of the first notification."""
    one = background(session)
    first = one.add("queue-operation", operation="enqueue", content=note(status, summary))
    one.user(note(status, summary))
    result = read(one)
    call = shell(result)
    assert (call.state, call.finished) == (CallState.BACKGROUNDED, True)
    assert (call.exit_code, call.failed, call.ended_at) == (code, failed, first["timestamp"])
    assert sum(getattr(event, "kind", "") == "other" for event in result.events) == 1


def test_unknown_end_of_a_background_command(read, session) -> None:
    """Without a notification or poll nothing is claimed about the end."""
    call = shell(read(background(session)))
    assert (call.finished, call.exit_code, call.failed, call.outputs) == (None, None, None, ())


def test_reading_the_output_file_is_an_output_of_the_command(read, session) -> None:
    """A read before the end shows the beginning only, one after the end all of it."""
    one = background(session)
    for number, text in ((2, "step 1\n"), (3, "step 1\nstep 2\n")):
        one.call(f"t{number}", "Read", file_path="/tmp/s/tasks/b1.output")
        file = {"content": text, "startLine": 1, "numLines": 2, "totalLines": 2}
        one.result(f"t{number}", "1\tx", data={"type": "text", "file": file})
        if number == 2:
            assert shell(read(one)).outputs[0].completeness is C.HEAD
            one.user(note("completed", "completed (exit code 0)"))
    (output,) = shell(read(one)).outputs
    assert (output.text, output.via, output.completeness) == ("step 1\nstep 2\n", "read", C.FULL)


def test_output_file_on_disk_is_read(tmp_path: Path, session) -> None:
    """The output file that still exists gives the output."""
    side = tmp_path / "a/tasks/b1.output"
    side.parent.mkdir(parents=True)
    side.write_bytes(b"line\xff\n")
    result = read_transcripts([background(session).write(tmp_path / "a.jsonl")])
    (output,) = shell(result).outputs
    assert (output.via, output.text) == ("side_file", "line\udcff\n")


def test_new_only_polls_are_appended_even_when_alike(read, session) -> None:
    """BashOutput returns what is new: equal pieces are all kept, the last one is the tail."""
    one = background(session)
    for number, status in ((2, "running"), (3, "running"), (4, "completed")):
        one.call(f"t{number}", "BashOutput", bash_id="b1")
        code = 0 if status == "completed" else None
        data = {"shellId": "b1", "status": status, "exitCode": code, "stdout": ".", "stderr": ""}
        one.result(f"t{number}", f"<status>{status}</status>", data=data)
    result = read(one)
    assert [(out.text, out.completeness) for out in shell(result).outputs] == [
        (".", C.HEAD),
        (".", C.UNKNOWN),
        (".", C.TAIL),
    ]
    assert all(one.output is None for one in result.events if isinstance(one, OtherCall))


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("1\tint a;\n2\t  b\n", {}, ("int a;\n  b\n", C.FULL)),
        ("     1→int a;\n    12→x→y", {"offset": 1}, ("int a;\nx→y", C.UNKNOWN)),
        ("1\tx\n\n<system-reminder>\nbe good\n</system-reminder>\n", {}, ("1\tx"[2:], C.FULL)),
    ],
)
def test_read_without_structured_result(read, session, text, asked, expected) -> None:
    """Line numbers and the client's reminder are no part of the file."""
    one = session()
    one.call("t1", "Read", file_path="/w/a.c", **asked)
    one.result("t1", text, data=[])
    (event,) = [event for event in read(one).events if isinstance(event, FileRead)]
    assert event.output is not None
    assert (event.output.text, event.output.completeness) == expected


@pytest.mark.parametrize(
    ("start", "count", "total", "expected"),
    [(1, 9, 9, C.FULL), (1, 5, 9, C.HEAD), (6, 4, 9, C.TAIL), (3, 2, 9, C.UNKNOWN)],
)
def test_read_of_a_part(read, session, start, count, total, expected) -> None:
    """A part of a file says which end it has."""
    one = session()
    one.call("t1", "Read", file_path="/w/a.c")
    file = {"content": "text", "startLine": start, "numLines": count, "totalLines": total}
    one.result("t1", "x", data={"type": "text", "file": file})
    (event,) = [event for event in read(one).events if isinstance(event, FileRead)]
    assert event.output is not None
    assert event.output.completeness is expected


def test_edit_hunks_have_their_place(read, session) -> None:
    """One hunk per run of changed lines, numbered in the old file."""
    one = session()
    one.call("t1", "Edit", file_path="/w/a.c", old_string="b", new_string="B")
    patch = {"oldStart": 10, "lines": [" a", "-b", "+B", " c", "+d", "\\ No newline at end"]}
    data = {"structuredPatch": [patch], "originalFile": "a\nb\nc", "userModified": True}
    one.result("t1", "ok", data=data)
    (change,) = [event for event in read(one).events if isinstance(event, FileChange)]
    assert [(hunk.old_start, hunk.removed, hunk.added) for hunk in change.hunks] == [
        (11, ("b",), ("B",)),
        (13, (), ("d",)),
    ]
    assert (change.original, change.user_modified) == ("a\nb\nc", True)


def test_failed_edit_changed_nothing(read, session) -> None:
    """An edit that found no match is INVALID and keeps the tool's words."""
    one = session()
    one.call("t1", "Edit", file_path="/w/a.c", old_string="b", new_string="B")
    one.result("t1", "<tool_use_error>String to replace not found</tool_use_error>", error=True)
    (change,) = [event for event in read(one).events if isinstance(event, FileChange)]
    assert (change.state, change.state_text) == (CallState.INVALID, "String to replace not found")


def test_oversized_result_of_another_tool(tmp_path: Path, session) -> None:
    """A result that was moved to a file is read from there."""
    side = tmp_path / "a/tool-results/mcp-1.txt"
    side.parent.mkdir(parents=True)
    side.write_text("all of it", encoding="utf-8")
    one = session()
    one.call("t1", "mcp__x__y", q=1)
    one.result(
        "t1",
        "result (61,234 characters) exceeds maximum allowed tokens. Output has been saved to "
        "/gone/tool-results/mcp-1.txt.\nUse jq.",
        data=[],
    )
    (event,) = read_transcripts([one.write(tmp_path / "a.jsonl")]).events
    assert isinstance(event, OtherCall)
    assert event.output is not None
    assert event.output.text == "all of it"
    assert json.dumps(event.name) == '"mcp__x__y"'
