"""Attempts at daily deals: what each person, and the bots beside them, did one after the other.

An attempt belongs to a deal by the deal's commitment. So one at a deal that is no more, because the
server's secret was lost, is never taken for one at the deal that has come in its place.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Protocol


class Attempt(NamedTuple):
    """One attempt.

    Attributes:
        person: whose it is.
        deal: the commitment of the deal, hexadecimal.
        number: which attempt of the person at that deal it is, from 1.
        day: the day of the deal, by UTC, as 2026-11-23.
        family: for which rules the deal is.
        actions: what was done so far, by everybody at the table, as a record writes it.
        begun: when it began, milliseconds since 1970.
        ended: when the hand was over; 0 while it is under way.
    """

    person: str
    deal: str
    number: int
    day: str
    family: str
    actions: tuple[str, ...]
    begun: int
    ended: int = 0


class Friend(NamedTuple):
    """Somebody with whom a person has sat at a table, by name, and their first attempt."""

    name: str
    attempt: Attempt


def by_name(friend: Friend) -> tuple[str, str]:
    """Return a key that sorts friends by name."""
    return friend.name.lower(), friend.attempt.person


class Attempts(Protocol):
    """The attempts in a store; every method returns when its changes are durable."""

    async def of(self, person: str, deals: Collection[str]) -> list[Attempt]:
        """Return a person's attempts at some deals, those at each deal in order."""

    async def lost(self, person: str, since: str, deals: Collection[str]) -> set[tuple[str, str]]:
        """Return the days from `since` on, and the families, where a person tried other deals."""

    async def friends(self, person: str, deal: str, most: int) -> list[Friend]:
        """Return the first attempts at a deal, where over, of those who sat with a person.

        There are at most so many: those with whom they sat at the most tables, by name. Left out is
        whom the person has blocked, and who has blocked the person.
        """

    async def begin(self, attempt: Attempt) -> bool:
        """Store a new attempt; return whether that was done.

        It is not where one of that number is there already, or the person is gone.
        """

    async def go_on(self, before: Attempt, after: Attempt) -> bool:
        """Store what became of an attempt; return whether it was still as it was `before`."""

    async def expire(self, since: int) -> bool:
        """Delete attempts that were begun up to `since`; return whether there were any."""
