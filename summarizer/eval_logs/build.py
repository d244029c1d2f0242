"""Recognises a failed build; must not know the verification report.

A build failure prints compiler diagnostics and then the traceback of `build_ascendc.py`, or the
messages of cmake and make alone (wheel variant). Words such as "error" in paths or warnings prove
nothing, so only whole diagnostics count: `FILE:LINE[:COL]: error: ...`, `ld: error: ...`.

Source: output of GCC, Clang-based compilers (bisheng, ccec), GNU ld, CMake and Python.
"""

from __future__ import annotations

import re

from summarizer.eval_logs._lines import cite_whole
from summarizer.eval_logs._run import Judgement, RunText
from summarizer.eval_logs.crash import exception_lines
from summarizer.model.reports import Outcome
from summarizer.text.lines import Line

_DIAGNOSTIC = re.compile(
    r"(?:"
    r"[^\s:'\"][^:\n]{0,1000}:\d+(?::\d+)?: "
    r"(?:(?:fatal |internal compiler )?error|(?:致命)?错误)[:：]"
    r"|(?:\S*/)?(?:ccec|bisheng|clang(?:\+\+)?(?:-\d+)?|ld(?:\.\w+)?|lld|cc1(?:plus)?|collect2"
    r"|g\+\+|gcc|c\+\+|nvcc|cmake|llc|opc)(?:: \S+)?: (?:fatal )?(?:error|错误)[:：]"
    r"|(?:fatal )?error: "
    r"|CMake Error\b"
    r")"
)
_LINKER = re.compile(r"[^\n]{0,2000}?: undefined (?:reference to|symbol)[: ]")
_MAKE_FAILED = re.compile(r"(?:g?make(?:\[\d+\])?: \*\*\* |ninja: build stopped: )")
_BUILD_DONE = re.compile(r"\[build_ascendc\] Build completed: ")
_BUILD_TRACE = re.compile(r"\s+File \"[^\"]*build_ascendc\.py\", line \d+")
_BUILD_TOOL = re.compile(
    r"subprocess\.CalledProcessError: Command '?\[?'?(?:\S*/)?"
    r"(?:cmake|g?make|ninja|g\+\+|gcc|c\+\+|clang(?:\+\+)?|bisheng|ccec|ld)\b"
)
_MISSING_TOOL = re.compile(r"FileNotFoundError: \[Errno 2\] No such file or directory: '[^/']+'$")


def is_compiler_error(text: str) -> bool:
    """Whether a line is an error diagnostic of a compiler, a linker or CMake."""
    return bool(_DIAGNOSTIC.match(text) or _LINKER.match(text))


def judge_build(run: RunText) -> Judgement | None:
    """Return COMPILE_ERROR when the run shows a failed build, None when it does not."""
    diagnostics = [line for line in run.lines if is_compiler_error(line.text)]
    exceptions = exception_lines(run.lines)
    build_exception = _build_exception(run.lines, exceptions)
    if build_exception is not None and _MISSING_TOOL.match(build_exception.text):
        return Judgement(
            Outcome.ENVIRONMENT_ERROR, "missing_tool", error_lines=cite_whole([build_exception])
        )
    made = [line for line in run.lines if _MAKE_FAILED.match(line.text)]
    if not _build_failed(run.lines, diagnostics, made, build_exception):
        return None
    errors = cite_whole([*(diagnostics or made), *exceptions[-1:]])
    reason = "compiler_error" if diagnostics else "build_failed"
    return Judgement(Outcome.COMPILE_ERROR, reason, error_lines=errors)


def _build_failed(
    lines: tuple[Line, ...], diagnostics: list[Line], made: list[Line], exception: Line | None
) -> bool:
    """A completed build clears the diagnostics printed before it (probes of cmake)."""
    if exception is not None:
        return True
    done = max((line.start for line in lines if _BUILD_DONE.match(line.text)), default=-1)
    return any(line.start > done for line in diagnostics + made)


def _build_exception(lines: tuple[Line, ...], exceptions: list[Line]) -> Line | None:
    """The last exception, when it came out of the build script."""
    if not exceptions:
        return None
    last = exceptions[-1]
    if _BUILD_TOOL.match(last.text):
        return last
    begun = max(
        (line.start for line in lines if line.start < last.start and _is_trace_head(line.text)),
        default=-1,
    )
    through_build = any(
        begun < line.start < last.start and _BUILD_TRACE.match(line.text) for line in lines
    )
    return last if through_build else None


def _is_trace_head(text: str) -> bool:
    return text.endswith("Traceback (most recent call last):")
