"""The walk's rules for shell calls: runs, attempts, checks, measurements, shown files."""

from __future__ import annotations

import re

from summarizer.facts.builders import RunBuilder
from summarizer.facts.commands import ScriptCall, file_operations, join_path, script_call
from summarizer.facts.runs import combined_output, degeneration_check, first_line
from summarizer.facts.shell import ShellStep, parse_command
from summarizer.facts.walk import Measurement, RunFile, Walk
from summarizer.facts.walk_files import apply_operation
from summarizer.facts.walk_unseen import apply_directory, is_uncertain, note_uncertain, note_unseen
from summarizer.model.events import CallState, FileRead, ShellCall
from summarizer.model.facts import Attempt
from summarizer.model.reports import EvalReport

_READERS = {"cat": "full", "tail": "tail", "head": "head", "less": "full", "more": "full"}
"""Commands that show a file, and which part of it."""

_OPERATION_FAILED = ("cp: ", "mv: ", "rm: ", "sed: ", "install: ")
"""How coreutils begin the message of a failed operation."""

_MATTERS = re.compile(
    r"evaluate_|wrap-evaluate|verification_|validate_|performance"
    r"|\b(?:cp|mv|install|rm|unlink|sed|tee|git|cat|tail|head|less|more)\b"
    r"|\b(?:python\w*|perl|ruby|node|patch|xargs|find)\b"
    r"|>(?!\s*(?:&|/dev/null))"
)

_NOT_RUN = {CallState.REFUSED, CallState.INVALID, CallState.NO_RESULT}


def on_shell(state: Walk, index: int, event: ShellCall) -> str | None:
    """Process a shell call; return a stage for it when it differs from the current one."""
    # Before the first run of a stage, most commands (ls, make ...) concern neither runs nor files
    # that are followed.
    matters = _MATTERS.search(event.command) or any(s.rounds for s in state.stages.values())
    steps = parse_command(event.command) if matters else ()
    calls = _our_calls(state, event, steps)
    if event.state in _NOT_RUN:
        for call in calls:
            _attempt(state, index, event, call, event.state.value, event.state_text)
        return None
    # Operations in front of the first call come before it, the others after it: a restoration
    # of the cases and the evaluation often share one command.
    first_call = calls[0].index if calls else len(steps)
    override = _operations(state, index, event, steps, range(first_call))
    override = _run_calls(state, index, event, steps, calls) or override
    after = range(first_call + 1, len(steps))
    override = _operations(state, index, event, steps, after) or override
    _shown_files(state, index, event, steps)
    # What an evaluation printed belongs to its stage, also when cases were restored before it.
    evaluates = any(call.role in {"evaluate", "direct"} for call in calls)
    return None if evaluates else override


def _operations(
    state: Walk, index: int, event: ShellCall, steps: tuple[ShellStep, ...], positions: range
) -> str | None:
    """Apply the file operations of some steps, in order; a failed program's are left out."""
    failed = {
        line.split(":", 1)[0]
        for line in combined_output(event)[0].split("\n")[:50]
        if line.startswith(_OPERATION_FAILED)
    }
    override = None
    for position in positions:
        step = steps[position]
        # `evaluate && cp a b` that failed never came to its copy.
        stopped = event.failed is True and position > 0 and step.guarded_by and positions.start > 0
        if step.name in failed or stopped:
            continue
        uncertain = is_uncertain(event, steps, position)
        operations = file_operations(step, position, event.cwd)
        for operation in operations:
            if uncertain and note_uncertain(state, event, step, operation):
                continue
            if not apply_directory(state, index, event, step, operation):
                override = apply_operation(state, index, event, operation) or override
        if script_call(step, position) is None:
            note_unseen(state, event, step, operations)
    return override


def _shown_files(state: Walk, index: int, event: ShellCall, steps: tuple[ShellStep, ...]) -> None:
    for step in steps:
        if step.name not in _READERS:
            continue
        for word in step.argv[1:]:
            if not word.startswith("-"):
                path = join_path(event.cwd, join_path(step.cwd, word))
                on_shown_file(state, index, path, event, _READERS[step.name])


def _our_calls(state: Walk, event: ShellCall, steps: tuple[ShellStep, ...]) -> list[ScriptCall]:
    calls = (script_call(step, position) for position, step in enumerate(steps))
    return [
        call for call in calls if call is not None and state.paths.is_target(call.target, event.cwd)
    ]


def _attempt(
    state: Walk, index: int, event: ShellCall, call: ScriptCall, reason: str, text: str
) -> None:
    if call.role not in {"evaluate", "direct"} or call.kind is None:
        return
    stage = state.stage(call.kind)
    stage.touch(index)
    state.current = stage.name
    stage.work.attempts.append(
        Attempt.model_validate({
            "command": event.command,
            "reason": reason,
            "text": first_line(text),
            "before_round": len(stage.rounds) + 1,
            "evidence": state.pointer(event.result_ref or event.ref, event.call_id),
        })
    )


