"""Changes that no record shows: unknown tools, branches, whole directories, the judges."""

from __future__ import annotations

import pytest

from summarizer.draft.offline import draft_offline
from summarizer.facts.shell import parse_command
from summarizer.facts.substitute import substitutions
from summarizer.facts.unseen import may_write
from tests.builders import EVALUATE, KERNEL, ROOT, Story, report

CODE = "void Compute() {\n    Exp(a, b, n);\n}\n"
BAD, GOOD = report([0], [1]), report([0, 1])

UNSEEN = [
    f"python3 - <<'P'\np='{KERNEL}'\ns=open(p).read()\nopen(p,'w').write(s)\nP",
    "python3 /tmp/fix.py",
    "patch -p1 < /tmp/a.patch",
    f"perl -pi -e 's/Exp/Ln/' {KERNEL}",
    "git stash",
    "git apply /tmp/a.patch",
    "make -C kernel fix",
    "bash fix.sh",
    "find kernel -name '*.cpp' | xargs sed -i s/a/b/",
]
READS = [
    "python3 -c 'import torch; print(torch.__version__)'",
    "python3 - <<'P'\nprint(open('a.log').read())\nP",
    "python3 utils/build_ascendc.py /out",
    "git status",
    "git stash list",
    "git diff HEAD~1",
    "grep -rn Exp kernel | head -3",
    "find . -name '*.cpp'",
    "ls -l | xargs -n1 wc -l",
    "source /usr/local/Ascend/set_env.sh",
]


def failed_once() -> Story:
    return Story().write(KERNEL, CODE).shell(EVALUATE, BAD, exit_code=1)


def told(story: Story) -> str:
    draft = draft_offline(story.derive().facts)
    notes = [*draft.rounds, *draft.drift]
    return "\n".join(statement.text for note in notes for statement in note.statements)


def kinds(story: Story) -> list[tuple[int, str]]:
    return [(item.round_no, item.kind) for item in story.derive().facts.dead_ends]


def scores(story: Story) -> list[int | None]:
    return [item.cases_passed for item in story.derive().facts.stages["ascendc"].rounds]


@pytest.mark.parametrize("command", UNSEEN)
def test_what_an_unknown_tool_wrote_is_not_no_change(command):
    """After it a different result is a round of its own, and nobody says the code is the same."""
    story = failed_once().shell(command).shell(EVALUATE, GOOD)
    assert scores(story) == [1, 2]
    assert story.derive().facts.repeated_runs == ()
    text = told(story)
    assert "未改" not in text
    assert "可能有未观察到的修改" in text


@pytest.mark.parametrize("command", UNSEEN)
def test_same_result_after_an_unknown_tool_claims_nothing(command):
    """The run joins its round, without a word on the code being the same or the change useless."""
    story = failed_once().shell(command).shell(EVALUATE, BAD, exit_code=1)
    assert scores(story) == [1]
    assert kinds(story) == []
    assert "未改" not in told(story)


@pytest.mark.parametrize("command", READS)
def test_reading_leaves_the_code_as_it_is(command):
    """A command known to write nothing leaves a repetition a repetition."""
    assert not any(may_write(step) for step in parse_command(command))
    story = failed_once().shell(command).shell(EVALUATE, GOOD)
    assert len(story.derive().facts.repeated_runs) == 1


def test_no_dead_end_beside_an_unseen_change():
    """An edit that `git stash` may have taken back was not tried for certain."""
    story = failed_once().edit(KERNEL, "Exp", "Ln").shell("git stash")
    assert kinds(story.shell(EVALUATE, BAD, exit_code=1)) == []


def test_unseen_change_after_the_last_run_is_told():
    """A script that names the kernel after its verdict is named."""
    story = Story().write(KERNEL, CODE).shell(EVALUATE, GOOD).shell(f"python3 fix.py {KERNEL}")
    (unseen,) = story.derive().facts.stages["ascendc"].pending_unseen
    assert unseen.command == f"python3 fix.py {KERNEL}"
    assert "可能有未观察到的修改" in told(story)


def test_long_command_is_cut_between_words():
    """No half word of a long command is shown as a name."""
    command = f"python3 -c \"import shutil; shutil.copy('/a', '{KERNEL}')  # {'x' * 200}\""
    text = told(failed_once().shell(command).shell(EVALUATE, GOOD))
    assert f"shutil.copy('/a', '{KERNEL}')  #`…" in text


def test_assignments_are_not_shown():
    """What is set in front of a command may be a secret."""
    story = failed_once().shell("TOKEN=abc K='d e' python3 fix.py").shell(EVALUATE, GOOD)
    assert "`python3 fix.py`" in told(story)
    assert "abc" not in told(story)


def test_deleted_directory_is_a_change_of_its_files():
    """`rm -rf kernel` after the verdict makes it stale."""
    story = Story().write(KERNEL, CODE).shell(EVALUATE, GOOD).shell(f"rm -rf {ROOT}/kernel")
    stage = story.derive().facts.stages["ascendc"]
    assert stage.stale
    assert [(c.path, c.how) for c in stage.pending_changes] == [("kernel/elu.cpp", "delete")]


