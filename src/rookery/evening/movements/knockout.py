"""Single and double elimination: who meets whom is a bracket, and results fill it.

A bracket is data: a list of matches, each between what two earlier ones, or the seeding, bring.
It has as many places as the next power of two; who meets an empty place goes on at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf
from typing import Final, Literal, NamedTuple, TypeAlias

from rookery.evening.movements.individual import Seats
from rookery.evening.movements.standings import best_sides
from rookery.evening.movements.state import Evening, couple

Bringer: TypeAlias = tuple[Literal["seed", "winner", "loser"], int]
UNDECIDED: Final = -1  # stands for a team that is not known yet
STILL_IN: Final = 1_000  # deeper than any bracket is


class Match(NamedTuple):
    """A match of a bracket.

    Attributes:
        first: what brings one team: a place in the seeding, or the winner or loser of a match.
        second: what brings the other one.
        twice: the second one has lost before, and has to win twice.
    """

    first: Bringer
    second: Bringer
    twice: bool = False


class Stage(NamedTuple):
    """How far a knockout has come.

    Attributes:
        due: the matches that can go on, as pairs of teams.
        beaten: the teams that are out, each with how deep in the bracket the match was that it
            lost last: those who came further have more.
        won: the team that has won it all, or None as long as none has.
    """

    due: list[Seats]
    beaten: dict[int, int]
    won: int | None

    def came(self, team: int) -> float:
        """Return how far a team has come: those still in further than all who are out."""
        return inf if team == self.won else self.beaten.get(team, STILL_IN)


def seeding(places: int) -> list[int]:
    """Return the order in which seeds stand in a bracket: the best ones meet last.

    >>> seeding(8)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    order = [0]
    while len(order) < places:
        order = [seed for one in order for seed in (one, 2 * len(order) - 1 - one)]
    return order


@cache
def bracket(teams: int, double: bool) -> tuple[Match, ...]:
    """Return all matches for a number of teams, each after those that bring its teams."""
    places = 1 << max(0, teams - 1).bit_length()
    matches: list[Match] = []

    def add(bringers: Sequence[Bringer]) -> list[int]:
        """Add a match for each two of them that stand side by side; return the places."""
        first = len(matches)
        for i in range(0, len(bringers), 2):
            matches.append(Match(bringers[i], bringers[i + 1]))
        return list(range(first, len(matches)))

    row = add([("seed", seed) for seed in seeding(places)])
    rows = [row]
    while len(row) > 1:
        row = add([("winner", i) for i in row])
        rows.append(row)
    if not double:
        return tuple(matches)
    below: list[Bringer] = [("loser", i) for i in rows[0]]
    for turn, row in enumerate(rows[1:]):
        # From the other end, so that nobody soon meets those again who have beaten them.
        fallen: list[Bringer] = [("loser", i) for i in (row if turn % 2 else row[::-1])]
        left: list[Bringer] = [("winner", i) for i in add(below)]
        both = [one for pair in zip(left, fallen, strict=True) for one in pair]
        below = [("winner", i) for i in add(both)]
    matches.append(Match(("winner", rows[-1][0]), below[0], twice=True))
    return tuple(matches)


def stage(evening: Evening, double: bool) -> Stage:
    """Return how far a knockout of teams has come; `evening` is one of teams, see `of_teams`."""
    games = _winners_of_games(evening)
    matches = bracket(evening.known, double)
    second_chances = {i for match in matches for kind, i in match[:2] if kind == "loser"}
    results: list[tuple[int | None, int | None]] = []  # winner and loser of each match
    due: list[Seats] = []
    beaten: dict[int, int] = {}
    depths: list[int] = []
    for number, match in enumerate(matches):
        depths.append(1 + max((depths[i] for kind, i in match[:2] if kind != "seed"), default=0))
        a, b = (_brought(evening, bringer, results) for bringer in match[:2])
        if a is None or b is None:
            result = (b, a) if a is None else (a, b)
        elif UNDECIDED in (a, b):
            result = (UNDECIDED, UNDECIDED)
        else:
            left = games.setdefault(couple(a, b), [])
            result = _result(a, b, left, evening)
            if match.twice and result[0] == b:
                result = _result(a, b, left, evening)
            if result[0] == UNDECIDED:
                due.append((a, b))
            elif number not in second_chances and result[1] is not None:
                beaten[result[1]] = depths[number]
        results.append(result)
    won = results[-1][0]
    return Stage(due, beaten, None if won == UNDECIDED else won)


def _brought(
    evening: Evening, bringer: Bringer, results: Sequence[tuple[int | None, int | None]]
) -> int | None:
    """Return the team that comes to a match; None for an empty place."""
    kind, place = bringer
    if kind == "seed":
        return place if place < evening.known else None
    return results[place][kind == "loser"]


def _result(a: int, b: int, games: list[int | None], evening: Evening) -> tuple[int, int]:
    """Return winner and loser of a match; takes its games away from those of the two teams."""
    wins = {a: 0, b: 0}
    while games and max(wins.values()) <= evening.best_of // 2:
        winner = games.pop(0)
        if winner is not None:
            wins[winner] += 1
    for team, other in ((a, b), (b, a)):
        if wins[team] > evening.best_of // 2:
            return team, other
    for team, other in ((a, b), (b, a)):
        if team in evening.withdrawn:
            return other, team
    return UNDECIDED, UNDECIDED


def _winners_of_games(evening: Evening) -> dict[tuple[int, int], list[int | None]]:
    """Return for two teams who has won each game between them, None for a tie, in order."""
    games: dict[tuple[int, int], list[int | None]] = {}
    for table in (table for one in evening.rounds for table in one.tables):
        if table.scores is not None:
            sides = best_sides(evening, table)
            winner = table.seats[sides[0][0]] if len(sides) == 1 else None
            games.setdefault(couple(*table.seats), []).append(winner)
    return games
