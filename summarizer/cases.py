"""Counts the test cases that the files of an output directory hold; must not run any of them.

Three generations of the case simplifier leave different files:

* CS1: the list `INPUT_CASES` in `model.py`, backup `model.py.bak`;
* CS2: `{op}.json`, one JSON object per line, backup `{op}.json.bak`;
* CS3: `model.json`, backup `model.json.bak`, laid out like CS2.

Source: the harness's case-simplifier skill; line format
`{"inputs": [{"name", "type", "dtype", "shape" | "shapes" | "value", ...}]}`.
"""

from __future__ import annotations

import ast
import hashlib
import json
import math
import warnings
from pathlib import Path
from typing import Literal

from summarizer.errors import InputError
from summarizer.model.reports import CaseFiles
from summarizer.model.source import ReadIssue

_NOT_CASES = frozenset({"preformance.json", "performance.json"})
_BACKUP = ".bak"
_LIST_NAME = "INPUT_CASES"
_MAX_DEPTH = 200
Shape = tuple[str, str, int]


def read_case_files(output_dir: str | Path) -> CaseFiles:
    """Return what the case files directly inside `output_dir` prove.

    Where JSON case files and an `INPUT_CASES` list exist, the JSON counts (such a model loads it at
    run time); a backup of the other generation that holds another number is an issue.

    Raises:
        InputError: The directory or a case file cannot be read.
    """
    directory = Path(output_dir)
    names = _names(directory)
    issues: list[ReadIssue] = []
    json_name = _json_name(directory, names, issues)
    if json_name is not None:
        form: Literal["CS2", "CS3"] = "CS3" if json_name == "model.json" else "CS2"
        found = _counted(directory, names, json_name, form, issues)
        _compare_generations(directory, names, found, issues)
    elif "model.py" in names or "model.py.bak" in names:
        found = _counted(directory, names, "model.py", "CS1", issues)
    else:
        found = CaseFiles(None, None, None, None, None, None)
    return _with_issues(found, issues)


def _with_issues(found: CaseFiles, issues: list[ReadIssue]) -> CaseFiles:
    return CaseFiles(
        found.original,
        found.current,
        found.current_path,
        found.backup_path,
        found.identical,
        found.form,
        found.shapes,
        tuple(issues),
    )


def _names(directory: Path) -> frozenset[str]:
    try:
        return frozenset(path.name for path in directory.iterdir() if path.is_file())
    except OSError as error:
        raise InputError(f"{directory}: cannot be listed: {error.strerror}") from error


def _json_name(directory: Path, names: frozenset[str], issues: list[ReadIssue]) -> str | None:
    """The JSON case file in use (it may exist as a backup only), None without one."""
    candidates = sorted({name.removesuffix(_BACKUP) for name in names if _is_case_json(name)})
    if "model.json" in candidates:
        return "model.json"
    if len(candidates) > 1:
        candidates = [name for name in candidates if _lists_inputs(directory, names, name)]
    backed = [name for name in candidates if name + _BACKUP in names]
    own = [name for name in candidates if name == f"{directory.resolve().name}.json"]
    for chosen in (candidates, backed, own, _named_in_model(directory, names, candidates)):
        if len(chosen) == 1:
            return chosen[0]
    if candidates:
        message = f"several case files, none is singled out: {', '.join(candidates)}"
        issues.append(ReadIssue("ambiguous_case_files", str(directory), None, message))
    return None


def _is_case_json(name: str) -> bool:
    base = name.removesuffix(_BACKUP)
    return (
        base.endswith(".json")
        and not base.startswith(".")
        and not base.endswith("_all_case.json")
        and base not in _NOT_CASES
    )


