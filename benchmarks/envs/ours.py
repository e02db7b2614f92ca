"""Rookery's environments, measured by the same loops as the others; `compare` runs this."""

from __future__ import annotations

from importlib.util import find_spec
from shutil import which
from typing import Final

from benchmarks.envs.timing import Entry, Step, main, open_spiel, petting_zoo

RULES: Final = "kd_tournament"
TABLES: Final = 4096


def vector(**more: object) -> Step:
    """Return a step of many tables whose actions are drawn by compiled code."""
    from rookery.envs.vector import RookVectorEnv

    given: dict[str, object] = {"opponents": "random", "target": "numba", **more}
    env = RookVectorEnv(TABLES, RULES, **given)  # type: ignore[arg-type]
    env.reset(seed=1)

    def step() -> int:
        env.step(env.sample_actions())
        return TABLES

    return step


def single() -> Step:
    """Return a hand of Gymnasium's single table."""
    import random

    import gymnasium
    import numpy as np

    import rookery.envs

    env = gymnasium.make("rookery/Rook-v0", rules=RULES, opponents="random", target="native")
    assert rookery.envs

    def step() -> int:
        decisions, ended = 0, False
        seen, _ = env.reset()
        while not ended:
            action = random.choice(np.flatnonzero(seen["action_mask"]).tolist())
            seen, _, ended, _, _ = env.step(action)
            decisions += 1
        return decisions

    return step


def zoo() -> Step:
    """Return a hand of PettingZoo's environment in PettingZoo's own loop; it draws the actions."""
    from rookery.envs import rook_v0

    env = rook_v0.env(rules=RULES)
    env.reset(seed=1)

    def step() -> int:
        decisions = 0
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            env.step(None if ended or cut else env.sample_action())
            decisions += not ended
        assert seen
        env.reset()
        return decisions

    return step


def zoo_by_mask() -> Step:
    """Return rounds in the loop of PettingZoo's `performance_benchmark`, which draws by itself."""
    from rookery.envs import rook_v0

    return petting_zoo(rook_v0.env(rules=RULES))


def nothing() -> Step:
    """Return rounds of an environment that does nothing: no other can be faster there."""
    import numpy as np
    from pettingzoo import AECEnv

    mask = np.zeros(218, np.int8)
    mask[:9:3] = 1  # three cards to choose from

    class Nothing(AECEnv):  # type: ignore[misc]
        def reset(self, seed: int | None = None, options: object = None) -> None:
            self.agents = [f"player_{seat}" for seat in range(4)]
            self.agent_selection = "player_0"
            self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, object] = {agent: {} for agent in self.agents}
            self._seen: dict[str, object] = {
                "observation": np.zeros(912, np.int8),
                "action_mask": mask,
            }

        def observe(self, agent: str) -> dict[str, object]:
            return self._seen

        def step(self, action: int | None) -> None:
            pass

    return petting_zoo(Nothing())


def spiel() -> Step:
    """Return a hand of OpenSpiel's game."""
    import pyspiel

    import rookery.envs.open_spiel

    assert rookery.envs.open_spiel
    return open_spiel(pyspiel.load_game(f"rook(rules={RULES})"))


PARTS: Final = ["compact", "history", "oracle"]
ENTRIES: Final = {
    "vector": Entry(("numpy", "numba"), vector),
    "vector, native library": Entry(("numpy",), lambda: vector(target="native")),
    "vector, with history and oracle": Entry(
        ("numpy", "numba"), lambda: vector(observations=PARTS)
    ),
    "vector, against club": Entry(("numpy", "numba"), lambda: vector(opponents="club")),
    "gymnasium": Entry(("gymnasium", "numpy"), single),
    "pettingzoo": Entry(("pettingzoo", "numpy"), zoo),
    "pettingzoo, drawn in Python": Entry(("pettingzoo", "numpy"), zoo_by_mask),
    "pettingzoo, drawn in Python, doing nothing": Entry(("pettingzoo", "numpy"), nothing),
}
if find_spec("numba_cuda") and which("nvidia-smi"):
    # One core waits for the GPU meanwhile; what counts there is the clock.
    ENTRIES["vector, on a GPU"] = Entry(("numpy", "numba-cuda"), lambda: vector(target="cuda"))
if find_spec("pyspiel") and find_spec("rookery.envs.open_spiel"):
    ENTRIES["open_spiel"] = Entry(("open_spiel",), spiel)

if __name__ == "__main__":
    main(ENTRIES)
