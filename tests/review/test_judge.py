"""A decision is judged on what its seat could know, fairly, and chance is held against nobody."""

from __future__ import annotations

import json

import pytest
from tests.review.matches import example, match_of, played
from tests.search.test_secrets import twins

from rookery.bots.player import KernelPlayer
from rookery.cards import by_suit
from rookery.game import Action, Hand, Match, Verb
from rookery.review.hand_review import Step, decision_of, is_decision, steps_of
from rookery.review.judge import Judge, Judgement, Weighed
from rookery.review.match_review import review
from rookery.rules import load
from rookery.search.searcher import Searcher


def done_in(hand: Hand) -> Action:
    """Return what the club player does."""
    return KernelPlayer("club", 1, hand.to_act or 0).move(hand).actions[-1]


def written(hand: Hand, judge: Judge) -> str:
    """Return a decision as the review writes it, but for what open cards say."""
    action = done_in(hand)
    decision = decision_of(Step(0, hand, action), judge.judge(hand, action, 3))
    return json.dumps(decision.model_dump(), sort_keys=True)


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5"])
def test_closed_cards_change_nothing_of_what_is_reason(name: str) -> None:
    judge = Judge(load(name), 60, 1)
    pairs = list(twins(name, 2))[::2]
    assert len(pairs) > 8
    for hand, other in pairs:
        assert written(hand, judge) == written(other, judge)


def test_a_judge_with_perfect_information_is_caught() -> None:
    judge = Judge(load("kd_tournament"), 60, 1, perfect_information=True)
    told = [
        (written(hand, judge), written(other, judge)) for hand, other in twins("kd_tournament", 2)
    ]
    assert any(one != other for one, other in told)


def discarding() -> Hand:
    rules = load("kd_tournament")
    return next(
        hand
        for at in range(4, 12)
        for hand in [played(rules, ["club"] * 4, 8, at)]
        if hand.phase == "nest"
    )


def test_a_whole_discard_is_weighed_beside_the_best_one_found() -> None:
    hand = discarding()
    held = by_suit(hand.hidden.hand[hand.to_act or 0])
    trumps_away = Action(hand.to_act or 0, Verb.DISCARD, tuple(held[-5:]))
    judge = Judge(hand.rules, 600, 1)
    judged = judge.judge(hand, trumps_away, 3)
    assert judged.done.action == trumps_away
    assert judged.best.error == 0 < judged.done.error  # of the distance from the best
    assert judged.sure
    assert judged.cost == judged.best.margin - judged.done.margin > 10
    again = judge.judge(hand, judged.best.action, 3)
    assert (again.cost, len(again.weighed)) == (0.0, 1)


def test_a_difference_counts_from_three_standard_errors_on() -> None:
    five, six = Action.parse("0 play R5"), Action.parse("0 play R6")

    def judged(distance: float, error: float) -> Judgement:
        done = Weighed(five, 10.0 - distance, error, None)
        return Judgement((Weighed(six, 10.0, 0.0, None), done), done, 1.2)

    assert (judged(2.9, 1.0).cost, judged(2.9, 1.0).sure) == (0.0, False)
    assert (judged(3.5, 1.0).cost, judged(3.5, 1.0).sure) == (3.5, True)
    assert judged(1.1, 0.0).cost == 0.0  # less than tries can tell, however many
    known = [Weighed(six, 10.0, 0.0, None, True), Weighed(five, 9.0, 0.0, None, True)]
    assert Judgement(tuple(known), known[1], 1.2).cost == 1.0  # but not less than is known


def test_one_try_tells_nothing() -> None:
    hand = discarding()
    judge = Judge(hand.rules, 1, 1)
    assert judge.judge(hand, next(iter(hand.legal())), 3).cost == 0.0
    opening = Hand.shuffled(hand.rules, 0, 1)
    assert judge.judge(opening, "1 bid 120", 3).cost == 0.0
    assert Judge(hand.rules, 600, 1).judge(opening, "1 bid 120", 3).cost > 0  # the control


def test_chance_counts_against_nobody() -> None:
    """Who does what the search does has nothing to regret, though other worlds are drawn now."""
    rules = load("kd_tournament")
    players = [Searcher(rules, seat, {"rollouts": "2400", "ms": "600000"}) for seat in range(4)]
    hand = Hand.shuffled(rules, 0, 12)
    for seat, player in enumerate(players):
        player.begin(hand, 70 + seat)
    while not hand.over:
        hand = hand.act(players[hand.to_act or 0].act(hand))
    found = review(Match(rules).begin(hand), rollouts=600, seed=9)
    assert min(player.accuracy or 100 for player in found.players) > 97
    # The control: at random things are different.
    wild = review(match_of(rules, played(rules, ["random"] * 4, 12)), rollouts=600, seed=9)
    assert max(player.accuracy or 0 for player in wild.players) < 97


def test_a_card_is_as_good_as_its_equal() -> None:
    found = 0
    hand = example().hands[0]
    judge = Judge(hand.rules, 40, 1)
    for step in filter(is_decision, steps_of(hand)):
        if step.action.verb is Verb.PLAY:
            judged = judge.judge(step.before, step.action, step.index)
            legal = set(step.before.legal())
            assert judged.done.action == step.action
            assert {weight.action for weight in judged.weighed} <= legal
            found += len(judged.weighed) < len(legal)
    assert found  # some have an equal beside them that stands for them
