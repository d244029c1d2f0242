"""Reads JSON files strictly and takes typed values out of them; must not know any layout."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path

from summarizer.errors import InputError
from summarizer.model.source import ReadIssue

JsonObject = Mapping[str, object]
_LARGEST = 1e12
"""No latency (ms or us) or ratio is larger; beyond it sums overflow and texts fill with digits."""


def read_bytes(path: Path) -> bytes:
    """Return a file's content.

    Raises:
        InputError: The file cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def read_object(path: Path) -> JsonObject:
    """Return the object that a JSON file holds; `NaN` and `Infinity` are read as floats.

    Raises:
        InputError: The file cannot be read, is no JSON or no object.
    """
    try:
        value = json.loads(read_bytes(path).decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InputError(f"{path}:{error.lineno}: not JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: not JSON: {type(error).__name__}") from error
    if not isinstance(value, dict):
        raise InputError(f"{path}: no JSON object")
    return value


class Place:
    """A JSON object together with where it stands, for messages."""

    def __init__(self, path: Path, where: str, value: JsonObject, issues: list[ReadIssue]) -> None:
        self.path = path
        self.where = where
        self.value = value
        self.issues = issues

    def error(self, key: str, what: str) -> InputError:
        """Return the exception for a value of the wrong kind."""
        return InputError(f"{self.path}: {self.where}{key!r} is {what}")

    def text(self, key: str) -> str | None:
        """A string; None when missing or of another kind."""
        value = self.value.get(key)
        return value if isinstance(value, str) else None

    def integer(self, key: str) -> int | None:
        """A whole number; None when missing or null.

        Raises:
            InputError: The value is no whole number.
        """
        value = self.value.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.error(key, f"no whole number: {_shown(value)}")
        return value

    def setting(self, key: str) -> int | None:
        """A whole number; anything else becomes None and an issue: no figure rests on it."""
        value = self.value.get(key)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        message = f"{self.where}{key!r} is no whole number: {_shown(value)}"
        self.issues.append(ReadIssue("not_a_number", str(self.path), None, message))
        return None

    def number(self, key: str) -> float | None:
        """A finite number of a size that can have been measured; None when missing or null.

        Raises:
            InputError: The value is no such number.
        """
        value = self.value.get(key)
        if value is None:
            return None
        found = _finite(value)
        if found is None:
            raise self.error(key, f"no finite number: {_shown(value)}")
        if abs(found) > _LARGEST:
            raise self.error(key, f"no number that can have been measured: {_shown(value)}")
        return found

    def ratio(self, key: str) -> float | None:
        """A ratio; one that is no finite number becomes None and an issue.

        The scripts divide by latencies that can be zero, so an infinite ratio is no damage.
        """
        value = self.value.get(key)
        if value is None:
            return None
        found = _finite(value)
        if found is None or abs(found) > _LARGEST:
            found = None
            message = f"{self.where}{key} is no finite number: {_shown(value)}"
            self.issues.append(ReadIssue("not_a_number", str(self.path), None, message))
        return found

    def inner(self, key: str) -> Place | None:
        """The object below a key; None when it is missing or of another kind."""
        value = self.value.get(key)
        if not isinstance(value, dict):
            return None
        return Place(self.path, f"{self.where}{key}.", value, self.issues)

    def items(self, key: str) -> list[Place]:
        """The objects of a list; empty when the list is missing or null.

        Raises:
            InputError: The value is no list of objects.
        """
        value = self.value.get(key)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.error(key, "no list of objects")
        return [
            Place(self.path, f"{self.where}{key}[{number}].", item, self.issues)
            for number, item in enumerate(value)
        ]


def _finite(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
