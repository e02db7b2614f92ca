"""The store in a database: what SQLite and PostgreSQL have in common.

Queries are SQLAlchemy's. Writes go through writers that commit in groups, see `writer`; each table
always uses the same one.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from msgspec import MsgspecError
from sqlalchemy import (
    CompoundSelect,
    Connection,
    Delete,
    Dialect,
    Engine,
    Executable,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    not_,
    or_,
    select,
    union,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from rookery.server.clock import Judged, Mark
from rookery.server.store import schema as db
from rookery.server.store.base import (
    GATHERED,
    OneDatabase,
    Report,
    StoreError,
    TableRow,
    Unreadable,
)
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.marks import noted
from rookery.server.store.migrate import HEAD
from rookery.server.store.people.attempts import Attempts
from rookery.server.store.people.attempts_sql import SqlAttempts
from rookery.server.store.people.mistakes import Mistakes
from rookery.server.store.people.mistakes_sql import SqlMistakes, drop_passkey
from rookery.server.store.people.rated import Rated
from rookery.server.store.people.rated_sql import SqlRated
from rookery.server.store.people.sessions import (
    SqlSessions,
    expired,
    forget,
    secret,
    secret_of,
    silence,
)
from rookery.server.store.people.sheets import Sheets
from rookery.server.store.people.sheets_sql import SqlSheets
from rookery.server.store.rows import ROWS, LogRows, said_at, seats_of, without_reasons
from rookery.server.store.timeline import Timeline, begin_after, known
from rookery.server.store.writer import Jobs
from rookery.server.table.events import Entry, read
from rookery.server.work import ACCOUNT, in_one_of, measured

_T: Final = db.tables.c
_S: Final = db.sessions.c
_F: Final = db.forgotten.c
_TRACES: Final = (db.seated.c, db.spoke.c)  # of a person at a table
_NAMED: Final = or_(*(exists().where(t.person == _F.person) for t in _TRACES))
COMMIT: Final = 0.001  # seconds of a core for a commit at least, besides the event loop's
_NOBODY: Final = ""  # stands in `forgotten` for data that expired

T = TypeVar("T")


def _traces_of(person: str) -> CompoundSelect[Any]:
    return union(*(select(t.table_id).where(t.person == person) for t in _TRACES))


class SqlStore(SqlSessions, OneDatabase):
    """The `Store` of a database that has been opened and checked.

    Attributes:
        rows: turns events into rows.
    """

    kind = "SQL"
    version: str | None = HEAD

    def __init__(
        self, engine: Engine, writers: Sequence[Jobs], readers: int, dialect: Dialect
    ) -> None:
        """Write through `writers`, and read in `readers` threads."""
        self._engine = engine
        self._writers = writers
        self._readers = ThreadPoolExecutor(readers, thread_name_prefix="reader")
        self.rows = LogRows(dialect)
        self.attempts: Attempts = SqlAttempts(self)
        self.mistakes: Mistakes = SqlMistakes(self)
        self.sheets: Sheets = SqlSheets(self)
        self.rated: Rated = SqlRated(self)
        self.took: Callable[[float], object] = float

    async def know(self, judge: Callable[[Mark | None], Judged]) -> Judged:
        return await self.do(lambda connection: noted(connection, judge))

    async def timeline(self, place: str = "") -> Timeline:
        return await self.look(lambda connection: known(connection)[0])

    async def begin_timeline(self, since: str, place: str = "") -> Timeline:
        why = "a client has seen later events"
        return await self.do(lambda connection: begin_after(connection, since, why))

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        await self.do(lambda found: self.rows.append(found, row, entries, lease), of=row.code)

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[Entry]:
        e = db.events.c
        query = select(e.seq, e.at, e.body, e.client_id).where(e.table_id == code, e.seq > after)
        query = query.order_by(e.seq).limit(most)

        def look(connection: Connection) -> list[Entry]:
            rows = connection.execute(query).all()
            try:
                return [Entry(seq, at, read(body), client) for seq, at, body, client in rows]
            except MsgspecError:
                raise Unreadable(f"table {code} holds an event that cannot be read") from None

        return await self.look(look)

    async def done(self, code: str, client: str) -> int | None:
        e = db.events.c
        query = select(e.seq).where(e.table_id == code, e.client_id == client)
        return await self.look(lambda connection: connection.scalar(query))

    async def listed(self, most: int) -> list[TableRow]:
        query = ROWS.where(_T.open == 1, _T.phase != "over")
        return await self._rows(query.order_by(_T.touched_at.desc()).limit(most))

    async def past(self, lobby: int, begun: int) -> list[TableRow]:
        never = and_(_T.phase == "lobby", _T.touched_at <= lobby)
        old = and_(_T.phase != "lobby", _T.touched_at <= begun)
        return await self._rows(ROWS.where(or_(never, old)))

    async def row(self, code: str) -> TableRow | None:
        return next(iter(await self._rows(ROWS.where(_T.table_id == code))), None)

    async def rewrite(self, code: str, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        await self.do(lambda found: self.rows.rewrite(found, code, entries, lease), of=code)

    async def said(self, since: int, until: int) -> list[str]:
        return await self._scalars(said_at(since, until))

    async def reports(self, most: int, since: int = 0) -> list[Report]:
        r = db.reports.c
        query = select(r.table_id, r.at, r.person, r.accused, r.reason, r.seq).where(r.at > since)
        query = query.order_by(r.at.desc(), r.table_id, r.seq.desc()).limit(most)
        return await self.look(
            lambda connection: [Report(*found) for found in connection.execute(query)]
        )

    async def retire(self, code: str, lease: Lease = UNOWNED) -> None:
        await self.do(lambda found: self.rows.retire(found, code, lease), of=code)

    async def tables_of(self, person: str) -> list[TableRow]:
        return await self._rows(seats_of(person))

    async def traces_of(self, person: str) -> list[str]:
        return await self._scalars(_traces_of(person))

    async def forget(self, person: str, now: int) -> None:
        def work(connection: Connection) -> None:
            forget(connection, person)
            self.rows.once(connection, db.forgotten, person=person, at=now, done=0)

        await self.do(work)

    async def unfinished(self) -> list[str]:
        # An event on its way to another server's table may have arrived after the clean-up.
        return await self._scalars(select(_F.person).where(or_(_F.done == 0, _NAMED)))

    async def forgotten(self, person: str, wiped: Collection[str]) -> None:
        def work(connection: Connection) -> None:
            silence(connection, person)
            found = set(connection.scalars(_traces_of(person)))
            if found.difference(wiped):
                return  # as of a table that was being made
            gone = [{"code": code} for code in found]  # and nothing that comes in this moment
            for table in (db.seated, db.spoke) if gone else ():
                of = delete(table).where(table.c.table_id == bindparam("code"))
                connection.execute(of.where(table.c.person == person), gone)
            change = update(db.forgotten).where(db.forgotten.c.person == person)
            connection.execute(change.values(done=1))

        await self.do(work)

    async def dropping(self, now: int) -> None:
        await self.do(lambda connection: self._note(connection, now))

    def _note(self, connection: Connection, now: int) -> None:
        # The first note counts: later ones must not delay its clean-up.
        self.rows.once(connection, db.forgotten, person=_NOBODY, at=now, done=1)

    async def dropped(self) -> bool:
        """Return True: the database decides when it is overwritten."""
        return True

    async def compact(self, since: int) -> bool:
        old = _F.at <= since - GATHERED
        due = and_(_F.at <= since, or_(_F.person != _NOBODY, old))
        past = and_(_F.done == 1, not_(_NAMED), due)
        if not await self._scalars(select(_F.person).where(past).limit(1)):
            return False
        return await self._overwrite(delete(db.forgotten).where(past))

    async def _overwrite(self, change: Delete) -> bool:
        """Overwrite what has been deleted, then execute `change`; return whether both were done."""
        raise NotImplementedError

    async def expire(self, since: int, now: int) -> bool:
        def work(connection: Connection) -> bool:
            some = expired(connection, since, now)
            if without_reasons(connection, since) or some:
                self._note(connection, now)
                some = True
            return some

        return await self.do(work)

    async def secret(self, name: str, fresh: str) -> str:
        found: Any = await self.look(lambda line: secret_of(line, name))
        if found is None and fresh:
            found = await self.do(lambda line: secret(line, self.rows, name, fresh))
        return str(found or "")

    async def drop_passkey(self, person: str, credential: str) -> None:
        await self.do(lambda line: drop_passkey(line, person, credential))

    async def ping(self) -> None:
        """Return if the database can be written."""
        await self.do(lambda _: None)

    async def close(self) -> None:
        for writer in self._writers:
            await writer.close()
        self._readers.shutdown()
        self._engine.dispose()

    async def do(self, work: Callable[[Connection], T], *, of: str = "", alone: bool = False) -> T:
        """Return what `work` returns, once committed. Jobs `of` one table keep their order."""
        writer = self._writers[zlib.crc32(of.encode()) % len(self._writers)]
        began = time.perf_counter()
        if (account := ACCOUNT.get()) is None:
            done = await writer.do(work, alone=alone)
        else:
            spent = [0.0]  # more than once where others of the same commit fail
            try:
                done = await writer.do(lambda line: measured(spent, work, line), alone=alone)
            finally:
                account.pay(max(COMMIT, spent[-1]))
        self.took(time.perf_counter() - began)
        return done

    async def change(
        self, statement: Executable, values: Mapping[str, object] | None = None, *, of: str = ""
    ) -> int:
        """Return how many rows a statement has changed, once committed; see `do`."""
        return await self.do(lambda line: line.execute(statement, values).rowcount, of=of)

    async def look(self, look: Callable[[Connection], T]) -> T:
        """Return what `look` reads; it changes nothing."""
        return await in_one_of(self._readers, lambda: self.looked(look))

    def looked(self, look: Callable[[Connection], T]) -> T:
        """Return what `look` reads, in the thread of the caller."""
        try:
            with self._engine.connect() as connection:
                return look(connection)
        except SQLAlchemyError as error:
            raise StoreError(str(error).splitlines()[0]) from None

    async def _rows(self, query: Select[Any]) -> list[TableRow]:
        rows = await self.look(lambda connection: connection.execute(query).all())
        return [TableRow(row[0], bool(row[1]), *row[2:]) for row in rows]

    async def _scalars(self, query: Executable) -> list[str]:
        return await self.look(lambda connection: list(connection.scalars(query)))
