"""Dead ends: reverted, worse, ineffective; at most one per round."""

from __future__ import annotations

from tests.builders import EVALUATE, KERNEL, Story, error_report, report


def kinds(story: Story) -> list[tuple[int, str]]:
    return [(item.round_no, item.kind) for item in story.derive().facts.dead_ends]


def started() -> Story:
    story = Story().write(KERNEL, "v1;\n")
    return story.shell(EVALUATE, report([0, 1, 2], [3]), exit_code=1)


def test_fewer_passing_cases_is_worse():
    """A change after which fewer cases pass is worse."""
    story = started().edit(KERNEL, "v1", "v2")
    story.shell(EVALUATE, report([0], [1, 2, 3]), exit_code=1)
    assert kinds(story) == [(2, "worse")]


def test_undone_change_is_reverted():
    """A change whose file later holds its earlier content is reverted, whatever the tool."""
    story = started().shell(f"cp {KERNEL} {KERNEL}.r1").edit(KERNEL, "v1", "v2")
    story.shell(EVALUATE, report([0], [1, 2, 3]), exit_code=1)
    story.shell(f"mv {KERNEL}.r1 {KERNEL}").edit(KERNEL, "v1", "v3")
    story.shell(EVALUATE, report([0, 1, 2, 3]))
    assert kinds(story) == [(2, "reverted")]
    change = story.derive().facts.stages["ascendc"].rounds[2].changed_files[0]
    assert (change.how, change.restores_round) == ("move", 1)


def test_same_signature_is_ineffective():
    """A change that leaves the very same failure is ineffective."""
    story = Story().write(KERNEL, "v1")
    story.shell(EVALUATE, error_report("RuntimeError: UB overflow"), exit_code=1)
    story.edit(KERNEL, "v1", "v2")
    story.shell(EVALUATE, error_report("RuntimeError: UB overflow"), exit_code=1)
    assert kinds(story) == [(2, "ineffective")]


def test_other_error_is_no_dead_end():
    """A different failure is progress of some kind."""
    story = Story().write(KERNEL, "v1")
    story.shell(EVALUATE, error_report("RuntimeError: one"), exit_code=1)
    story.edit(KERNEL, "v1", "v2")
    story.shell(EVALUATE, error_report("RuntimeError: two"), exit_code=1)
    assert kinds(story) == []


def test_different_case_totals_are_not_compared():
    """6 of 10 after 8 of 8 is no regression: the case sets differ."""
    story = Story().write(KERNEL, "v1").shell(EVALUATE, report(range(8)))
    story.edit(KERNEL, "v1", "v2")
    story.shell(EVALUATE, report(range(6), range(6, 10)), exit_code=1)
    assert kinds(story) == []


def test_passing_round_is_no_dead_end():
    """A passing change that is undone later is no dead end."""
    story = started().edit(KERNEL, "v1", "v2").shell(EVALUATE, report([0, 1, 2, 3]))
    story.edit(KERNEL, "v2", "v1")
    assert kinds(story) == []


def test_repeating_without_change_is_no_dead_end():
    """A repeated run belongs to its round and is reported as a repetition instead."""
    story = started().shell(EVALUATE, report([0, 1, 2], [3]), exit_code=1)
    assert kinds(story) == []
    assert len(story.derive().facts.repeated_runs) == 1
