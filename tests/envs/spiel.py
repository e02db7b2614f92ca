"""Hands of OpenSpiel's game, for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any


def walk(game: Any, seed: int, deal: int | None = None) -> Iterator[Any]:  # noqa: ANN401
    """Yield a state before each of a hand's random actions and at its end; it is the same one."""
    dice, state = random.Random(seed), game.new_initial_state()
    state.apply_action(seed % len(state.chance_outcomes()) if deal is None else deal)
    while not state.is_terminal():
        yield state
        state.apply_action(dice.choice(state.legal_actions()))
    yield state


def seen_by(state: Any, player: int) -> tuple[Any, ...]:  # noqa: ANN401
    """Return all that OpenSpiel tells a player of a state."""
    return (
        state.information_state_string(player),
        state.observation_string(player),
        tuple(state.information_state_tensor(player)),
        tuple(state.observation_tensor(player)),
    )
