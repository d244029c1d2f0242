"""SHA-256 of a file while it is read; must not know any format."""

from __future__ import annotations

import hashlib
import queue
import threading
from types import TracebackType

_LARGE = 8 << 20
"""Bytes from which a second thread pays: hashing lets other Python code run meanwhile."""
_AHEAD = 16
"""Pieces that may wait for the thread, so that memory stays bounded."""


class FileDigest:
    """Hashes pieces in order; for a large file in a thread beside the decoding.

    Use as a context manager and ask for `hexdigest` after it was left.
    """

    def __init__(self, size: int) -> None:
        self._hash = hashlib.sha256()
        self._queue: queue.Queue[bytes | None] = queue.Queue(_AHEAD)
        self._thread = threading.Thread(target=self._work) if size >= _LARGE else None

    def __enter__(self) -> FileDigest:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()

    def _work(self) -> None:
        while (piece := self._queue.get()) is not None:
            self._hash.update(piece)

    def update(self, piece: bytes) -> None:
        """Adds the next bytes."""
        if self._thread is None:
            self._hash.update(piece)
        else:
            self._queue.put(piece)

    def hexdigest(self) -> str:
        """The digest of all pieces."""
        return self._hash.hexdigest()
