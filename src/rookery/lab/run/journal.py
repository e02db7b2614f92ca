"""The file in which a run notes finished work, so that an interrupted one is taken up again.

Format ``rookery-journal/1``: lines of UTF-8, each a CRC-32 in eight hexadecimal digits, a space and
a JSON object. The first names the run; every other says what was finished: ``{"job": {"spans":
[[0, 500]], "sums": [...]}}``, spans without their ends. A line is on the disk before anybody is
told that its work is done. One that a crash cut short is the last, and is dropped.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Final, Self
from zlib import crc32

import numpy as np

from rookery.lab.run.files import write_all
from rookery.lab.run.jobs import Counted

FORMAT: Final = "rookery-journal/1"
MANY: Final = 64  # lines, from which on a journal that is taken up is written anew, short


ABOVE: Final = ("server", "web", "cli")  # layers that no answer depends on


class WrongJournal(ValueError):
    """A journal that is damaged, in use, or another run's. Code: ``wrong-journal``."""

    code = "wrong-journal"


class FileJournal:
    """A journal in a file of its own; use it in a ``with`` block.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "journal"
    ...     with FileJournal(path, {"seed": 1}) as journal:
    ...         journal.note({"boards": Counted([(0, 5)], np.array([7]))})
    ...     with FileJournal(path, {"seed": 1}) as journal:
    ...         journal.counted("boards").sums
    array([7])
    """

    def __init__(self, path: Path, run: Mapping[str, str | int]) -> None:
        """Open the journal at `path`, or make ready to begin it with the first note.

        Args:
            path: of the file; its folder is there.
            run: all that the answer depends on, by name: two runs with the same may share a
                journal.

        Raises:
            WrongJournal: it is damaged before its last line, another process uses it, or it
                belongs to another run.
            OSError: it cannot be read or written.
        """
        self.path = path
        self._run = dict(run)
        self._counted: dict[str, Counted] = {}
        self._lock = _lock(path)
        try:
            self._file = self._taken_up() if path.exists() else None
        except BaseException:
            self._unlock()
            raise

    def __enter__(self) -> Self:
        """Return the journal."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Close the file; it stays."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._unlock()

    def counted(self, job: str) -> Counted:
        """Return what was noted of a job, as a copy."""
        found = self._counted.get(job, Counted())
        return Counted(found.spans, found.sums)

    def note(self, batch: Mapping[str, Counted]) -> None:
        """Note finished work; it is on the disk when this returns.

        Raises:
            OSError: it is not, and the journal is as it was before.
        """
        if self._file is None:
            self._write_anew()
            self._file = self._opened()
        line = _line({job: _written(counted) for job, counted in batch.items()})
        before = os.fstat(self._file).st_size
        try:
            left = memoryview(line)
            while left:
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, before)
            raise OSError(error.errno, error.strerror, str(self.path)) from None

    def remove(self) -> None:
        """Delete the file: the run is over and its answer is safe elsewhere."""
        self.path.unlink(missing_ok=True)

    def _unlock(self) -> None:
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _opened(self) -> int:
        return os.open(self.path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))

    def _write_anew(self) -> None:
        lines = [_line({"format": FORMAT, **self._run})]
        if self._counted:
            lines.append(_line({job: _written(one) for job, one in self._counted.items()}))
        write_all(self.path.parent, {self.path.name: b"".join(lines)})
        if self._lock is not None:
            os.fsync(self._lock)  # the new name outlives a power cut too

    def _taken_up(self) -> int | None:
        data = self.path.read_bytes()
        whole = data.rfind(b"\n") + 1
        lines = data[:whole].split(b"\n")[:-1]
        if lines and _read(lines[-1]) is None:
            # Not all of a last write's blocks need have reached the disk in order.
            whole -= len(lines.pop()) + 1
        if not lines:
            self.path.unlink()
            return None
        head, *notes = self._checked(lines)
        self._compare(head)
        try:
            for note in notes:
                for job, counted in note.items():
                    self._counted.setdefault(job, Counted()).merge(_counted(counted))
        except (KeyError, TypeError, ValueError) as error:
            raise WrongJournal(f"{self.path}: damaged ({error}); delete it to begin anew") from None
        if len(notes) > MANY:
            self._write_anew()
            return self._opened()
        file = self._opened()
        os.ftruncate(file, whole)
        return file

    def _checked(self, lines: list[bytes]) -> Iterator[dict[str, object]]:
        for number, line in enumerate(lines, 1):
            found = _read(line)
            if found is None:
                raise WrongJournal(
                    f"{self.path}: line {number} is damaged; delete the file to begin anew"
                )
            yield found

    def _compare(self, head: Mapping[str, object]) -> None:
        wanted: dict[str, object] = {"format": FORMAT, **self._run}
        for name in (*wanted, *head):
            if head.get(name) != wanted.get(name):
                raise WrongJournal(
                    f"{self.path}: is the journal of another run ({name} {head.get(name)}, here "
                    f"{wanted.get(name)}); choose another folder, or delete it to begin anew"
                )


def _line(held: Mapping[str, object]) -> bytes:
    text = json.dumps(held, separators=(",", ":")).encode()
    return b"%08x %s\n" % (crc32(text), text)


def _read(line: bytes) -> dict[str, object] | None:
    """Return what a line holds; None where it is damaged."""
    mark, _, text = line.partition(b" ")
    if mark != b"%08x" % crc32(text):
        return None
    found: dict[str, object] = json.loads(text)
    return found


def _written(counted: Counted) -> dict[str, object]:
    sums = [] if counted.sums is None else counted.sums.ravel().tolist()
    shape = () if counted.sums is None else counted.sums.shape
    return {"spans": counted.spans, "sums": sums, "shape": shape}


def _counted(held: object) -> Counted:
    if not isinstance(held, dict):
        raise TypeError(f"{type(held).__name__} where spans and sums were expected")
    spans = [(int(first), int(end)) for first, end in held["spans"]]
    return Counted(spans, np.array(held["sums"], dtype=np.int64).reshape(held["shape"]))


def _lock(path: Path) -> int | None:
    """Return a descriptor that keeps other processes from the journals of this folder."""
    if sys.platform == "win32":  # has neither folders to open nor locks of this kind
        return None
    import fcntl

    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(folder)
        line = f"{path}: another run is writing here; wait for it, or choose another folder"
        raise WrongJournal(line) from None
    return folder


@cache
def code_version() -> str:
    """Return the version of Rookery with a mark of the code that plays: what answers depend on.

    It is the same wherever the same sources are installed.
    """
    package = Path(__file__).parents[2]
    digest = sha256()
    for path in sorted(package.rglob("*")):
        told = path.relative_to(package).as_posix()
        if path.suffix in (".py", ".toml") and told.partition("/")[0] not in ABOVE:
            digest.update(told.encode() + b"\0" + path.read_bytes())
    return f"{version('rookery')}+{digest.hexdigest()[:8]}"
