"""The log is the truth: folding the stored events again gives the table as it was."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.core.tables import PEOPLE, Sheet, hands_of, looks, seen_hands, started

from rookery.fairness.check import proven
from rookery.record import HandRecord, loads, replay
from rookery.rules import catalog, variant
from rookery.server.registry.history import history_of
from rookery.server.registry.played import proof_of, record_of
from rookery.server.store.base import StoreError
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.fold import evolve
from rookery.server.table.projection import snapshot

VARIANTS = sorted(catalog())


def stored(sheet: Sheet) -> list[ev.Entry]:
    """Return the entries as a store gives them back."""
    return [ev.Entry(e.seq, e.at, ev.read(ev.written(e.event)), e.client) for e in sheet.entries]


def of_cards(deal: list[list[str]] | None, nest: list[str], proof: dict[str, Any]) -> HandRecord:
    return HandRecord(0, deal, nest, extra={"proof": proof})


def with_talk(sheet: Sheet, rng: Random, hands: int) -> None:
    """Play some hands, with everything else that happens at a table in between."""
    for number in range(hands):
        sheet.play(rng, lambda hand, n=number: len(hand.actions) > 3)  # type: ignore[misc]
        sheet.say(PEOPLE[1], cm.Chat("c", text="well"))
        sheet.add([ev.Away(1), ev.StoodIn(1, "papa"), ev.Back(1)])
        if sheet.table.promise is not None and 2 not in dict(sheet.table.promise.shares):
            share = cm.Contribute("x", sheet.table.promise.number, f"{number:032x}")
            sheet.say(PEOPLE[0], share)
        sheet.play(rng, lambda hand: hand.over)
        if sheet.table.phase == "over":
            sheet.say(sheet.person(sheet.table.host), cm.Rematch("r"))
        else:
            sheet.play(rng, lambda hand: not hand.over)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_fold_of_the_stored_events_is_the_table(name: str) -> None:
    sheet = started(variant(name))
    with_talk(sheet, Random(name), 2)
    again = history_of(stored(sheet)).table
    assert looks(again) == looks(sheet.table)
    assert hands_of(history_of(stored(sheet))) == seen_hands(sheet.hands)
    # The control: a log that lost what one event says is not the same table.
    acts = [i for i, e in enumerate(sheet.entries) if isinstance(e.event, ev.Acted)]
    assert looks(history_of(stored(sheet)[: acts[-1]]).table) != looks(sheet.table)


@pytest.mark.parametrize("name", VARIANTS[::5])
def test_every_finished_hand_becomes_a_record_with_a_proof(name: str) -> None:
    sheet = started(variant(name))
    rng = Random(7)
    sheet.play(rng, lambda hand: hand.over)
    text = record_of(sheet.history)
    assert text is not None
    read = loads(text)
    assert replay(read).hands[-1].over
    written = read.hands[0]
    shown, deal = written.extra["proof"], written.deal
    assert deal is not None
    assert proven(read.rules, written)
    for forged in ({"key": "00" * 32}, {"number": 9}):
        assert proven(read.rules, of_cards(deal, written.nest, {**shown, **forged})) is False
    moved = [deal[-1], *deal[1:-1], deal[0]]
    assert proven(read.rules, of_cards(moved, written.nest, shown)) is False


def test_a_running_hand_has_no_record_and_shows_no_key() -> None:
    past = started().history
    assert [match.hands for match in past.matches] == [()]
    assert record_of(past) is None
    assert record_of(past, 0) is None


def test_a_whole_match_and_its_rematch_fold_again() -> None:
    sheet = started(variant("partnership_180"))
    rng = Random(3)
    sheet.play(rng, lambda _: False)
    assert sheet.table.phase == "over"
    assert sheet.table.match is not None
    assert snapshot(sheet.table, 0).winners == list(sheet.table.match.winners or ()) != []
    assert sheet.table.scores[-1].totals == sheet.table.match.totals
    sheet.say(PEOPLE[0], cm.Rematch("r"))
    assert sheet.hand.phase == "auction"
    past = sheet.history
    assert [match.winners is None for match in past.matches] == [False, True]
    assert sheet.table.matches_before == 1
    played = past.matches[0]
    assert sheet.table.hands_before == len(played.hands)
    for hand in played.hands:
        shown = proof_of(past, played, hand)
        assert shown is not None
        assert proven(played.rules, of_cards(hand.written.deal, hand.written.nest, shown))
    assert hands_of(history_of(stored(sheet))) == seen_hands(sheet.hands)
    assert looks(history_of(stored(sheet)).table) == looks(sheet.table)


def test_partners_are_redrawn_where_the_rules_say_so() -> None:
    redrawn = next(v for v in VARIANTS if "redrawn" in variant(v).rotation)
    orders = set()
    for seed in range(6):
        sheet = started(variant(redrawn), seed=seed)
        sheet.table = replace(sheet.table, phase="over")
        outcome = sheet.say(PEOPLE[0], cm.Rematch("r"))
        orders.add(tuple(chair.name for chair in sheet.table.chairs))
        assert isinstance(outcome[0], ev.Rematched)
        assert sheet.table.host == sheet.table.seat_of(PEOPLE[0].id)
    assert len(orders) > 1
    sheet = started()
    sheet.table = replace(sheet.table, phase="over")
    sheet.say(PEOPLE[0], cm.Rematch("r"))
    assert [chair.name for chair in sheet.table.chairs] == ["Ann", "Bob", "Cy", "Dee"]


def test_events_are_taken_in_their_order_only() -> None:
    sheet = started()
    with pytest.raises(ValueError, match="does not follow"):
        evolve(sheet.table, sheet.entries[-1])
    with pytest.raises(StoreError, match="event 5 of table ABCDEF2 has no place"):
        history_of([*sheet.entries[:3], *sheet.entries[4:]])


@pytest.mark.parametrize("seat", [4, -1])
def test_an_event_of_a_seat_that_is_not_there_has_no_place(seat: int) -> None:
    log = Sheet(people=2).entries
    for event in (ev.BotRemoved(seat), ev.Sat(seat, "p9", "Ida"), ev.Left(seat), ev.Away(seat)):
        with pytest.raises(StoreError, match="has no place"):
            history_of([*log, ev.Entry(len(log) + 1, 0, event)])


def test_what_belongs_to_a_hand_has_no_place_before_one() -> None:
    log = Sheet(people=2).entries
    act, dealt = ev.Acted(0, "0 pass", "person"), ev.HandDealt(0, 0, [], [], [])
    for event in (act, dealt, ev.Undone(0), ev.Challenged(0, 1)):
        with pytest.raises(StoreError, match="has no place: ValueError"):
            history_of([*log, ev.Entry(len(log) + 1, 0, event)])
    with pytest.raises(StoreError, match="has no place: ValueError"):
        history_of([log[0], ev.Entry(2, 0, ev.Contributed(0, 32 * "0"))])
