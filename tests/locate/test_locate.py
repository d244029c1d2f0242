"""Which transcripts are chosen for an output directory, and when the choice is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from summarizer.errors import InputError
from summarizer.locate import Located, belongs, find_transcripts
from summarizer.readers import read_transcripts

OUT = "/home/user/ops/output/level1/31_ELU"


class Store:
    """A client's home with sessions that work on given paths."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def session(
        self,
        name: str,
        *steps: tuple[str, str],
        hour: int = 8,
        folder: Path | None = None,
        ids: str | None = None,
        cwd: str = "/home/user/ops",
        extra: tuple[tuple[str, str], ...] = (),
    ) -> Path:
        """Writes one session; each step is (tool, argument) and lasts a minute."""
        records = []
        for number, (tool, argument) in enumerate((*steps, *extra)):
            key = "command" if tool == "Bash" else "file_path"
            prefix = (ids or name) if number < len(steps) else name
            envelope = {"sessionId": name, "cwd": cwd, "version": "2.1.197"}
            stamp = f"2026-12-01T{hour:02d}:{number:02d}"
            use = {
                "type": "tool_use",
                "id": f"{prefix}-t{number}",
                "name": tool,
                "input": {key: argument, "content": "x"},
            }
            done = {"type": "tool_result", "tool_use_id": f"{prefix}-t{number}", "content": "ok"}
            records += [
                {
                    "type": "assistant",
                    "uuid": f"{prefix}-a{number:06d}",
                    "timestamp": f"{stamp}:10.000Z",
                    "message": {"content": [use]},
                    **envelope,
                },
                {
                    "type": "user",
                    "uuid": f"{prefix}-u{number:06d}",
                    "timestamp": f"{stamp}:20.000Z",
                    "message": {"content": [done]},
                    "toolUseResult": {"stdout": "ok"},
                    **envelope,
                },
            ]
        place = folder or self.home / ".claude/projects/-home-user-ops"
        place.mkdir(parents=True, exist_ok=True)
        path = place / f"{name}.jsonl"
        path.write_text(
            "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in records),
            encoding="utf-8",
        )
        return path

    def find(self, output_dir: str | Path = OUT, *named: Path, **env: str) -> Located:
        return find_transcripts(Path(output_dir), named=named, env=env, home=self.home)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


WORK = (("Write", f"{OUT}/kernel/k.cpp"), ("Bash", f"bash evaluate.sh {OUT}"))


def test_the_session_that_worked_there_is_found(store: Store) -> None:
    """Reads and greps of other sessions do not count; a sibling directory does not either."""
    wanted = store.session("wanted", *WORK)
    store.session("reader", ("Read", f"{OUT}/trace.md"), ("Bash", f"cat {OUT}/trace.md | head"))
    store.session("sibling", ("Write", f"{OUT}_v2/k.cpp"), ("Bash", f"bash evaluate.sh {OUT}_v2"))
    located = store.find()
    assert located.paths == (wanted,)
    assert located.recorded_output_dir == OUT
    assert "wanted.jsonl" in located.reason
    assert "\n" not in located.reason
    assert {one.path.name for one in located.candidates} == {
        "wanted.jsonl",
        "reader.jsonl",
        "sibling.jsonl",
    }


@pytest.mark.parametrize(
    ("command", "worked"),
    [
        (f"bash evaluate.sh {OUT}", True),
        ("bash evaluate.sh output/level1/31_ELU", True),
        (f"cd {OUT} && make", True),
        (f"ls {OUT}; cat '{OUT}/model.py'", False),
        (f"grep -r x {OUT} | wc -l", False),
        (f"cat a > {OUT}/b", True),
        (f"cat {OUT}/b 2>&1", False),
        (f"sed -i s/a/b/ {OUT}/k.cpp", True),
        (f"sed -n 1,5p {OUT}/k.cpp", False),
        (f"NPU=1 python perf.py --dir={OUT}", True),
        (f"bash evaluate.sh {OUT}0", False),
        (f"bash evaluate.sh /x{OUT}", False),
    ],
)
def test_what_counts_as_work(store: Store, command: str, worked: bool) -> None:
    """A command counts when it names the directory and does more than look."""
    path = store.session("s", ("Bash", command))
    found = belongs(read_transcripts([path]), Path(OUT))
    assert (found.touched and found.match == "absolute") is worked


def test_command_inside_the_directory_counts(store: Store) -> None:
    """A command that ran with the directory as its working directory counts."""
    path = store.session("s", ("Bash", "make"), cwd=f"{OUT}/kernel")
    found = belongs(read_transcripts([path]), Path(OUT))
    assert (found.touched, found.match, found.recorded_output_dir) == (True, "absolute", OUT)


def test_config_dir_moves_the_store(store: Store, tmp_path: Path) -> None:
    """CLAUDE_CONFIG_DIR replaces ~/.claude."""
    wanted = store.session("moved", *WORK, folder=tmp_path / "conf/projects/-p")
    assert store.find(CLAUDE_CONFIG_DIR=str(tmp_path / "conf")).paths == (wanted,)
    with pytest.raises(InputError, match="--transcript"):
        store.find()


def test_later_session_is_joined_by_time(store: Store) -> None:
    """Sessions that do not overlap are joined, earliest first."""
    later = store.session("a-later", *WORK, hour=11)
    first = store.session("b-first", *WORK, hour=9)
    located = store.find()
    assert located.paths == (first, later)
    assert "joined by time" in located.reason


def test_overlapping_unrelated_sessions_are_refused(store: Store) -> None:
    """Both are listed with times and what they did, and the remedy is named."""
    store.session("one", *WORK)
    store.session("two", *WORK)
    with pytest.raises(InputError) as caught:
        store.find()
    text = str(caught.value)
    for word in ("one.jsonl", "two.jsonl", "2026-12-01T08:00:10.000Z", "1 writes", "--transcript"):
        assert word in text


