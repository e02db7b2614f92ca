"""Drawn worlds are hands that the seat cannot tell from the true one, and nothing else is asked."""

from __future__ import annotations

import pytest
from tests.review.matches import played
from tests.search.test_secrets import twins

from rookery.engine.state import Hidden
from rookery.game import Hand
from rookery.lab.observations import WorldSampler
from rookery.rules import load

GAMES = ["kd_tournament", "call_partner_5", "display"]


def everywhere(hand: Hand, hidden: Hidden) -> list[int]:
    """Return the closed cards of each seat, and the nest."""
    return [*hidden.hand[: hand.rules.seats], hidden.nest]


@pytest.mark.parametrize("name", GAMES)
def test_a_world_has_the_same_cards_in_other_hands(name: str) -> None:
    rules = load(name)
    worlds = WorldSampler(played(rules, ["club"] * rules.seats, 4).table)
    moved = 0
    for length in range(12, 44, 7):
        hand = played(rules, ["club"] * rules.seats, 4, length)
        if hand.phase != "play":
            continue
        truth, me = everywhere(hand, hand.hidden), hand.to_act or 0
        for world in worlds.draw(hand, 6, 5):
            drawn = everywhere(hand, world)
            assert drawn[me] == truth[me]
            assert [cards.bit_count() for cards in drawn] == [c.bit_count() for c in truth]
            assert sum(drawn) == sum(truth)
            moved += drawn != truth
    assert moved > 10


@pytest.mark.parametrize("name", GAMES[:2])
def test_closed_cards_change_nothing_of_what_is_drawn(name: str) -> None:
    pairs = [pair for pair in twins(name, 2, 3) if pair[0].phase == "play"]
    worlds = WorldSampler(pairs[0][0].table)
    assert len(pairs) > 8
    for hand, other in pairs:
        assert worlds.draw(hand, 3, 7) == worlds.draw(other, 3, 7)
        assert worlds.draw(hand, 3, 7) != worlds.draw(hand, 3, 8) or len(hand.tricks) > 5


def test_drawing_leaves_the_hand_as_it_was() -> None:
    rules = load("kd_tournament")
    hand = played(rules, ["club"] * 4, 4, 20)
    before = repr((hand.state, hand.hidden))
    WorldSampler(hand.table).draw(hand, 20, 1)
    assert repr((hand.state, hand.hidden)) == before
