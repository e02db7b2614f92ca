"""A hint says what is best, what else there is, and why."""

from __future__ import annotations

from rookery.engine.actions import BID, PASS
from rookery.game import Hand
from rookery.review.reasons import explain
from rookery.rules import load
from rookery.search.choice import Choice
from rookery.search.searcher import Searcher

RULES = load("kd_tournament")
CHOICES = [Choice(BID + 1, 90, 4.256, 0.71), Choice(PASS, 90, -1.0, None, behind_error=2.0)]


def test_what_was_weighed_is_told_best_first() -> None:
    hand = Hand.shuffled(RULES, dealer=0, seed=7)
    choices = [*CHOICES, Choice(BID + 3, 0, 0.0, None)]
    told = explain(hand, choices, hand.action_of(BID + 1))
    assert (told.action, told.making) == ("bid 75", 0.71)
    assert [(one.action, one.margin, one.error) for one in told.alternatives] == [
        ("bid 75", 4.26, 0.0),
        ("pass", -1.0, 2.0),
    ]
    assert (told.reason.code, told.reason.about) == ("bid-chance", {"percent": 71})


def test_the_search_explains_what_it_does_all_through_a_hand() -> None:
    players = [Searcher(RULES, seat, {"rollouts": "60", "ms": "600000"}) for seat in range(4)]
    hand = Hand.shuffled(RULES, dealer=0, seed=3)
    for seat, player in enumerate(players):
        player.begin(hand, seat + 1)
    while not hand.over:
        seat = hand.to_act or 0
        choices = players[seat].weigh(hand)
        nest = hand.phase == "nest"
        action = players[seat].act(hand) if nest else hand.action_of(choices[0].action)
        told = explain(hand, choices, action)
        assert bool(told.alternatives) == (hand.phase != "nest" and choices[0].rollouts > 0)
        assert told.reason.text
        hand = hand.act(seat, told.action)
