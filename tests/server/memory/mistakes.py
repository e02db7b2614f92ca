"""Mistakes in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from rookery.server.store.people.mistakes import MOST, Mistake


class MemoryMistakes:
    """The `Mistakes` of a store in memory."""

    def __init__(self, holders: Callable[[], Collection[str]]) -> None:
        """Know who has a passkey by `holders`."""
        self._holders = holders
        self._held: dict[str, dict[tuple[str, int, int], Mistake]] = {}

    async def of(self, person: str) -> list[Mistake] | None:
        if person not in self._holders():
            return None
        return sorted(self._held.get(person, {}).values())

    async def keep(self, person: str, mistakes: Sequence[Mistake]) -> bool:
        if person not in self._holders():
            return False
        held = self._held.setdefault(person, {})
        for one in mistakes:
            if one[:3] not in held or held[one[:3]].changed < one.changed:
                held[one[:3]] = one
        latest = sorted(held.values(), key=lambda one: (-one.changed, one))[:MOST]
        self._held[person] = {one[:3]: one for one in latest}
        return True

    async def expire(self, since: int) -> bool:
        before = sum(map(len, self._held.values()))
        for person, held in self._held.items():
            self._held[person] = {key: one for key, one in held.items() if one.changed > since}
        return sum(map(len, self._held.values())) < before

    def look(self) -> None:
        """Delete the mistakes of those who have no passkey any more."""
        holders = self._holders()
        self._held = {person: held for person, held in self._held.items() if person in holders}
