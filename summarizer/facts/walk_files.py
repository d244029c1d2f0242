"""The walk's rules for changed files, by file tools and by shell commands."""

from __future__ import annotations

from summarizer.facts.builders import StageBuilder
from summarizer.facts.changes import count_lines, describe_change, describe_fragments, outline
from summarizer.facts.commands import FileOperation
from summarizer.facts.files import ABSENT, State, same_state
from summarizer.facts.paths import (
    Owner,
    is_backup_of,
    is_case_file,
    is_evaluated,
    is_judging,
    is_trace,
    stage_of,
)
from summarizer.facts.runs import first_line
from summarizer.facts.walk import CaseEvent, LoggedState, Walk
from summarizer.model.events import CallState, FileChange, ShellCall
from summarizer.model.facts import ApiChange, ChangedFile, FailedEdit


def on_change(state: Walk, index: int, event: FileChange) -> str | None:
    """Process a file tool's change; return a stage that differs from the current one, if any."""
    path = state.paths.resolve(event.path, None)
    relative = state.paths.relative(path)
    if relative is not None and is_trace(relative):
        return None
    owner = stage_of(relative) if relative is not None else None
    if event.state is not CallState.EXECUTED:
        _failed_edit(state, index, event, relative, owner)
        return None
    before, after = state.files.apply_change(event, path)
    if owner == "cases" and relative is not None:
        state.cases.append(CaseEvent("rewrite", relative or path, index, event))
        if state.full:
            # Cases written anew after the full set was back: they are reduced again.
            state.full = False
        elif is_judging(state.paths.root, relative):
            change = _changed_file(state, event, path, before, after)
            if _judging_change(state, index, path, before, after, change):
                return None
        return "cases"
    stage = enter_stage(state, index, owner)
    if stage is None:
        return None
    change = _changed_file(state, event, path, before, after)
    _record_change(state, stage, index, path, before, after, change)
    return None


def _failed_edit(
    state: Walk, index: int, event: FileChange, relative: str | None, owner: Owner | None
) -> None:
    if event.state is not CallState.INVALID or relative is None:
        return
    stage = enter_stage(state, index, owner)
    if stage is None:
        return
    stage.work.failed_edits.append(
        FailedEdit(
            path=relative,
            message=first_line(event.state_text),
            evidence=state.pointer(event.result_ref or event.ref, event.call_id),
        )
    )


def enter_stage(state: Walk, index: int, owner: Owner | None) -> StageBuilder | None:
    """Make the stage of a file the current one."""
    if owner is None or owner == "cases":
        return state.stages[state.current] if state.current is not None else None
    stage = state.stage(owner)
    stage.touch(index)
    state.current = stage.name
    return stage


def _changed_file(
    state: Walk, event: FileChange, path: str, before: State, after: State
) -> ChangedFile:
    relative = state.paths.relative(path)
    counts = relative is not None and is_evaluated(relative) and not same_state(before, after)
    changes: tuple[ApiChange, ...] = ()
    added = removed = None
    shape = None
    if relative is None:
        # A file of somebody else is named, not described.
        pass
    elif isinstance(after, str) and not isinstance(before, str) and event.content is not None:
        shape = outline(after, path)
    elif isinstance(before, str) and isinstance(after, str):
        changes = describe_change(before, after, path)
        added, removed = count_lines(before, after)
    elif event.edits:
        changes = describe_fragments(((old, new) for old, new, _ in event.edits), path)
    return ChangedFile(
        path=state.paths.shown(path),
        how=event.how,
        created=event.created if event.created is not None else before is ABSENT or None,
        restores_round=_restored_round(state, path, after) if counts else None,
        counts=counts,
        content_known=True,
        outline=shape,
        changes=changes,
        lines_added=added,
        lines_removed=removed,
        agent_id=event.agent_id,
        evidence=state.pointer(event.ref, event.call_id),
    )


def _restored_round(state: Walk, path: str, after: State) -> int | None:
    """The last round at whose end the file had this very content, in the current stage."""
    for stage, number, states in reversed(state.snapshots):
        known = states.get(path)
        if stage == state.current and known is not None and same_state(known, after):
            return number
    return None


