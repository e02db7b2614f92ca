"""Score sheets in a database."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import Connection, and_, bindparam, delete, func, insert, select, update

from rookery.server.store import schema as db
from rookery.server.store.people.sessions import Database, locked
from rookery.server.store.people.sheets import (
    CLAIM,
    NOTHING,
    Rewrite,
    SheetEntry,
    SheetFound,
    SheetRow,
)

_S: Final = db.sheets.c
_E: Final = db.sheet_entries.c
_ROW: Final = (_S.code, _S.person, _S.key_hash, _S.body, _S.touched_at)
_ENTRY: Final = (_E.number, _E.entry_id, _E.person, _E.name, _E.writer, _E.hand, _E.seen, _E.body)
_FORGOTTEN: Final = (_E.person == "", _E.body.startswith(CLAIM, autoescape=True))
_NAMES: Final = tuple(column.name for column in _ENTRY)
# Asked with every look at an evening, so this is put together once, and in one statement: between
# two of them somebody may write.
_MANY: Final = (
    select(
        _E.code, func.count().label("all"), func.count().filter(_E.person == "").label("nameless")
    )
    .where(_E.code == bindparam("code"))
    .group_by(_E.code)
    .subquery()
)
_FOUND: Final = (
    select(*_ROW, func.coalesce(_MANY.c.all, 0), func.coalesce(_MANY.c.nameless, 0))
    .outerjoin_from(db.sheets, _MANY, _S.code == _MANY.c.code)
    .where(_S.code == bindparam("code"), _S.touched_at > bindparam("since"))
)
_WIPED: Final = select(func.count()).where(_E.code == bindparam("code"), *_FORGOTTEN, _E.seen > 0)


class SqlSheets:
    """The `Sheets` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, sheet: SheetRow) -> bool:
        line = dict(zip((column.name for column in _ROW), sheet, strict=True))

        def work(connection: Connection) -> bool:
            # Whoever is being forgotten leaves nothing behind.
            if locked(connection, sheet.person) is None:
                return False
            if connection.scalar(select(_S.code).where(_S.code == sheet.code)) is not None:
                return False
            connection.execute(insert(db.sheets).values(line))
            return True

        return await self._database.do(work, of=sheet.code)

    async def of(self, code: str, since: int) -> SheetFound | None:
        of = {"code": code}

        def look(connection: Connection) -> SheetFound | None:
            row = connection.execute(_FOUND, of | {"since": since}).first()
            if row is None:
                return None
            *sheet, entries, nameless = row
            if nameless:
                nameless += connection.scalar(_WIPED, of) or 0
            return SheetFound(SheetRow(*sheet), entries, nameless)

        return await self._database.look(look)

    async def entries(self, code: str, after: int = 0) -> list[SheetEntry]:
        query = select(*_ENTRY).where(_E.code == code, _E.number > after).order_by(_E.number)
        return await self._database.look(
            lambda connection: [SheetEntry(*row) for row in connection.execute(query)]
        )

    async def write(
        self,
        code: str,
        entry: SheetEntry,
        now: int,
        most: int,
        anew: Mapping[int, Rewrite] = NOTHING,
    ) -> int | None:
        def work(connection: Connection) -> int | None:
            if locked(connection, entry.person) is None:
                return None
            # Two phones that write at once are numbered one after the other.
            there = select(_S.code).where(_S.code == code).with_for_update()
            if connection.scalar(there) is None:
                return None
            own = _E.code == code
            before = connection.scalar(select(_E.number).where(own, _E.entry_id == entry.id))
            if before is not None:
                return int(before)
            number = 1 + (connection.scalar(select(func.max(_E.number)).where(own)) or 0)
            if number > most:
                return 0
            first = select(func.min(_E.writer)).where(own, _E.person == entry.person)
            writer = connection.scalar(first) or number
            kept = entry._replace(number=number, writer=writer)
            line = {"code": code, **dict(zip(_NAMES, kept, strict=True))}
            connection.execute(insert(db.sheet_entries).values(line))
            connection.execute(update(db.sheets).where(_S.code == code).values(touched_at=now))
            _rewrite(connection, code, anew)
            return number

        return await self._database.do(work, of=code)

    async def drop(self, code: str, person: str, also: str = "") -> bool:
        def work(connection: Connection) -> bool:
            gone = delete(db.sheets).where(_S.code == code, _S.person == person)
            if not connection.execute(gone).rowcount:
                return False
            codes = [code]
            if also:
                begins = _S.body.startswith(also, autoescape=True)
                codes += connection.scalars(select(_S.code).where(_S.person == person, begins))
                connection.execute(delete(db.sheets).where(_S.code.in_(codes)))
            connection.execute(delete(db.sheet_entries).where(_E.code.in_(codes)))
            return True

        return await self._database.do(work, of=code)

    async def unwiped(self) -> list[str]:
        query = select(_E.code).where(*_FORGOTTEN, _E.seen == 0).distinct()
        return await self._database.look(lambda connection: [*connection.scalars(query)])

    async def wipe(
        self, code: str, anew: Mapping[int, Rewrite], claims: Collection[int], until: int
    ) -> None:
        done = update(db.sheet_entries).where(_E.code == code, _E.number.in_(claims))

        def work(connection: Connection) -> None:
            there = select(_S.code).where(_S.code == code).with_for_update()
            if connection.scalar(there) is not None:
                _rewrite(connection, code, anew)
                connection.execute(done.values(seen=until))

        await self._database.do(work, of=code)

    async def expire(self, since: int) -> bool:
        def work(connection: Connection) -> bool:
            old = delete(db.sheets).where(_S.touched_at <= since)
            some = connection.execute(old).rowcount > 0
            connection.execute(delete(db.sheet_entries).where(_E.code.not_in(select(_S.code))))
            return some

        return await self._database.do(work)


def _rewrite(connection: Connection, code: str, anew: Mapping[int, Rewrite]) -> None:
    """Write what is kept anew, by the numbers of entries, 0 for the sheet; it is locked."""
    for number, change in anew.items():
        table, body, where = db.sheets, _S.body, _S.code == code
        if number:
            table, body = db.sheet_entries, _E.body
            where = and_(_E.code == code, _E.number == number)
        before = connection.scalar(select(body).where(where))
        if before is not None:
            connection.execute(update(table).where(where).values(body=change(before)))
