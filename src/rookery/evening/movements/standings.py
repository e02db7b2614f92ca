"""Who has scored what so far, and who is ahead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rookery.evening.movements.state import Evening, Table

WIN = 2  # what a game won counts; a tie counts half of it


class Standing(NamedTuple):
    """What somebody has come to so far, in the games that they have a score for.

    Wins are two for each game that their side won, one for each tie.
    """

    person: int
    games: int
    points: int
    wins: int
    byes: int


def standings(evening: Evening, by_wins: bool = False) -> list[Standing]:
    """Return what each person who is there has come to, whoever is ahead first.

    They are ranked by points a game, so that whoever sat out or came late loses nothing by it;
    whoever has no score yet has the average of all. In a tie more wins count, then the seeding.
    With `by_wins` wins count first.
    """
    rows = _rows(evening)
    games = max(1, sum(row.games for row in rows))
    points, wins = (sum(row.points for row in rows) / games, sum(row.wins for row in rows) / games)

    def rank(row: Standing) -> tuple[float, float]:
        own = (row.points / row.games, row.wins / row.games) if row.games else (points, wins)
        return (-own[1], -own[0]) if by_wins else (-own[0], -own[1])

    return sorted(rows, key=rank)


def _rows(evening: Evening) -> list[Standing]:
    """Return what each person who is there has come to, in the order of the seeding."""
    games, points, wins, byes = ([0] * evening.known for _ in range(4))
    for one in evening.rounds:
        for person in one.byes:
            byes[person] += 1
        for table in one.tables:
            if table.scores is None:
                continue
            best = best_sides(evening, table)
            # A win where one side alone has the most, else a tie. A called partner is no side here.
            worth = WIN if len(best) == 1 else WIN // 2
            winners = {seat for side in best for seat in side}
            for seat, (person, scored) in enumerate(zip(table.seats, table.scores, strict=True)):
                games[person] += 1
                points[person] += scored
                wins[person] += worth if seat in winners else 0
    return [Standing(who, games[who], points[who], wins[who], byes[who]) for who in evening.people]


def best_sides(evening: Evening, table: Table) -> list[tuple[int, ...]]:
    """Return the seats of the side that has the most at a table; of several in a tie."""
    scores = table.scores or ()
    sides: Sequence[tuple[int, ...]] = evening.game_at(table).sides or [
        (seat,) for seat in range(len(table.seats))
    ]
    best = max((scores[side[0]] for side in sides), default=0)
    return [side for side in sides if scores[side[0]] == best]