def _lists_inputs(directory: Path, names: frozenset[str], name: str) -> bool:
    """Whether the file's first line is a case; reports and status files are other JSON."""
    path = directory / (name if name in names else name + _BACKUP)
    first = next((line for line in _read(path).split(b"\n") if line.strip()), b"")
    try:
        value = json.loads(first.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "inputs" in value


def _named_in_model(directory: Path, names: frozenset[str], candidates: list[str]) -> list[str]:
    if "model.py" not in names:
        return []
    text = _read(directory / "model.py").decode("utf-8", errors="replace")
    return [name for name in candidates if name in text]


def _counted(
    directory: Path,
    names: frozenset[str],
    name: str,
    form: Literal["CS1", "CS2", "CS3"],
    issues: list[ReadIssue],
) -> CaseFiles:
    """Count the file and its backup in one of the forms."""
    current = directory / name if name in names else None
    backup = directory / (name + _BACKUP) if name + _BACKUP in names else None
    data = _read(current) if current else None
    saved = _read(backup) if backup else None
    shapes = _shapes(data, form, str(current), issues) if data is not None else None
    original = _shapes(saved, form, str(backup), issues) if saved is not None else None
    if form == "CS1" and shapes is None and original is None:
        return CaseFiles(None, None, None, None, None, None)
    identical = None if data is None or saved is None else _digest(data) == _digest(saved)
    return CaseFiles(
        original=None if original is None else len(original),
        current=None if shapes is None else len(shapes),
        current_path=str(current) if shapes is not None else None,
        backup_path=str(backup) if original is not None else None,
        identical=identical,
        form=form,
        shapes=tuple(shapes or ()),
    )


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _shapes(
    data: bytes, form: Literal["CS1", "CS2", "CS3"], path: str, issues: list[ReadIssue]
) -> list[Shape] | None:
    """One entry per case; None when the file holds no list of cases."""
    if form == "CS1":
        return _literal_cases(data, path, issues)
    return _json_cases(data, path, issues)


def _json_cases(data: bytes, path: str, issues: list[ReadIssue]) -> list[Shape]:
    """Each non-blank line is a case, also one that cannot be understood."""
    shapes = []
    for number, raw in enumerate(data.split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            value = json.loads(raw.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            issues.append(_issue("bad_json", path, number, f"not JSON: {type(error).__name__}"))
            value = None
        else:
            if not isinstance(value, dict):
                issues.append(_issue("not_an_object", path, number, "no JSON object"))
        shapes.append(_case_shape(value))
    return shapes


def _issue(kind: str, path: str, record: int | None, message: str) -> ReadIssue:
    return ReadIssue(kind, path, record, message)


def _literal_cases(data: bytes, path: str, issues: list[ReadIssue]) -> list[Shape] | None:
    """The elements of the list literal, read from the syntax tree: the file is never imported."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of the read file's escapes, not of this program
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        issues.append(_issue("bad_python", path, None, f"cannot be parsed: {type(error).__name__}"))
        return None
    literal = None
    for node in tree.body:
        if _assigns_cases(node):
            literal = node.value if isinstance(node, (ast.Assign, ast.AnnAssign)) else None
    if literal is None:
        return None
    if not isinstance(literal, (ast.List, ast.Tuple)) or any(
        isinstance(item, ast.Starred) for item in literal.elts
    ):
        issues.append(_issue("not_a_literal", path, literal.lineno, f"{_LIST_NAME} is computed"))
        return None
    return [_case_shape(_literal(item)) for item in literal.elts]


def _assigns_cases(node: ast.stmt) -> bool:
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        targets = [node.target]
    return any(isinstance(target, ast.Name) and target.id == _LIST_NAME for target in targets)


def _literal(node: ast.expr) -> object:
    try:
        value: object = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None  # a case that is built by a call still counts as one
    return value


def _case_shape(case: object) -> Shape:
    """The first tensor's shape and dtype, and the elements of all tensors together."""
    inputs = case.get("inputs") if isinstance(case, dict) else None
    if not isinstance(inputs, list):
        return ("", "", 0)
    found: list[tuple[list[int], str]] = []
    for item in inputs:
        if isinstance(item, dict):
            dtype = item.get("dtype")
            word = dtype if isinstance(dtype, str) else ""
            found += [(shape, word) for shape in _tensor_shapes(item)]
    if not found:
        return ("", "", 0)
    shape, dtype = found[0]
    return (shape_text(shape), dtype, sum(math.prod(dims) for dims, _ in found))


def _tensor_shapes(item: dict[str, object]) -> list[list[int]]:
    kind = item.get("type")
    values = item.get("shapes") if kind == "tensor_list" else [item.get("shape")]
    if kind not in {"tensor", "tensor_list", None} or not isinstance(values, list):
        return []
    return [shape for value in values if (shape := _dims(value)) is not None]


def _dims(value: object) -> list[int] | None:
    if not isinstance(value, list):
        return None
    if all(isinstance(item, int) and not isinstance(item, bool) and item >= 0 for item in value):
        return value
    return None


def shape_text(shape: list[int]) -> str:
    """A shape as Python prints a tuple, the form that the reports use: `(8,)`, `(1000, 1000)`."""
    inner = ", ".join(str(size) for size in shape)
    return f"({inner},)" if len(shape) == 1 else f"({inner})"


def _compare_generations(
    directory: Path, names: frozenset[str], found: CaseFiles, issues: list[ReadIssue]
) -> None:
    """A backed-up model that lists another number of cases contradicts the JSON's backup."""
    if "model.py.bak" not in names:
        return
    ignored: list[ReadIssue] = []
    path = directory / "model.py.bak"
    listed = _literal_cases(_read(path), str(path), ignored)
    if listed is not None and found.original not in {None, len(listed)}:
        message = f"{len(listed)} cases in {_LIST_NAME}, {found.original} in {found.backup_path}"
        issues.append(_issue("backups_disagree", str(path), None, message))


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
