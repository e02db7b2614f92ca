"""PettingZoo's own tests, on several variants, and what happens to an illegal action."""

from __future__ import annotations

import colorsys
import warnings
from collections import Counter
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

import gymnasium
import pettingzoo
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from rookery.cards import ROOK, card_name
from rookery.envs import picture as picture_of
from rookery.envs import rook_v0
from rookery.envs.observations.compact import places_of
from rookery.rules import UnknownRules
from rookery.rules.table import compile_rules

# Fixed partners, called partners, a dummy, a blind hand, nobody's partner, eight seats.
VARIANTS = ("kd_tournament", "call_partner_5", "rook_two_1914", "display", "rook_1906_8")


@pytest.mark.parametrize("name", VARIANTS)
def test_it_passes_pettingzoos_tests(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that an observation is a dictionary
        api_test(rook_v0.env(rules=name), num_cycles=400)
        seed_test(partial(rook_v0.env, rules=name), num_cycles=100)


def test_pettingzoos_benchmark_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = iter(range(0, 100, 2))
    monkeypatch.setattr("time.time", lambda: next(clock))  # it would take five seconds
    performance_benchmark(rook_v0.env())
    assert "turns per second" in capsys.readouterr().out


def test_it_has_a_name_in_pettingzoos_register() -> None:
    made = pettingzoo.make("aec", "rookery/rook-v0", rules="call_partner_5")
    assert isinstance(made, rook_v0.RookAECEnv)
    assert len(made.possible_agents) == 5


@pytest.mark.parametrize("name", VARIANTS)
def test_it_passes_pettingzoos_test_of_pictures(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(partial(rook_v0.env, rules=name))
    assert "to act" in capsys.readouterr().out


def test_a_rule_file_will_do(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('base = "kd_tournament"\nhand_size = 8\nnest_size = 9\n', "utf-8")
    env = rook_v0.env(rules=str(path))
    env.reset(seed=1)
    own = places_of(compile_rules(env.tables.rules))["hand"]
    assert env.observe("player_0")["observation"][own].sum() == 8
    assert played(env, 1)[1]


# What a card's ink looks like: its hue in degrees; black has none.
HUES = {
    "R": range(20), "G": range(120, 170), "Y": range(35, 60),
    "S": None, "H": range(20), "D": range(20), "C": None,
}  # fmt: skip


@pytest.mark.parametrize("name", ["kd_tournament", "kd_standard_cards"])
def test_a_card_is_drawn_in_its_own_colour(name: str) -> None:
    env = rook_v0.env(rules=name, render_mode="rgb_array")
    env.reset(seed=4)
    picture, seen = env.render(), set()
    for row, (_, cards) in enumerate(picture_of._lines(env.tables, 0)):
        for at, card in enumerate(cards):
            letter = card_name(card, env.tables.rules.pack)[0]
            left, top = 7 * (12 + 4 * at), 18 * row
            pixels = picture[top : top + 18, left : left + 20].reshape(-1, 3)
            hue, full, _ = colorsys.rgb_to_hsv(*(pixels[pixels.sum(1).argmin()] / 255))
            wanted = None if card == ROOK else HUES.get(letter)
            assert (None if full < 0.3 else int(360 * hue)) in (wanted or [None]), (letter, hue)
            seen.add(letter)
    assert len(seen) >= 4


def test_there_is_no_other_way_to_look() -> None:
    with pytest.raises(ValueError, match="render_mode svg: expected human, ansi, rgb_array, None"):
        rook_v0.env(render_mode="svg")


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


def test_an_illegal_action_right_after_a_hand_of_a_match_is_all_that_is_rewarded_then() -> None:
    env = rook_v0.env(match=True)
    env.reset(seed=1)
    while not any(env.rewards.values()):
        env.step(env.sample_action())
    agent = env.agent_selection
    env.step(int(np.flatnonzero(env.observe(agent)["action_mask"] == 0)[0]))
    assert env.rewards == dict.fromkeys(env.agents, 0.0) | {agent: rook_v0.ILLEGAL}


def test_errors_are_those_of_pettingzoos_wrappers() -> None:
    env = rook_v0.env()
    for call in (lambda: env.step(0), lambda: env.observe("player_0"), env.render):
        with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before"):
            call()
    with pytest.raises(AttributeError, match="agent_selection cannot be accessed before reset"):
        env.last()
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        env.nonsense  # noqa: B018
    env.reset(seed=5)
    some: list[Any] = [218, -1, 1.0, np.float32(1), None, "1"]
    for wrong in some:
        with pytest.raises(AssertionError, match=r"action is not in action space: .*, 0 to 217"):
            env.step(wrong)
    played(env, 5)
    EnvLogger.flush()
    env.step(None)
    assert "step() called after all agents are terminated" in EnvLogger.mqueue[-1]
    env.reset(seed=5)
    env.step(3)  # not in the mask
    with pytest.raises(ValueError, match="when an agent is dead, the only valid action is None"):
        env.step(3)
    with pytest.raises(UnknownRules, match="nonsense"):
        rook_v0.env(rules="nonsense")


@pytest.mark.parametrize("name", VARIANTS)
def test_actions_are_drawn_from_the_mask_and_follow_from_the_seed(name: str) -> None:
    one, other = rook_v0.env(rules=name), rook_v0.raw_env(rules=name, target="python")
    one.reset(seed=5)
    other.reset(seed=5)
    drawn = []
    for _ in one.agent_iter():
        seen, _, ended, _, _ = one.last()
        action = None if ended else one.sample_action()
        if action is not None:
            assert type(action) is int
            assert seen["action_mask"][action]
            assert other.sample_action() == action
            drawn.append(action)
        one.step(action)
        other.step(action)
    one.reset(seed=6)
    assert [one.sample_action() for _ in drawn] != drawn
    one.reset(seed=5)
    assert one.sample_action() == drawn[0]


def test_each_legal_action_is_drawn_as_often_as_the_others() -> None:
    env = rook_v0.env()
    for seed in (1, 2):
        env.reset(seed=seed)
        legal = np.flatnonzero(env.last()[0]["action_mask"]).tolist()
        times = Counter(env.sample_action() for _ in range(200 * len(legal)))
        assert sorted(times) == legal
        assert min(times.values()) > 130  # of 200: five standard deviations
        env.step(env.sample_action())


def test_nothing_is_drawn_where_nothing_may_be_done() -> None:
    env = rook_v0.env()
    with pytest.raises(AssertionError, match=r"reset\(\) needs to be called before sample_action"):
        env.sample_action()
    env.reset(seed=5)
    env.step(3)  # not in the mask, so the hand is over
    for _ in env.agent_iter():
        with pytest.raises(ValueError, match="the hand is over: the only valid action is None"):
            env.sample_action()
        env.step(None)
    with pytest.raises(ValueError, match="the hand is over"):
        env.sample_action()


def ending(wrong: bool) -> list[Any]:
    """Return how the agents of a hand leave it: after its end, or after an illegal action."""
    env = rook_v0.env(rules="call_partner_5")
    env.reset(seed=5)
    while not env.last()[2]:
        env.step(3 if wrong else env.sample_action())
    told: list[Any] = []
    while env.agents:
        told.append((env.agent_selection, env.last()[1:]))
        env.step(None)
        told.append((list(env.agents), {**env.rewards}, {**env.terminations}, {**env.truncations}))
    return told


@pytest.mark.parametrize("wrong", [False, True])
def test_agents_leave_as_in_any_environment_of_pettingzoo(
    wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = ending(wrong)
    monkeypatch.setattr(rook_v0.RookAECEnv, "_leave", pettingzoo.AECEnv._was_dead_step)
    assert ending(wrong) == ours
    assert len(ours) == 10


def test_pettingzoos_own_wrappers_fit_around_it() -> None:
    wrapped = wrappers.TerminateIllegalWrapper(rook_v0.raw_env(), illegal_reward=-1.0)
    both = wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
    assert played(both, 5) == played(rook_v0.env(), 5)
    both.reset(seed=5)
    agent = both.agent_selection
    both.step(3)
    assert both.rewards[agent] == -1.0


def test_an_agent_acts_again_where_it_is_its_turn_again() -> None:
    """Discards come one by one, and so do the cards of a dummy."""
    env = rook_v0.env(rules="display")
    env.reset(seed=2)
    in_a_row, before = 0, ""
    for agent in env.agent_iter():
        seen, _, over, _, _ = env.last()
        in_a_row += agent == before
        before = agent
        env.step(None if over else int(np.flatnonzero(seen["action_mask"])[-1]))
    assert in_a_row > 3


def test_an_agent_that_there_is_not_is_named() -> None:
    game = rook_v0.env()
    game.reset(seed=1)
    words = "observe: no agent 'nobody'; expected one of player_0, player_1, player_2, player_3"
    with pytest.raises(KeyError, match=words):
        game.observe("nobody")


def test_only_whoever_is_to_act_has_a_mask() -> None:
    env = rook_v0.env()
    env.reset(seed=5)
    masks = {agent: env.observe(agent)["action_mask"].any() for agent in env.possible_agents}
    assert masks == {"player_0": False, "player_1": True, "player_2": False, "player_3": False}
