"""Who is rated, in a database."""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, delete, insert, select

from rookery.server.store import schema as db
from rookery.server.store.people.attempts_sql import Database
from rookery.server.store.people.sessions import locked

_R: Final = db.rated.c


class SqlRated:
    """The `Rated` of a database."""

    def __init__(self, database: Database) -> None:
        """Read and write by `database`."""
        self._database = database

    async def of(self, code: str) -> dict[str, int]:
        """Return who is rated at a table; see `Rated`."""
        query = select(_R.person, _R.since).where(_R.table_id == code)

        def look(connection: Connection) -> dict[str, int]:
            return {row[0]: row[1] for row in connection.execute(query)}

        return await self._database.look(look)

    async def switch(self, person: str, code: str, since: int | None) -> bool:
        """Rate a person at a table, or no more; see `Rated`."""
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
