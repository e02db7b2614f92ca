"""Bots have names of their own: birds, never twice at a table, and never a person's."""

from __future__ import annotations

import json
from itertools import combinations
from random import Random

import pytest
from tests.laws.playing import random_action
from tests.server.core.tables import PEOPLE, Sheet
from tests.server.core.wiped import without

from rookery.bots.birds import BIRDS, flock
from rookery.server.names import clean_name
from rookery.server.registry.played import finished, record_of, replayed
from rookery.server.registry.reviews import anonymous
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import timers
from rookery.server.table.fold import evolve
from rookery.server.table.state import Table, Who
from rookery.unicode.looks import alike

ANN, BOB, CY = PEOPLE[:3]


def names(sheet: Sheet) -> list[str]:
    return [chair.name for chair in sheet.table.chairs]


def finished_hand(sheet: Sheet) -> None:
    """Have a hand played to its end by whoever is there."""
    rng = Random(1)
    while not sheet.hand.over:
        text = random_action(sheet.hand, rng)
        sheet.add([ev.Acted(int(text.split()[0]), text, "bot")])
    assert sheet.hand.score is not None


def test_every_bird_is_a_name_that_a_table_takes_and_none_looks_like_another() -> None:
    assert all(clean_name(bird) == bird for bird in BIRDS)
    assert not [(one, other) for one, other in combinations(BIRDS, 2) if alike(one, other)]


def test_a_flock_never_runs_out() -> None:
    names = flock("T", 60, BIRDS[:45])
    assert len({name.casefold() for name in names}) == 60
    assert not {*names} & {*BIRDS[:45]}


def test_bots_are_called_after_birds_each_after_another() -> None:
    sheet = Sheet(people=1)
    for seat in (1, 2):
        sheet.say(ANN, cm.Bot("b", seat, "papa"))
    sheet.say(ANN, cm.Start("g"))
    birds = names(sheet)[1:]
    assert len({*birds}) == 3
    assert {*birds} <= {*BIRDS}
    assert [chair.bot for chair in sheet.table.chairs] == [None, "papa", "papa", "papa"]
    assert sheet.table.match is not None
    assert list(sheet.table.match.players or ()) == names(sheet)


def test_another_level_keeps_the_name() -> None:
    sheet = Sheet(people=1)
    sheet.say(ANN, cm.Bot("b", 1, "papa"))
    bird = names(sheet)[1]
    sheet.say(ANN, cm.Bot("b", 1, "hog"))
    assert (names(sheet)[1], sheet.table.chairs[1].bot) == (bird, "hog")


@pytest.mark.parametrize("spelled", ["{}", "\u00a0{}", "{} "], ids=repr)
def test_no_bot_has_the_name_of_somebody_there(spelled: str) -> None:
    sheet = Sheet(people=1)
    first = flock("ABCDEF2", 1)[0]
    sheet.say(Who("p9", clean_name(spelled.format(first.upper()))), cm.Sit("s"))
    sheet.say(ANN, cm.Bot("b", 2, "papa"))
    assert names(sheet)[2] == flock("ABCDEF2", 2)[1]


def test_a_bot_takes_another_name_when_a_person_comes_with_its_own() -> None:
    sheet = Sheet(people=1)
    for seat in (2, 3):
        sheet.say(ANN, cm.Bot("b", seat, "papa"))
    first, second = names(sheet)[2:]
    sheet.say(Who("p9", second.lower()), cm.Sit("s", 1))
    assert names(sheet)[1:3] == [second.lower(), first]
    assert len({name.casefold() for name in names(sheet)}) == 4
    renamed = timers.connected(sheet.table, "p9", names(sheet)[3])
    assert [event.seat for event in renamed if isinstance(event, ev.Renamed)] == [1, 3]
    sheet.add(renamed)
    assert len({*names(sheet)}) == 4


def test_no_bot_makes_way_for_who_only_watches_and_talks() -> None:
    sheet = Sheet(people=1)
    sheet.say(ANN, cm.Start("g"))
    birds = names(sheet)
    for said in (cm.Chat("c", "hello"), cm.Chat("c", phrase="nice-hand")):
        for name in (birds[1], birds[2].upper()):
            assert sheet.code(Who("p8", name), said) == "name-taken"
    assert names(sheet) == birds
    told = sheet.say(Who("p8", "Zoe"), cm.Chat("c", "hello"))
    assert [type(event) for event in told] == [ev.Chatted]


def test_a_person_sits_down_in_the_place_of_a_bot_of_that_name() -> None:
    sheet = Sheet(people=2)
    sheet.say(ANN, cm.Start("g"))
    finished_hand(sheet)
    bird = names(sheet)[2]
    assert sheet.say(Who("p9", bird), cm.Sit("s", 2)) == [ev.Sat(2, "p9", bird)]


def test_bots_seated_before_they_had_names_stay_as_they_were() -> None:
    sheet = Sheet(people=1)
    sheet.add([ev.BotSeated(1, "club"), ev.BotSeated(2, "club")])
    sheet.say(Who("p9", "Club"), cm.Sit("s", 3))
    sheet.say(ANN, cm.Start("g"))
    assert names(sheet) == ["Ann", "club", "club", "Club"]


def test_a_bot_that_took_a_seat_stands_in_the_record_under_its_own_name() -> None:
    sheet = Sheet(people=3)
    sheet.say(ANN, cm.Start("g"))
    finished_hand(sheet)
    sheet.say(BOB, cm.Leave("l"))
    for who in (ANN, CY):
        sheet.say(who, cm.Next("n"))
    finished_hand(sheet)
    bird = names(sheet)[1]
    first, second = (one.listed() for one in finished(sheet.history))
    assert (first.players[1], first.bots[1]) == ("Bob", None)
    assert (second.players[1], second.bots[1]) == (bird, "papa")
    told = replayed(sheet.history, second.number, None)
    assert told is not None
    assert (told.players, told.bots) == (second.players, second.bots)
    text = record_of(sheet.history)
    assert text is not None
    written = json.loads(text)
    assert (written["players"][1], written["bots"]) == ("Bob", [None, None, None, "papa"])
    assert "players" not in written["hands"][0]
    assert written["hands"][1]["players"] == names(sheet)
    assert written["hands"][1]["bots"] == [None, "papa", None, "papa"]
    nameless = anonymous(text).decode()
    assert not [name for name in ("Bob", "Ann", bird) if name in nameless]


def test_whoever_is_forgotten_leaves_the_birds_their_names() -> None:
    sheet = Sheet(people=2)
    sheet.say(ANN, cm.Start("g"))
    sheet.say(BOB, cm.Leave("l"))
    changed = {entry.seq: entry for entry in without(sheet.entries, BOB.id)}
    table = Table("")
    for entry in sheet.entries:
        table = evolve(table, changed.get(entry.seq, entry))
    assert [chair.name for chair in table.chairs] == names(sheet)
