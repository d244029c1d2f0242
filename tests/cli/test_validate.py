"""`validate` as users of linters expect it: fixes, baseline, configuration, formats, exit codes."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from summarizer import config
from summarizer.baseline import fingerprint
from summarizer.cli.main import main
from summarizer.cli.snippets import WIDTH, changed_part, display_width, snippet
from summarizer.config import find_config, read_config
from summarizer.errors import InputError
from summarizer.example import copy_example
from summarizer.model.finding import Finding, Location, Severity


class Run:
    """A folder with a recorded trace and its sources, and the command to lint it."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.example = copy_example(folder)
        self.capsys = capsys
        self.trace = self.example.output_dir / "trace.md"
        source = ["--transcript", str(self.example.transcript)]
        assert main(["record", str(self.example.output_dir), *source]) == 0
        self.original = self.trace.read_bytes()
        capsys.readouterr()

    def __call__(self, *extra: str, traces: tuple[str, ...] = ()) -> tuple[int, str, str]:
        paths = traces or (str(self.trace),)
        code = main(["validate", *paths, "--transcript", str(self.example.transcript), *extra])
        out, err = self.capsys.readouterr()
        return code, out, err

    def change(self, old: str, new: str) -> None:
        text = self.trace.read_bytes()
        assert text.count(old.encode()) >= 1
        self.trace.write_bytes(text.replace(old.encode(), new.encode(), 1))


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> Run:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "no-store"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return Run(work, capsys)


WRONG_CELL = ("| 0.37 |", "| 0.73 |")


def test_fix_restores_the_recorded_bytes(run):
    """A wrong cell and a changed quotation come back; even the hash fits again."""
    run.change(*WRONG_CELL)
    run.change("max_abs_diff=5.76535", "max_abs_diff=5.76585")
    assert run()[0] == 1
    code, out, err = run("--fix")
    assert (code, out) == (0, "")
    assert "fixed N206: 0.73 -> 0.37" in err
    assert "5.76585 -> " in err
    assert run.trace.read_bytes() == run.original


def test_fix_keeps_bom_line_ends_permissions_and_other_files(run):
    """Only the ranges of the repairs change, and only in this file."""
    others = {p: p.read_bytes() for p in run.folder.rglob("*") if p.is_file() and p != run.trace}
    body = run.original.replace(b"\n", b"\r\n")
    changed = b"\xef\xbb\xbf" + body.replace(b"| 0.37 |", b"| 0.73 |") + b"<!-- \xff -->\r\n"
    run.trace.write_bytes(changed)
    run.trace.chmod(0o640)
    run("--fix")
    assert run.trace.read_bytes() == changed.replace(b"| 0.73 |", b"| 0.37 |")
    assert run.trace.stat().st_mode & 0o777 == 0o640
    now = {p: p.read_bytes() for p in run.folder.rglob("*") if p.is_file() and p != run.trace}
    assert now == others


def test_fix_follows_a_link_and_leaves_it_one(run, tmp_path):
    """The file that a link points at is replaced."""
    real = tmp_path / "kept.md"
    run.change(*WRONG_CELL)
    shutil.move(run.trace, real)
    run.trace.symlink_to(real)
    run("--fix")
    assert run.trace.is_symlink()
    assert real.read_bytes() == run.original


def test_fix_of_a_clean_trace_writes_nothing(run):
    """Not even the time of the file changes."""
    before = run.trace.stat().st_mtime_ns
    assert run("--fix") == (0, "", "")
    assert run.trace.stat().st_mtime_ns == before


def test_diff_shows_and_changes_nothing(run):
    """Exit 1 when there is something to change, 0 when there is not."""
    assert run("--diff") == (0, "", "")
    run.change(*WRONG_CELL)
    before = run.trace.read_bytes()
    code, out, _ = run("--diff")
    assert code == 1
    removed = [line for line in out.split("\n") if re.match(r"-(?!--)", line)]
    added = [line for line in out.split("\n") if re.match(r"\+(?!\+\+)", line)]
    assert len(removed) == len(added) == 1
    assert removed[0][1:].replace("| 0.73 |", "| 0.37 |") == added[0][1:]
    assert run.trace.read_bytes() == before


