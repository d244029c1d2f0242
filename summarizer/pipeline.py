"""Wires the parts: from an output directory to facts, to a checked trace, to findings.

No printing and no command line here. `record_run` is steps 1-11 of the data flow, `check_trace`
the same without drafting.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from summarizer import __version__
from summarizer.draft.offline import draft_offline
from summarizer.errors import InputError
from summarizer.facts import (
    NO_TRANSCRIPT,
    Derived,
    Inputs,
    LogText,
    MeasuredFiles,
    derive_facts,
)
from summarizer.locate import belongs, find_transcripts
from summarizer.model.draft import Draft
from summarizer.model.events import ReadResult
from summarizer.model.evidence import Evidence, Witness
from summarizer.model.facts import Facts
from summarizer.model.finding import Finding, Severity
from summarizer.model.source import Completeness, SourceRef
from summarizer.model.trace import TraceDoc
from summarizer.readers import read_transcripts
from summarizer.render.parse import parse_trace
from summarizer.render.render import profile_named, render_trace
from summarizer.sources import DirectorySources, read_directory
from summarizer.text.provenance import hash_text, read_provenance, stamp
from summarizer.writer import TRACE_NAME, read_existing, write_trace
from validators import UNCHECKED, CheckContext, RuleReport, run_rules


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """What the caller named instead of leaving it to be found."""

    transcripts: tuple[Path, ...] = ()
    logs: tuple[Path, ...] = ()
    performance: tuple[Path, ...] = ()
    op_type: str | None = None
    level: int | None = None
    problem_id: int | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    home: Path | None = None
    no_transcript: bool = False
    """Work from the files of the output directory alone."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """What `record` made."""

    facts: Facts
    evidence: tuple[Evidence, ...]
    draft: Draft
    text: str
    """The complete trace with its provenance comment."""
    findings: tuple[Finding, ...]
    checked: Mapping[str, int]
    """How many claims of each kind were compared with the evidence."""
    written_to: Path | None
    """None for a dry run and when the gate refused the text."""

    @property
    def passed(self) -> bool:
        """Whether the text passed the gate."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)


@dataclass(frozen=True, slots=True)
class Checked:
    """What `validate` found in one trace."""

    path: Path
    doc: TraceDoc
    findings: tuple[Finding, ...]
    checked: Mapping[str, int]
    facts: Facts | None
    evidence: tuple[Evidence, ...]
    why_no_evidence: str | None
    """What kept the transcript from being found, None when it was."""
    suppressed: tuple[Finding, ...] = ()
    """Findings that a comment in the trace asked to be left out."""

    @property
    def compared(self) -> bool:
        """Whether any claim could be compared with a source outside the trace."""
        return self.facts is not None and any(
            count for kind, count in self.checked.items() if kind != UNCHECKED
        )


@dataclass(frozen=True, slots=True)
class Gathered:
    """Sources that were found and read, before anything is derived from them."""

    inputs: Inputs
    sources: DirectorySources


def derive(output_dir: Path, options: SourceOptions) -> Derived:
    """Find and read the sources of an output directory and derive its facts.

    Raises:
        InputError: the directory or a source is missing, ambiguous or of another task.
    """
    return derive_from(gather(output_dir, options))


def derive_from(gathered: Gathered) -> Derived:
    """Derive the facts and the evidence of sources that were read."""
    derived = derive_facts(gathered.inputs)
    return Derived(derived.facts, derived.evidence + file_evidence(gathered.sources))


def gather(output_dir: Path, options: SourceOptions) -> Gathered:
    """Find and read the sources of an output directory.

    Raises:
        InputError: the directory or a source is missing, ambiguous or of another task.
    """
    check_directory(output_dir)
    real = output_dir.resolve()
    try:
        return _gather(output_dir, options)
    except InputError:
        # A session may know the directory by its own name or by that of a link to it.
        if real.name == output_dir.absolute().name:
            raise
        with contextlib.suppress(InputError):
            return _gather(real, options)
        raise


