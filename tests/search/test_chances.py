"""What is said of a contract's chance: a chance, and the more the more often it was made."""

from __future__ import annotations

import pytest
from tests.search.positions import scripted

from rookery.game import Hand
from rookery.rules import load
from rookery.search.choice import chance_of_bid, chance_of_contract
from rookery.search.searcher import Searcher


@pytest.mark.parametrize("stood", [1, 2, 10, 300, 1_000_000])
@pytest.mark.parametrize("surplus", [0, 5, 2000])
def test_a_bid_that_is_made_more_often_has_more_of_a_chance(stood: int, surplus: int) -> None:
    made = sorted({0, 1, stood // 4, stood // 2, stood - 1, stood})
    said = [chance_of_bid(one, stood, stood + surplus) or 0.0 for one in made]
    assert said == sorted(said)
    assert 0 < said[0] < said[-1] < 1
    assert len(set(said)) == len(made)


@pytest.mark.parametrize("declares", [False, True])
def test_a_contract_that_is_made_more_often_has_more_of_a_chance(declares: bool) -> None:
    said = [chance_of_contract(made, 40, declares=declares) or 0.0 for made in range(41)]
    assert said == sorted(said)
    assert (said[0], said[-1]) == (0, 1)
    assert len(set(said)) == 41


def test_of_nothing_nothing_is_said() -> None:
    assert chance_of_bid(0, 0, 9) is None
    assert chance_of_contract(0, 0, declares=True) is None


def test_the_first_version_says_what_the_tries_say_and_the_next_puts_it_right() -> None:
    changed = 0
    for hand in scripted(Hand.shuffled(load("kd_tournament"), dealer=0, seed=8)):
        for version in "12":
            options = {"rollouts": "120", "ms": "600000", "version": version}
            player = Searcher(hand.rules, hand.to_act or 0, options)
            player.begin(hand, 4)
            for choice in player.weigh(hand):
                share = choice.made / choice.contracts if choice.contracts else None
                assert (share is None) == (choice.making is None)
                assert choice.making is None or 0 <= choice.making <= 1
                changed += version == "2" and choice.making != share
                assert version == "2" or choice.making == share
    assert changed > 50
