"""One thread that writes: what has gathered goes to disk with one commit, and then is answered."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from rookery.server.store.base import Conflict, InDoubt
from rookery.server.store.queue import Job, Jobs, conflict, failed, tell


class Writer(Jobs):
    """Jobs for SQLite, where a job that is not possible is undone by itself."""

    def __init__(self, connection: Connection) -> None:
        """Begin to write through `connection`, which is in autocommit mode."""
        self._connection = connection
        super().__init__()

    def _write_alone(self, job: Job) -> None:
        answer: object
        try:
            answer = job.work(self._connection)
        except Exception as error:
            answer = failed(error)
        tell(job, answer)

    def _write(self, batch: list[Job]) -> None:
        if not batch:
            return
        answers: list[tuple[Job, Any]] = []
        try:
            self._sql("BEGIN IMMEDIATE")
            for job in batch:
                answers.append((job, self._one(job)))
            self._commit()
        except Exception as error:
            self._roll_back()
            wrong = failed(error)
            # Of a batch that fell through nothing is kept, whatever a single job thought.
            answers = [(job, wrong) for job in batch]
        for job, answer in answers:
            tell(job, answer)

    def _commit(self) -> None:
        try:
            self._sql("COMMIT")
        except DBAPIError as error:
            if getattr(error.orig, "sqlite_errorcode", None) != sqlite3.SQLITE_IOERR_FSYNC:
                raise
            # All of it is in the file: after a crash it may be found there, or not.
            raise InDoubt("not known whether it was written: the disk does not sync") from None

    def _one(self, job: Job) -> object:
        """Return what a job returns, or the error that undid it alone."""
        self._sql("SAVEPOINT one")
        try:
            result: object = job.work(self._connection)
        except (IntegrityError, Conflict) as error:
            self._sql("ROLLBACK TO one")
            result = conflict(error)
        self._sql("RELEASE one")
        return result

    def _roll_back(self) -> None:
        # A full disk ends the transaction by itself; then there is nothing left to roll back.
        with contextlib.suppress(DBAPIError):
            self._sql("ROLLBACK")

    def _sql(self, statement: str) -> None:
        self._connection.exec_driver_sql(statement)

    def _end(self) -> None:
        self._connection.close()
