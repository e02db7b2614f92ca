"""A lesson as it is written: a record ``rookery/1`` with a field ``lesson``.

The record is the lesson as its author would play it. The field says who learns, where the lesson
begins in the record, and its steps. ``docs/design/lessons.md`` describes them.

>>> lesson = load("first")
>>> lesson.record.rules.id, lesson.seat, lesson.steps[0].id
('kd_tournament', 0, 'counters')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rookery import record
from rookery.bots.names import Bot, bot
from rookery.bots.register import UnknownBot
from rookery.game import Verb
from rookery.game.errors import shortened
from rookery.record import Record, RecordError

FOLDER: Final = Path(__file__).parent / "catalog"
# Every lesson, in the order in which they are offered; the first is the one for a first visit.
IDS: Final = (
    *("first", "bid", "discard", "trumps", "feed", "save", "bird", "last", "partner"),
    *("norook", "dummy", "ones", "low", "alone", "two"),
)
STARTS: Final = ("now", "end")
COUNTED: Final = ("play", "dummy", "trick")
VERBS: Final = tuple(
    str(verb)
    for verb in (Verb.BID, Verb.DISCARD, Verb.TRUMP, Verb.ROOK, Verb.CALL, Verb.LEADER, Verb.GIVE)
)
JUDGES: Final = ("solver", "bots")


class LessonError(ValueError):
    """A lesson that cannot be read, or that does not teach what it says.

    Codes: ``bad-lesson``, those of a `RecordError`, and ``never-comes`` (a step's place is not
    reached), ``no-right-choice``, ``no-wrong-choice``, ``own-line-fails`` (the record's own action
    misses the goal), ``costs-nothing`` (a wrong choice is no worse than a right one),
    ``too-large``. The reason says the same in plain words, with the step.
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.reason = reason
        super().__init__(f"{code}: {reason}")


