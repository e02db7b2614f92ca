"""Who talks under which name, and whom of those who watch the host silences."""

from __future__ import annotations

import pytest
from tests.server.core.tables import PEOPLE, Room, Sheet, heard, running

from rookery.server.live.connection import SENT_AWAY
from rookery.server.names import BadText, clean_chat, clean_name, clean_title
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import messages as ms
from rookery.server.table.projection import snapshot
from rookery.server.table.state import Who
from rookery.server.table.timers import connected

ANN, BOB, CY, DEE, EVE = PEOPLE[:5]
HELLO = cm.Chat("c", phrase="hello")
TWINS = ("Ann", "ANN", "\u0410nn", "Ann ", "\uff21nn", "\U0001d400nn")


@pytest.mark.parametrize("name", TWINS)
def test_whoever_has_a_players_name_takes_another_before_they_talk_or_sit(name: str) -> None:
    sheet = Sheet(people=2)
    twin = Who("p9", clean_name(name))
    assert sheet.code(twin, HELLO) == "name-taken"
    assert sheet.code(twin, cm.Sit("s")) == "name-taken"
    other = twin._replace(name="Anna")
    sheet.say(other, HELLO)
    sheet.say(other, cm.Sit("s"))


def test_whoever_talks_has_the_name_as_long_as_the_talk_is_kept() -> None:
    sheet = Sheet(people=1)
    sheet.say(BOB, HELLO)
    twin = Who("p9", "B\u043eb")
    assert sheet.code(twin, HELLO) == "name-taken"
    assert sheet.code(twin, cm.Sit("s")) == "name-taken"
    sheet.say(BOB, HELLO)
    sheet.say(BOB, cm.Sit("s"))
    sheet.say(BOB, cm.Leave("l"))
    for _ in range(50):
        sheet.say(ANN, HELLO)
    sheet.say(twin, cm.Sit("s"))


def test_a_name_that_somebody_else_has_is_taken_neither_at_the_table_nor_in_talk() -> None:
    sheet = Sheet(people=2)
    sheet.say(EVE, HELLO)
    for taken in ("ANN", "\u0415ve"):
        assert connected(sheet.table, BOB.id, taken) == []
        assert sheet.say(BOB._replace(name=taken), HELLO) == [
            ev.Chatted(BOB.id, "Bob", 1, phrase="hello")
        ]
    assert connected(sheet.table, BOB.id, "Bobby") == [ev.Renamed(1, "Bobby")]


def test_the_host_mutes_whoever_watches_and_lets_them_talk_again() -> None:
    sheet = Sheet(people=2)
    sheet.say(EVE, HELLO)
    line = sheet.table.seq
    assert snapshot(sheet.table, 0).silenced == {}
    assert sheet.code(BOB, cm.Mute("m", line)) == "not-host"
    assert sheet.code(EVE, cm.Mute("m", line)) == "not-seated"
    sheet.say(ANN, cm.Mute("m", line))
    assert snapshot(sheet.table, 0).silenced == {str(line): "muted"}
    assert sheet.code(EVE, HELLO) == "muted"
    sheet.say(ANN, cm.Mute("m", line, on=False))
    sheet.say(EVE, HELLO)
    assert snapshot(sheet.table, None).silenced == {str(sheet.table.seq): "heard"}


def test_a_player_and_a_line_that_nobody_said_are_not_silenced() -> None:
    sheet = Sheet(people=2)
    sheet.say(BOB, HELLO)
    for command in (cm.Mute("m", sheet.table.seq), cm.SendAway("s", sheet.table.seq)):
        assert sheet.code(ANN, command) == "no-watcher"
    for command in (cm.Mute("m", 1), cm.SendAway("s", 999)):
        assert sheet.code(ANN, command) == "no-watcher"
    line = sheet.table.seq
    sheet.say(BOB, cm.Leave("l"))
    sheet.say(ANN, cm.SendAway("s", line))
    assert sheet.code(ANN, cm.Mute("m", line, on=False)) == "no-watcher"


def test_whoever_is_sent_away_does_nothing_there_any_more_and_the_name_is_free() -> None:
    sheet = Sheet(people=1)
    sheet.say(EVE, HELLO)
    sheet.say(ANN, cm.SendAway("s", sheet.table.seq))
    for command in (HELLO, cm.Sit("s"), cm.Leave("l")):
        assert sheet.code(EVE, command) == "sent-away"
    sheet.say(Who("p9", "Eve"), HELLO)
    sheet.say(Who("p9", "Eve"), cm.Sit("s"))


def test_the_connections_of_whoever_is_sent_away_end_and_no_other_begins() -> None:
    async def scene() -> None:
        room = Room()
        actor, lines = await room.table()
        tabs = [actor.connect(PEOPLE[7]), actor.connect(PEOPLE[7])]
        for tab in tabs:
            actor.take(tab, cm.Hello())
        actor.take(tabs[0], HELLO)
        await room.settle()
        for line in (*tabs, *lines):
            heard(line)
        actor.take(lines[0], cm.SendAway("away", actor.table.lines[-1].seq))
        await room.settle()
        for tab in (*tabs, actor.connect(PEOPLE[7])):
            (told,) = heard(tab)
            assert isinstance(told, ms.Closing)
            assert told.code == SENT_AWAY
        assert len(actor.company.watchers(actor.table)) == 0
        assert not any(line.outbox.ended for line in lines)
        await room.close()
        later = Room(room.store)
        again = await later.find(actor.table.code)
        assert again is not None
        (told,) = heard(again.connect(PEOPLE[7]))
        assert isinstance(told, ms.Closing)
        await later.close()

    running(scene)


@pytest.mark.parametrize("text", ["\u3164", "A\u200dnn", "Ann\ufe0f", "\u2800", "A\u034f"])
def test_signs_that_nobody_sees_are_in_no_name_and_no_title(text: str) -> None:
    for clean in (clean_name, clean_title):
        with pytest.raises(BadText, match="nobody can see"):
            clean(text)


def test_emoji_and_letters_that_need_a_joiner_stay_whole() -> None:
    for text in ("Anna 👩🏽\u200d🚀", "Max ❤\ufe0f", "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627"):
        assert clean_name(text) == clean_title(text) == clean_chat(text) == text


def test_old_lines_of_talk_are_read() -> None:
    old = '{"type":"chatted","person":"p","name":"Ann","seat":null,"text":"hi","phrase":null}'
    assert ev.read(old) == ev.Chatted("p", "Ann", None, "hi")
