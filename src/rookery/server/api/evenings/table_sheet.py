"""The score sheet of a table at an evening: who keeps it, and how its total becomes a score.

It is a score sheet like any other, which belongs to whoever made the evening. Its code and key
follow from the evening's secret, so two phones that begin it at once have the same one. It keeps
seats and no names: those stand in the evening alone.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from secrets import token_hex
from typing import Any, Final, NamedTuple

from pydantic import BaseModel, ValidationError

from rookery.evening.log.changes import RoundNumber, Rows, Score, TableNumber
from rookery.evening.log.fold import EveningLog
from rookery.evening.log.told import State
from rookery.evening.movements.state import EveningError
from rookery.evening.score_sheet import ScoreSheet
from rookery.evening.tally import Tally
from rookery.evening.versions import Shared, Written
from rookery.server import names
from rookery.server.api.evenings.evening import (
    ChangeWanted,
    Found,
    change,
    find,
    may_score,
    refused,
)
from rookery.server.api.evenings.telling import sees_table
from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState, Reader
from rookery.server.store.people.sheets import SheetRow
from rookery.server.table.state import Who

_MARK: Final = 16  # hexadecimal digits of an id that say which total it is
_ID: Final = 40  # letters of an id
Hands = Mapping[int, Shared[Tally]]


class TableSheetWanted(BaseModel, extra="forbid", strict=True):
    """A table in a round, whose hands are to be written on a sheet."""

    round: RoundNumber
    table: TableNumber


class SheetOfTable(BaseModel):
    """The sheet of a table in a round; with ``key``, others at the table write on it too."""

    code: str
    key: str


class TableOfSheet(BaseModel):
    """The table of an evening whose hands are on a sheet, in one round.

    ``prepared`` says whether they are prepared deals, all of which it has to have.

    ``may_score`` says whether whoever asks may say what it scored. Only they are told the rest:
    ``state`` of its score, whether what stands or waits there is the sheet's total (``same``),
    ``entry``, the evening's newest entry about that score, and how many hands the sheet ``lacks``
    until it has all of them.
    """

    evening: str
    round: int
    table: int
    prepared: bool
    may_score: bool
    state: State | None
    same: bool
    entry: int
    lacks: int


class AtTable(NamedTuple):
    """Where the hands of a sheet are played, as whoever asks finds it.

    Attributes:
        sheet: the code of the sheet, and what tells it from one that had it before.
        seats: the people who sat there when the sheet was begun.
    """

    evening: Found
    sheet: str
    round: int
    table: int
    seats: tuple[int, ...]

    @property
    def may_score(self) -> bool:
        """Whether they may say what the table scored; nobody may where others sit there now."""
        try:
            table = self.evening.held.log.evening.table(self.round, self.table)
        except EveningError:  # the round has not begun after all
            return False
        return table.seats == self.seats and may_score(self.evening, self.round, self.table)

    @property
    def players(self) -> list[str]:
        """What the people at the table are called now, each differently."""
        return called(self.evening.held.log, self.seats)

    @property
    def tag(self) -> str:
        """Changes with what is told."""
        return f"{self.evening.row.touched}.{self.evening.held.tag}.{self.may_score:d}"


def called(log: EveningLog, seats: Sequence[int]) -> list[str]:
    """Return what people are called on a sheet, where no two may have the same name.

    Whoever has none, or one that is a number, is known by their number at the evening.
    """
    every = [log.names[person] for person in seats]
    shown = [
        f"#{person + 1}"
        if not name or name.isdecimal()
        else (name if every.count(name) == 1 else f"{name} ({person + 1})")
        for person, name in zip(seats, every, strict=True)
    ]
    return shown if len({*shown}) == len(shown) else [f"#{person + 1}" for person in seats]


async def keep(state: AppState, found: Found, wanted: TableSheetWanted) -> SheetOfTable:
    """Return the sheet of a table, which is begun if there is none yet.

    Raises:
        Problem: there is no such table (``bad-change``), whoever asks may not score it or see its
            deals (``bad-key``), or the evening is gone (``no-evening``).
    """
    log, sheets = found.held.log, state.registry.store.sheets
    try:
        table = log.evening.table(wanted.round, wanted.table)
    except EveningError as error:
        raise refused(error) from None
    if not may_score(found, wanted.round, wanted.table):
        raise Problem("bad-key")
    rules = next(one for one in found.held.rules if one.seats == len(table.seats))
    # The evening's code stands first: by that its sheets are found, see `evening.drop`.
    at = {"evening": found.row.code, "round": wanted.round, "table": wanted.table}
    at |= {"seats": table.seats, "since": found.held.entries, "mark": token_hex(8)}
    about = {"hands": len(table.boards) or log.hands, "dealer": 0, "agree": False}
    body = json.dumps({"at": at, **about, "rules": rules.model_dump(mode="json")})
    place = f"sheet {wanted.round} {wanted.table} {[*table.seats]}"
    key = names.base64url(_secret(found, f"key of {place}"))
    now = state.registry.clock.now()
    for attempt in range(9):  # another sheet may have that code by chance
        code = names.code_from(_secret(found, f"{place} {attempt}"))
        row = SheetRow(code, found.row.person, names.token_hash(key), body, now)
        if not await sheets.add(row):
            there = await sheets.of(code, 0)
            if there is None:  # whoever made the evening is being forgotten
                break
            if there.sheet.key != row.key:
                continue
            if not sees_table(found, table, json.loads(there.sheet.body)["at"]["since"] + 1):
                raise Problem("bad-key")
        return SheetOfTable(code=code, key=key)
    raise Problem("no-evening")


async def at_table(state: AppState, code: str, place: Mapping[str, Any], reader: Reader) -> AtTable:
    """Return where the hands of a sheet are played.

    Raises:
        Problem: the evening is gone; code ``no-sheet``.
    """
    try:
        found = await find(state, place["evening"], Reader(reader.who, reader.evening))
    except Problem:
        raise Problem("no-sheet") from None
    sheet = f"{code} {place['mark']}"
    return AtTable(found, sheet, place["round"], place["table"], tuple(place["seats"]))


async def say(
    state: AppState,
    at: AtTable,
    who: Who,
    hands: Hands,
    scores: ScoreSheet,
    numbers: Sequence[int],
    over: int | None,
) -> AtTable:
    """Have the total of a sheet be what its table scored; return the table with that.

    By itself, with `over` None, it is said once the game is over by its rules, and after that
    whenever another total stands. It counts as an entry of whoever wrote on the sheet, which has
    seen what the sheet said before. So what somebody else typed at the evening is disputed. Where
    somebody says that this is the result, `over` is the newest entry about it that they had seen.

    The `scores` are those of the `hands` that count, whose `numbers` are these.

    Raises:
        Problem: it cannot be said; see `change`.
    """
    if not at.may_score:
        raise Problem("bad-key")
    rows, before = rows_of(at, scores, numbers), _said_before(at)
    said = before and before.said and [list(row) for row in before.said]
    if over is None and (rows == said if before else not (rows and scores.winners)):
        return at
    if over is not None and rows is None:
        raise refused(EveningError("scores", "the sheet lacks a hand; expected each of them"))
    version = [(number, hand.stands.entry) for number, hand in hands.items() if hand.counts]
    # The same hands may count again; what the sheet said before tells one time from another.
    seen = over if over is not None else f"after {before.number if before else 0}"
    id_ = _id(at, sha256(f"{version} {seen}".encode()).hexdigest()[:_MARK])
    try:
        wanted = Score(
            do="score",
            round=at.round,
            table=at.table,
            rows=rows,
            over=over if over is not None else before.number if before else 0,
        )
    except ValidationError:
        raise refused(EveningError("scores", "that is too much to be a score")) from None
    return at._replace(
        evening=await change(state, at.evening, who, ChangeWanted(id=id_, change=wanted))
    )


def rows_of(at: AtTable, scores: ScoreSheet, numbers: Sequence[int]) -> list[list[int]] | None:
    """Return what a sheet says that a table scored; None as long as it lacks a hand.

    That is its totals, and of prepared deals what each of them scored.
    """
    deals = _deals(at)
    if not deals:
        scored = any(entry.line.score for entry in scores.entries)
        return [list(scores.totals)] if scored else None
    rows = list(_counted(scores, numbers).values())
    return rows if len(rows) == deals and not _lacks(at, scores, numbers) else None


def _deals(at: AtTable) -> int:
    return len(at.evening.held.log.evening.table(at.round, at.table).boards)


def _counted(scores: ScoreSheet, numbers: Sequence[int]) -> dict[int, list[int]]:
    """Return what each hand scored that counts, by its number; one that was redealt is none."""
    return {
        number: list(entry.line.score)
        for number, entry in zip(numbers, scores.entries, strict=True)
        if entry.line.score is not None and not entry.extra
    }


def _lacks(at: AtTable, scores: ScoreSheet, numbers: Sequence[int]) -> int:
    """Return how many hands a sheet lacks until it has all.

    Of prepared deals it lacks those before one that counts: no other hand takes their place.
    """
    deals, counted = _deals(at), _counted(scores, numbers)
    lacks = max(0, (deals or scores.hands or 0) - len(counted))
    gaps = {*range(max(counted, default=0))} - {*numbers}
    return max(lacks, len(gaps)) if deals else lacks


def told(at: AtTable, scores: ScoreSheet, numbers: Sequence[int]) -> TableOfSheet:
    """Return what a sheet tells of its table; `numbers` are those of its hands."""
    log = at.evening.held.log
    place = {"evening": at.evening.row.code, "round": at.round, "table": at.table}
    place["prepared"] = bool(log.evening.planned)
    if not at.may_score:
        return TableOfSheet(**place, may_score=False, state=None, same=False, entry=0, lacks=0)
    rows, said = rows_of(at, scores, numbers), log.said(at.round, at.table)
    stands = said and said.stands.said
    return TableOfSheet(
        **place,
        may_score=True,
        state="open" if said is None or (stands is None and not said.others) else said.state,
        same=bool(rows and stands and [list(row) for row in stands] == rows),
        entry=said.newest if said else 0,
        lacks=_lacks(at, scores, numbers),
    )


def _said_before(at: AtTable) -> Written[Rows] | None:
    """Return the newest entry about the score that came from the sheet; None without one.

    No phone can make up the id of one: it takes the evening's secret.
    """
    log = at.evening.held.log.written(at.round, at.table)
    return next((one for one in reversed(log) if one.id == _id(at, one.id[:_MARK])), None)


def _id(at: AtTable, mark: str) -> str:
    about = f"score {at.sheet} {at.round} {at.table} {mark}"
    return f"{mark}-{_secret(at.evening, about).hex()}"[:_ID]


def _secret(found: Found, about: str) -> bytes:
    return hmac.digest(found.row.key.encode(), about.encode(), "sha256")
