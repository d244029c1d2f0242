"""Recognises a verification that died without a report; must not know builds.

Source: CPython's traceback layout; Bash's and the C++ runtime's messages for fatal signals.
"""

from __future__ import annotations

import re

from summarizer.eval_logs._lines import cite_whole
from summarizer.eval_logs._run import Judgement, RunText
from summarizer.model.reports import Outcome
from summarizer.text.lines import Line

_TRACE_HEAD = re.compile(r"(?:.*)Traceback \(most recent call last\):$")
_EXCEPTION = re.compile(
    r"(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:Error|Exception|Interrupt|Exit|Warning|Timeout|Fault)(?::\s|$)"
)
_ANY_EXCEPTION = re.compile(r"(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:: |$)")
_SIGNAL = re.compile(
    r"(?:\S+: line \d+:\s+\d+ )?"
    r"(?:Segmentation fault|Aborted|Bus error|Illegal instruction|Floating point exception"
    r"|Trace/breakpoint trap)(?: |$)"
    r"|terminate called (?:after throwing|without an active exception)"
    r"|Fatal Python error: "
)
_KILLED = re.compile(r"(?:\S+: line \d+:\s+\d+ )?(?:Killed|Terminated)(?: |$)")
_SIGNAL_EXITS = frozenset(128 + number for number in (4, 6, 7, 8, 11))


def exception_lines(lines: tuple[Line, ...]) -> list[Line]:
    """Return the line that names the exception, one per traceback, in order.

    Where a traceback's beginning was cut off, a line that reads like an exception counts when
    nothing but an unindented line can follow it.
    """
    found: list[Line] = []
    inside = False
    for line in lines:
        text = line.text
        if _TRACE_HEAD.match(text):
            inside = True
        elif inside:
            if text[:1].isspace() or not text:
                continue
            inside = False
            if _ANY_EXCEPTION.match(text):
                found.append(line)
        elif _EXCEPTION.match(text):
            found.append(line)
    return found


def judge_crash(run: RunText) -> Judgement | None:
    """Return FAIL for a bare traceback or a fatal signal, None when there is neither."""
    exceptions = exception_lines(run.lines)
    if exceptions:
        last = exceptions[-1]
        lines = cite_whole([last])
        if last.text.startswith("KeyboardInterrupt"):
            return Judgement(Outcome.UNKNOWN, "interrupted", error_lines=lines)
        return Judgement(Outcome.FAIL, "traceback", error_lines=lines)
    signals = [line for line in run.lines if _SIGNAL.match(line.text)]
    if signals:
        cited = cite_whole(signals)
        return Judgement(Outcome.FAIL, "crash", error_lines=cited)
    return _from_exit(run)


def _from_exit(run: RunText) -> Judgement | None:
    killed = [line for line in run.lines if _KILLED.match(line.text)]
    if killed:
        cited = cite_whole(killed)
        return Judgement(Outcome.UNKNOWN, "killed", error_lines=cited)
    if run.started and run.has_end and run.exit_code in _SIGNAL_EXITS:
        return Judgement(Outcome.FAIL, "crash")
    return None
