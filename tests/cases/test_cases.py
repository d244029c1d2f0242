"""Case counts from the files of an output directory; layouts of all three generations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizer.cases import read_case_files
from summarizer.errors import InputError

LINE = '{"inputs": [{"name": "x", "type": "tensor", "dtype": "float32", "shape": [8, 4]}]}'
OTHER = (
    '{"inputs": [{"name": "n", "type": "attr", "dtype": "int", "value": 2},'
    ' {"name": "xs", "type": "tensor_list", "dtype": "fp16", "shapes": [[3], [2, 5]]}]}'
)
MODEL = "import no_such_module\nINPUT_CASES = [{lines}]\nraise SystemExit('never run')\n"


def write(directory: Path, **files: str) -> None:
    for name, text in files.items():
        (directory / name.replace("__", ".")).write_text(text, encoding="utf-8")


def test_json_lines_with_backup(tmp_path: Path) -> None:
    """Non-blank lines count, also without a final line end; reports and status files do not."""
    write(
        tmp_path,
        **{
            "7_Op.json": f"{LINE}\n\n{OTHER}",
            "7_Op.json.bak": f"{LINE}\n{OTHER}\r\n{LINE}\n",
            "7_Op.json.reduced": LINE,
            "preformance.json": "{}",
            "performance.json": "{}",
            "7_Op_all_case.json": LINE,
            ".phase4_history.json": "[]",
            "model.py": MODEL.replace("{lines}", ""),
        },
    )
    found = read_case_files(tmp_path)
    assert (found.original, found.current, found.identical, found.form) == (3, 2, False, "CS2")
    assert found.shapes == (("(8, 4)", "float32", 32), ("(3,)", "fp16", 13))
    assert found.issues == ()


def test_restored_backup_is_identical(tmp_path: Path) -> None:
    """After the full validation both files hold the same bytes."""
    write(tmp_path, **{"model.json": LINE, "model.json.bak": LINE, "op.json": f"{LINE}\n{LINE}"})
    found = read_case_files(tmp_path)
    assert (found.original, found.current, found.identical, found.form) == (1, 1, True, "CS3")


def test_list_literal_is_read_and_never_run(tmp_path: Path) -> None:
    """Elements of the literal count, also those that are built by a call."""
    write(
        tmp_path,
        **{
            "model.py": MODEL.replace("{lines}", f"{LINE}, make_case(3)"),
            "model.py.bak": MODEL.replace("{lines}", ", ".join([LINE] * 10)),
        },
    )
    found = read_case_files(tmp_path)
    assert (found.original, found.current, found.identical, found.form) == (10, 2, False, "CS1")
    assert found.shapes == (("(8, 4)", "float32", 32), ("", "", 0))


def test_json_wins_and_the_other_backup_is_reported(tmp_path: Path) -> None:
    """A model with a fallback list loads the JSON; a backup list of another length is an issue."""
    write(
        tmp_path,
        **{
            "op.json": LINE,
            "op.json.bak": f"{LINE}\n{LINE}\n{LINE}",
            "model.py.bak": MODEL.replace("{lines}", ", ".join([LINE] * 10)),
        },
    )
    found = read_case_files(tmp_path)
    assert (found.original, found.current) == (3, 1)
    assert [issue.kind for issue in found.issues] == ["backups_disagree"]


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        ({"a.json": LINE, "b.json": LINE, "b.json.bak": LINE}, "b.json"),
        ({"a.json": LINE, "cases.json": LINE, "model.py": "open('cases.json')"}, "cases.json"),
        ({"a.json": LINE, "status.json": '{"ok": true}'}, "a.json"),
        ({"a.json": LINE, "12_Op.json": LINE}, "12_Op.json"),
        ({"a.json": LINE, "b.json": LINE}, None),
    ],
)
def test_one_of_several_files_is_singled_out(
    tmp_path: Path, files: dict[str, str], chosen: str | None
) -> None:
    """By its backup, by the model that names it, by its content or by the folder; else an issue."""
    directory = tmp_path / "12_Op"
    directory.mkdir()
    write(directory, **files)
    found = read_case_files(directory)
    assert found.current_path == (str(directory / chosen) if chosen else None)
    assert [issue.kind for issue in found.issues] == ([] if chosen else ["ambiguous_case_files"])


def test_lines_that_are_no_case_count_and_are_reported(tmp_path: Path) -> None:
    """Nothing is dropped: each bad line is one case without a shape and one issue."""
    path = tmp_path / "op.json"
    path.write_bytes(b"\xef\xbb\xbf" + LINE.encode() + b"\n[1]\nnot json\n\xc4\xe3\n" + b"[" * 9999)
    found = read_case_files(tmp_path)
    assert found.current == 5
    assert found.shapes[1:] == (("", "", 0),) * 4
    assert [(issue.kind, issue.record) for issue in found.issues] == [
        ("not_an_object", 2),
        ("bad_json", 3),
        ("bad_json", 4),
        ("bad_json", 5),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("INPUT_CASES = [", "bad_python"),
        ("INPUT_CASES = make()", "not_a_literal"),
        ("INPUT_CASES = [*others]", "not_a_literal"),
        ("x = 1\0", "bad_python"),
        ("INPUT_CASES = " + "[" * 5000 + "]" * 5000, "bad_python"),
    ],
)
def test_a_list_that_is_no_literal_proves_nothing(tmp_path: Path, text: str, kind: str) -> None:
    """The count is unknown and the reason is an issue."""
    write(tmp_path, **{"model.py": text})
    found = read_case_files(tmp_path)
    assert (found.original, found.current, found.form) == (None, None, None)
    assert [issue.kind for issue in found.issues] == [kind]


def test_empty_and_missing_directories(tmp_path: Path) -> None:
    """No case file gives no count; no directory is an input error."""
    assert read_case_files(tmp_path).form is None
    with pytest.raises(InputError, match="absent"):
        read_case_files(tmp_path / "absent")


@given(st.binary(), st.binary())
def test_any_bytes_are_counted(
    tmp_path_factory: pytest.TempPathFactory, cases: bytes, model: bytes
) -> None:
    """Whatever the files hold, the count is that of the non-blank lines."""
    directory = tmp_path_factory.mktemp("cases")
    (directory / "op.json").write_bytes(cases)
    (directory / "model.py.bak").write_bytes(model)
    found = read_case_files(directory)
    assert found.current == sum(1 for line in cases.split(b"\n") if line.strip())
    assert json.dumps([found.shapes])
