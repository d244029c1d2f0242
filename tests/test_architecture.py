"""Imports stay where they belong; heavy libraries load only when they are needed."""

from __future__ import annotations

import subprocess
import sys

import pytest


def loaded_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint(' '.join(sorted(sys.modules)))"
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(result.stdout.split("\n")[-2].split())


def test_validators_do_not_load_a_model_client():
    """Linting needs neither openai nor jinja2."""
    loaded = loaded_after("import validators")
    assert not {"openai", "jinja2"} & loaded


@pytest.mark.parametrize("heavy", ["openai", "jinja2", "rich", "pydantic", "tree_sitter", "orjson"])
def test_version_loads_nothing_heavy(heavy):
    """--version answers before anything heavy is imported."""
    code = "from summarizer.cli.main import main\nmain(['--version'])"
    assert heavy not in loaded_after(code)


def test_our_packages_are_ours():
    """The import names exist on PyPI too; these are the ones of this project."""
    import prompts
    import summarizer
    import validators

    root = str(__import__("pathlib").Path(__file__).resolve().parent.parent)
    for module in (prompts, summarizer, validators):
        assert str(module.__file__).startswith(root)
