"""The comment on a trace's last line: which tool wrote it from what, and a hash of the text.

Pure string work. A comment that stands anywhere but on the last line means nothing, so quoted
logs cannot forge it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

_COMMENT = re.compile(
    r"<!-- trace-recorder (?P<version>[\w.+-]+) profile=(?P<profile>[\w.-]+)"
    r" drafter=(?P<drafter>[^\s>]+) sources=(?P<sources>[\w:,.-]*)"
    r" text=sha256:(?P<text>[0-9a-f]{64}) -->\s*\Z"
)
_END = " -->\n"
_UNSAFE = re.compile(r"[^\w.:/+-]")


@dataclass(frozen=True, slots=True)
class Provenance:
    """A parsed provenance comment."""

    version: str
    profile: str
    drafter: str
    sources: tuple[str, ...]
    """`kind:first 16 hex digits of the sha256` per source."""
    text_sha256: str
    covered: str
    """What the hash covers: everything before its digits, the comment's other fields included."""
    intact: bool
    """Whether everything covered has the recorded hash, and nothing follows the comment."""


def stamp(
    body: str, version: str, profile: str, drafter: str, sources: Sequence[tuple[str, str]]
) -> str:
    """Return the body with its provenance comment appended as the last line.

    Args:
        body: the rendered trace.
        version: of this tool.
        profile: name of the layout.
        drafter: who worded the notes; characters that could end the comment are replaced.
        sources: (kind, hex sha256) of each file that was read.
    """
    body = body.rstrip("\n") + "\n\n"
    listed = ",".join(f"{kind}:{digest_of[:16]}" for kind, digest_of in sources)
    who = re.sub(r"-{2,}", "-", _UNSAFE.sub("-", drafter))
    covered = (
        f"{body}<!-- trace-recorder {version} profile={profile} drafter={who}"
        f" sources={listed} text=sha256:"
    )
    return f"{covered}{hash_text(covered)}{_END}"


def hash_text(covered: str) -> str:
    """Return the hex sha256 of what the hash covers."""
    return hashlib.sha256(covered.encode("utf-8", "surrogatepass")).hexdigest()


def read_provenance(text: str) -> Provenance | None:
    """Return the comment on the last line, None when there is none of ours."""
    match = _COMMENT.search(text)
    if match is None:
        return None
    covered = text[: match.start("text")]
    return Provenance(
        match["version"],
        match["profile"],
        match["drafter"],
        tuple(filter(None, match["sources"].split(","))),
        match["text"],
        covered,
        hash_text(covered) == match["text"] and text.endswith(match["text"] + _END),
    )
