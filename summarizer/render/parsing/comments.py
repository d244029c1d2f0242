"""Reads the comments that are meant for this tool; must not know rules.

Quoted text cannot forge them: code blocks, blockquotes and code spans are left aside, and a
provenance comment counts on the last line only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from summarizer.model.trace import Suppression
from summarizer.text.markdown import code_spans

_PROVENANCE = re.compile(r"<!-- (trace-recorder .*) -->\s*\Z")
_COMMENT = re.compile(r"(?<!\\)<!--\s{0,20}trace-recorder:\s{0,20}ignore\s([^<>]{1,1000}?)-->")
_CODE = re.compile(r"[A-Z]\d{0,3}\Z")


def read_provenance_comment(lines: Sequence[str]) -> str | None:
    """Return the content of the provenance comment on the last line, None without one.

    Args:
        lines: the lines of the file; blank ones may follow the comment.
    """
    last = next((line for line in reversed(lines) if line.strip()), "")
    match = _PROVENANCE.match(last)
    return match[1] if match is not None else None


def read_suppressions(lines: Sequence[str], quoted: Collection[int]) -> tuple[Suppression, ...]:
    """Return the comments that ask to leave findings out.

    A comment on a line of its own covers the next line, one behind a text its own line.

    Args:
        lines: the lines of the file.
        quoted: 0-based indices of lines in which a comment means nothing.
    """
    found = []
    for index, line in enumerate(lines):
        if index in quoted or "trace-recorder:" not in line:
            continue
        code = [(start, end) for start, end, _ in code_spans(line)]
        for match in _COMMENT.finditer(line):
            if any(start <= match.start() < end for start, end in code):
                continue
            codes, reason = _parted(match[1])
            if codes:
                alone = line.strip() == match[0]
                found.append(Suppression(index + (2 if alone else 1), codes, reason))
    return tuple(found)


def _parted(text: str) -> tuple[tuple[str, ...], str]:
    """Part `Q101, N204 reason` into codes and reason."""
    words = text.replace(",", " ").split()
    count = next((i for i, word in enumerate(words) if not _CODE.match(word)), len(words))
    if count == len(words):
        return tuple(words), ""
    return tuple(words[:count]), text[text.index(words[count]) :].strip()
