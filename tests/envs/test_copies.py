"""Copies of environments: they go on as the original does, and neither touches the other."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

import gymnasium

from rookery import envs
from rookery.engine import targets
from rookery.engine.targets import MissingTarget, Target, native
from rookery.envs import rook_v0
from rookery.envs.single import RookEnv
from rookery.envs.stepping import step_tables
from rookery.envs.vector import RookVectorEnv

__all__ = ["envs"]  # registers the names

WAYS: Final[dict[str, Callable[[Any], Any]]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),  # noqa: S301  (ours)
}
RULES: Final = ("kd_tournament", "rook_two_1914")  # four seats; two with blind hands
GIVEN: Final[dict[str, dict[str, Any]]] = {
    "a hand": {},
    "a match with all there is to see": {
        "match": True,
        "observations": ["compact", "history", "oracle"],
    },
}


@pytest.fixture(params=["python", "native", "soon"])
def target(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Target:
    """Return a target that is here; ``soon`` has NumPy's memory, and compiles nothing here."""
    if request.param != "python":
        try:
            native.check(step_tables)
        except MissingTarget as error:
            pytest.skip(str(error))
    if request.param == "soon":
        pytest.importorskip("numba")

        def gone(*_given: object, **_more: object) -> None:
            raise OSError

        monkeypatch.setattr("rookery.engine.targets.soon.subprocess.Popen", gone)
        monkeypatch.setattr(targets, "_loaded", {})
    chosen: Target = request.param
    return chosen


def shown(told: Any) -> Any:  # noqa: ANN401
    """Return all that arrays hold, byte for byte."""
    if isinstance(told, dict):
        return {key: shown(value) for key, value in told.items()}
    if isinstance(told, np.ndarray):
        return str(told.dtype), told.shape, told.tobytes()
    return [shown(one) for one in told] if isinstance(told, tuple | list) else told


def all_seats(env: Any, steps: int) -> Iterator[Any]:  # noqa: ANN401
    for _ in range(steps):
        if not env.agents:
            env.reset()
        yield shown(env.last()), {agent: shown(env.observe(agent)) for agent in env.agents}
        yield env.agent_selection, dict(env.rewards)
        env.step(None if env.terminations[env.agent_selection] else env.sample_action())


def one_seat(env: Any, steps: int) -> Iterator[Any]:  # noqa: ANN401
    for step in range(steps):
        legal = np.flatnonzero(env.unwrapped.action_masks())
        told = env.step(int(legal[step % len(legal)]))
        yield shown(told)
        if told[2]:
            yield shown(env.reset())


def many_tables(env: Any, steps: int) -> Iterator[Any]:  # noqa: ANN401
    yield shown((env.unwrapped.rows.seen, env.unwrapped.rows.final))
    for _ in range(steps):
        yield shown(env.step(env.unwrapped.sample_actions()))


KINDS: Final[dict[str, tuple[Callable[..., Any], Callable[[Any, int], Iterator[Any]]]]] = {
    "pettingzoo": (rook_v0.raw_env, all_seats),
    "gymnasium": (RookEnv, one_seat),
    "vector": (RookVectorEnv, many_tables),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", GIVEN)
@pytest.mark.parametrize("name", RULES)
def test_a_copy_in_mid_hand_goes_on_alike(
    name: str, given: str, kind: str, way: str, target: Target
) -> None:
    make, play = KINDS[kind]
    more: dict[str, Any] = {"num_envs": 3} if kind == "vector" else {}
    if kind != "pettingzoo":
        more["opponents"] = ["random", "club"]
    env = make(rules=name, target=target, **more, **GIVEN[given])
    env.reset(seed=5)
    assert list(play(env, 80 if "match" in given else 7))  # a match has totals to copy
    other = WAYS[way](env)
    third = WAYS[way](other)
    # The copy plays first and alone: the original and the third must not have moved by it.
    expected = list(play(other, 60))
    assert list(play(env, 60)) == expected
    assert list(play(third, 60)) == expected
    assert list(play(env, 60)) != expected


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_dealt_yet_can_be_copied(kind: str, way: str) -> None:
    make, play = KINDS[kind]
    env = make(target="python")
    other = WAYS[way](env)
    played = []
    for one in (env, other):
        one.reset(seed=3)
        played.append(list(play(one, 9)))
    assert played[0] == played[1]


@pytest.mark.parametrize("way", WAYS)
def test_wrapped_ones_can_be_copied(way: str) -> None:
    given: dict[str, Any] = {"opponents": "random", "target": "python"}
    env = gymnasium.make("rookery/Rook-v0", **given)
    env.reset(seed=3)
    other = WAYS[way](env)
    assert list(one_seat(other, 20)) == list(one_seat(env, 20))
    many = gymnasium.wrappers.vector.RecordEpisodeStatistics(
        gymnasium.make_vec("rookery/Rook-v0", num_envs=2, **given)
    )
    many.reset(seed=3)
    another = WAYS[way](many)
    assert another.unwrapped is not many.unwrapped
    drawn = many.unwrapped.sample_actions().copy()
    assert shown(another.step(drawn)[0]) == shown(many.step(drawn)[0])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["expert:rollouts=20:ms=60000", "pupil"])
def test_opponents_that_are_no_kernels_are_copied_with_their_dice_and_notes(
    name: str, way: str
) -> None:
    env = RookEnv(opponents=[name, "random"], seat=2)
    env.reset(seed=5)
    assert list(one_seat(env, 3))
    other = WAYS[way](env)
    expected = list(one_seat(other, 12))
    assert list(one_seat(env, 12)) == expected


@pytest.mark.parametrize("way", WAYS)
def test_a_program_that_runs_is_not_copied_and_says_so(way: str) -> None:
    env = RookEnv(opponents="exec:cat", seat=1)
    WAYS[way](env)  # nothing runs before the first deal
    env.reset(seed=5)
    try:
        with pytest.raises(TypeError) as raised:
            WAYS[way](env)
    finally:
        env.close()
    assert str(raised.value) == "exec:cat: a program that is running cannot be copied or pickled"
