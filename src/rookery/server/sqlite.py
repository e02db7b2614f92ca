"""The embedded store: one SQLite file, nothing to configure.

Nothing is acknowledged before it is on disk: the log is written ahead (WAL) and the disk is asked
at every commit (``synchronous=FULL``), which is read back, for a library may have changed it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import MsgspecError
from sqlalchemy import (
    Connection,
    create_engine,
    delete,
    insert,
    select,
    union,
    update,
)
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite as Dialect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from rookery.server import schema as db
from rookery.server.database import checked, checkpointed, connected
from rookery.server.events import Blocked, Chatted, Entry, Reported, Sat, read, written
from rookery.server.store import StoreError, TableRow
from rookery.server.table import Who
from rookery.server.writer import Writer

FILE: Final = "rookery.sqlite3"
_DIALECT: Final = Dialect(paramstyle="named")
_TABLE_LINE: Final = upsert(db.tables)
# Written down once: putting these two together anew takes longer than writing the line.
_ADDED: Final = str(insert(db.events).compile(dialect=_DIALECT))
_FOLLOWED: Final = str(
    _TABLE_LINE.on_conflict_do_update(
        index_elements=["table_id"],
        set_={name: _TABLE_LINE.excluded[name] for name in ("open", "phase", "touched_at")},
    ).compile(dialect=_DIALECT)
)

_ROWS: Final = select(
    *(db.tables.c[name] for name in ("table_id", "open", "phase", "made_at", "touched_at"))
)

T = TypeVar("T")


class SqliteStore:
    """The `Store` of a server that runs by itself."""

    def __init__(self, path: Path) -> None:
        """Open the database at `path`, or make it.

        Raises:
            StoreError: it cannot be opened, is of a later version, or does not promise to keep
                what it is given.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch(mode=0o600)  # it holds every hand
            # No card, name or key goes into a log with an error.
            url = f"sqlite:///{path}"
            self._engine = create_engine(url, poolclass=NullPool, hide_parameters=True)
            connection = connected(self._engine)
            checked(connection)
        except (SQLAlchemyError, OSError) as error:
            raise StoreError(f"{path}: {str(error).splitlines()[0]}") from None
        self._writer = self._writer_for(connection)
        self._readers = ThreadPoolExecutor(1, thread_name_prefix="reader")

    def _writer_for(self, connection: Connection) -> Writer:
        return Writer(connection)

    async def append(self, row: TableRow, entries: Sequence[Entry]) -> None:
        """Keep a table's next events, all or none; see `Store`."""
        lines = [_line(row.code, entry) for entry in entries]

        def work(connection: Connection) -> None:
            connection.exec_driver_sql(_ADDED, lines)
            _follow(connection, row, entries)

        await self._writer.do(work)

    async def read(self, code: str) -> list[Entry]:
        """Return a table's events in order."""
        columns = (db.events.c.seq, db.events.c.at, db.events.c.body, db.events.c.client_id)
        query = select(*columns).where(db.events.c.table_id == code).order_by(db.events.c.seq)

        def look(connection: Connection) -> list[Entry]:
            rows = connection.execute(query).all()
            try:
                return [Entry(seq, at, read(body), client) for seq, at, body, client in rows]
            except MsgspecError:
                raise StoreError(f"table {code} holds an event that cannot be read") from None

        return await self._look(look)

    async def tables(self) -> list[TableRow]:
        """Return all tables, the one last touched first."""
        query = _ROWS.order_by(db.tables.c.touched_at.desc())
        return await self._look(
            lambda connection: [_row(found) for found in connection.execute(query)]
        )

    async def row(self, code: str) -> TableRow | None:
        """Return what is kept beside a table's events; None where there is no such table."""
        query = _ROWS.where(db.tables.c.table_id == code)

        def look(connection: Connection) -> TableRow | None:
            found = connection.execute(query).first()
            return None if found is None else _row(found)

        return await self._look(look)

    async def rewrite(self, code: str, entries: Sequence[Entry]) -> None:
        """Put these entries of a table in place of those of the same numbers."""
        e = db.events.c

        def work(connection: Connection) -> None:
            for entry in entries:
                change = update(db.events).where(e.table_id == code, e.seq == entry.seq)
                body = written(entry.event)
                connection.execute(change.values(body=body, client_id=entry.client))

        await self._writer.do(work)

    async def retire(self, code: str) -> None:
        """Forget a table."""

        def work(connection: Connection) -> None:
            for table in (db.events, db.tables, db.seated, db.spoke):
                connection.execute(delete(table).where(table.c.table_id == code))

        await self._writer.do(work)

    async def tables_of(self, person: str) -> list[str]:
        """Return the codes of the tables where a person has sat, the last one first."""
        joined = db.seated.join(db.tables, db.seated.c.table_id == db.tables.c.table_id)
        query = select(db.seated.c.table_id).select_from(joined)
        query = query.where(db.seated.c.person == person).order_by(db.tables.c.touched_at.desc())
        return await self._look(lambda connection: list(connection.scalars(query)))

    async def traces_of(self, person: str) -> list[str]:
        """Return the codes of the tables where a person has sat, or said or reported something."""
        query = union(
            *(select(t.c.table_id).where(t.c.person == person) for t in (db.seated, db.spoke))
        )
        return await self._look(lambda connection: list(connection.scalars(query)))

    async def add_person(self, who: Who, token: str, now: int) -> None:
        """Keep a new person with the hash of a token."""

        def work(connection: Connection) -> None:
            person = {"person": who.id, "name": who.name, "made_at": now}
            connection.execute(insert(db.people).values(person))
            _token(connection, who.id, token, now)

        await self._writer.do(work)

    async def rename(self, person: str, name: str) -> None:
        """Keep a person's new name."""
        change = update(db.people).where(db.people.c.person == person).values(name=name)
        await self._writer.do(lambda connection: _done(connection.execute(change)))

    async def add_token(self, person: str, token: str, now: int) -> None:
        """Let the hash of one more token stand for a person."""
        await self._writer.do(lambda connection: _token(connection, person, token, now))

    async def drop_token(self, token: str) -> None:
        """Let the hash of a token stand for nobody any more."""
        change = delete(db.sessions).where(db.sessions.c.token_hash == token)
        await self._writer.do(lambda connection: _done(connection.execute(change)))

    async def person(self, token: str, since: int = 0) -> Who | None:
        """Return whom the hash of a token stands for that was given out later than `since`."""
        s = db.sessions.c
        joined = db.sessions.join(db.people, db.sessions.c.person == db.people.c.person)
        query = select(db.people.c.person, db.people.c.name).select_from(joined)
        query = query.where(s.token_hash == token, s.made_at > since)

        def look(connection: Connection) -> Who | None:
            row = connection.execute(query).first()
            return None if row is None else Who(row[0], row[1])

        return await self._look(look)

    async def renew(self, token: str, now: int, before: int) -> bool:
        """Count a token from `now` on if it counts from `before` or earlier; return whether."""
        s = db.sessions.c
        change = update(db.sessions).where(s.token_hash == token, s.made_at <= before)
        change = change.values(made_at=now)
        return await self._writer.do(lambda connection: connection.execute(change).rowcount == 1)

    async def forget(self, person: str, now: int) -> None:
        """Drop a person's name, tokens, return links, blocks and words of reports; see `Store`."""

        def work(connection: Connection) -> None:
            for table in (db.sessions, db.returns, db.blocks, db.people):
                connection.execute(delete(table).where(table.c.person == person))
            connection.execute(delete(db.blocks).where(db.blocks.c.blocked == person))
            said = update(db.reports).where(db.reports.c.person == person)
            connection.execute(said.values(reason=""))
            going = upsert(db.forgotten).values(person=person, at=now, done=0)
            connection.execute(going.on_conflict_do_nothing())

        await self._writer.do(work)

    async def unfinished(self) -> list[str]:
        """Return who is to be forgotten and still stands at tables."""
        query = select(db.forgotten.c.person).where(db.forgotten.c.done == 0)
        return await self._look(lambda connection: list(connection.scalars(query)))

    async def forgotten(self, person: str) -> None:
        """Drop at which tables a person was; what is dropped is overwritten."""

        def work(connection: Connection) -> None:
            for table in (db.seated, db.spoke):
                connection.execute(delete(table).where(table.c.person == person))
            change = update(db.forgotten).where(db.forgotten.c.person == person)
            connection.execute(change.values(done=1))

        await self._writer.do(work)
        await self._writer.do(checkpointed, alone=True)

    async def compact(self, since: int) -> bool:
        """Leave nothing in unused parts of the file of whom was forgotten; see `Store`."""
        f = db.forgotten.c
        past = (f.done == 1, f.at <= since)
        query = select(f.person).where(*past).limit(1)
        if await self._look(lambda connection: connection.scalar(query)) is None:
            return False

        def work(connection: Connection) -> None:
            # A page that was split keeps a copy of what went to its neighbour.
            connection.exec_driver_sql("VACUUM")
            connection.execute(delete(db.forgotten).where(*past))
            checkpointed(connection)

        await self._writer.do(work, alone=True)
        return True

    async def expire(self, since: int, now: int) -> None:
        """Drop what is too old; see `Store`."""

        def work(connection: Connection) -> None:
            connection.execute(delete(db.sessions).where(db.sessions.c.made_at <= since))
            connection.execute(delete(db.returns).where(db.returns.c.expires <= now))
            connection.execute(delete(db.reports).where(db.reports.c.at <= since))
            known = union(select(db.sessions.c.person), select(db.returns.c.person))
            connection.execute(delete(db.people).where(db.people.c.person.not_in(known)))

        await self._writer.do(work)

    async def add_return(self, person: str, token: str, expires: int) -> None:
        """Keep the hash of a return link."""
        line = {"token_hash": token, "person": person, "expires": expires}
        change = insert(db.returns).values(line)
        await self._writer.do(lambda connection: _done(connection.execute(change)))

    async def take_return(self, token: str, now: int) -> Who | None:
        """Use a return link up; return whose it was."""
        r, p = db.returns.c, db.people.c
        query = select(p.person, p.name, r.expires).select_from(
            db.returns.join(db.people, r.person == p.person)
        )

        def work(connection: Connection) -> Who | None:
            row = connection.execute(query.where(r.token_hash == token)).first()
            connection.execute(delete(db.returns).where(r.token_hash == token))
            connection.execute(delete(db.returns).where(r.expires <= now))
            return None if row is None or row[2] <= now else Who(row[0], row[1])

        return await self._writer.do(work)

    async def blocked_by(self, person: str) -> frozenset[str]:
        """Return whom a person has blocked."""
        query = select(db.blocks.c.blocked).where(db.blocks.c.person == person)
        return await self._look(lambda connection: frozenset(connection.scalars(query)))

    async def ping(self) -> None:
        """Return if the database can be written."""
        await self._writer.do(lambda _: None)

    async def close(self) -> None:
        """Commit what is on its way and end."""
        await self._writer.close()
        self._readers.shutdown()
        self._engine.dispose()

    async def _look(self, look: Callable[[Connection], T]) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._looked, look)

    def _looked(self, look: Callable[[Connection], T]) -> T:
        try:
            with self._engine.connect() as connection:
                return look(connection)
        except SQLAlchemyError as error:
            raise StoreError(str(error).splitlines()[0]) from None


