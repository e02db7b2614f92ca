"""An evening on screens as a log: tables that open once, one person a phone, what was played."""

from __future__ import annotations

import pytest
from tests.evening.log.happening import MADE, change, starting
from tests.evening.log.test_log import change_kept

from rookery.evening.log.changes import Opened, Played
from rookery.evening.log.fold import EveningLog
from rookery.evening.log.names import begun, first_names
from rookery.evening.log.screens import PAUSE, Screens
from rookery.evening.log.told import round_told
from rookery.evening.movements.changes import begin
from rookery.evening.movements.state import EveningError
from rookery.rules import variant


def on_screens(movement: str, people: int) -> EveningLog:
    """Return an evening on screens before its first entry."""
    log = starting(movement, people)
    log.screens = Screens()
    return log


def test_a_round_that_begins_anew_has_tables_of_its_own() -> None:
    log = on_screens("individual", 8)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    first = log.turns[-1]
    with pytest.raises(EveningError, match="round 2: expected the last, 1"):
        log.take(2, "b", change_kept(log, do="undo_round", round=2), 1)
    log.take(2, "b", change_kept(log, do="undo_round", round=1), 1)
    with pytest.raises(EveningError, match="round 1: expected the last, 0"):
        log.take(3, "b", change_kept(log, do="undo_round", round=1), 1)
    # It was written when the round was there, and came too late.
    late = Opened(do="opened", round=1, table=1, code="LATE")
    with pytest.raises(EveningError, match="round 1"):
        log.take(3, "c", late, 1)
    log.take(4, "d", change_kept(log, do="round", round=1), 1)
    assert log.turns != [first]
    # The first one stands, whoever else has found the table without a code.
    for entry, code in ((5, "ONE"), (6, "OTHER")):
        log.take(entry, code, Opened(do="opened", round=1, table=1, code=code), 1)
    assert log.codes == {(1, 1): "ONE"}
    with pytest.raises(EveningError, match="its tables are open"):
        log.take(7, "e", change_kept(log, do="undo_round", round=1), 1)


@pytest.mark.parametrize("movement", ["mitchell", "individual"])
def test_whoever_has_played_prepared_deals_is_nobody_else_afterwards(movement: str) -> None:
    log, host, phone = on_screens(movement, 12), 1, 2
    log.take(1, "a", change_kept(log, do="claim", person=0), phone)
    # Before anything was dealt they may have tapped the wrong name.
    log.take(2, "b", change_kept(log, do="claim", person=1), phone)
    log.take(3, "c", change_kept(log, do="round", round=1), host)
    other = change_kept(log, do="claim", person=5)
    log.take(4, "d", change_kept(log, do="free", person=1), phone)
    if movement == "individual":
        log.take(5, "e", other, phone)
        return
    with pytest.raises(EveningError, match="you have been person 1") as caught:
        log.take(5, "e", other, phone)
    assert caught.value.code == "claimed"
    log.take(6, "f", change_kept(log, do="claim", person=1), phone)
    # A host who frees their name knows why.
    log.take(7, "g", change_kept(log, do="free", person=1), host)
    log.take(8, "h", other, phone)
    assert log.phones.of == {5: phone}
    log.take(9, "i", change_kept(log, do="claim", person=7), 3)
    log.take(10, "j", change_kept(log, do="free", person=7), host)
    assert log.phones.of == {5: phone}


def test_an_evening_that_was_kept_before_there_were_hands_a_round_reads_as_it_was() -> None:
    kept = {"movement": "halves", "people": [*"abcdefgh"], "seed": 1, "best_of": 1, "boards": 2}
    kept |= {"agree": False, "rules": [variant("kd_tournament").model_dump(mode="json")]}
    assert [begun(one).hands for one in (kept, {**kept, "hands": 4})] == [None, 4]
    assert not begun(kept).dealt


def test_bots_are_the_last_of_those_who_came_and_whoever_stands_in_for_somebody() -> None:
    kept = {"movement": "individual", "people": [*"abcdefgh"], "seed": 1, "best_of": 1, "boards": 1}
    kept |= {"agree": False, "rules": [variant("kd_tournament").model_dump(mode="json")]}
    for body, bots in (
        (kept, []),
        ({**kept, "bots": 3}, [5, 6, 7]),
        ({**kept, "bots": 2, "helpers": ["Wren", "Owl"]}, [6, 7, 8, 9]),
    ):
        log = begun(body)
        assert set(log.bots) == set(bots)
        helping = sum(bot >= 8 for bot in bots)
        assert first_names(body) == [*"abcdefgh", *[""] * helping]


def test_what_is_told_of_a_table_has_its_newest_entry_and_whether_a_score_stands() -> None:
    log = starting("individual", 8)
    rows = [[10, -10, 10, -10]]
    told = []
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    for entry, said in ((2, rows), (3, None), (4, rows)):
        over = 0 if entry == 2 else entry - 1
        told.append(round_told(log, 1, str).tables[0])
        score = change_kept(log, do="score", round=1, table=1, rows=said, over=over)
        log.take(entry, f"s{entry}", score, 1)
    told.append(round_told(log, 1, str).tables[0])
    assert [one.entry for one in told] == [0, 2, 3, 4]
    assert told[0].state == told[2].state == "open"
    assert told[1].state == told[3].state != "open"
    assert [one.scores for one in told] == [None, rows[0], None, rows[0]]


