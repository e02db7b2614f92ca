"""Evenings on which things happen by chance, as phones and a host would ask for them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from pydantic import TypeAdapter

from rookery.evening.log.changes import KEPT, AnyChange, Change, Kept
from rookery.evening.log.fold import EveningLog
from rookery.evening.log.screens import Screens
from rookery.evening.movements.changes import begin
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.state import EveningError

ASKED: TypeAdapter[Change] = TypeAdapter(AnyChange)
MADE = 1_000_000  # ms
MOVEMENT = [*MOVEMENTS]
Making = Callable[[], EveningLog]


class Line(NamedTuple):
    """An entry as it is kept."""

    number: int
    id: str
    body: bytes
    writer: int


def starting(
    movement: str, people: int, seed: int = 0, *, agree: bool = False, screens: bool = False
) -> EveningLog:
    """Return an evening before anything has happened; on `screens` the last person is a bot."""
    names, bots = [f"P{number}" for number in range(people)], range(people - screens, people)
    how = Screens() if screens else None
    evening = begin(movement, people, seed=seed)
    return EveningLog(evening, names, agree=agree, screens=how, bots=bots)


def change(**said: object) -> Change:
    """Return a change as a phone would ask for it."""
    return ASKED.validate_python(said)


def a_change(log: EveningLog, rng: Random) -> Change:
    """Return something that may be asked for, and may not be possible."""
    rounds, people = len(log.evening.rounds), len(log.names)
    person, other = rng.randrange(people + 1), rng.randrange(people + 1)
    if rng.random() < 0.6 and rounds:
        number = rng.randint(max(1, rounds - 1), rounds)
        tables = log.evening.rounds[number - 1].tables
        if tables:
            return a_score(log, number, rng.choice(tables).number, rng)
    kinds: list[dict[str, object]] = [
        *[{"do": "round", "round": rounds + rng.choice((0, 1, 1, 1, 2)), "slow": []}] * 3,
        {"do": "round", "round": rounds + 1, "slow": missing(log)},
        {"do": "arrive", "names": [f"New {person}", "Late"][: rng.randint(1, 2)]},
        {"do": "stand_in", "name": "Helper"},
        {"do": "return", "person": person},
        {"do": "leave", "person": person},
        {"do": "rename", "person": person, "name": f"Other {other}"},
        {"do": "exchange", "one": person, "other": other},
        {"do": "undo_round", "round": max(1, rounds)},
        {"do": "clock", "minutes": rng.choice((None, 20))},
        *[{"do": "claim", "person": person}] * 2,
        {"do": "free", "person": person},
        {"do": "end", "over": rng.random() < 0.2},
    ]
    if log.screens is not None:
        real = {"do": "real_cards", "table": rng.randint(1, 3), "real": rng.random() < 0.7}
        kinds += [real] * 3
    said = rng.choice(kinds)
    if said.get("round") == 0:
        said["round"] = 1
    return change(**said)


def a_score(log: EveningLog, round_: int, table: int, rng: Random) -> Change:
    """Return a score of a table, by somebody who has seen the newest of it, or not."""
    at = log.evening.table(round_, table)
    told = log.said(round_, table)
    over = told.newest if told is not None and rng.random() < 0.7 else 0
    rows = []
    for _ in at.boards or (0,):
        one, other = rng.randrange(-9, 20) * 5, rng.randrange(-9, 20) * 5
        rows.append([one, other] * (len(at.seats) // 2))
    said = None if rng.random() < 0.1 else rows
    return change(do="score", round=round_, table=table, rows=said, over=over)


def missing(log: EveningLog) -> list[int]:
    """Return the tables of the last round without a score."""
    rounds = log.evening.rounds
    return [t.number for t in rounds[-1].tables if t.scores is None] if rounds else []


def happened(make: Making, seed: int, size: int = 40) -> list[Line]:
    """Return the log of an evening; what cannot be is refused before it is kept."""
    rng, log, lines = Random(seed), make(), list[Line]()
    for _ in range(size):
        number, writer = len(lines) + 1, rng.randint(1, 3)
        try:
            kept = log.asked(a_change(log, rng), MADE + number)
            log.take(number, f"id {number}", kept, writer)
        except EveningError:
            continue
        lines.append(Line(number, f"id {number}", KEPT.dump_json(kept), writer))
    return lines


def read(line: Line) -> Kept:
    """Return what an entry says."""
    return KEPT.validate_json(line.body)


def replayed(make: Making, lines: list[Line]) -> EveningLog:
    """Return the evening that a log makes; what cannot be any more counts for nothing."""
    log = make()
    for line in lines:
        try:
            log.take(line.number, line.id, read(line), line.writer)
        except EveningError:
            continue
    return log
