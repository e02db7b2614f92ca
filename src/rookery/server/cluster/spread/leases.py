"""The leases of a server whose tables are spread over several databases: in each its own.

A server that does not reach a database has lost the tables there, and no others.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Final

from rookery.server.cluster.postgres_leases import PostgresLeases
from rookery.server.cluster.spread.part import WRITTEN, Part
from rookery.server.names import place_of
from rookery.server.store.base import StoreError
from rookery.server.store.leases import Elsewhere, Held, Lease, Leases, Lose
from rookery.server.store.postgres import PostgresStore

log = logging.getLogger(__name__)

AGAIN: Final = 1.0  # seconds until a database that did not answer is tried again


class SpreadLeases(Leases):
    """The `Leases` of one server among several, in several databases."""

    shared = True

    def __init__(
        self,
        first: PostgresLeases,
        parts: Sequence[Part[PostgresStore]],
        made: Callable[[PostgresStore], PostgresLeases],
    ) -> None:
        """Have the leases `first` in the first database, and in each part what `made` makes."""
        self._all: dict[str, PostgresLeases] = {"": first}
        self._first, self._parts, self._made = first, parts, made
        self._places = {"", *(part.place for part in parts)}
        self._joining: set[asyncio.Task[None]] = set()
        self.address = first.address

    @property
    def leads(self) -> bool:  # type: ignore[override]
        """Whether this server is the one that cleans up."""
        return self._first.leads

    @property
    def alive(self) -> bool:
        """Whether other servers see this one by the first database, see `PostgresLeases`."""
        return self._first.alive

    @property
    def lost(self) -> Sequence[str]:  # type: ignore[override]
        """The letters of those databases that take no heartbeat of this server."""
        places = [part.place for part in self._parts]
        return [one for one in places if one not in self._all or not self._all[one].alive]

    def fresh(self) -> Lease:
        return self._first.fresh()

    def is_peer(self, secret: str) -> bool:
        """Return whether this is the secret of another server of one of the databases."""
        return any(leases.is_peer(secret) for leases in self._all.values())

    async def open(
        self, held: Callable[[], Held], lose: Lose, gone: Callable[[str], object]
    ) -> None:
        """Begin to send heartbeats to all databases, to one that is lost as soon as it answers."""

        def held_at(place: str) -> Callable[[], Held]:
            return lambda: {code: one for code, one in held().items() if place_of(code) == place}

        told = set[str]()

        async def join(part: Part[PostgresStore]) -> bool:
            try:
                leases = self._made(await part.store())
                await leases.open(held_at(part.place), lose, gone)
            except StoreError as error:
                if part.place not in told:
                    log.warning("database %s does not answer: %s", part.place, error)
                told.add(part.place)
                return False
            self._all[part.place] = leases
            return True

        async def join_later(part: Part[PostgresStore]) -> None:
            there = False
            while not there:
                await asyncio.sleep(AGAIN)
                there = await join(part)

        await self._first.open(held_at(""), lose, gone)
        joined = await asyncio.gather(*map(join, self._parts))
        for part, is_there in zip(self._parts, joined, strict=True):
            if not is_there:
                self._begin(join_later(part))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="joining")
        self._joining.add(task)
        task.add_done_callback(self._joining.discard)

    def _of(self, code: str) -> PostgresLeases:
        leases = self._all.get(place_of(code))
        if leases is None:
            raise StoreError(f"database {place_of(code)} does not answer")
        return leases

    async def take(self, code: str, *, by_force: bool = False) -> Lease | Elsewhere | None:
        if place_of(code) not in self._places:
            return None
        return await self._of(code).take(code, by_force=by_force)

    async def elsewhere(self, code: str) -> bool:
        place = place_of(code)
        if place not in self._places:
            return False
        leases = self._of(code)
        if not place:
            return await leases.elsewhere(code)
        part = next(part for part in self._parts if part.place == place)
        return await part.soon(lambda _: leases.elsewhere(code))

    def until_gone(self, code: str, there: Elsewhere) -> AbstractAsyncContextManager[object]:
        return self._of(code).until_gone(code, there)

    async def give_back(self, code: str, lease: Lease) -> None:
        # Others take it without that, and a sweep would wait for each of many tables.
        if place_of(code) in self.lost:
            return
        try:
            async with asyncio.timeout(WRITTEN):
                await self._of(code).give_back(code, lease)
        except TimeoutError:
            log.warning("table %s is not given back: no answer", code)

    def look(self) -> None:
        for leases in self._all.values():
            leases.look()

    async def close(self) -> None:
        for task in list(self._joining):
            task.cancel()
        await asyncio.gather(*self._joining, return_exceptions=True)
        await asyncio.gather(*(leases.close() for leases in self._all.values()))
