"""Which table of strangers somebody is shown to: one where people wait, or a new one of their own.

Nobody is seated here. The person sits down by the socket of the table, which looks again: somebody
else may have been quicker, or one of them may have blocked the other since.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from typing import Final, NamedTuple

from rookery.rules import OPTIONS, Rules
from rookery.server.registry.history import TableReader
from rookery.server.registry.listing import LONGEST, Lobby, passing_over
from rookery.server.table import seating
from rookery.server.table.chairs import Chair
from rookery.server.table.commands import Sit
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Table, Who

OWN: Final = 8  # of the tables where somebody has sat, the latest are looked at
_ASKED: Final = Sit(id="matched", wait=True, matched=True)


# Refusals that are none: with another name, or when the hand is over, they sit down.
_SOON: Final = ("already-seated", "name-taken", "hand-under-way")


class Found(NamedTuple):
    """A table for somebody who would play with strangers.

    Attributes:
        people: how many others are there, with a seat.
        seated: whether the person has a seat there already.
    """

    table: Table
    people: int
    seated: bool


class Strangers:
    """Finds tables for people who would play with strangers.

    Attributes:
        line: is held by whoever looks for a table and then makes one: so the next one finds it.
    """

    def __init__(self, tables: TableReader, lobby: Lobby) -> None:
        """Look among all tables of a server, and at those of others that the lobby lists."""
        self._tables, self._lobby = tables, lobby
        self.line = asyncio.Lock()

    async def elsewhere(self) -> list[Table]:
        """Return the open tables that other servers have, as they were a moment ago."""
        if not self._tables.leases.shared:
            return []
        return [table for table, awake in await self._lobby.found() if awake]

    async def find(
        self, who: Who, rules: Rules | None, but: Collection[str], elsewhere: Iterable[Table] = ()
    ) -> Found | None:
        """Return the open table for somebody where most people wait, none of those in `but`.

        One where the person sits with others comes first, then one before its match, then one
        where bots play on free seats. Where there is none, it is a table at which the person waits
        alone. With `rules`, only what is played by the same options counts.
        """
        tables = self._tables
        here = [actor.table for actor in tables.actors if not actor.gone]
        others = [one for one in elsewhere if not tables.is_awake(one.code)]
        fits = [one for one in (*here, *others) if one.open and one.code not in but]
        fits = [one for one in fits if one.phase != "over" and _alike(one.rules, rules)]
        company = {one.code: people_here(one, who.id) for one in fits}
        fits = [one for one in fits if company[one.code] and _seat_for(one, who)]
        best = sorted(fits, key=lambda one: _order(one, who, company[one.code]))[:LONGEST]
        apart = await tables.store.apart(who.id, _people(best, who.id))
        for one in best:
            if apart & _people([one], who.id):
                continue
            # Where no server has it any more, nobody is there.
            is_there = tables.is_awake(one.code)
            with passing_over(one.code):
                is_there = is_there or await tables.leases.elsewhere(one.code)
            if is_there:
                return Found(one, company[one.code], one.seat_of(who.id) is not None)
        return await self._own(who, rules, but)

    async def _own(self, who: Who, rules: Rules | None, but: Collection[str]) -> Found | None:
        """Return the open table where somebody waits alone, asleep or not."""
        for row in (await self._tables.tables_of(who.id))[:OWN]:
            if row.code in but or not row.open or row.phase == "over":
                continue
            table = None
            with passing_over(row.code):
                table = await self._tables.table(row.code)
            if table is None or table.seat_of(who.id) is None or not _alike(table.rules, rules):
                continue
            others = await self._tables.store.apart(who.id, _people([table], who.id))
            if not others and any(chair.free for chair in table.chairs):
                return Found(table, people_here(table, who.id), seated=True)
        return None


def people_here(table: Table, but: str | None = None) -> int:
    """Return how many people sit at a table and are connected, without one of them."""
    return sum(chair.here and chair.person != but for chair in table.chairs)


def _order(table: Table, who: Who, people: int) -> tuple[bool, bool, int, int]:
    """Return what puts tables in order, the best first."""
    strange = table.seat_of(who.id) is None
    return strange, table.phase != "lobby", -people, table.made_at


def _alike(rules: Rules, wanted: Rules | None) -> bool:
    """Return whether rules are those that are wanted, whatever both are called."""
    return wanted is None or all(getattr(rules, key) == getattr(wanted, key) for key in OPTIONS)


def _seat_for(table: Table, who: Who) -> bool:
    """Return whether somebody sits at a table, or may sit down there, if only after a hand."""
    unwanted = table.silenced.get(who.id) == "away" or who.id in table.removed
    if unwanted or not any(chair.free for chair in table.chairs):
        return False
    outcome = seating.sit(table, who, _ASKED)
    return not isinstance(outcome, Refused) or outcome.code in _SOON


def _people(tables: Iterable[Table], but: str) -> set[str]:
    chairs: Iterable[Chair] = (chair for table in tables for chair in table.chairs)
    return {chair.person for chair in chairs if chair.person is not None} - {but}
