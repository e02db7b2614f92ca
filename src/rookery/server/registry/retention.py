"""What is taken away: tables, names and words whose time is up, and people who ask to be forgotten.

How long each is kept stands in `Settings`; docs/reference/privacy.md says it to players. Nobody
finds it any more some days before, see `calendar`. One of the servers takes it away, at every
sweep. What cannot go now, because somebody is at the table, goes later.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Iterable
from functools import partial, reduce
from typing import TYPE_CHECKING, Final, Protocol

from rookery.server import names
from rookery.server.cluster.pubsub import Changed, Gone
from rookery.server.registry.calendar import hushed
from rookery.server.registry.history import PIECE, TableReader
from rookery.server.registry.listing import passing_over
from rookery.server.settings import DAY
from rookery.server.store.base import Partly, StoreError, Unreadable, row_of
from rookery.server.store.leases import Elsewhere, Lease
from rookery.server.table import events as ev
from rookery.server.table import seating
from rookery.server.table.fold import evolve
from rookery.server.table.state import Table
from rookery.server.work import ACCOUNT, AT_WORK, in_one_of

if TYPE_CHECKING:
    from rookery.server.registry.wiping import Wiping

log = logging.getLogger(__name__)

HOUR: Final = 3_600_000
HEARD: Final = 16_384  # people of whom it is known that they asked another server, in an hour


class Wipe(Protocol):
    """What wipes a table; one in memory is given to it as it is."""

    def __call__(self, lease: Lease, awake: Table | None = None) -> Awaitable[Table]:
        """Return the table as it is then."""


class Retention:
    """Takes away what is past its time, and what is left of people who ask for that."""

    def __init__(self, tables: TableReader) -> None:
        self._tables, self._store, self._settings = tables, tables.store, tables.settings
        self._people_at = 0  # when people are looked at next
        self._chat_at = 0
        self._hushed_to = 0  # chat until then is deleted already
        self._wiped_at = dict[str, set[str]]()  # where people are forgotten, and not everywhere yet
        self._noted = False  # whether the store knows that this sweep has dropped something
        self._clean = True  # whether nothing that was dropped stands in the store's log
        self._heard: dict[str, asyncio.Task[None]] = {}  # who has asked another server

    async def sweep(self) -> None:
        """Take away what is past its time."""
        self._noted, now = False, self._tables.clock.now()
        if not self._tables.calendar.doubt:
            await self._expire(self._tables.calendar.gone_by(), now)
        await self._tidy(now)

    async def _expire(self, gone: int, now: int) -> None:
        settings = self._settings
        for row in await self._store.past(gone - settings.keep_lobby, gone - settings.keep_table):
            with passing_over(row.code):  # what its database does not take now goes later
                async with self._tables.lock(row.code):
                    await self._retire(row.code, gone, now)
        running = self._tables.clock.running()
        if running >= self._chat_at:
            self._chat_at = running + HOUR
            await self._hush(gone - settings.keep_chat, now)
        if running >= self._people_at:
            self._people_at = running + HOUR
            self._wiped_at.clear()  # something may have come there since
            if await self._store.expire(gone - settings.keep_person, gone):
                self._clean = False
            played = gone - settings.keep_table
            gone_too = (
                await self._store.attempts.expire(played),
                await self._store.mistakes.expire(played),
                await self._store.sheets.expire(gone - settings.keep_sheet),
                await self._store.rated.expire(),
            )
            if any(gone_too):
                await self._note(now)

    async def forget(self, person: str, also: Iterable[str] = ()) -> None:
        """Take a person's seats, name and words from every table and from the store.

        Nobody else is disconnected: whoever is at one of the tables is sent it anew. A table that
        another server has is for that server to do, see `heard`. Should this process not live
        to the end of it, a later `sweep` goes on. The tables `also` are those where the person was
        connected just now, and may have said something that the store does not know yet.
        """
        # Imported late: a start loads only what a page needs.
        from rookery.server.registry.nameless import wipe_names

        await self._store.forget(person, self._tables.clock.now())
        self._tables.pubsub.publish(Gone(person))  # not before: whoever hears it asks the store
        await self.wipe(person, also)
        await wipe_names(self._store)

    async def wipe(self, person: str, also: Iterable[str] = ()) -> None:
        """Go on with what `forget` has begun, at the tables that no other server has."""
        (traces, done), account = await self._traces(person), ACCOUNT.get()
        wiped = self._wiped_at.get(person, set())
        before = wiped.difference(also)
        for code in {*also, *traces} - before:
            # Long tables take long. What is not done now is done by the next sweep.
            if account is not None and not await account.turn():
                return
            try:
                if await self._wiped_whole(code, person):
                    wiped.add(code)
                else:
                    done = False
            except Unreadable as error:
                log.warning("not wiped: %s", error)
                done = False  # a version may come that reads it
            except StoreError:
                if names.place_of(code) not in self._store.places[1:]:
                    raise
                done = False  # its database may be lost; those of other tables are not
        if done and before:  # something on its way may have come there since
            wiped.clear()
            await self.wipe(person)
        elif done:
            with contextlib.suppress(Partly):
                await self._store.forgotten(person, wiped)

    async def _traces(self, person: str) -> tuple[list[str], bool]:
        """Return the tables with something of a person's, and whether all databases answered."""
        try:
            return await self._store.traces_of(person), True
        except Partly as error:
            return error.found, False

    async def _wiped_whole(self, code: str, person: str) -> bool:
        """Have a table wiped; return whether nothing of the person's is left there."""
        async with self._tables.lock(code):
            wiped = await self._wiped(code, partial(self._wipe, code, person))
        if wiped:
            return True
        return not (await self._read(code, person)).words

    def heard(self, person: str) -> None:
        """Forget a person at the tables in memory here, who has asked another server; once."""
        if person in self._heard:
            return
        self._heard[person] = asyncio.create_task(self._wipe_heard(person))
        if len(self._heard) > HEARD:
            del self._heard[next(iter(self._heard))]

    async def catch_up(self) -> None:
        """Forget at the tables in memory here whoever asked another server and is still there."""
        for person in await self._store.unfinished():
            await self._wipe_awake(person)

    async def _wipe_heard(self, person: str) -> None:
        with contextlib.suppress(StoreError):  # the next sweep does it
            await self._wipe_awake(person)

    async def _wipe_awake(self, person: str) -> None:
        traces, _ = await self._traces(person)
        for code in traces:
            if self._tables.is_awake(code):
                with passing_over(code):
                    async with self._tables.lock(code):
                        await self._tables.rewritten(code, partial(self._wipe, code, person))

    async def _wiped(self, code: str, wipe: Wipe) -> bool:
        """Have a table wiped, awake or asleep; return False where another server has it."""
        if await self._tables.rewritten(code, wipe):
            return True
        lease = await self._tables.leases.take(code)
        if isinstance(lease, Lease):
            try:
                await wipe(lease)
            finally:  # another server may be able to read it
                await self._tables.leases.give_back(code, lease)
        return not isinstance(lease, Elsewhere)

    async def _wipe(
        self, code: str, person: str, lease: Lease, awake: Table | None = None
    ) -> Table:
        """Give up the person's seat, then wipe a table; return it, without cards if it sleeps."""
        wiping, used = await self._read(code, person), None
        if awake is None:
            row = await self._store.row(code)
            awake = wiping.told(row.phase if row is not None else "lobby")
            used = row and row.touched_at  # nobody was there: what is hidden stays hidden
        left, table = await self._leave(awake, person, lease, used)
        wiping.take(left)
        await self._store.rewrite(code, list(wiping.words.values()), lease)
        self._tables.recall(code)
        self._tables.pubsub.publish(Changed(code, lease, wiping.seq))
        return wiping.of(table)

    async def _read(self, code: str, person: str) -> Wiping:
        """Return what is a person's at a table, read in pieces: others have their turn between."""
        # Imported late: a start loads only what a page needs.
        from rookery.server.registry.wiping import Wiping

        wiping, entries, more = Wiping(person), list[ev.Entry](), True
        while more:
            after = entries[-1].seq if entries else wiping.seq
            piece = await self._store.read(code, after, PIECE)
            entries, more = entries + piece, len(piece) == PIECE
            if wiping.seq or not more or any(isinstance(one.event, ev.Sat) for one in piece):
                await in_one_of(AT_WORK, partial(wiping.take, entries))
                entries = []
        return wiping

    async def _leave(
        self, table: Table, person: str, lease: Lease, used: int | None
    ) -> tuple[list[ev.Entry], Table]:
        """Give up the seat of a person at a table; return the new entries, and the table then.

        `used` is when the table counts as last used, None for now.
        """
        seat = table.seat_of(person)
        if seat is None:
            return [], table
        now = self._tables.clock.now()
        events = seating.leave(table, seat, table.bot or self._settings.default_bot)
        left = ev.entered(events, table.seq + 1, now)
        table = reduce(evolve, left, table)
        await self._store.append(row_of(table, now if used is None else used), left, lease)
        return left, table

    async def _retire(self, code: str, gone: int, now: int) -> None:
        # Somebody may have come since the list was read.
        row = await self._store.row(code)
        if row is None or self._tables.is_awake(code):
            return
        settings = self._settings
        kept = settings.keep_lobby if row.phase == "lobby" else settings.keep_table
        if gone - row.touched_at < kept:
            return
        lease = await self._tables.leases.take(code)
        if isinstance(lease, Lease):
            self._tables.recall(code)
            await self._note(now)
            await self._store.retire(code, lease)
            self._tables.tally.count("cleared", "table")

    async def _hush(self, until: int, now: int) -> None:
        """Delete the chat of tables until then, where nobody is connected now."""
        missed = False
        if until < self._hushed_to:  # the time has gone back
            self._hushed_to = 0
        try:
            said = await self._store.said(self._hushed_to, until)
        except Partly as error:
            said, missed = error.found, True
        for code in said:
            is_done = False
            with passing_over(code):
                async with self._tables.lock(code):
                    is_done = await self._hush_asleep(code, until, now)
            missed = missed or not is_done
        if not missed:
            self._hushed_to = until

    async def _hush_asleep(self, code: str, until: int, now: int) -> bool:
        """Delete the chat of a table until then; return whether that was done."""
        awake = self._tables.is_awake(code)
        lease = None if awake else await self._tables.leases.take(code)
        if not isinstance(lease, Lease):
            return False
        try:
            entries = await self._store.read(code)
            after = await in_one_of(AT_WORK, partial(hushed, entries, until))
            self._tables.recall(code)
            await self._note(now)
            await self._store.rewrite(code, after, lease)
        except Unreadable as error:
            log.warning("not hushed: %s", error)
            return False  # a version may come that reads it
        finally:
            await self._tables.leases.give_back(code, lease)
        self._tables.tally.count("cleared", "chat", len(after))
        return True

    async def _note(self, now: int) -> None:
        # Should this process not live to the end, the next one knows.
        if not self._noted:
            await self._store.dropping(now)
            self._noted, self._clean = True, False

    async def _tidy(self, now: int) -> None:
        """Leave no trace of what was dropped: when nobody plays, or after a day more at most."""
        from rookery.server.registry.nameless import wipe_names

        if await wipe_names(self._store):
            await self._note(now)
        unfinished = await self._store.unfinished()
        self._wiped_at = {one: self._wiped_at.get(one, set()) for one in unfinished}
        for person in unfinished:
            await self.wipe(person)
        if not self._clean:
            self._clean = await self._store.dropped()
        await self._store.compact(now - DAY if self._tables.actors else now)
