"""The leases of a server that shares its tables, in PostgreSQL and by its clock alone."""

from __future__ import annotations

import asyncio
import logging
import math
import secrets
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from rookery.server.cluster import postgres_leases as lease_rows
from rookery.server.store.base import StoreError
from rookery.server.store.leases import Elsewhere, Held, Lease, Lose
from rookery.server.store.postgres import PostgresStore

_KEPT: Final = 86_400_000  # milliseconds that a server that is gone stays in the list
_GONE: Final = 120_000  # how far back people who asked to be forgotten are looked for

# Milliseconds since 1970, by the database's clock: no server's own clock decides anything.
_CAME = text(
    "INSERT INTO servers (address, secret, beat_at)"
    " VALUES (:address, :secret, (extract(epoch from clock_timestamp()) * 1000)::bigint)"
    " ON CONFLICT (address) DO UPDATE SET secret = excluded.secret, beat_at = excluded.beat_at"
)
_BEAT = text(
    "UPDATE servers SET beat_at = (extract(epoch from clock_timestamp()) * 1000)::bigint"
    " WHERE address = :address AND secret = :secret"
)
_NOW = text("SELECT (extract(epoch from clock_timestamp()) * 1000)::bigint")
_FIRST = text("SELECT min(address) FROM servers WHERE beat_at > :since")
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
_SAID_GOODBYE = text("DELETE FROM servers WHERE address = :address AND secret = :secret")


class Server(NamedTuple):
    """One server: its address, and the secret by which others prove that they are servers too."""

    address: str
    secret: str


class Beat(NamedTuple):
    """What a server learns from its heartbeat.

    Attributes:
        replaced: whether another server has taken the same address.
        leads: whether it is the first of the living servers, which cleans up.
        held: the tables that it owns by the database, with their leases.
        gone: the people who have lately asked to be forgotten.
    """

    replaced: bool
    leads: bool
    held: dict[str, Lease]
    gone: list[str]


def come(connection: Connection, me: Server) -> None:
    """Register a server, in place of an earlier one with the same address."""
    connection.execute(_CAME, me._asdict())
    connection.execute(_LEFT, {"since": connection.scalar(_NOW) - _KEPT})


def beat(connection: Connection, me: Server, silence: int) -> Beat:
    """Record a heartbeat. Servers silent for `silence` milliseconds count as gone."""
    known = connection.execute(_BEAT, me._asdict()).rowcount == 1
    now = connection.scalar(_NOW)
    first = connection.scalar(_FIRST, {"since": now - silence})
    rows = connection.execute(_HELD, {"address": me.address})
    held = {code: Lease(me.address, epoch) for code, epoch in rows}
    gone = list(connection.scalars(_FORGOTTEN, {"since": now - _GONE}))
    return Beat(not known, first == me.address, held, gone)


def take(
    connection: Connection, me: Server, code: str, silence: int | None, *, by_force: bool
) -> Lease | Elsewhere | None:
    """Return the lease of a table, or who has it; None where there is no such table.

    The lease is taken where nobody has it, or its owner has been silent for `silence` milliseconds.
    Where `silence` is None, it is taken from any owner.
    """
    while True:
        asked = {"code": code, "silence": 1 << 60 if silence is None else silence}
        found = connection.execute(_WHOSE, asked).first()
        if found is None:
            return None
        owner, secret, epoch, free = found
        if not free and owner != me.address and not by_force:
            return Elsewhere(owner, secret)
        mine = {"code": code, "address": me.address, "epoch": epoch}
        taken = connection.scalar(_TAKEN, mine)
        if taken is not None:
            return Lease(me.address, taken)
        # Another server was quicker: read again.


def give(connection: Connection, me: Server, code: str, lease: Lease) -> None:
    """Release a table's lease."""
    connection.execute(_GIVEN, {"code": code, "address": me.address, "epoch": lease.epoch})


def leave(connection: Connection, me: Server) -> None:
    """Release all leases of a server and remove it."""
    if connection.execute(_SAID_GOODBYE, me._asdict()).rowcount == 1:
        connection.execute(_ALL_GIVEN, {"address": me.address})


log = logging.getLogger("rookery.server.store.leases")

EVERY: Final = 1.0  # seconds between two heartbeats
SILENCE: Final = 5.0  # seconds without a heartbeat until a server counts as gone
MUTE: Final = 30.0  # seconds without a database until this server gives up its tables


