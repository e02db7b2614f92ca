"""Plays the same at tables on a GPU and on the processor, and prints where they part.

A program of its own, because the switch of numba-cuda's simulator is read when numba is first
imported: ``NUMBA_ENABLE_CUDASIM=1 python -m tests.envs.on_gpu RULES STEPS TABLES [plant]``. It
prints one JSON object: the first difference, how many episodes ended, and what was come across.
With ``plant`` the GPU writes sets of cards with the lowest card left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import gymnasium
import numpy as np
from tests.engine.stepping import verb_of

from rookery import envs
from rookery.engine import card_sets
from rookery.engine.records import Attributes
from rookery.engine.state import PHASES
from rookery.engine.targets import MissingTarget, native
from rookery.envs.stepping import step_tables

__all__ = ["envs"]  # registers the names

OPPONENTS: Final = ["random", "club"]
PARTS: Final = ["compact", "history", "oracle"]
# Sides, a dummy, a partner who is called, a circus, a blind hand; one of them in whole matches.
RULES: Final[dict[str, dict[str, Any]]] = {
    "kd_tournament": {"opponents": OPPONENTS, "observations": PARTS, "match": True},
    "display": {"opponents": OPPONENTS, "observations": PARTS},
    "call_partner_pagat": {"opponents": OPPONENTS, "observations": PARTS, "seat": 2},
    "circus": {"opponents": "random"},
    "rook_two_1914": {"opponents": "club", "observations": PARTS},
}


class Played(NamedTuple):
    """What two environments came to.

    Attributes:
        difference: what differs first, or an empty text.
        ended: how many episodes ended.
        seen: which phases there were, and which kinds of actions were taken.
    """

    difference: str
    ended: int
    seen: list[str]


def on_processor() -> str:
    """Return the target that is taken for right."""
    try:
        native.check(step_tables)
    except MissingTarget:
        return "python"
    return "native"


def pair(name: str, tables: int) -> tuple[Any, Any]:
    """Return an environment on a GPU, and the same on the processor."""
    made = [
        gymnasium.make_vec(
            "rookery/Rook-v0", num_envs=tables, rules=name, target=target, **RULES[name]
        ).unwrapped
        for target in ("cuda", on_processor())
    ]
    return made[0], made[1]


def _arrays(told: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
    """Yield all that `reset` or `step` returns, with names; what is not said, where it is."""
    seen, *rest = told
    infos = rest.pop()
    yield from seen.items()
    yield from zip(("rewards", "terminations", "truncations"), rest, strict=False)
    over = infos.get("_final_obs", np.zeros(0, np.bool_))
    yield "ends", over
    if over.any():
        for key, array in infos["final_obs"].items():
            yield f"final {key}", np.asarray(array)[over]
        for key in ("won", "_won"):
            yield key, infos.get(key, np.zeros(0))


def first_difference(device: Any, host: Any, steps: int, seed: int = 1906) -> Played:  # noqa: ANN401
    """Play the same on both, drawing on both; return what differs first."""
    told = [env.reset(seed=seed) for env in (device, host)]
    ended, seen = 0, set[str]()
    for step in range(steps):
        for (name, one), (_, other) in zip(*map(_arrays, told), strict=True):
            if np.asarray(one).tobytes() != np.asarray(other).tobytes():
                return Played(f"{name} after {step}", ended, sorted(seen))
        drawn = [env.sample_actions() for env in (device, host)]
        if not np.array_equal(*drawn):
            return Played(f"what is drawn after {step}", ended, sorted(seen))
        seen |= {PHASES[Attributes(state).phase] for state in host.tables.states}
        seen |= {verb_of(int(action)) for action in drawn[1] if action >= 0}
        told = [env.step(actions) for env, actions in zip((device, host), drawn, strict=True)]
        ended += int(told[1][2].sum())
    return Played("", ended, sorted(seen))


def _spoil() -> None:
    """Let the GPU write sets of cards with the lowest card left out."""
    from rookery.engine.targets import cuda as target

    right = target._write_ones

    @target.cuda.jit(**target._OPTIONS)  # type: ignore[untyped-decorator]
    def wrong(words: Any, at: int, mask: int) -> None:  # noqa: ANN401
        right(words, at, mask & mask - 1)

    target._PRIMITIVES[card_sets.write_ones] = wrong


if __name__ == "__main__":
    asked, steps, tables, *more = sys.argv[1:]
    if more:
        _spoil()
    print(json.dumps(first_difference(*pair(asked, int(tables)), int(steps))))
