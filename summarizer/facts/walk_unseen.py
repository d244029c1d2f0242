"""The walk's rules for effects that no record shows: unknown tools, branches, whole directories.

Such a command is noted beside the runs; what it may have written is unknown from then on.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from summarizer.facts.builders import StageBuilder
from summarizer.facts.commands import FileOperation, join_path
from summarizer.facts.paths import is_case_file, is_evaluated
from summarizer.facts.shell import ShellStep
from summarizer.facts.unseen import is_inline, may_write, writes_anywhere
from summarizer.facts.walk import Walk
from summarizer.facts.walk_files import apply_operation
from summarizer.model.events import ShellCall
from summarizer.model.facts import UnseenChange

_ASSIGNMENTS = re.compile(r"\A(?:[A-Za-z_]\w*=(?:\"[^\"]*\"|'[^']*'|[^\s\"']*)\s+)+")


def is_uncertain(event: ShellCall, steps: Sequence[ShellStep], position: int) -> bool:
    """Whether nothing shows that a step ran: behind a test, `||`, or inside a branch."""
    step = steps[position]
    if step.conditional or step.alternative:
        return True
    # `[ -f x ] && cp a b` as the end of a command that succeeded: the test held.
    shown = event.failed is False and position == len(steps) - 1 and not step.in_loop
    return step.tested and not shown


def note_uncertain(
    state: Walk, event: ShellCall, step: ShellStep, operation: FileOperation
) -> bool:
    """Note an operation that may not have happened; return whether it is dealt with.

    Backups and restorations of cases are left to the walk: their evaluations show them.
    """
    path = state.files.target_of(operation)
    relative = state.paths.relative(path)
    if relative is not None and is_case_file(relative):
        return False
    touched = [path, *state.files.under(path)]
    if operation.how == "move" and operation.source is not None:
        touched.append(operation.source)
    for name in touched:
        state.files.forget(name)
        state.run_files.pop(name, None)
    if any(_is_ours(state, name) for name in touched):
        _add(state, event, step, names_target=True)
    return True


def apply_directory(
    state: Walk, index: int, event: ShellCall, step: ShellStep, operation: FileOperation
) -> bool:
    """Apply an operation on a whole directory; return whether it was one."""
    path, source = operation.target, operation.source
    inside = state.files.under(path)
    if operation.how == "delete":
        for name in inside:
            apply_operation(state, index, event, FileOperation("delete", name, index=index))
        if not inside and _holds_kernel(state, path):
            _add(state, event, step, names_target=True)
        return bool(inside)
    if operation.how not in {"copy", "move"} or source is None:
        return False
    moved = state.files.under(source) if operation.how == "move" else []
    if "*" in posixpath.basename(path):
        inside = state.files.under(posixpath.dirname(path))
    elif posixpath.splitext(path)[1] or posixpath.splitext(source)[1]:
        return False
    touched = [name for name in (*inside, *moved) if _is_ours(state, name)]
    if not touched and not _holds_kernel(state, path):
        return False
    for name in touched:
        state.files.forget(name)
    _add(state, event, step, names_target=True)
    return True


def note_unseen(
    state: Walk, event: ShellCall, step: ShellStep, operations: Sequence[FileOperation]
) -> None:
    """Note a step that may have changed the code without showing what it wrote."""
    if any(operation.how == "patch" for operation in operations) or not may_write(step):
        return
    known = [name for name in state.files.states if _is_ours(state, name)]
    text = "\n".join(step.argv)
    text += "\n" + (event.command if step.heredoc is None else step.heredoc)
    named = [name for name in known if posixpath.basename(name) in text]
    names_target = bool(named) or _reaches(state, event, step, text)
    if names_target:
        for name in named or known:
            state.files.forget(name)
    _add(state, event, step, names_target=names_target)


def _reaches(state: Walk, event: ShellCall, step: ShellStep, text: str) -> bool:
    """Whether a command without a file's name is likely to write in the output directory."""
    root = state.paths.root
    if is_inline(step):
        return posixpath.basename(root) in text
    cwd = join_path(event.cwd, step.cwd or "") if event.cwd or step.cwd else ""
    return writes_anywhere(step) and (
        not cwd.startswith("/") or (root + "/").startswith(cwd + "/") or cwd.startswith(root + "/")
    )


def _is_ours(state: Walk, path: str) -> bool:
    relative = state.paths.relative(path)
    return relative is not None and is_evaluated(relative)


def _holds_kernel(state: Walk, path: str) -> bool:
    return state.paths.relative(path.rstrip("/*")) in {".", "kernel"}


def _add(state: Walk, event: ShellCall, step: ShellStep, *, names_target: bool) -> None:
    stage = _stage(state)
    if stage is None:
        return
    stage.work.unseen.append(
        UnseenChange(
            command=_shown(event.command, step),
            names_target=names_target,
            evidence=state.pointer(event.ref, event.call_id),
        )
    )


def _stage(state: Walk) -> StageBuilder | None:
    """The stage whose next run the change would belong to; none before a first run."""
    if state.current is None:
        return None
    stage = state.stages[state.current]
    if stage.name == "full_validation" and not stage.rounds:
        stage = state.stages["ascendc"]
    return stage if stage.rounds else None


def _shown(command: str, step: ShellStep) -> str:
    """The first line of the step as written; of the whole command where a test decides."""
    # Assignments in front name no change, and may hold a secret.
    text = _ASSIGNMENTS.sub("", command[step.start :], 1)
    branch = step.conditional or step.alternative or step.tested
    if branch or not step.argv or not text.startswith(step.argv[0]):
        text = _ASSIGNMENTS.sub("", command.strip())
    return text.split("\n", 1)[0]
