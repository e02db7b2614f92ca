"""Mistakes in a database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, Final

from sqlalchemy import Connection, delete, exists, insert, select, tuple_

from rookery.server.store import schema as db
from rookery.server.store.people.mistakes import MOST, Mistake
from rookery.server.store.people.sessions import Database, locked

_M: Final = db.mistakes.c
_PLACE: Final = (_M.table_id, _M.hand, _M.place)
_KEPT: Final = (*_PLACE, _M.changed, _M.body)
_NAMES: Final = tuple(column.name for column in _KEPT)


class SqlMistakes:
    """The `Mistakes` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str) -> list[Mistake] | None:
        query = select(*_KEPT).where(_M.person == person).order_by(*_PLACE)

        def look(connection: Connection) -> list[Mistake] | None:
            if not _has_passkey(connection, person):
                return None
            return [Mistake(*row) for row in connection.execute(query)]

        return await self._database.look(look)

    async def keep(self, person: str, mistakes: Sequence[Mistake]) -> bool:
        def work(connection: Connection) -> bool:
            # Whoever is being forgotten, or gives up their last passkey, leaves nothing behind.
            if locked(connection, person) is None or not _has_passkey(connection, person):
                return False
            _put(connection, person, mistakes)
            surplus = select(*_PLACE).where(_M.person == person)
            surplus = surplus.order_by(_M.changed.desc(), *_PLACE).offset(MOST).limit(len(mistakes))
            _delete(connection, person, [tuple(row) for row in connection.execute(surplus)])
            return True

        return await self._database.do(work, of=person)

    async def expire(self, since: int) -> bool:
        return await self._database.change(delete(db.mistakes).where(_M.changed <= since)) > 0


def drop_passkey(connection: Connection, person: str, credential: str) -> None:
    """Delete a passkey of a person, and with the last one the person's mistakes."""
    locked(connection, person)
    p = db.passkeys.c
    connection.execute(delete(db.passkeys).where(p.person == person, p.credential == credential))
    if not _has_passkey(connection, person):
        connection.execute(delete(db.mistakes).where(_M.person == person))


def _has_passkey(connection: Connection, person: str) -> bool:
    return bool(connection.scalar(select(exists().where(db.passkeys.c.person == person))))


def _put(connection: Connection, person: str, mistakes: Sequence[Mistake]) -> None:
    """Store those that were changed later than what is there."""
    codes = {one.code for one in mistakes}
    there = select(*_PLACE, _M.changed).where(_M.person == person, _M.table_id.in_(codes))
    latest = {tuple(row[:3]): row[3] for row in connection.execute(there)}
    later: dict[tuple[Any, ...], Mistake] = {}
    for one in mistakes:
        if latest.get(one[:3], -1) < one.changed:
            latest[one[:3]], later[one[:3]] = one.changed, one
    _delete(connection, person, later)
    if later:
        lines = [
            {"person": person, **dict(zip(_NAMES, one, strict=True))} for one in later.values()
        ]
        connection.execute(insert(db.mistakes), lines)


def _delete(connection: Connection, person: str, places: Collection[tuple[Any, ...]]) -> None:
    if places:
        these = tuple_(*_PLACE).in_(places)
        connection.execute(delete(db.mistakes).where(_M.person == person, these))
