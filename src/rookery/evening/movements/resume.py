"""An evening that goes on from rounds that were written down, as the command prints them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic import BaseModel, Field, ValidationError

from rookery.evening.movements.changes import score
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.rounds import laid_out
from rookery.evening.movements.schedule import SeatedTable
from rookery.evening.movements.state import Evening, EveningError, Round, Table, seated
from rookery.rules import RulesError, parse


class WrittenTable(SeatedTable, strict=True):
    """A table as `rookery evening schedule --json` prints it, with what each seat scored."""

    table: int = Field(ge=1)


class WrittenRounds(BaseModel, strict=True):
    """The rounds of an evening so far; whatever else the document has is left aside.

    Who is not at a table sits out, if ``byes`` say nothing of the round.
    """

    rounds: list[list[WrittenTable]]
    byes: list[list[int]] = []


def read_rounds(text: str, name: str = "rounds") -> WrittenRounds:
    """Return the rounds that the text of a file holds, JSON or TOML by its name.

    Raises:
        EveningError: it has none; code ``file``.
    """
    try:
        found: Any = parse(text, name)
        return WrittenRounds.model_validate(found)
    except RulesError as error:
        raise EveningError("file", str(error)) from None
    except ValidationError as error:
        fault = error.errors()[0]
        place = ".".join(map(str, fault["loc"])) or "the file"
        line = f"{place}: expected rounds as --json prints them, with scores at each table"
        raise EveningError("file", line) from None


def resumed(begun: Evening, written: WrittenRounds) -> Evening:
    """Return an evening, given before its first round, with rounds as they were played.

    Nothing of them is seated anew.

    Raises:
        EveningError: these people cannot have sat so; codes ``seats`` and those of `score`.
    """
    evening = begun if MOVEMENTS[begun.movement].plan is None else laid_out(begun)
    known = {*begun.people, *begun.stand_ins}
    rounds = []
    for number, one in enumerate(written.rounds, 1):
        tables = tuple(_table(evening, number, table) for table in one)
        sitting = list(seated(tables))
        numbers = [table.number for table in tables]
        if not tables:
            raise EveningError("seats", f"round {number}: nobody plays; expected a table")
        if len({*sitting}) < len(sitting) or len({*numbers}) < len(numbers):
            raise EveningError("seats", f"round {number}: a person or a table is there twice")
        if not known.issuperset(sitting):
            raise EveningError("seats", f"round {number}: expected people from 0 to {max(known)}")
        others = [person for person in begun.people if person not in sitting]
        told = written.byes[number - 1] if number <= len(written.byes) else others
        byes = tuple(person for person in told if person in others)
        beaten = tuple(person for person in others if person not in byes)
        rounds.append(Round(tables, byes, beaten=beaten))
    played = replace(evening, rounds=tuple(rounds))
    for number, one in enumerate(written.rounds, 1):
        for table in one:
            if table.scores is not None:
                played = score(played, number, table.table, table.scores)
    return played


def _table(evening: Evening, number: int, written: WrittenTable) -> Table:
    where = f"round {number}, table {written.table}"
    game = next((game for game in evening.games if game.seats == len(written.seats)), None)
    if game is None:
        raise EveningError(
            "seats", f"{where}: {len(written.seats)} people; expected a game's seats"
        )
    teams = []
    for side in game.sides or () if evening.teams else ():
        who = {written.seats[seat] for seat in side} - {*evening.stand_ins}
        team = next((at for at, team in enumerate(evening.teams) if who and who <= {*team}), None)
        if team is None:
            raise EveningError("seats", f"{where}: expected a whole pair on each side")
        teams.append(team)
    return Table(written.table, tuple(written.seats), None, tuple(teams), tuple(written.boards))
