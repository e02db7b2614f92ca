"""What the routes work with: the parts of one running server."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from starlette.requests import HTTPConnection

from rookery.server.http.errors import Problem
from rookery.server.http.ratelimit import Buckets
from rookery.server.http.sessions import Sessions
from rookery.server.http.sockets import SocketRegistry
from rookery.server.http.urls import Links
from rookery.server.registry.history import Past
from rookery.server.registry.statistics import Counting
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import Store
from rookery.server.table.pieces import Who
from rookery.server.table.state import Table


@dataclass(frozen=True, slots=True)
class AppState:
    """The parts of one running server.

    Attributes:
        settings: how it runs.
        links: what it is called.
        store: what it keeps.
        registry: its tables.
        sessions: who is who.
        buckets: how often somebody may do something.
        sockets: the open sockets.
        counting: what people have played.
        started_at: since when it runs, milliseconds since 1970.
    """

    settings: Settings
    links: Links
    store: Store
    registry: TableRegistry
    sessions: Sessions
    buckets: Buckets
    sockets: SocketRegistry
    counting: Counting
    started_at: int

    async def person(self, request: HTTPConnection) -> Who:
        """Return who asks; a stranger is answered ``no-session``."""
        who = await self.sessions.who(request.scope)
        if who is None:
            raise Problem("no-session")
        return who

    async def table(self, code: str) -> Table:
        """Return the table of that code; answered ``no-table`` where there is none."""
        table = await self.registry.table(code)
        if table is None:
            raise Problem("no-table")
        return table

    async def past(self, code: str) -> Past:
        """Return what was played at a table; answered ``no-table`` where there is none."""
        past = await self.registry.past(code)
        if past is None:
            raise Problem("no-table")
        return past


def parts(connection: HTTPConnection) -> AppState:
    """Return the parts of the server that a request or a socket has come to."""
    return cast(AppState, connection.app.state.parts)
