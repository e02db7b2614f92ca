"""What happens on an evening: it begins, people come and leave, seats are changed, tables score.

Each function returns another evening. Rounds that began keep their seats, except that `exchange`
changes seats of the last one, at tables without a score.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.rounds import laid_out, plays_again
from rookery.evening.movements.state import (
    BOARDS,
    FOUR,
    Evening,
    EveningError,
    Game,
    Table,
    Team,
    seated,
)
from rookery.evening.movements.teams import formed

MOST_PEOPLE: Final = 1000
MOST_BOARDS: Final = 20  # in a round


def begin(
    movement: str,
    people: int,
    games: Sequence[Game] = (FOUR,),
    seed: int = 0,
    best_of: int = 1,
    boards: int = BOARDS,
) -> Evening:
    """Return an evening before its first round; people are seeded in the order of their numbers.

    Raises:
        EveningError: ``movement``, ``people``, ``game``, ``best-of``, ``boards``; ``too-few`` and
            ``too-many`` where there is no plan for so many teams.
    """
    if movement not in MOVEMENTS:
        expected = ", ".join(MOVEMENTS)
        raise EveningError("movement", f"movement {movement!r}: expected one of {expected}")
    kind = MOVEMENTS[movement]
    _check_games(movement, games)
    sides = games[0].sides or ()
    least = min(game.seats for game in games)
    if not least <= people <= MOST_PEOPLE:
        line = f"people {people}: expected a number from {least} to {MOST_PEOPLE}"
        raise EveningError("people", line)
    if best_of < 1 or best_of % 2 == 0 or (best_of > 1 and not kind.defeats):
        expected = "an odd number" if kind.defeats else "1; only knockouts have longer matches"
        raise EveningError("best-of", f"best of {best_of}: expected {expected}")
    if not 1 <= boards <= MOST_BOARDS:
        raise EveningError("boards", f"boards {boards}: expected a number from 1 to {MOST_BOARDS}")
    begun = Evening(
        movement,
        tuple(range(people)),
        people,
        games=tuple(games),
        teams=formed(range(people), len(sides[0])) if kind.fixed_teams else (),
        seed=seed,
        best_of=best_of,
        boards=boards,
    )
    if kind.plan is not None:
        laid_out(begun)  # refuses a number of teams that it cannot seat
    return begun


def _check_games(movement: str, games: Sequence[Game]) -> None:
    """Refuse games that a movement cannot seat."""
    sizes = [game.seats for game in games]
    if not sizes or len(set(sizes)) < len(sizes):
        raise EveningError("game", f"games for {sizes} people: expected each number once")
    kind = MOVEMENTS[movement]
    if kind.called:
        return
    if len(games) > 1:
        raise EveningError("game", f"{movement}: expected one game, and tables of one size")
    sides = games[0].sides or ()
    alone = len(sides) == 2 and not games[0].partners
    if len(sides) != 2 or (alone and not kind.fixed_teams):
        raise EveningError("game", f"{movement}: expected a game of two sides with fixed partners")
    if movement == "progressive" and games[0] != FOUR:
        raise EveningError("game", "progressive: expected a game of two pairs at a table")


def arrive(evening: Evening, again: int | None = None) -> Evening:
    """Return the evening with one more person, who plays from the next round on.

    `again` is the number of somebody who left and is back; others get the next number. With fixed
    teams they join one that lacks somebody. Otherwise they make a new team with whoever is one too
    many in theirs, or are one too many themselves until somebody else comes.

    Raises:
        EveningError: ``knockout`` where one has begun: no new team comes in; ``no-person`` where
            nobody of that number has left.
    """
    left = set(range(evening.known)) - {*evening.people, *evening.stand_ins}
    if again is not None and again not in left:
        raise EveningError("no-person", f"person {again}: has not left")
    person = evening.known if again is None else again
    helped = tuple(one for one in evening.helped if one != person)
    known = max(evening.known, person + 1)
    more = replace(evening, people=(*evening.people, person), helped=helped, known=known)
    if not evening.teams or any(person in team for team in evening.teams):
        return more
    members = len((evening.games[0].sides or ((),))[0])
    teams = here(evening)
    for place, team in enumerate(teams):
        if 0 < len(team) < members and place not in evening.withdrawn:
            return _joined(more, teams, place, (*team, person))
    if evening.rounds and MOVEMENTS[evening.movement].defeats:
        raise EveningError("knockout", "a knockout has begun; nobody new comes in")
    extra = [(place, p) for place, team in enumerate(teams) for p in team[members:]]
    if len(extra) + 1 >= members:
        moved = [p for _, p in extra[: members - 1]]
        kept = [tuple(p for p in team if p not in moved) for team in teams]
        return _joined(more, kept, len(teams), (*moved, person))
    last = max((place for place, team in enumerate(teams) if team), default=None)
    if last is None:  # all have left
        return _joined(more, teams, len(teams), (person,))
    return _joined(more, teams, last, (*teams[last], person))


def here(evening: Evening) -> list[Team]:
    """Return those of each fixed team who are there."""
    return [tuple(p for p in team if p in evening.people) for team in evening.teams]


def _joined(evening: Evening, teams: Sequence[Team], place: int, team: Team) -> Evening:
    """Return the evening with these teams, of which one is at a place, or a new one at the end.

    One of which nobody is there stays as it was: its results are theirs, and they may come back.
    """
    put = (*teams[:place], team, *teams[place + 1 :])
    before = (*evening.teams, team)
    return replace(evening, teams=tuple(now or was for now, was in zip(put, before, strict=False)))


def leave(evening: Evening, person: int) -> Evening:
    """Return the evening without somebody, who plays no more from the next round on.

    A team that can no longer sit down is not paired, and gives up a knockout.

    Raises:
        EveningError: ``no-person``.
    """
    if person not in (*evening.people, *evening.stand_ins):
        raise EveningError("no-person", f"person {person}: is not there")
    people = tuple(other for other in evening.people if other != person)
    helping = tuple(other for other in evening.stand_ins if other != person)
    return replace(evening, people=people, stand_ins=helping)


def stand_in(evening: Evening) -> Evening:
    """Return the evening with one more stand-in, who fills a seat where one is missing.

    A stand-in may be somebody who helps out, or a bot. They are never owed a game.
    """
    one = evening.known
    helping, helped = (*evening.stand_ins, one), (*evening.helped, one)
    return replace(evening, stand_ins=helping, helped=helped, known=one + 1)


def exchange(evening: Evening, one: int, other: int, *, teams_only: bool = False) -> Evening:
    """Return the evening with the places of two people exchanged in the last round, by hand.

    One of them may sit out in it. With fixed teams two of one team change places, and two of
    different teams do so with their partners; in a knockout the bracket says who meets whom.
    `teams_only` is that of `plays_again`.

    Raises:
        EveningError: ``no-round``, ``no-person`` where one has no place in the round, ``scored``
            where one of their tables has a score, ``teams`` where teams cannot change places,
            or would play a prepared deal again.
    """
    if not evening.rounds:
        raise EveningError("no-round", "no round has begun; there are no seats to exchange")
    last = evening.rounds[-1]
    sitting = set(seated(last.tables))
    for person in (one, other):
        if person not in sitting and person not in last.byes:
            raise EveningError("no-person", f"person {person}: has no place in the last round")
    turn = {one: other, other: one}
    if evening.teams and not any({one, other} <= set(team) for team in evening.teams):
        turn |= _exchanged_teams(evening, one, other)
    for table in last.tables:
        if table.scores is not None and turn.keys() & set(table.seats):
            raise EveningError("scored", f"table {table.number}: has a score; seats stay")
    tables = tuple(
        replace(
            table,
            seats=tuple(turn.get(who, who) for who in table.seats),
            teams=tuple(_team_of(evening, turn, table, i) for i in range(len(table.teams))),
        )
        for table in last.tables
    )
    changed = replace(last, tables=tables, byes=tuple(turn.get(who, who) for who in last.byes))
    before = replace(evening, rounds=evening.rounds[:-1])
    moved = [new for old, new in zip(last.tables, tables, strict=True) if old != new]
    if any(plays_again(before, table, teams_only=teams_only) for table in moved):
        raise EveningError("teams", f"{one} and {other}: one has played these deals already")
    return replace(evening, rounds=(*evening.rounds[:-1], changed))


def _exchanged_teams(evening: Evening, one: int, other: int) -> dict[int, int]:
    """Return who takes whose place when the teams of two people exchange theirs."""
    if MOVEMENTS[evening.movement].defeats:
        raise EveningError("teams", "in a knockout the bracket says who meets whom")
    last = evening.rounds[-1]
    lineups = []
    for person in (one, other):
        at = {
            tuple(table.seats[seat] for seat in side)
            for table in last.tables
            for side in evening.game_at(table).sides or ()
        }
        resting = [tuple(p for p in team if p in last.byes) for team in evening.teams]
        lineups += [group for group in (*at, *resting) if person in group][:1]
    if len(lineups) < 2 or len(lineups[0]) != len(lineups[1]):
        raise EveningError("teams", f"{one} and {other}: expected people of two whole teams")
    first, second = lineups
    return dict(zip(first, second, strict=True)) | dict(zip(second, first, strict=True))


def _team_of(evening: Evening, turn: dict[int, int], table: Table, side: int) -> int:
    """Return the team on a side of a table after people have changed places."""
    first = (evening.game_at(table).sides or ())[side][0]
    before, after = table.seats[first], turn.get(table.seats[first], table.seats[first])
    if before == after or after in evening.teams[table.teams[side]]:
        return table.teams[side]
    # Whoever has left since the round began belongs to no team any more, but plays on for theirs.
    playing = {
        other.seats[seat]: team
        for other in evening.rounds[-1].tables
        for team, side in zip(other.teams, evening.game_at(other).sides or (), strict=False)
        for seat in side
    }
    teams = {who: place for place, team in enumerate(evening.teams) for who in team}
    return (teams | playing)[after]


def score(evening: Evening, round_: int, table: int, scores: Sequence[int] | None) -> Evening:
    """Return the evening with what each seat of a table scored, also where it had a score before.

    None takes a score back. Rounds that have begun since then stay; the standings and the next
    round follow the new score. Rounds are numbered from 1, as tables are.

    Raises:
        EveningError: ``no-round``, ``no-table``, ``scores`` where there is not one for each seat,
            or partners have different ones.
    """
    found, where = evening.table(round_, table), f"round {round_}, table {table}"
    game = evening.game_at(found)
    if scores is not None and len(scores) != game.seats:
        raise EveningError("scores", f"{where}: {len(scores)} scores; expected {game.seats}")
    if scores is not None and any(scores[a] != scores[b] for a, b in game.partners):
        raise EveningError("scores", f"{where}: expected the same score for partners")
    scored = replace(found, scores=None if scores is None else tuple(scores))
    one = evening.rounds[round_ - 1]
    tables = tuple(scored if other is found else other for other in one.tables)
    rounds = (*evening.rounds[: round_ - 1], replace(one, tables=tables), *evening.rounds[round_:])
    return replace(evening, rounds=rounds)
