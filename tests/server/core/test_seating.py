"""Who may sit where and do what, and with which code the rest is refused."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.server.core.tables import PEOPLE, Sheet, started

from rookery.game import errors
from rookery.rules import variant
from rookery.server.names import BadText, clean_name, is_code, new_code
from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import timers
from rookery.server.table.projection import snapshot
from rookery.server.table.refusals import CODES, RULES_CODES, Refused
from rookery.server.table.seating import next_host
from rookery.server.table.state import Who

ANN, BOB, CY, DEE, EVE = PEOPLE[:5]


def names(sheet: Sheet) -> list[str]:
    """Return who sits where: a person's name, or which bot."""
    return [chair.bot or chair.name for chair in sheet.table.chairs]


def test_people_take_the_first_free_seat_or_the_one_they_name() -> None:
    sheet = Sheet(people=1)
    sheet.say(BOB, cm.Sit("s", 2))
    sheet.say(CY, cm.Sit("s"))
    assert names(sheet) == ["Ann", "Cy", "Bob", ""]
    assert sheet.table.host == 0
    assert sheet.code(CY, cm.Sit("s")) == "already-seated"
    assert sheet.code(DEE, cm.Sit("s", 2)) == "seat-taken"
    assert sheet.code(DEE, cm.Sit("s", 4)) == "no-seat"
    assert sheet.code(Who("p9", "ANN"), cm.Sit("s")) == "name-taken"
    sheet.say(DEE, cm.Sit("s"))
    assert sheet.code(EVE, cm.Sit("s")) == "table-full"
    assert sheet.code(EVE, cm.Act("a", "pass")) == "not-seated"


def test_the_host_arranges_bots_and_seats() -> None:
    sheet = Sheet(people=2)
    sheet.say(ANN, cm.Bot("b", 2, "Papa"))
    sheet.say(ANN, cm.Arrange("a", [1, 2, 0, 3]))
    assert names(sheet) == ["Bob", "papa", "Ann", ""]
    assert sheet.table.host == 2
    for seats in ([0, 1], [0, 0, 1, 2], [1, 2, 3, 4]):
        assert sheet.code(ANN, cm.Arrange("a", seats)) == "bad-seats"
    assert sheet.code(ANN, cm.Bot("b", 3, "nobody")) == "unknown-bot"
    assert sheet.code(ANN, cm.Bot("b", 0, "papa")) == "seat-taken"
    assert sheet.code(ANN, cm.Bot("b", 3, None)) == "not-a-bot"
    sheet.say(ANN, cm.Bot("b", 1, None))
    assert names(sheet) == ["Bob", "", "Ann", ""]
    for command in (cm.Start("x"), cm.Bot("b", 1, "papa"), cm.Host("h", 0), cm.Table("t")):
        assert sheet.code(BOB, command) == "not-host"
    sheet.say(ANN, cm.Host("h", 0))
    assert sheet.table.host == 0
    assert sheet.code(BOB, cm.Host("h", 1)) == "no-person"


def test_bots_fill_the_table_and_make_room_for_people() -> None:
    sheet = Sheet(people=2)
    sheet.say(ANN, cm.Start("g"))
    assert names(sheet) == ["Ann", "Bob", "papa", "papa"]
    assert sheet.hand.phase == "auction"
    assert sheet.code(CY, cm.Sit("s")) == "hand-under-way"
    assert sheet.code(CY, cm.Sit("s", 1)) == "seat-taken"
    end_of_hand(sheet)
    sheet.say(CY, cm.Sit("s"))
    assert names(sheet) == ["Ann", "Bob", "Cy", "papa"]
    assert sheet.code(ANN, cm.Start("g")) == "not-now"
    assert sheet.code(ANN, cm.Arrange("a", [0, 1, 2, 3])) == "not-now"
    assert sheet.code(ANN, cm.Bot("b", 3, None)) == "not-now"
    sheet.say(ANN, cm.Bot("b", 3, "hog"))
    assert names(sheet)[3] == "hog"


def end_of_hand(sheet: Sheet) -> None:
    """Have bots, or whoever else is there, play a hand to its end."""
    while not sheet.hand.over:
        text = str(next(iter(sheet.hand.legal())))
        sheet.add([ev.Acted(int(text.split()[0]), text, "bot")])