def _gather(output_dir: Path, options: SourceOptions) -> Gathered:
    sources = read_directory(output_dir, logs=options.logs, performance=options.performance)
    session, recorded, reason = _session(output_dir, options, sources)
    inputs = Inputs(
        output_dir=str(output_dir),
        recorded_root=recorded or str(output_dir.absolute()),
        session=session,
        case_files=sources.case_files,
        measured=_measured(sources),
        kernel_sources=sources.kernel_sources,
        files=sources.files,
        issues=sources.issues,
        logs=_logs(sources),
        chosen_because=reason,
        op_type=options.op_type,
        level=options.level,
        problem_id=options.problem_id,
    )
    return Gathered(inputs, sources)


def _session(
    output_dir: Path, options: SourceOptions, sources: DirectorySources
) -> tuple[ReadResult, str | None, str]:
    """Return the session, the output directory as it spells it, and why it was chosen."""
    if options.no_transcript:
        return _without_transcript(output_dir, options, sources)
    try:
        located = find_transcripts(
            output_dir, named=options.transcripts, env=options.env, home=options.home
        )
    except InputError as error:
        if options.transcripts or not sources.files:
            raise
        hint = "or record only what the files of the directory prove with --no-transcript"
        raise InputError(f"{error}, {hint}") from error
    session = read_transcripts(located.paths)
    owner = belongs(session, output_dir)
    if not owner.touched:
        raise InputError(_another_task(located.paths, output_dir, session))
    recorded = owner.recorded_output_dir or located.recorded_output_dir
    return session, recorded, located.reason


def _without_transcript(
    output_dir: Path, options: SourceOptions, sources: DirectorySources
) -> tuple[ReadResult, str | None, str]:
    if options.transcripts:
        raise InputError("--no-transcript and --transcript exclude each other")
    if not sources.files:
        raise InputError(
            f"{output_dir}: no transcript wanted, and no case file, performance file or"
            " evaluation log in it: there is nothing to record"
        )
    session = ReadResult(NO_TRANSCRIPT, "", (), (), (), (), ())
    return session, None, "none (--no-transcript): only what the files prove"


def _logs(sources: DirectorySources) -> tuple[LogText, ...]:
    return tuple(
        LogText(log.source.path, log.text, log.kind, log.is_summary, log.source.bytes)
        for log in sources.eval_logs
    )


def check_directory(output_dir: Path) -> None:
    """Raise InputError unless the path is an existing directory."""
    if not output_dir.exists():
        raise InputError(f"{output_dir}: no such directory")
    if not output_dir.is_dir():
        raise InputError(f"{output_dir}: not a directory; name the operator's output directory")


def _another_task(paths: Sequence[Path], output_dir: Path, session: ReadResult) -> str:
    named = ", ".join(str(path) for path in paths)
    cwds = ", ".join(session.cwds) or "unknown"
    return (
        f"{named}: this session never worked on {str(output_dir)!r}"
        f" (its working directory: {cwds});"
        " name the transcript of the session that filled it with --transcript FILE"
    )


def _measured(sources: DirectorySources) -> MeasuredFiles:
    stored, log = sources.performance_json, sources.performance_log
    return MeasuredFiles(
        json_report=stored.report if stored is not None else None,
        json_path=stored.source.path if stored is not None else None,
        printed=log.report if log is not None else None,
        printed_path=log.source.path if log is not None else None,
    )


def file_evidence(sources: DirectorySources) -> tuple[Evidence, ...]:
    """Return the evidence that files of the output directory are."""
    items: list[Evidence] = []
    for log in sources.eval_logs:
        items.append(_file_item(f"L{len(items) + 1}", log.text, log.source.path, Witness.EVAL_LOG))
    for stored in (sources.performance_json, sources.performance_log):
        if stored is not None:
            witness = Witness.PERFORMANCE_FILE if stored.report.form == "json" else Witness.EVAL_LOG
            items.append(_file_item(f"L{len(items) + 1}", stored.text, stored.source.path, witness))
    return tuple(items)


def _file_item(name: str, text: str, path: str, witness: Witness) -> Evidence:
    size = len(text.encode("utf-8", "surrogateescape"))
    return Evidence(
        id=name,
        text=text,
        witness=witness,
        completeness=Completeness.FULL,
        source=SourceRef(path, 1, 0, size),
        stage=None,
        round_no=None,
    )