def test_fix_repairs_only_what_is_selected(run):
    """What is ignored or suppressed stays as it is."""
    run.change(*WRONG_CELL)
    before = run.trace.read_bytes()
    run("--fix", "--ignore", "N206")
    run("--fix", "--select", "Q")
    assert run.trace.read_bytes() == before
    run("--fix", "--select", "N206")
    assert run.trace.read_bytes() == run.original


def test_an_edited_trace_is_not_stamped_anew(run):
    """After a repair the hash fits only when the text is again what was recorded."""
    run.change("- 走偏点:", "- 走偏点：")
    run.change(*WRONG_CELL)
    code, out, _ = run("--fix")
    assert code == 0
    assert "S407" in out
    assert b"| 0.37 |" in run.trace.read_bytes()


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (("--fix", "--diff"), "exclude"),
        (("--unsafe-fixes",), "--unsafe-fixes needs --fix"),
        (("--write-baseline",), "needs --baseline-file"),
        (("--write-baseline", "--baseline-file", "b.json", "--fix"), "exclude"),
        (("--select", "Z9"), "no rule 'Z9'"),
        (("--config", "missing.toml"), "missing.toml"),
    ],
)
def test_contradicting_options_are_one_clear_error(run, options, word):
    """Exit 2, one line, nothing done."""
    code, out, err = run(*options)
    assert (code, out) == (2, "")
    assert word in err
    assert err.count("\n") == 1


def test_text_shows_the_line_with_carets_under_the_range(run):
    """The caret line stands under the wrong figure, wide characters counted as two."""
    run.change("- 第 2 轮（未通过，6/10）", "- 第 2 轮（未通过，7/10）")
    _, out, _ = run("--select", "N204")
    lines = out.split("\n")
    head = next(i for i, line in enumerate(lines) if "N204" in line)
    shown, carets = lines[head + 1], lines[head + 2]
    column = display_width(shown[: shown.index("7/10")])
    assert carets.index("^") == column
    assert carets.count("^") == 4
    assert "\x1b" not in out


def test_an_altered_quotation_shows_the_source_and_the_differing_word(run):
    """File, record, and the text as it was printed."""
    run.change("max_abs_diff=5.76535", "max_abs_diff=5.76585")
    _, out, _ = run("--select", "Q102")
    lines = out.split("\n")
    assert "[-5.76535-]{+5.76585+}" in lines[0]
    assert lines[1].index("5.76585") == lines[2].index("^")
    assert lines[2].count("^") == len("5.76585")
    assert re.search(r"source: .*session\.jsonl:\d+ bytes \d+-\d+, ascendc round 2", lines[3])
    assert "max_abs_diff=5.76535" in lines[4]


