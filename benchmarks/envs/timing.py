"""How long decisions take: the same loop and the same clock for every environment.

It imports nothing of Rookery, since the anchors run where Rookery is not installed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any, NamedTuple

Step = Callable[[], int]


class Entry(NamedTuple):
    """Something that is measured.

    Attributes:
        packages: whose versions are told.
        make: returns a function that takes some decisions and returns how many.
    """

    packages: tuple[str, ...]
    make: Callable[[], Step]


def measured(step: Step, seconds: float) -> dict[str, float]:
    """Return decisions, and how long they took by the clock and of the processor, in seconds.

    A first tenth of the time is for what is compiled or made only once.
    """
    end = time.process_time() + seconds / 10
    step()
    while time.process_time() < end:
        step()
    decisions = 0
    clock, processor = time.perf_counter(), time.process_time()
    while (used := time.process_time() - processor) < seconds:
        decisions += step()
    return {
        "decisions": decisions,
        "clock_s": round(time.perf_counter() - clock, 3),
        "processor_s": round(used, 3),
    }


def version(package: str) -> str:
    """Return a package's version; of Rookery, which runs from its sources, what it says."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def petting_zoo(env: Any) -> Step:  # noqa: ANN401  (of whichever package is here)
    """Return rounds of PettingZoo's `performance_benchmark`, which count actions alone."""
    env.reset(seed=1)

    def step() -> int:
        import numpy as np

        actions = 0
        for _ in env.agent_iter(200):
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
            else:
                legal = np.flatnonzero(seen["action_mask"]).tolist()
                env.step(random.choice(legal))
                actions += 1
            if all(env.terminations.values()) or all(env.truncations.values()):
                env.reset()
        return actions

    return step


def open_spiel(game: Any) -> Step:  # noqa: ANN401  (likewise)
    """Return one hand of an OpenSpiel game, stepped from Python with observations and masks."""
    shown = game.get_type().provides_observation_tensor

    def step() -> int:
        decisions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(random.choice(state.chance_outcomes())[0])
                continue
            player = state.current_player()
            if shown:
                state.observation_tensor(player)
            else:
                state.information_state_tensor(player)
            state.legal_actions_mask(player)
            state.apply_action(random.choice(state.legal_actions(player)))
            decisions += 1
        state.returns()
        return decisions

    return step


def main(entries: Mapping[str, Entry]) -> None:
    """Measure the entry that is asked for on one core, and print one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=entries)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--core", type=int)
    asked = parser.parse_args()
    if asked.core is not None:
        os.sched_setaffinity(0, {asked.core})
    random.seed(1)
    entry = entries[asked.name]
    found = measured(entry.make(), asked.seconds)
    print(json.dumps({**found, "versions": {one: version(one) for one in entry.packages}}))
