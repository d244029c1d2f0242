"""Which files are read, what is refused, and how copies and sub-agents are put together."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path

import pytest

from summarizer.errors import InputError
from summarizer.model.events import (
    AgentCall,
    AssistantMessage,
    CallState,
    InjectedText,
    OtherCall,
    ShellCall,
    UserMessage,
)
from summarizer.readers import READERS, read_transcripts, sniff_format


def kinds(result):
    return [type(event).__name__ for event in result.events]


def shells(result):
    return [event for event in result.events if isinstance(event, ShellCall)]


def issue_kinds(result):
    return {issue.kind: issue.count for issue in result.issues}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\n \r\n\0\0", "is empty"),
        (b"hello\nworld\n", "no known transcript format"),
        (b'{"a": 1}\n', "no known transcript format"),
        (b'{"type":"session_meta","timestamp":"x","payload":{}}\n', "no known transcript format"),
        (
            b'{"uuid":"1","sessionId":"s","type":"user","message":{"parts":[]}}\n',
            "no known transcript format",
        ),
        (b'{"type":"mode","sessionId":"s"}\n' * 30, "parse failure"),
    ],
)
def test_unusable_file_is_refused_by_name(tmp_path: Path, content: bytes, words: str) -> None:
    """A file that holds no session raises InputError with its name and the reason."""
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        read_transcripts([path])
    assert str(path) in str(caught.value)


def test_missing_directory_device_and_no_path_are_refused(tmp_path: Path) -> None:
    """What is no regular file raises InputError at once, a FIFO included."""
    fifo = tmp_path / "fifo.jsonl"
    os.mkfifo(fifo)
    for path in (tmp_path / "absent.jsonl", tmp_path, fifo, tmp_path / "nul\0.jsonl"):
        with pytest.raises(InputError, match=re.escape(str(path.name)[:3])):
            read_transcripts([path])
    with pytest.raises(InputError, match="--transcript"):
        read_transcripts([])


def test_format_is_recognised_by_content(tmp_path: Path, session) -> None:
    """A session is recognised under any name, also when its first record is megabytes long."""
    path = tmp_path / "log.txt"
    one = session()
    one.user("x" * 2_000_000)
    one.write(path)
    assert sniff_format(path) == "claude-code" == READERS[0].name


def test_snapshot_digest_is_that_of_the_bytes_read(tmp_path: Path, session) -> None:
    """The source entry has digest and length of the file."""
    one = session()
    one.user("hi")
    path = one.write(tmp_path / "a.jsonl")
    source = read_transcripts([path]).files[0]
    data = path.read_bytes()
    assert (source.sha256, source.bytes) == (hashlib.sha256(data).hexdigest(), len(data))


def test_fork_is_read_once_and_order_of_naming_does_not_matter(tmp_path: Path, session) -> None:
    """Records with the same ids in two files count once, from the earlier file."""
    first = session()
    first.user("go")
    first.call("t1", command="make")
    first.result("t1", "ok")
    first.say("done")
    fork = session(sessionId="s2")
    fork.records = [{**one, "sessionId": "s2"} for one in first.records[1:]]
    fork.add("user", message={"content": "more"}, uuid="n1", timestamp="2026-12-01T09:00:00.000Z")
    a, b = first.write(tmp_path / "b.jsonl"), fork.write(tmp_path / "a.jsonl")
    for paths in ([a, b], [b, a]):
        result = read_transcripts(paths)
        assert kinds(result) == ["UserMessage", "ShellCall", "AssistantMessage", "UserMessage"]
        assert shells(result)[0].ref.path == str(a)
        assert result.session_ids == ("s1", "s2")
        assert issue_kinds(result)["replayed"] == 3


def test_fork_with_rewritten_ids_counts_once(read, session) -> None:
    """A copy with new record ids is known by `forkedFrom`, or by time and call id."""
    first = session()
    first.user("go")
    first.call("t1", command="make")
    first.result("t1", "ok")
    first.say("done")
    for with_origin in (True, False):
        fork = session(sessionId="s2")
        for one in first.records:
            copy = {**one, "sessionId": "s2", "uuid": f"new-{one['uuid']}"}
            if with_origin:
                copy["forkedFrom"] = {"sessionId": "s1", "messageUuid": one["uuid"]}
            fork.records.append(copy)
        assert kinds(read(first, fork)) == ["UserMessage", "ShellCall", "AssistantMessage"]


def test_result_in_the_resumed_file_is_joined(read, session) -> None:
    """A call whose result only the later copy holds is complete."""
    running = session()
    running.user("go")
    running.call("t1", command="make")
    later = session()
    later.records = list(running.records)
    later.result("t1", "ok")
    (call,) = shells(read(running, later))
    assert (call.state, call.exit_code) == (CallState.EXECUTED, 0)


def test_reused_call_id_is_a_call_of_its_own(read, session) -> None:
    """Ids that a model server counts from one again do not swallow a later call."""
    one = session()
    for text in ("first", "second"):
        one.call("call_1", command=text)
        one.result("call_1", text)
    result = read(one)
    assert [(call.command, call.outputs[0].text) for call in shells(result)] == [
        ("first", "first"),
        ("second", "second"),
    ]
    assert len({call.call_id for call in shells(result)}) == 2
    assert issue_kinds(result) == {"reused_call_id": 1, "still_growing": 1}


def test_orphan_and_second_results_are_counted(read, session) -> None:
    """A result without a call is kept as an event; a second result of one call is an issue."""
    one = session()
    one.result("lost", "text")
    one.call("t1", command="ls")
    one.result("t1", "a")
    one.result("t1", "b")
    result = read(one)
    assert issue_kinds(result) == {"orphan_result": 1, "second_result": 1, "still_growing": 1}
    orphan = result.events[0]
    assert isinstance(orphan, OtherCall)
    assert orphan.output is not None
    assert orphan.output.text == "text"


def test_call_open_at_an_interrupt_is_aborted(read, session) -> None:
    """Calls without result are aborted when the interrupt follows, else without result."""
    one = session()
    one.call("t1", command="sleep 9")
    one.user("[Request interrupted by user for tool use]")
    one.call("t2", command="sleep 9")
    assert [call.state for call in shells(read(one))] == [CallState.ABORTED, CallState.NO_RESULT]


def test_rejection_without_anybody_to_reject_is_an_abort(read, session) -> None:
    """In a headless session the words of a rejection mean an interrupt."""
    words = "The user doesn't want to proceed with this tool use. STOP"
    for entrypoint, state in (("cli", CallState.REFUSED), ("sdk-cli", CallState.ABORTED)):
        one = session(entrypoint=entrypoint)
        one.call("t1", command="make")
        one.result("t1", words, error=True)
        (call,) = shells(read(one))
        assert (call.state, call.outputs, call.state_text) == (state, (), words)


def agent_record(number: int, kind: str, second: int, content, **fields):
    return {
        "type": kind,
        "uuid": f"a{number}",
        "sessionId": "s1",
        "isSidechain": True,
        "timestamp": f"2026-12-01T08:00:{second:02d}.000Z",
        "message": {"model": "m", "role": kind, "content": content},
        **fields,
    }


def agent_lines(seconds: list[int]) -> list[dict]:
    tool = {"type": "tool_use", "id": "ta", "name": "Bash", "input": {"command": "pwd"}}
    done = {"type": "tool_result", "tool_use_id": "ta", "content": "/w"}
    return [
        agent_record(1, "user", seconds[0], "look around"),
        agent_record(2, "assistant", seconds[1], [tool]),
        agent_record(3, "user", seconds[2], [done]),
        agent_record(4, "assistant", seconds[3], [{"type": "text", "text": "fine"}]),
    ]


def put(path: Path, records: list[dict]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


def parent(session, *, agent_id: str | None = "x1"):
    one = session()
    one.user("go")
    one.call("t1", "Task", prompt="look around", description="d")
    data = {"content": [{"type": "text", "text": "fine"}]}
    if agent_id:
        data["agentId"] = agent_id
    one.result("t1", "fine", data=data)
    one.say("done")
    return one


@pytest.mark.parametrize(
    "place",
    [
        "a/subagents/agent-x1.jsonl",
        "s1/subagents/agent-x1.jsonl",
        "agent-x1.jsonl",
        "a/subagents/workflows/run-1/agent-x1.jsonl",
        "subagents/agent-x1.jsonl",
    ],
)
@pytest.mark.parametrize("agent_id", ["x1", None])
def test_subagent_is_found_and_merged_inside_its_call(
    tmp_path: Path, session, place: str, agent_id: str | None
) -> None:
    """All layouts of sub-agent files are found; links by id or, without one, by prompt."""
    put(tmp_path / place, agent_lines([2, 2, 3, 3]))
    put(tmp_path / "a/subagents/agent-acompact-1.jsonl", agent_lines([2, 2, 3, 3]))
    result = read_transcripts([parent(session, agent_id=agent_id).write(tmp_path / "a.jsonl")])
    assert kinds(result) == [
        "UserMessage",
        "AgentCall",
        "InjectedText",
        "ShellCall",
        "AssistantMessage",
        "AssistantMessage",
    ]
    call = result.events[1]
    assert isinstance(call, AgentCall)
    assert (call.child_agent_id, call.child_seen) == ("x1", True)
    assert [event.agent_id for event in result.events] == [None, None, "x1", "x1", "x1", None]
    prompt = result.events[2]
    assert isinstance(prompt, InjectedText)
    assert prompt.kind == "prompt_of_subagent"
    assert [one.kind for one in result.files] == ["transcript", "subagent"]


def test_subagent_of_another_session_beside_the_file_is_left_alone(tmp_path: Path, session) -> None:
    """A sub-agent file beside the session belongs to it only by its session id."""
    foreign = [{**one, "sessionId": "other"} for one in agent_lines([2, 2, 3, 3])]
    put(tmp_path / "agent-x1.jsonl", foreign)
    result = read_transcripts([parent(session).write(tmp_path / "a.jsonl")])
    assert issue_kinds(result) == {"missing_subagent": 1}
    assert len(result.files) == 1


def test_meta_file_names_the_call(tmp_path: Path, session) -> None:
    """Two calls with equal prompts get their own sub-agents by the meta files."""
    one = session()
    one.user("go")
    one.call("t1", "Agent", prompt="look around")
    one.call("t2", "Agent", prompt="look around")
    path = one.write(tmp_path / "a.jsonl")
    for number, name in ((2, "y2"), (1, "y1")):
        lines = [
            {**one, "uuid": f"{name}-{one['uuid']}", "message": {"content": name}}
            for one in agent_lines([4, 5, 6, 7])[:1]
        ]
        put(tmp_path / f"a/subagents/agent-{name}.jsonl", lines)
        meta = tmp_path / f"a/subagents/agent-{name}.meta.json"
        meta.write_text(json.dumps({"toolUseId": f"t{number}"}), encoding="utf-8")
    calls = [one for one in read_transcripts([path]).events if isinstance(one, AgentCall)]
    assert [(one.call_id, one.child_agent_id) for one in calls] == [("t1", "y1"), ("t2", "y2")]


@pytest.mark.parametrize("with_file", [True, False])
def test_progress_records_do_not_double_a_subagent(
    tmp_path: Path, session, with_file: bool
) -> None:
    """A sub-agent repeated in progress records is counted once, with or without its file."""
    one = parent(session)
    for inner in agent_lines([2, 2, 3, 3]):
        data = {"type": "agent_progress", "agentId": "x1", "message": inner}
        one.add("progress", data=data, parentToolUseID="t1")
    path = one.write(tmp_path / "a.jsonl")
    if with_file:
        put(tmp_path / "a/subagents/agent-x1.jsonl", agent_lines([2, 2, 3, 3]))
    result = read_transcripts([path])
    assert len(shells(result)) == 1
    assert sum(isinstance(event, AssistantMessage) for event in result.events) == 2
    assert issue_kinds(result) == {}


def test_nested_subagent_comes_inside_its_parent(tmp_path: Path, session) -> None:
    """A sub-agent of a sub-agent stands after the call that started it."""
    outer = agent_lines([2, 3, 4, 9])
    outer[1]["message"]["content"][0] = {
        "type": "tool_use",
        "id": "tn",
        "name": "Agent",
        "input": {"prompt": "deeper"},
    }
    outer[2]["message"]["content"][0]["tool_use_id"] = "tn"
    outer[2]["toolUseResult"] = {"agentId": "x2", "content": []}
    inner = [{**one, "uuid": f"n{one['uuid']}"} for one in agent_lines([3, 3, 3, 4])]
    put(tmp_path / "a/subagents/agent-x1.jsonl", outer)
    put(tmp_path / "a/subagents/agent-x2.jsonl", inner)
    result = read_transcripts([parent(session).write(tmp_path / "a.jsonl")])
    calls = [index for index, one in enumerate(result.events) if isinstance(one, AgentCall)]
    nested = [index for index, one in enumerate(result.events) if one.agent_id == "x2"]
    assert len(calls) == 2
    assert nested
    assert min(nested) > calls[1]
    assert not issue_kinds(result)


def test_lines_are_split_at_newline_bytes_only(read, session) -> None:
    """U+2028, U+0085, form feeds and lone carriage returns do not end a record."""
    text = "a\u2028b\u0085c\x0bd\x0ce\rf"
    one = session()
    one.call("t1", command="x")
    one.result("t1", text)
    assert shells(read(one))[0].outputs[0].text == text


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        pytest.param(
            b'{"type":"user","sessionId":"s1","message":{"content":NaN}}',
            {"decoded_leniently"},
            id="NaN",
        ),
        pytest.param(b'{"a":' * 100_000, {"bad_json"}, id="open objects"),
        # Older orjson nests without a limit.
        pytest.param(
            b"[" * 100_000 + b"]" * 100_000, {"bad_json", "not_an_object"}, id="nested lists"
        ),
        pytest.param(b'{"type":"mode"}{"type":"mode"}', {"decoded_leniently"}, id="two records"),
        pytest.param(b'{"type":"mode"}{"type":', {"bad_json"}, id="one and a half"),
        pytest.param(
            b'{"type":"user","message":{"content":"tab\there"}}',
            {"decoded_leniently"},
            id="raw tab",
        ),
        pytest.param(b"\xff\xfe\xff", {"bad_json"}, id="not text"),
        # A number without an end is no text of the record: read, or refused by older Pythons.
        pytest.param(b'{"n":' + b"9" * 5_000 + b"}", {"bad_json", None}, id="long number"),
    ],
)
def test_odd_line_is_an_issue_and_no_crash(
    tmp_path: Path, session, line: bytes, kinds: set[str | None]
) -> None:
    """A line that is not plain JSON is counted and everything around it is read."""
    one = session()
    one.user("before")
    middle = one.bytes()
    path = tmp_path / "a.jsonl"
    path.write_bytes(
        middle
        + line
        + b"\n"
        + middle.replace(b"before", b"behind").replace(b"s1-00000001", b"s1-00000002")
    )
    result = read_transcripts([path])
    texts = [event.text for event in result.events if isinstance(event, UserMessage)]
    assert texts[0] == "before"
    assert texts[-1] == "behind"
    assert None in kinds or kinds & set(issue_kinds(result))


@pytest.mark.parametrize(
    ("last", "grows"),
    [("say", False), ("call", True), ("result", True), ("user", True)],
)
def test_unfinished_session_is_noted(read, session, last: str, grows: bool) -> None:
    """A session that does not end with the agent's answer may still be growing."""
    one = session()
    one.call("t1", command="x")
    if last in {"result", "say"}:
        one.result("t1", "y")
    if last == "say":
        one.say("done")
    if last == "user":
        one.user("and now?")
    assert ("still_growing" in issue_kinds(read(one))) is grows
