"""The wheel holds what the tool needs and works in an empty environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources."""
    source = tmp_path_factory.mktemp("source")
    for name in ("summarizer", "validators", "prompts"):
        shutil.copytree(ROOT / name, source / name)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    target = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", str(target), "."],
        cwd=source,
        check=True,
    )
    return next(target.glob("*.whl"))


@pytest.mark.slow
def test_wheel_holds_templates_prompts_and_example(wheel):
    """Templates, prompt folder and the bundled session are inside; tests are not."""
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "summarizer/render/templates/T6/trace.md.j2",
        "summarizer/example/data/session.jsonl",
        "summarizer/example/data/31_ELU/31_ELU.json.bak",
        "prompts/__init__.py",
        "validators/__init__.py",
    ):
        assert wanted in names
    assert not any(name.startswith("tests/") for name in names)


@pytest.mark.slow
def test_wheel_works_in_an_empty_environment(wheel, tmp_path):
    """Installed beside nothing else, the command records its bundled session."""
    venv.create(tmp_path / "env", with_pip=True)
    python = tmp_path / "env" / "bin" / "python"
    subprocess.run(
        [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)],
        check=True,
    )
    command = tmp_path / "env" / "bin" / "trace-recorder"
    clean = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    result = subprocess.run(
        [str(command), "demo"],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={**clean, "LC_ALL": "C", "PYTHONUTF8": "0"},
    )
    assert result.stdout.decode("utf-8").startswith("# Trace: ELU\n")
    assert b"written:" in result.stderr
