"""The journal of a run: finished work, kept on disk so that an interrupted run can be resumed.

Format ``rookery-journal/2``: an SQLite database with two tables. `run` names what the result
depends on. `work` has a row for each job: the units counted, their sums and a CRC-32 of both. A
note takes the place of its job's row, and is committed, and on the disk, before progress reports
its work as done. Journals of version 1.0 have a row for each note. Those of format
``rookery-journal/1`` (lines of JSON) are read and rewritten.
"""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Self
from zlib import crc32

import numpy as np

from rookery.lab.run.jobs import Counted

FORMAT: Final = "rookery-journal/2"
_TABLES: Final = """
    CREATE TABLE run (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE work (job TEXT NOT NULL, units TEXT NOT NULL, sums BLOB NOT NULL, crc INTEGER);
"""


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
        """Open the journal at `path`, or create it; its folder exists.

        In `run` is everything that the result depends on, by name. Runs may share a journal only if
        these are equal.

        Raises:
            WrongJournal: it is damaged, another process uses it, or it belongs to another run.
            OSError: it cannot be read or written.
        """
        self.path = path
        self._run = {"format": FORMAT, **run}
        self._counted: dict[str, Counted] = {}
        try:
            _rewrite_first_format(path, run)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise _explained(error, path) from None
        self._database = sqlite3.connect(
            path, timeout=0, isolation_level=None, check_same_thread=False
        )
        try:
            self._open()
        except BaseException as error:
            self._database.close()
            raise _explained(error, path) from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file. It stays, unless nothing was noted."""
        self._database.close()
        if not self._counted:
            self.remove()

    def counted(self, job: str) -> Counted:
        """Return a copy of the finished work of a job."""
        counted = self._counted.get(job, Counted())
        return Counted(counted.spans, counted.sums)

    def note(self, batch: Mapping[str, Counted]) -> None:
        """Note finished work; it is on the disk when this returns.

        Raises:
            OSError: it cannot be written; the journal is as it was before.
        """
        merged = {job: self.counted(job) for job in batch}
        for job, counted in batch.items():
            merged[job].merge(counted)
        rows = [_row(job, counted) for job, counted in merged.items()]
        try:
            with self._database:
                self._database.execute("BEGIN")
                self._database.executemany("DELETE FROM work WHERE job = ?", zip(merged))
                self._database.executemany("INSERT INTO work VALUES (?, ?, ?, ?)", rows)
        except sqlite3.Error as error:
            raise _explained(error, self.path) from None
        self._counted |= merged

    def remove(self) -> None:
        """Delete the file, once the run's result has been saved elsewhere."""
        self._database.close()
        self.path.unlink(missing_ok=True)
        # SQLite leaves it where a run was killed before anything of it was written.
        self.path.with_name(f"{self.path.name}-journal").unlink(missing_ok=True)

    def _open(self) -> None:
        run = self._database.execute
        run("PRAGMA locking_mode = EXCLUSIVE")
        run("PRAGMA synchronous = EXTRA")  # the folder, too, is on the disk after a commit
        run("BEGIN EXCLUSIVE")  # nobody else may write from here until the file is closed
        if run("SELECT 1 FROM sqlite_master").fetchone() is None:
            for statement in _TABLES.split(";"):
                run(statement)
            self._database.executemany("INSERT INTO run VALUES (?, ?)", self._run.items())
        run("CREATE INDEX IF NOT EXISTS job ON work (job)")  # older journals have none
        _compare(self.path, dict(run("SELECT name, value FROM run")), self._run)
        for job, units, sums, crc in run("SELECT job, units, sums, crc FROM work"):
            if crc32(sums, crc32(f"{job}\n{units}".encode())) != crc:
                raise ValueError(f"a note of {job} has changed")
            self._counted.setdefault(job, Counted()).merge(_counted(json.loads(units), sums))
        run("COMMIT")


def _compare(path: Path, head: Mapping[str, object], run: Mapping[str, object]) -> None:
    for name in (*run, *head):
        if head.get(name) != run.get(name):
            raise WrongJournal(
                f"{path}: is the journal of another run ({name} {head.get(name)}, here "
                f"{run.get(name)}); choose another folder, or delete it to begin anew"
            )


def _explained(error: BaseException, path: Path) -> BaseException:
    """Return an error of SQLite, or of bad content, as one with a helpful message."""
    if isinstance(error, sqlite3.OperationalError):
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            line = "another run is writing here; wait for it, or choose another folder"
            return WrongJournal(f"{path}: {line}")
        full = error.sqlite_errorcode == sqlite3.SQLITE_FULL
        return OSError(errno.ENOSPC if full else errno.EIO, str(error), str(path))
    bad = (sqlite3.DatabaseError, AttributeError, KeyError, TypeError, ValueError)
    if isinstance(error, bad) and not isinstance(error, WrongJournal):
        return WrongJournal(f"{path}: is damaged ({error}); delete the file to begin anew")
    return error


def _row(job: str, counted: Counted) -> tuple[str, str, bytes, int]:
    """Return a note as a row: the job, its units and the shape of the sums, the sums, a CRC-32."""
    sums = np.empty(0, np.int64) if counted.sums is None else counted.sums
    units = json.dumps({"spans": counted.spans, "shape": sums.shape}, separators=(",", ":"))
    data = sums.astype("<i8").tobytes()
    return job, units, data, crc32(data, crc32(f"{job}\n{units}".encode()))


def _counted(units: Mapping[str, Any], data: bytes) -> Counted:
    sums = np.frombuffer(data, "<i8").astype(np.int64).reshape(units["shape"])
    return Counted(_spans(units["spans"]), sums)


def _spans(pairs: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    return [(int(first), int(end)) for first, end in pairs]


def _rewrite_first_format(path: Path, run: Mapping[str, str | int]) -> None:
    """Rewrite a journal of the first format in the present one; leave all others as they are.

    Each of its lines is a CRC-32 in hexadecimal, a space and a JSON object; the first names the
    run. A crash can have cut the last one short.

    Raises:
        WrongJournal: it is damaged before its last line, or belongs to another run.
    """
    data = path.read_bytes() if path.exists() else b""
    if not data or data.startswith(b"SQLite format 3"):
        return
    lines = list(_lines(data))
    if None in lines[:-1] or not any(lines):
        raise WrongJournal(f"{path}: is damaged; delete the file to begin anew")
    head, *notes = (line for line in lines if line is not None)
    _compare(path, head, {"format": "rookery-journal/1", **run})
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with FileJournal(fresh, run) as journal:
        for note in notes:
            for job, counted in note.items():
                sums = np.array(counted["sums"], np.int64).reshape(counted["shape"])
                journal.note({job: Counted(_spans(counted["spans"]), sums)})
    if notes:
        fresh.replace(path)
    else:
        path.unlink()


def _lines(data: bytes) -> Iterator[dict[str, Any] | None]:
    for line in data.split(b"\n")[:-1]:
        mark, _, text = line.partition(b" ")
        yield json.loads(text) if mark == b"%08x" % crc32(text) else None
