"""Seats drawn so that as few as possible meet again: a local search.

It begins with the people shuffled, and exchanges two of them as long as that helps. Exchanges
that change nothing are made too: they lead out of corners. What comes out follows from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, TypeAlias

from rookery.evening.movements.state import Game

Cost: TypeAlias = Callable[[int, int], int]
STEPS: Final = 60  # exchanges that are tried for each person without a gain, before it is enough


def draw(
    people: Sequence[int],
    games: Sequence[Game],
    partners: Cost,
    opponents: Cost,
    rng: Random,
) -> list[tuple[int, ...]]:
    """Return who sits at each table, clockwise; there are as many people as seats.

    `partners` says what it costs that two people are partners, `opponents` that they meet
    otherwise; 0 where it costs nothing.
    """
    seats = list(people)
    rng.shuffle(seats)
    starts = [sum(game.seats for game in games[:i]) for i in range(len(games))]
    table_of = [i for i, game in enumerate(games) for _ in range(game.seats)]
    kinds = [(game.partners, game.opponents) for game in games]

    def cost_at(table: int) -> int:
        first, (together, apart) = starts[table], kinds[table]
        return sum(partners(seats[first + a], seats[first + b]) for a, b in together) + sum(
            opponents(seats[first + a], seats[first + b]) for a, b in apart
        )

    costs = [cost_at(table) for table in range(len(games))]
    since = 0
    while any(costs) and since < STEPS * len(seats):
        since += 1
        worst = rng.choice([table for table, cost in enumerate(costs) if cost])
        a = starts[worst] + rng.randrange(games[worst].seats)
        b = rng.randrange(len(seats))
        other = table_of[b]
        seats[a], seats[b] = seats[b], seats[a]
        new = cost_at(worst), cost_at(other)
        gain = costs[worst] - new[0] + (costs[other] - new[1] if other != worst else 0)
        if gain < 0:
            seats[a], seats[b] = seats[b], seats[a]
            continue
        costs[worst], costs[other] = new
        if gain:
            since = 0
    return [tuple(seats[i : i + game.seats]) for i, game in zip(starts, games, strict=True)]
