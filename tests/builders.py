"""Short constructors for events and sessions, so that tests read as stories."""

from __future__ import annotations

from collections.abc import Sequence

from summarizer.facts import Derived, Inputs, MeasuredFiles, derive_facts
from summarizer.model.events import (
    AssistantMessage,
    CallState,
    Event,
    FileChange,
    FileRead,
    Output,
    ReadResult,
    ShellCall,
    UserMessage,
)
from summarizer.model.reports import CaseFiles
from summarizer.model.source import Completeness, SourceFile, SourceRef

ROOT = "/work-dir/output/level1/31_ELU"
KERNEL = f"{ROOT}/kernel/elu.cpp"
EVALUATE = f"bash skills/evaluate_ascendc.sh {ROOT}"
TILELANG = f"bash skills/evaluate_tilelang.sh {ROOT}"
NO_CASES = CaseFiles(None, None, None, None, None, None)

_RULE = "=" * 72
_LINE = "-" * 72


class Story:
    """Collects events in order, numbering records and seconds by itself."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.clock = 0

    def _ref(self) -> SourceRef:
        number = len(self.events) * 2 + 1
        return SourceRef("session.jsonl", number, number * 100, number * 100 + 99)

    def _time(self) -> str:
        self.clock += 1
        return f"2026-01-01T00:{self.clock // 60:02d}:{self.clock % 60:02d}.000Z"

    def user(self, text: str) -> Story:
        """The user says something."""
        self.events.append(UserMessage(self._ref(), self._time(), text))
        return self

    def says(self, text: str, agent_id: str | None = None) -> Story:
        """The agent says something."""
        self.events.append(AssistantMessage(self._ref(), self._time(), text, agent_id=agent_id))
        return self

    def shell(
        self,
        command: str,
        output: str = "",
        *,
        exit_code: int | None = 0,
        state: CallState = CallState.EXECUTED,
        completeness: Completeness = Completeness.FULL,
        state_text: str = "",
        timed_out: bool = False,
        agent_id: str | None = None,
    ) -> Story:
        """The agent runs a command."""
        ref = self._ref()
        outputs = (Output(output, completeness, ref),) if output else ()
        self.events.append(
            ShellCall(
                call_id=f"call{len(self.events)}",
                ref=ref,
                timestamp=self._time(),
                command=command,
                state=state,
                cwd="/work-dir",
                result_ref=ref,
                ended_at=self._time(),
                exit_code=exit_code,
                failed=None if exit_code is None else exit_code != 0,
                timed_out=timed_out,
                outputs=outputs,
                state_text=state_text,
                agent_id=agent_id,
            )
        )
        return self

    def write(self, path: str, content: str) -> Story:
        """The agent writes a file."""
        self.events.append(
            FileChange(
                call_id=f"call{len(self.events)}",
                ref=self._ref(),
                timestamp=self._time(),
                path=path,
                how="write",
                state=CallState.EXECUTED,
                content=content,
            )
        )
        return self

    def edit(
        self, path: str, old: str, new: str, *, failed: str = "", original: str | None = None
    ) -> Story:
        """The agent edits a file; `failed` is the tool's refusal."""
        self.events.append(
            FileChange(
                call_id=f"call{len(self.events)}",
                ref=self._ref(),
                timestamp=self._time(),
                path=path,
                how="edit",
                state=CallState.INVALID if failed else CallState.EXECUTED,
                edits=((old, new, False),),
                original=original,
                state_text=failed,
            )
        )
        return self

    def read(self, path: str, content: str) -> Story:
        """The agent reads a file."""
        ref = self._ref()
        self.events.append(
            FileRead(
                call_id=f"call{len(self.events)}",
                ref=ref,
                timestamp=self._time(),
                path=path,
                state=CallState.EXECUTED,
                output=Output(content, Completeness.FULL, ref, via="read"),
            )
        )
        return self

    def session(self) -> ReadResult:
        """Everything as a reader would hand it over."""
        stamps = [event.timestamp for event in self.events if event.timestamp]
        return ReadResult(
            format="test",
            client="test",
            client_versions=("1",),
            session_ids=("s",),
            files=(SourceFile("session.jsonl", "transcript", "0" * 64, 1),),
            events=tuple(self.events),
            issues=(),
            cwds=("/work-dir",),
            started_at=stamps[0] if stamps else None,
            ended_at=stamps[-1] if stamps else None,
        )

    def derive(
        self,
        case_files: CaseFiles = NO_CASES,
        measured: MeasuredFiles | None = None,
        kernel_sources: Sequence[str] = (),
    ) -> Derived:
        """The facts of the story."""
        return derive_facts(
            Inputs(
                output_dir=ROOT,
                recorded_root=ROOT,
                session=self.session(),
                case_files=case_files,
                measured=measured or MeasuredFiles(),
                kernel_sources=kernel_sources,
            )
        )


def report(passed: Sequence[int], failed: Sequence[int] = (), title: str = "AscendC") -> str:
    """A verification report over those case numbers."""
    ok = not failed
    cases = []
    for number in sorted([*passed, *failed]):
        if number in passed:
            text = "matched, MERE=0, MARE=0, threshold=0.00012207, mare_threshold=0.0012207"
        else:
            text = (
                "dtype(ref=torch.float32, cand=torch.float32), max_abs_diff=1, mean_abs_diff=0.5, "
                "MERE=0.5, MARE=1, threshold=0.00012207, mare_threshold=0.0012207, passed=False"
            )
        cases.append(f"case[{number}]: output[{number}]: {text}")
    inputs = [f"inputs[{number}]: list[1]" for number in sorted([*passed, *failed])]
    lines = [
        "Detected local Ascend environment, building kernel and running local verification",
        _RULE,
        f"{title} Verification Report",
        _RULE,
        f"Status    : {'PASS' if ok else 'FAIL'}",
        f"Operator  : {ROOT}",
        _LINE,
        "Inputs",
        _LINE,
        *inputs,
        _LINE,
        "Comparison",
        _LINE,
        *cases,
        _LINE,
        f"Result: {'pass' if ok else 'fail'}",
    ]
    return "\n".join(lines)


def error_report(message: str) -> str:
    """A verification report that holds an error instead of cases."""
    lines = [
        "Detected local Ascend environment, building kernel and running local verification",
        _RULE,
        "AscendC Verification Report",
        _RULE,
        "Status    : FAIL",
        _LINE,
        "Comparison",
        _LINE,
        message,
        _LINE,
        "Result: fail",
    ]
    return "\n".join(lines)
