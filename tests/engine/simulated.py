"""Plays hands in numba-cuda's simulator and on plain Python, and prints where they part.

A program of its own, because the simulator's switch is read when numba is first imported:
``NUMBA_ENABLE_CUDASIM=1 python -m tests.engine.simulated HANDS [plant]``. It plays every variant
and prints one JSON object, ``{variant: [actions, first difference]}``. With ``plant`` the simulated
engine takes the highest card of a set for the lowest.
"""

# ruff: noqa: ANN401  (a record is one thing in Python and another in the simulator)

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from tests.engine.stepping import first_difference, step

from rookery.engine import card_sets
from rookery.engine.targets import cuda as target
from rookery.engine.targets import load
from rookery.engine.targets.cuda import SIMULATED, cuda
from rookery.rules import catalog, variant
from rookery.rules.table import compile_rules


def simulated() -> Callable[..., int]:
    """Return `step` as a host calls it: a CUDA kernel of one thread around the device function."""
    device = load("cuda", step)

    @cuda.jit  # type: ignore[untyped-decorator]
    def one_step(
        table: Any,
        s: Any,
        h: Any,
        mine: Any,
        kinds: Any,
        order: Any,
        actions: Any,
        seed: int,
        dealer: int,
        done: Any,
    ) -> None:
        done[0] = device(table, s, h, mine, kinds, order, actions, seed, dealer)

    done = np.zeros(1, dtype=np.int64)

    def run(*arguments: Any) -> int:
        one_step[1, 1](*arguments, done)
        return int(done[0])

    return run


def main(hands: int, plant: bool) -> None:
    if plant:
        primitives = target._PRIMITIVES
        primitives[card_sets.lowest] = primitives[card_sets.highest]
    run = simulated()
    report = {
        name: first_difference(compile_rules(variant(name)), step, run, hands)
        for name in (catalog()[:1] if plant else catalog())
    }
    print(json.dumps(report))


if __name__ == "__main__":
    assert SIMULATED
    main(int(sys.argv[1]), "plant" in sys.argv[2:])
