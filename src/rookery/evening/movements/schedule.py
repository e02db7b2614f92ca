"""Whole schedules, and how far they are from perfect."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final

from pydantic import BaseModel

from rookery.evening.movements.register import LISTED, MOVEMENTS
from rookery.evening.movements.rounds import next_round
from rookery.evening.movements.state import Evening, couple

MOST_ROUNDS: Final = 200


class SeatedTable(BaseModel):
    """A table of a round: its number, and who sits there, clockwise."""

    table: int
    seats: list[int]


class Spread(BaseModel):
    """How often two people meet: those who do most often, and those who do least often."""

    max: int
    min: int


class Schedule(BaseModel):
    """Who sits where in each round; people are numbered from 0.

    Attributes:
        people: how many they are.
        movement: the movement's name.
        by_results: whether results say who sits where after the first round, which is all there
            is then.
        rounds: the tables of each round.
        byes: who sits out, round by round.
        partners: how often two people are partners; null where partners are called, or absent.
        opponents: how often two people meet at a table otherwise.
    """

    people: int
    movement: str
    by_results: bool
    rounds: list[list[SeatedTable]]
    byes: list[list[int]]
    partners: Spread | None
    opponents: Spread


class MovementEntry(BaseModel):
    """A movement in the list of all.

    Attributes:
        id: its name.
        does: what it does.
        by_results: whether the next round depends on results.
        promise: what holds in full where it is exact.
        exact: for how many people it is, among 4 to 41.
    """

    id: str
    does: str
    by_results: bool
    promise: str
    exact: list[int]


def played_out(evening: Evening, rounds: int) -> Evening:
    """Return an evening with so many rounds more; one, where the rest depends on results.

    Raises:
        EveningError: see `next_round`.
    """
    for _ in range(1 if MOVEMENTS[evening.movement].by_results else rounds):
        evening = next_round(evening)
    return evening


def document(evening: Evening) -> Schedule:
    """Return the rounds of an evening as `rookery evening schedule --json` prints them."""
    has_partners = all(game.partners for game in evening.games)
    return Schedule(
        people=len(evening.people),
        movement=evening.movement,
        by_results=MOVEMENTS[evening.movement].by_results,
        rounds=[
            [SeatedTable(table=table.number, seats=list(table.seats)) for table in one.tables]
            for one in evening.rounds
        ],
        byes=[list(one.byes) for one in evening.rounds],
        partners=_spread(evening, evening.partners) if has_partners else None,
        opponents=_spread(evening, evening.opponents),
    )


def _spread(evening: Evening, met: Mapping[tuple[int, int], int]) -> Spread:
    """Return the most and the fewest meetings of any two people who are there."""
    times = [met.get(couple(a, b), 0) for a, b in combinations(evening.people, 2)]
    return Spread(max=max(times), min=min(times))


def movement_list() -> list[MovementEntry]:
    """Return all movements as `rookery evening schedule --list --json` prints them."""
    return [
        MovementEntry(
            id=name,
            does=movement.does,
            by_results=movement.by_results,
            promise=movement.promise,
            exact=[people for people in LISTED if movement.exact(people)],
        )
        for name, movement in MOVEMENTS.items()
    ]