@dataclass(frozen=True)
class Step:
    """One thing that is said, shown or asked.

    Attributes:
        id: names its words in the catalogue, ``lesson.LESSON.STEP``.
        at: how far the hand is played before it: ``now``, ``end``, a verb that the learner has
            to decide (``bid``), ``play 3`` (their card in the third trick), ``dummy 3`` (the
            dummy's, where they decide it), or ``trick 3`` (three tricks are complete).
        goal: what a right choice fulfils, by name of the check; None where nothing is asked.
        find: kinds of cards, one of which the learner has to point out; None where not asked.
        judge: who says what a wrong choice costs: ``solver``, ``bots``, or None for nobody.
        back: for the end: the step to which whoever missed the goal goes back.
    """

    id: str
    at: str
    goal: Mapping[str, Any] | None = None
    find: tuple[str, ...] | None = None
    judge: str | None = None
    back: str | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson as it is written.

    Attributes:
        id: its name in addresses and in the catalogue of words.
        record: one hand, played as the author would.
        seat: the learner's.
        start: how many actions of the record are done when the lesson begins.
        bot: who plays on where the learner has left the record.
        minutes: about how long it takes.
        steps: in order.
    """

    id: str
    record: Record
    seat: int
    start: int
    bot: Bot
    minutes: int
    steps: tuple[Step, ...]


def load(name: str) -> Lesson:
    """Return the lesson of the catalogue called `name`.

    Raises:
        LessonError: there is none, or it cannot be read.
    """
    if name not in IDS:
        raise LessonError("bad-lesson", f"no lesson is called {name!r}")
    return read(name, (FOLDER / f"{name}.json").read_bytes())


def read(name: str, data: bytes | str) -> Lesson:
    """Return the lesson called `name` that `data` holds; its hand is played once, to check it.

    Raises:
        LessonError: it holds none; see there for the codes.
    """
    try:
        written = record.loads(data)
        hands = record.replay(written).hands
    except RecordError as error:
        raise LessonError(error.code, str(error).replace(f"{error.code}: ", "", 1)) from None
    field = written.extra.get("lesson")
    if not isinstance(field, dict) or len(hands) != 1:
        raise _bad("expected one hand, and an object called lesson")
    unknown = sorted(field.keys() - {"seat", "start", "bot", "minutes", "steps"})
    if unknown:
        raise _bad(f"lesson: unknown {shortened(', '.join(unknown))}")
    seat, start, minutes = (_number(field, key) for key in ("seat", "start", "minutes"))
    if seat >= written.rules.seats:
        raise _bad(f"lesson.seat: there is no seat {seat}")
    if start > len(hands[0].actions):
        raise _bad(f"lesson.start: the record has no {start} actions")
    try:
        player = bot(str(field.get("bot", "club")))
    except UnknownBot as error:
        raise _bad(f"lesson.bot: {error}") from None
    if player.kernel is None:
        raise _bad("lesson.bot: expected a bot that decides at once")
    said = field.get("steps")
    steps = tuple(map(_step, said)) if isinstance(said, list) else ()
    ids = [step.id for step in steps]
    if not steps or len(set(ids)) < len(ids):
        raise _bad("lesson.steps: expected steps, each with an id of its own")
    for step in steps:
        if step.back is not None and (step.at != "end" or step.back not in ids):
            raise _bad(f"{step.id}.back: expected the id of a step, at the end of the hand")
    return Lesson(name, written, seat, start, player, minutes, steps)


def _bad(reason: str) -> LessonError:
    return LessonError("bad-lesson", reason)


def _number(field: Mapping[str, Any], key: str) -> int:
    value = field.get(key, 0 if key == "start" else None)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _bad(f"lesson.{key}: expected a whole number from 0")
    return value


def _step(written: object) -> Step:
    if not isinstance(written, dict) or not {"id", "at"} <= written.keys():
        raise _bad("lesson.steps: expected objects with id and at")
    name = str(written["id"])[:40]
    unknown = sorted(written.keys() - set(Step.__dataclass_fields__))
    if unknown:
        raise _bad(f"{name}: unknown {shortened(', '.join(unknown))}")
    for key, value in written.items():
        if not (_fits(value, _FIELDS[key]) or (value is None and key not in ("id", "at"))):
            raise _bad(f"{name}.{key}: expected {_FIELDS[key]}")
    find = written.get("find")
    step = Step(**{**written, "find": None if find is None else tuple(find)})
    place, _, number = step.at.partition(" ")
    counted = place in COUNTED and re.fullmatch("[1-9][0-9]?", number)
    if not counted and step.at not in (*STARTS, *VERBS):
        raise _bad(f"{name}.at: {shortened(step.at)} is no place in a hand")
    if step.judge not in (*JUDGES, None):
        raise _bad(f"{name}.judge: expected one of {', '.join(JUDGES)}")
    if step.judge == "solver" and place not in ("play", "dummy"):
        raise _bad(f"{name}.judge: the solver judges cards that are played, and no other choice")
    for check, wanted in (step.goal or {}).items():
        if check not in _WANTED or (check == "score") != (step.at == "end"):
            raise _bad(f"{name}.goal: there is no check {shortened(check)}")
        if not _fits(wanted, _WANTED[check]):
            raise _bad(f"{name}.goal.{check}: expected {_WANTED[check]}")
    if step.goal is not None:
        if step.find or place == "trick" or step.at == "now":
            raise _bad(f"{name}: nothing can be decided here")
        if "takes" in step.goal and place not in ("play", "dummy"):
            raise _bad(f"{name}.goal: no trick is played here")
        if step.at == "end" and (step.back is None or not step.goal):
            raise _bad(f"{name}: a goal at the end needs a score, and a step to go back to")
    return step


# What a field of a step holds, and what a check of a goal wants, in words; see `_fits`.
_FIELDS: Final = {
    **dict.fromkeys(("id", "at", "judge", "back"), "a text"),
    "goal": "an object",
    "find": "a list of texts",
}
_WANTED: Final = {
    "bid": "two whole numbers",
    "score": "a whole number",
    "takes": "me, partner, us or them",
    **dict.fromkeys(("passes", "any"), "true or false"),
    **dict.fromkeys(("is", "card", "keeps"), "a list of texts"),
}


def _fits(value: object, expected: str) -> bool:
    """Return whether a value of JSON is what `_FIELDS` and `_WANTED` say in words."""
    match expected:
        case "a text":
            return isinstance(value, str)
        case "an object":
            return isinstance(value, dict)
        case "true or false":
            return isinstance(value, bool)
        case "a whole number":
            return isinstance(value, int) and not isinstance(value, bool)
        case "two whole numbers":
            pair = value if isinstance(value, list) else []
            return len(pair) == 2 and all(_fits(one, "a whole number") for one in pair)
        case "a list of texts":
            return isinstance(value, list) and all(isinstance(one, str) for one in value)
    return value in ("me", "partner", "us", "them")
