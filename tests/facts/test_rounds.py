"""Runs, attempts, rounds and stages, told as stories."""

from __future__ import annotations

import pytest

from summarizer.model.events import CallState
from summarizer.model.reports import CaseFiles
from summarizer.model.source import Completeness
from tests.builders import EVALUATE, KERNEL, ROOT, TILELANG, Story, error_report, report

CASES = f"{ROOT}/31_ELU.json"
BACKUP = f"cp {CASES} {CASES}.bak && python3 reduce.py"
RESTORE = f"cp {CASES}.bak {CASES}"


def rounds(story: Story, stage: str = "ascendc"):
    found = story.derive().facts.stages[stage].rounds
    return [(r.outcome.value, r.cases_passed, r.cases_total, len(r.runs)) for r in found]


def test_each_change_and_run_is_a_round():
    """A change closed by a run is a round; rounds count from one."""
    story = Story().write(KERNEL, "a").shell(EVALUATE, report([0], [1]), exit_code=1)
    story.edit(KERNEL, "a", "b").shell(EVALUATE, report([0, 1]))
    assert rounds(story) == [("FAIL", 1, 2, 1), ("PASS", 2, 2, 1)]


def test_repeated_run_belongs_to_the_same_round():
    """Running again without a change opens no round, and the later verdict decides."""
    story = Story().write(KERNEL, "a").shell(EVALUATE, report([0], [1]), exit_code=1)
    story.shell(EVALUATE, report([0, 1]))
    facts = story.derive().facts
    assert rounds(story) == [("PASS", 2, 2, 2)]
    assert facts.stages["ascendc"].evaluate_runs == 2
    assert [(item.round_no, item.runs) for item in facts.repeated_runs] == [(1, 2)]


def test_writing_the_same_content_is_no_change():
    """A write that changes nothing opens no round."""
    story = Story().write(KERNEL, "a").shell(EVALUATE, report([0], [1]), exit_code=1)
    story.write(KERNEL, "a").shell(EVALUATE, report([0], [1]), exit_code=1)
    assert rounds(story) == [("FAIL", 1, 2, 2)]


def test_backup_copy_is_no_change():
    """A backup of a kernel file opens no round."""
    story = Story().write(KERNEL, "a").shell(EVALUATE, report([0], [1]), exit_code=1)
    story.shell(f"cp {KERNEL} {KERNEL}.r1").shell(EVALUATE, report([0], [1]), exit_code=1)
    assert len(rounds(story)) == 1


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (CallState.REFUSED, "refused"),
        (CallState.INVALID, "invalid"),
        (CallState.NO_RESULT, "no_result"),
    ],
)
def test_calls_that_did_not_run_are_attempts(state, reason):
    """Refused, invalid and resultless calls are attempts, no runs."""
    story = Story().write(KERNEL, "a")
    story.shell(EVALUATE, state=state, exit_code=None, state_text="denied")
    stage = story.derive().facts.stages["ascendc"]
    assert (stage.result, stage.evaluate_runs, stage.attempts_not_started) == ("NOT_RUN", 0, 1)
    assert [attempt.reason for attempt in stage.pending_attempts] == [reason]


def test_missing_script_is_an_attempt():
    """A script that the shell does not find never started."""
    story = Story().write(KERNEL, "a")
    text = "bash: skills/evaluate_ascendc.sh: No such file or directory"
    story.shell(EVALUATE, text, exit_code=127)
    stage = story.derive().facts.stages["ascendc"]
    assert stage.evaluate_runs == 0
    assert stage.pending_attempts[0].text == text


def test_failed_guard_is_an_attempt():
    """`validate && evaluate` whose first part failed is no run, and the check is recorded."""
    story = Story().write(KERNEL, "a")
    guarded = f"python validate_ascendc_impl.py {ROOT}/model_new_ascendc.py && {EVALUATE}"
    story.shell(guarded, "[FAIL] 检测到 PyTorch 退化 — Type 3: x", exit_code=1)
    stage = story.derive().facts.stages["ascendc"]
    assert stage.evaluate_runs == 0
    assert [attempt.reason for attempt in stage.pending_attempts] == ["guard_failed"]


def test_crashed_guard_is_an_attempt():
    """A traceback of the check in front is not the evaluation's."""
    story = Story().write(KERNEL, "a")
    guarded = f"python validate_ascendc_impl.py x && {EVALUATE}"
    crash = 'Traceback (most recent call last):\n  File "v.py", line 1\nSyntaxError: bad'
    story.shell(guarded, crash, exit_code=1)
    assert story.derive().facts.stages["ascendc"].evaluate_runs == 0


