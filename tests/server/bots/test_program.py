"""What a program at a table is asked, and what becomes of what it says too late."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from rookery.server.bots.program import PASSING, BotLine
from rookery.server.clock import Clock
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms

Told = list[dict[str, Any]]


def table(seq: int, **changed: object) -> dict[str, Any]:
    """Return a table at which seat 0, the program's, may lead one of two cards."""
    view = {"phase": "play", "score": None, "to_act": 0, "legal": ["play G5", "play G9"]}
    whole = {"seq": seq, "you": 0, "rules": {}, "view": view, "phase": "playing", "ready": []}
    more = {"match_number": 0, "hand_number": 0, "pending": None, "turn_clock": 5, "turn_since": 0}
    return {**whole, **more, **changed}


def raw(shown: dict[str, Any]) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(shown))


def welcome(shown: dict[str, Any]) -> ms.Welcome:
    return ms.Welcome(shown["seq"], 0, raw(shown), [])


def update(shown: dict[str, Any], *events: dict[str, Any]) -> ms.Update:
    return ms.Update(shown["seq"], list(events), raw(shown))


def acted(seq: int, seat: int, text: str, by: str) -> dict[str, Any]:
    return {"seq": seq, "type": "acted", "seat": seat, "verb": "play", "text": text, "by": by}


def asked(lines: Told) -> list[int]:
    return [line["id"] for line in lines if line["type"] == "act"]


def test_an_answer_that_the_clock_came_before_is_not_played_when_the_seat_is_next_again() -> None:
    line = BotLine(Clock().now)
    assert asked(line.translate(welcome(table(20))).lines) == [1]
    # The time is over: a bot plays G9 for the seat. It wins the trick, and the seat leads again.
    told = line.translate(update(table(21), acted(21, 0, "play G9", "auto")))
    assert asked(told.lines) == [2]
    assert line.act_of('{"id":1,"action":"play G5"}') is None
    act = line.act_of('{"id":2,"action":"play G5"}')
    assert isinstance(act, cm.Act)
    assert (act.action, act.seen) == ("play G5", 21)


def test_its_own_act_is_followed_by_one_question_whatever_is_heard_first() -> None:
    line = BotLine(Clock().now)
    line.translate(welcome(table(20)))
    act = line.act_of('{"id":1,"action":"play G5"}')
    assert isinstance(act, cm.Act)
    # The clock came before it, and that is heard before the refusal.
    told = line.translate(update(table(21), acted(21, 0, "play G9", "auto")))
    assert asked(told.lines) == []
    assert asked(line.translate(ms.Refused(act.id, "late", "look again")).lines) == [2]
    act = line.act_of('{"id":2,"action":"play G5"}')
    assert isinstance(act, cm.Act)
    assert asked(line.translate(ms.Ack(act.id, 22)).lines) == []
    assert asked(line.translate(update(table(22), acted(22, 0, "play G5", "person"))).lines) == [3]


def deadlines(lines: Told) -> list[int]:
    return [line["deadline_ms"] for line in lines if line["type"] == "act"]


def test_it_is_told_what_is_left_of_its_time_when_it_is_asked_again() -> None:
    moment = 1_000_000
    line = BotLine(lambda: moment)
    turn = {"turn_clock": 30, "turn_since": moment}
    assert deadlines(line.translate(welcome(table(20, **turn))).lines) == [30_000]
    for number, later, left in ((1, 25_000, 5_000), (2, 6_000, 0)):
        moment += later
        act = line.act_of(f'{{"id":{number},"action":"play R5"}}')
        assert isinstance(act, cm.Act)
        assert deadlines(line.translate(ms.Refused(act.id, "not-held", "no")).lines) == [left]
    turn["turn_since"] = moment
    told = line.translate(update(table(21, **turn), acted(21, 0, "play G9", "auto")))
    assert deadlines(told.lines) == [30_000]


@pytest.mark.parametrize(
    ("gone", "left"),
    [(12_000, 18_000), (-500, 30_000), (90_000, 30_000)],  # the server began anew in between
)
def test_who_connects_in_the_middle_of_a_turn_is_told_what_is_left_of_it(
    gone: int, left: int
) -> None:
    line = BotLine(lambda: 1_000_000 + gone)
    shown = table(20, turn_clock=30, turn_since=1_000_000)
    assert deadlines(line.translate(welcome(shown)).lines) == [left]
    unhurried = BotLine(lambda: 1_000_000 + gone)
    assert deadlines(unhurried.translate(welcome(table(20, turn_clock=None))).lines) == [60_000]


def test_what_is_no_act_leaves_the_question_open() -> None:
    line = BotLine(Clock().now)
    line.translate(welcome(table(20)))
    away = {"seq": 21, "type": "away", "seat": 1}
    assert asked(line.translate(update(table(21), away)).lines) == []
    assert isinstance(line.act_of('{"id":1,"action":"play G5"}'), cm.Act)


def between(seq: int) -> dict[str, Any]:
    """Return a table whose hand is over."""
    view = {"phase": "done", "score": [1, 2], "to_act": None, "legal": []}
    return table(seq, view=view)


def test_what_is_done_for_it_is_of_the_table_that_it_was_shown() -> None:
    """A yes to an undo that is late is none to the claim that is open by then."""
    line = BotLine(Clock().now)
    [asks] = line.translate(welcome(between(9))).commands
    undo = {"kind": "undo", "by": 1, "since": 7, "voters": [0], "votes": {}}
    [says] = line.translate(update(table(12, pending=undo))).commands
    assert isinstance(asks, cm.Next)
    assert isinstance(says, cm.Vote)
    assert (asks.seen, says.yes, says.seen) == (9, True, 12)


@pytest.mark.parametrize("code", PASSING)
def test_what_could_not_be_done_for_it_is_tried_again_until_it_is(code: str) -> None:
    line = BotLine(Clock().now)
    [asks] = line.translate(welcome(between(9))).commands
    assert isinstance(asks, cm.Next)
    for _ in range(2):
        told = line.translate(ms.Refused(asks.id, code, "not now"))
        assert (told.lines, told.commands, list(told.again)) == ([], [], [asks])
    line.translate(ms.Ack(asks.id, 10))
    assert line.translate(ms.Refused(asks.id, code, "not now")).again == ()


def test_what_is_refused_for_good_is_not() -> None:
    line = BotLine(Clock().now)
    [asks] = line.translate(welcome(between(9))).commands
    told = line.translate(ms.Refused(asks.id, "not-now", "no hand is over"))
    assert ([one["type"] for one in told.lines], told.again) == (["refused"], ())
