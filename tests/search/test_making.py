"""What is said of a contract's chance: a chance, and the more the more often it was made."""

from __future__ import annotations

import pytest
from tests.search.positions import scripted

from rookery.game import Hand
from rookery.rules import load
from rookery.search.making import chance_of_bid, chance_of_contract
from rookery.search.mover import Searcher


@pytest.mark.parametrize("stood", [1, 2, 10, 300, 1_000_000])
@pytest.mark.parametrize("surplus", [0, 5, 2000])
def test_a_bid_that_is_made_more_often_has_more_of_a_chance(stood: int, surplus: int) -> None:
    made = sorted({0, 1, stood // 4, stood // 2, stood - 1, stood})
    said = [chance_of_bid(one, stood, stood + surplus) or 0.0 for one in made]
    assert said == sorted(said)
    assert 0 < said[0] < said[-1] < 1
    assert len(set(said)) == len(made)


@pytest.mark.parametrize("ours", [False, True])
def test_a_contract_that_is_made_more_often_has_more_of_a_chance(ours: bool) -> None:
    said = [chance_of_contract(made, 40, ours=ours) or 0.0 for made in range(41)]
    assert said == sorted(said)
    assert (said[0], said[-1]) == (0, 1)
    assert len(set(said)) == 41


def test_of_nothing_nothing_is_said() -> None:
    assert chance_of_bid(0, 0, 9) is None
    assert chance_of_contract(0, 0, ours=True) is None


def test_versions_differ_in_what_they_say_and_in_nothing_else() -> None:
    changed = 0
    for hand in scripted(Hand.shuffled(load("kd_tournament"), dealer=0, seed=8)):
        found = []
        for version in "12":
            options = {"tries": "120", "ms": "600000", "version": version}
            player = Searcher(hand.rules, hand.to_act or 0, options)
            player.begin(hand, 4)
            found.append(player.weigh(hand))
        for old, new in zip(*found, strict=True):
            assert (old.action, old.tries, old.margin) == (new.action, new.tries, new.margin)
            assert (old.making is None) == (new.making is None)
            assert new.making is None or 0 <= new.making <= 1
            changed += old.making != new.making
    assert changed > 50
