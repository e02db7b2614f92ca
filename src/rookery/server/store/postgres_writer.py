"""A thread that writes to PostgreSQL, with all waiting jobs in one transaction.

A failing statement undoes the whole transaction there, and a savepoint before each job would cost
two more round trips. So jobs share a transaction without savepoints. If one of them fails, nothing
was committed, and each job is done by itself. That is rare.
"""

from __future__ import annotations

import contextlib
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError, IntegrityError

from rookery.server.store.base import Conflict, InDoubt, StoreError
from rookery.server.store.writer import Job, Jobs, conflict, failed, tell


class Unreachable(StoreError):
    """The database cannot be reached; nothing was sent to it."""


class PostgresWriter(Jobs):
    """A queue of jobs for one connection, which is opened again when it breaks."""

    def __init__(self, engine: Engine) -> None:
        """Begin to write through a connection of `engine`."""
        self._engine = engine
        self._line: Connection | None = None
        super().__init__()

    def _write_alone(self, job: Job) -> None:
        self._single(job)

    def _write(self, batch: list[Job]) -> None:
        if len(batch) < 2:
            for job in batch:
                self._single(job)
            return
        try:
            answers = self._twice(batch)
        except Exception as error:
            if isinstance(error, InDoubt | Unreachable) or _is_lost(error):
                wrong = failed(error)
                for job in batch:
                    tell(job, wrong)
                return
            for job in batch:
                self._single(job)
            return
        for job, answer in zip(batch, answers, strict=True):
            tell(job, answer)

    def _single(self, job: Job) -> None:
        answer: Any
        try:
            (answer,) = self._twice([job])
        except (InDoubt, Unreachable) as error:
            answer = failed(error)
        except (IntegrityError, Conflict) as error:
            answer = conflict(error)
        except Exception as error:
            answer = failed(error)
        tell(job, answer)

    def _twice(self, batch: list[Job]) -> list[Any]:
        """Return the results of the jobs. A connection broken since the last time is opened again.

        Raises:
            InDoubt: only the database knows whether the jobs were done.
            Unreachable: it cannot be reached; they were not done.
            DBAPIError: they were not done.
        """
        try:
            return self._together(batch)
        except DBAPIError as error:
            if not _is_lost(error):
                raise
        return self._together(batch)

    def _together(self, batch: list[Job]) -> list[Any]:
        if self._line is None:
            try:
                self._line = self._engine.connect()
            except DBAPIError as error:
                raise Unreachable(_first(error)) from None
        try:
            answers = [job.work(self._line) for job in batch]
        except BaseException:
            self._roll_back()
            raise
        try:
            self._commit()
        except DBAPIError as error:
            self._drop()
            raise InDoubt(f"it is unknown whether it was written: {_first(error)}") from None
        return answers

    def _commit(self) -> None:
        if self._line is not None:
            self._line.commit()

    def _roll_back(self) -> None:
        if self._line is not None:
            try:
                self._line.rollback()
            except DBAPIError:
                self._drop()
            else:
                if self._line.invalidated:
                    self._drop()

    def _drop(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            with contextlib.suppress(DBAPIError):
                line.invalidate()
                line.close()

    def _end(self) -> None:
        self._drop()


def _is_lost(error: Exception) -> bool:
    return isinstance(error, DBAPIError) and error.connection_invalidated


def _first(error: Exception) -> str:
    return str(error).splitlines()[0]
