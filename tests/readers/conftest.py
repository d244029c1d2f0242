"""Short constructors of Claude Code records."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from summarizer.model.events import ReadResult
from summarizer.readers import read_transcripts


class Session:
    """Writes records with rising times and ids."""

    def __init__(self, version: str = "2.1.197", **envelope: Any) -> None:
        self.records: list[dict[str, Any]] = []
        self._envelope = {"version": version, "cwd": "/w", "sessionId": "s1", **envelope}

    def add(self, kind: str, **fields: Any) -> dict[str, Any]:
        number = len(self.records) + 1
        record = {
            "type": kind,
            "uuid": f"{self._envelope['sessionId']}-{number:08d}",
            "timestamp": f"2026-12-01T08:{number // 60:02d}:{number % 60:02d}.000Z",
            **self._envelope,
            **fields,
        }
        self.records.append(record)
        return record

    def user(self, content: Any, **fields: Any) -> dict[str, Any]:
        return self.add("user", message={"role": "user", "content": content}, **fields)

    def say(self, text: str, **fields: Any) -> dict[str, Any]:
        block = {"type": "text", "text": text}
        return self.add("assistant", message={"model": "m", "content": [block]}, **fields)

    def call(self, call_id: str, name: str = "Bash", /, **asked: Any) -> dict[str, Any]:
        block = {"type": "tool_use", "id": call_id, "name": name, "input": asked}
        return self.add("assistant", message={"model": "m", "content": [block]})

    def result(
        self, call_id: str, text: Any, *, error: bool = False, data: Any = None, **fields: Any
    ) -> dict[str, Any]:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": text}
        if error:
            block["is_error"] = True
        if data is None and not error:
            data = {"stdout": text, "stderr": "", "interrupted": False}
        elif data is None:
            data = f"Error: {text}"
        message = {"role": "user", "content": [block]}
        return self.add("user", message=message, toolUseResult=data, **fields)

    def bytes(self) -> bytes:
        lines = (json.dumps(one, ensure_ascii=False) for one in self.records)
        return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")

    def write(self, path: Path) -> Path:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.bytes())
        return path


@pytest.fixture
def session() -> Callable[..., Session]:
    """Makes an empty session."""
    return Session


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., ReadResult]:
    """Writes sessions to files (a.jsonl, b.jsonl, ...) and reads them together."""

    def run(*sessions: Session) -> ReadResult:
        names = "abcdefgh"
        return read_transcripts([
            one.write(tmp_path / f"{names[i]}.jsonl") for i, one in enumerate(sessions)
        ])

    return run
