"""What an evening says: who is there, who sits where, what they scored, and who is ahead.

People are told by their numbers, and by name in one list.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

from pydantic import BaseModel

from rookery.evening.log.changes import Rows
from rookery.evening.log.fold import EveningLog
from rookery.evening.log.pairs import PairTold, pairs_told
from rookery.evening.log.screens import Screens
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.rounds import placed, prepared_deals, rounds_in_all, unfinished
from rookery.evening.movements.state import Evening, Table
from rookery.evening.versions import Version
from rookery.fairness.evening import EveningDeals

State: TypeAlias = Literal["open", "waiting", "disputed", "stands"]
Namer: TypeAlias = Callable[[int], str]


class PersonTold(BaseModel):
    """Somebody: ``stands_in`` where they are owed no game; ``here`` until they leave.

    ``claimed`` says whether a phone is theirs, ``bot`` whether they are one.
    """

    number: int
    name: str
    here: bool
    stands_in: bool
    claimed: bool
    bot: bool


class VersionTold(BaseModel):
    """What somebody says that each seat of a table scored, a row a deal; null takes it back.

    ``writers`` say so, each by the number of their first entry. With ``settles``, whoever asks
    settles what is disputed by saying the same, though they have no key: nobody else says
    otherwise.
    """

    rows: list[list[int]] | None
    by: str
    entry: int
    writers: list[int]
    settles: bool = False


class TableTold(BaseModel):
    """A table in one round.

    ``seats`` are people, clockwise, ``deals`` the numbers of its prepared deals. ``scores`` count;
    ``said`` is what stands or waits, ``others`` what was said against it. ``entry`` is the newest
    of this table in this round, 0 for none. ``code`` is that of a table on screens; ``real`` says
    whether it has real cards.
    """

    number: int
    seats: list[int]
    deals: list[int]
    scores: list[int] | None
    state: State
    said: VersionTold | None
    others: list[VersionTold]
    entry: int
    code: str | None
    real: bool


class RoundTold(BaseModel):
    """A round: its tables, and who sits out, is still at an earlier table, or is out."""

    number: int
    began: int
    tables: list[TableTold]
    byes: list[int]
    playing: list[int]
    beaten: list[int]


class RankTold(BaseModel):
    """What somebody has come to: points in all games, wins (2 each, 1 a tie), and byes.

    Ranked by points a game, in a Swiss movement by wins a game, in a knockout by how far they came.
    Fixed teams are ranked as teams; equals share a place. Whoever has no score yet comes last.
    """

    place: int
    person: int
    points: int
    games: int
    wins: int
    byes: int


class Promised(BaseModel):
    """Prepared deals that the server has dealt: all null where it has dealt none.

    ``commitment`` binds it to them; ``key`` is theirs, once all is over.
    """

    commitment: str | None
    key: str | None


class ScreensTold(Screens, Promised):
    """How tables on screens play, and when the next round begins by itself, ms since 1970.

    ``real`` are the numbers of tables that have real cards from the next round on. The rest says of
    prepared deals what the evening says.
    """

    real: list[int]
    next_at: int | None


class EveningTold(Promised):
    """An evening: its people, its last round, and who is ahead.

    ``rounds`` have begun; ``full`` is how many there are in all, null where it goes on: a
    knockout's are known once it is decided. ``deals`` is how many are prepared, and ``hands``
    how many each table plays in a round, null for a whole game. ``ends`` is when the clock runs
    out, milliseconds since 1970; null where none runs. ``sides`` are the seats of each side, by
    the number of seats; null where partners are called. ``missing`` are tables, by round and
    number, whose score does not count yet; those of them in ``stay`` may play on while others
    begin the next round. ``teams`` are fixed ones. ``screens`` is null where all tables have
    real cards.
    """

    name: str
    movement: str
    by_results: bool
    sides: dict[int, list[list[int]] | None]
    people: list[PersonTold]
    teams: list[list[int]]
    rounds: int
    full: int | None
    deals: int
    hands: int | None
    round: RoundTold | None
    missing: list[tuple[int, int]]
    stay: list[tuple[int, int]]
    standings: list[RankTold]
    pairs: list[PairTold]
    ends: int | None
    over: bool
    screens: ScreensTold | None


class EveningFile(BaseModel):
    """An evening to keep, with all its rounds."""

    evening: EveningTold
    rounds: list[RoundTold]


def evening_file(
    log: EveningLog, name: str, by: Namer, deals: EveningDeals | None = None
) -> EveningFile:
    """Return an evening with all its rounds; the arguments are those of `evening_told`."""
    rounds = range(1, len(log.evening.rounds) + 1)
    return EveningFile(
        evening=evening_told(log, name, by, deals=deals),
        rounds=[round_told(log, n, by) for n in rounds],
    )


def evening_told(
    log: EveningLog,
    name: str,
    by: Namer,
    *,
    veiled: bool = False,
    deals: EveningDeals | None = None,
) -> EveningTold:
    """Return an evening as it is now; `by` gives the name of whoever wrote an entry.

    What is `veiled` is for somebody who may still play the prepared deals. `deals` are those that
    the server has dealt.
    """
    evening = log.evening
    here, helping = {*evening.people, *evening.stand_ins}, {*evening.stand_ins}
    number = len(evening.rounds)
    promised = Promised(
        commitment=None if deals is None else deals.commitment,
        key=deals.key.hex() if deals is not None and log.is_open else None,
    )
    return EveningTold(
        **promised.model_dump(),
        name=name,
        movement=evening.movement,
        by_results=MOVEMENTS[evening.movement].by_results,
        sides={
            game.seats: game.sides and [list(side) for side in game.sides] for game in evening.games
        },
        people=[
            PersonTold(
                number=who,
                name=called,
                here=who in here,
                stands_in=who in helping,
                claimed=who in log.phones.of,
                bot=who in log.bots,
            )
            for who, called in enumerate(log.names)
        ],
        teams=[list(team) for team in evening.teams],
        rounds=number,
        full=rounds_in_all(evening),
        deals=prepared_deals(evening),
        hands=log.hands if MOVEMENTS[evening.movement].plan is None else evening.boards,
        round=round_told(log, number, by, veiled=veiled) if number else None,
        missing=[
            (at, table.number)
            for at, one in enumerate(evening.rounds, 1)
            for table in one.tables
            if table.scores is None
        ],
        stay=unfinished(evening),
        # Points are sums of what was scored with few deals.
        standings=[] if veiled else ranks_told(evening),
        pairs=pairs_told(log),
        ends=log.ends,
        over=log.over,
        screens=log.screens
        and ScreensTold(
            **log.screens.model_dump(),
            **promised.model_dump(),
            real=sorted(log.real),
            next_at=log.next_at,
        ),
    )


def round_told(log: EveningLog, number: int, by: Namer, *, veiled: bool = False) -> RoundTold:
    """Return a round of an evening, by its number from 1; see `evening_told`."""
    one = log.evening.rounds[number - 1]
    return RoundTold(
        number=number,
        began=log.begun[number - 1],
        tables=[table_told(log, number, table, by, veiled=veiled) for table in one.tables],
        byes=list(one.byes),
        playing=list(one.playing),
        beaten=list(one.beaten),
    )


def table_told(
    log: EveningLog, round_: int, table: Table, by: Namer, *, veiled: bool = False
) -> TableTold:
    """Return a table as it is in a round; see `evening_told`."""

    def version(one: Version[Rows]) -> VersionTold:
        rows = None if one.said is None else [list(row) for row in one.said]
        return VersionTold(
            rows=rows, by=by(one.entry), entry=one.entry, writers=sorted(one.writers)
        )

    said = log.said(round_, table.number)
    taken_back = said is None or (said.stands.said is None and not said.others)
    shown = None if veiled and table.boards else said
    return TableTold(
        number=table.number,
        seats=list(table.seats),
        deals=list(table.boards),
        scores=None if table.scores is None or shown is None else list(table.scores),
        state="open" if said is None or taken_back else said.state,
        said=None if shown is None else version(shown.stands),
        others=[] if shown is None else [version(one) for one in shown.others],
        entry=0 if said is None else said.newest,
        code=log.codes.get((round_, table.number)),
        real=not log.plays_on_screens(round_, table.number),
    )


def ranks_told(evening: Evening) -> list[RankTold]:
    """Return what each person who is there has come to, whoever is ahead first."""
    return [RankTold(place=place, **row._asdict()) for place, row in placed(evening)]