class PostgresLeases:
    """The `Leases` of one server among several.

    Attributes:
        me: the server.
        leads: whether this server cleans up.
    """

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
        self.me = Server(address, secrets.token_urlsafe(24))
        self.leads = False
        self._store, self._replaced = store, replaced
        self._every, self._silence = every, silence
        self._heard = -math.inf  # when the database last took a heartbeat
        self._steady = -math.inf  # since when it has taken every heartbeat
        self._soon = asyncio.Event()
        self._beating: asyncio.Task[None] | None = None
        self._held: Callable[[], Held] = dict
        self._lose: Lose = _nothing
        self._gone: Callable[[str], object] = str
        self._leaving = False
        # A long read must not delay a heartbeat.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="beat")

    @property
    def shared(self) -> bool:
        """Return that there may be other servers."""
        return True

    @property
    def alive(self) -> bool:
        """Whether other servers see this one, and it is not shutting down."""
        return not self._leaving and time.monotonic() - self._heard < self._silence

    @property
    def address(self) -> str:
        """Where other servers find this one."""
        return self.me.address

    def fresh(self) -> Lease:
        """Return the lease of a table that this server is about to make.

        Raises:
            StoreError: this server is shutting down.
        """
        self._stays()
        return Lease(self.me.address, 1)

    def is_peer(self, secret: str) -> bool:
        """Return whether this is the secret of another server of the same database."""
        return secrets.compare_digest(secret.encode(), self.me.secret.encode())

    async def open(
        self, held: Callable[[], Held], lose: Lose, gone: Callable[[str], object]
    ) -> None:
        """Begin to send heartbeats; see `Leases`."""
        self._held, self._lose, self._gone = held, lose, gone
        await self._store.do(lambda connection: lease_rows.come(connection, self.me), alone=True)
        self._heard = time.monotonic()
        self._beating = asyncio.create_task(self._beat_on(), name="beat")

    async def take(self, code: str, *, by_force: bool = False) -> Lease | Elsewhere | None:
        """Return the lease of a table, or who has it; see `Leases`."""
        self._stays()
        calm = time.monotonic() - self._steady >= self._silence
        silence = int(self._silence * 1000) if calm else None

        def work(connection: Connection) -> Lease | Elsewhere | None:
            return lease_rows.take(connection, self.me, code, silence, by_force=by_force)

        return await self._store.do(work, of=code, alone=True)

    async def give_back(self, code: str, lease: Lease) -> None:
        """Release a lease. If that fails, another server takes it when this one is silent."""
        try:
            await self._store.do(
                lambda connection: lease_rows.give(connection, self.me, code, lease), of=code
            )
        except StoreError as error:
            log.warning("table %s is not given back: %s", code, error)

    def look(self) -> None:
        """Check soon whether this server still owns its tables."""
        self._soon.set()

    async def close(self) -> None:
        """Release all leases and stop."""
        if self._leaving:
            return
        self._leaving = True
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
        # A heartbeat under way holds a connection that nobody would return.
        await asyncio.to_thread(self._thread.shutdown)
        try:
            await self._store.do(lambda connection: lease_rows.leave(connection, self.me))
        except StoreError as error:
            log.warning("the leases could not be released: %s", error)

    def _stays(self) -> None:
        if self._leaving:
            raise StoreError("the server is shutting down")

    async def _beat_on(self) -> None:
        while True:
            self._soon.clear()
            before = dict(self._held())
            try:
                loop = asyncio.get_running_loop()
                beat = await loop.run_in_executor(self._thread, self._store.looked, self._beat)
            except StoreError as error:
                self._unheard(before, error)
            except Exception:
                log.exception("a heartbeat failed")
            else:
                self._found(beat, before)
            try:
                async with asyncio.timeout(self._every):
                    await self._soon.wait()
            except TimeoutError:
                continue

    def _beat(self, connection: Connection) -> Beat:
        found = lease_rows.beat(connection, self.me, int(self._silence * 1000))
        connection.commit()
        return found

    def _unheard(self, before: Held, error: StoreError) -> None:
        silent = time.monotonic() - self._heard
        log.warning("no heartbeat for %.0f s: %s", silent, error)
        if silent >= max(MUTE, self._silence):
            # Other servers own the tables by now, or nobody can play at all.
            for code, lease in before.items():
                self._lose(code, lease)

    def _found(self, beat: Beat, before: Held) -> None:
        now = time.monotonic()
        if now - self._heard > self._silence:
            self._steady = now
        self._heard, self.leads = now, beat.leads
        if beat.replaced:
            log.error("another server has the address %s; each needs its own", self.me.address)
            self._replaced()
        for code, lease in before.items():
            if beat.held.get(code) != lease:
                self._lose(code, lease)
        for person in beat.gone:
            self._gone(person)


def _nothing(code: str, lease: Lease) -> None:
    """Do nothing about a lost lease, before `open` has said whom to call."""
