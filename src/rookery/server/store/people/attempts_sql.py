"""The attempts at daily deals in a database."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import Connection, Select, delete, func, insert, select, union, update

from rookery.server.store import schema as db
from rookery.server.store.people.attempts import Attempt, Friend, by_name
from rookery.server.store.people.sessions import Database, locked

_A: Final = db.attempts.c
_ASKED: Final = 500  # deals in one question


class SqlAttempts:
    """The `Attempts` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, person: str, deals: Collection[str]) -> list[Attempt]:
        asked = sorted(deals)

        def look(connection: Connection) -> list[Attempt]:
            found: list[Attempt] = []
            for at in range(0, len(asked), _ASKED):
                query = select(db.attempts).where(_A.person == person)
                query = query.where(_A.deal.in_(asked[at : at + _ASKED]))
                found += map(_read, connection.execute(query.order_by(_A.deal, _A.number)))
            return found

        return await self._database.look(look)

    async def lost(self, person: str, since: str, deals: Collection[str]) -> set[tuple[str, str]]:
        query = select(_A.day, _A.family, _A.deal).where(_A.person == person, _A.day >= since)
        found = await self._database.look(lambda line: line.execute(query).all())
        return {(day, family) for day, family, deal in found if deal not in deals}

    async def friends(self, person: str, deal: str, most: int) -> list[Friend]:
        p, beside = db.people.c, beside_of(person).subquery()
        query = firsts(person, deal).join(beside, beside.c.person == p.person)
        query = query.order_by(beside.c.tables.desc(), p.person).limit(most)

        def look(connection: Connection) -> list[Friend]:
            return sorted(friends_in(connection, query), key=by_name)

        return await self._database.look(look)

    async def begin(self, attempt: Attempt) -> bool:
        def work(connection: Connection) -> bool:
            # Whoever is being forgotten leaves nothing behind.
            if locked(connection, attempt.person) is None:
                return False
            key = {name: getattr(attempt, name) for name in ("person", "deal", "number")}
            if connection.scalar(select(_A.number).filter_by(**key)) is not None:
                return False
            connection.execute(insert(db.attempts).values(_line(attempt)))
            return True

        return await self._database.do(work, of=attempt.person)

    async def go_on(self, before: Attempt, after: Attempt) -> bool:
        line = _line(before)
        was = [_A[name] == line[name] for name in ("person", "deal", "number", "actions", "ended")]
        change = update(db.attempts).where(*was)
        change = change.values(actions=_line(after)["actions"], ended=after.ended)
        return await self._database.change(change, of=before.person) == 1

    async def expire(self, since: int) -> bool:
        return await self._database.change(delete(db.attempts).where(_A.begun <= since)) > 0


def beside_of(person: str) -> Select[str, int]:
    """Return what asks who has sat at how many tables with a person."""
    s = db.seated.c
    own = select(s.table_id).where(s.person == person)
    others = select(s.person, func.count().label("tables")).where(s.table_id.in_(own))
    return others.where(s.person != person).group_by(s.person)


def firsts(person: str, deal: str) -> Select[Any]:
    """Return what asks for first attempts at a deal, where neither has blocked the other."""
    p, b = db.people.c, db.blocks.c
    mine = select(b.blocked).where(b.person == person)
    theirs = select(b.person).where(b.blocked == person)
    query = select(p.name, db.attempts).join(db.attempts, _A.person == p.person)
    query = query.where(_A.deal == deal, _A.number == 1, _A.ended > 0)
    return query.where(_A.person.not_in(union(mine, theirs)))


def friends_in(connection: Connection, query: Select[Any]) -> list[Friend]:
    """Return what is found by a query that `firsts` has begun."""
    return [Friend(name, _read(row)) for name, *row in connection.execute(query)]


def _line(attempt: Attempt) -> dict[str, Any]:
    return {**attempt._asdict(), "actions": json.dumps(attempt.actions)}


def _read(row: Any) -> Attempt:  # noqa: ANN401
    held = dict(zip((column.name for column in _A), row, strict=True))
    return Attempt(**{**held, "actions": tuple(json.loads(held["actions"]))})
