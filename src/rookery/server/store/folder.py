"""The data folder, held by one server at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

LOCK: Final = "serving.lock"


class CannotServe(Exception):
    """Why there is no server: one line, what was wrong and what would do."""


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """Hold the data folder, made if need be, for this one server; yield it.

    Raises:
        CannotServe: it is no folder, nothing can be written there, or another server has it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / LOCK).open("a")
    except OSError as error:
        reason = (error.strerror or "cannot be written").lower()
        raise CannotServe(f"--data: {folder}: {reason}; expected a folder to write in") from None
    with lock:
        # The system lets go of it however the process ends.
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                line = f"--data: {folder}: another server keeps its tables there; name another one"
                raise CannotServe(line) from None
        yield folder
