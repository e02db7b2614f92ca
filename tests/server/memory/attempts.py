"""The attempts at daily deals in memory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping

from rookery.server.store.people.attempts import Attempt, Friend, by_name
from rookery.server.table.state import Who


class MemoryAttempts:
    """The `Attempts` of a store in memory."""

    def __init__(
        self,
        people: Callable[[], Mapping[str, Who]],
        beside: Callable[[str], Awaitable[Mapping[str, int]]],
    ) -> None:
        """Know who there is by `people`, and by `beside` at how many tables others sat with one."""
        self._people, self._beside = people, beside
        self._held: dict[tuple[str, str, int], Attempt] = {}

    async def of(self, person: str, deals: Collection[str]) -> list[Attempt]:
        own = (one for one in self._held.values() if one.person == person and one.deal in deals)
        return sorted(own, key=_key)

    async def lost(self, person: str, since: str, deals: Collection[str]) -> set[tuple[str, str]]:
        own = (one for one in self._held.values() if one.person == person and one.day >= since)
        return {(one.day, one.family) for one in own if one.deal not in deals}

    async def friends(self, person: str, deal: str, most: int) -> list[Friend]:
        people, beside = self._people(), await self._beside(person)
        found: list[Friend] = []
        for other in sorted(beside, key=lambda one: (-beside[one], one)):
            attempt = self._held.get((other, deal, 1))
            if attempt is not None and attempt.ended and other in people:
                found.append(Friend(people[other].name, attempt))
        return sorted(found[:most], key=by_name)

    async def begin(self, attempt: Attempt) -> bool:
        if attempt.person not in self._people() or _key(attempt) in self._held:
            return False
        self._held[_key(attempt)] = attempt
        return True

    async def go_on(self, before: Attempt, after: Attempt) -> bool:
        if self._held.get(_key(before)) != before:
            return False
        self._held[_key(before)] = after
        return True

    async def expire(self, since: int) -> bool:
        before = len(self._held)
        self._held = {key: one for key, one in self._held.items() if one.begun > since}
        return len(self._held) < before

    def keep(self, people: Collection[str]) -> None:
        """Delete the attempts of all but these people."""
        self._held = {key: one for key, one in self._held.items() if one.person in people}


def _key(attempt: Attempt) -> tuple[str, str, int]:
    return attempt.person, attempt.deal, attempt.number