def test_during_a_hand_a_person_comes_back_to_their_own_seat_only() -> None:
    sheet = started(people=3)
    for who in (BOB, CY):
        sheet.say(who, cm.Leave("l"))
    assert sheet.table.chairs[1].kind == "bot"
    assert sheet.code(BOB, cm.Sit("s", 2)) == "hand-under-way"
    sheet.say(BOB, cm.Sit("s"))
    assert sheet.code(DEE, cm.Sit("s", 2)) == "hand-under-way"
    # That somebody has come back takes nothing from the others.
    sheet.say(CY, cm.Sit("s"))
    assert names(sheet) == ["Ann", "Bob", "Cy", "papa"]


def test_a_stranger_with_many_cookies_sees_no_hand_of_spare_seats() -> None:
    sheet = started(people=1)
    for stranger in (BOB, CY, DEE):
        for seat in (None, 1, 2, 3):
            assert sheet.code(stranger, cm.Sit("s", seat)) == "hand-under-way"


def test_where_nobody_sits_any_more_anybody_may_play_on() -> None:
    sheet = started(people=2)
    for who in (ANN, BOB):
        sheet.say(who, cm.Leave("l"))
    sheet.say(CY, cm.Sit("s", 3))
    # Who had a hand before could be told by now what others hold.
    for who in (ANN, BOB):
        assert sheet.code(who, cm.Sit("s")) == "hand-under-way"
    end_of_hand(sheet)
    sheet.say(ANN, cm.Sit("s"))


def test_the_host_says_which_bots_take_the_empty_seats() -> None:
    sheet = Sheet(people=2)
    assert sheet.code(ANN, cm.Start("g", "nobody")) == "unknown-bot"
    assert sheet.code(BOB, cm.Start("g", "hog")) == "not-host"
    sheet.say(ANN, cm.Start("g", "hog"))
    assert [chair.bot for chair in sheet.table.chairs] == [None, None, "hog", "hog"]


def test_leaving_passes_the_powers_on() -> None:
    sheet = Sheet(people=3)
    sheet.add([ev.Away(1)])
    assert next_host(sheet.table, 0) == 2
    sheet.say(ANN, cm.Leave("l"))
    assert names(sheet)[0] == ""
    assert sheet.table.host == 2
    sheet.say(CY, cm.Leave("l"))
    assert sheet.table.host == 1
    sheet.say(BOB, cm.Leave("l"))
    assert sheet.table.host is None
    sheet.say(DEE, cm.Sit("s"))
    assert sheet.table.host == 0


def test_who_takes_the_seat_of_somebody_who_was_ready_is_asked_too() -> None:
    sheet = started()
    sheet.play(Random(1), lambda hand: hand.over)
    sheet.say(BOB, cm.Next("n"))
    sheet.say(BOB, cm.Leave("l"))
    assert snapshot(sheet.table, 0).ready == []
    sheet.say(EVE, cm.Sit("s", 1))
    sheet.say(EVE, cm.Next("n"))
    assert snapshot(sheet.table, 0).ready == [1]


def test_leaving_ends_a_question_that_waits_for_the_leaver() -> None:
    sheet = started()
    sheet.act("bid 75")
    sheet.say(BOB, cm.Undo("u"))
    sheet.say(CY, cm.Leave("l"))
    assert sheet.table.pending is None
    assert sheet.table.chairs[2].player == "papa"


def test_an_absent_player_is_replaced_by_the_host_only_while_absent() -> None:
    sheet = started()
    assert sheet.code(ANN, cm.Replace("r", 1)) == "not-away"
    sheet.add([ev.Away(1)])
    assert sheet.code(ANN, cm.Replace("r", 1)) == "may-return"
    sheet.add([ev.StoodIn(1, "papa")])
    assert sheet.code(ANN, cm.Replace("r", 1, "nobody")) == "unknown-bot"
    sheet.say(ANN, cm.Replace("r", 1, "hog"))
    assert sheet.table.chairs[1].bot == "hog"
    assert sheet.code(ANN, cm.Replace("r", 1)) == "no-person"
    assert sheet.code(ANN, cm.Replace("r", 4)) == "no-seat"


