"""Command lines are split into the commands that really run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from summarizer.facts.commands import file_operations, script_call
from summarizer.facts.shell import parse_command

RUNS = [
    ("bash skills/a/evaluate_ascendc.sh /out", "ascendc"),
    ("sh ./evaluate_tilelang.sh /out", "tilelang"),
    ("./evaluate_ascendc.sh /out", "ascendc"),
    ("bash -x evaluate_ascendc.sh /out 2>&1 | tail -50", "ascendc"),
    ("A=1 B=2 timeout -s KILL 600 nohup bash evaluate_ascendc.sh /out &", "ascendc"),
    ("cd /x && bash evaluate_ascendc.sh /out", "ascendc"),
    ("bash -lc 'cd /x; bash evaluate_ascendc.sh /out'", "ascendc"),
    ("for i in 1 2; do bash evaluate_ascendc.sh /out; done", "ascendc"),
    ("rc=$(bash evaluate_ascendc.sh /out); echo $rc", "ascendc"),
    ("if bash evaluate_ascendc.sh /out; then echo ok; fi", "ascendc"),
    ("bash tools/wrap-evaluate.sh tilelang /out", "tilelang"),
    ("cat <<'EOF' > n.txt && bash evaluate_ascendc.sh /out\ntext\nEOF", "ascendc"),
    ("bash evaluate_ascendc.sh /out > log.txt 2>&1; tail -5 log.txt", "ascendc"),
]

NO_RUNS = [
    "cat skills/a/evaluate_ascendc.sh",
    "grep -n Result evaluate_ascendc.sh",
    "echo 'bash evaluate_ascendc.sh /out'",
    'echo "run: bash evaluate_ascendc.sh /out"',
    "cat > run.sh <<'EOF'\nbash evaluate_ascendc.sh /out\nEOF",
    "# bash evaluate_ascendc.sh /out",
    "bash evaluate_ascendc.sh --help",
    "chmod +x evaluate_ascendc.sh && ls -l evaluate_ascendc.sh",
    "run() { bash evaluate_ascendc.sh /out; }",
    "python3 -c \"print('bash evaluate_ascendc.sh')\"",
    "diff evaluate_ascendc.sh other.sh",
]


def evaluations(command: str) -> list[str | None]:
    calls = (script_call(step, index) for index, step in enumerate(parse_command(command)))
    return [call.kind for call in calls if call is not None and call.role == "evaluate"]


@pytest.mark.parametrize(("command", "kind"), RUNS)
def test_evaluations_are_recognised(command, kind):
    """A command line that runs an evaluator yields exactly one call of its kind."""
    assert evaluations(command) == [kind]


@pytest.mark.parametrize("command", NO_RUNS)
def test_mentions_are_no_evaluations(command):
    """Showing, quoting, defining or asking for help is no evaluation."""
    assert evaluations(command) == []


def test_two_evaluations_in_one_line():
    """Each evaluator call of a line counts."""
    command = "bash evaluate_tilelang.sh /o; bash evaluate_ascendc.sh /o"
    assert evaluations(command) == ["tilelang", "ascendc"]


def test_guards_are_known():
    """The right side of && depends on everything to its left."""
    steps = parse_command("a && b && c; d")
    assert [step.guarded_by for step in steps] == [(), (0,), (0, 1), ()]


def test_variables_of_the_line_are_filled_in():
    """A variable set earlier in the line is known, another stays as written."""
    steps = parse_command("D=/out/x; bash run.sh $D ${D}/k $OTHER")
    assert steps[0].argv == ("bash", "run.sh", "/out/x", "/out/x/k", "$OTHER")


def operations(command: str) -> list[tuple[str, str, str | None]]:
    return [
        (operation.how, operation.target, operation.source)
        for index, step in enumerate(parse_command(command))
        for operation in file_operations(step, index, "/w")
    ]


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cp a.cpp a.cpp.bak", [("copy", "/w/a.cpp.bak", "/w/a.cpp")]),
        ("cd k && mv a.r2 a.cpp", [("move", "/w/k/a.cpp", "/w/k/a.r2")]),
        ("cp x y d/", [("copy", "/w/d/x", "/w/x"), ("copy", "/w/d/y", "/w/y")]),
        ("sed -i 's/a/b/' k.cpp", [("sed", "/w/k.cpp", None)]),
        ("sed 's/a/b/' k.cpp", []),
        ("sed -i -e 's/a/b/' k.cpp", [("sed", "/w/k.cpp", None)]),
        ("rm -rf build", [("delete", "/w/build", None)]),
        ("make 2>&1 | tee out.log", [("redirect", "/w/out.log", None)]),
        ("make > /dev/null 2>&1", []),
        ("git checkout -- kernel/a.cpp", [("patch", "/w/kernel/a.cpp", None)]),
        ("git checkout main", []),
        ("a && b > f", [("redirect", "/w/f", None)]),
        ("(cd k && cp a.json a.json.bak)", [("copy", "/w/k/a.json.bak", "/w/k/a.json")]),
    ],
)
def test_file_operations(command, expected):
    """What a command does to files is read off its words."""
    assert operations(command) == expected


def test_heredoc_content_is_known_only_without_expansion():
    """A quoted here-document's text is the file's text."""
    quoted = parse_command("cat > k.cpp <<'EOF'\nint $x;\nEOF")
    (operation,) = file_operations(quoted[0], 0, "/w")
    assert operation.content == "int $x;\n"


@given(st.text(st.characters(), max_size=300))
def test_any_text_is_survived(command):
    """No command line, however broken, stops the parser."""
    parse_command(command)


def test_code_points_of_all_planes_are_survived():
    """The grammar's own scanner reads out of bounds at some, now here, now there."""
    for code in range(0x80, 0x110000, 0x1D):
        if not 0xD800 <= code < 0xE000:
            parse_command(f"{chr(code)}5 9\r{{{chr(code)}5}} $({chr(code)} <<{chr(code)}")


def test_words_beyond_ascii_are_kept():
    """Chinese paths, quoted or not, in expansions and here-documents, are the words they are."""
    steps = parse_command('D=输出; cp "源 码/a.cpp" 目标.cpp && bash evaluate_ascendc.sh $D/é')
    assert [step.argv for step in steps[-2:]] == [
        ("cp", "源 码/a.cpp", "目标.cpp"),
        ("bash", "evaluate_ascendc.sh", "输出/é"),
    ]
    (heredoc,) = parse_command("cat > k.cpp <<'结束'\n// 注释\n结束")
    assert heredoc.heredoc == "// 注释\n"


def test_lone_surrogates_are_survived():
    """A byte that was no UTF-8 in a command does not stop the parser."""
    steps = parse_command("cp a\ud800b c; bash evaluate_ascendc.sh \udcff")
    assert [step.name for step in steps] == ["cp", "bash"]


def test_deep_nesting_is_survived():
    """Thousands of nested parentheses are no reason to stop."""
    assert isinstance(parse_command("(" * 3000 + "ls" + ")" * 3000), tuple)