def test_the_next_round_waits_for_the_last_score_of_its_round_and_for_no_older_one() -> None:
    log, entry = starting("individual", 8), 0
    log.screens = Screens(auto=True)

    def do(at: int, **said: object) -> None:
        nonlocal entry
        entry += 1
        log.take(entry, f"id {entry}", log.asked(change(**said), MADE + at), 1)

    def score(at: int, round_: int, table: int, over: int = 0) -> None:
        do(at, do="score", round=round_, table=table, rows=[[at, -at, at, -at]], over=over)

    assert log.next_at is None
    for round_, at in ((1, 0), (2, 90_000)):
        do(at, do="round", round=round_)
        score(at + 10, round_, 1)
        assert log.next_at is None  # the other table plays on
        score(at + 70, round_, 2)
        assert log.next_at == MADE + at + 70 + PAUSE
    score(90_500, 1, 1, over=2)  # a correction of the first round
    assert log.next_at == MADE + 90_070 + PAUSE
    score(90_700, 2, 1, over=5)  # and of the second
    assert log.next_at == MADE + 90_700 + PAUSE
    log.screens = None
    assert log.next_at is None


def test_no_round_begins_out_of_turn_or_in_which_nobody_plays() -> None:
    log = starting("individual", 8)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    with pytest.raises(EveningError, match="nobody would play") as caught:
        change_kept(log, do="round", round=2, slow=[1, 2])
    assert caught.value.code == "too-few"
    with pytest.raises(EveningError, match="round 3: expected 2 as the next one"):
        change_kept(log, do="round", round=3)


def test_nobody_has_another_seat_on_screens() -> None:
    log = on_screens("individual", 8)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    first, second = (table.seats[0] for table in log.evening.rounds[0].tables)
    with pytest.raises(EveningError, match="whoever has a seat keeps it") as caught:
        log.take(2, "b", change_kept(log, do="exchange", one=first, other=second), 1)
    assert caught.value.code == "on-screens"


def test_what_a_table_came_to_stands_though_a_host_took_a_score_back() -> None:
    log = on_screens("individual", 8)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    log.take(2, "b", Opened(do="opened", round=1, table=1, code="ONE"), 1)
    null = change_kept(log, do="score", round=1, table=1, rows=None, over=0)
    log.take(3, "c", null, 1)
    rows = [[250_000, -40, 250_000, -40]]  # by house rules of large points
    log.take(4, "s", Played(do="played", round=1, table=1, rows=rows, at=MADE), 2)
    assert log.evening.rounds[0].tables[0].scores == tuple(rows[0])


@pytest.mark.parametrize("early", [False, True])  # the second is as an earlier program read it
def test_prepared_deals_are_open_though_a_host_took_back_what_a_table_came_to(
    *, early: bool
) -> None:
    evening = begin("howell", 8, boards=1)
    log = EveningLog(evening, [*"abcdefgh"], screens=Screens(), dealt=True, early=early)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    tables = [table.number for table in log.evening.rounds[0].tables]
    for entry, number in enumerate(tables, 2):
        opened = Opened(do="opened", round=1, table=number, code=f"C{number}")
        log.take(entry, opened.code, opened, 1)
    log.take(10, "b", change_kept(log, do="end", over=True), 1)
    assert not log.is_open  # they all play on
    for entry, number in enumerate(tables, 11):
        said = Played(do="played", round=1, table=number, rows=[[1, 2, 1, 2]], at=MADE)
        if number == tables[-1]:
            assert not log.is_open
            log.take(20, "c", change_kept(log, do="end", over=False), 1)
        log.take(entry, f"s{number}", said, 1)
    null = change_kept(log, do="score", round=1, table=tables[0], rows=None, over=12)
    log.take(21, "d", null, 1)
    log.take(22, "e", change_kept(log, do="end", over=True), 1)
    assert log.evening.table(1, tables[0]).scores is None
    assert log.is_open != early


def test_a_key_that_was_shown_is_for_good_whatever_is_said_of_a_score() -> None:
    log = EveningLog(begin("howell", 8, boards=1), [*"abcdefgh"], screens=Screens(), dealt=True)
    log.take(1, "a", change_kept(log, do="round", round=1), 1)
    log.take(2, "b", Opened(do="opened", round=1, table=1, code="ONE"), 1)
    score = {"do": "score", "round": 1, "table": 1, "rows": [[9, 5, 9, 5]], "over": 0}
    log.take(3, "c", change_kept(log, **score), 1)
    log.take(4, "d", change_kept(log, do="end", over=True), 1)
    log.take(5, "e", change_kept(log, **{**score, "rows": None}), 1)
    assert [number for number, _ in log.at_play] == [1]
    assert log.is_open
