"""A queue of writes, and the thread that commits all waiting ones together."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from rookery.server.store.base import Conflict, InDoubt, StoreError
from rookery.server.store.timeline import CommitCount

log = logging.getLogger("rookery.server.store.writer")

_TOGETHER: Final = 64  # jobs in one commit
LOOK: Final = 1.0  # seconds; a call of the system before each commit would slow all of them
_AGAINST: Final = (IntegrityError, sqlite3.IntegrityError, Conflict)
_OF_DATABASE: Final = (SQLAlchemyError, sqlite3.Error)
_COUNTED: Final = "UPDATE timeline SET commits = commits + 1 RETURNING id, commits"

T = TypeVar("T")


class Job(NamedTuple):
    """A write, the future that waits for it, and whether it runs outside a transaction."""

    work: Callable[[Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    alone: bool


class Jobs:
    """A queue of jobs for one connection. Each is done completely or not at all."""

    def __init__(self) -> None:
        """Start the thread."""
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._closed = False
        self._thread.start()

    async def do(self, work: Callable[[Connection], T], *, alone: bool = False) -> T:
        """Return what `work` returns, once committed. With `alone` it commits by itself.

        Raises:
            Conflict: it violates a key of the database.
            StoreError: it could not be committed; none of it was.
        """
        if self._closed:
            raise StoreError("the store is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._jobs.put(Job(work, loop, future, alone))
        # The write continues even if the caller stops waiting, and the answer is dropped then.
        return await future

    async def close(self) -> None:
        """Commit pending jobs and end the thread."""
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        job = self._jobs.get()
        while job is not None:
            batch = [job]
            with contextlib.suppress(queue.Empty):
                while len(batch) < _TOGETHER and (job := self._jobs.get_nowait()) is not None:
                    batch.append(job)
            together = [each for each in batch if not each.alone]
            if together:
                tell(together, self._write(together))
            for each in batch:
                if each.alone:
                    tell([each], [self._write_alone(each)])
            if job is not None:
                job = self._jobs.get()
        self._end()

    def _write(self, batch: list[Job]) -> list[Any]:
        """Do these jobs with one commit; return what each returned, or its `StoreError`."""
        raise NotImplementedError

    def _write_alone(self, job: Job) -> object:
        """Return what a job returned outside a transaction, or its `StoreError`."""
        raise NotImplementedError

    def _end(self) -> None:
        """Close the connection."""
        raise NotImplementedError


def conflict(error: IntegrityError | sqlite3.IntegrityError | Conflict) -> Conflict:
    """Return the conflict because of which a job was left out of its transaction."""
    if isinstance(error, Conflict):
        return error
    said = error.orig if isinstance(error, IntegrityError) else error
    return Conflict(str(said).splitlines()[0])


def failed(error: Exception) -> StoreError:
    """Return why nothing was written, and log it."""
    kind = [] if isinstance(error, _OF_DATABASE) else [type(error).__name__]
    said = ": ".join([*kind, *str(error).splitlines()[:1]])
    found = error if isinstance(error, StoreError) else StoreError(said)
    log.warning("not stored: %s", found)
    return found


def tell(jobs: Sequence[Job], answers: Sequence[object]) -> None:
    """Answer the callers of jobs, those of an event loop at once: to wake it is a call each."""
    found = list(zip(jobs, answers, strict=True))
    for loop in {job.loop for job in jobs}:
        own = [(job.future, answer) for job, answer in found if job.loop is loop]
        with contextlib.suppress(RuntimeError):  # the event loop has ended
            loop.call_soon_threadsafe(_answer, own)


def _answer(found: Sequence[tuple[asyncio.Future[Any], object]]) -> None:
    for future, answer in found:
        if future.done():
            continue
        if isinstance(answer, StoreError):
            future.set_exception(answer)
        else:
            future.set_result(answer)


class _AgainError(Exception):
    """A job has failed, others have not, and there is no savepoint to go back to."""


def _is_of_all(error: Exception) -> bool:
    """Return whether an error is of the database, as that its disk is full, and of no one job."""
    return isinstance(error, _OF_DATABASE) and not isinstance(error, _AGAINST)


class Writer(Jobs):
    """Jobs for SQLite. Where one of them fails, all are done again, each with a savepoint.

    So that one is undone alone. It is rare, and a savepoint for each job would be two more calls of
    the database, each of which waits twice for the event loop to let this thread go on.
    """

    def __init__(
        self, connection: Connection, count: CommitCount, check: Callable[[], None] = lambda: None
    ) -> None:
        """Write through `connection`, which is in autocommit mode; note each commit in `count`.

        `check` raises a `StoreError` where nothing may be written; it is asked once a second.
        """
        self._connection, self._count = connection, count
        self._check, self._look_at = check, 0.0
        self._driver: Any = connection.connection.driver_connection
        super().__init__()

    def _write_alone(self, job: Job) -> object:
        try:
            return job.work(self._connection)
        except Exception as error:
            return failed(error)

    def _write(self, batch: list[Job]) -> list[Any]:
        return self._together(batch, self._plainly)

    def _together(self, batch: list[Job], do: Callable[[Job], object]) -> list[Any]:
        try:
            if (now := time.monotonic()) >= self._look_at:
                self._check()
                self._look_at = now + LOOK
            self._sql("BEGIN IMMEDIATE")
            counted = self._driver.execute(_COUNTED).fetchone()
            answers = [do(job) for job in batch]
            self._commit()
            self._count.follow(*counted)
        except _AgainError:
            self._roll_back()
            return self._together(batch, self._one)
        except Exception as error:
            self._roll_back()
            # Nothing of a failed batch is stored, whatever its jobs returned.
            return [failed(error)] * len(batch)
        return answers

    def _commit(self) -> None:
        try:
            self._sql("COMMIT")
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_IOERR_FSYNC:
                raise
            # It is all in the file; after a crash it may be there or not.
            raise InDoubt("it is unknown whether it was written: the disk does not sync") from None

    def _plainly(self, job: Job) -> object:
        """Return the result of a job.

        Raises:
            _AgainError: it has failed, and others need not.
        """
        try:
            return job.work(self._connection)
        except Exception as error:
            if _is_of_all(error):
                raise
            raise _AgainError from None

    def _one(self, job: Job) -> object:
        """Return the result of a job, or the error that undid it alone."""
        self._sql("SAVEPOINT one")
        try:
            result: object = job.work(self._connection)
        except Exception as error:
            if _is_of_all(error):
                raise
            self._sql("ROLLBACK TO one")
            result = conflict(error) if isinstance(error, _AGAINST) else failed(error)
        self._sql("RELEASE one")
        return result

    def _roll_back(self) -> None:
        # A full disk ends the transaction by itself; there is nothing to roll back then.
        with contextlib.suppress(sqlite3.Error):
            self._sql("ROLLBACK")

    def _sql(self, statement: str) -> None:
        # Straight to the driver: through SQLAlchemy it would take four times as long.
        self._driver.execute(statement)

    def _end(self) -> None:
        self._connection.close()
        self._count.close()
