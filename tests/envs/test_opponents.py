"""Bots that search, and all others, beside one agent: they are asked as at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium

from rookery import envs
from rookery.bots.player import BotFailed, KernelPlayer
from rookery.bots.register import UnknownBot
from rookery.envs.opponents import Opponents
from rookery.envs.single import RookEnv
from rookery.envs.tables import Tables
from rookery.game import Action, Hand, Verb
from rookery.rules import catalog, load

__all__ = ["envs"]  # registers the names

QUICK = "expert:rollouts=20:ms=60000"


def hands_of(env: Any, hands: int, seed: int) -> list[tuple[int, float]]:  # noqa: ANN401
    """Play the first legal action; return each hand's decisions and reward."""
    played = []
    for number in range(hands):
        seen, _ = env.reset(seed=seed) if number == 0 else env.reset()
        ended, decisions, reward = False, 0, 0.0
        while not ended:
            assert env.observation_space.contains(seen)
            seen, reward, ended, _, _ = env.step(int(np.flatnonzero(seen["action_mask"])[0]))
            decisions += 1
        assert not seen["action_mask"].any()
        played.append((decisions, reward))
    return played


def test_expert_sits_beside_an_agent() -> None:
    env = RookEnv(opponents=QUICK, seat=2, observations=["compact", "history"])
    first = hands_of(env, 2, 5)
    assert all(decisions >= 9 for decisions, _ in first)
    assert any(reward for _, reward in first)
    assert hands_of(env, 2, 5) == first
    env.close()


@pytest.mark.parametrize("name", catalog())
def test_a_hand_is_followed_in_every_variant(name: str) -> None:
    """Bots that are asked one at a time keep to the table: their hand has its mask and score."""
    tables = Tables(name, target="python")
    dice = np.random.default_rng(3)
    others = Opponents(tables, ["club", "random"], 0)
    for seed in range(2):
        tables.begin(seed, dealer=seed)
        others.begin(dice)
        while tables.seats[0] >= 0:
            legal = np.flatnonzero(tables.masks[0]).tolist()
            assert legal == others._hand.legal_numbers()
            others.answer(int(dice.choice(legal)))
        assert others._hand.over
        assert others._hand.score is not None
        ours = others._hand.score[0]
        assert tables.states[0].score[0] == ours


class Noting(KernelPlayer):
    """Notes what it is told of hands; asks for another deal wherever it may."""

    def __init__(self, seat: int, hands: int) -> None:
        super().__init__("papa", 1, seat)
        self.totals: list[list[int]] = []
        self.scores: list[Any] = []
        self._hands = hands

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        if sum(score is not None for score in self.scores) == self._hands:
            raise BotFailed("it has seen enough")
        super().begin(hand, dice, totals)
        self.totals.append(list(totals))

    def act(self, hand: Hand) -> Action:
        legal = hand.legal().actions
        redeals = (action for action in legal if action.verb is Verb.REDEAL)
        return next(redeals, None) or super().act(hand)

    def finish(self, hand: Hand) -> None:
        self.scores.append(hand.score)


class Seated:
    """The bot of which `Noting` is the player."""

    def __init__(self, hands: int = -1) -> None:
        self.players: dict[int, Noting] = {}
        self._hands = hands

    def seated(self, _: object, seat: int) -> Noting:
        return self.players.setdefault(seat, Noting(seat, self._hands))


def test_in_a_match_they_are_told_the_totals() -> None:
    tables = Tables(load({"base": "kd_tournament", "target": 200}), match=True, target="python")
    others, noting = Opponents(tables, ["papa"], 0), Seated()
    others._bots = [noting]  # type: ignore[list-item]
    tables.begin(4)
    others.begin(np.random.default_rng(3))
    while tables.seats[0] >= 0:
        others.answer(int(np.flatnonzero(tables.masks[0])[0]))
    assert len(noting.players) == 3
    for player in noting.players.values():
        before = [0] * 4
        for totals, score in zip(player.totals, player.scores, strict=True):
            assert totals == before
            before = [a + b for a, b in zip(totals, score or before, strict=True)]
        assert before == tables.totals[0].tolist()
        assert len(player.scores) > 1


def test_of_a_deal_that_was_cancelled_they_hear_that_it_is_over() -> None:
    rules = load({"base": "kd_tournament", "redeal": "any_time_no_counters",
                  "counters": {"5": 5}, "bid_minimum": 5, "bid_maximum": 40})  # fmt: skip
    tables = Tables(rules, target="python")
    others, noting = Opponents(tables, ["papa"], 0), Seated()
    others._bots = [noting]  # type: ignore[list-item]
    for seed in range(6):
        tables.begin(seed)
        others.begin(np.random.default_rng(seed))
        while tables.seats[0] >= 0:
            others.answer(int(np.flatnonzero(tables.masks[0])[0]))
    for player in noting.players.values():
        assert len(player.totals) == len(player.scores)
        assert None in player.scores
        assert set(map(tuple, player.totals)) == {()}


def test_searching_bots_are_told_apart_where_they_cannot_sit() -> None:
    with pytest.raises(UnknownBot, match=r"strong: compiled code cannot ask this bot; one table"):
        gymnasium.make_vec("rookery/Rook-v0", num_envs=2, opponents="strong")
    with pytest.raises(UnknownBot, match="'nobody' is no bot"):
        RookEnv(opponents=["club", "nobody"])
    both = gymnasium.make_vec(
        "rookery/Rook-v0", num_envs=2, vectorization_mode="sync", opponents=QUICK
    )
    seen, _ = both.reset(seed=1)
    assert seen["action_mask"].shape == (2, 218)
    both.close()


def test_where_a_program_has_failed_nobody_acts_for_it() -> None:
    env = RookEnv(opponents="exec:false", seat=1)
    seen, _ = env.reset(seed=1)
    action = np.flatnonzero(seen["action_mask"])[0]
    with pytest.raises(BotFailed, match="exec:false: it ended"):
        env.step(action)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.flatnonzero(env.action_masks())[-1])
    seen, _ = env.reset(seed=1)
    assert seen["action_mask"][action]
    env.close()


def test_where_a_program_cannot_be_started_no_hand_is_under_way() -> None:
    env = RookEnv(opponents="exec:/no/such/program", seat=1)
    with pytest.raises(BotFailed, match="cannot be started"):
        env.reset(seed=1)  # it would be this seat's turn
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.flatnonzero(env.action_masks())[0])
    env.close()


def test_where_a_bot_fails_between_two_hands_the_match_is_not_under_way() -> None:
    env = RookEnv(opponents=QUICK, seat=2, match=True)  # who begins the second hand
    assert env._others is not None
    env._others._bots = [Seated(1)]  # type: ignore[list-item]
    with pytest.raises(BotFailed, match="seen enough"):
        hands_of(env, 1, 3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.flatnonzero(env.action_masks())[0])
    env.close()


def test_levels_are_opponents_of_compiled_code_too() -> None:
    tables = Tables(
        "kd_tournament", 2, agents=[0], opponents=["beginner", "casual"], target="python"
    )
    tables.begin(1)
    assert tables.masks.any(axis=1).all()
