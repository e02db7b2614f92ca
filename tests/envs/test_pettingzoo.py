"""PettingZoo's own tests, on several variants, and what happens to an illegal action."""

from __future__ import annotations

import warnings
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

import gymnasium
from pettingzoo.test import api_test, render_test, seed_test

from rookery.envs import rook_v0

# Fixed partners, called partners, a dummy, a blind hand, nobody's partner, eight seats.
VARIANTS = ("kd_tournament", "call_partner_5", "rook_two_1914", "display", "rook_1906_8")


@pytest.mark.parametrize("name", VARIANTS)
def test_it_passes_pettingzoos_tests(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that an observation is a dictionary
        api_test(rook_v0.env(rules=name), num_cycles=400)
        seed_test(partial(rook_v0.env, rules=name), num_cycles=100)


def test_it_passes_pettingzoos_test_of_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    render_test(rook_v0.env)
    assert "to act" in capsys.readouterr().out


def played(env: Any, seed: int) -> tuple[list[str], dict[str, float]]:  # noqa: ANN401
    """Play a hand; return who acted, and what each agent has got."""
    env.reset(seed=seed)
    acted, got = [], {}
    for agent in env.agent_iter():
        seen, reward, ended, _, info = env.last()
        assert info == {}
        if ended:
            got[agent] = reward
            env.step(None)
        else:
            assert reward == 0
            acted.append(agent)
            env.step(np.int32(np.flatnonzero(seen["action_mask"])[0]))
    return acted, got


def test_rewards_of_sides_are_equal_and_opposite() -> None:
    acted, got = played(rook_v0.env(), 5)
    assert got["player_0"] == got["player_2"] == -got["player_1"] == -got["player_3"] != 0
    assert any(one == other for one, other in pairwise(acted))  # discards
    assert list(got) == ["player_0", "player_1", "player_2", "player_3"]


def test_an_illegal_action_ends_the_episode_and_without_wrappers_is_an_error() -> None:
    env = rook_v0.env()
    env.reset(seed=5)
    agent = env.agent_selection
    env.step(3)
    assert env.terminations[agent]
    assert env.rewards[agent] == rook_v0.ILLEGAL
    raw = rook_v0.raw_env()
    raw.reset(seed=5)
    with pytest.raises(gymnasium.error.InvalidAction, match=r"player_1: .*see its action_mask"):
        raw.step(3)
    raw.step(int(np.flatnonzero(raw.observe("player_1")["action_mask"])[0]))


def test_only_whoever_is_to_act_has_a_mask() -> None:
    env = rook_v0.env()
    env.reset(seed=5)
    masks = {agent: env.observe(agent)["action_mask"].any() for agent in env.possible_agents}
    assert masks == {"player_0": False, "player_1": True, "player_2": False, "player_3": False}
