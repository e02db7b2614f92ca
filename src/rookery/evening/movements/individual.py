"""A new partner in each round: perfect schedules where there are any, and draws elsewhere.

A schedule for four at a table, two against two, is grown from one round or a few, its *starter*:
each further round adds the same number to everybody, as on a clock. Where that is not enough, or
where people have come or left, a round is drawn so that as few as possible meet again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import gcd
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

from rookery.evening.movements.places import choose, tables_for
from rookery.evening.movements.state import FOUR, Evening, Game, couple

Seats: TypeAlias = tuple[int, ...]
Cost: TypeAlias = Callable[[int, int], int]
# By the number of people; a text is one round, four seats after four, partners opposite.
# `scripts/starters.py` finds them; docs/design/evening.md says how, and how near they come.
STARTERS: Final = {
    int(people): tuple(tuple(map(int, text.replace(",", "").split())) for text in texts)
    for people, texts in json.loads(
        Path(__file__).with_name("starters.json").read_text("utf-8")
    ).items()
}
PERFECT: Final = tuple(n for n in STARTERS if n % 4 < 2)
DRAWS: Final = 5  # draws that are compared at most, where people meet again anyway
STEPS: Final = 60  # exchanges that are tried for each person without a gain, before it is enough
PARTNERS_AGAIN: Final = 4  # how much worse it is to be partners again than to meet again otherwise


@cache
def schedule_of(people: int, game: Game) -> tuple[tuple[Seats, ...], ...]:
    """Return the rounds of a stored schedule, the seats of each table; none if there is none."""
    if game.seats == 2:
        return tuple(tuple(pairs) for pairs in circle(people))
    if game != FOUR or people not in STARTERS:
        return ()
    return tuple(tuple(round_) for round_ in _grown(people))


def _grown(people: int) -> Iterator[list[Seats]]:
    """Yield the rounds that grow from the starters of a number of people.

    In a multiple of four the last one stays where they are. Whoever sits out are neighbours on the
    clock, and the next round's are the next ones: so nobody does twice before all have once.
    """
    starters = STARTERS[people]
    clock = people - (people % 4 == 0)
    stride = len(starters) if len(starters) > 1 else max(1, people % 4)
    circuit = clock // gcd(clock, stride)
    for starter in starters:
        for turn in range(clock // len(starters)):
            shift = turn * stride + turn // circuit
            seats = [who if who == clock else (who + shift) % clock for who in starter]
            yield [tuple(seats[i : i + 4]) for i in range(0, len(seats), 4)]


def individual(evening: Evening, free: Sequence[int], fillers: Sequence[int]) -> list[Seats]:
    """Return who sits at each table of the next round, of people and stand-ins that are free.

    It is a round of the stored schedule as long as one brings nobody together again as partners,
    and draws bring no fewer together. Byes are as fair as they can be.
    """
    rng = dice(evening)
    games = tables_for(len(free), len(fillers), evening.games)
    people = choose(evening, rng.sample(free, len(free)), fillers, games)
    stored = _stored(evening, free, people, games)
    if stored is not None and not _again(evening, stored)[0]:
        return stored
    found = [stored] if stored is not None else []
    for _ in range(DRAWS):
        found.append(_drawn(evening, people, games, rng))
        if not any(_again(evening, found[-1])):
            break
        people = choose(evening, rng.sample(free, len(free)), fillers, games)
    return min(found, key=lambda tables: _rank(evening, tables, tables is stored))


def _rank(evening: Evening, tables: Sequence[Seats], stored: bool) -> tuple[int, bool, int]:
    """Return what puts the best of some rounds first; a stored one before others as good."""
    partners, others = _again(evening, tables)
    return partners, not stored, others


def dice(evening: Evening) -> Random:
    """Return what the draw of the next round follows from."""
    return Random(f"{evening.seed} {len(evening.rounds)}")  # noqa: S311  (nothing secret)


def _stored(
    evening: Evening, free: Sequence[int], people: Seats, games: Sequence[Game]
) -> list[Seats] | None:
    """Return the round of the stored schedule that brings the fewest together again, or None.

    Everybody who is free has their number in it, and so have the stand-ins that play. A round in
    which the wrong people sit out is none.
    """
    if not games or any(game != games[0] for game in games):
        return None
    everybody = sorted({*free, *people})
    rounds = (
        [tuple(everybody[i] for i in table) for table in tables]
        for tables in schedule_of(len(everybody), games[0])
    )
    owed = sorted(evening.played[person] for person in people)
    # With more than one who sits out, another order of the rounds would not stay fair.
    kinds = 2 if len(everybody) - len(people) < 2 else 1
    best: tuple[tuple[int, ...], list[Seats]] | None = None
    for tables in rounds:
        if sorted(evening.played[person] for table in tables for person in table) != owed:
            continue
        again = _again(evening, tables)[:kinds]
        if best is None or again < best[0]:
            best = again, tables
        if not any(again):  # of several hundred rounds nobody looks through the others
            break
    return None if best is None else best[1]


def _again(evening: Evening, tables: Sequence[Seats]) -> tuple[int, int]:
    """Return how often the partners at these tables have been partners, and others have met.

    Where nobody has a partner the two are the same.
    """
    partners = others = 0
    for table in tables:
        game = next(game for game in evening.games if game.seats == len(table))
        for a, b in game.partners:
            partners += evening.partners.get(couple(table[a], table[b]), 0)
        for a, b in game.opponents:
            others += evening.opponents.get(couple(table[a], table[b]), 0)
    return (partners if evening.games[0].partners else others), others


def _drawn(evening: Evening, people: Seats, games: Sequence[Game], rng: Random) -> list[Seats]:
    """Return tables drawn so that as few as possible meet again."""

    def partners(a: int, b: int) -> int:
        return PARTNERS_AGAIN * evening.partners.get(couple(a, b), 0)

    def opponents(a: int, b: int) -> int:
        return evening.opponents.get(couple(a, b), 0)

    return draw(people, games, partners, opponents, rng)


def draw(
    people: Sequence[int],
    games: Sequence[Game],
    partners: Cost,
    opponents: Cost,
    rng: Random,
) -> list[tuple[int, ...]]:
    """Return who sits at each table, clockwise; there are as many people as seats.

    A local search begins with the people shuffled, and exchanges two of them as long as that helps.
    Exchanges that change nothing are made too: they lead out of corners. What comes out follows
    from the seed. `partners` says what it costs that two people are partners, `opponents` that they
    meet otherwise; 0 where it costs nothing.
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


def circle(count: int) -> list[list[tuple[int, int]]]:
    """Return the rounds in which each of `count` meets each other once; the pairs of each.

    One stays and the others go round, as at a round robin of chess or bridge teams. If their number
    is odd, another one is in no pair of each round.

    >>> circle(4)
    [[(0, 3), (1, 2)], [(1, 3), (2, 0)], [(2, 3), (0, 1)]]
    """
    even = count + count % 2
    others = even - 1
    rounds = []
    for turn in range(others):
        pairs = [(turn, others)]
        pairs += [((turn + i) % others, (turn - i) % others) for i in range(1, even // 2)]
        rounds.append([pair for pair in pairs if max(pair) < count])
    return rounds