def test_operation_behind_a_failed_evaluation_did_not_happen():
    """`evaluate && cp` that failed copies nothing."""
    story = Story().write(KERNEL, "a")
    story.shell(f"{EVALUATE} && cp {ROOT}/kernel/other.cpp {KERNEL}", report([0], [1]), exit_code=1)
    assert story.derive().facts.stages["ascendc"].pending_changes == ()


def test_missing_task_directory_is_an_environment_error():
    """The script ran and found no task: a run without a verdict."""
    story = Story().write(KERNEL, "a")
    story.shell(EVALUATE, f"Task directory not found: {ROOT}", exit_code=1)
    stage = story.derive().facts.stages["ascendc"]
    assert [r.outcome.value for r in stage.rounds] == ["ENVIRONMENT_ERROR"]
    assert stage.result == "NOT_VERIFIED"


def test_error_report_is_fail_without_cases():
    """A report that holds an error instead of cases is FAIL with unknown counts."""
    story = Story().write(KERNEL, "a")
    story.shell(EVALUATE, error_report("RuntimeError: boom"), exit_code=1)
    (found,) = story.derive().facts.stages["ascendc"].rounds
    assert (found.outcome.value, found.cases_total, found.error_lines) == (
        "FAIL",
        None,
        ("RuntimeError: boom",),
    )


def test_several_reports_in_one_command_are_several_runs():
    """A loop that evaluates twice gives two runs of one round."""
    story = Story().write(KERNEL, "a")
    text = report([0], [1]) + "\n" + report([0, 1])
    story.shell(f"for i in 1 2; do {EVALUATE}; done", text)
    assert rounds(story) == [("PASS", 2, 2, 2)]


def test_cut_output_is_unknown():
    """A run whose verdict was cut away is UNKNOWN with the reason."""
    story = Story().write(KERNEL, "a")
    head = report([0, 1]).split("Comparison")[0].replace("Status    : PASS\n", "")
    story.shell(EVALUATE, head, exit_code=1, completeness=Completeness.HEAD)
    stage = story.derive().facts.stages["ascendc"]
    assert (stage.result, stage.reason) == ("UNKNOWN", "output_cut")


def test_redirected_output_is_found_when_it_is_shown():
    """A verdict in a redirected log counts once the log is shown, and is no new run."""
    story = Story().write(KERNEL, "a")
    story.shell(f"{EVALUATE} > /tmp/build.log 2>&1")
    story.read("/tmp/build.log", report([0, 1]))
    assert rounds(story) == [("PASS", 2, 2, 1)]


def test_tail_of_a_redirected_log_counts():
    """`tail` of the run's own log gives its verdict."""
    story = Story().write(KERNEL, "a")
    story.shell(f"{EVALUATE} > /tmp/build.log 2>&1")
    story.shell("tail -5 /tmp/build.log", "\n".join(report([0, 1]).split("\n")[-4:]))
    assert rounds(story)[0][0] == "PASS"


def test_overwritten_log_witnesses_nothing():
    """A log that another command wrote meanwhile says nothing about the run."""
    story = Story().write(KERNEL, "a")
    story.shell(f"{EVALUATE} > /tmp/build.log 2>&1")
    story.shell("cp /tmp/other.log /tmp/build.log")
    story.read("/tmp/build.log", report([0, 1]))
    assert rounds(story)[0][0] == "UNKNOWN"


def test_full_validation_starts_with_the_restored_cases():
    """Runs after the backup was copied back belong to 阶段四, also in the same command."""
    story = Story().shell(BACKUP).write(KERNEL, "a").shell(EVALUATE, report([0, 1]))
    story.shell(f"{RESTORE} && {EVALUATE}", report([0, 1, 2, 3]))
    facts = story.derive().facts
    assert facts.stages["ascendc"].evaluate_runs == 1
    assert facts.stages["full_validation"].evaluate_runs == 1
    assert rounds(story, "full_validation") == [("PASS", 4, 4, 1)]
    shown = [item for item in story.derive().evidence if "case[3]" in item.text]
    assert [(item.stage, item.round_no) for item in shown] == [("full_validation", 1)]


def test_full_validation_ends_when_cases_are_reduced_again():
    """After a new reduction, runs count for 阶段二 again."""
    story = Story().shell(BACKUP).write(KERNEL, "a").shell(EVALUATE, report([0, 1]))
    story.shell(f"{RESTORE} && {EVALUATE}", report([0, 1], [2, 3]), exit_code=1)
    story.shell(f"cp {CASES}.reduced {CASES}").edit(KERNEL, "a", "b")
    story.shell(EVALUATE, report([0, 1]))
    facts = story.derive().facts
    assert facts.stages["ascendc"].evaluate_runs == 2
    assert facts.stages["full_validation"].evaluate_runs == 1


