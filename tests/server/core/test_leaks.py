"""Nothing that goes to a seat depends on cards that the seat may not know: the swap law, on bytes.

Two worlds that a seat cannot tell apart, the same table with two unknown cards exchanged, have to
give it the same bytes: snapshots, events, refusals, and whether something is asked of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import copy
from random import Random
from typing import Any, get_args

import msgspec
import pytest
from tests.faults.known import Known
from tests.laws.playing import random_action
from tests.server.core.tables import PEOPLE, Sheet, started

from rookery.cards import Card, card_name, unpack
from rookery.game import IllegalAction
from rookery.rules import catalog, load, variant
from rookery.rules.table import compile_rules
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.audit import exchanged, unknown_to
from rookery.server.table.decide import decide
from rookery.server.table.projection import PUBLIC, public_event, snapshot
from rookery.server.table.state import Table
from rookery.server.table.voting import doubt

VARIANTS = sorted(catalog())
Wire = Callable[[Table, list[ev.Entry], int | None], bytes]


def wire(table: Table, entries: list[ev.Entry], seat: int | None) -> bytes:
    """Return all that a seat is sent of the hand under way."""
    events = [public_event(entry, seat) for entry in entries]
    return msgspec.json.encode([snapshot(table, seat), events])


def answers(table: Table, seat: int, one: Card, other: Card) -> list[object]:
    """Return what a seat hears to things it may try."""
    who = next(who for who in PEOPLE if who.id == table.chairs[seat].person)
    pack, hand = table.rules.pack, table.hand
    assert hand is not None
    tries: list[cm.Changing] = [
        cm.Act("a", f"play {card_name(one, pack)}", table.seq),
        cm.Act("a", f"discard {card_name(one, pack)} {card_name(other, pack)}", table.seq),
        cm.Act("a", "redeal", table.seq),
        cm.Act("a", "pass", table.seq),
    ]
    heard: list[object] = [decide(table, who, tried, lambda: b"", "papa") for tried in tries]
    return [*heard, doubt(hand, seat)]


def undo_answer(table: Table, seat: int) -> object:
    """Return what a seat hears that wants to take back; None where this world has no such past."""
    who = next(who for who in PEOPLE if who.id == table.chairs[seat].person)
    try:
        return decide(table, who, cm.Undo("a"), lambda: b"", "papa")
    except IllegalAction:
        return None


def other_world(table: Table, one: Card, other: Card) -> Table:
    hand, match = table.hand, copy(table.match)
    assert hand is not None
    assert match is not None
    match.hands = (*match.hands[:-1], exchanged(hand, one, other))
    return msgspec.structs.replace(table, match=match)


def other_log(table: Table, entries: list[ev.Entry], one: Card, other: Card) -> list[ev.Entry]:
    a, b = (card_name(card, table.rules.pack) for card in (one, other))
    names = {a: b, b: a}

    def swapped(event: ev.Event) -> ev.Event:
        if isinstance(event, ev.HandDealt):
            deal = [[names.get(card, card) for card in hand] for hand in event.deal]
            nest = [names.get(card, card) for card in event.nest]
            return msgspec.structs.replace(event, deal=deal, nest=nest)
        if isinstance(event, ev.Acted) and event.text.split()[1] in ("discard", "give"):
            words = [names.get(word, word) for word in event.text.split()]
            return msgspec.structs.replace(event, text=" ".join(words))
        return event

    return [msgspec.structs.replace(entry, event=swapped(entry.event)) for entry in entries]


def positions(name: str, seed: int) -> Iterator[tuple[Table, list[ev.Entry]]]:
    """Yield every position of a hand at a table, with the log since it was dealt."""
    sheet: Sheet = started(variant(name), seed=seed)
    rng = Random(seed)
    since = len(sheet.entries) - 3
    while not sheet.hand.over:
        yield sheet.table, sheet.entries[since:]
        sheet.act(random_action(sheet.hand, rng))
    yield sheet.table, sheet.entries[since:]


def leaks(name: str, seed: int, sent: Wire = wire) -> Iterator[str]:
    rng = Random(name)
    for table, entries in positions(name, seed):
        hand = table.hand
        assert hand is not None
        for seat in (None, *range(hand.rules.seats)):
            hidden = list(unpack(unknown_to(hand, seat)))
            if hand.phase == "done" or len(hidden) < 2 or rng.random() < 0.5:
                continue
            one, other = rng.sample(hidden, 2)
            world, log = other_world(table, one, other), other_log(table, entries, one, other)
            if sent(table, entries, seat) != sent(world, log, seat):
                yield f"seat {seat} in {hand.phase}"
            if seat is not None and answers(table, seat, one, other) != answers(
                world, seat, one, other
            ):
                yield f"an answer to seat {seat} in {hand.phase}"
            if (
                seat is not None
                and len({str(undo_answer(t, seat)) for t in (table, world)} - {"None"}) > 1
            ):
                yield f"an undo of seat {seat} in {hand.phase}"


@pytest.mark.parametrize("name", VARIANTS)
def test_no_seat_is_sent_what_it_may_not_know(name: str) -> None:
    assert list(leaks(name, 5)) == []


def whole_log(table: Table, entries: list[ev.Entry], seat: int | None) -> bytes:
    return wire(table, entries, seat) + msgspec.json.encode([e.event for e in entries])


def discards_told(table: Table, entries: list[ev.Entry], seat: int | None) -> bytes:
    acts = [e.event.text for e in entries if isinstance(e.event, ev.Acted)]
    return wire(table, entries, seat) + json.dumps(acts).encode()


def watcher_sees_a_hand(table: Table, entries: list[ev.Entry], seat: int | None) -> bytes:
    return wire(table, entries, 0 if seat is None else seat)


def length_of_the_hidden(table: Table, entries: list[ev.Entry], seat: int | None) -> bytes:
    assert table.hand is not None
    told_of = table.hand.names(unpack(table.hand.hidden.hand[0]))
    return wire(table, entries, seat) + b" " * len("".join(told_of))


def nest_counted_early(table: Table, entries: list[ev.Entry], seat: int | None) -> bytes:
    assert table.hand is not None
    hidden, worth = table.hand.hidden, table.rules.card_points
    nest = sum(worth.get(card, 0) for card in unpack(hidden.nest))
    return msgspec.json.encode([n + nest for n in snapshot(table, seat).taken])


def count_of_a_secret_side(table: Table, entries: list[ev.Entry], seat: int | None) -> bytes:
    assert table.hand is not None
    allies = unpack(table.hand.hidden.allies)
    return msgspec.json.encode(sum(snapshot(table, seat).taken[ally] for ally in allies))


def test_a_running_count_that_knows_the_partner_is_caught() -> None:
    found = (leaks("call_partner_4", seed, count_of_a_secret_side) for seed in range(6))
    assert any(list(one) for one in found)


@pytest.mark.parametrize(
    "leak",
    [nest_counted_early, whole_log, discards_told, watcher_sees_a_hand, length_of_the_hidden],
)
def test_a_planted_leak_is_caught(leak: Wire) -> None:
    assert any(found for seed in range(3) for found in leaks("kd_tournament", seed, leak))


def test_a_key_is_shown_only_when_the_hand_is_done() -> None:
    keys: dict[str, str] = {}
    for table, entries in positions("kd_tournament", 2):
        for e in entries:
            if isinstance(e.event, ev.DealPromised):
                keys[e.event.commitment] = e.event.key
        assert table.proof is not None
        assert table.promise is not None
        key = table.proof.key
        sent = [wire(table, entries, seat) for seat in (None, 0, 1, 2, 3)]
        assert not any(table.promise.key.encode() in text for text in sent)
        assert table.hand is not None
        assert {key.encode() in text for text in sent} == {table.hand.over}
    assert keys


def test_what_everybody_is_told_has_a_case_for_every_event() -> None:
    samples: list[ev.Event] = [
        ev.Left(1),
        ev.BotRemoved(1),
        ev.Arranged([0]),
        ev.HostPassed(None),
        ev.SettingsChanged("", False, "normal", None),
        ev.Renamed(0, "x"),
        ev.Contributed(0, "0" * 32),
        ev.VoteAsked("undo", 1),
        ev.Voted(1, True),
        ev.VoteClosed("undo", 1, True),
        ev.Undone(1),
        ev.Ready(1),
        ev.Rematched([0]),
        ev.EveningJoined("ABCDEF2", 1, 2, "secret", 3, [4]),
        ev.Away(1),
        ev.Back(1),
        ev.StoodIn(1, "papa"),
        ev.Chatted("p1", "Ann", 0, text="secret words"),
        ev.Silenced("p1", "muted"),
        ev.Reported("p1", "p2", "secret words"),
        ev.Blocked("p1", "p2"),
    ]
    for event in samples:
        shown: dict[str, Any] = public_event(ev.Entry(4, 9, event), None)
        assert shown["seq"] == 4
        assert isinstance(shown["type"], str)
        assert "secret" not in json.dumps(shown)
        assert "p1" not in json.dumps(shown)
        assert "0" * 32 not in json.dumps(shown)


@pytest.mark.parametrize("name", ["kd_tournament", "five_person_poker", "circus", "red_1"])
def test_a_snapshot_says_which_cards_are_trumps_and_what_was_led(name: str) -> None:
    led: set[str] = set()
    for table, _ in positions(name, 4):
        hand, shown = table.hand, snapshot(table, 0)
        assert hand is not None
        trumps = set(shown.trumps)
        assert bool(trumps) <= (hand.call is not None)
        if shown.led is not None:
            led.add(shown.led)
            first = hand.names(hand.trick)[0]
            assert (first in trumps) == (shown.led == "trump")
            assert shown.led == "trump" or shown.led[0].upper() == first[0]
        else:
            assert not hand.trick
        colours = {card[0] for card in trumps}
        if hand.call in ("red", "green", "yellow", "black"):
            assert hand.call[0].upper() in colours
    assert len(led) > 1


def test_the_sides_that_the_rules_fix_are_shown_before_the_first_deal() -> None:
    pairs = {"base": "kd_tournament", "partnership": "fixed_opposite"}
    six = load({**pairs, "seats": 6, "hand_size": 6})
    eight = load({**pairs, "seats": 8, "hand_size": 5, "nest_size": 1})
    for rules in (*(variant(name) for name in VARIANTS), six, eight):
        shown, table = snapshot(Sheet(rules).table, 0), compile_rules(rules)
        if rules.calls_partner:
            assert shown.sides is None
            continue
        assert shown.sides is not None
        assert [side[0] for side in shown.sides] == list(range(len(shown.sides)))
        for side in shown.sides:
            assert {table.partners[seat] for seat in side} == {sum(1 << seat for seat in side)}
    assert six.fixed_sides == ((0, 3), (1, 4), (2, 5))
    assert eight.fixed_sides == ((0, 4), (1, 5), (2, 6), (3, 7))


@pytest.mark.parametrize("name", ["call_partner_4", "call_partner_5", "five_person_poker"])
def test_called_partners_are_shown_once_everybody_knows_them(name: str) -> None:
    known = []
    for table, _ in positions(name, 3):
        hand = table.hand
        assert hand is not None
        for seat in (None, *range(hand.rules.seats)):
            shown = snapshot(table, seat)
            assert shown.sides is None
            assert shown.view is not None
            assert (shown.view.sides is None) == (hand.sides is None)
        known.append(hand.sides is not None)
    assert known == sorted(known)
    assert set(known) == {False, True}


# What everybody is told of each kind of event, besides its number and time; of those that are not
# here only that something was noted.
TOLD = {
    "table_made": "code",
    "sat": "seat name",
    "left": "seat",
    "bot_seated": "seat bot",
    "bot_removed": "seat",
    "arranged": "seats",
    "host_passed": "seat",
    "settings_changed": "",
    "renamed": "seat name",
    "face_chosen": "seat face",
    "deal_promised": "number scheme commitment",
    "contributed": "seat",
    "timeline_begun": "",
    "evening_joined": "evening round table",
    "match_begun": "number",
    "hand_dealt": "number dealer",
    "challenged": "seat accused",
    "vote_asked": "kind seat shown",
    "voted": "seat yes",
    "vote_closed": "kind seat accepted",
    "undone": "seat",
    "ready": "seat",
    "halted": "seat on",
    "rematched": "seats",
    "silenced": "how",
    "away": "seat",
    "back": "seat",
    "stood_in": "seat bot",
}


def test_of_no_kind_of_event_is_more_shown_than_is_written_here() -> None:
    told = {kind.__struct_config__.tag: " ".join(names) for kind, names in PUBLIC.items()}
    assert told == TOLD
    kept_back = {ev.Acted, ev.Chatted, ev.Reported, ev.Blocked}
    assert set(get_args(ev.Event)) == PUBLIC.keys() | kept_back
    assert not PUBLIC.keys() & kept_back


@pytest.mark.parametrize("name", VARIANTS)
def test_what_is_taken_for_closed_is_all_that_is_closed(name: str) -> None:
    """The swap law exchanges only cards that `unknown_to` returns: it may not miss one."""
    known, learnt, missed = Known(), 0, set[str]()
    sheet: Sheet = started(variant(name), seed=7)
    rng = Random(7)
    while True:
        for entry in sheet.entries[learnt:]:
            known.learn(entry)
        learnt, hand = len(sheet.entries), sheet.hand
        if hand.over:
            break
        for seat in (None, *range(hand.rules.seats)):
            person = None if seat is None else sheet.table.chairs[seat].person
            deck = hand.names(hand.rules.deck)
            closed = {card for card in deck if not known.may(person, card, sheet.table.seq)}
            if not closed <= set(hand.names(unpack(unknown_to(hand, seat)))):
                missed.add(f"seat {seat} in {hand.phase}")
        sheet.act(random_action(hand, rng))
    assert missed == set()
