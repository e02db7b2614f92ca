"""Who is rated, in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection

from rookery.server.store.people.rated import Played, Stranger, Strangers


class MemoryRated:
    """The `Rated` of a store in memory."""

    def __init__(
        self, people: Callable[[], Collection[str]], tables: Callable[[], Collection[str]]
    ) -> None:
        """Know who is known by `people`, and which tables there are by `tables`."""
        self._people, self._tables = people, tables
        self._held: dict[str, dict[str, int]] = {}
        self._strangers: dict[str, dict[str, Stranger]] = {}
        self._counted: set[tuple[str, int]] = set()

    async def of(self, code: str) -> dict[str, int]:
        return dict(self._held.get(code, {}))

    async def switch(self, person: str, code: str, since: int | None) -> bool:
        if person not in self._people():
            return False
        held = self._held.setdefault(code, {})
        if since is None:
            held.pop(person, None)
        else:
            held.setdefault(person, since)
        return True

    async def strangers(self, people: Collection[str]) -> dict[str, dict[str, Stranger]]:
        return {who: dict(self._strangers[who]) for who in people if who in self._strangers}

    async def meet(self, person: str, new: Strangers | None) -> bool:
        if person not in self._people():
            return False
        if new is None:
            self._strangers.pop(person, None)
        else:
            self._strangers.setdefault(person, dict(new))
        return True

    async def count(self, match: Played, work: Callable[[Strangers], Strangers]) -> bool:
        key = match.code, match.number
        if key in self._counted or match.code not in self._tables():
            return False
        known = {who: self._strangers[who] for who in match.people if who in self._strangers}
        before = {who: rows[match.family] for who, rows in known.items()}
        for who, row in work({w: r for w, r in before.items() if r.since <= match.begun}).items():
            self._strangers[who][match.family] = row
        self._counted.add(key)
        return True

    async def expire(self) -> bool:
        kept = {code for code, people in self._held.items() if people}
        gone = (kept | {code for code, _ in self._counted}).difference(self._tables())
        for code in gone:
            self.retire(code)
        return bool(gone)

    def retire(self, code: str) -> None:
        """Delete what is kept of a table."""
        self._held.pop(code, None)
        self._counted = {one for one in self._counted if one[0] != code}

    def look(self) -> None:
        """Delete what is kept of those who are not known any more."""
        people = self._people()
        for held in self._held.values():
            for person in [one for one in held if one not in people]:
                del held[person]
        self._strangers = {who: one for who, one in self._strangers.items() if who in people}
