"""Which texts prove that the evaluation script never began."""

from __future__ import annotations

import pytest

from summarizer.eval_logs import never_started, parse_evaluations
from summarizer.model.source import Completeness

PROOFS = [
    ("bash: skills/x/evaluate_ascendc.sh: No such file or directory\n", 127),
    ("/bin/bash: line 1: ./evaluate_tilelang.sh: Permission denied\n", 126),
    ("/bin/sh: 1: ./evaluate_ascendc.sh: not found\n", 127),
    ("sh: 0: cannot open evaluate_ascendc.sh: No such file\n", 2),
    ("zsh: no such file or directory: ./evaluate_ascendc.sh\n", 127),
    ("/bin/bash: line 1: python: command not found\n", 127),
    ("bash: line 1: cd: /no/such: No such file or directory\n", 1),
    ("python: can't open file '/x/verification_ascendc.py': [Errno 2] No such file or dir\n", 2),
    ("timeout: failed to run command ‘bash’: No such file or directory\n", 127),
    ("bash: line 3: prepare-everything: command not found\n", 127),
]  # fmt: skip
NO_PROOFS = [
    ("", 0),
    ("bash: line 3: prepare-everything: command not found\n", 0),
    ("skills/x/evaluate_ascendc.sh: line 12: python: command not found\n", 127),
    ("[1/4] Packaging /x\nbash: line 1: python: command not found\n", 127),
    ("cp: cannot stat 'evaluate_ascendc.sh': No such file or directory\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), PROOFS)
def test_a_shell_message_proves_it(text: str, code: int | None) -> None:
    """The message comes back verbatim, and no report is made up."""
    assert never_started(text, code) == text.rstrip("\n")
    assert (
        parse_evaluations(text, exit_code=code, failed=True, completeness=Completeness.FULL) == ()
    )


@pytest.mark.parametrize(("text", "code"), NO_PROOFS)
def test_other_texts_do_not(text: str, code: int | None) -> None:
    """A message about another program, or inside the script, is no proof: there is a report."""
    assert never_started(text, code) is None
    assert (
        len(parse_evaluations(text, exit_code=code, failed=None, completeness=Completeness.FULL))
        == 1
    )
