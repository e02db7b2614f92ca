"""Evenings that this process has read: only what is new of a log is read again."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from rookery.evening.log.changes import KEPT, Claim
from rookery.evening.log.fold import EveningLog
from rookery.evening.log.told import evening_file, evening_told
from rookery.evening.movements.changes import begin
from rookery.evening.movements.state import EveningError, game_of
from rookery.rules import Rules
from rookery.server.store.people.sheets import SheetEntry, SheetFound, Sheets
from rookery.server.work import in_thread

MOST: Final = 32  # evenings that are kept in memory; each has up to a few MB


class Held:
    """An evening, folded so far.

    Attributes:
        rules: the games that are played.
        agree: whether two have to say the same score.
        name: what the evening is called.
        log: the evening.
        writers: the number of the first entry of each person who wrote.
        refused: what was written, by what the phone calls it, and could not be any more.
        known: what phones have called their entries.
        entries: how many of them there are.
    """

    def __init__(self, found: SheetFound) -> None:
        """Begin before the first entry."""
        body = json.loads(found.sheet.body)
        self.rules = [Rules.model_validate(one) for one in body["rules"]]
        self.agree, self.name = bool(body["agree"]), str(body["name"])
        games = [game_of(rules) for rules in self.rules]
        how = {key: body[key] for key in ("seed", "best_of", "boards")}
        evening = begin(body["movement"], len(body["people"]), games, **how)
        self.log = EveningLog(evening, body["people"], agree=self.agree)
        self.nameless = found.nameless
        self.writers: dict[str, int] = {}
        self.refused: dict[str, EveningError] = {}
        self.known: set[str] = set()
        self.entries = 0
        self._by: list[str] = []
        self._told: tuple[int, bytes] = (-1, b"")

    def by(self, entry: int) -> str:
        """Return what whoever wrote an entry was called; empty once they are forgotten."""
        return self._by[entry - 1]

    def take(self, entries: Sequence[SheetEntry]) -> None:
        """Take in what was written since then."""
        for one in entries:
            if one.number <= self.entries:
                continue
            change = KEPT.validate_json(one.body)
            try:
                self.log.take(one.number, one.id, change, one.writer)
            except EveningError as error:
                # Somebody else was first: it was possible when it was asked for.
                self.refused[one.id] = error
            else:
                if isinstance(change, Claim) and not one.person:
                    self.log.forget(change.person)
            self.known.add(one.id)
            self.writers.setdefault(one.person, one.writer)
            self._by.append(one.name)
            self.entries = one.number

    def told(self) -> bytes:
        """Return what the evening tells everybody, JSON."""
        if self._told[0] != self.entries:
            told = evening_told(self.log, self.name, self.by).model_dump_json()
            self._told = self.entries, told.encode()
        return self._told[1]

    def file(self) -> str:
        """Return the evening with all its rounds, JSON."""
        return evening_file(self.log, self.name, self.by).model_dump_json(indent=2)


class Evenings:
    """The evenings of a server that somebody has looked at lately."""

    def __init__(self, store: Sheets) -> None:
        """Read from `store`."""
        self._store = store
        self._held: OrderedDict[str, Held] = OrderedDict()

    async def of(self, found: SheetFound) -> Held:
        """Return an evening with all that is written."""
        code = found.sheet.code
        held = self._held.get(code)
        if held is None or held.nameless != found.nameless:  # whose names went is read anew
            held = await in_thread(Held, found)
        if held.entries < found.entries:
            await in_thread(held.take, await self._store.entries(code, held.entries))
        self._held[code] = held
        self._held.move_to_end(code)
        while len(self._held) > MOST:
            self._held.popitem(last=False)
        return held

    def drop(self, code: str) -> None:
        """Forget an evening that is deleted."""
        self._held.pop(code, None)
