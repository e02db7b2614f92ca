"""Evenings that this process has read: only what is new of a log is read again."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from typing import Final
from weakref import WeakValueDictionary

from rookery.evening.log.changes import KEPT, Leave, Opened
from rookery.evening.log.names import Names, begun, first_names, take
from rookery.evening.log.told import RoundTold, TableTold, evening_file, evening_told, round_told
from rookery.evening.movements.state import EveningError
from rookery.fairness.evening import MOST_DEALS, EveningDeals
from rookery.rules import Rules
from rookery.server.api.evenings.care import Cares
from rookery.server.store.people.sheets import SheetEntry, SheetFound, Sheets
from rookery.server.table.events import EveningJoined
from rookery.server.table.state import Table
from rookery.server.work import in_thread

MOST: Final = 32  # evenings that are kept in memory; each has up to a few MB


class Held:
    """An evening, folded so far.

    Attributes:
        agree: whether two have to say the same score.
        key: that of the prepared deals that the server deals, in hexadecimal; None without any.
        writers: the number of the first entry of each person who wrote.
        refused: what was written, by what the phone calls it, and could not be any more.
        known: what phones have called their entries.
        wrote: how many entries each of `writers` has.
        sent: who was the first that each of them had leave.
        entries: how many of them there are.
        touched: when the last of those was written that were found with it, ms since 1970.
        places: where names stand.
        coming: codes of tables on screens that may still have to be made, which nobody is told.
    """

    def __init__(self, found: SheetFound) -> None:
        self.code, body = found.sheet.code, json.loads(found.sheet.body)
        self.rules = [Rules.model_validate(one) for one in body["rules"]]
        self.agree, self.name = bool(body["agree"]), str(body["name"])
        self.key = body.get("key")
        self.log = begun(body)
        self.places = Names(first_names(body))
        self.nameless = found.nameless
        self.writers: dict[str, int] = {}
        self.refused: dict[str, EveningError] = {}
        self.known: set[str] = set()
        self.wrote: Counter[int] = Counter()
        self.sent: dict[int, int] = {}
        self.entries = 0
        self.coming: set[str] = set()
        self.touched = -1
        self._by: list[str] = []
        self._told = [((-1, 0), b""), ((-1, 0), b"")]  # all of it, and veiled

    @property
    def tag(self) -> str:
        """Changes with what everybody is told of it."""
        return f"{self.entries}-{len(self.coming)}-{self.nameless}"

    def by(self, entry: int) -> str:
        """Return what whoever wrote an entry was called; empty once they are forgotten."""
        return self._by[entry - 1]

    def goes_on_to(self, found: SheetFound) -> bool:
        """Return whether it begins what was found, and no name has gone."""
        if self.nameless != found.nameless or self.entries > found.entries:
            return False
        return self.entries < found.entries or self.touched == found.sheet.touched

    def take(self, entries: Sequence[SheetEntry], touched: int) -> None:
        """Take in what was written since then; the last that was found with it, at `touched`."""
        self.touched = touched
        # Where whoever wanted it has gone, a thread may still take in what the next one reads.
        for one in [one for one in entries if one.number > self.entries]:
            change = KEPT.validate_json(one.body)
            if isinstance(change, Opened):
                self.coming.add(change.code)  # it is written down before the table is made
            try:
                over = None if one.person else one.over
                take(self.log, self.places, one.number, one.id, change, one.writer, over)
            except EveningError as error:
                # Somebody else was first: it was possible when it was asked for.
                self.refused[one.id] = error
                if isinstance(change, Opened):
                    self.coming.discard(change.code)
            if isinstance(change, Leave):
                self.sent.setdefault(one.writer, change.person)
            self.known.add(one.id)
            self.wrote[one.writer] += 1
            self.writers.setdefault(one.person, one.writer)
            self._by.append(one.name)
            self.entries = one.number

    def told(self, *, veiled: bool = False) -> bytes:
        """Return what the evening tells, JSON; `veiled` without scores of prepared deals."""
        known = self.entries, len(self.coming)
        if self._told[veiled][0] != known:
            deals = self.deals()
            told = evening_told(self.log, self.name, self.by, veiled=veiled, deals=deals)
            if told.round is not None:
                told = told.model_copy(update={"round": self._made(told.round)})
            self._told[veiled] = known, told.model_dump_json().encode()
        return self._told[veiled][1]

    def round(self, number: int, *, veiled: bool = False) -> RoundTold:
        """Return a round that has begun; `veiled` without scores of prepared deals."""
        return self._made(round_told(self.log, number, self.by, veiled=veiled))

    def made(self, table: TableTold) -> TableTold:
        """Return a table as it is told, without its code if it may still have to be made."""
        return table.model_copy(update={"code": None}) if table.code in self.coming else table

    def _made(self, round_: RoundTold) -> RoundTold:
        return round_.model_copy(update={"tables": list(map(self.made, round_.tables))})

    def file(self) -> str:
        """Return the evening with all its rounds, JSON."""
        return evening_file(self.log, self.name, self.by, self.deals()).model_dump_json(indent=2)

    def deals(self) -> EveningDeals | None:
        """Return the prepared deals that the server deals; None without any."""
        if self.key is None:
            return None
        return EveningDeals(self.rules[0], self.code, MOST_DEALS, bytes.fromhex(self.key))

    def person(self, number: int) -> str | None:
        """Return the id of whoever has said that they are this person; None for nobody."""
        by = self.log.phones.of.get(number)
        return next((who for who, writer in self.writers.items() if writer == by and who), None)

    def said_elsewhere(self, person: int, round_: int, table: int) -> bool:
        """Return whether somebody's phone has said what another table scored in a round."""
        writer = self.log.phones.of.get(person)
        numbers = {one.number for one in self.log.evening.rounds[round_ - 1].tables} - {table}
        return any(one.writer == writer for at in numbers for one in self.log.written(round_, at))

    def had_another_leave(self, person: int) -> bool:
        """Return whether the phone of a person has had somebody else leave."""
        return self.sent.get(self.log.phones.of.get(person, 0), person) != person

    def number_of(self, who: str) -> int | None:
        """Return the number of the person whom somebody, by id, says they are; None for nobody."""
        writer = self.writers.get(who)
        return next((number for number, by in self.log.phones.of.items() if by == writer), None)


