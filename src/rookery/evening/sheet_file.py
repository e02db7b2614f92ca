"""A score sheet as a file that a person writes, TOML or JSON, and as what a command prints of it.

rules = "kd_tournament"
players = ["Ann", "Bob", "Cy", "Dee"]

[[hand]]
declarer = "Ann"
bid = 95
points = { Ann = "60+40-5" }
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from rookery.evening.score_sheet import ScoreSheet
from rookery.evening.tally import BadTally, Each, Tally
from rookery.rules import Rules, RulesError, load, parse, quoted

BLIND: Final = "blind hand"
SEATS: Final = 8  # at most, in any game
_SUM: Final = re.compile(r"\s*[+-]?\s*\d{1,5}(?:\s*[+-]\s*\d{1,5}){0,40}\s*", re.ASCII)


class BadSheet(ValueError):
    """A file is no score sheet; the line says where, what is wrong, and what was expected."""


def sum_of(written: object) -> object:
    """Return what a sum such as ``10+15+8-5`` comes to; what is no sum is returned as it is.

    >>> sum_of("10+15+8-5"), sum_of(65), sum_of("ten")
    (28, 65, 'ten')
    """
    if not isinstance(written, str) or not _SUM.fullmatch(written):
        return written
    return sum(map(int, re.findall(r"[+-]?\d+", re.sub(r"\s", "", written))))


Count = Annotated[int, Field(ge=0, le=99_999), BeforeValidator(sum_of)]


Name = Annotated[str, Field(max_length=40)]
Counts = Annotated[dict[Name, Count], Field(max_length=SEATS)]


class HandSaid(BaseModel, extra="forbid", strict=True):
    """What is said of one hand; players stand in it by name. See `Tally`."""

    redealt: bool = False
    declarer: Name | None = None
    bid: Annotated[int, Field(ge=0, le=99_999)] | Literal["sun"] | None = None
    partners: Annotated[list[Name], Field(max_length=SEATS)] = []
    points: Counts = {}
    tricks: Counts = {}
    last_trick: Name | None = None
    first_to_six: Name | None = None
    revoked: Name | None = None


class SheetFile(BaseModel, extra="forbid", strict=True):
    """A score sheet as it is written down.

    ``rules`` is an id of the catalogue, or changes to one; ``hands`` says how many hands the game
    has, where it does not go to the target; ``dealer`` is who dealt first.
    """

    rules: str | dict[str, Any]
    players: list[Annotated[str, Field(min_length=1, max_length=40)]]
    hands: Annotated[int, Field(ge=1, le=1000)] | None = None
    dealer: str | None = None
    hand: Annotated[list[HandSaid], Field(max_length=1000)] = []


class EntrySeen(BaseModel):
    """One hand of a score sheet; seats are numbered from 0, in the order of ``players``.

    ``sides`` has the declarer's first, and ``points`` what each of them took, bonuses too.
    ``extra`` is a hand after the end of the game, which counts for nothing.
    """

    hand: int
    dealer: int
    declarer: int | None
    bid: int | str | None
    sides: list[list[int]]
    points: list[int]
    made: bool | None
    score: list[int] | None
    totals: list[int]
    extra: bool


class SheetSeen(BaseModel):
    """A score sheet: what each hand scored, the totals, and the seats that have won, if any."""

    rules: str = Field(description="The name of the rules.")
    players: list[str]
    hands: list[EntrySeen]
    totals: list[int]
    winners: list[int]
    dealer: int = Field(description="Who deals next.")


def read(text: str, name: str = "sheet") -> tuple[ScoreSheet, tuple[str, ...]]:
    """Return the score sheet in the text of a file, and who sits in each seat.

    It is TOML or JSON, as the ending of the file's name says.

    Raises:
        BadSheet: it is none, or what is said of a hand cannot be.
    """
    try:
        written = parse(text, name)
        file = SheetFile.model_validate(written)
        rules = load(file.rules)
    except ValidationError as error:
        raise BadSheet(first_fault(error, "hand", (HandSaid, SheetFile), _EXPECTED)) from None
    except RulesError as error:
        raise BadSheet(str(error)) from None
    names = tuple(file.players)
    if len(names) != rules.seats or len(set(names)) < len(names):
        raise BadSheet(f"players: expected {rules.seats} different names, for {rules.name}")
    try:
        dealer = 0 if file.dealer is None else _seat(names, "dealer", file.dealer)
    except BadTally as error:
        raise BadSheet(f"dealer: {error.reason}") from None
    sheet = ScoreSheet(rules, hands=file.hands, dealer=dealer)
    for number, said in enumerate(file.hand, 1):
        try:
            sheet.write(tally_of(said, rules, names))
        except BadTally as error:
            raise BadSheet(f"hand {number}: {error.code}: {error.to(names)}") from None
    return sheet, names


def tally_of(said: HandSaid, rules: Rules, names: Sequence[str]) -> Tally:
    """Return what is said of a hand, with seats in place of names or of their numbers.

    Raises:
        BadTally: it names somebody who is not there.
    """

    def seat(what: str, name: str | None) -> int | None:
        return None if name is None else _seat(names, what, name)

    def each(what: str, said: Mapping[str, int]) -> Each:
        by_seat = {_seat(names, what, name): many for name, many in said.items()}
        if len(by_seat) < len(said):
            raise BadTally(what, "somebody is there by name and by number")
        return tuple(by_seat.get(seat) for seat in range(len(names)))

    blind = rules.blind and said.last_trick == BLIND
    return Tally(
        declarer=seat("declarer", said.declarer),
        bid=said.bid,
        partners=tuple(_seat(names, "partners", name) for name in said.partners),
        points=each("points", said.points),
        tricks=each("tricks", said.tricks) if said.tricks else (),
        last_trick=rules.seats if blind else seat("last-trick", said.last_trick),
        first_to_six=seat("first-to-six", said.first_to_six),
        revoked=seat("revoked", said.revoked),
        redealt=said.redealt,
    )


def said_of(tally: Tally, seats: int) -> HandSaid:
    """Return what is said of a hand, players by the number of their seat, as `tally_of` reads it.

    >>> said_of(Tally(0, 95, points=(60, None)), 4).model_dump(exclude_defaults=True)
    {'declarer': '0', 'bid': 95, 'points': {'0': 60}}
    """

    def name(seat: int | None) -> str | None:
        return None if seat is None else BLIND if seat == seats else str(seat)

    def each(said: Each) -> dict[str, int]:
        return {str(seat): many for seat, many in enumerate(said) if many is not None}

    return HandSaid(
        redealt=tally.redealt,
        declarer=name(tally.declarer),
        bid=tally.bid,
        partners=[str(seat) for seat in tally.partners],
        points=each(tally.points),
        tricks=each(tally.tricks),
        last_trick=name(tally.last_trick),
        first_to_six=name(tally.first_to_six),
        revoked=name(tally.revoked),
    )


def seen(sheet: ScoreSheet, names: Sequence[str]) -> SheetSeen:
    """Return a score sheet ready for JSON."""
    return SheetSeen(
        rules=sheet.rules.name,
        players=list(names),
        hands=[
            EntrySeen(
                hand=one.line.number,
                dealer=one.line.dealer,
                declarer=one.line.declarer,
                bid=one.line.bid,
                sides=[list(side) for side in one.sides],
                points=list(one.points),
                made=one.made,
                score=None if one.line.score is None else list(one.line.score),
                totals=list(one.line.totals),
                extra=one.extra,
            )
            for one in sheet.entries
        ],
        totals=list(sheet.totals),
        winners=list(sheet.winners),
        dealer=sheet.dealer,
    )


def _seat(names: Sequence[str], what: str, name: str) -> int:
    """Return the seat of a name; a number that is nobody's name is a seat's."""
    if name not in names and name in map(str, range(len(names))):
        return int(name)
    if name not in names:
        raise BadTally(what, f"nobody is called {quoted(name)}; expected {', '.join(names)}")
    return names.index(name)


def first_fault(
    error: ValidationError,
    listed: str,
    models: tuple[type[BaseModel], type[BaseModel]],
    expected: Mapping[str, str],
) -> str:
    """Return the first validation error of a file in words, with what is expected of the key.

    `listed` is the key of the file's list; the models are of what is in it, and of the whole file.
    A key that is not among those of `expected` is one of a score sheet.
    """
    fault = error.errors()[0]
    where = list(fault["loc"])
    is_listed = len(where) > 1 and where[0] == listed
    place = f"{listed} {int(where[1]) + 1}" if is_listed else ""
    keys = where[2:] if is_listed else where
    key = str(keys[0]) if keys else listed
    place = f"{place}: {key}" if place and keys else place or key
    if fault["type"] == "extra_forbidden":
        names = ", ".join(models[0 if is_listed else 1].model_fields)
        return f"{place}: there is no such key; there are {names}"
    wanted = expected.get(key, "what a score sheet has there")
    if fault["type"] == "missing":
        return f"{place}: is missing; expected {wanted}"
    return f"{place}: {quoted(fault['input'])} will not do; expected {wanted}"


_EXPECTED: Final = {
    "rules": "an id of the catalogue, or changes to one",
    "players": "a list of names, one a seat",
    "hands": "how many hands the game has, 1 to 1000, or nothing",
    "dealer": "the name of who dealt first",
    "hand": "a table [[hand]] for each hand, 1000 at most",
    "redealt": "true or false",
    "declarer": "a name",
    "bid": 'points, or "sun"',
    "partners": "a list of names",
    "points": "points by name, such as { Ann = 65 } or { Ann = '60+10-5' }",
    "tricks": "numbers by name, such as { Ann = 7 }",
    "last_trick": "a name",
    "first_to_six": "a name",
    "revoked": "a name",
}
