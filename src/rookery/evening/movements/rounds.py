"""The next round of an evening: from who is there, where they sat, and what they scored.

And the place that everybody has: in a knockout that is how far they have come.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from rookery.evening.movements.plan import FEWEST, Rounds
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.standings import Standing, standings
from rookery.evening.movements.state import Evening, EveningError, Round, Table, Team, seated
from rookery.evening.movements.teams import of_teams
from rookery.fairness.evening import MOST_DEALS

if TYPE_CHECKING:
    from rookery.evening.movements.knockout import Stage


def next_round(evening: Evening, slow: Iterable[int] = ()) -> Evening:
    """Return the evening with one more round.

    The tables with the numbers `slow` have not finished. Their people stay there, and their number
    is not given to another table meanwhile.

    Raises:
        EveningError: ``not-scored``, ``no-table``, ``scored``, ``too-few``, ``too-many``,
            ``over``.
    """
    movement = MOVEMENTS[evening.movement]
    staying = [_unfinished(evening, number) for number in sorted(set(slow))]
    if movement.by_results:
        _check_scores(evening, staying)
    playing = tuple(seated(staying))
    free = [person for person in evening.people if person not in playing]
    fillers = [person for person in evening.stand_ins if person not in playing]
    taken = {table.number for table in staying}
    numbers = (number for number in count(1) if number not in taken)
    out: Collection[int] = ()
    if movement.seats is not None:
        seats = movement.seats(evening, free, fillers)
        tables = [Table(number, who) for number, who in zip(numbers, seats, strict=False)]
    elif movement.plan is not None:
        evening = laid_out(evening)
        tables = list(_planned(evening, free, fillers, taken))
    else:
        if movement.pairs is None:
            evening, lineups, pairs, out = _knockout(evening, free, fillers, staying)
        else:
            lineups = dict(_lineups(evening, free, fillers))
            pairs = movement.pairs(of_teams(evening, list(lineups)), list(lineups))
        tables = [
            Table(number, _seats(evening, [lineups[team] for team in pair]), teams=tuple(pair))
            for number, pair in zip(numbers, pairs, strict=False)
        ]
    if not tables and not playing:
        raise EveningError("too-few", f"{len(free)} people are too few for a table")
    at_tables = set(seated(tables))
    beaten = tuple(
        p for p in free if any(p in evening.teams[t] for t in out) and p not in at_tables
    )
    byes = tuple(person for person in free if person not in at_tables and person not in beaten)
    return replace(evening, rounds=(*evening.rounds, Round(tuple(tables), byes, playing, beaten)))


def unfinished(evening: Evening) -> list[tuple[int, int]]:
    """Return the tables that may be called slow in the next round: the round and the number."""
    return sorted(
        (at, number)
        for number, (at, table) in _tables_now(evening).items()
        if table.scores is None and _is_under_way(evening, at, table)
    )


def _tables_now(evening: Evening) -> dict[int, tuple[int, Table]]:
    """Return the table that each number stands for now, with its round, from 1."""
    return {
        table.number: (at, table)
        for at, one in enumerate(evening.rounds, 1)
        for table in one.tables
    }


def _is_under_way(evening: Evening, at: int, table: Table) -> bool:
    """Return whether the people of a table of a round, from 1, are still at it."""
    if at == len(evening.rounds):
        return True
    # Else they are at a later one, and nobody has said what this one scored.
    one, since = table.seats[0], evening.rounds[at:]
    return one in since[-1].playing and not any(one in seated(later.tables) for later in since)


def laid_out(evening: Evening) -> Evening:
    """Return an evening of prepared deals with these laid out for the teams that are there.

    Whoever comes later takes the place that is empty, where the teams are odd in number.

    Raises:
        EveningError: ``too-many``, ``too-few``, ``too-many-deals``.
    """
    if evening.planned:
        return evening
    teams, most = len(evening.teams), MOVEMENTS[evening.movement].most_teams
    if teams > most:
        line = f"{teams} pairs: expected {most} at most; mitchell seats more"
        raise EveningError("too-many", f"{evening.movement}, {line}")
    if teams < FEWEST:
        line = f"{teams} pairs: expected {FEWEST} at least; else nobody plays the same deals"
        raise EveningError("too-few", f"{evening.movement}, {line}")
    found = replace(evening, planned=teams + teams % 2)
    if (deals := prepared_deals(found)) > MOST_DEALS:
        line = f"{teams} pairs, {evening.boards} deals a round: {deals} deals in all"
        raise EveningError("too-many-deals", f"{line}, expected {MOST_DEALS} at most")
    return found


def _planned(
    evening: Evening, free: Sequence[int], fillers: Sequence[int], taken: set[int]
) -> Iterator[Table]:
    """Yield the tables of the next round of a plan at which two teams can sit down.

    A table whose number is taken by a slow one has a number behind all others. Whoever has
    changed places by hand, or belongs to another team now, sits out rather than play a deal again.
    So only a table that begins takes stand-ins, of those who have not played its deals.
    """
    rounds = planned_rounds(evening)
    if len(evening.rounds) >= len(rounds):
        raise EveningError("over", f"the movement is over: it has {len(rounds)} rounds")
    spare = count(1 + max(one.table for tables in rounds for one in tables))
    numbers = (number for number in spare if number not in taken)
    sitting, met = set[int](), evening.met_by_person
    for placed in rounds[len(evening.rounds)]:
        first = placed.deals * evening.boards + 1
        boards = tuple(range(first, first + evening.boards))
        ready = [who for who in fillers if who not in sitting and met[who].isdisjoint(boards)]
        lineups = dict(_lineups(evening, free, ready, placed.pairs))
        if len(lineups) < len(placed.pairs):
            continue
        seats = _seats(evening, [lineups[team] for team in placed.pairs])
        table = Table(placed.table, seats, teams=placed.pairs, boards=boards)
        if not plays_again(evening, table):
            sitting |= {*seats}
            yield replace(table, number=next(numbers)) if table.number in taken else table


def planned_rounds(evening: Evening) -> Rounds:
    """Return all rounds of an evening whose prepared deals are laid out; () without any."""
    plan = MOVEMENTS[evening.movement].plan
    return plan(evening.planned) if plan is not None and evening.planned else ()


def prepared_deals(evening: Evening) -> int:
    """Return how many deals are prepared for an evening that is laid out."""
    return evening.boards * len({one.deals for row in planned_rounds(evening) for one in row})


def rounds_in_all(evening: Evening) -> int | None:
    """Return how many rounds an evening has; None where it goes on, or nobody knows.

    A knockout has as many as were played once it is decided, which may be early.
    """
    planned, movement = planned_rounds(evening), MOVEMENTS[evening.movement]
    if planned or not evening.rounds or not movement.defeats or unfinished(evening):
        return len(planned) or None
    *_, now = _stage(evening, evening.people, evening.stand_ins, ())
    return None if now.won is None else len(evening.rounds)


def plays_again(evening: Evening, table: Table, *, teams_only: bool = False) -> bool:
    """Return whether anybody at a table has played its prepared deals before, or is at them.

    That is a team, or somebody who has sat there for another one; with `teams_only`, a team.
    """
    met = [evening.met_by_team[team] for team in table.teams]
    met += [] if teams_only else [evening.met_by_person[who] for who in table.seats]
    return any(not one.isdisjoint(table.boards) for one in met)


def fits(evening: Evening, laid: Round) -> bool:
    """Return whether a round that was laid elsewhere can be told as the next one of an evening.

    All its people and teams have to be known, and no team plays a prepared deal again.
    """
    people = {*seated(laid.tables), *laid.byes, *laid.playing, *laid.beaten}
    teams = {team for table in laid.tables for team in table.teams}
    if not (people <= {*range(evening.known)} and teams <= {*range(len(evening.teams))}):
        return False
    return not any(plays_again(evening, table, teams_only=True) for table in laid.tables)


def _unfinished(evening: Evening, number: int) -> Table:
    """Return a table that is called slow."""
    now = _tables_now(evening)
    if number not in now:
        raise EveningError("no-table", f"table {number}: there is none of that number")
    at, table = now[number]
    if table.scores is not None:
        raise EveningError("scored", f"table {number}: has a score, so it is not slow")
    if not _is_under_way(evening, at, table):
        raise EveningError("no-table", f"table {number}: nobody is at it any more")
    return table


def _check_scores(evening: Evening, unfinished: Sequence[Table]) -> None:
    for number, one in enumerate(evening.rounds, 1):
        for table in one.tables:
            if table.scores is None and table not in unfinished:
                line = f"round {number}, table {table.number}: no score yet"
                raise EveningError(
                    "not-scored", f"{line}; expected one, or the table as a slow one"
                )


def _lineups(
    evening: Evening,
    free: Sequence[int],
    fillers: Sequence[int],
    wanted: Collection[int] | None = None,
) -> Iterator[tuple[int, Team]]:
    """Yield each team that can sit down, by its place, with who plays for it.

    In a team of more than a side they take turns. A stand-in plays for whoever has left, but for
    none of a team that is not `wanted`, where that is said.
    """
    members = len((evening.games[0].sides or ((),))[0])
    spare, at_hand, here = list(fillers), {*free}, {*evening.people}
    for place, team in enumerate(evening.teams):
        if wanted is not None and place not in wanted:
            continue
        ready = [person for person in team if person in at_hand]
        ready.sort(key=lambda person: evening.played[person])
        missing = members - len(ready)
        busy = any(person in here and person not in at_hand for person in team)
        if ready and not busy and missing <= len(spare) and place not in evening.withdrawn:
            fill = [spare.pop(0) for _ in range(missing)]
            yield place, (*sorted(ready[:members]), *fill)


def _seats(evening: Evening, lineup: Sequence[Team]) -> tuple[int, ...]:
    """Return the seats of a table, each team on its side."""
    game = evening.games[0]
    seats = [0] * game.seats
    for side, team in zip(game.sides or (), lineup, strict=True):
        for seat, person in zip(side, team, strict=True):
            seats[seat] = person
    return tuple(seats)


def _knockout(
    evening: Evening, free: Sequence[int], fillers: Sequence[int], unfinished: Sequence[Table]
) -> tuple[Evening, dict[int, Team], list[tuple[int, ...]], Collection[int]]:
    """Return the evening, who can play, the matches that can go on, and the teams that are out."""
    evening, lineups, now = _stage(evening, free, fillers, unfinished)
    if now.won is not None:
        names = " and ".join(map(str, evening.teams[now.won]))
        raise EveningError("over", f"the knockout is over: {names} have won")
    busy = {team for table in unfinished for team in table.teams}
    return evening, lineups, [pair for pair in now.due if not busy & set(pair)], now.beaten


def _stage(
    evening: Evening, free: Sequence[int], fillers: Sequence[int], unfinished: Sequence[Table]
) -> tuple[Evening, dict[int, Team], Stage]:
    """Return the evening, who can play, and how far its knockout has come.

    A team that cannot sit down, though it is not at a slow table, gives up: it loses its match.
    """
    # Imported late: most evenings are no knockout.
    from rookery.evening.movements.knockout import stage

    busy = {team for table in unfinished for team in table.teams}
    double = MOVEMENTS[evening.movement].defeats > 1
    while True:
        now = stage(of_teams(evening, ()), double)
        due = {team for pair in now.due for team in pair}
        lineups = dict(_lineups(evening, free, fillers, due))
        absent = due - busy - lineups.keys()
        if now.won is not None or not absent:
            return evening, lineups, now
        evening = replace(evening, withdrawn=(*evening.withdrawn, *sorted(absent)))


def placed(evening: Evening) -> list[tuple[int, Standing]]:
    """Return what each person who is there has come to, with their place, whoever is ahead first.

    Ranked by points a game, in a Swiss movement by wins a game, in a knockout by how far they came.
    Fixed teams are ranked as teams. Equals share a place, and whoever has no score yet comes last.
    """
    movement, by_wins = MOVEMENTS[evening.movement], evening.movement == "swiss"
    rows = units = standings(evening, by_wins)
    unit_of = {row.person: row.person for row in rows}
    now: Stage | None = None
    if movement.fixed_teams:
        unit_of = {who: place for place, team in enumerate(evening.teams) for who in team}
        units = standings(of_teams(evening, sorted({unit_of[row.person] for row in rows})), by_wins)
    if movement.defeats:
        at_play = [_unfinished(evening, number) for _, number in unfinished(evening)]
        *_, now = _stage(evening, evening.people, evening.stand_ins, at_play)

    def figure(row: Standing) -> tuple[float, ...]:
        if now is not None:
            return (now.came(row.person),)
        if not row.games:
            return ()
        points, wins = row.points / row.games, row.wins / row.games
        return (wins, points) if by_wins else (points,)

    figures = {row.person: figure(row) for row in units}
    order = sorted(figures, key=lambda unit: figures[unit], reverse=True)
    at = {unit: i for i, unit in enumerate(order)}
    first = dict[tuple[float, ...], int]()
    return [
        (first.setdefault(figures[unit_of[row.person]], place), row)
        for place, row in enumerate(sorted(rows, key=lambda row: at[unit_of[row.person]]), 1)
    ]
