"""Movements in which the rounds before say who sits where: halves, progressive and redraw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rookery.evening.movements.individual import Seats, dice, draw
from rookery.evening.movements.places import choose, tables_for
from rookery.evening.movements.standings import best_sides, standings
from rookery.evening.movements.state import Evening, couple

KEPT_PARTNER: Final = 8  # how much worse it is to keep a partner than to meet one of the four again


def halves(evening: Evening, free: Sequence[int], fillers: Sequence[int]) -> list[Seats]:
    """Return the next round of the Larry Smith Invitational, of the people that are free.

    They are ranked by what they scored and split into halves. The first of the one half plays with
    the first of the other, and so on; the first two teams sit at table 1. Where a side has three
    members the field is split into thirds.
    """
    ready = set(free)
    order = [row.person for row in standings(evening) if row.person in ready]
    people = _seated(evening, order, fillers)
    sides = evening.games[0].sides or ()
    members = len(sides[0])
    teams = len(people) // members
    seats = []
    for first in range(0, teams, len(sides)):
        table = [0] * evening.games[0].seats
        for team, side in enumerate(sides, first):
            for rank, seat in enumerate(side):
                table[seat] = people[team + rank * teams]
        seats.append(tuple(table))
    return seats


def progressive(evening: Evening, free: Sequence[int], fillers: Sequence[int]) -> list[Seats]:
    """Return the next progressive round, of the people that are free.

    The winners of a table move to the next one up, and those at the first table stay there. The
    losers stay too, except that those of the first table go to the last one. At each table people
    change partners, for whom they have played with least. A tie is won by whoever is ahead.
    """
    order = _ladder(evening, free)
    people = _seated(evening, order, fillers)
    size = evening.games[0].seats
    return [_parted(evening, people[i : i + size]) for i in range(0, len(people), size)]


def _seated(evening: Evening, order: Sequence[int], fillers: Sequence[int]) -> Seats:
    games = tables_for(len(order), len(fillers), evening.games)
    return choose(evening, order, fillers, games)


def _ladder(evening: Evening, free: Sequence[int]) -> list[int]:
    """Return the people that are free in the order of the tables they go to, from the first.

    Whoever did not play in the last round begins at the end.
    """
    winners, losers = [], []
    ready = set(free)
    ahead = {row.person: place for place, row in enumerate(standings(evening))}
    last = evening.rounds[-1].tables if evening.rounds else ()
    for table in sorted(last, key=lambda table: table.number):
        if table.scores is None:
            continue
        sides = best_sides(evening, table)
        people = [[table.seats[seat] for seat in side] for side in sides]
        first = min(people, key=lambda side: min(ahead.get(person, len(ahead)) for person in side))
        winners.append(first)
        losers.append([person for person in table.seats if person not in first])
    order = [*winners[:2]]
    for i in range(1, len(losers)):
        order += [*winners[i + 1 : i + 2], losers[i]]
    order += losers[:1]
    moved = [person for group in order for person in group if person in ready]
    return [*moved, *(person for person in free if person not in set(moved))]


def _parted(evening: Evening, four: Seats) -> Seats:
    """Return four people so seated that they are partners of whom they have played with least.

    Nobody keeps their partner of the round before where that can be.
    """
    kept = {
        couple(table.seats[a], table.seats[b])
        for table in (evening.rounds[-1].tables if evening.rounds else ())
        for a, b in evening.game_at(table).partners
    }
    a, b, c, d = four

    def again(seats: Seats) -> tuple[int, int]:
        pairs = couple(seats[0], seats[2]), couple(seats[1], seats[3])
        return sum(p in kept for p in pairs), sum(evening.partners.get(p, 0) for p in pairs)

    return min(((a, b, c, d), (a, b, d, c), (a, c, b, d)), key=again)


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
