"""The daily deals of a server: which there are, what people make of them, and what `expert` does.

An attempt is a list of actions in the store. It is played again whenever somebody asks, so nothing
else is kept of it. `expert` plays a deal once, in a worker, when somebody who may see that first
asks; its dice follow from the key, so it does the same wherever it plays it again.
"""

from __future__ import annotations

import secrets
from functools import partial
from typing import Final, NamedTuple

from rookery.bots.names import bot
from rookery.daily import sitting
from rookery.daily.day import FAMILIES, SHOWN, after, day_at, deal_of, end_of
from rookery.fairness.day import DayDeal, is_day
from rookery.server.bots.engine import AtLeisure, BotThreads, Played
from rookery.server.registry.calendar import Calendar
from rookery.server.store.base import Store
from rookery.server.store.people.attempts import Attempt, Friend
from rookery.server.table.state import Who
from rookery.server.work import in_thread

EXPERT: Final = bot("expert:version=2:rollouts=1600:ms=600000")  # what it does follows from tries
EXPERT_NAME: Final = "expert:version=2:rollouts=1600"
LONGER: Final = 1  # days after the last one, in which what was begun can be finished
MOST: Final = 9  # attempts of a person at a deal
FRIENDS: Final = 50
NAME: Final = "daily"


class Refused(Exception):
    """Something of a daily deal cannot be done.

    Attributes:
        code: ``clock-doubted no-daily no-attempt attempts-spent daily-not-over``.
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


class Day(NamedTuple):
    """A day at this server.

    Attributes:
        name: the day, as 2026-11-23.
        now: the time, milliseconds since 1970.
        secret: the server's secret of all days.
        since: the first day of this secret.
    """

    name: str
    now: int
    secret: bytes
    since: str

    def has(self, day: str, longer: int = 0) -> bool:
        """Return whether the deals of a day may be played: it has begun, and is not long ago.

        With `longer`, so many days later too.
        """
        return max(self.since, after(self.name, -SHOWN - longer)) <= day <= self.name

    def past(self) -> list[str]:
        """Return the days before this one whose deals may be played, the latest first."""
        days = (after(self.name, -back) for back in range(1, SHOWN + 1))
        return [day for day in days if day >= self.since]

    def deals(self, day: str) -> list[DayDeal]:
        """Return the deals of a day, of each family one."""
        return [deal_of(self.secret, day, family) for family in FAMILIES]

    def is_over(self, day: str) -> bool:
        """Return whether another day has ended, so that its keys are shown."""
        return self.now >= end_of(day)

    def is_late(self, attempt: Attempt) -> bool:
        """Return whether an attempt was not over, or is not, when its day ended."""
        return (attempt.ended or self.now) >= end_of(attempt.day)


class Tried(NamedTuple):
    """A deal, what somebody has made of it so far, and the day on which they ask."""

    today: Day
    deal: DayDeal
    attempts: list[Attempt]

    @property
    def again(self) -> bool:
        """Whether another attempt may be begun once none is under way."""
        return self.today.has(self.deal.day) and len(self.attempts) < MOST


class DailyDeals:
    """The daily deals of one server."""

    def __init__(self, store: Store, calendar: Calendar, thinker: BotThreads) -> None:
        """Keep attempts in `store`, go by the days of `calendar`, and ask `thinker` for bots."""
        self._store, self._calendar, self._thinker = store, calendar, thinker
        self._experts = AtLeisure[tuple[str, ...]](thinker)

    async def today(self) -> Day:
        """Return what day it is.

        Raises:
            Refused: nobody knows; code ``clock-doubted``.
        """
        now = self._calendar.believed()
        if now is None:
            raise Refused("clock-doubted")
        today = day_at(now)
        # Read anew each time: once the database was brought back it is another one, because whoever
        # was there before may know the deals of the old one.
        name = f"{NAME} {(await self._store.timeline()).id}".rstrip()
        kept = await self._store.secret(name, f"{today} {secrets.token_hex(32)}")
        drawn, _, secret = kept.partition(" ")
        since = drawn
        # A clock that was ahead may have drawn it. Its days begin with the one when that is found.
        # It may still be ahead then, by less: so each earlier day has a name of its own.
        while earlier := await self._store.secret(
            name := f"{name} since", today if today < since else ""
        ):
            since = min(since, earlier)
        return Day(today, now, bytes.fromhex(secret), since)

    async def tried(self, who: Who, day: str, family: str) -> Tried:
        """Return a deal and a person's attempts at it, which it may be too late to add to.

        Raises:
            Refused: there is no such deal to play; codes ``clock-doubted no-daily``.
        """
        today = await self.today()
        if family not in FAMILIES or not (is_day(day) and today.has(day, LONGER)):
            raise Refused("no-daily")
        deal = deal_of(today.secret, day, family)
        attempts = await self._store.attempts.of(who.id, [deal.commitment])
        if not attempts and not today.has(day):
            raise Refused("no-daily")
        return Tried(today, deal, attempts)

    async def begin(self, who: Who, day: str, family: str) -> tuple[Tried, bool]:
        """Begin an attempt, unless one is under way; return whether it was begun.

        Raises:
            Refused: there is no such deal, or the person has tried it often enough; codes
                ``clock-doubted no-daily attempts-spent``.
        """
        found = await self.tried(who, day, family)
        if found.attempts and not found.attempts[-1].ended:
            return found, False
        if not found.today.has(day):
            raise Refused("no-daily")
        if len(found.attempts) >= MOST:
            raise Refused("attempts-spent")
        number, deal = len(found.attempts) + 1, found.deal
        hand = await in_thread(sitting.begun, deal)
        actions, now = tuple(map(str, hand.actions)), found.today.now
        fresh = Attempt(who.id, deal.commitment, number, day, family, actions, now)
        if hand.over:
            fresh = fresh._replace(ended=now)
        if not await self._store.attempts.begin(fresh):
            # Another request of theirs came first, or they have asked to be forgotten.
            again = await self.tried(who, day, family)
            if len(again.attempts) < number:
                raise Refused("no-attempt")
            return again, False
        return found._replace(attempts=[*found.attempts, fresh]), True

    async def act(
        self, who: Who, day: str, family: str, action: str, seen: int, *, number: int | None = None
    ) -> Tried:
        """Do what a person does in their attempt, and what the bots do then.

        Nothing is done where it is over, where it is not the one with the `number` that they mean,
        or where they have not seen all that was done.

        Raises:
            Refused: there is no such attempt; codes ``clock-doubted no-daily no-attempt``.
            IllegalAction: the rules do not allow it.
            BadAction: it is none.
        """
        found = await self.tried(who, day, family)
        if not found.attempts:
            raise Refused("no-attempt")
        before = found.attempts[-1]
        meant = number in {None, before.number}
        if before.ended or not meant or seen != len(before.actions):
            return found
        hand = await in_thread(sitting.after, found.deal, before.actions, action)
        ended = found.today.now if hand.over else 0
        on = before._replace(actions=tuple(map(str, hand.actions)), ended=ended)
        if not await self._store.attempts.go_on(before, on):
            return await self.tried(who, day, family)
        return found._replace(attempts=[*found.attempts[:-1], on])

    async def friends(self, who: Who, deal: DayDeal) -> list[Friend]:
        """Return the first attempts, where over, of those who sat at a table with a person."""
        return await self._store.attempts.friends(who.id, deal.commitment, FRIENDS)

    def expert(self, deal: DayDeal) -> tuple[Played, tuple[str, ...]]:
        """Return whether `expert` has played a deal, and its hand; if not, have it begin."""
        how, hand = self._experts.of(deal.commitment, deal.day, partial(self._play, deal))
        return how, hand or ()

    async def close(self) -> None:
        """Have `expert` play no more."""
        await self._experts.close()

    async def _play(self, deal: DayDeal) -> tuple[str, ...]:
        hand = await in_thread(sitting.dealt, deal)
        expert = sitting.thinker(deal)
        while not hand.over:
            if hand.to_act == sitting.SEAT:
                hand = await self._thinker.at_leisure(hand, expert, EXPERT)
            else:
                hand = await in_thread(sitting.moved, deal, hand)
        return tuple(map(str, hand.actions))
