"""What is kept of people in the first database, where it depends on tables in others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Final, TypeAlias

from sqlalchemy import Connection, delete, select, union

from rookery.server.store import schema as db
from rookery.server.store.people.attempts import Friend, by_name
from rookery.server.store.people.attempts_sql import SqlAttempts, beside_of, firsts, friends_in
from rookery.server.store.people.rated import Played, Strangers
from rookery.server.store.people.rated_sql import KEPT_OF, SqlRated
from rookery.server.store.sql import SqlStore

_ASKED: Final = 500  # people or tables in one question

Beside: TypeAlias = list[tuple[str, int]]


async def without(store: SqlStore, codes: Sequence[str]) -> list[str]:
    """Return those of the codes of which one database has no table."""
    t, there = db.tables.c.table_id, set[str]()

    def look(connection: Connection) -> None:
        for at in range(0, len(codes), _ASKED):
            there.update(connection.scalars(select(t).where(t.in_(codes[at : at + _ASKED]))))

    await store.look(look)
    return [code for code in codes if code not in there]


async def beside_in(store: SqlStore, person: str) -> Beside:
    """Return who has sat at how many tables of one database with a person."""
    query = beside_of(person)
    return await store.look(lambda line: [(row[0], row[1]) for row in line.execute(query)])


class SpreadAttempts(SqlAttempts):
    """The `Attempts` where people have sat at tables of several databases."""

    def __init__(self, first: SqlStore, beside: Callable[[str], Awaitable[Beside]]) -> None:
        """Keep them in `first`; `beside` asks all databases who has sat with a person."""
        super().__init__(first)
        self._first, self._beside = first, beside

    async def friends(self, person: str, deal: str, most: int) -> list[Friend]:
        tables = Counter[str]()
        for other, many in await self._beside(person):
            tables[other] += many
        asked, query = sorted(tables), firsts(person, deal)

        def look(connection: Connection) -> list[Friend]:
            found: list[Friend] = []
            for at in range(0, len(asked), _ASKED):
                some = db.people.c.person.in_(asked[at : at + _ASKED])
                found += friends_in(connection, query.where(some))
            return found

        found = await self._first.look(look)
        found.sort(key=lambda one: (-tables[one.attempt.person], one.attempt.person))
        return sorted(found[:most], key=by_name)


class SpreadRated(SqlRated):
    """The `Rated` whose tables may be in other databases: no transaction touches two."""

    def __init__(
        self,
        first: SqlStore,
        place_of: Callable[[str], str],
        has: Callable[[str], Awaitable[bool]],
        gone: Callable[[Collection[str]], Awaitable[Collection[str]]],
    ) -> None:
        """Keep it in `first`; `has` returns whether there is a table of a code.

        `gone` returns of which codes there is none, as far as that can be told now.
        """
        super().__init__(first)
        self._first, self._place_of, self._has, self._gone = first, place_of, has, gone

    async def count(
        self, match: Played, work: Callable[[Strangers], Strangers], *, is_here: bool = True
    ) -> bool:
        """Count a match, all of it or nothing; see `Rated`.

        It is marked as counted beside what is known of its people, so it never counts twice.
        """
        if not self._place_of(match.code):
            return await super().count(match, work)
        if not await self._has(match.code):
            return False
        return await super().count(match, work, is_here=False)

    async def retire(self, code: str) -> None:
        """Delete what belongs to a table that is gone."""

        def work(connection: Connection) -> None:
            for table in KEPT_OF:
                connection.execute(delete(table).where(table.c.table_id == code))

        await self._first.do(work)

    async def expire(self) -> bool:
        query = union(*(select(table.c.table_id) for table in KEPT_OF))
        known = await self._first.look(lambda line: list(line.scalars(query)))
        gone = await self._gone(known)
        for code in gone:
            await self.retire(code)
        return bool(gone)