def test_colour_only_on_a_terminal_without_no_color(run, monkeypatch):
    """A pipe gets none; NO_COLOR switches it off."""
    run.change(*WRONG_CELL)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert "\x1b[" in run()[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run()[1]


WINDOWS = [
    ("short", Location(1, 2, 1, 4), "short", "^^"),
    ("宽字 x 坏", Location(1, 6, 1, 7), "宽字 x 坏", "^^"),
    ("tab\there", Location(1, 5, 1, 9), "tab    here", "^^^^"),
    ("a\x1b[31mb", Location(1, 7, 1, 8), "a\\x1b[31mb", "^"),
    ("no end given", Location(1, 4), "no end given", "^" * 9),
    ("", Location(1), "", "^"),
    ("e\u0301x", Location(1, 3, 1, 4), "e\u0301x", "^"),
]


@pytest.mark.parametrize(("line", "place", "text", "carets"), WINDOWS)
def test_a_snippet_marks_what_is_shown(line, place, text, carets):
    """Widths are those of the terminal, control characters are shown escaped."""
    shown, marks = snippet([line], place)
    assert shown == f"       1 | {text}"
    assert marks.strip(" |") == carets


@pytest.mark.parametrize("char", ["a", "宽"])
def test_a_long_line_is_cut_around_the_range(char):
    """The range stays visible, the caret below it, the line within the width."""
    line = char * 5000 + "X" + char * 5000
    shown, marks = snippet([line], Location(1, 5001, 1, 5002))
    assert display_width(shown) <= WIDTH + 14
    assert display_width(shown[: shown.index("X")]) == marks.index("^")
    assert shown.count("…") == 2


def test_a_place_outside_the_file_has_no_snippet():
    """A finding about a missing line is printed without one."""
    assert snippet(["a"], Location(2)) == []
    assert snippet([], Location(0)) == []


def test_the_changed_part_of_two_texts_is_whole_words():
    """`5.76535` against `5.76585` is one word, not one digit."""
    assert changed_part("a 5.76535 b", "a 5.76585 b") == (2, 9, 9)
    assert changed_part("same", "same")[0] == 0
    assert changed_part("x", "x y") == (0, 1, 3) or changed_part("x", "x y") == (1, 1, 3)


def test_a_baseline_hides_what_was_known_and_nothing_else(run, tmp_path):
    """Known findings survive line shifts; a new one is reported; unused entries are counted."""
    run.change(*WRONG_CELL)
    known = tmp_path / "known.json"
    code, out, err = run("--write-baseline", "--baseline-file", str(known))
    assert (code, out) == (0, "")
    assert "2 findings written" in err
    value = json.loads(known.read_text(encoding="utf-8"))
    assert value["schema_version"] == 1
    assert {item["code"] for item in value["findings"]} == {"N206", "S407"}
    assert all(not item["path"].startswith("/") for item in value["findings"])

    use = ("--baseline-file", str(known), "--ignore", "S407")
    run.change("\n## 阶段零", "\n\n\n## 阶段零")
    code, out, _ = run(*use)
    assert (code, out) == (0, "")
    run.change("- evaluate_ascendc.sh 执行次数: 4", "- evaluate_ascendc.sh 执行次数: 9")
    code, out, _ = run(*use)
    assert code == 1
    assert "N201" in out
    assert "N206" not in out

    run.trace.write_bytes(run.original)
    code, _, err = run("--baseline-file", str(known))
    assert code == 0
    assert "2 entries are of no use any more" in err


def test_a_baseline_counts_equal_findings(run, tmp_path):
    """One known finding does not hide a second one of the same kind and wording."""
    old = "- 第 2 轮（未通过，6/10）"
    run.change(old, old.replace("6/10", "7/10"))
    known = str(tmp_path / "known.json")
    run("--write-baseline", "--baseline-file", known, "--select", "N204")
    assert run("--baseline-file", known, "--select", "N204")[0] == 0
    run.change(old, old.replace("6/10", "7/10"))
    assert run("--baseline-file", known, "--select", "N204")[0] == 1


def test_a_baseline_beside_the_trace_is_refused(run):
    """Only trace.md may be created in an output directory."""
    place = run.trace.parent / "known.json"
    code, _, err = run("--write-baseline", "--baseline-file", str(place))
    assert code == 2
    assert "only trace.md may be created" in err
    assert not place.exists()


def test_no_baseline_is_written_when_a_file_could_not_be_read(run, tmp_path):
    """It would forget the findings of that file."""
    known = tmp_path / "known.json"
    paths = (str(run.trace), str(tmp_path / "missing.md"))
    code, _, err = run("--write-baseline", "--baseline-file", str(known), traces=paths)
    assert code == 2
    assert "no baseline written" in err
    assert not known.exists()


def test_an_ellipsis_is_filled_only_by_an_unsafe_fix(run):
    """The quotation is genuine; whether it should be longer is for a person."""
    run.change("max_abs_diff=5.76535, mean_abs_diff=0.0809027, MERE=0.032967", "…")
    before = run.trace.read_bytes()
    run("--fix")
    assert run.trace.read_bytes() == before
    run("--fix", "--unsafe-fixes")
    assert run.trace.read_bytes() == run.original


BROKEN_BASELINES = [
    "",
    "[]",
    "{}",
    '{"schema_version": 2, "findings": []}',
    '{"schema_version": 1}',
    '{"schema_version": 1, "findings": [3]}',
    '{"schema_version": 1, "findings": [{"path": "a", "code": "b"}]}',
    '{"schema_version": 1, "findings":'
    ' [{"path": "a", "code": "b", "fingerprint": "c", "count": 0}]}',
    "[" * 5000,
]


@pytest.mark.parametrize("text", BROKEN_BASELINES)
def test_a_broken_baseline_is_exit_2(run, tmp_path, text):
    """The message names the file; nothing is hidden by accident."""
    known = tmp_path / "known.json"
    known.write_text(text, encoding="utf-8")
    code, out, err = run("--baseline-file", str(known))
    assert (code, out) == (2, "")
    assert "known.json" in err


def test_a_fingerprint_does_not_depend_on_lines():
    """Neither on the place nor on line numbers in the message, but on what is said."""
    place = Location(3)
    one = Finding("N205", "x", Severity.ERROR, "differs from line 12", place, actual="1")
    moved = Finding("N205", "x", Severity.ERROR, "differs from line 99", Location(8), actual="1")
    other = Finding("N205", "x", Severity.ERROR, "differs from line 12", place, actual="2")
    assert fingerprint(one) == fingerprint(moved) != fingerprint(other)


def test_the_command_line_wins_over_the_configuration(run):
    """The file sets the rest."""
    run.change(*WRONG_CELL)
    (run.folder / "trace-recorder.toml").write_text(
        'ignore = ["N206"]\nfail-on = "warning"\nformat = "json"\n', encoding="utf-8"
    )
    code, out, _ = run()
    codes = [f["code"] for t in json.loads(out)["traces"] for f in t["findings"]]
    assert (code, codes) == (1, ["S407"])
    code, out, _ = run("--ignore", "S407", "--format", "text", "--fail-on", "error")
    assert code == 1
    assert "N206" in out
    code, out, _ = run("--isolated")
    assert code == 1
    assert "N206" in out


def test_per_file_ignores_fit_paths_below_the_file(run):
    """A pattern without a slash fits any part of the path."""
    run.change(*WRONG_CELL)
    for pattern in ("trace.md", "output/**", "31_ELU", "*_ELU"):
        (run.folder / "pyproject.toml").write_text(
            f'[tool.trace-recorder.per-file-ignores]\n"{pattern}" = ["N206", "S4"]\n',
            encoding="utf-8",
        )
        assert run() == (0, "", ""), pattern
    (run.folder / "pyproject.toml").write_text(
        '[tool.trace-recorder.per-file-ignores]\n"other/**" = ["N206"]\n', encoding="utf-8"
    )
    assert run()[0] == 1


def test_the_nearest_configuration_is_used(tmp_path):
    """Own file before pyproject.toml in one folder; a pyproject.toml of another tool is none."""
    near = tmp_path / "a" / "b"
    near.mkdir(parents=True)
    (tmp_path / "trace-recorder.toml").write_text('profile = "T6"\n', encoding="utf-8")
    (tmp_path / "a" / "pyproject.toml").write_text("[tool.other]\nx = 1\n", encoding="utf-8")
    assert find_config(near).profile == "T6"
    (tmp_path / "a" / "pyproject.toml").write_text(
        '[tool.trace-recorder]\nprofile = "T11"\nbaseline-file = "known.json"\n', encoding="utf-8"
    )
    found = find_config(near)
    assert found.profile == "T11"
    assert found.baseline_file == tmp_path / "a" / "known.json"
    (tmp_path / "a" / "trace-recorder.toml").write_text("select = 'N, Q102'\n", encoding="utf-8")
    assert find_config(near).select == ("N", "Q102")


def test_a_broken_foreign_project_file_is_left_alone(tmp_path):
    """A file that does not name this tool is none of its business."""
    (tmp_path / "pyproject.toml").write_text("= broken", encoding="utf-8")
    assert find_config(tmp_path).path != tmp_path / "pyproject.toml"


BROKEN_CONFIGS = [
    ("selct = []", "unknown key 'selct'"),
    ("select = 3", "'select' must be a list"),
    ("select = [3]", "'select' must be a list"),
    ('fail-on = "never"', "allowed are error, warning"),
    ('format = "xml"', "allowed are text"),
    ("profile = 6", "'profile' must be a text"),
    ("per-file-ignores = []", "'per-file-ignores' must be a table"),
    ("[per-file-ignores]\nx = 1", "'per-file-ignores.x' must be a list"),
    ("= 1", "no TOML"),
]


@pytest.mark.parametrize(("text", "message"), BROKEN_CONFIGS)
def test_a_wrong_configuration_is_exit_2_with_file_and_key(run, text, message):
    """One line that says where and what."""
    (run.folder / "trace-recorder.toml").write_text(text + "\n", encoding="utf-8")
    code, out, err = run()
    assert (code, out) == (2, "")
    assert "trace-recorder.toml" in err
    assert message in err
    assert err.count("\n") == 1


def test_an_unknown_code_in_the_configuration_names_the_file(run):
    """So that nobody looks for it on the command line."""
    (run.folder / "trace-recorder.toml").write_text("ignore = ['Q9']\n", encoding="utf-8")
    code, _, err = run()
    assert code == 2
    assert "'Q9'" in err
    assert "trace-recorder.toml" in err


def test_without_a_toml_reader_only_a_file_of_ours_is_an_error(tmp_path, monkeypatch):
    """On Python 3.10 without tomli a project that does not configure us is linted as ever."""
    monkeypatch.setattr(config, "_toml_reader", lambda: None)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    assert find_config(tmp_path).path is None or tmp_path not in find_config(tmp_path).path.parents
    own = tmp_path / "trace-recorder.toml"
    own.write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="tomli"):
        read_config(own)


