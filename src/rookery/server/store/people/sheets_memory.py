"""Score sheets in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection

from rookery.server.store.people.sheets import SheetEntry, SheetFound, SheetRow


class MemorySheets:
    """The `Sheets` of a store in memory."""

    def __init__(self, people: Callable[[], Collection[str]]) -> None:
        """Know who there is by `people`."""
        self._people = people
        self._held: dict[str, tuple[SheetRow, list[SheetEntry]]] = {}

    async def add(self, sheet: SheetRow) -> bool:
        """Store a new sheet; see `Sheets`."""
        if sheet.person not in self._people() or sheet.code in self._held:
            return False
        self._held[sheet.code] = sheet, []
        return True

    async def of(self, code: str, since: int) -> SheetFound | None:
        """Return the sheet of a code; see `Sheets`."""
        if code not in self._held or self._held[code][0].touched <= since:
            return None
        sheet, entries = self._held[code]
        return SheetFound(sheet, len(entries), sum(not one.person for one in entries))

    async def entries(self, code: str, after: int = 0) -> list[SheetEntry]:
        """Return what was written on a sheet; see `Sheets`."""
        return self._held[code][1][after:] if code in self._held else []

    async def write(self, code: str, entry: SheetEntry, now: int, most: int) -> int | None:
        """Store an entry under the next number; see `Sheets`."""
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
        return number

    async def drop(self, code: str, person: str, also: str = "") -> bool:
        """Delete a sheet of a person; see `Sheets`."""
        if code not in self._held or self._held[code][0].person != person:
            return False
        del self._held[code]
        for sheet, _ in [*self._held.values()] if also else []:
            if sheet.person == person and sheet.body.startswith(also):
                del self._held[sheet.code]
        return True

    async def expire(self, since: int) -> bool:
        """Delete sheets that nobody wrote on later than `since`; see `Sheets`."""
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
