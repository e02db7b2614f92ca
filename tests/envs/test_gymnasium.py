"""Gymnasium's own checks, and what it says of errors and of episodes that end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from rookery import envs
from rookery.envs.observations.compact import places_of
from rookery.envs.single import RookEnv
from rookery.rules import UnknownRules
from rookery.rules.table import compile_rules

__all__ = ["envs"]  # registers the names

GIVEN: dict[str, Any] = {"rules": "kd_tournament", "opponents": "random", "target": "python"}


def made(**more: Any) -> Any:  # noqa: ANN401
    return gymnasium.make("rookery/Rook-v0", **{**GIVEN, **more})


def vector(**more: Any) -> Any:  # noqa: ANN401
    return gymnasium.make_vec("rookery/Rook-v0", **{"num_envs": 8, **GIVEN, **more})


class Lenient(RookEnv):
    """Does another action instead of an illegal one: Gymnasium's check knows of no masks."""

    def step(self, action: Any) -> Any:  # noqa: ANN401
        legal = np.flatnonzero(self.action_masks())
        return super().step(action if action in legal else legal[-1])


def test_it_passes_gymnasiums_own_check() -> None:
    check_env(Lenient(**GIVEN), skip_render_check=True)


def test_an_episode_is_a_hand_and_seeds_settle_it() -> None:
    played = []
    for _ in range(2):
        env = made(seat=1)
        seen, _ = env.reset(seed=11)
        hands = []
        for _ in range(5):
            ended, steps = False, 0
            while not ended:
                action = int(np.flatnonzero(env.unwrapped.action_masks())[0])
                assert seen["action_mask"][action]
                seen, reward, ended, cut, _ = env.step(action)
                steps += 1
                assert not cut
                assert ended or reward == 0
            hands.append((steps, reward, seen["observation"].tobytes()))
            seen, _ = env.reset()
        played.append(hands)
    assert played[0] == played[1]
    assert len(set(played[0])) == 5


def test_many_tables_go_on_in_the_same_step() -> None:
    env = vector()
    seen, _ = env.reset(seed=3)
    assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.SAME_STEP
    assert seen["observation"].shape == env.observation_space["observation"].shape
    ended = 0
    for _ in range(60):
        actions = env.unwrapped.sample_actions()
        seen, rewards, terminations, truncations, infos = env.step(actions)
        assert not truncations.any()
        assert (rewards[~terminations] == 0).all()
        assert seen["action_mask"].any(axis=1).all()
        assert env.observation_space.contains(
            {name: np.ascontiguousarray(array) for name, array in seen.items()}
        )
        assert ("final_obs" in infos) == bool(terminations.any())
        if terminations.any():
            last = infos["final_obs"]["observation"][terminations]
            assert (last[:, env.unwrapped.places["phase"]].argmax(axis=1) == 8).all()  # done
            ended += int(terminations.sum())
    assert ended > 20


def test_arrays_are_shared_not_copied() -> None:
    env = vector(observations=["compact", "history", "oracle"])
    seen, _ = env.reset(seed=3)
    again, *_ = env.step(env.unwrapped.sample_actions())
    assert again["observation"] is seen["observation"]
    for name, array in seen.items():
        other = np.from_dlpack(array)
        assert np.shares_memory(other, array), name
        env.step(env.unwrapped.sample_actions())
        assert (other == array).all()


def test_errors_are_gymnasiums() -> None:
    env = made().unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded, match=r"call reset\(\) first"):
        env.step(0)
    env.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="see its action_mask"):
        env.step(3)
    with pytest.raises(TypeError, match="an action of float; expected a whole number"):
        env.step(3.0)
    many = vector().unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded):
        many.step(np.zeros(8, np.int64))
    many.reset(seed=1)
    with pytest.raises(gymnasium.error.InvalidAction, match="table 0: action 3"):
        many.step(np.full(8, 3))
    with pytest.raises(ValueError, match="one seed is expected"):
        many.reset(seed=[1] * 8)
    with pytest.raises(ValueError, match="reset_mask: all tables"):
        many.reset(options={"reset_mask": np.ones(8, np.bool_)})
    many.reset(options={})
    with pytest.raises(UnknownRules, match="nonsense"):
        made(rules="nonsense")


@pytest.mark.parametrize("written", [0, 1])
def test_whoever_writes_into_a_mask_may_do_nothing_else(written: int) -> None:
    env = vector()
    seen, _ = env.reset(seed=1)
    legal = seen["action_mask"].copy()
    seen["action_mask"][:] = written
    with pytest.raises(gymnasium.error.InvalidAction, match="table 0: action 217"):
        env.step(np.full(8, 217))
    actions = env.unwrapped.sample_actions()
    assert legal[np.arange(8), actions].all()
    env.step(actions)


@pytest.mark.parametrize("opponents", ["random", "expert:rollouts=1"])
def test_a_seat_that_is_not_there_is_refused_whoever_the_others_are(opponents: str) -> None:
    wrong: tuple[Any, ...] = (4, -1, 1.0, "1")
    for seat in wrong:
        with pytest.raises(ValueError, match=r"expected (seats from )?0 to 3"):
            RookEnv(seat=seat, opponents=opponents, target="python")
    RookEnv(seat=3, opponents=opponents, target="python").reset(seed=1)


def test_what_cannot_be_looked_at_is_refused() -> None:
    with pytest.raises(ValueError, match="render_mode svg: expected ansi, rgb_array, human, None"):
        RookEnv(render_mode="svg", target="python")
    with pytest.raises(ValueError, match="render_mode ansi: expected None"):
        vector(render_mode="ansi")


def test_rule_files_will_do(tmp_path: Path) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('base = "kd_tournament"\nhand_size = 8\nnest_size = 9\n', "utf-8")
    one, many = made(rules=str(path)), vector(rules=str(path))
    for env in (one, many):
        seen, _ = env.reset(seed=1)
        table = compile_rules(env.unwrapped.tables.rules)
        cards = np.atleast_2d(seen["observation"])[:, places_of(table)["hand"]]
        assert set(cards.sum(axis=1)) <= {8, 17}  # before and after the nest
    assert many.action_space.nvec.tolist() == [one.action_space.n] * 8


def test_a_table_can_be_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    text = made(render_mode="ansi")
    text.reset(seed=1)
    assert "Kentucky Discard" in text.render()
    pixels = made(render_mode="rgb_array")
    pixels.reset(seed=1)
    picture = pixels.render()
    assert picture.dtype == np.uint8
    assert picture.shape[2] == 3
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 4  # inks
    made(render_mode="human").reset(seed=1)
    assert "seat 0 to act" in capsys.readouterr().out
