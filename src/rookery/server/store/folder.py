"""The data folder, which one server at a time may use."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, TextIO

try:
    import fcntl
except ImportError:  # Windows has none
    fcntl = None  # type: ignore[assignment]

LOCK: Final = "serving.lock"


class CannotServe(Exception):
    """The server cannot start: one line says what is wrong and what was expected."""


@contextmanager
def held(folder: Path) -> Iterator[Path]:
    """Make the data folder if needed and lock it for this server; yield it.

    Raises:
        CannotServe: it is not a folder, cannot be written, or another server uses it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = _opened(folder / LOCK)
    except OSError as error:
        reason = (error.strerror or "cannot be written").lower()
        raise CannotServe(f"--data: {folder}: {reason}; expected a folder to write in") from None
    with lock:
        # The system releases the lock however the process ends.
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                told = "a server keeps its tables there; stop it, or name another folder"
                raise CannotServe(f"--data: {folder}: {told}") from None
        yield folder


def _opened(file: Path) -> TextIO:
    """Return the lock, made if needed; where root makes it, it is whose the folder is."""
    try:
        lock = file.open("x")
    except FileExistsError:  # and stays whose it is: it may be a link to anything
        return file.open("a")
    if sys.platform != "win32" and os.geteuid() == 0:
        whose = file.parent.stat()
        with suppress(OSError):  # root may be none beyond its container
            os.chown(lock.fileno(), whose.st_uid, whose.st_gid)
    return lock
