"""Atomic writing of files: a file is complete or absent."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
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
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            _fill(file.fileno())
            os.fsync(file.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(folder)) from None


def _fill(descriptor: int) -> None:
    """Fill a file with as many bytes as a study's files take together."""
    try:
        os.posix_fallocate(descriptor, 0, ROOM)  # the blocks, without the time to write them
    except AttributeError:  # not on this system
        for _ in range(ROOM >> 20):
            os.write(descriptor, bytes(1 << 20))


def write_file(path: Path, data: bytes) -> None:
    """Write a file in one step: a reader, or a crash, finds the old file or the new.

    A link stays one, and whoever could not read the old file cannot read the new.

    Raises:
        OSError: it cannot be written, or a device or a pipe has its name; what was there before is
            untouched.
    """
    place = Path(os.path.realpath(path))
    if place.exists() and not (place.is_file() or place.is_dir()):
        raise OSError(errno.EEXIST, "is no file; expected the name of one", str(path))
    beside = place.with_name(f".{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as file:
            if sys.platform != "win32" and place.is_file():
                os.fchmod(file.fileno(), stat.S_IMODE(place.stat().st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        beside.unlink(missing_ok=True)


def make_safe(path: Path) -> None:
    """Wait until a file that others have written is on the disk.

    Raises:
        OSError: it cannot be written there.
    """
    try:
        with path.open("r+b") as file:  # Windows asks for the right to write
            os.fsync(file.fileno())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write `files`, by name, into `folder`; each replaces an old one in one step.

    Raises:
        OSError: one cannot be written; those before it are in place, it and the rest are not.
    """
    for name, data in files.items():
        write_file(folder / name, data)
