"""One source on two targets, every card weighed, and an answer at any moment."""

from __future__ import annotations

import logging
import time
from itertools import islice
from typing import Any

import pytest
from tests.search.positions import FEW, scripted

from rookery.engine.card_sets import count
from rookery.engine.state import PLAY
from rookery.engine.trick import following
from rookery.game import Hand
from rookery.rules import load
from rookery.rules.table import compile_rules
from rookery.search.search import Search
from rookery.search.searcher import Searcher
from rookery.search.state import equal


def positions(name: str, seed: int, step: int) -> list[Hand]:
    hands = scripted(Hand.shuffled(load(name), dealer=0, seed=seed))
    return list(islice(hands, 0, None, step))


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_5", "one_low_180"])
def test_plain_and_compiled_code_search_the_same(name: str) -> None:
    table = compile_rules(load(name))
    searches = Search(table, "python"), Search(table)
    for hand in positions(name, 4, 9):
        found = []
        for search in searches:
            player = Searcher(
                hand.rules, hand.to_act or 0, {"rollouts": "9", "ms": "600000"}, search
            )
            player.begin(hand, 5)
            found.append((player.weigh(hand), player.act(hand)))
        assert found[0] == found[1]


def unweighed(hand: Hand, actions: list[int]) -> list[int]:
    """Return the cards that may be played and have no equal among those weighed."""
    table, state = hand.table, hand.state
    held = hand.hidden.hand[hand.turn or 0]
    others = state.trick_cards | sum(hand.hidden.hand) + hand.hidden.nest & ~held
    return [
        card
        for card in range(57)
        if following(table, state, held) >> card & 1
        and not any(a == card or equal(table, state.row, card, a, others) for a in actions)
    ]


@pytest.mark.parametrize("name", ["kd_tournament", "one_low_180", "buckeye", "house_001"])
def test_every_card_is_weighed_or_has_an_equal_that_is(name: str) -> None:
    left_out = 0
    for hand in positions(name, 2, 1):
        if hand.state.phase == PLAY:
            player = Searcher(hand.rules, hand.to_act or 0, {"rollouts": "1"})
            player.begin(hand, 1)
            actions = [choice.action for choice in player.weigh(hand)]
            assert unweighed(hand, actions) == []
            left_out += count(following(hand.table, hand.state, hand.hidden.hand[hand.turn or 0]))
            left_out -= len(actions)
            # The control: with one of them gone something is missing.
            assert unweighed(hand, actions[1:])
    assert left_out  # equals there are


def test_outside_the_play_nothing_but_bids_is_left_out() -> None:
    for hand in positions("kd_tournament", 2, 1):
        if hand.phase in ("nest", "trump"):
            player = Searcher(hand.rules, hand.to_act or 0, {"rollouts": "1"})
            player.begin(hand, 1)
            actions = {choice.action for choice in player.weigh(hand)}
            assert actions == set(hand.legal_numbers())


def test_a_slow_search_stops_at_its_deadline() -> None:
    hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=1)
    search = Search(hand.table)
    run = search._run
    worlds: list[int] = []

    def slow(*given: Any) -> None:  # noqa: ANN401
        worlds.append(given[-1])
        time.sleep(0.02)
        run(*given)

    search._run = slow
    player = Searcher(hand.rules, 1, {"rollouts": "1000000", "ms": "1"}, search)
    player.begin(hand, 1)
    choices = player.weigh(hand)
    # One look at the clock was enough; every action had been tried in the one world by then.
    assert worlds == [1]
    assert {choice.rollouts for choice in choices} == {1}
    assert hand.do(choices[0].action).actions


def test_without_any_time_the_script_answers_and_the_log_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for hand in positions("kd_tournament", 1, 5):
        if hand.phase == "nest" and hand.state.discarded:
            continue  # a discard that is not yet whole is in no record
        player = Searcher(hand.rules, hand.to_act or 0, {"ms": "0"})
        player.begin(hand, 1)
        with caplog.at_level(logging.WARNING, "rookery.search"):
            assert hand.act(player.act(hand)).actions[: len(hand.actions)] == hand.actions
        assert "no time to search" in caplog.text
        caplog.clear()


def test_the_log_says_once_a_seat_that_there_is_no_time(caplog: pytest.LogCaptureFixture) -> None:
    rules = load("kd_tournament")
    players = [Searcher(rules, seat, {"ms": "0"}) for seat in range(rules.seats)]
    hand = Hand.shuffled(rules, dealer=0, seed=1)
    while not hand.over:
        hand = hand.act(players[hand.to_act or 0].act(hand))
    assert [record.getMessage()[:4] for record in caplog.records] == ["ms=0"] * rules.seats


def test_what_the_script_does_stands_until_something_is_better() -> None:
    hand = positions("kd_tournament", 3, 1)[20]
    player = Searcher(hand.rules, hand.to_act or 0, FEW)
    player.begin(hand, 1)
    script = hand.act(Searcher(hand.rules, hand.to_act or 0, {"ms": "0"}).act(hand))
    first = hand.do(player.weigh(hand)[0].action)
    assert script.actions[:-1] == first.actions[:-1]
