"""Whole schedules, and how far they are from perfect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final

from pydantic import BaseModel

from rookery.evening.movements.register import LISTED, MOVEMENTS
from rookery.evening.movements.rounds import next_round, planned_rounds
from rookery.evening.movements.state import Evening, Round, couple

MOST_ROUNDS: Final = 200


class SeatedTable(BaseModel):
    """A table of a round: its number, and who sits there, clockwise.

    Attributes:
        table: its number, from 1.
        seats: who sits there.
        boards: the numbers of the prepared deals that are played there; empty without any.
        scores: what each seat scored; null as long as nobody has said.
    """

    table: int
    seats: list[int]
    boards: list[int] = []
    scores: list[int] | None = None


class Spread(BaseModel):
    """How often two people meet: those who do most often, and those who do least often."""

    max: int
    min: int


class BoardPlan(BaseModel):
    """Prepared deals: how many there are, and how far the plan is from perfect.

    Attributes:
        boards: how many deals have to be prepared.
        full: how many rounds the whole movement has.
        played: how many deals each pair plays.
        met: how often two pairs meet that may; those of one side of a Mitchell never do.
        compared: on how many deals two pairs sit on the same side, so that their results are
            compared; in a Mitchell of the pairs of one side.
        shared: in how many rounds two or more tables play the same deals.
    """

    boards: int
    full: int
    played: Spread
    met: Spread
    compared: Spread
    shared: int


class Schedule(BaseModel):
    """Who sits where in each round; people are numbered from 0.

    Attributes:
        people: how many they are.
        movement: the movement's name.
        by_results: whether results say who sits where next; then there is one round more than
            have results.
        rounds: the tables of each round.
        byes: who sits out, round by round.
        partners: how often two people are partners; null where partners are called, or absent.
        opponents: how often two people meet at a table otherwise.
        plan: what is prepared, where the movement has prepared deals; else null.
    """

    people: int
    movement: str
    by_results: bool
    rounds: list[list[SeatedTable]]
    byes: list[list[int]]
    partners: Spread | None
    opponents: Spread
    plan: BoardPlan | None = None


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

    A plan of prepared deals may be over before.

    Raises:
        EveningError: see `next_round`.
    """
    for _ in range(1 if MOVEMENTS[evening.movement].by_results else rounds):
        if evening.rounds and len(evening.rounds) == len(planned_rounds(evening)):
            break
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
            [
                SeatedTable(
                    table=table.number,
                    seats=list(table.seats),
                    boards=list(table.boards),
                    scores=None if table.scores is None else list(table.scores),
                )
                for table in one.tables
            ]
            for one in evening.rounds
        ],
        byes=[list(one.byes) for one in evening.rounds],
        partners=_spread(evening, evening.partners) if has_partners else None,
        opponents=_spread(evening, evening.opponents),
        plan=_plan(evening) if evening.planned else None,
    )


def _plan(evening: Evening) -> BoardPlan:
    """Return what is said of an evening's prepared deals."""
    tables = [table for one in evening.rounds for table in one.tables]
    deals: Counter[int] = Counter()
    met: Counter[tuple[int, int]] = Counter()
    same: Counter[tuple[int, int]] = Counter()
    sides: dict[int, set[int]] = {team: set() for team in range(len(evening.teams))}
    at: dict[int, tuple[list[int], list[int]]] = {}
    for table in tables:
        met[couple(*table.teams)] += 1
        for side, team in enumerate(table.teams):
            deals[team] += len(table.boards)
            sides[team].add(side)
            for board in table.boards:
                at.setdefault(board, ([], []))[side].append(team)
    for who in (who for both in at.values() for who in both):
        same.update(couple(a, b) for a, b in combinations(who, 2))
    # In a Mitchell nobody changes sides, so only the others of one's own side are compared with.
    stays = MOVEMENTS[evening.movement].keeps_sides
    pairs = list(combinations(sides, 2))
    beside = [(a, b) for a, b in pairs if not stays or sides[a] == sides[b]]
    against = [(a, b) for a, b in pairs if not stays or sides[a] != sides[b]]
    return BoardPlan(
        boards=max(at, default=0),
        full=len(planned_rounds(evening)),
        played=_of([deals[team] for team in sides]),
        met=_of([met[pair] for pair in against]),
        compared=_of([same[pair] for pair in beside]),
        shared=sum(_shares(one) for one in evening.rounds),
    )


def _of(times: Sequence[int]) -> Spread:
    return Spread(max=max(times, default=0), min=min(times, default=0))


def _shares(one: Round) -> bool:
    """Return whether two tables of a round play the same deals."""
    boards = [board for table in one.tables for board in table.boards]
    return len(set(boards)) < len(boards)


def _spread(evening: Evening, met: Mapping[tuple[int, int], int]) -> Spread:
    """Return the most and the fewest meetings of any two people who are there."""
    return _of([met.get(couple(a, b), 0) for a, b in combinations(evening.people, 2)])


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