def _record_change(
    state: Walk,
    stage: StageBuilder,
    index: int,
    path: str,
    before: State,
    after: State,
    change: ChangedFile,
) -> None:
    stage.work.changes.append(change)
    if change.counts:
        stage.work.before.setdefault(path, before)
        state.states.append(LoggedState(path, after, index, stage.name))


def apply_operation(
    state: Walk,
    index: int,
    event: ShellCall,
    operation: FileOperation,
) -> str | None:
    """Apply one file operation of a shell command; return a stage that differs, if any."""
    path = state.files.target_of(operation)
    relative = state.paths.relative(path)
    source = operation.source
    before, after = state.files.apply_operation(operation)
    state.run_files.pop(path, None)
    if relative is None or is_trace(relative):
        return None
    if is_case_file(relative):
        was_full, cases = state.full, len(state.cases)
        override = _on_case_file(state, index, event, path, source)
        restored = any(case.what != "rewrite" for case in state.cases[cases:])
        if not restored and state.full is was_full and is_judging(state.paths.root, relative):
            change = _shell_change(state, event, operation, path, before, after)
            if change is not None and _judging_change(state, index, path, before, after, change):
                return None
        return override
    owner = stage_of(relative)
    if owner == "ascendc" and not is_evaluated(relative):
        owner = None
    stage = enter_stage(state, index, owner)
    if stage is None:
        return None
    change = _shell_change(state, event, operation, path, before, after)
    if change is not None:
        _record_change(state, stage, index, path, before, after, change)
    return None


def _judging_change(
    state: Walk, index: int, path: str, before: State, after: State, change: ChangedFile
) -> bool:
    """Record that what the kernel is judged by changed after a run; return whether it did.

    Before the first run the cases are only prepared.
    """
    stage = state.stages[state.current] if state.current is not None else None
    if stage is None or not stage.rounds or same_state(before, after):
        return False
    change = change.model_copy(update={"counts": True, "judging": True})
    _record_change(state, stage, index, path, before, after, change)
    if path.endswith(".json"):
        # Other cases leave a verdict on the code as it is: no reason to call it stale.
        state.states[-1].stage = "cases"
    return True


def _on_case_file(
    state: Walk, index: int, event: ShellCall, path: str, source: str | None
) -> str | None:
    relative = state.paths.shown(path)
    if source is not None and is_backup_of(path, source):
        state.cases.append(CaseEvent("backup", relative, index, event))
        state.backed_up = True
        if not state.full and state.current is None:
            state.current = "tilelang"
        return "cases"
    if source is not None and is_backup_of(source, path) and source.endswith((".bak", ".orig")):
        state.cases.append(CaseEvent("restore", relative, index, event))
        state.full = True
        state.current = "full_validation"
        state.stages["full_validation"].touch(index)
        return None
    if state.backed_up:
        state.cases.append(CaseEvent("rewrite", relative, index, event))
        if state.full:
            state.full = False
            state.current = "ascendc"
    return "cases" if not state.full and state.current in {None, "tilelang"} else None


def _shell_change(
    state: Walk,
    event: ShellCall,
    operation: FileOperation,
    path: str,
    before: State,
    after: State,
) -> ChangedFile | None:
    relative = state.paths.shown(path)
    source = operation.source
    is_backup = source is not None and is_backup_of(path, source)
    counts = is_evaluated(relative) and not is_backup and not same_state(before, after)
    if not counts and not is_backup and operation.how not in {"copy", "move"}:
        return None
    changes: tuple[ApiChange, ...] = ()
    shape = None
    if counts and isinstance(after, str):
        if isinstance(before, str):
            changes = describe_change(before, after, path)
        else:
            shape = outline(after, path)
    return ChangedFile(
        path=relative,
        how=operation.how,
        created=True if before is ABSENT else None,
        from_path=state.paths.shown(source) if source is not None else None,
        restores_round=_restored_round(state, path, after) if counts else None,
        counts=counts,
        content_known=isinstance(after, str) or after is ABSENT,
        outline=shape,
        changes=changes,
        agent_id=event.agent_id,
        command=event.command,
        evidence=state.pointer(event.ref, event.call_id),
    )