def test_suppressions_are_counted_and_need_a_reason(run):
    """A comment without a reason works, and is complained about."""
    row = next(line for line in run.original.decode().split("\n") if "| 0.37 |" in line)
    wrong = row.replace(*WRONG_CELL)
    run.change(row, f"{wrong} <!-- trace-recorder: ignore N206 measured again by hand -->")
    code, out, err = run("--statistics", "--select", "N206")
    assert code == 0
    assert "1 suppressed by comments (N206 1)" in out
    assert "no reason" not in err
    run.change(" measured again by hand -->", " -->")
    code, _, err = run("--select", "N206")
    assert code == 0
    assert "N206 ignored: no reason given" in err


def test_one_bad_file_does_not_keep_the_others_from_being_checked(run, tmp_path):
    """Exit 2 goes before 1, and the findings of the readable file are printed."""
    run.change(*WRONG_CELL)
    missing = str(tmp_path / "missing.md")
    code, out, err = run(traces=(missing, str(run.trace)))
    assert code == 2
    assert "N206" in out
    assert "missing.md" in err


def test_exit_codes_by_precedence(run, tmp_path, capsys):
    """4 when one of several traces could be compared with nothing, though another has findings."""
    run.change(*WRONG_CELL)
    alone = tmp_path / "alone" / "31_ELU"
    alone.mkdir(parents=True)
    (alone / "trace.md").write_bytes(run.original)
    (run.trace.parent / "session.jsonl").write_bytes(run.example.transcript.read_bytes())
    assert main(["validate", str(run.trace)]) == 1
    assert main(["validate", str(alone)]) == 4
    assert main(["validate", str(run.trace), str(alone)]) == 4
    assert main(["validate", str(run.trace), str(alone), str(tmp_path / "no.md")]) == 2
    capsys.readouterr()


