"""Evenings played out with scores, as a hall would."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from rookery.evening.movements.changes import score
from rookery.evening.movements.rounds import next_round
from rookery.evening.movements.state import Evening, Table

Scorer = Callable[[Evening, Table], list[int]]


def drawn(rng: Random) -> Scorer:
    """Return what gives each side of a table points by chance; ties happen."""

    def scores(evening: Evening, table: Table) -> list[int]:
        points = [0] * len(table.seats)
        for side in evening.game_at(table).sides or [(s,) for s in range(len(table.seats))]:
            won = rng.randrange(-2, 5) * 20
            for seat in side:
                points[seat] = won
        return points

    return scores


def better(evening: Evening, table: Table) -> list[int]:
    """The side with the lower number of the first team, or person, wins."""
    first = table.teams or table.seats
    return [100 if (seat % 2 == 0) == (first[0] < first[1]) else 0 for seat in range(4)]


def scored(evening: Evening, scorer: Scorer) -> Evening:
    """Return the evening with a score for each table of the last round that has none."""
    for table in evening.rounds[-1].tables:
        if table.scores is None:
            points = scorer(evening, table)
            evening = score(evening, len(evening.rounds), table.number, points)
    return evening


def played(evening: Evening, rounds: int, scorer: Scorer) -> Evening:
    """Return the evening after some rounds more, all with scores."""
    for _ in range(rounds):
        evening = scored(next_round(evening), scorer)
    return evening