def _row(found: Sequence[Any]) -> TableRow:
    return TableRow(found[0], bool(found[1]), found[2], found[3], found[4])


def _line(code: str, entry: Entry) -> dict[str, object]:
    return {
        "table_id": code,
        "seq": entry.seq,
        "at": entry.at,
        "client_id": entry.client,
        "body": written(entry.event),
    }


def _follow(connection: Connection, row: TableRow, entries: Sequence[Entry]) -> None:
    """Bring the tables that are found by other keys up to these events."""
    times = {"made_at": row.made_at, "touched_at": row.touched_at}
    line = {"table_id": row.code, "open": int(row.open), "phase": row.phase, **times}
    connection.exec_driver_sql(_FOLLOWED, line)
    for entry in entries:
        event = entry.event
        if isinstance(event, Sat):
            seat = upsert(db.seated).values(person=event.person, table_id=row.code)
            connection.execute(seat.on_conflict_do_nothing())
        if isinstance(event, Chatted | Reported):
            spoke = upsert(db.spoke).values(person=event.person, table_id=row.code)
            connection.execute(spoke.on_conflict_do_nothing())
        if isinstance(event, Blocked):
            block = upsert(db.blocks).values(person=event.person, blocked=event.blocked)
            connection.execute(block.on_conflict_do_nothing())
        elif isinstance(event, Reported):
            said = {"person": event.person, "accused": event.accused, "reason": event.reason}
            place = {"table_id": row.code, "seq": entry.seq, "at": entry.at}
            connection.execute(insert(db.reports).values({**place, **said}))


def _token(connection: Connection, person: str, token: str, now: int) -> None:
    line = {"token_hash": token, "person": person, "made_at": now}
    connection.execute(insert(db.sessions).values(line))


def _done(result: object) -> None:
    """Drop a result that nobody asks for."""