def test_a_directory_stands_for_all_traces_below_it(run):
    """Each once, though named twice."""
    run.change(*WRONG_CELL)
    _, out, _ = run("--format", "json", traces=(str(run.folder), str(run.trace)))
    assert len(json.loads(out)["traces"]) == 1


def sarif(run: Run) -> dict:
    run.change(*WRONG_CELL)
    run.change("max_abs_diff=5.76535", "max_abs_diff=5.76585")
    _, out, _ = run("--format", "sarif")
    return json.loads(out)


def test_sarif_has_what_the_standard_requires(run):
    """Required members and value ranges of SARIF 2.1.0, sections 3.13 to 3.49."""
    log = sarif(run)
    assert log["version"] == "2.1.0"
    (one,) = log["runs"]
    driver = one["tool"]["driver"]
    assert driver["name"] == "trace-recorder"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["fullDescription"]["text"]
        assert rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
    assert one["columnKind"] in {"utf16CodeUnits", "unicodeCodePoints"}
    assert one["results"]
    for result in one["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        (location,) = result["locations"]
        place = location["physicalLocation"]
        base = place["artifactLocation"]["uriBaseId"]
        assert base in one["originalUriBaseIds"]
        assert not re.match(r"[a-z]+:|/", place["artifactLocation"]["uri"])
        region = place["region"]
        assert region["startLine"] >= 1
        assert region["startColumn"] >= 1
        if "endColumn" in region:
            end = (region["endLine"], region["endColumn"])
            assert end >= (region["startLine"], region["startColumn"])


def test_sarif_names_files_outside_only_by_name(run, tmp_path, monkeypatch):
    """No path of the machine leaves it."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    run.change(*WRONG_CELL)
    _, out, _ = run("--format", "sarif")
    uris = {
        r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for r in json.loads(out)["runs"][0]["results"]
    }
    assert uris == {"trace.md"}


def test_github_annotations_have_relative_paths_and_ranges(run):
    """As the workflow commands of GitHub want them."""
    run.change(*WRONG_CELL)
    _, out, _ = run("--format", "github", "--select", "N206")
    relative = os.path.relpath(run.trace)
    assert re.fullmatch(
        rf"::error file={re.escape(relative)},line=\d+,col=\d+,endLine=\d+,endColumn=\d+,"
        r"title=trace-recorder \(N206\)::N206 .*\n",
        out,
    )


def test_json_tells_the_replacement(run):
    """Editors can offer the repair themselves."""
    run.change(*WRONG_CELL)
    _, out, _ = run("--format", "json", "--select", "N206")
    (found,) = json.loads(out)["traces"][0]["findings"]
    assert (found["replacement"], found["actual"]) == ("0.37", "0.73")


def test_a_file_that_changed_meanwhile_is_not_overwritten(run, monkeypatch):
    """The other's work wins; exit 2."""
    from summarizer import pipeline

    real = pipeline.recheck

    def slow(*args, **kwargs):
        run.trace.write_bytes(b"somebody else's text\n")
        return real(*args, **kwargs)

    run.change(*WRONG_CELL)
    monkeypatch.setattr(pipeline, "recheck", slow)
    code, _, err = run("--fix")
    assert code == 2
    assert "changed by somebody else" in err
    assert run.trace.read_bytes() == b"somebody else's text\n"


def test_the_hooks_and_the_workflow_name_commands_that_exist():
    """The pre-commit hooks and the example call `validate` with options it has."""
    root = Path(__file__).resolve().parent.parent.parent
    texts = [
        root / ".pre-commit-hooks.yaml",
        root / ".github" / "workflows" / "example-validate.yml",
    ]
    for path in texts:
        if not path.exists():
            pytest.skip("not part of this archive")
        calls = re.findall(r"trace-recorder validate(.*)", path.read_text(encoding="utf-8"))
        assert calls
        for options in calls:
            assert set(re.findall(r"--[a-z-]+", options)) <= {"--fix", "--format"}
