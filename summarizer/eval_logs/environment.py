"""Recognises a call that tested nothing because of its surroundings; must not know verdicts.

Source: `echo ... >&2; exit 1` checks of evaluate_ascendc.sh and evaluate_tilelang.sh (E1 to E6),
messages of Bash, env, OpenSSH and Docker.
"""

from __future__ import annotations

import re

from summarizer.eval_logs._lines import cite_whole
from summarizer.eval_logs._run import EvalKind, Judgement, RunText
from summarizer.eval_logs.crash import exception_lines
from summarizer.model.reports import Outcome

# Printed instead of the script's work: each is a whole invocation.
PRECHECKS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"Task directory not found: "), "task_directory_missing"),
    (re.compile(r"Task kernel directory not found: "), "kernel_directory_missing"),
    (re.compile(r"Missing (?:verification|build) script: "), "script_missing"),
    (re.compile(r"Unable to locate repository root containing "), "repository_missing"),
    (re.compile(r"SSH key not found: "), "ssh_key_missing"),
    (re.compile(r"Usage: python\S* \S*verification_\w+\.py\b"), "usage"),
)
_TROUBLE: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"\S*evaluate_\w+\.sh: line \d+: .*: "
            r"(?:command not found|No such file or directory|Permission denied)$"
        ),
        "missing_tool",
    ),
    (re.compile(r"(?:/usr/bin/)?env: .*: No such file or directory$"), "missing_tool"),
    (re.compile(r"ssh: (?:connect to host|Could not resolve hostname) "), "ssh"),
    (re.compile(r"\S+: Permission denied \((?:publickey|password|keyboard)"), "ssh"),
    (re.compile(r"(?:kex_exchange|ssh_exchange)_identification: |client_loop: "), "ssh"),
    (re.compile(r"Connection (?:closed|reset) by |Host key verification failed"), "ssh"),
    (re.compile(r"Connection to \S+ closed by remote host|lost connection$"), "ssh"),
    (re.compile(r"SSH transport failed with exit code \d+(?!.*retrying)"), "ssh"),
    (re.compile(r"Remote (?:AscendC|TileLang) verification failed with exit code 255\b"), "ssh"),
    (re.compile(r"Error response from daemon: |Cannot connect to the Docker daemon"), "docker"),
    (re.compile(r"Error: No such container|OCI runtime exec failed: "), "docker"),
)
_VOID_EXCEPTIONS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"FileNotFoundError: Cannot find task directory for op "),
        "task_directory_missing",
    ),
    (
        re.compile(
            r"ModuleNotFoundError: No module named '(?:torch|torch_npu|tilelang|tvm|numpy)'$"
        ),
        "missing_dependency",
    ),
)
_KIND_WORDS: dict[str, EvalKind] = {"tilelang": "tilelang", "ascendc": "ascendc"}
_NAMED_KIND = re.compile(r"verification_(tilelang|ascendc)\.py")
_MISSING_KERNEL = re.compile(r"Task kernel directory not found: ")


def precheck_reason(text: str) -> str | None:
    """Return the reason word when a line is one of the script's own refusals, else None."""
    return next((reason for pattern, reason in PRECHECKS if pattern.match(text)), None)


def precheck_kind(text: str) -> EvalKind | None:
    """Return the kind that a refusal names by the way, None when it names none."""
    if _MISSING_KERNEL.match(text):
        return "ascendc"  # only this script needs a kernel folder
    match = _NAMED_KIND.search(text[-400:])
    return _KIND_WORDS[match[1]] if match else None


def judge_environment(run: RunText) -> Judgement | None:
    """Return ENVIRONMENT_ERROR for a refusal of the script or a missing framework, else None."""
    for line in run.lines:
        reason = precheck_reason(line.text)
        if reason is not None:
            return Judgement(
                Outcome.ENVIRONMENT_ERROR,
                reason,
                error_lines=cite_whole([line]),
                kind=precheck_kind(line.text),
            )
    return _void_exception(run)


def judge_trouble(run: RunText) -> Judgement | None:
    """Return ENVIRONMENT_ERROR for a missing tool, ssh or docker trouble, else None."""
    found = [
        (line, reason)
        for line in run.lines
        for pattern, reason in _TROUBLE
        if pattern.match(line.text)
    ]
    if not found:
        return None
    cited = cite_whole(line for line, _ in found)
    return Judgement(Outcome.ENVIRONMENT_ERROR, found[-1][1], error_lines=cited)


def _void_exception(run: RunText) -> Judgement | None:
    exceptions = exception_lines(run.lines)
    if not exceptions:
        return None
    last = exceptions[-1]
    for pattern, reason in _VOID_EXCEPTIONS:
        if pattern.match(last.text):
            cited = cite_whole([last])
            return Judgement(Outcome.ENVIRONMENT_ERROR, reason, error_lines=cited)
    return None
