"""The leases of a server that shares its tables, in PostgreSQL and by the database's clock."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import secrets
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from rookery.server.clock import APART
from rookery.server.store.base import Leaving, StoreError
from rookery.server.store.leases import Elsewhere, Held, Lease, Leases, Lose
from rookery.server.store.postgres import PostgresStore

log = logging.getLogger("rookery.server.store.leases")

EVERY: Final = 1.0  # seconds between two heartbeats
SILENCE: Final = 5.0  # seconds without a heartbeat until a server counts as gone
MUTE: Final = 30.0  # seconds without a database until this server gives up its tables
_KEPT: Final = 86_400_000  # milliseconds that a server that is gone stays in the list
# How far back people who asked to be forgotten are looked for: that time is by the clock of the
# server that was asked, and may be behind the database's.
_GONE: Final = APART + 120_000
_ALL: Final = 10.0  # seconds until a server asks for all its tables, though none was taken
_NEVER: Final = 1 << 60  # milliseconds of silence that no server reaches

# Milliseconds since 1970, by the database's clock: no server's own decides who has which table.
_CAME = text(
    "INSERT INTO servers (address, secret, beat_at)"
    " VALUES (:address, :secret, (extract(epoch from clock_timestamp()) * 1000)::bigint)"
    " ON CONFLICT (address) DO UPDATE SET secret = excluded.secret, beat_at = excluded.beat_at"
)
_BEAT = text(
    "WITH before AS (SELECT beat_at FROM servers"
    " WHERE address = :address AND secret = :secret FOR UPDATE)"
    " UPDATE servers SET beat_at = (extract(epoch from clock_timestamp()) * 1000)::bigint"
    " FROM before WHERE address = :address RETURNING before.beat_at, servers.beat_at"
)
# A database that was brought back to an earlier time knows a server as it was then, if at all.
_BACK = text(
    "INSERT INTO servers (address, secret, beat_at) VALUES (:address, :secret, :now)"
    " ON CONFLICT (address) DO UPDATE SET secret = excluded.secret, beat_at = excluded.beat_at"
    " WHERE servers.beat_at < :since RETURNING beat_at"
)
# Whoever takes a table from a server changes the time of its last heartbeat. So a server need not
# ask each second for all that it has: only where that time is not the one it wrote.
_ROBBED = text("UPDATE servers SET beat_at = beat_at - 1 WHERE address = :owner")
_NOW = text("SELECT (extract(epoch from clock_timestamp()) * 1000)::bigint")
_ALIVE = text(
    "SELECT min(address) FILTER (WHERE beat_at > :since), max(beat_at),"
    " array_agg(address) FILTER (WHERE beat_at < :since) FROM servers"
)
# Where the database's clock was set back, as when another machine takes over, a server that has
# died meanwhile would count as alive until that time comes again.
_AHEAD = text(
    "UPDATE servers SET beat_at = :now WHERE address IN"
    " (SELECT address FROM servers WHERE beat_at > :late FOR UPDATE SKIP LOCKED)"
)
_LEFT = text("DELETE FROM servers WHERE beat_at < :since")
_HELD = text("SELECT table_id, epoch FROM tables WHERE owner = :address")
_FORGOTTEN = text("SELECT person FROM forgotten WHERE at > :since")
_WHOSE = text(
    "SELECT t.owner, s.secret, t.epoch, t.owner IS NULL OR s.beat_at IS NULL OR s.beat_at <"
    " (extract(epoch from clock_timestamp()) * 1000)::bigint - :silence"
    " FROM tables t LEFT JOIN servers s ON s.address = t.owner WHERE t.table_id = :code"
)
_TAKEN = text(
    "UPDATE tables SET owner = :address, epoch = epoch + 1"
    " WHERE table_id = :code AND epoch = :epoch RETURNING epoch"
)
_GIVEN = text(
    "UPDATE tables SET owner = NULL WHERE table_id = :code AND owner = :address AND epoch = :epoch"
)
_ALL_GIVEN = text("UPDATE tables SET owner = NULL WHERE owner = :address")
_TIMELINE = text("SELECT id FROM timeline")
_SAID_GOODBYE = text("DELETE FROM servers WHERE address = :address AND secret = :secret")


class Beat(NamedTuple):
    """What a server learns from its heartbeat.

    Attributes:
        replaced: whether another server has taken the same address.
        leads: whether it is the first of the living servers, which cleans up.
        held: the tables that it owns by the database, with their leases; None where nobody has
            taken any since the last time.
        gone: the people who have lately asked to be forgotten.
        timeline: the name of the database's timeline.
        wrote: the time of the heartbeat, by the database's clock.
        silent: the addresses of servers that have sent none for too long.
    """

    replaced: bool
    leads: bool
    held: dict[str, Lease] | None
    gone: list[str]
    timeline: str
    wrote: int
    silent: list[str]


class PostgresLeases(Leases):
    """The `Leases` of one server among several.

    Attributes:
        secret: proves to other servers that this is one of them.
    """

    shared = True

    def __init__(
        self,
        store: PostgresStore,
        address: str,
        replaced: Callable[[], object],
        every: float = EVERY,
        silence: float = SILENCE,
    ) -> None:
        """Take the address at which other servers find this one.

        `replaced` is called when another server takes that address.
        """
        self.address = address
        self.secret = secrets.token_urlsafe(24)
        self.leads = False
        self._me = {"address": address, "secret": self.secret}
        self._store, self._replaced = store, replaced
        self._every, self._silence = every, silence
        self._beat_at = -math.inf  # when the database last took a heartbeat
        self._steady = -math.inf  # since when it has taken every heartbeat
        self._timeline: str | None = None
        self._wrote = 0  # the time of the last heartbeat, by the database's clock
        self._asks, self._asked_at = True, -math.inf  # whether all tables are asked for next
        self._awaited = set[tuple[str, asyncio.Timeout]]()  # by the server with which it ends
        self._soon = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None
        self._leaving = False
        # A long read must not delay a heartbeat.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="beat")

    @property
    def alive(self) -> bool:
        """Whether other servers see this one, and it is not shutting down."""
        return not self._leaving and time.monotonic() - self._beat_at < self._silence

    def fresh(self) -> Lease:
        self._stays()
        return Lease(self.address, 1)

    def is_peer(self, secret: str) -> bool:
        return secrets.compare_digest(secret.encode(), self.secret.encode())

    async def open(
        self, held: Callable[[], Held], lose: Lose, gone: Callable[[str], object]
    ) -> None:
        """Register in place of an earlier server of this address, and begin to send heartbeats."""
        self._held, self._lose, self._gone = held, lose, gone

        def come(connection: Connection) -> None:
            connection.execute(_CAME, self._me)
            connection.execute(_LEFT, {"since": connection.scalar(_NOW) - _KEPT})

        await self._store.do(come, alone=True)
        self._beat_at = time.monotonic()
        self._beating = asyncio.create_task(self._beat_on(), name="beat")

    async def take(self, code: str, *, by_force: bool = False) -> Lease | Elsewhere | None:
        self._stays()
        asked = {"code": code, "silence": int(self._silence * 1000) if self._calm else _NEVER}

        def work(connection: Connection) -> Lease | Elsewhere | None:
            while (row := connection.execute(_WHOSE, asked).first()) is not None:
                owner, secret, epoch, free = row
                if not free and owner != self.address and not by_force:
                    return Elsewhere(owner, secret)
                mine = {"code": code, "address": self.address, "epoch": epoch}
                if owner not in (None, self.address):
                    connection.execute(_ROBBED, {"owner": owner})
                taken = connection.scalar(_TAKEN, mine)
                if taken is not None:
                    return Lease(self.address, taken)
                # Another server was quicker: read again.
            return None

        return await self._store.do(work, of=code, alone=True)

    async def elsewhere(self, code: str) -> bool:
        asked = {"code": code, "silence": int(self._silence * 1000)}
        row = await self._store.look(lambda line: line.execute(_WHOSE, asked).first())
        return row is not None and not row[3] and row[0] != self.address

    @contextlib.asynccontextmanager
    async def until_gone(self, code: str, there: Elsewhere) -> AsyncIterator[None]:
        async with asyncio.timeout(None) as end:
            self._awaited.add((there.address, end))
            try:
                yield
            finally:
                self._awaited.discard((there.address, end))

    async def give_back(self, code: str, lease: Lease) -> None:
        mine = {"code": code, "address": self.address, "epoch": lease.epoch}
        try:
            await self._store.change(_GIVEN, mine, of=code)
        except StoreError as error:
            log.warning("table %s is not given back: %s", code, error)

    def look(self) -> None:
        self._asks = True
        self._soon.set()

    async def close(self) -> None:
        if self._leaving:
            return
        self._leaving = True
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        # A heartbeat under way holds a connection that nobody would return.
        await asyncio.to_thread(self._thread.shutdown)

        def leave(connection: Connection) -> None:
            if connection.execute(_SAID_GOODBYE, self._me).rowcount == 1:
                connection.execute(_ALL_GIVEN, {"address": self.address})

        try:
            await self._store.do(leave)
        except StoreError as error:
            log.warning("the leases could not be released: %s", error)

    @property
    def _calm(self) -> bool:
        """Whether the database has been there for so long that a silent server is gone."""
        return time.monotonic() - self._steady >= self._silence

    def _stays(self) -> None:
        if self._leaving:
            raise Leaving("this server is shutting down")

    async def _beat_on(self) -> None:
        while True:
            self._soon.clear()
            before = dict(self._held())
            try:
                loop = asyncio.get_running_loop()
                async with asyncio.timeout(max(MUTE, self._silence)):
                    beat = await loop.run_in_executor(self._thread, self._store.looked, self._beat)
            except TimeoutError:
                self._beat_failed(before, StoreError("the database does not answer"))
            except StoreError as error:
                self._beat_failed(before, error)
            except Exception:
                log.exception("a heartbeat failed")
            else:
                self._found(beat, before)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._every):
                    await self._soon.wait()

    def _beat(self, connection: Connection) -> Beat:
        row, at = connection.execute(_BEAT, self._me).first(), time.monotonic()
        asks, self._asks = self._asks or at - self._asked_at >= _ALL, False
        before, now = (0, connection.scalar(_NOW)) if row is None else row
        silence = int(self._silence * 1000)
        back = {**self._me, "now": now, "since": now - silence}
        replaced = row is None and connection.execute(_BACK, back).first() is None
        first, latest, silent = connection.execute(_ALIVE, {"since": now - silence}).one()
        if latest is not None and latest > now + silence:
            connection.execute(_AHEAD, {"now": now, "late": now + silence})
        held = None
        if asks or before != self._wrote:
            rows = connection.execute(_HELD, {"address": self.address})
            held = {code: Lease(self.address, epoch) for code, epoch in rows}
            self._asked_at = at
        gone = list(connection.scalars(_FORGOTTEN, {"since": now - _GONE}))
        timeline = connection.scalar(_TIMELINE)
        connection.commit()
        leads = first == self.address
        return Beat(replaced, leads, held, gone, timeline, now, silent or [])

    def _beat_failed(self, before: Held, error: StoreError) -> None:
        silent = time.monotonic() - self._beat_at
        self._asks = True  # whatever was found, nobody has heard of it
        log.warning("no heartbeat for %.0f s: %s", silent, error)
        if silent >= max(MUTE, self._silence):
            # Other servers own the tables by now, or nobody can play at all.
            for code, lease in before.items():
                self._lose(code, lease)

    def _found(self, beat: Beat, before: Held) -> None:
        now = time.monotonic()
        if now - self._beat_at > self._silence:
            self._steady = now
        # Not before: what a heartbeat has found that was given up, nobody has heard of.
        self._beat_at, self.leads, self._wrote = now, beat.leads, beat.wrote
        if beat.replaced:
            log.error("another server has the address %s; each needs its own", self.address)
            self._replaced()
        # Where another timeline has begun, every table is taken up anew.
        is_same = self._timeline in (None, beat.timeline)
        self._timeline = beat.timeline
        for code, lease in before.items():
            if not is_same or (beat.held is not None and beat.held.get(code) != lease):
                self._lose(code, lease)
        for person in beat.gone:
            self._gone(person)
        ended = {one for one in self._awaited if self._calm and one[0] in beat.silent}
        self._awaited -= ended
        for _, end in ended:
            end.reschedule(0)
