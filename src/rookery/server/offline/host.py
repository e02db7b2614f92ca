"""What answers the pages of one device: requests, and sockets to its tables.

Tables, bots, rules and answers are those of a server. What a server needs besides is not here:
sessions, limits, and other servers.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from inspect import isawaitable
from typing import TYPE_CHECKING, Final, NamedTuple, cast
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic_core import to_json

from rookery.server.api.links import Links
from rookery.server.api.problems import Answer, Problem, Refusal
from rookery.server.api.state import AppState
from rookery.server.bots.searching import Searching
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection, heard
from rookery.server.live.sockets import (
    CLOSINGS,
    NO_SESSION,
    NO_STORE,
    NO_TABLE,
    SocketRegistry,
)
from rookery.server.names import BadText
from rookery.server.offline.kept import KeptStore, Shelf
from rookery.server.offline.mind import Mind
from rookery.server.offline.routes import STATUS, Asked, route_to
from rookery.server.offline.told import ToldMatches
from rookery.server.registry.history import History
from rookery.server.registry.reviews import ReviewAtWork
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Store, StoreError
from rookery.server.store.leases import Leases
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.state import Table, Who

if TYPE_CHECKING:
    from rookery.server.api.evenings.held import Evenings

log = logging.getLogger(__name__)

HERE: Final = "this device"  # the session of its one person
UNREAD: Final = "this device cannot read or write what it keeps; try again in a moment"
# Games stay, whatever the clock of the device says: a million years.
KEPT: Final = 1_000_000 * 365 * DAY
BROKEN: Final = "something went wrong on this device; its browser's console says what"


class Answered(NamedTuple):
    """An answer: its HTTP status, and its body, JSON."""

    status: int
    body: str


class NoEvenings:
    """The evenings of many tables that a device has: none, and nothing is hidden for their sake."""

    async def hides(self, table: Table) -> bool:
        """Return whether others may still play the deals of a table; here nobody does."""
        return False


class DeviceLeases(Leases):
    """The leases of a device: all tables are its own, and what is there is never cleaned up."""

    leads = False


class DeviceTables(TableRegistry):
    """The tables of a device, and what it only knows by records."""

    told: ToldMatches

    async def history(self, code: str) -> History | None:
        """Return all that was played at a table, or what a record tells; None without either."""
        return await super().history(code) or await self.told.history(code)


class Host:
    """What answers the pages of one device.

    Attributes:
        state: what the functions of the API work with.
        told: the matches of which it was given a record.
    """

    def __init__(self, shelf: Shelf, origin: str) -> None:
        """Keep everything on `shelf`; links begin with `origin`, ``http(s)://host[:port]``."""
        self._store = KeptStore(shelf)
        self._entering = asyncio.Lock()  # of several first requests one makes the person
        settings = Settings(public_url=origin, keep_lobby=KEPT, keep_table=KEPT, keep_chat=KEPT)
        mind = Mind()
        thinker = Searching(mind, mind, settings.bot_threads, settings.bot_deadline)
        store = cast("Store", self._store)
        registry = DeviceTables(store, settings, thinker=thinker, leases=DeviceLeases())
        registry.told = self.told = ToldMatches(shelf, registry.clock.now)
        evenings = cast("Evenings", NoEvenings())
        self.state = AppState(registry, Links(settings), evenings, settings.keep_person)

    async def open(self) -> None:
        """Find what the device has kept.

        Raises:
            StoreError: it cannot be read.
        """
        await self._store.open()
        await self.state.registry.open(self.state.sockets.cut_person)

    async def close(self) -> None:
        """Close all sockets; what was acknowledged is kept."""
        await self.state.registry.close()

    async def who(self, name: str = "") -> Who | None:
        """Return the person of this device; whoever has no name yet takes this one, if it is any.

        Raises:
            Problem: the name cannot be shown; code ``bad-name``.
        """
        async with self._entering:
            if self._store.me is None and name:
                try:
                    await self.state.people.enter(name)
                except BadText as error:
                    raise Problem(error.code, error.reason) from None
            return self._store.me

    async def answer(self, method: str, address: str, body: str = "", name: str = "") -> Answered:
        """Return the answer to a request, as a server gives it at the same address.

        `name` is that by which a server knows whoever asks; see `who`.
        """
        parts = urlsplit(address)
        try:
            route, values = route_to(method, unquote(parts.path))
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            who = await self.who(name)
            found = route(Asked(self.state, who, values, query, body, self.told))
            if isawaitable(found):
                found = await found
        except Problem as problem:
            return _refused(problem)
        except StoreError as error:
            log.warning("not stored: %s", error)
            return _refused(Problem("not-ready", UNREAD))
        except Exception:
            log.exception("%s %s failed", method, parts.path)
            return _refused(Problem("broken", BROKEN))
        at_work = isinstance(found, ReviewAtWork)
        status = 202 if at_work else STATUS.get(f"{method} {parts.path}", 200)
        return Answered(status, (found if isinstance(found, bytes) else to_json(found)).decode())

    async def line(self, code: str, hear: Callable[[str], object], name: str = "") -> Line | None:
        """Return a socket to a table; `hear` is called with each message, the last a ``closing``.

        None where the table has nothing else to say.
        """
        closing, reason = NO_STORE, UNREAD
        try:
            who = await self.who(name)
            found = None if who is None else await self.state.woken(code, who)
            if who is not None and isinstance(found, Actor):
                connection = found.connect(who)
                self.state.sockets.opened(HERE, connection, found)
                return Line(self.state.sockets, found, connection, hear)
            closing = NO_SESSION if who is None else NO_TABLE
            reason = CLOSINGS[closing]
        except (Problem, StoreError) as error:
            log.warning("a socket is closed: %s", error)
        hear(ms.encoded(ms.Closing(closing, reason)).decode())
        return None


def _refused(problem: Problem) -> Answered:
    refusal = Refusal(code=problem.code, reason=problem.reason, where=problem.where)
    body = Answer(error=refusal).model_dump_json(exclude_none=True)
    return Answered(problem.status, body)


class Line:
    """A socket to a table, open until it is closed from either side."""

    def __init__(
        self,
        sockets: SocketRegistry,
        actor: Actor,
        connection: Connection,
        hear: Callable[[str], object],
    ) -> None:
        self._sockets, self._actor = sockets, actor
        self._connection, self._hear = connection, hear
        self._greeted = False
        self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        outbox = self._connection.outbox
        while True:
            message = await outbox.get()
            self._hear(outbox.text())
            if isinstance(message, ms.Closing):
                return

    def say(self, text: str) -> None:
        """Take a message of the page."""
        if self._connection.outbox.ended:
            return
        command = heard(text, greeted=self._greeted)
        if isinstance(command, ms.Refused):
            self._connection.outbox.put(command)
        elif command is not None:
            self._greeted = self._greeted or isinstance(command, cm.Hello)
            self._actor.take(self._connection, command)

    def close(self) -> None:
        """Leave the table, as a page does that is closed."""
        self._telling.cancel()
        self._actor.disconnect(self._connection)
        self._sockets.closed(self._connection)
