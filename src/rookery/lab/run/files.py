"""Atomic writing of files: a file is complete or absent."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

ROOM: Final = 32 << 20  # bytes; the largest shipped study, every change to every game, writes 12 MB


def prepare(folder: Path) -> None:
    """Make `folder` and check that a study's files fit into it.

    Raises:
        OSError: it cannot be made or written, or the disk is full.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=folder, prefix=".room-")
    try:
        with os.fdopen(descriptor, "wb") as file:
            _fill(file.fileno())
            os.fsync(file.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from None
    finally:
        Path(name).unlink(missing_ok=True)


def _fill(descriptor: int) -> None:
    """Fill a file with as many bytes as a study's files take together."""
    try:
        os.posix_fallocate(descriptor, 0, ROOM)  # the blocks, without the time to write them
    except AttributeError:  # not on this system
        for _ in range(ROOM >> 20):
            os.write(descriptor, bytes(1 << 20))


def write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write `files`, by name, into `folder`; each replaces an old one in one step.

    Raises:
        OSError: one cannot be written; those before it are in place, it and the rest are not.
    """
    for name, data in files.items():
        descriptor, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o644)  # a temporary file is private
            os.replace(temporary, folder / name)  # noqa: PTH105
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(folder / name)) from None
        finally:
            Path(temporary).unlink(missing_ok=True)
