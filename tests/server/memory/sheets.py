"""Score sheets in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from rookery.server.store.people.sheets import (
    CLAIM,
    NOTHING,
    Rewrite,
    SheetEntry,
    SheetFound,
    SheetRow,
)


class MemorySheets:
    """The `Sheets` of a store in memory."""

    def __init__(self, people: Callable[[], Collection[str]]) -> None:
        """Know who there is by `people`."""
        self._people = people
        self._held: dict[str, tuple[SheetRow, list[SheetEntry]]] = {}

    async def add(self, sheet: SheetRow) -> bool:
        if sheet.person not in self._people() or sheet.code in self._held:
            return False
        self._held[sheet.code] = sheet, []
        return True

    async def of(self, code: str, since: int) -> SheetFound | None:
        if code not in self._held or self._held[code][0].touched <= since:
            return None
        sheet, entries = self._held[code]
        nameless = [one for one in entries if not one.person]
        wiped = sum(one.over > 0 and one.body.startswith(CLAIM) for one in nameless)
        return SheetFound(sheet, len(entries), len(nameless) + wiped)

    async def entries(self, code: str, after: int = 0) -> list[SheetEntry]:
        return self._held[code][1][after:] if code in self._held else []

    async def write(
        self,
        code: str,
        entry: SheetEntry,
        now: int,
        most: int,
        anew: Mapping[int, Rewrite] = NOTHING,
    ) -> int | None:
        if code not in self._held or entry.person not in self._people():
            return None
        sheet, entries = self._held[code]
        before = next((one.number for one in entries if one.id == entry.id), None)
        if before is not None:
            return before
        number = len(entries) + 1
        if number > most:
            return 0
        own = (one.writer for one in entries if one.person == entry.person)
        entries.append(entry._replace(number=number, writer=next(own, number)))
        self._held[code] = sheet._replace(touched=now), entries
        self._rewrite(code, anew)
        return number

    def _rewrite(self, code: str, anew: Mapping[int, Rewrite]) -> None:
        sheet, entries = self._held[code]
        for number, change in anew.items():
            if number:
                entries[number - 1] = entries[number - 1]._replace(
                    body=change(entries[number - 1].body)
                )
            else:
                self._held[code] = sheet._replace(body=change(sheet.body)), entries

    async def unwiped(self) -> list[str]:
        return [
            code
            for code, (_, entries) in self._held.items()
            if any(not (one.person or one.over) and one.body.startswith(CLAIM) for one in entries)
        ]

    async def wipe(
        self, code: str, anew: Mapping[int, Rewrite], claims: Collection[int], until: int
    ) -> None:
        if code in self._held:
            self._rewrite(code, anew)
            entries = self._held[code][1]
            for number in claims:
                entries[number - 1] = entries[number - 1]._replace(over=until)

    async def drop(self, code: str, person: str, also: str = "") -> bool:
        if code not in self._held or self._held[code][0].person != person:
            return False
        del self._held[code]
        for sheet, _ in [*self._held.values()] if also else []:
            if sheet.person == person and sheet.body.startswith(also):
                del self._held[sheet.code]
        return True

    async def expire(self, since: int) -> bool:
        before = len(self._held)
        self._held = {key: one for key, one in self._held.items() if one[0].touched > since}
        return len(self._held) < before

    def keep(self, people: Collection[str]) -> None:
        """Delete the sheets of all but these people, and the names of all but these."""
        held = [(sheet, log) for sheet, log in self._held.values() if sheet.person in people]
        self._held = {
            sheet.code: (
                sheet,
                [one if one.person in people else one._replace(person="", name="") for one in log],
            )
            for sheet, log in held
        }
