"""Between hands: who is waited for, and that a table never waits for nobody."""

from __future__ import annotations

from random import Random

import pytest
from tests.laws.playing import random_action
from tests.server.core.tables import PEOPLE, Sheet, started

from rookery.server.settings import PACES, Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import timers

ANN, BOB = PEOPLE[:2]


def between(people: int = 2) -> Sheet:
    """Return a table of people and bots whose first hand is over."""
    sheet = started(people=people)
    rng = Random(3)
    while not sheet.hand.over:
        text = random_action(sheet.hand, rng)
        sheet.add([ev.Acted(int(text.split()[0]), text, "bot")])
    assert sheet.hand.phase == "done"
    assert sheet.table.between_hands
    return sheet


def deals_at(sheet: Sheet) -> int | None:
    """Return when the next hand is dealt by itself, milliseconds; None where it is not."""
    due = timers.due(sheet.table, Settings(), 0)
    return due.at if due is not None and due.what == "deal" else None


@pytest.mark.parametrize("leaves", [True, False])
def test_whoever_has_asked_is_dealt_to_though_the_other_goes_without_a_word(leaves: bool) -> None:
    sheet = between()
    assert sheet.say(BOB, cm.Next("n")) == [ev.Ready(1)]
    if leaves:
        sheet.say(ANN, cm.Leave("l"))
    else:
        sheet.add([ev.Away(0)])
    assert sheet.table.people_here == (1,)
    assert sheet.code(BOB, cm.Next("again")) == "not-now"
    assert timers.pause(sheet.table) == PACES["normal"].hand
    assert deals_at(sheet) == sheet.table.moved_at + PACES["normal"].hand
    number = sheet.table.dealt_seq
    due = timers.due(sheet.table, Settings(), 0)
    assert due is not None
    sheet.add(timers.happens(sheet.table, due, Settings(), sheet.chances))
    assert sheet.table.dealt_seq > number
    assert sheet.table.in_hand


@pytest.mark.parametrize("leaves", [True, False])
def test_whoever_is_alone_and_has_not_asked_is_waited_for(leaves: bool) -> None:
    sheet = between()
    sheet.say(ANN, cm.Next("n"))
    if leaves:
        sheet.say(ANN, cm.Leave("l"))
    else:
        sheet.add([ev.Away(0)])
    assert timers.pause(sheet.table) is None
    assert deals_at(sheet) is None
    assert ev.Ready(1) in sheet.say(BOB, cm.Next("n"))
    assert sheet.table.in_hand


def test_no_countdown_runs_where_nobody_is_here() -> None:
    sheet = between()
    assert timers.pause(sheet.table) == PACES["normal"].hand
    sheet.add([ev.Away(0), ev.Away(1)])
    assert timers.pause(sheet.table) is None
    assert deals_at(sheet) is None
