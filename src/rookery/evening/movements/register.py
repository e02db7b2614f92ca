"""The movements: what each is called, does and needs, and for how many people it is exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple, TypeAlias

from rookery.evening.movements.individual import PERFECT, Seats, individual
from rookery.evening.movements.plan import FEWEST, MOST_HOWELL, Rounds, howell, mitchell
from rookery.evening.movements.ranked import halves, progressive, redraw
from rookery.evening.movements.state import Evening
from rookery.evening.movements.teams import swiss

Seating: TypeAlias = Callable[[Evening, Sequence[int], Sequence[int]], list[Seats]]
Pairing: TypeAlias = Callable[[Evening, Sequence[int]], list[Seats]]
Plan: TypeAlias = Callable[[int], Rounds]
LISTED: Final = range(4, 42)  # the numbers of people that the exact ones are listed among


class Movement(NamedTuple):
    """A way to say who sits where in the next round.

    Attributes:
        does: what it does, in a sentence.
        promise: what holds in full where it is exact.
        exact: whether it is, for a number of people.
        seats: gives the seats of each table, from people and stand-ins who are free.
        pairs: gives the teams that meet, from an evening of teams and those that are ready.
        plan: gives all rounds for a number of teams, where they play prepared deals.
        most_teams: how many teams there may be, where it has such a plan.
        keeps_sides: whether each team stays on its side of the table in such a plan.
        defeats: with how many a team is out, where it is a knockout.
        by_results: whether the next round depends on what was scored.
        called: whether it seats games without fixed sides too, and tables of several sizes.
    """

    does: str
    promise: str
    exact: Callable[[int], bool]
    seats: Seating | None = None
    pairs: Pairing | None = None
    plan: Plan | None = None
    most_teams: int = 0
    keeps_sides: bool = False
    defeats: int = 0
    by_results: bool = False
    called: bool = False

    @property
    def fixed_teams(self) -> bool:
        """Whether people stay with their partners."""
        return self.seats is None


def _fours(people: int) -> bool:
    return people % 4 == 0


def _powers_of_two(people: int) -> bool:
    return people & (people - 1) == 0


MOVEMENTS: Final = {
    "individual": Movement(
        "A new partner in each round.",
        "each partner once and each opponent twice",
        PERFECT.__contains__,
        seats=individual,
        called=True,
    ),
    "halves": Movement(
        "By rank: the first of the upper half with the first of the lower half.",
        "nobody sits out",
        _fours,
        seats=halves,
        by_results=True,
    ),
    "progressive": Movement(
        "Winners move up a table, and everybody changes partners.",
        "nobody sits out",
        _fours,
        seats=progressive,
        by_results=True,
    ),
    "redraw": Movement(
        "New teams and tables are drawn after each game.",
        "nobody sits out",
        _fours,
        seats=redraw,
        called=True,
    ),
    "pairs": Movement(
        "Fixed pairs, each against each other.",
        "each pair meets each other once",
        lambda people: people % 2 == 0,
        # Once each has met each other, it begins again.
        pairs=lambda teams, ready: individual(teams, ready, ()),
    ),
    "swiss": Movement(
        "Fixed pairs; those that have won as often meet, twice only if need be.",
        "nobody sits out",
        _fours,
        pairs=swiss,
        by_results=True,
    ),
    "mitchell": Movement(
        "Fixed pairs and prepared deals; one side of each table stays, the other goes on.",
        "each pair plays all deals, and meets each of the other side once",
        lambda people: people % 8 == 4 and people >= 4 * FEWEST,  # an odd number of tables
        plan=mitchell,
        most_teams=500,
        keeps_sides=True,
    ),
    "relay": Movement(
        "As mitchell; of an even number of tables two share their deals, and nobody skips one.",
        "each pair plays all deals, and meets each of the other side once",
        lambda people: _fours(people) and people >= 8,
        plan=partial(mitchell, relay=True),
        most_teams=500,
        keeps_sides=True,
    ),
    "howell": Movement(
        "Fixed pairs and prepared deals; each against each other.",
        "each pair plays all deals, and meets each other once; no tables share",
        lambda people: _fours(people) and 16 <= people <= 2 * MOST_HOWELL,
        plan=howell,
        most_teams=MOST_HOWELL,
    ),
    "single": Movement(
        "Fixed pairs; who loses a match is out.",
        "all play in the first round",
        _powers_of_two,
        defeats=1,
        by_results=True,
    ),
    "double": Movement(
        "Fixed pairs; who loses two matches is out.",
        "all play in the first round",
        _powers_of_two,
        defeats=2,
        by_results=True,
    ),
}