def record_run(
    output_dir: Path,
    options: SourceOptions,
    *,
    profile: str | None = None,
    force: bool = False,
    dry_run: bool = False,
) -> Recorded:
    """Write the trace of a finished session, unless its own text fails the rules.

    Raises:
        InputError: bad sources, or an existing trace.md that is not ours to replace.
    """
    profile_named(profile)
    check_directory(output_dir)
    if not dry_run:
        check_replaceable(output_dir, force)
    recorded = finish(gather(output_dir, options), profile=profile)
    if dry_run or not recorded.passed:
        return recorded
    return replace(recorded, written_to=write_trace(output_dir, recorded.text))


def finish(gathered: Gathered, *, profile: str | None) -> Recorded:
    """Derive, draft, render and check; write nothing.

    Raises:
        InputError: there is no profile of that name.
    """
    layout = profile_named(profile)
    derived = derive_from(gathered)
    draft = draft_offline(derived.facts)
    body = render_trace(derived.facts, draft, layout)
    sources = [(source.kind, source.sha256) for source in derived.facts.sources]
    text = stamp(body, __version__, layout.name, draft.drafter, sources)
    report = check_text(text, derived, profile=layout.name)
    return Recorded(
        derived.facts, derived.evidence, draft, text, report.findings, report.checked, None
    )


def check_replaceable(output_dir: Path, force: bool) -> None:
    """Raise InputError when an existing trace.md is foreign or was edited."""
    existing = read_existing(output_dir)
    if existing is None or force:
        return
    provenance = read_provenance(existing)
    path = output_dir / TRACE_NAME
    if provenance is None:
        raise InputError(f"{path}: not written by trace-recorder; --force replaces it")
    if not provenance.intact:
        raise InputError(f"{path}: was edited after it was written; --force replaces it")


def check_text(text: str, derived: Derived | None, *, profile: str | None = None) -> RuleReport:
    """Run every rule on a trace's text, exactly as `validate` does."""
    return run_rules(_context(parse_trace(text, profile=profile), derived))


def _context(doc: TraceDoc, derived: Derived | None) -> CheckContext:
    return CheckContext(
        doc=doc,
        facts=derived.facts if derived is not None else None,
        evidence=derived.evidence if derived is not None else (),
        provenance=read_provenance(doc.text) is not None,
        hash_text=hash_text,
    )


def check_trace(
    path: Path,
    options: SourceOptions,
    *,
    profile: str | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> Checked:
    """Lint one trace.md against the sources that can be found.

    Raises:
        InputError: the trace cannot be read, or a source the caller named is unusable.
    """
    text = read_trace_text(path)
    derived, why = _sources_of(path.parent, options)
    doc = parse_trace(text, profile=profile)
    report = run_rules(_context(doc, derived), select=select, ignore=ignore)
    return Checked(
        path,
        doc,
        report.findings,
        report.checked,
        derived.facts if derived is not None else None,
        derived.evidence if derived is not None else (),
        why,
        report.suppressed,
    )


def recheck(
    checked: Checked,
    text: str,
    *,
    profile: str | None = None,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
) -> Checked:
    """Lint another text of a checked trace against the same sources, without reading them again."""
    derived = Derived(checked.facts, checked.evidence) if checked.facts is not None else None
    doc = parse_trace(text, profile=profile)
    report = run_rules(_context(doc, derived), select=select, ignore=ignore)
    return replace(
        checked,
        doc=doc,
        findings=report.findings,
        checked=report.checked,
        suppressed=report.suppressed,
    )


def _sources_of(output_dir: Path, options: SourceOptions) -> tuple[Derived | None, str | None]:
    """Return what can be derived for a trace, and why its transcript was not used.

    Without a transcript the files beside the trace still decide some claims.
    """
    try:
        return derive(output_dir, options), None
    except InputError as error:
        if options.transcripts:
            raise
        why = str(error)
    try:
        return derive(output_dir, replace(options, no_transcript=True)), why
    except InputError:
        if options.logs or options.performance:
            raise
        return None, why


def read_trace_text(path: Path) -> str:
    """Return a trace's text; bytes that are no UTF-8 are kept as lone surrogates.

    Raises:
        InputError: no such file, not a regular file, not readable, empty or no text.
    """
    try:
        if not path.is_file():
            what = "no such file" if not path.exists() else "not a regular file"
            raise InputError(f"{path}: {what}")
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if not text.strip():
        raise InputError(f"{path}: is empty; there is nothing to validate")
    if "\0" in text and "\n#" not in "\n" + text:
        raise InputError(f"{path}: not a text file: NUL bytes and not one heading")
    return text
