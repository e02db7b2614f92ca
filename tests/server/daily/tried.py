"""Attempts for tests: made in a store, as people make them by and by."""

from __future__ import annotations

from functools import lru_cache

from rookery.bots.player import KernelPlayer
from rookery.daily import sitting
from rookery.daily.day import deal_of
from rookery.fairness.day import DayDeal
from rookery.server.registry.daily import NAME
from rookery.server.store.base import Store
from rookery.server.store.people.attempts import Attempt

SECRET = bytes(range(32))


@lru_cache(maxsize=64)
def played(deal: DayDeal) -> tuple[str, ...]:
    """Return what everybody does where the club player has seat 0 too."""
    hand = sitting.dealt(deal)
    players = [KernelPlayer(sitting.BOT, 7, seat) for seat in range(deal.rules.seats)]
    while not hand.over:
        hand = players[hand.to_act or 0].move(hand)
    return tuple(map(str, hand.actions))


async def tried(store: Store, person: str, day: str, family: str, at: int = 1) -> DayDeal:
    """Have somebody finish a deal, and all but finish it a second time; return it.

    They begin at `at`, milliseconds since 1970: what is long ago a server deletes.
    """
    await store.secret(NAME, f"2026-01-01 {SECRET.hex()}")
    deal = deal_of(SECRET, day, family)
    actions = played(deal)
    own = [number for number, text in enumerate(actions) if text[0] == str(sitting.SEAT)]
    first = Attempt(person, deal.commitment, 1, day, family, actions, at, at + 1)
    assert await store.attempts.begin(first)
    again = first._replace(number=2, actions=actions[: own[-1]], ended=0)
    assert await store.attempts.begin(again)
    return deal
