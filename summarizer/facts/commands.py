"""Says what the simple commands of a shell call mean for an operator task.

Turns ShellSteps into evaluator calls, checks, performance runs and file operations. Knows no
outcome: whether a call ran is decided from its result.

Source of the script names: the public AscendOpGenAgent harness and its forks.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from typing import Literal

from summarizer.facts.shell import ShellStep
from summarizer.facts.substitute import Substitution, substitutions

_INTERPRETERS = {"bash", "sh", "zsh", "dash", "source", "."}
_PYTHON = re.compile(r"python(?:\d(?:\.\d+)?)?$")

_EVALUATE = re.compile(r"evaluate_(tilelang|ascendc)\.sh$")
_WRAPPER = re.compile(r"wrap-evaluate\.sh$")
_DIRECT = re.compile(r"verification_(tilelang|ascendc)\.py$")
_CHECK = re.compile(r"validate_(tilelang|ascendc)_impl\.py$")
_PERFORMANCE = re.compile(r"(?:performance(?:_full_case)?\.py|evaluate_performance\.sh)$")

EvalKind = Literal["tilelang", "ascendc"]


@dataclass(frozen=True, slots=True)
class ScriptCall:
    """One call of a harness script inside a command line."""

    role: Literal["evaluate", "direct", "check", "performance"]
    kind: EvalKind | None
    """Which implementation; None for performance runs."""
    script: str
    """The script's path as written."""
    target: str | None
    """The task directory as written, made absolute with the line's `cd` where possible."""
    step: ShellStep
    index: int
    """0-based index of the step in its command line."""


@dataclass(frozen=True, slots=True)
class FileOperation:
    """One effect of a shell command on a file."""

    how: Literal["copy", "move", "redirect", "sed", "patch", "delete", "script"]
    target: str
    """Path as written, joined with the line's `cd`."""
    source: str | None = None
    """For copy and move."""
    content: str | None = None
    """The whole new text where the command line holds it (here-document, echo)."""
    append: bool = False
    substitutions: tuple[Substitution, ...] | None = None
    """What `sed -i` does, where that can be computed."""
    index: int = 0
    """0-based index of the step in its command line."""


def script_call(step: ShellStep, index: int) -> ScriptCall | None:
    """Return the harness script that this step runs, or None."""
    program, arguments = _program(step)
    if program is None or any(word in {"-h", "--help"} for word in arguments):
        return None
    base = posixpath.basename(program)
    if match := _EVALUATE.search(base):
        return _call("evaluate", match[1], program, _positional(arguments), step, index)
    if _WRAPPER.search(base):
        words = [word for word in arguments if not word.startswith("-")]
        if words and words[0] in {"tilelang", "ascendc"}:
            target = words[1] if len(words) > 1 else None
            return _call("evaluate", words[0], program, target, step, index)
        return None
    if match := _DIRECT.search(base):
        return _call("direct", match[1], program, _positional(arguments), step, index)
    if match := _CHECK.search(base):
        return _call("check", match[1], program, _positional(arguments), step, index)
    if _PERFORMANCE.search(base):
        target = _option(arguments, "--output_dir") or _positional(arguments)
        return _call("performance", None, program, target, step, index)
    return None


def _call(
    role: Literal["evaluate", "direct", "check", "performance"],
    kind: str | None,
    script: str,
    target: str | None,
    step: ShellStep,
    index: int,
) -> ScriptCall:
    known: EvalKind | None = None
    if kind == "tilelang":
        known = "tilelang"
    elif kind == "ascendc":
        known = "ascendc"
    joined = join_path(step.cwd, target) if target is not None else None
    return ScriptCall(role, known, script, joined, step, index)


def _program(step: ShellStep) -> tuple[str | None, tuple[str, ...]]:
    """The script that is really run, behind an interpreter and its options."""
    if not step.argv:
        return None, ()
    name = step.name
    if name in _INTERPRETERS or _PYTHON.match(name):
        for index, word in enumerate(step.argv[1:], 1):
            if word in {"-c", "-"}:
                return None, ()
            if word == "-m":
                module = step.argv[index + 1] if index + 1 < len(step.argv) else ""
                return module.replace(".", "/") + ".py", step.argv[index + 2 :]
            if not word.startswith("-"):
                return word, step.argv[index + 1 :]
        return None, ()
    return step.argv[0], step.argv[1:]


