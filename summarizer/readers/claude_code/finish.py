"""Turns what the walk collected into the result: late joins, links to sub-agents, one order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from summarizer.model.events import AgentCall, CallState, Event, OtherCall, ReadResult, ShellCall
from summarizer.model.source import SourceFile
from summarizer.readers.claude_code.calls import build_event
from summarizer.readers.claude_code.context import Request
from summarizer.readers.claude_code.hooks import HookExecution, apply_hook, replaced_by_hook
from summarizer.readers.claude_code.merge import Stream, merge_streams
from summarizer.readers.claude_code.state import Slot, Walk

_RAN = frozenset({CallState.EXECUTED, CallState.BACKGROUNDED, CallState.ABORTED})


def finish(walk: Walk, sources: Sequence[SourceFile]) -> ReadResult:
    """The result of the walk over all files."""
    streams = [walk.main, *walk.agents.values()]
    for stream in streams:
        for index, slot in enumerate(stream):
            stream[index] = _completed(slot, walk)
    _apply_hooks(streams, walk)
    _link_agents(streams, walk)
    main = _events(walk.main)
    agents = [
        Stream(_events(stream), walk.agent_calls.get(agent_id))
        for agent_id, stream in walk.agents.items()
    ]
    tally, context = walk.tally, walk.context
    return ReadResult(
        format="claude-code",
        client="Claude Code",
        client_versions=tuple(tally.versions),
        session_ids=tuple(context.session_ids),
        files=(*sources, *context.side_sources.values()),
        events=merge_streams(main, agents),
        issues=context.issues.as_tuple(),
        cwds=tuple(tally.cwds),
        usage=tally.usage(),
        record_types=dict(tally.record_types),
        started_at=tally.started_at,
        ended_at=tally.ended_at,
    )


def _events(stream: list[Slot]) -> list[Event]:
    return [slot for slot in stream if not isinstance(slot, Request)]


def _completed(slot: Slot, walk: Walk) -> Event:
    """The event with what became known after its result, or with the lack of a result."""
    if isinstance(slot, Request):
        event = build_event(slot, None, walk.context)
        words = walk.interrupted.get(slot.call_id)
        if words is None:
            return event
        if isinstance(event, OtherCall):
            return replace(event, state=CallState.ABORTED)
        if isinstance(event, ShellCall):
            return replace(event, state=CallState.ABORTED, state_text=words)
        return event
    if isinstance(slot, ShellCall) and slot.call_id in walk.tasks:
        return walk.background.finish(slot, walk.tasks[slot.call_id])
    return slot


def _apply_hooks(streams: Sequence[list[Slot]], walk: Walk) -> None:
    """Gives each execution by a hook to the command that it replaced."""
    if not walk.hooks:
        return
    places: dict[str, tuple[list[Slot], int]] = {}
    for stream in streams:
        for index, slot in enumerate(stream):
            if isinstance(slot, ShellCall):
                places[slot.call_id] = (stream, index)
    waiting = [call_id for call_id, place in places.items() if _is_placeholder(place)]
    done: dict[str, HookExecution] = {}
    for execution, call_id in walk.hooks:
        target = call_id if call_id in places else _replaced_call(execution, waiting, places, done)
        if target is None or (target not in done and not _replaceable(places[target])):
            walk.context.issues.add(
                "hook_without_call",
                execution.ref.path,
                execution.ref.record,
                "a hook reports an execution, but no command it replaced was found",
            )
        elif target not in done:
            done[target] = execution
            stream, index = places[target]
            call = stream[index]
            if isinstance(call, ShellCall):
                stream[index] = apply_hook(call, execution)


def _is_placeholder(place: tuple[list[Slot], int]) -> bool:
    call = place[0][place[1]]
    return isinstance(call, ShellCall) and replaced_by_hook(call)


def _replaceable(place: tuple[list[Slot], int]) -> bool:
    """Whether a call printed nothing of its own that the report would hide."""
    call = place[0][place[1]]
    return _is_placeholder(place) or (isinstance(call, ShellCall) and not call.outputs)


def _replaced_call(
    execution: HookExecution,
    waiting: list[str],
    places: dict[str, tuple[list[Slot], int]],
    done: dict[str, HookExecution],
) -> str | None:
    """The first call with the placeholder output that fits and has no execution yet."""
    fallback = None
    for call_id in waiting:
        call = places[call_id][0][places[call_id][1]]
        if call_id in done or not isinstance(call, ShellCall):
            continue
        if call.command.strip() == execution.command.strip():
            return call_id
        fallback = fallback or call_id
    return fallback


def _link_agents(streams: Sequence[list[Slot]], walk: Walk) -> None:
    """Links calls to the sub-agents they started; reports those whose work is not visible."""
    by_call: dict[str, str] = {}
    for agent_id, call_id in walk.agent_calls.items():
        by_call.setdefault(call_id, agent_id)
    seen = {agent_id for agent_id, stream in walk.agents.items() if stream}
    seen.update(walk.inline_agents)
    linked = set(by_call.values())
    by_prompt: dict[str, list[str]] = {}
    for agent_id, prompt in walk.prompts.items():
        if agent_id not in linked:
            by_prompt.setdefault(prompt.strip(), []).append(agent_id)
    for stream in streams:
        for index, slot in enumerate(stream):
            if isinstance(slot, AgentCall):
                stream[index] = _linked(slot, by_call, by_prompt, seen, walk)


def _linked(
    call: AgentCall,
    by_call: dict[str, str],
    by_prompt: dict[str, list[str]],
    seen: set[str],
    walk: Walk,
) -> AgentCall:
    child = by_call.get(call.call_id) or call.child_agent_id
    if child is None:
        same = by_prompt.get(call.prompt.strip())
        child = same.pop(0) if same else None
        if child is not None:
            walk.agent_calls.setdefault(child, call.call_id)
    if child is None or child not in seen:
        if call.state in _RAN:
            walk.context.issues.add(
                "missing_subagent",
                call.ref.path,
                call.ref.record,
                f"sub-agent work not visible: no records of {child or 'the sub-agent'!r}",
                detail=call.call_id,
            )
        return replace(call, child_agent_id=child, child_seen=False)
    return replace(call, child_agent_id=child, child_seen=True)
