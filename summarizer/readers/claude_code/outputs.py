"""Builds the `Output`s of a result, following stored outputs to their files."""

from __future__ import annotations

import re
from typing import Any

from summarizer.model.events import CallState, Output
from summarizer.model.source import Completeness
from summarizer.readers.claude_code.context import Context
from summarizer.readers.claude_code.results import RawResult, Status, printed_text
from summarizer.readers.claude_code.truncation import (
    OTHER_MARK,
    PERSISTED,
    TASK_MARK,
    failed_output,
    holds_all,
    persisted_preview,
    succeeded_output,
)

_NUMBERED = re.compile(r"^ {0,8}\d{1,9}(?:→|\t)", re.MULTILINE)
_EXCEEDS = re.compile(
    r"\A(?:Error: )?result \(([\d,]+) characters[^)]*\) exceeds maximum allowed tokens\. "
    r"Output has been saved to ([^\n]{1,4096}?)\.?(?:\n|\Z)"
)


def shell_outputs(result: RawResult, status: Status, context: Context) -> tuple[Output, ...]:
    """Everything the result says that the command printed; empty when it printed nothing."""
    if status.state in {CallState.REFUSED, CallState.INVALID, CallState.BACKGROUNDED}:
        return ()
    if result.is_error:
        kept = failed_output(result.text, status.prefix, result.version)
        return _output(result, kept.text, kept.completeness)
    if result.fields.get("isImage") is True:
        context.issues.add("image", result.ref.path, result.ref.record, "image output not read")
        return ()
    if is_persisted(result):
        return (persisted_output(result, context),)
    kept = succeeded_output(printed_text(result), result.version)
    return _output(result, kept.text, kept.completeness)


def _output(result: RawResult, text: str, completeness: Completeness) -> tuple[Output, ...]:
    if not text:
        return ()
    return (Output(text, completeness, result.ref, "result", result.timestamp),)


def is_persisted(result: RawResult) -> bool:
    """Whether the client stored the output in a file and shows only its beginning."""
    if isinstance(result.fields.get("persistedOutputPath"), str):
        return True
    return not result.is_error and PERSISTED.match(result.text) is not None


def persisted_output(result: RawResult, context: Context) -> Output:
    """A stored output: from the record when that holds all of it, else from the side file."""
    sentence = PERSISTED.match(result.text)
    fields = result.fields
    recorded = fields.get("persistedOutputPath")
    path = recorded if isinstance(recorded, str) else sentence[2].strip() if sentence else ""
    size = fields.get("persistedOutputSize")
    size = size if isinstance(size, int) else None
    stdout = fields.get("stdout")
    stdout = stdout if isinstance(stdout, str) else ""
    if stdout and holds_all(stdout, size, sentence[1] if sentence else None):
        return Output(stdout, Completeness.FULL, result.ref, "result", result.timestamp)
    side = context.side_file(path, result.ref.path)
    if side is not None:
        whole = size is None or side.source.bytes >= size
        completeness = Completeness.FULL if whole else Completeness.HEAD
        return Output(side.text, completeness, side.ref, "side_file", result.timestamp)
    context.issues.add(
        "missing_side_file",
        result.ref.path,
        result.ref.record,
        f"the full output is in {path!r}, which is not there; only its beginning is known",
        detail=path,
    )
    preview = persisted_preview(result.text)
    if len(stdout) > len(preview):
        return Output(stdout, Completeness.HEAD, result.ref, "result", result.timestamp)
    return Output(preview, Completeness.PREVIEW, result.ref, "result", result.timestamp)


def read_output(result: RawResult, requested: dict[str, Any], context: Context) -> Output | None:
    """The content of a file that the agent read; None when the result holds none."""
    if result.fields.get("type") == "file_unchanged":
        return None
    file = result.fields.get("file")
    content = file.get("content") if isinstance(file, dict) else None
    if isinstance(file, dict) and isinstance(content, str):
        completeness = _file_part(file)
        return Output(content, completeness, result.ref, "result", result.timestamp)
    if result.fields.get("type") == "image" or (result.images and not result.text):
        context.issues.add("image", result.ref.path, result.ref.record, "image not read")
        return None
    text = result.text
    start = text.rfind("<system-reminder>")
    if start >= 0 and text.rstrip().endswith("</system-reminder>"):
        text = text[:start].rstrip("\n")
    text = _NUMBERED.sub("", text)
    if not text:
        return None
    partial = requested.get("offset") is not None or requested.get("limit") is not None
    completeness = Completeness.UNKNOWN if partial else Completeness.FULL
    return Output(text, completeness, result.ref, "result", result.timestamp)


def _file_part(file: dict[str, Any]) -> Completeness:
    first, count, total = file.get("startLine"), file.get("numLines"), file.get("totalLines")
    if not (isinstance(count, int) and isinstance(total, int)):
        return Completeness.UNKNOWN
    first = first if isinstance(first, int) else 1
    if count >= total:
        return Completeness.FULL
    if first <= 1:
        return Completeness.HEAD
    return Completeness.TAIL if first + count > total else Completeness.UNKNOWN


def other_output(result: RawResult, context: Context) -> Output | None:
    """The text of any other tool; None when it gave none."""
    if is_persisted(result):
        return persisted_output(result, context)
    if result.images:
        context.issues.add("image", result.ref.path, result.ref.record, "image not read")
    if not result.text:
        return None
    stored = _EXCEEDS.match(result.text)
    if stored is not None:
        side = context.side_file(stored[2].strip(), result.ref.path)
        if side is not None:
            return Output(side.text, Completeness.FULL, side.ref, "side_file", result.timestamp)
        context.issues.add(
            "missing_side_file",
            result.ref.path,
            result.ref.record,
            f"the full result is in {stored[2]!r}, which is not there",
            detail=stored[2],
        )
        return Output(result.text, Completeness.PREVIEW, result.ref, "result", result.timestamp)
    cut = OTHER_MARK.search(result.text[-300:]) or TASK_MARK.match(result.text)
    completeness = Completeness.HEAD if cut else Completeness.FULL
    return Output(result.text, completeness, result.ref, "result", result.timestamp)
