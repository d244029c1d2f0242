"""Recognises that the evaluation script never began; must not know what it would have printed.

Source: messages of Bash, dash, zsh, coreutils and CPython for a program that cannot be started.
"""

from __future__ import annotations

import re

from summarizer.eval_logs._segment import split_runs
from summarizer.text.lines import split_lines

_REFUSED = (
    r"(?:No such file(?: or directory)?|command not found|not found|Permission denied"
    r"|Is a directory)"
)
_SHELL = r"(?:-?(?:/\S*/)?(?:ba|z|da|k|a)?sh|timeout|nohup|env|/usr/bin/env|nice|stdbuf): "
_FROM_SHELL = re.compile(
    rf"{_SHELL}(?:(?:line )?\d+: )?(?:(?:can't open|cannot open|failed to run command|exec) )?"
    rf"(?P<what>[^\n]{{1,4000}}?)['’\"]?: {_REFUSED}$"
)
_FROM_ZSH = re.compile(
    r"(?:\S*zsh:(?:\d+: )?)\s?(?:no such file or directory|command not found|permission denied): "
    r"(?P<what>[^\n]{1,4000})$"
)
_FROM_PYTHON = re.compile(
    r"\S*python\S*: can't open file '?(?P<what>[^\n]{1,4000}?)'?: \[Errno \d+\] "
)
_SCRIPT = re.compile(
    r"(?:evaluate_(?:tilelang|ascendc)|wrap-evaluate|verification_(?:tilelang|ascendc))"
)
_INTERPRETER = re.compile(r"['‘\"]?(?:\S*/)?(?:bash|sh|python[\d.]*|timeout|nohup)$")
_DIRECTORY_CHANGE = re.compile(r"cd: ")
_HINT = re.compile(
    r"no such file|not found|permission denied|is a directory|open file", re.IGNORECASE
)
"""Cheap test that spares most outputs the line by line one."""
_NOT_FOUND_EXITS = frozenset({126, 127})


def never_started(text: str, exit_code: int | None) -> str | None:
    """Return the line that proves that the evaluation script never began, verbatim.

    Args:
        text: Everything the command printed.
        exit_code: The command's exit code, None when unknown. With 126 or 127 a shell's message
            about any program counts: then the last command, or the one before `&&`, is missing.

    Returns:
        The message of the shell or of Python; None when there is none, or when anything of an
        evaluator's own output is in the text.
    """
    if _HINT.search(text) is None:
        return None
    lines = split_lines(text)
    if split_runs(lines):
        return None
    for line in lines:
        match = (
            _FROM_SHELL.match(line.text)
            or _FROM_ZSH.match(line.text)
            or _FROM_PYTHON.match(line.text)
        )
        if match is None:
            continue
        what = match["what"]
        if (
            _SCRIPT.search(what)
            or _INTERPRETER.match(what)
            or _DIRECTORY_CHANGE.match(what)
            or exit_code in _NOT_FOUND_EXITS
        ):
            return line.text
    return None
