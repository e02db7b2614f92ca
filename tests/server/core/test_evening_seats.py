"""A table of an evening: who may sit down during a hand, and how many hands it plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import pytest
from msgspec.structs import replace
from tests.laws.playing import random_action
from tests.server.core.tables import KENTUCKY, PEOPLE

from rookery.bots.birds import BIRDS
from rookery.rules import Rules, load
from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table import fold, seating, timers
from rookery.server.table.dealing import frozen_rules
from rookery.server.table.decide import decide
from rookery.server.table.evening import deals_of
from rookery.server.table.fold import evolve
from rookery.server.table.projection import snapshot
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Table, Who

ANN, BOB, CY = PEOPLE[:3]
KEY = 32 * "5a"
THROWN_IN = load({"base": "kd_tournament", "all_pass": "redeal", "target": 5})


def after(table: Table, events: Sequence[ev.Event]) -> Table:
    """Return a table to which these have happened."""
    for entry in ev.entered(events, table.seq + 1, 0):
        table = evolve(table, entry)
    return table


def dealt(
    rules: Rules = KENTUCKY, hands: int = 1, deals: Sequence[int] = (), *, evening: bool = True
) -> Table:
    """Return a table with a hand under way: Ann and Bob have seats 0 and 1, bots the others."""
    made = ev.TableMade("ABCDEF2", "", False, frozen_rules(rules), "instant", None)
    joined = ev.EveningJoined("ABCDEF3", 1, 1, "papa", hands, list(deals))
    sitting = [seating.Sitting(one.name, one.id) for one in (ANN, BOB)] + [seating.Sitting("")] * 2
    events = seating.opened(made, joined, sitting, KEY if deals else None, lambda: bytes(32))
    if not evening:
        events = [one for one in events if not isinstance(one, ev.EveningJoined)]
    return after(Table(made.code), [made, *events])


def sits(table: Table, who: Who, seat: int) -> Table | str:
    """Return the table at which somebody has sat down, or why they may not."""
    outcome = seating.sit(table, who, cm.Sit("s", seat))
    return outcome.code if isinstance(outcome, Refused) else after(table, outcome)


def back_after_another() -> Table | str:
    """Return what becomes of Ann, who leaves and comes back after Cy has come late."""
    left = after(dealt(), seating.leave(dealt(), 0, "papa"))
    late = sits(left, CY, 2)
    assert isinstance(late, Table)
    return sits(late, ANN, 0)


def test_whoever_has_seen_no_cards_of_a_hand_plays_on_for_a_bot() -> None:
    late = sits(dealt(), CY, 2)
    assert isinstance(late, Table)
    assert late.seat_of(CY.id) == 2
    assert sits(dealt(evening=False), CY, 2) == "hand-under-way"
    # Whoever has seen other cards of it does not, and comes back to their own seat alone.
    left = after(dealt(), seating.leave(dealt(), 0, "papa"))
    assert sits(left, ANN, 2) == "hand-under-way"
    assert isinstance(sits(left, ANN, 0), Table)
    assert sits(left, CY, 1) == "seat-taken"


def test_bots_without_a_name_are_called_after_birds() -> None:
    ann, bob, *birds = (chair.name for chair in dealt().chairs)
    assert (ann, bob) == (ANN.name, BOB.name)
    assert len({*birds} & {*BIRDS}) == 2


def test_two_of_a_name_have_a_seat_each() -> None:
    namesake = Who("p9", ANN.name)
    assert isinstance(sits(dealt(), namesake, 2), Table)
    assert sits(dealt(evening=False), namesake, 2) == "name-taken"


def test_whoever_comes_late_leaves_others_their_right_to_come_back() -> None:
    back = back_after_another()
    assert isinstance(back, Table)
    assert back.seat_of(ANN.id) == 0


def test_the_control_a_late_person_who_takes_the_right_of_others_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def alone(table: Table, event: ev.Sat) -> Table:
        seen = frozenset({(event.person, event.seat)})
        return replace(seated(table, event), seen_by=seen)

    seated: Callable[[Table, ev.Sat], Table] = vars(fold)["_sat"]
    monkeypatch.setattr(fold, "_sat", alone)
    # They have seen cards, and nobody knows it any more: now any seat would be theirs.
    left = after(dealt(), seating.leave(dealt(), 0, "papa"))
    late = sits(left, CY, 2)
    assert isinstance(late, Table)
    assert isinstance(sits(late, ANN, 3), Table)


def played(table: Table, rng: Random | None) -> Table:
    """Return the table after its hand, in which everybody passes where there is no chance."""
    while table.hand is not None and not table.hand.over:
        assert table.phase == "playing"
        text = f"{table.hand.turn} pass" if rng is None else random_action(table.hand, rng)
        table = after(table, [ev.Acted(int(text[0]), text, "person")])
    return table


def next_dealt(table: Table) -> Table:
    """Return the table with what is due next; as it is where nothing is."""
    due, settings = timers.due(table, Settings(), 0), Settings()
    events = [] if due is None else timers.happens(table, due, settings, lambda: bytes(32))
    return after(table, events)


def test_each_hand_that_counts_is_a_match_of_its_own_until_all_are_played() -> None:
    table, told = dealt(THROWN_IN, hands=2), list[tuple[int, int, int, str]]()
    for rng in (None, Random(1), Random(2)):
        table = played(next_dealt(table), rng)
        assert table.hand is not None
        told.append((table.matches_before, table.place, table.hand.dealer, table.phase))
    # The first was thrown in.
    assert told == [(0, 0, 0, "playing"), (0, 1, 0, "playing"), (1, 0, 1, "over")]
    shown = snapshot(table, 0)
    assert shown.evening is not None
    assert [tuple(shown.evening.points)] == list(table.rows) != [(0, 0, 0, 0)]
    # No hand has a winner of its own, though somebody has all the points of a match.
    assert table.match is not None
    assert table.match.winners is not None
    assert shown.winners is None


def test_prepared_deals_come_in_their_order_and_one_that_is_thrown_in_counts() -> None:
    table, told = dealt(THROWN_IN, hands=3, deals=(3, 2, 4)), list[tuple[int, int, str]]()
    assert table.evening is not None
    prepared = deals_of(table.evening, THROWN_IN, KEY)
    share = decide(table, ANN, cm.Contribute("c", 2, 32 * "0"), lambda: bytes(32), "papa")
    assert isinstance(share, Refused)
    assert share.code == "bad-share"
    for rng, number in ((None, 3), (Random(1), 2), (None, 4)):
        table = next_dealt(table)
        assert table.hand is not None
        assert table.hand.dealt == prepared.hand(number).dealt
        assert table.hand.dealer == (number - 1) % 4
        table = played(table, rng)
        told.append((table.matches_before, table.place, table.phase))
    assert told == [(0, 0, "playing"), (1, 0, "playing"), (2, 0, "over")]
    assert table.promise is None  # there are no more
