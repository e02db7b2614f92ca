"""What a review asks of the search: the action that was taken, fair comparisons, how sure it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import hypot, sqrt
from statistics import stdev

import pytest
from tests.search.positions import scripted

from rookery.engine.actions import BID, PASS
from rookery.game import Hand, IllegalAction
from rookery.rules import load
from rookery.search.choice import Choice
from rookery.search.search import Search
from rookery.search.searcher import Searcher

RULES = load("kd_tournament")
MORE = {"rollouts": "300", "ms": "600000"}


def seated(hand: Hand, options: dict[str, str] = MORE, search: Search | None = None) -> Searcher:
    player = Searcher(hand.rules, hand.to_act or 0, options, search)
    player.begin(hand, 7)
    return player


def hands(name: str, seed: int, step: int = 1) -> Iterator[Hand]:
    return islice(scripted(Hand.shuffled(load(name), dealer=0, seed=seed)), 0, None, step)


def choice_of(choices: list[Choice], action: int) -> Choice:
    return next(one for one in choices if one.action == action)


def test_a_bid_that_was_left_out_is_weighed_to_the_end_if_asked_for() -> None:
    hand = Hand.shuffled(RULES, dealer=0, seed=1)
    alone = seated(hand).weigh(hand)
    left_out = [a for a in hand.legal_numbers() if BID <= a < PASS]
    left_out = [a for a in left_out if a not in {one.action for one in alone}]
    assert len(left_out) > 3
    for action in left_out:
        choices = seated(hand).weigh(hand, also=action)
        assert choice_of(choices, action).rollouts == max(one.rollouts for one in choices)
        assert {one.action for one in choices} == {one.action for one in alone} | {action}
    assert seated(hand).choice_for(hand, alone, left_out[0]) is None  # the control


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5", "one_low_180"])
def test_every_action_has_a_choice_that_stands_for_it_and_is_tried_to_the_end(name: str) -> None:
    dropped = equals = 0
    for hand in hands(name, 3, 5):
        legal = hand.legal_numbers()
        for action in legal[:: max(1, len(legal) // 4)] if len(legal) > 1 else ():
            alone, player = seated(hand).weigh(hand), seated(hand)
            choices = player.weigh(hand, also=action)
            standing = player.choice_for(hand, choices, action)
            assert standing is not None
            if len(choices) > 1:
                assert standing.rollouts == max(one.rollouts for one in choices)
            equals += standing.action != action
            usual = player.choice_for(hand, alone, action)
            dropped += usual is not None and usual.rollouts < alone[0].rollouts
    assert dropped  # the control: unasked it drops some of them
    assert equals or name != "kd_tournament"


def test_even_choices_meet_the_same_worlds() -> None:
    judged = 0
    for hand in hands("kd_tournament", 5, 4):
        search = Search(hand.table)
        choices = seated(hand, search=search).weigh(hand, even=True)
        rollouts = choices[0].rollouts
        assert rollouts >= 2
        assert all(one.rollouts == rollouts for one in choices)
        best = search.values[choices[0].action]
        for one in choices:
            row = search.values[one.action]
            assert one.margin == pytest.approx(sum(row) / rollouts / 4)
            assert one.error == pytest.approx(stdev(row) / sqrt(rollouts) / 4)
            apart = [a - b for a, b in zip(best, row, strict=True)]
            assert one.behind_error == pytest.approx(stdev(apart) / sqrt(rollouts) / 4)
            judged += (one.behind_error or 0) < hypot(one.error or 0, choices[0].error or 0)
        assert choices[0].behind_error == 0
    assert judged > 20  # differences are surer than what they are differences of


def test_unasked_nobody_knows_how_sure_a_difference_is() -> None:
    hand = next(hands("kd_tournament", 5))
    choices = seated(hand).weigh(hand)
    assert {one.behind_error for one in choices} == {None}
    assert all(one.error is not None and one.error > 0 for one in choices)
    assert len({one.rollouts for one in choices}) > 1


def test_a_lone_card_is_weighed_where_all_are_to_be() -> None:
    lone = next(hand for hand in hands("kd_tournament", 2) if len(hand.legal_numbers()) == 1)
    assert seated(lone).weigh(lone)[0].rollouts == 0
    assert seated(lone).weigh(lone, even=True)[0].rollouts == 300


def test_what_cannot_be_done_is_refused() -> None:
    hand = Hand.shuffled(RULES, dealer=0, seed=1)
    with pytest.raises(IllegalAction, match="57 is not legal") as raised:
        seated(hand.act("1 bid 90")).weigh(hand.act("1 bid 90"), also=BID)
    assert raised.value.code == "not-now"


def test_without_time_there_is_still_a_choice_that_stands_for_it() -> None:
    for hand in hands("kd_tournament", 1, 6):
        action = hand.legal_numbers()[-1]
        player = seated(hand, {"ms": "0"})
        choices = player.weigh(hand, also=action, even=True)
        assert player.choice_for(hand, choices, action) is not None
        assert {one.rollouts for one in choices} == {1}
        assert {one.error for one in choices} == {None}