class Evenings:
    """The evenings that somebody has looked at lately, and the `cares` for those on screens."""

    def __init__(self, store: Sheets, since: Callable[[], int] = lambda: 0) -> None:
        """Know those of a store: all on which somebody wrote later than `since` returns."""
        self._store, self._since = store, since
        self.cares = Cares()
        self._held: OrderedDict[str, Held] = OrderedDict()
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def of(self, found: SheetFound) -> Held:
        """Return an evening with all that was written when it was found, or more."""
        # One at a time: what others have read meanwhile, nobody reads again.
        async with self._reading.setdefault(found.sheet.code, asyncio.Lock()):
            return await self._read(found)

    async def _read(self, found: SheetFound) -> Held:
        code = found.sheet.code
        held = self._held.get(code)
        if held is not None and held.entries > found.entries:
            # Somebody else has read more meanwhile; or a backup was restored, which has less.
            found = await self._store.of(code, 0) or found
        if held is not None and not held.goes_on_to(found):
            held = None
        after, there = 0 if held is None else held.entries, list[SheetEntry]()
        if after < found.entries:
            log = await self._store.entries(code, after)
            there = [one for one in log if one.number <= found.entries]
        if held is None or there:
            # All at once: who asks for many evenings has to pay for each before the next is begun.
            held = await in_thread(_folded, held, found, there)
        self._held[code] = held
        self._held.move_to_end(code)
        while len(self._held) > MOST:
            self._held.popitem(last=False)
        return held

    async def at(self, code: str) -> Held | None:
        """Return the evening of a code, with all that was written; None where there is none."""
        found = await self._store.of(code, 0)
        return None if found is None else await self.of(found)

    async def seat_of(self, joined: EveningJoined, person: str) -> int | None:
        """Return the seat that an evening has given a person, by id, at a table of it, if any."""
        held = await self.at(joined.evening)
        number = None if held is None else held.number_of(person)
        if held is None or number is None:
            return None
        try:
            seats = held.log.evening.table(joined.round, joined.table).seats
        except EveningError:  # the round has been undone
            return None
        return seats.index(number) if number in seats else None

    async def hides(self, table: Table) -> bool:
        """Return whether others may still play the deals of a table, so that it shows no card."""
        joined = table.evening
        if joined is None or not joined.deals:
            return False
        held = await self.at(joined.evening)
        if held is None:  # it was deleted, maybe while they play; or it went by itself, long after
            return table.moved_at > self._since()
        return not held.log.is_open

    async def shows(self, table: Table, person: str) -> bool:
        """Return whether somebody, by id, may look on at a table: anybody, or who sits there.

        Anybody may say that they are somebody who sits there. So of a table that is done they see
        its last deal only if they said so before it told what it scored.
        """
        joined = table.evening
        if joined is None or not joined.deals or table.seat_of(person) is not None:
            return True
        if await self.seat_of(joined, person) is None:
            return not await self.hides(table)
        held = await self.at(joined.evening)
        if held is None or table.phase != "over":
            return True
        said = next((one.number for one in held.log.written(joined.round, joined.table)), 0)
        number = held.number_of(person)
        early = number is not None and held.log.phones.entry[number] < said
        return not said or early or not await self.hides(table)

    def drop(self, code: str) -> None:
        """Forget an evening that is deleted."""
        self._held.pop(code, None)


def _folded(held: Held | None, found: SheetFound, entries: Sequence[SheetEntry]) -> Held:
    """Return an evening, which is `held` or begins, with these entries."""
    held = held or Held(found)
    held.take(entries, found.sheet.touched)
    return held