def test_a_host_may_remove_a_player_outside_a_match() -> None:
    sheet = Sheet(people=3)
    assert sheet.code(ANN, cm.Replace("r", 0)) == "not-away"
    sheet.say(ANN, cm.Replace("r", 1))
    assert names(sheet) == ["Ann", "papa", "Cy", ""]
    assert sheet.code(BOB, cm.Sit("s")) == "removed"
    sheet.add([ev.Away(2)])
    sheet.say(ANN, cm.Replace("r", 2))
    sheet.say(CY, cm.Sit("s"))
    assert "Cy" in names(sheet)


def test_settings_change_one_at_a_time() -> None:
    sheet = Sheet(people=1)
    sheet.say(ANN, cm.Table("t", title="  Friday   night ", clock=30))
    sheet.say(ANN, cm.Table("t", open=True, pace="brisk"))
    table = sheet.table
    assert (table.title, table.open, table.pace, table.clock) == ("Friday night", True, "brisk", 30)
    sheet.say(ANN, cm.Table("t", clock=0))
    assert sheet.table.clock is None
    assert sheet.code(ANN, cm.Table("t", clock=2)) == "bad-setting"
    assert sheet.code(ANN, cm.Table("t", title="a\u202eb")) == "bad-title"


def test_a_clock_that_is_changed_holds_from_the_next_turn() -> None:
    settings = Settings()
    sheet = started()
    begun = sheet.table.moved_at
    sheet.say(ANN, cm.Table("t", clock=5))
    sheet.act("bid 75")
    due = timers.due(sheet.table, settings, 0)
    assert due == timers.Due(sheet.table.moved_at + 5_000 + settings.lag, "clock", 2)
    sheet.say(ANN, cm.Table("t", clock=600))
    assert timers.due(sheet.table, settings, 0) == due
    assert snapshot(sheet.table, 2).turn_clock == 5
    assert begun < sheet.table.moved_at


def test_the_next_hand_comes_when_all_who_are_there_want_it() -> None:
    sheet = started()
    assert sheet.code(ANN, cm.Next("n")) == "not-now"
    sheet.play(Random(1), lambda hand: hand.over)
    sheet.add([ev.Away(3)])
    for who in (ANN, BOB):
        sheet.say(who, cm.Next("n"))
        assert sheet.code(who, cm.Next("n")) == "not-now"
        assert sheet.hand.over
    sheet.say(CY, cm.Next("n"))
    assert not sheet.hand.over
    assert sheet.table.ready == frozenset()


def test_a_redeal_may_be_demanded_out_of_turn_where_the_rules_allow_it() -> None:
    for seed in range(400):
        sheet = started(seed=seed)
        seats = [seat for seat in (0, 2, 3) if sheet.hand.may_redeal(seat)]
        if seats:
            sheet.say(PEOPLE[seats[0]], cm.Act("a", "redeal", sheet.table.seq))
            assert sheet.hand.phase == "redealt"
            assert sheet.table.between_hands
            assert sheet.table.scores[-1].score is None
            return
        assert sheet.code(ANN, cm.Act("a", "redeal", sheet.table.seq)) == "no-redeal"
    pytest.fail("no hand without counters was dealt")


def test_a_challenge_is_an_act_where_revokes_are_punished() -> None:
    sheet = started(variant("kd_tournament"))
    assert sheet.code(ANN, cm.Challenge("c", 1)) == "not-now"


def test_a_dummys_card_and_other_spellings_are_written_one_way() -> None:
    sheet = started()
    assert sheet.say(BOB, cm.Act("a", "  BID   75", sheet.table.seq)) == [
        ev.Acted(1, "1 bid 75", "person")
    ]


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("bid 12", "bid-too-low"),
        ("bid 999", "bid-too-high"),
        ("bid 71", "bid-step"),
        ("play Z9", "unknown-card"),
        ("dance", "bad-action"),
        ("   ", "bad-action"),
        ("0 bid 75", "bad-action"),
        ("play G5", "not-now"),
    ],
)
def test_an_action_the_rules_refuse_is_refused_with_their_code(action: str, code: str) -> None:
    sheet = started()
    assert sheet.code(BOB, cm.Act("a", action, sheet.table.seq)) == code


def test_acts_out_of_time_are_late() -> None:
    sheet = started()
    assert sheet.code(BOB, cm.Act("a", "bid 75", 1)) == "late"
    assert sheet.code(BOB, cm.Act("a", "bid 75", sheet.table.seq + 1)) == "late"
    assert sheet.code(CY, cm.Act("a", "bid 75", sheet.table.seq)) == "not-your-turn"


