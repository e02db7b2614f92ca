"""Who is rated, in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection


class MemoryRated:
    """The `Rated` of a store in memory."""

    def __init__(self, people: Callable[[], Collection[str]]) -> None:
        """Know who is known by `people`."""
        self._people = people
        self._held: dict[str, dict[str, int]] = {}

    async def of(self, code: str) -> dict[str, int]:
        """Return who is rated at a table; see `Rated`."""
        return dict(self._held.get(code, {}))

    async def switch(self, person: str, code: str, since: int | None) -> bool:
        """Rate a person at a table, or no more; see `Rated`."""
        if person not in self._people():
            return False
        held = self._held.setdefault(code, {})
        if since is None:
            held.pop(person, None)
        else:
            held.setdefault(person, since)
        return True

    def retire(self, code: str) -> None:
        """Delete what is kept of a table."""
        self._held.pop(code, None)

    def look(self) -> None:
        """Delete what is kept of those who are not known any more."""
        people = self._people()
        for held in self._held.values():
            for person in [one for one in held if one not in people]:
                del held[person]