def test_fork_overlaps_but_belongs_together(store: Store) -> None:
    """A fork shares records: it is taken too; a mere copy is not."""
    first = store.session("one", *WORK)
    fork = store.session("fork", *WORK, ids="one", extra=(("Bash", f"python perf.py {OUT}"),))
    copy = store.session("copy", *WORK, ids="one", folder=store.home / ".claude/projects/-copy")
    located = store.find()
    assert set(located.paths) <= {first, fork, copy}
    assert fork in located.paths
    assert len(read_transcripts(located.paths).events) == 3


def test_transcript_inside_the_output_directory(store: Store, tmp_path: Path) -> None:
    """A session.jsonl in the directory is found, also when it was recorded elsewhere."""
    out = tmp_path / "moved/level1/31_ELU"
    out.mkdir(parents=True)
    path = store.session("session", *WORK, folder=out)
    (out / "cases.jsonl").write_text('{"shape": [1, 2]}\n', encoding="utf-8")
    located = store.find(out)
    assert located.paths == (path,)
    assert located.recorded_output_dir == OUT


def test_nothing_found_says_where_was_looked(store: Store) -> None:
    """The message names the places, the near misses and the remedy."""
    store.session("reader", ("Read", f"{OUT}/trace.md"))
    with pytest.raises(InputError) as caught:
        store.find()
    for word in (".claude/projects", f"{OUT}/*.jsonl", "reader.jsonl", "--transcript"):
        assert word in str(caught.value)
    with pytest.raises(InputError, match="no home directory"):
        find_transcripts(Path(OUT), named=[], env={}, home=None)


def test_directory_of_the_same_ending_is_not_found_unnamed(store: Store) -> None:
    """Another machine's path counts only when the transcript is named."""
    path = store.session("s", *WORK)
    other = Path("/data/output/level1/31_ELU")
    with pytest.raises(InputError, match="31_ELU"):
        store.find(other)
    located = store.find(other, path)
    assert located.paths == (path,)
    assert located.recorded_output_dir == OUT
    assert f"recorded as {OUT}" in located.reason


@pytest.mark.parametrize(
    ("directory", "match"),
    [
        (OUT, "absolute"),
        ("/elsewhere/output/level1/31_ELU", "suffix"),
        ("/elsewhere/level1/31_ELU", "suffix"),
        ("/elsewhere/31_ELU", "name"),
        ("/elsewhere/level1/32_ELU", "none"),
        ("/elsewhere/level1/1_ELU", "none"),
    ],
)
def test_how_a_recorded_directory_is_recognised(store: Store, directory: str, match: str) -> None:
    """The longest equal ending on component borders decides."""
    found = belongs(read_transcripts([store.session("s", *WORK)]), Path(directory))
    assert (found.match, found.touched) == (match, match != "none")
    assert found.recorded_output_dir == (OUT if match != "none" else None)


def test_named_file_of_another_task_is_told(store: Store) -> None:
    """A named file is taken as named; the reason says that it does not name the directory."""
    path = store.session("s", ("Write", "/home/user/ops/output/level1/40_X/k.cpp"))
    located = store.find(OUT, path)
    assert located.paths == (path,)
    assert located.recorded_output_dir is None
    assert "does not name this directory" in located.reason


def test_named_directory_gives_the_sessions_that_worked_there(store: Store) -> None:
    """Of a named folder only the sessions of the directory are taken."""
    wanted = store.session("wanted", *WORK)
    store.session("other", ("Write", "/home/user/ops/output/level1/40_X/k.cpp"))
    assert store.find(OUT, wanted.parent).paths == (wanted,)
    assert store.find(OUT, wanted.parent.parent.parent).paths == (wanted,)


def test_named_file_brings_its_fork(store: Store) -> None:
    """A fork beside the named file is added, an unrelated overlapping session is not."""
    first = store.session("one", *WORK)
    fork = store.session("fork", *WORK, ids="one", extra=(("Bash", f"python perf.py {OUT}"),))
    store.session("unrelated", *WORK)
    located = store.find(OUT, first)
    assert set(located.paths) == {first, fork}
    assert "fork.jsonl of the same work" in located.reason


def test_unusable_named_paths_are_refused(store: Store, tmp_path: Path) -> None:
    """A missing file, an empty folder and a folder of other files raise InputError."""
    empty = tmp_path / "empty"
    empty.mkdir()
    for path in (tmp_path / "absent.jsonl", empty):
        with pytest.raises(InputError, match=path.name):
            store.find(OUT, path)
    (empty / "cases.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(InputError, match="no transcript among 1"):
        store.find(OUT, empty)


def test_broken_file_in_the_store_is_passed_over(store: Store) -> None:
    """A foreign file that mentions the directory does not hide the session."""
    wanted = store.session("wanted", *WORK)
    (wanted.parent / "broken.jsonl").write_bytes(b"\0\xff31_ELU{{{\n")
    (wanted.parent / "empty.jsonl").write_bytes(b"")
    assert store.find().paths == (wanted,)


def test_directory_named_in_another_alphabet(store: Store) -> None:
    """The cheap search finds a name in both forms JSON can store it in."""
    out = "/home/user/算子/31_指数"
    wanted = store.session("wanted", ("Write", f"{out}/k.cpp"))
    assert b"\\u" in wanted.read_bytes()
    assert store.find(out).paths == (wanted,)
    raw = wanted.read_text(encoding="utf-8").encode().decode("unicode_escape")
    wanted.write_text(raw, encoding="utf-8")
    assert store.find(out).paths == (wanted,)
