"""Who is rated, in a database."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from sqlalchemy import Connection, delete, func, insert, select, update

from rookery.server.names import CODE_LENGTH
from rookery.server.store import schema as db
from rookery.server.store.people.rated import Played, Stranger, Strangers
from rookery.server.store.people.sessions import Database, locked

_R: Final = db.rated.c
_S: Final = db.rated_strangers.c
_M: Final = db.rated_matches.c
KEPT_OF: Final = (db.rated, db.rated_matches)  # what is kept of tables
_ROW: Final = (_S.since, _S.points, _S.error, _S.matches)


class SqlRated:
    """The `Rated` of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, code: str) -> dict[str, int]:
        query = select(_R.person, _R.since).where(_R.table_id == code)

        def look(connection: Connection) -> dict[str, int]:
            return {row[0]: row[1] for row in connection.execute(query)}

        return await self._database.look(look)

    async def switch(self, person: str, code: str, since: int | None) -> bool:
        here = (_R.person == person, _R.table_id == code)

        def work(connection: Connection) -> bool:
            # Whoever is being forgotten leaves nothing behind; of two at once the first counts.
            if locked(connection, person) is None:
                return False
            if since is None:
                connection.execute(delete(db.rated).where(*here))
            elif connection.scalar(select(_R.since).where(*here)) is None:
                line = {"person": person, "table_id": code, "since": since}
                connection.execute(insert(db.rated).values(line))
            return True

        return await self._database.do(work, of=person)

    async def strangers(self, people: Collection[str]) -> dict[str, dict[str, Stranger]]:
        query = select(_S.person, _S.family, *_ROW).where(_S.person.in_(people))

        def look(connection: Connection) -> dict[str, dict[str, Stranger]]:
            found: dict[str, dict[str, Stranger]] = {}
            for row in connection.execute(query):
                found.setdefault(row[0], {})[row[1]] = Stranger(*row[2:])
            return found

        return await self._database.look(look)

    async def meet(self, person: str, new: Strangers | None) -> bool:
        def work(connection: Connection) -> bool:
            if locked(connection, person) is None:
                return False
            if new is None:
                connection.execute(delete(db.rated_strangers).where(_S.person == person))
            elif not connection.execute(select(_S.since).where(_S.person == person)).first():
                lines = [
                    {"person": person, "family": family, **row._asdict()}
                    for family, row in new.items()
                ]
                connection.execute(insert(db.rated_strangers), lines)
            return True

        return await self._database.do(work, of=person)

    async def count(
        self, match: Played, work: Callable[[Strangers], Strangers], *, is_here: bool = True
    ) -> bool:
        """Count a match, all of it or nothing; see `Rated`.

        Unless it `is_here`, its table is in another database, and was there just now.
        """
        own = _S.person.in_(match.people), _S.family == match.family
        # Always in the same order, so that no two matches wait for each other.
        rows = select(_S.person, *_ROW).where(*own, _S.since <= match.begun)
        rows = rows.order_by(_S.person).with_for_update()
        tables = db.tables.c
        # Whoever counts a match, or deletes the table, holds its row.
        there = select(tables.table_id).where(tables.table_id == match.code).with_for_update()
        mark = _M.table_id == match.code, _M.number == match.number

        def count(connection: Connection) -> bool:
            if is_here and connection.execute(there).first() is None:
                return False
            if connection.execute(select(_M.number).where(*mark)).first() is not None:
                return False
            line = {"table_id": match.code, "number": match.number}
            connection.execute(insert(db.rated_matches).values(line))
            before = {row[0]: Stranger(*row[1:]) for row in connection.execute(rows)}
            for person, row in work(before).items():
                mine = _S.person == person, _S.family == match.family
                change = update(db.rated_strangers).where(*mine)
                connection.execute(change.values(row._asdict()))
            return True

        return await self._database.do(count, of=match.code)

    async def expire(self) -> bool:
        there = select(db.tables.c.table_id)

        def work(connection: Connection) -> bool:
            some = 0
            for table in KEPT_OF:
                # Those of other databases are not known here, see `names.place_of`.
                own = func.length(table.c.table_id) == CODE_LENGTH
                gone = delete(table).where(own, table.c.table_id.not_in(there))
                some += connection.execute(gone).rowcount
            return some > 0

        return await self._database.do(work)
