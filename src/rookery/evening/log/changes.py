"""What can happen on an evening, as it is asked for and as it is kept.

People, rounds and tables have the numbers of `rookery.evening.movements`: people from 0 in the
order in which they came, rounds and tables from 1.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, Field, TypeAdapter

from rookery.evening.movements.state import Evening, Round, Table

MOST_PEOPLE: Final = 400
MOST_ROUNDS: Final = 40
MOST_ENTRIES: Final = 12_000
MOST_POINTS: Final = 99_999
MOST_ROWS: Final = 20
LONGEST_ROUND: Final = 600  # minutes
_TABLES: Final = 1000  # table numbers are less
_NAME: Final = 300  # characters, before it is cleaned

Person = Annotated[int, Field(ge=0, lt=MOST_PEOPLE)]
RoundNumber = Annotated[int, Field(ge=1, le=MOST_ROUNDS)]
TableNumber = Annotated[int, Field(ge=1, lt=1000)]
Entry = Annotated[int, Field(ge=0, le=MOST_ENTRIES)]
Points = Annotated[int, Field(ge=-MOST_POINTS, le=MOST_POINTS)]
Name = Annotated[str, Field(max_length=_NAME)]
Rows: TypeAlias = tuple[tuple[int, ...], ...]  # of a table, a row for each prepared deal
Names = Annotated[list[Name], Field(max_length=MOST_PEOPLE)]
Row = Annotated[list[Points], Field(min_length=2, max_length=8)]
# House rules may have hands of 100,000 points; what a table came to is never refused.
PlayedRow = Annotated[list[int], Field(min_length=2, max_length=8)]


class _Change(BaseModel, extra="forbid", strict=True):
    pass


class Arrive(_Change):
    """People come, and play from the next round on."""

    do: Literal["arrive"]
    names: Annotated[Names, Field(min_length=1)]


class StandIn(_Change):
    """Somebody helps out: they play only where somebody else would have to sit out."""

    do: Literal["stand_in"]
    name: Name


class Return(_Change):
    """Somebody who left is back."""

    do: Literal["return"]
    person: Person


class Leave(_Change):
    """Somebody plays no more from the next round on."""

    do: Literal["leave"]
    person: Person


class Rename(_Change):
    """Somebody is called something else."""

    do: Literal["rename"]
    person: Person
    name: Name


class Exchange(_Change):
    """Two people exchange their places in the last round, by hand."""

    do: Literal["exchange"]
    one: Person
    other: Person


class NextRound(_Change):
    """The round of that number begins; people at `slow` tables stay there."""

    do: Literal["round"]
    round: RoundNumber
    slow: Annotated[list[TableNumber], Field(max_length=MOST_PEOPLE)] = []


class UndoRound(_Change):
    """The last round, of that number, has not begun; nobody has scored in it yet."""

    do: Literal["undo_round"]
    round: RoundNumber


class Score(_Change):
    """What each seat of a table scored; null takes a score back.

    There is a row for each prepared deal that is played there, else one. ``over`` is the newest
    entry about this table in this round that the phone had seen, 0 for none. The server says the
    rest, whatever a phone says: ``at`` is when, milliseconds since 1970, and with ``waits`` it
    counts only once a second person says the same.
    """

    do: Literal["score"]
    round: RoundNumber
    table: TableNumber
    rows: Annotated[list[Row], Field(min_length=1, max_length=MOST_ROWS)] | None
    over: Entry
    at: Annotated[int, Field(ge=0, lt=1 << 53)] = 0
    waits: bool = False


class RealCards(_Change):
    """At an evening on screens a table has real cards from the next round on, or has them no more.

    A table with a bot plays on screens all the same: no bot holds real cards.
    """

    do: Literal["real_cards"]
    table: TableNumber
    real: bool


class Clock(_Change):
    """The clock of the round is set to so many minutes from now, or stopped with null."""

    do: Literal["clock"]
    minutes: Annotated[int, Field(ge=1, le=LONGEST_ROUND)] | None


class Claim(_Change):
    """Whoever asks is that person, unless somebody else has said so before."""

    do: Literal["claim"]
    person: Person


class Free(_Change):
    """Nobody is that person any more; somebody else may say that they are."""

    do: Literal["free"]
    person: Person


class End(_Change):
    """The evening is over, or it goes on after all."""

    do: Literal["end"]
    over: bool


_Plain: TypeAlias = (
    Arrive
    | StandIn
    | Return
    | Leave
    | Rename
    | Exchange
    | UndoRound
    | Score
    | RealCards
    | Claim
    | Free
    | End
)
Change: TypeAlias = _Plain | NextRound | Clock


class RoundLaid(_Change):
    """A round that began, with the seats that it has whatever is scored later.

    ``at`` is when, milliseconds since 1970; ``turn`` tells what it was seated from.
    """

    do: Literal["round"]
    round: int
    tables: list[tuple[int, list[int], list[int], list[int]]]
    byes: list[int]
    playing: list[int]
    beaten: list[int]
    withdrawn: list[int]
    planned: int
    turn: int
    at: int


class ClockSet(_Change):
    """The clock runs out then, milliseconds since 1970; null where none runs."""

    do: Literal["clock"]
    ends: int | None


class Opened(_Change):
    """A table of the round stands on screens, under this code."""

    do: Literal["opened"]
    round: int
    table: int
    code: str


class Played(_Change):
    """What each seat of a table on screens scored, in rows as in `Score`.

    ``at`` is when the table was done, milliseconds since 1970.
    """

    do: Literal["played"]
    round: int
    table: int
    rows: Annotated[list[PlayedRow], Field(min_length=1, max_length=MOST_ROWS)]
    at: int


Kept: TypeAlias = _Plain | RoundLaid | ClockSet | Opened | Played
AnyChange = Annotated[Change, Field(discriminator="do")]
KEPT: Final[TypeAdapter[Kept]] = TypeAdapter(Annotated[Kept, Field(discriminator="do")])


def laid(evening: Evening, turn: int, at: int) -> RoundLaid:
    """Return the last round of an evening as it is kept."""
    one = evening.rounds[-1]
    return RoundLaid(
        do="round",
        round=len(evening.rounds),
        tables=[
            (table.number, list(table.seats), list(table.teams), list(table.boards))
            for table in one.tables
        ],
        byes=list(one.byes),
        playing=list(one.playing),
        beaten=list(one.beaten),
        withdrawn=list(evening.withdrawn),
        planned=evening.planned,
        turn=turn,
        at=at,
    )


def round_of(kept: RoundLaid) -> Round:
    """Return the round that was kept so."""
    tables = tuple(
        Table(number, tuple(seats), None, tuple(teams), tuple(boards))
        for number, seats, teams, boards in kept.tables
    )
    return Round(tables, tuple(kept.byes), tuple(kept.playing), tuple(kept.beaten))


def rows_of(change: Score) -> Rows | None:
    """Return what a score says, a row for each prepared deal; None where it takes one back."""
    return None if change.rows is None else tuple(tuple(row) for row in change.rows)


def place_of(round_: int, table: int) -> int:
    """Return the number by which a table in a round is known."""
    return round_ * _TABLES + table
