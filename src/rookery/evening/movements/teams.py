"""Fixed teams: everybody meets everybody, or those who are level meet (Swiss).

A team is looked at as one person at a table for two, so that what is known of people holds for
teams: whose turn it is to sit out, whom they have met, who is ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.evening.movements.individual import Seats
from rookery.evening.movements.places import choose
from rookery.evening.movements.standings import standings
from rookery.evening.movements.state import Evening, Game, Round, Table, Team, couple

TWO: Final = Game(2, ((0,), (1,)))
LOOKS: Final = 20_000  # pairings that are looked at before neighbours are not the first wish


def formed(people: Sequence[int], members: int) -> tuple[Team, ...]:
    """Return teams of neighbours; whoever is left over joins the last ones, and they take turns.

    >>> formed(range(7), 2)
    ((0, 1), (2, 3), (4, 5, 6))
    """
    full = len(people) // members
    teams = [tuple(people[i * members : (i + 1) * members]) for i in range(full)]
    for i, person in enumerate(people[full * members :]):
        teams[full - 1 - i % full] += (person,)
    return tuple(teams)


def of_teams(evening: Evening, ready: Sequence[int]) -> Evening:
    """Return the evening with teams for people: those that are `ready`, by their places."""
    here = {*evening.people}
    rounds = [
        Round(
            tuple(
                Table(table.number, table.teams, _of_sides(evening, table.scores), (), table.boards)
                for table in one.tables
            )
        )
        for one in evening.rounds
    ]
    return Evening(
        evening.movement,
        tuple(ready),
        len(evening.teams),
        games=(TWO,),
        rounds=tuple(rounds),
        seed=evening.seed,
        best_of=evening.best_of,
        withdrawn=evening.withdrawn,
        teams=tuple(tuple(p for p in team if p in here) for team in evening.teams),
    )


def _of_sides(evening: Evening, scores: Sequence[int] | None) -> tuple[int, ...] | None:
    sides = evening.games[0].sides or ()
    return None if scores is None else tuple(scores[side[0]] for side in sides)


def swiss(evening: Evening, ready: Sequence[int]) -> list[Seats]:
    """Return the next Swiss round: teams meet that have won as often, twice only if need be.

    Those next to each other in the standings are paired from the top (Monrad's way). The last of
    those whose people have played the most sits out: where three take turns for two each has played
    less, so they do not all sit out as well.
    """
    order = [row.person for row in standings(evening, by_wins=True)]
    shares = {team: 1 / max(1, len(evening.teams[team])) for team in order}
    teams = choose(evening, order, (), [TWO] * (len(ready) // 2), shares)
    times = 0
    while (paired := _paired(evening, teams, times)) is None:
        times += 1
    return paired


def _paired(evening: Evening, teams: Sequence[int], times: int) -> list[Seats] | None:
    """Return neighbours as pairs, none of which has met more than so many times.

    None where there are none, or none was found for all the looking.
    """
    looks = 0
    pairs: list[Seats] = []
    # For each pair that stands: who was still free, and which of them was tried last.
    waiting = [(list(teams), 0)]
    while waiting:
        free, tried = waiting.pop()
        if not free:
            return pairs
        del pairs[len(waiting) :]
        first = free[0]
        for i in range(tried + 1, len(free)):
            looks += 1
            if evening.opponents.get(couple(first, free[i]), 0) <= times:
                waiting.append((free, i))
                waiting.append(([*free[1:i], *free[i + 1 :]], 0))
                pairs.append((first, free[i]))
                break
        if looks > LOOKS:
            return _exchanged(evening, teams, times)
    return None


def _exchanged(evening: Evening, teams: Sequence[int], times: int) -> list[Seats] | None:
    """Return pairs, none of which has met more than so many times; None where none were found.

    Neighbours that have met more often change partners with the nearest pair where that helps. Up
    to the round that is half the number of teams there always is one: either of the two may meet
    half of all, so there is a pair between whom and the two at least three of four may meet.
    """

    def may(first: int, second: int) -> bool:
        return evening.opponents.get(couple(teams[first], teams[second]), 0) <= times

    pairs = [(i, i + 1) for i in range(0, len(teams), 2)]
    for at, (first, second) in enumerate(pairs):
        if may(first, second):
            continue
        nearest = sorted(set(range(len(pairs))) - {at}, key=lambda other: abs(other - at))
        for other in nearest:
            one, two = pairs[other]
            if not (may(first, one) and may(second, two)):
                one, two = two, one
            if may(first, one) and may(second, two):
                pairs[at], pairs[other] = (first, one), (second, two)
                break
        else:
            return None
    return [(teams[min(pair)], teams[max(pair)]) for pair in sorted(pairs, key=min)]
