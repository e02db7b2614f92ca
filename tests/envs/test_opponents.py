"""Bots that search, and all others, beside one agent: they are asked as at a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium

from rookery import envs
from rookery.bots.player import BotFailed
from rookery.bots.register import UnknownBot
from rookery.envs.opponents import Opponents
from rookery.envs.single import RookEnv
from rookery.envs.tables import Tables
from rookery.rules import catalog

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


def test_levels_are_opponents_of_compiled_code_too() -> None:
    tables = Tables(
        "kd_tournament", 2, agents=[0], opponents=["beginner", "casual"], target="python"
    )
    tables.begin(1)
    assert tables.masks.any(axis=1).all()