def _positional(arguments: tuple[str, ...]) -> str | None:
    return next((word for word in arguments if not word.startswith("-")), None)


def _option(arguments: tuple[str, ...], name: str) -> str | None:
    for index, word in enumerate(arguments):
        if word == name and index + 1 < len(arguments):
            return arguments[index + 1]
        if word.startswith(name + "="):
            return word[len(name) + 1 :]
    return None


def join_path(base: str | None, path: str) -> str:
    """Join and normalise without touching the disk; `~` and `$` stay as written."""
    if path.startswith(("~", "$")):
        return path
    return posixpath.normpath(posixpath.join(base or "", path))


def file_operations(step: ShellStep, index: int, cwd: str | None) -> list[FileOperation]:
    """Return what a step does to files, in order.

    Args:
        step: one simple command.
        index: its 0-based index in the command line.
        cwd: directory in which the command line was started.
    """
    base = join_path(cwd, step.cwd) if step.cwd else cwd
    operations: list[FileOperation] = []
    handler = _OPERATIONS.get(step.name)
    if handler is not None:
        operations.extend(handler(step, base, index))
    operations.extend(_redirections(step, base, index))
    return operations


def _words(step: ShellStep) -> list[str]:
    words = [word for word in step.argv[1:] if not (word.startswith("-") and len(word) > 1)]
    return words


def _copy(step: ShellStep, base: str | None, index: int) -> list[FileOperation]:
    how: Literal["copy", "move"] = "move" if step.name == "mv" else "copy"
    words = _words(step)
    if len(words) < 2:
        return []
    *sources, target = words
    into_directory = len(sources) > 1 or target.endswith("/") or target in {".", ".."}
    operations = []
    for source in sources:
        place = target
        if into_directory:
            place = posixpath.join(target, posixpath.basename(source))
        operations.append(
            FileOperation(how, join_path(base, place), join_path(base, source), index=index)
        )
    return operations


def _remove(step: ShellStep, base: str | None, index: int) -> list[FileOperation]:
    return [FileOperation("delete", join_path(base, word), index=index) for word in _words(step)]


def _sed(step: ShellStep, base: str | None, index: int) -> list[FileOperation]:
    if not any(re.match(r"-[a-zA-Z]*i|--in-place", word) for word in step.argv[1:]):
        return []
    files: list[str] = []
    has_script = False
    skip = False
    for word in step.argv[1:]:
        if skip or word in {"-e", "-f", "--expression", "--file"}:
            has_script = True
            skip = not skip
        elif not word.startswith("-"):
            files.append(word)
    if not has_script:
        files = files[1:]
    known = substitutions(step.argv[1:])
    return [
        FileOperation("sed", join_path(base, word), substitutions=known, index=index)
        for word in files
    ]


def _tee(step: ShellStep, base: str | None, index: int) -> list[FileOperation]:
    append = any(word in {"-a", "--append"} for word in step.argv)
    return [
        FileOperation("redirect", join_path(base, word), append=append, index=index)
        for word in _words(step)
    ]


def _git(step: ShellStep, base: str | None, index: int) -> list[FileOperation]:
    """`git checkout -- FILE`, `git restore FILE`: the old content is in no source."""
    if len(step.argv) < 3 or step.argv[1] not in {"checkout", "restore"}:
        return []
    files = [word for word in step.argv[2:] if not word.startswith("-")]
    return [
        FileOperation("patch", join_path(base, word), index=index)
        for word in files
        if "." in posixpath.basename(word)
    ]


def _redirections(step: ShellStep, base: str | None, index: int) -> list[FileOperation]:
    operations = []
    for redirect in step.redirects:
        if ">" not in redirect.operator or not redirect.target:
            continue
        if redirect.target.startswith(("&", "/dev/")) or re.fullmatch(r"\d+|-", redirect.target):
            continue
        append = ">>" in redirect.operator
        content = step.heredoc if step.name == "cat" and len(step.argv) == 1 else None
        operations.append(
            FileOperation(
                "redirect",
                join_path(base, redirect.target),
                content=content,
                append=append,
                index=index,
            )
        )
    return operations


_OPERATIONS = {
    "cp": _copy,
    "mv": _copy,
    "install": _copy,
    "rm": _remove,
    "unlink": _remove,
    "sed": _sed,
    "tee": _tee,
    "git": _git,
}
