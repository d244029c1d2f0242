"""Writes trace.md so that a kill at any moment leaves the old file, none, or the complete new one.

Nothing else in the output directory is touched. Must not know what a trace says.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
import stat
from pathlib import Path

from summarizer.errors import InputError

TRACE_NAME = "trace.md"
_TEMPORARY = re.compile(r"\.trace-recorder\.([0-9a-f]{12})\.(\d+)\.[0-9a-f]{8}\.tmp")


def read_existing(output_dir: Path) -> str | None:
    """Return the text of an existing trace.md, None when there is none.

    Bytes that are no UTF-8 are kept as lone surrogates, so that nothing is lost.

    Raises:
        InputError: trace.md is no regular file or cannot be read.
    """
    path = output_dir / TRACE_NAME
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error
    if not stat.S_ISREG(status.st_mode):
        raise InputError(f"{path}: not a regular file; remove it first")
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from error


def write_trace(output_dir: Path, text: str) -> Path:
    """Write trace.md atomically and return its path.

    The temporary file lies in the parent directory when that is writable and on the same file
    system, else beside trace.md; what an earlier, killed run left behind is removed.

    Raises:
        InputError: the directory cannot be written; nothing was changed.
    """
    target = output_dir / TRACE_NAME
    replace_file(target, text.encode("utf-8", "surrogateescape"))
    return target


def replace_file(target: Path, data: bytes) -> None:
    """Write a file so that a kill at any moment leaves the old one, none, or the new one.

    Raises:
        InputError: the directory cannot be written; nothing was changed.
    """
    directory = target.parent
    key = _key(directory)
    place = _temporary_place(directory)
    for candidate in {place, directory}:
        _remove_leftovers(candidate, key)
    temporary = place / f".trace-recorder.{key}.{os.getpid()}.{secrets.token_hex(4)}.tmp"
    try:
        _write_synced(temporary, data)
        temporary.replace(target)
        _sync_directory(directory)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from error
    finally:
        # A read-only file system refuses even to remove what is not there.
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _key(directory: Path) -> str:
    """Tell this directory's temporary files from those of others in the same parent."""
    return hashlib.sha256(os.fsencode(directory.resolve())).hexdigest()[:12]


def _temporary_place(directory: Path) -> Path:
    parent = directory.resolve().parent
    try:
        same_device = parent.stat().st_dev == directory.stat().st_dev
    except OSError:
        return directory
    return parent if same_device and os.access(parent, os.W_OK | os.X_OK) else directory


def _remove_leftovers(directory: Path, key: str) -> None:
    """Remove temporary files of this output directory whose writer is no longer alive."""
    try:
        entries = list(directory.iterdir())
    except OSError:
        return
    for entry in entries:
        match = _TEMPORARY.fullmatch(entry.name)
        if match and match[1] == key and not _alive(int(match[2])):
            try:
                entry.unlink(missing_ok=True)
            except OSError:
                continue


def _alive(pid: int) -> bool:
    if pid == os.getpid():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _write_synced(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_directory(directory: Path) -> None:
    """Make the rename durable; file systems that cannot are left alone."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError:
        pass
    finally:
        os.close(descriptor)
