"""The store of tables that are spread over several databases.

The first database has what is people's: who they are, what signs them in, whom they block, their
attempts and ratings, score sheets and evenings; and the tables whose codes have seven letters. A
table whose code has an eighth is in the database of that letter, with all that is known of it. So a
code says where its table is, for good: adding a database moves nothing. No transaction touches two.

A database that does not answer is left out of lists. What is said to all is said to it later.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import TypeVar

from sqlalchemy import Connection, select

from rookery.server.clock import Judged, Mark
from rookery.server.cluster.spread.part import Part
from rookery.server.cluster.spread.people import (
    Beside,
    SpreadAttempts,
    SpreadRated,
    beside_in,
    without,
)
from rookery.server.names import place_of
from rookery.server.store import schema as db
from rookery.server.store.base import Partly, Report, StoreError, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.people.attempts import Attempts
from rookery.server.store.people.rated import Rated
from rookery.server.store.sql import SqlStore
from rookery.server.store.timeline import Timeline
from rookery.server.table.events import Blocked, Entry

log = logging.getLogger(__name__)

T = TypeVar("T")


class Spread:
    """The `Store` of several databases.

    Attributes:
        places: the letters of the databases, "" for the first.
    """

    def __init__(
        self,
        first: SqlStore,
        parts: Sequence[Part[SqlStore]],
        drained: Collection[str] = (),
        place_of: Callable[[str], str] = place_of,
    ) -> None:
        """Have people in `first` and new tables in `parts`, but for those that are drained.

        `place_of` returns in which database the table of a code is.
        """
        self._first, self._parts = first, {part.place: part for part in parts}
        self._place_of = place_of
        self._drained = frozenset(drained)
        self.places: Sequence[str] = ("", *self._parts)
        self.kind, self.version = f"{first.kind}, {1 + len(parts)} databases", first.version
        # What is people's alone is the first database's.
        self.mistakes, self.sheets = first.mistakes, first.sheets
        self.attempts: Attempts = SpreadAttempts(first, self._beside)
        self._rated = SpreadRated(first, self._place_of, self._has, self._gone)
        self.rated: Rated = self._rated
        self.add_person, self.rename = first.add_person, first.rename
        self.add_token, self.drop_token = first.add_token, first.drop_token
        self.tokens, self.valid, self.renew = first.tokens, first.valid, first.renew
        self.sign_out, self.person, self.visitor = first.sign_out, first.person, first.visitor
        self.apart, self.secret, self.ping = first.apart, first.secret, first.ping
        self.add_return, self.take_return = first.add_return, first.take_return
        self.passkeys, self.passkey = first.passkeys, first.passkey
        self.add_passkey, self.use_passkey = first.add_passkey, first.use_passkey
        self.drop_passkey = first.drop_passkey

    @property
    def took(self) -> Callable[[float], object]:
        """What is called with how long each write took."""
        return self._first.took

    @took.setter
    def took(self, told: Callable[[float], object]) -> None:
        self._first.took = told
        for part in self._parts.values():
            part.took = told

    def new_place(self) -> str:
        """Return in which database a new table is to be: one by chance of those that take any."""
        taking = [part for part in self._parts.values() if part.place not in self._drained]
        answering = [part for part in taking if part.takes_new]
        return secrets.choice(answering or taking).place if taking else ""

    async def know(self, judge: Callable[[Mark | None], Judged]) -> Judged:
        """Return what `judge` makes of what the first database knows of the time; see `Store`.

        The others note the same for themselves, so that each takes a wrong time out of its tables.
        """
        found = await self._first.know(judge)
        await self._tell(lambda store: store.know(judge))
        return found

    async def timeline(self, place: str = "") -> Timeline:
        if not place:
            return await self._first.timeline()
        return await self._part(place).soon(lambda store: store.timeline())

    async def begin_timeline(self, since: str, place: str = "") -> Timeline:
        return await self._ask(place, lambda store: store.begin_timeline(since))

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        place = self._place_of(row.code)
        if not place:
            return await self._first.append(row, entries, lease)
        blocked = [one.event for one in entries if isinstance(one.event, Blocked)]
        if blocked:
            # Before it is acknowledged: nobody sits with somebody whom they have blocked.
            await self._first.do(lambda line: self._block(line, blocked))
        return await self._part(place).write(lambda store: store.append(row, entries, lease))

    def _block(self, connection: Connection, events: Sequence[Blocked]) -> None:
        for one in events:
            named = {"person": one.person, "blocked": one.blocked}
            self._first.rows.once(connection, db.blocks, **named)

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[Entry]:
        if not self._knows(code):
            return []
        return await self._ask(self._place_of(code), lambda store: store.read(code, after, most))

    async def done(self, code: str, client: str) -> int | None:
        if not self._knows(code):
            return None
        return await self._ask(self._place_of(code), lambda store: store.done(code, client))

    async def row(self, code: str) -> TableRow | None:
        if not self._knows(code):
            return None
        place = self._place_of(code)
        if not place:
            return await self._first.row(code)
        return await self._part(place).soon(lambda store: store.row(code))

    async def rewrite(self, code: str, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        await self._ask(self._place_of(code), lambda store: store.rewrite(code, entries, lease))

    async def retire(self, code: str, lease: Lease = UNOWNED) -> None:
        await self._ask(self._place_of(code), lambda store: store.retire(code, lease))
        if self._place_of(code):
            await self._rated.retire(code)

    async def listed(self, most: int) -> list[TableRow]:
        found = await self._some(lambda store: store.listed(most))
        return sorted(found, key=lambda row: -row.touched_at)[:most]

    async def past(self, lobby: int, begun: int) -> list[TableRow]:
        return await self._some(lambda store: store.past(lobby, begun))

    async def said(self, since: int, until: int) -> list[str]:
        return await self._all(lambda store: store.said(since, until))

    async def reports(self, most: int, since: int = 0) -> list[Report]:
        found = await self._some(lambda store: store.reports(most, since))
        return sorted(found, key=lambda one: (-one.at, one.code, -one.seq))[:most]

    async def tables_of(self, person: str) -> list[TableRow]:
        found = await self._some(lambda store: store.tables_of(person))
        return sorted(found, key=lambda row: -row.touched_at)

    async def traces_of(self, person: str) -> list[str]:
        return await self._all(lambda store: store.traces_of(person))

    async def forget(self, person: str, now: int) -> None:
        """Delete a person, and in other databases what is said of them; see `Store`.

        What a database that does not answer has of them, `forgotten` deletes.
        """
        await self._first.forget(person, now)
        await self._tell(lambda store: store.forget(person, now))

    async def unfinished(self) -> list[str]:
        return [*dict.fromkeys(await self._some(lambda store: store.unfinished()))]

    async def forgotten(self, person: str, wiped: Collection[str]) -> None:
        """Delete at which tables a person was, and overwrite it; the first database comes last.

        Raises:
            Partly: it is not done everywhere, so that the first one still says that they asked.
        """
        f = db.forgotten.c
        asked = select(f.at).where(f.person == person)
        at = await self._first.look(lambda line: line.scalar(asked))

        async def finish(store: SqlStore) -> None:
            if at is not None:
                await store.forget(person, at)
            await store.forgotten(person, wiped)

        if len(await self._tell(finish)) < len(self._parts):
            raise Partly("some databases do not forget yet", [])
        await self._first.forgotten(person, wiped)

    async def dropping(self, now: int) -> None:
        await self._first.dropping(now)
        await self._tell(lambda store: store.dropping(now))

    async def dropped(self) -> bool:
        here = await self._first.dropped()
        return all(await self._tell(lambda store: store.dropped())) and here

    async def compact(self, since: int) -> bool:
        here = await self._first.compact(since)
        return any(await self._tell(lambda store: store.compact(since), takes_long=True)) or here

    async def expire(self, since: int, now: int) -> bool:
        """Delete what has expired; see `Store`. Of people only the first database has any."""
        here = await self._first.expire(since, now)
        return any(await self._tell(lambda store: store.expire(since, now))) or here

    async def close(self) -> None:
        await asyncio.gather(self._first.close(), *(part.close() for part in self._parts.values()))

    def _knows(self, code: str) -> bool:
        return self._place_of(code) in self.places

    def _part(self, place: str) -> Part[SqlStore]:
        if place not in self._parts:
            raise StoreError(f"no database has tables whose codes end with {place}")
        return self._parts[place]

    async def _ask(self, place: str, what: Callable[[SqlStore], Awaitable[T]]) -> T:
        """Return what one database says."""
        return await (self._part(place).ask(what) if place else what(self._first))

    async def _all(self, what: Callable[[SqlStore], Awaitable[list[str]]]) -> list[str]:
        """Return all that all databases list; raise `Partly` where one does not answer."""

        async def asked(part: Part[SqlStore]) -> list[str]:
            await part.here()
            return await part.ask(what)

        answers = await asyncio.gather(*map(asked, self._parts.values()), return_exceptions=True)
        found, lost = await what(self._first), ""
        for answer in answers:
            if isinstance(answer, StoreError):
                lost = str(answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                found = [*found, *answer]
        if lost:
            raise Partly(lost, found)
        return found

    async def _some(self, what: Callable[[SqlStore], Awaitable[list[T]]]) -> list[T]:
        """Return all that the first database lists, and those others that answer soon."""
        asked = (part.glance(what) for part in self._parts.values())
        here, *others = await asyncio.gather(what(self._first), *asked)
        return sum((other or [] for other in others), list[T]()) + (here or [])

    async def _tell(
        self, what: Callable[[SqlStore], Awaitable[T]], *, takes_long: bool = False
    ) -> list[T]:
        """Return what the other databases say, but for those that do not answer."""

        async def told(part: Part[SqlStore]) -> T:
            await part.here()
            return await (part.ask(what) if takes_long else part.write(what))

        answers = await asyncio.gather(*map(told, self._parts.values()), return_exceptions=True)
        found = list[T]()
        for answer in answers:
            if isinstance(answer, StoreError):
                log.warning("left for later: %s", answer)
            elif isinstance(answer, BaseException):
                raise answer
            else:
                found.append(answer)
        return found

    async def _beside(self, person: str) -> Beside:
        return await self._some(lambda store: beside_in(store, person))

    async def _has(self, code: str) -> bool:
        return await self.row(code) is not None

    async def _gone(self, codes: Collection[str]) -> list[str]:
        """Return those of the codes of which there is no table, by the databases that answer."""
        found = list[str]()
        for place in self.places:
            asked = [code for code in codes if self._place_of(code) == place]
            with contextlib.suppress(StoreError):
                if place:
                    await self._parts[place].here()
                found += await self._ask(place, partial(without, codes=asked))
        return found
