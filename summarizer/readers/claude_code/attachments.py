"""Texts inside `attachment` records."""

from __future__ import annotations

import json
from typing import Any

from summarizer.readers.claude_code.hooks import MARK
from summarizer.readers.claude_code.lines import JsonObject
from summarizer.readers.claude_code.results import block_text


def attachment_text(attachment: JsonObject) -> str:
    """Name and text of a file that the client showed to the model again."""
    name = attachment.get("filename")
    content: Any = attachment.get("snippet", attachment.get("content"))
    if isinstance(content, dict):
        file = content.get("file")
        content = file.get("content") if isinstance(file, dict) else content.get("text")
    if not isinstance(content, str) or not content:
        return ""
    return f"{name}\n{content}" if isinstance(name, str) else content


def hook_texts(attachment: JsonObject) -> list[str]:
    """What a hook said: its context, its error, and what it printed; each text once."""
    texts: list[str] = []
    content = attachment.get("content")
    items = content if isinstance(content, list) else [content]
    texts += [one if isinstance(one, str) else block_text(one) for one in items]
    error = attachment.get("blockingError")
    if isinstance(error, dict):
        error = error.get("blockingError")
    texts.append(error if isinstance(error, str) else "")
    for key in ("stdout", "stderr"):
        printed = attachment.get(key)
        if isinstance(printed, str):
            texts.append(_hook_context(printed))
    stripped = [one.strip("\n") for one in texts]
    return list(dict.fromkeys(one for one in stripped if one))


def _hook_context(printed: str) -> str:
    """The context inside the JSON that a hook prints, when it reports an execution."""
    if MARK not in printed:
        return printed
    try:
        value = json.loads(printed, strict=False)
    except (ValueError, RecursionError):
        return printed
    specific = value.get("hookSpecificOutput") if isinstance(value, dict) else None
    context = specific.get("additionalContext") if isinstance(specific, dict) else None
    return context if isinstance(context, str) else printed
