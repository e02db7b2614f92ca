"""An evening so far: who is there, who sat where, and what they scored. Nothing here changes.

People are numbers from 0, in the order in which they came. A round that began stays as it was:
what happens later makes a new evening, which shares the rounds before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from rookery.rules import Rules

Team: TypeAlias = tuple[int, ...]
BOARDS: Final = 2  # prepared deals that a table plays in a round, if nobody says how many


class EveningError(ValueError):
    """Something that cannot be: what it was about, what was wrong, and what was expected."""

    def __init__(self, code: str, line: str) -> None:
        self.code = code
        super().__init__(line)


@dataclass(frozen=True)
class Game:
    """What a table needs to know of the game; `sides` are None where a card calls the partner."""

    seats: int = 4
    sides: tuple[tuple[int, ...], ...] | None = ((0, 2), (1, 3))

    @cached_property
    def partners(self) -> tuple[tuple[int, int], ...]:
        """The pairs of seats that are partners in every hand."""
        return tuple(pair for side in self.sides or () for pair in combinations(side, 2))

    @cached_property
    def opponents(self) -> tuple[tuple[int, int], ...]:
        """The other pairs of seats: each other's opponents, at least in some hands."""
        every = combinations(range(self.seats), 2)
        return tuple(pair for pair in every if pair not in self.partners)


FOUR = Game()


def game_of(rules: Rules) -> Game:
    """Return what a table needs to know of a rule set."""
    return Game(rules.seats, rules.fixed_sides)


@dataclass(frozen=True, slots=True)
class Table:
    """A table in one round.

    Attributes:
        number: its number in the hall, from 1.
        seats: who sits there, clockwise.
        scores: what each seat scored, or None as long as nobody has said.
        teams: the places in `Evening.teams` of those that play, by side, where teams are fixed.
        boards: the numbers of the prepared deals that it plays, from 1; empty without any.
    """

    number: int
    seats: tuple[int, ...]
    scores: tuple[int, ...] | None = None
    teams: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """Where everybody is in one round: at the tables that begin in it, or sitting out.

    Who is `playing` is still at a table of an earlier round; who is `beaten` is out of a knockout.
    """

    tables: tuple[Table, ...]
    byes: tuple[int, ...] = ()
    playing: tuple[int, ...] = ()
    beaten: tuple[int, ...] = ()


@dataclass(frozen=True)
class Evening:
    """An evening so far.

    Attributes:
        movement: the name of the movement that seats it.
        people: who is there, as they were seeded.
        known: how many numbers have been given to people and stand-ins, those who left included.
        games: what may be played at a table; the first one is preferred.
        stand_ins: who fills a seat only where somebody else would have to sit out.
        helped: all who ever were stand-ins and nothing else, those who left included.
        teams: who belongs to each of the fixed teams, where the movement has them.
        rounds: the rounds that have begun.
        seed: what draws follow from.
        best_of: games that a match of a knockout has at most.
        withdrawn: the places in `teams` of those that have given up a knockout.
        boards: how many prepared deals a table plays in a round, where the movement has any.
        planned: for how many teams these deals were laid out; 0 before the first round.
    """

    movement: str
    people: tuple[int, ...]
    known: int
    games: tuple[Game, ...] = (FOUR,)
    stand_ins: tuple[int, ...] = ()
    helped: tuple[int, ...] = ()
    teams: tuple[Team, ...] = ()
    rounds: tuple[Round, ...] = ()
    seed: int = 0
    best_of: int = 1
    withdrawn: tuple[int, ...] = ()
    boards: int = BOARDS
    planned: int = 0

    @cached_property
    def played(self) -> tuple[int, ...]:
        """In how many rounds each number given so far has had a seat."""
        counts = [0] * self.known
        for one in self.rounds:
            for person in (*seated(one.tables), *one.playing):
                counts[person] += 1
        return tuple(counts)

    @cached_property
    def partners(self) -> dict[tuple[int, int], int]:
        """How often two people were partners, by their numbers, the lower first."""
        return self._count(partners=True)

    @cached_property
    def opponents(self) -> dict[tuple[int, int], int]:
        """How often two people met without being partners, by their numbers, the lower first."""
        return self._count(partners=False)

    @cached_property
    def met_by_team(self) -> list[set[int]]:
        """The prepared deals that each team has played or is at."""
        return self._met(len(self.teams), lambda table: table.teams)

    @cached_property
    def met_by_person(self) -> list[set[int]]:
        """The prepared deals that each person has played or is at."""
        return self._met(self.known, lambda table: table.seats)

    def _met(self, many: int, of: Callable[[Table], Team]) -> list[set[int]]:
        met: list[set[int]] = [set() for _ in range(many)]
        for table in (table for one in self.rounds for table in one.tables):
            for one in of(table):
                met[one].update(table.boards)
        return met

    def _count(self, partners: bool) -> dict[tuple[int, int], int]:
        met: dict[tuple[int, int], int] = {}
        pairs = {one.seats: one.partners if partners else one.opponents for one in self.games}
        for table in (table for one in self.rounds for table in one.tables):
            for a, b in pairs[len(table.seats)]:
                pair = couple(table.seats[a], table.seats[b])
                met[pair] = met.get(pair, 0) + 1
        return met

    def table(self, round_: int, number: int) -> Table:
        """Return a table as it is in a round, both numbered from 1.

        Raises:
            EveningError: ``no-round``, ``no-table``.
        """
        if not 1 <= round_ <= len(self.rounds):
            raise EveningError("no-round", f"round {round_}: expected 1 to {len(self.rounds)}")
        for table in self.rounds[round_ - 1].tables:
            if table.number == number:
                return table
        raise EveningError("no-table", f"round {round_}, table {number}: there is none")

    def game_at(self, table: Table) -> Game:
        """Return the game that is played at a table."""
        return next(game for game in self.games if game.seats == len(table.seats))


def couple(a: int, b: int) -> tuple[int, int]:
    """Return two people, the lower number first."""
    return (a, b) if a < b else (b, a)


def seated(tables: Iterable[Table]) -> Iterator[int]:
    """Yield who sits at some tables."""
    for table in tables:
        yield from table.seats