def _run_calls(
    state: Walk,
    index: int,
    event: ShellCall,
    steps: tuple[ShellStep, ...],
    calls: list[ScriptCall],
) -> str | None:
    override = None
    evaluations = [call for call in calls if call.role in {"evaluate", "direct"}]
    for call in calls:
        if call.role == "check" and call.kind is not None:
            check = degeneration_check(event, call, len(calls) == 1)
            stage = state.stage(call.kind)
            stage.touch(index)
            state.current = stage.name
            if check is not None:
                pointer = state.pointer(event.result_ref or event.ref, event.call_id)
                stage.work.checks.append(check.model_copy(update={"evidence": pointer}))
        elif call.role == "performance":
            state.measurements.append(Measurement(event, call, index, len(state.states)))
            override = "performance"
    if evaluations:
        _evaluate(state, index, event, steps, evaluations)
        return None
    return override


def _evaluate(
    state: Walk,
    index: int,
    event: ShellCall,
    steps: tuple[ShellStep, ...],
    calls: list[ScriptCall],
) -> None:
    for call, reports, failure in state.runs.read(event, calls):
        if failure is not None:
            _attempt(state, index, event, call, failure.reason, failure.text)
        for report in reports:
            _add_run(state, index, event, steps, call, report)


def _add_run(
    state: Walk,
    index: int,
    event: ShellCall,
    steps: tuple[ShellStep, ...],
    call: ScriptCall,
    report: EvalReport,
) -> None:
    kind = call.kind or report.kind or "ascendc"
    _guess_full_validation(state, index, kind, report)
    stage = state.stage(kind)
    stage.touch(index)
    state.current = stage.name
    text_output = combined_output(event)[2]
    source = text_output.source if text_output is not None else event.result_ref or event.ref
    run = RunBuilder(
        call=event,
        kind="direct" if call.role == "direct" else "script",
        report=report,
        evidence=state.pointer(source, event.call_id),
        complete=combined_output(event)[1],
        order=index,
        run_index=stage.runs,
    )
    stage.work.drop_undone(state.files, state.paths.shown)
    stage.add_run(run, len(state.states))
    _note_run_files(state, event, steps, call, run, stage.name)
    states = {path: content for path, content in state.files.states.items()}
    state.snapshots.append((stage.name, len(stage.rounds), states))


def _guess_full_validation(state: Walk, index: int, kind: str, report: EvalReport) -> None:
    """A report over all original cases after reduced ones: the restoration was not visible."""
    total = report.cases_total
    if kind != "ascendc" or total is None or state.full or not state.backed_up:
        return
    if state.original_cases is not None and total == state.original_cases:
        if state.reduced_total is not None and state.reduced_total < total:
            state.full = True
            full = state.stages["full_validation"]
            full.touch(index)
            # The rewritten cases were this restoration.
            full.work.take_judging(state.stages["ascendc"].work)
    else:
        state.reduced_total = total


def _note_run_files(
    state: Walk,
    event: ShellCall,
    steps: tuple[ShellStep, ...],
    call: ScriptCall,
    run: RunBuilder,
    stage: str,
) -> None:
    """Remember the files that hold this run's output: redirects, tee, the harness's own logs."""
    for operation in file_operations(call.step, call.index, event.cwd):
        if operation.how == "redirect":
            state.run_files[operation.target] = RunFile(run, stage)
    if "tee" in call.step.piped_into:
        for position in range(call.index + 1, len(steps)):
            for operation in file_operations(steps[position], position, event.cwd):
                if steps[position].name == "tee":
                    state.run_files[operation.target] = RunFile(run, stage)
    for name in (f".last_{call.kind}_eval.log", f".last_{call.kind}_eval.summary"):
        state.run_files[join_path(state.paths.root, name)] = RunFile(run, stage)


def on_shown_file(
    state: Walk, index: int, path: str, event: FileRead | ShellCall, how: str = "full"
) -> None:
    """A file that a run of this session wrote is shown: it witnesses that run."""
    known = state.run_files.get(state.paths.resolve(path, None))
    if known is None:
        return
    text = ""
    if isinstance(event, FileRead):
        if event.output is None:
            return
        text, ref = event.output.text, event.output.source
        complete = event.output.completeness
    else:
        text, complete, output = combined_output(event)
        if output is None:
            return
        ref = output.source
    state.shown_run_files[index] = (known.stage, known.run.run_index)
    if known.run.report.outcome.is_verdict:
        return
    report = state.runs.reread(known.run.call, text, complete, how, known.stage)
    if report is not None and report.outcome.is_verdict:
        known.run.report = report
        known.run.complete = complete
        known.run.evidence = state.pointer(ref, event.call_id)
