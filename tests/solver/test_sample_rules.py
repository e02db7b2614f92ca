"""Worlds keep what rules say of several cards at once: legal discards, partners shown at once."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import pytest
from tests.solver.positions import is_legal_nest
from tests.solver.test_sample import WAYS, lies, positions

from rookery.engine.card_sets import count, points_of
from rookery.engine.state import PLAY, Hidden, State
from rookery.rules import load
from rookery.rules.table import HAND_MAX, RuleTable
from rookery.solver.constraints import IN_NEST, LOCATIONS, Constraints, find_constraints, note_own
from rookery.solver.sample import agrees, count_worlds, draw_world

Given = dict[str, object]
Drawn = tuple[RuleTable, State, Hidden, Constraints, Hidden]
FORCED = ["counters_unless_forced"]
BANS: list[Given] = [
    {"base": "one_low_180"},
    {"base": "kd_tournament", "discard_ban": FORCED},
    {"base": "kd_tournament", "discard_ban": [*FORCED, "rook"]},
    {"base": "circus", "discard_ban": FORCED, "trump_calls": ["notrump", "circus"]},
]
FIRST_TRUMP: Given = {"base": "kd_tournament", "declaration_order": ["trump", "discard"]}
# There are so many counters that some of them have to go in every second hand.
MANY: Given = {"redeal": "none", "counters": {str(rank): 5 for rank in range(5, 12)}}
THREE: Given = {"base": "one_low_180", "partnership": "alone", "totals": "player", "seats": 3}
RICH: list[Given] = [
    {**FIRST_TRUMP, **MANY, "discard_ban": FORCED},
    {
        **THREE,
        "hand_size": 17,
        "nest_size": 6,
        "redeal": "none",
        "counters": {str(rank): 5 for rank in range(5, 15)},
        "discard_ban": [*FORCED, "trumps"],
    },
    {"base": "kd_tournament", **MANY, "discard_ban": FORCED},
]
SHOWN: Given = {"base": "call_partner_4_short", "partner_revealed": "at_once"}
PARTNERS: list[Given] = [
    SHOWN,
    {**SHOWN, "called_cards": 2},
    {**SHOWN, "called_cards": 2, "callable": "unheld"},
]


def worlds(
    given: Given, seeds: range, *, every: int = 1, tricks: int = HAND_MAX
) -> Iterator[Drawn]:
    """Yield a world of some decisions in the first tricks, of all but the declarer."""
    k, world = Constraints(), Hidden(rng=5)
    for i, (table, s, h, m) in enumerate(positions(load(given), seeds, "random")):
        if s.phase == PLAY and m.seat != s.declarer and s.tricks < tricks and i % every == 0:
            note_own(h, m)
            find_constraints(table, s, m, k)
            assert count_worlds(k, WAYS)
            draw_world(table, s, k, world, WAYS)
            yield table, s, h, k, world


@pytest.mark.parametrize("given", [*BANS, *RICH])
def test_a_drawn_nest_is_one_that_the_declarer_could_lay_away(given: Given) -> None:
    rules, drawn = load(given), 0
    for table, s, h, _, world in worlds(given, range(4), every=3):
        assert is_legal_nest(table, rules, s, h)  # the judge errs not
        assert is_legal_nest(table, rules, s, world)
        drawn += 1
    assert drawn > 20


@pytest.mark.parametrize("given", RICH)
def test_counters_that_had_to_go_may_lie_in_the_nest(given: Given) -> None:
    drawn = worlds(given, range(12), every=5)
    assert {points_of(table, world.nest) > 0 for table, *_, world in drawn} == {True, False}


def test_the_declarer_has_had_as_many_counters_as_cards_fall_by_chance() -> None:
    """To know that they are not in the nest makes none of them go to somebody else."""
    more = spread = 0.0
    for table, s, _, k, world in worlds({"base": "one_low_180"}, range(30), tricks=1):
        if any(s.void):
            continue
        had = k.drawn[s.declarer] | k.drawn[IN_NEST]
        seen = k.unseen & s.face_up
        assert seen & ~had == 0
        among, cards = k.unseen & ~seen, count(had & ~seen)
        share = count(among & table.counters) / count(among)
        more += count(had & ~seen & table.counters) - share * cards
        left = (count(among) - cards) / (count(among) - 1)
        spread += cards * share * (1 - share) * left
        assert not world.nest & table.counters
    assert abs(more) < 3 * sqrt(spread)


@pytest.mark.parametrize("given", PARTNERS)
def test_a_partner_who_was_shown_at_once_has_a_called_card(given: Given) -> None:
    told = 0
    for table, s, _, _, world in worlds(given, range(10), every=7):
        assert s.sides_known
        hands = [world.hand[seat] | s.played_by[seat] for seat in range(table.seats)]
        called = sum(1 << card for card in s.called[: s.called_count])
        holders = sum(1 << seat for seat, cards in enumerate(hands) if cards & called)
        assert holders | 1 << s.declarer == s.allies
        told += s.called_shown < s.called_count
    assert told > 10


# Few have a counter, so that many have none when they have given it away.
AUTO: Given = {
    "base": "circus",
    "trump_calls": ["notrump", "circus"],
    "redeal": "auto",
    "hand_size": 6,
    "nest_size": 21,
    "counters": {"1": 15, "14": 10},
    "rook_value": 20,
    "bid_maximum": 120,
}


def test_who_has_given_the_only_counter_away_did_not_call_for_a_redeal() -> None:
    k, without = Constraints(), 0
    for table, s, h, m in positions(load(AUTO), range(12), "random"):
        note_own(h, m)
        find_constraints(table, s, m, k)
        for place, cards in zip(range(LOCATIONS), lies(table, h), strict=True):
            k.drawn[place] = cards & ~k.known[place]
        assert agrees(table, s, k)
        hands = [h.hand[seat] | s.played_by[seat] for seat in range(table.seats)]
        without += s.phase == PLAY and not all(cards & table.counters for cards in hands)
    assert without > 20
