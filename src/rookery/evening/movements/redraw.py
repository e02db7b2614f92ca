"""Everybody drawn anew after each game, as at a Wanamingo evening."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rookery.evening.movements.draw import draw
from rookery.evening.movements.individual import Seats, dice
from rookery.evening.movements.places import choose, tables_for
from rookery.evening.movements.state import Evening, couple

KEPT_PARTNER = 8  # how much worse it is to keep a partner than to meet one of the four again


def redraw(evening: Evening, free: Sequence[int], fillers: Sequence[int]) -> list[Seats]:
    """Return new teams at new tables: a draw that knows the game before and nothing else.

    Nobody keeps their partner, and as few as possible meet again, where that can be.
    """
    rng = dice(evening)
    games = tables_for(len(free), len(fillers), evening.games)
    people = choose(evening, rng.sample(free, len(free)), fillers, games)
    last = replace(evening, rounds=evening.rounds[-1:])

    def partners(a: int, b: int) -> int:
        kept = last.partners.get(couple(a, b), 0)
        return KEPT_PARTNER * kept + last.opponents.get(couple(a, b), 0)

    def opponents(a: int, b: int) -> int:
        return last.partners.get(couple(a, b), 0) + last.opponents.get(couple(a, b), 0)

    return draw(people, games, partners, opponents, rng)
