"""Loads the frozen sessions and the rule cases."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from summarizer.model.evidence import Evidence, Witness
from summarizer.model.facts import Facts
from summarizer.model.source import Completeness, SourceRef
from summarizer.render.parse import parse_trace
from summarizer.text.provenance import hash_text, read_provenance, stamp
from validators import CheckContext

HERE = Path(__file__).parent
SESSIONS = HERE / "sessions"
CASES = HERE / "cases"
HANDWRITTEN = HERE / "handwritten"

_HEADER = re.compile(r"<!-- expect: (?P<expect>[^;]*?)(?P<rest>(?:; [a-z]+: [^;]*?)*) -->\n")
_EDIT = re.compile(
    r"<!-- replace -->\n(?P<old>.*?)<!-- with -->\n(?P<new>.*?)<!-- end -->\n", re.DOTALL
)


@dataclass(frozen=True)
class FrozenSession:
    """What is known of one recorded session, and its true trace."""

    trace: str
    facts: Facts
    evidence: tuple[Evidence, ...]


@functools.cache
def load_session(name: str) -> FrozenSession:
    """Read one folder of `sessions/`."""
    folder = SESSIONS / name
    items = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    return FrozenSession(
        trace=(folder / "trace.md").read_text(encoding="utf-8"),
        facts=Facts.model_validate_json((folder / "facts.json").read_text(encoding="utf-8")),
        evidence=tuple(_evidence(item) for item in items),
    )


def _evidence(item: dict[str, Any]) -> Evidence:
    return Evidence(
        id=item["id"],
        text=item["text"],
        witness=Witness(item["witness"]),
        completeness=Completeness(item["completeness"]),
        source=SourceRef(*item["source"]),
        stage=item["stage"],
        round_no=item["round_no"],
        agent_id=item["agent_id"],
    )


@dataclass(frozen=True)
class RuleCase:
    """One file of `cases/`: a trace (or edits of a session's true trace) and its codes."""

    path: Path
    expect: tuple[str, ...]
    """Codes of all findings, sorted, one per finding."""
    text: str
    session: FrozenSession | None
    """None when the case is checked without sources."""


def load_case(path: Path) -> RuleCase:
    """Read a case; every edit must fit exactly one place."""
    raw = path.read_text(encoding="utf-8")
    header = _HEADER.match(raw)
    assert header, f"{path}: no header"
    options = dict(part.split(": ", 1) for part in header["rest"].split("; ") if part)
    body = raw[header.end() :]
    session = load_session(options["session"]) if "session" in options else None
    edits = list(_EDIT.finditer(body))
    text = session.trace if session is not None and edits else body
    if options.get("stamp") == "before":
        text = _stamped(text)
    for edit in edits:
        times = text.count(edit["old"])
        assert times == 1, f"{path}: {edit['old']!r} is there {times} times"
        text = text.replace(edit["old"], edit["new"])
    if options.get("stamp") == "after":
        text = _stamped(text)
    expect = () if header["expect"] == "none" else tuple(header["expect"].split(", "))
    with_sources = options.get("sources") != "none"
    return RuleCase(path, expect, text, session if with_sources else None)


def _stamped(text: str) -> str:
    return stamp(text, "1.0.0", "T6", "offline", [])


def context_of(text: str, session: FrozenSession | None) -> CheckContext:
    """A context as the pipeline makes it."""
    return CheckContext(
        doc=parse_trace(text),
        facts=session.facts if session is not None else None,
        evidence=session.evidence if session is not None else (),
        provenance=read_provenance(text) is not None,
        hash_text=hash_text,
    )


@pytest.fixture(name="make_context", scope="session")
def _make_context() -> Callable[..., CheckContext]:
    return context_of


@pytest.fixture(name="frozen", scope="session")
def _frozen() -> Callable[[str], FrozenSession]:
    return load_session


@pytest.fixture(name="all_cases", scope="session")
def _all_cases() -> list[RuleCase]:
    return [load_case(path) for path in sorted(CASES.glob("*/*.md"))]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test per case file and per session folder."""
    if "rule_case" in metafunc.fixturenames:
        paths = sorted(CASES.glob("*/*.md"))
        ids = [f"{path.parent.name}/{path.stem}" for path in paths]
        metafunc.parametrize("rule_case", [load_case(path) for path in paths], ids=ids)
    if "handwritten" in metafunc.fixturenames:
        paths = sorted(HANDWRITTEN.glob("*.md"))
        cases = [load_case(path) for path in paths]
        metafunc.parametrize("handwritten", cases, ids=[path.stem for path in paths])
    if "session_name" in metafunc.fixturenames:
        metafunc.parametrize("session_name", sorted(p.name for p in SESSIONS.iterdir()))