def test_no_reduction_no_full_validation():
    """Without a reduction there is no 阶段四, whatever the case count."""
    story = Story().write(KERNEL, "a").shell(EVALUATE, report([0, 1]))
    assert story.derive().facts.stages["full_validation"].result == "NOT_RUN"


def test_hidden_restoration_is_seen_by_the_case_count():
    """A report over all original cases after reduced ones is a full validation."""
    files = CaseFiles(4, 4, CASES, f"{CASES}.bak", True, "CS2")
    story = Story().shell(BACKUP).write(KERNEL, "a").shell(EVALUATE, report([0, 1]))
    story.shell("python3 restore.py").shell(EVALUATE, report([0, 1, 2, 3]))
    assert story.derive(files).facts.stages["full_validation"].evaluate_runs == 1


def test_direct_calls_close_a_round_but_do_not_count():
    """verification_ascendc.py called by hand is a run of kind direct."""
    story = Story().write(KERNEL, "a")
    story.shell(f"python3 utils/verification_ascendc.py {ROOT}", report([0, 1]))
    stage = story.derive().facts.stages["ascendc"]
    assert (stage.evaluate_runs, stage.direct_runs, len(stage.rounds)) == (0, 1, 1)


def test_runs_of_another_task_are_left_out():
    """An evaluation of another directory is not this operator's."""
    story = Story().write(KERNEL, "a")
    story.shell("bash evaluate_ascendc.sh /work-dir/output/level1/12_Softmax", report([0]))
    assert rounds(story) == []


def test_tilelang_skipped_with_the_tool_s_reason():
    """Entering AscendC without a TileLang run is SKIP; the tool's words are the reason."""
    story = Story().shell(BACKUP)
    error = "ModuleNotFoundError: No module named 'tilelang'"
    story.shell("python -c 'import tilelang'", f"Traceback\n{error}", exit_code=1)
    story.write(KERNEL, "a").shell(EVALUATE, report([0]))
    stage = story.derive().facts.stages["tilelang"]
    assert (stage.result, stage.skip_reason, stage.skip_reason_source) == ("SKIP", error, "tool")


def test_tilelang_and_ascendc_are_counted_apart():
    """Each stage has its own rounds."""
    story = Story().write(f"{ROOT}/design/tile_level/elu.py", "x = 1")
    story.shell(TILELANG, report([0], title="TileLang"))
    story.write(KERNEL, "a").shell(EVALUATE, report([0]))
    assert rounds(story, "tilelang") == [("PASS", 1, 1, 1)]
    assert rounds(story) == [("PASS", 1, 1, 1)]


def test_verdict_is_stale_when_the_code_changed_later():
    """A change after the last run makes the stage's verdict stale."""
    story = Story().write(KERNEL, "a").shell(EVALUATE, report([0])).edit(KERNEL, "a", "b")
    stage = story.derive().facts.stages["ascendc"]
    assert stage.stale
    assert [change.path for change in stage.pending_changes] == ["kernel/elu.cpp"]


def test_timeout_without_verdict():
    """A killed run is TIMEOUT and no verdict."""
    story = Story().write(KERNEL, "a")
    story.shell(
        EVALUATE,
        "Detected local Ascend environment, building kernel and running local verification",
        state=CallState.ABORTED,
        exit_code=None,
        timed_out=True,
    )
    stage = story.derive().facts.stages["ascendc"]
    assert ([r.outcome.value for r in stage.rounds], stage.result) == (["TIMEOUT"], "NOT_VERIFIED")


def test_reports_of_other_operators_in_a_loop_are_not_ours():
    """A loop over several directories prints a report per operator; one of them is this task's."""
    other = ROOT.replace("31_ELU", "26_GELU")
    loop = "for o in 31_ELU 26_GELU; do bash evaluate_ascendc.sh /work-dir/output/level1/$o; done"
    printed = report([0], [1]) + "\n" + report([0, 1]).replace(ROOT, other)
    stage = Story().write(KERNEL, "a").shell(loop, printed).derive().facts.stages["ascendc"]
    assert stage.evaluate_runs == 1
    assert stage.result == "FAIL"


def test_reports_of_a_renamed_directory_are_kept():
    """Where no report names this directory, the one the command evaluated is still its own."""
    printed = report([0, 1]).replace("31_ELU", "31_Elu_copy")
    stage = Story().write(KERNEL, "a").shell(EVALUATE, printed).derive().facts.stages["ascendc"]
    assert stage.result == "PASS"
