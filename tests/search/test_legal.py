"""Whatever the game, every decision is legal; the same dice give the same hand."""

from random import Random

import pytest
from tests.laws.house import CHANGES, with_changes
from tests.search.positions import FEW, searchers, seated_anew

from rookery.game import Hand, IllegalAction
from rookery.rules import Rules, catalog, load
from rookery.search.search import Result
from rookery.search.searcher import Searcher


def played(rules: Rules, seed: int, options: dict[str, str] = FEW) -> Hand:
    """Return a hand played by four or more searching bots, every weighed action looked at."""
    hand = Hand.shuffled(rules, dealer=seed % rules.seats, seed=seed)
    players = searchers(rules, options)
    seated_anew(players, hand, seed)
    while not hand.over:
        choices = players[hand.to_act or 0].weigh(hand)
        assert choices
        legal = set(hand.legal_numbers())
        assert {choice.action for choice in choices} <= legal
        hand = hand.do(choices[0].action)
    return hand


@pytest.mark.parametrize("name", catalog())
def test_every_decision_is_legal(name: str) -> None:
    assert played(load(name), 3).over


@pytest.mark.parametrize("seed", range(24))
def test_house_rules_are_played_too(seed: int) -> None:
    rng = Random(seed)
    rules = with_changes(rng.choice(catalog()), rng.sample(CHANGES, 8))
    assert played(rules, seed).over


def test_a_bot_that_breaks_the_rules_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # The control of the two above.
    rules = load("kd_tournament")
    hand = Hand.shuffled(rules, dealer=0, seed=1)
    wrong = [Result(0, 1, 0, 0, 0)]
    player = Searcher(rules, 1, FEW)
    player.begin(hand, 1)
    monkeypatch.setattr("rookery.search.search.Search.results", wrong)
    with pytest.raises(IllegalAction):
        player.act(hand)


def test_the_same_dice_give_the_same_hand_and_others_do_not() -> None:
    rules = load("call_partner_5")
    hands = [played(rules, seed).actions for seed in (5, 5, 6)]
    assert hands[0] == hands[1] != hands[2]


def test_a_new_hand_forgets_the_last_one() -> None:
    rules = load("kd_tournament")
    first, second = (Hand.shuffled(rules, dealer=0, seed=seed) for seed in (1, 2))
    fresh, used = Searcher(rules, 1, FEW), Searcher(rules, 1, FEW)
    used.begin(first, 7)
    used.weigh(first)
    for player in (fresh, used):
        player.begin(second, 9)
    assert fresh.weigh(second) == used.weigh(second)
