"""A world drawn anew is one that the player holds possible, and nothing hidden is left in it."""

from __future__ import annotations

import random
from typing import Any

import pytest

pytest.importorskip("pyspiel")

import pyspiel
from tests.envs.spiel import seen_by, walk

from rookery.cards import card_name
from rookery.engine.state import CIRCUS_PASS, NEST
from rookery.envs.open_spiel import resample
from rookery.envs.positions import dealt_to, done, lies_closed, phase_of
from rookery.game import Hand
from rookery.rules import catalog

CLOSED = (NEST, CIRCUS_PASS)


def replayed(state: Any) -> Hand:  # noqa: ANN401
    """Return the hand that a state's own deal and history lead to, played without OpenSpiel."""
    setting, position = state.get_game().setting, state.position
    rules = setting.rules
    hands = [
        [card_name(card, rules.pack) for card in rules.deck if cards >> card & 1]
        for cards in dealt_to(position)[: rules.hands]
    ]
    if rules.blind:
        blind = lies_closed(position, "blind")[: rules.hand_size]
        hands[-1] = [card_name(card, rules.pack) for card in blind]
    dealt = {name for hand in hands for name in hand}
    nest = [card_name(card, rules.pack) for card in rules.deck]
    hand = Hand.deal(rules, 0, hands, [name for name in nest if name not in dealt])
    for action in state.history()[1:]:
        hand = hand.do(action)
    return hand


@pytest.mark.parametrize("name", catalog())
def test_a_player_cannot_tell_the_world_from_the_true_one(name: str) -> None:
    game = pyspiel.load_game(f"rook(deals=20,rules={name})")
    dice = random.Random(name)
    told = compared = 0
    for seed in range(2):
        for number, state in enumerate(walk(game, seed)):
            looks = phase_of(state.position) in CLOSED or number % 7 == seed
            if state.is_terminal() or not looks:
                continue
            for player in range(game.num_players()):
                other = resample(state, player, dice.random)
                assert seen_by(other, player) == seen_by(state, player)
                assert other.current_player() == state.current_player()
                if player == state.current_player():
                    assert other.legal_actions() == state.legal_actions()
                # What others did with closed cards is drawn too; all else is as it was.
                pairs = zip(done(state.position), done(other.position), strict=True)
                for mine, theirs in pairs:
                    closed = mine.phase in CLOSED and mine.place != player
                    assert mine[:2] == theirs[:2]
                    assert closed or mine == theirs
                assert other.history()[0] == 20  # no seed of the game's
                assert set(vars(other)) == {"position"}
                hand = replayed(other)
                assert hand.to_act == other.current_player()
                if str(other) != str(state):
                    compared += 1
                    others = set(range(game.num_players())) - {player}
                    told += any(seen_by(other, one) != seen_by(state, one) for one in others)
    assert compared > 20
    assert told > 0.9 * compared  # the control: who holds another card sees it


@pytest.mark.parametrize("name", ["kd_tournament", "call_partner_pagat", "circus", "rook_two_1914"])
def test_worlds_differ_from_each_other(name: str) -> None:
    game = pyspiel.load_game(f"rook(deals=20,rules={name})")
    dice = random.Random(name)
    for number, state in enumerate(walk(game, 1)):
        player = state.current_player()
        if state.is_terminal() or number > 25 or number % 5:
            continue
        drawn = {str(resample(state, player, dice.random)) for _ in range(20)}
        assert len(drawn) == 20, (number, len(drawn))
    assert len(drawn) == 20


def test_every_deal_of_mini_rook_that_fits_is_drawn_as_often() -> None:
    """Of five cards a player sees two; the other three lie in three ways, all equally likely."""
    game = pyspiel.load_game("mini_rook")
    dice = random.Random(5)
    state = game.new_initial_state()
    state.apply_action(11)
    fits = [
        deal
        for deal in range(30)
        if _dealt(game, deal).information_state_string(1) == state.information_state_string(1)
    ]
    assert len(fits) == 3
    drawn = [resample(state, 1, dice.random).history()[0] for _ in range(600)]
    assert sorted(set(drawn)) == fits
    assert all(150 < drawn.count(deal) < 250 for deal in fits)


def _dealt(game: Any, deal: int) -> Any:  # noqa: ANN401
    state = game.new_initial_state()
    state.apply_action(deal)
    return state


def test_the_same_dice_draw_the_same_world() -> None:
    state = next(walk(pyspiel.load_game("rook"), 1))
    one, same, other = (resample(state, 1, random.Random(seed).random) for seed in (1, 1, 2))
    assert str(one) == str(same) != str(other)
    assert one.history() == [1000]


def test_a_hand_that_is_over_or_not_dealt_is_only_copied() -> None:
    game = pyspiel.load_game("rook")
    *_, last = walk(game, 1)
    for state in (game.new_initial_state(), last):
        assert str(resample(state, 0, random.random)) == str(state)


def test_a_world_goes_on_and_can_be_kept() -> None:
    game = pyspiel.load_game("rook(rules=call_partner_5)")
    dice = random.Random(2)
    for number, state in enumerate(walk(game, 1)):
        if number == 30:
            other = resample(state, state.current_player(), dice.random)
    text = pyspiel.serialize_game_and_state(game, other)
    assert str(pyspiel.deserialize_game_and_state(text)[1]) == str(other) == str(other.clone())
    while not other.is_terminal():
        other.apply_action(dice.choice(other.legal_actions()))
    assert sum(other.returns()) == 0