@pytest.mark.parametrize("seat", [0, 2, 4, 7], ids=["own", "empty", "none", "the last"])
def test_nobody_is_blocked_or_reported_but_another_person(seat: int) -> None:
    for command in (cm.Block("b", seat), cm.Report("r", seat)):
        assert Sheet(people=2).code(ANN, command) == "no-person"


def test_talk_is_cleaned() -> None:
    sheet = Sheet(people=2)
    said = sheet.say(ANN, cm.Chat("c", text=" hi \n there "))[0]
    assert said == ev.Chatted("p0", "Ann", 0, text="hi there")
    assert sheet.say(EVE, cm.Chat("c", phrase="hello"))[0] == ev.Chatted(
        "p4", "Eve", None, phrase="hello"
    )
    for command in (
        cm.Chat("c"),
        cm.Chat("c", text="x", phrase="hello"),
        cm.Chat("c", phrase="nonsense"),
        cm.Chat("c", text="a\u202eb"),
        cm.Chat("c", text=" "),
        cm.Chat("c", text="x" * 301),
    ):
        assert sheet.code(ANN, command) == "bad-text"
    assert sheet.say(ANN, cm.Report("r", 1, "rude")) == [ev.Reported("p0", "p1", "rude")]
    assert sheet.say(ANN, cm.Block("r", 1)) == [ev.Blocked("p0", "p1")]
    assert sheet.code(ANN, cm.Block("r", 0)) == "no-person"
    assert sheet.code(ANN, cm.Report("r", 7)) == "no-person"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        '{"type": "nonsense"}',
        '{"type": "sit"}',
        '{"type": "sit", "id": ""}',
        '{"type": "sit", "id": "a b"}',
        '{"type": "sit", "id": "a\\n"}',
        '{"type": "sit", "id": "a", "seat": 8}',
        '{"type": "sit", "id": "a", "seat": -1}',
        '{"type": "sit", "id": "a", "seat": 1.5}',
        '{"type": "sit", "id": "a", "seat": true}',
        '{"type": "sit", "id": "a", "seat": NaN}',
        '{"type": "sit", "id": "a", "seat": 1, "seat": 2}',
        '{"type": "sit", "id": "a", "more": 1}',
        '{"type": "act", "id": "a", "action": "' + "x" * 301 + '"}',
        '{"type": "arrange", "id": "a", "seats": [0,0,0,0,0,0,0,0,0]}',
        '{"type": "hello", "seen": 99999999999999999999999}',
        '{"type": "contribute", "id": "a", "number": 0, "share": "zz"}',
        "[" * 2000,
        '{"type": "hello", "seen": ' + "9" * 4000 + "}",
    ],
)
def test_a_malformed_message_is_refused(text: str) -> None:
    answer = cm.read(text)
    assert isinstance(answer, Refused)
    assert answer.code == "bad-message"
    assert isinstance(cm.read(text.encode() + b"\xff"), Refused)


def test_a_message_beyond_the_limit_is_refused_unread() -> None:
    ping = json.dumps({"type": "ping"})
    assert cm.read(ping.ljust(cm.LONGEST)) == cm.Ping()
    answer = cm.read(ping.ljust(cm.LONGEST + 1))
    assert isinstance(answer, Refused)
    assert answer.code == "too-long"


def test_codes_are_a_closed_list() -> None:
    told = (errors.IllegalAction.__doc__ or "") + (errors.BadAction.__doc__ or "")
    listed = {word.strip("`.") for word in told.split() if "-" in word.strip("`.")}
    assert listed <= RULES_CODES
    assert RULES_CODES <= CODES
    with pytest.raises(ValueError, match="closed list"):
        Refused("because", "of that")


@pytest.mark.parametrize("text", ["", "  ", "a\x00b", "a\u202eb", "a\u200b", "x" * 25, "\u0301"])
def test_a_name_that_cannot_be_shown_is_refused(text: str) -> None:
    with pytest.raises(BadText):
        clean_name(text)


def test_codes_of_tables_are_easily_told_apart() -> None:
    codes = {new_code() for _ in range(200)}
    assert len(codes) == 200
    assert all(is_code(code) for code in codes)
    assert not set("".join(codes)) & set("01OIL")