@pytest.mark.parametrize(
    "command",
    [
        f"[ -f /nope ] && cp /tmp/k.bak {KERNEL}; true",
        f"if [ -f /nope ]; then cp /tmp/k.bak {KERNEL}; fi",
        f"test -f /nope && cp /tmp/k.bak {KERNEL}; true",
        f"true || cp /tmp/k.bak {KERNEL}",
    ],
)
def test_conditional_copy_may_not_have_happened(command):
    """Its effect is unknown: nothing was reverted, nothing was ineffective."""
    story = Story().write(KERNEL, CODE).shell(f"cp {KERNEL} /tmp/k.bak")
    story.shell(EVALUATE, report([0, 1], [2]), exit_code=1).edit(KERNEL, "Exp", "Ln")
    story.shell(EVALUATE, report([0], [1, 2]), exit_code=1)
    story.shell(command).shell(EVALUATE, report([0], [1, 2]), exit_code=1)
    assert kinds(story) == [(2, "worse")]
    assert "未改" not in told(story)


def test_copy_behind_a_test_that_held():
    """The test decided the exit code: success shows that the copy was made."""
    story = Story().write(KERNEL, CODE).shell(f"cp {KERNEL} /tmp/k.bak")
    story.shell(EVALUATE, report([0, 1], [2]), exit_code=1).edit(KERNEL, "Exp", "Ln")
    story.shell(EVALUATE, report([0], [1, 2]), exit_code=1)
    assert kinds(story.shell(f"[ -f /tmp/k.bak ] && cp /tmp/k.bak {KERNEL}")) == [(2, "reverted")]


@pytest.mark.parametrize("name", ["model.py", "31_ELU.json"])
def test_changed_judge_is_a_change_of_the_round(name):
    """Editing the reference or the cases between two runs is named, in notes and drift."""
    story = Story().write(KERNEL, CODE).write(f"{ROOT}/{name}", "a\n")
    story.shell(EVALUATE, BAD, exit_code=1).edit(f"{ROOT}/{name}", "a", "b")
    story.shell(EVALUATE, GOOD)
    assert scores(story) == [1, 2]
    changed = story.derive().facts.stages["ascendc"].rounds[1].changed_files
    assert [(change.path, change.judging) for change in changed] == [(name, True)]
    assert f"`{name}` 被修改" in told(story)


def test_changed_judge_by_a_command():
    """A shell command on the reference counts like an edit."""
    story = Story().write(KERNEL, CODE).write(f"{ROOT}/model.py", "a\n")
    story.shell(EVALUATE, BAD, exit_code=1).shell(f"sed -i 's/a/b/' {ROOT}/model.py")
    assert scores(story.shell(EVALUATE, GOOD)) == [1, 2]
    assert "参考实现 `model.py` 被修改" in told(story)


def test_substitution_without_a_match_is_no_change():
    """`sed -i` on a known text that does not hold the pattern opens no round."""
    story = failed_once().shell(f"sed -i 's/NOPE/Ln/' {KERNEL}")
    assert len(scores(story.shell(EVALUATE, BAD, exit_code=1))) == 1


def test_edit_and_its_reverse_is_no_change():
    """What holds its earlier text again when it is evaluated opens no round."""
    story = failed_once().edit(KERNEL, "Exp", "Ln").edit(KERNEL, "Ln", "Exp")
    story.shell(EVALUATE, BAD, exit_code=1)
    assert (len(scores(story)), kinds(story)) == (1, [])


def test_substitution_taken_back_is_reverted():
    """A `sed -i` whose effect can be computed is followed like an edit."""
    story = Story().write(KERNEL, CODE).shell(EVALUATE, report([0, 1], [2]), exit_code=1)
    story.shell(f"sed -i 's/Exp(a, b, n)/Ln(a, b, n)/' {KERNEL}")
    story.shell(EVALUATE, report([0], [1, 2]), exit_code=1)
    story.shell(f"sed -i 's/Ln(a, b, n)/Exp(a, b, n)/' {KERNEL}")
    story.shell(EVALUATE, report([0, 1], [2]), exit_code=1)
    assert kinds(story) == [(2, "reverted")]


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (["-i", "s/a/b/"], "aa\na\n", "ba\nb\n"),
        (["-i", "s/a/b/g"], "aa\na", "bb\nb"),
        (["-i.bak", "-e", "s/f(x)/g(x)/", "-e", "s|a/b|c|"], "f(x) a/b\n", "g(x) c\n"),
        (["-i", r"s/a\.b/c/"], "axb\na.b\n", "axb\nc\n"),
        (["-i", "s/^/  /"], "a\n", "  a\n"),
        (["-i", "s/;$/,/"], "a;;\n", "a;,\n"),
    ],
)
def test_computed_substitutions(words, before, after):
    """Plain substitutions are computed as sed does."""
    known = substitutions([*words, "k.cpp"])
    assert known is not None
    for item in known:
        before = item.apply(before)
    assert before == after


@pytest.mark.parametrize(
    "words",
    [
        ["-i", "s/a*/b/"],
        ["-i", "s/a/&&/"],
        ["-i", r"s/\(a\)/\1/"],
        ["-i", "s/a/$X/"],
        ["-i", "2s/a/b/"],
        ["-i", "s/a/b/;s/c/d/"],
        ["-i", "/x/d"],
        ["-iE", "s/a+/b/"],
        ["-E", "-i", "s/a+/b/"],
        ["-i", "-f", "x.sed"],
    ],
)
def test_other_scripts_are_not_computed(words):
    """What needs more than plain text stays unknown."""
    assert substitutions([*words, "k.cpp"]) is None
