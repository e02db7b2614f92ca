"""The compiled solver and the compiled brute force, for many and larger positions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from tests.solver.minimax import minimax
from tests.solver.positions import Position

from rookery.cards import unpack
from rookery.engine.records import Allocator, array_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.solver.answer import EVERY, VALUE, solve_ending
from rookery.solver.ending import Ending
from rookery.solver.setup import side_solved
from rookery.solver.transpositions import BUCKET, ENTRY

Value = Callable[[Position], int]


@cache
def solver(entries: int = 1 << 16) -> Value:
    """Return the solver, the same code for every rule set."""
    ask: Callable[..., int] = load("native", solve_ending)
    made = Allocator("native")
    w, memory = made.record(Ending()), made.zeros(ENTRY * (entries + BUCKET + 1))

    def value(position: Position) -> int:
        return ask(*map(made.record, position), w, memory, VALUE)

    return value


@cache
def card_values() -> Callable[[Position], dict[int, int]]:
    """Return the solver that values every card: from the engine's cards to points."""
    ask: Callable[..., int] = load("native", solve_ending)
    made = Allocator("native")
    w, memory = made.record(Ending()), made.zeros(ENTRY * ((1 << 14) + BUCKET + 1))

    def values(position: Position) -> dict[int, int]:
        ask(*map(made.record, position), w, memory, EVERY)
        assert w.low[: w.options] == w.high[: w.options]
        return {
            card: w.base + w.unit * w.low[i]
            for i in range(w.options)
            for card in unpack(w.equivalent[i])
        }

    return values


@cache
def brute_force() -> Callable[..., int]:
    """Return minimax through the engine, the same code for every rule set."""
    compiled: Callable[..., int] = load("numba", minimax)
    states = array_of(*(State() for _ in range(60)))
    hiddens = array_of(*(Hidden() for _ in range(60)))
    cards, lows, highs = (np.zeros(60, dtype=np.int64) for _ in range(3))

    def value(position: Position, ours: int | None = None) -> int:
        table, s, h = position
        states[0], hiddens[0] = array_of(s)[0], array_of(h)[0]
        ours = side_solved(table, s, h) if ours is None else ours
        return int(compiled(array_of(table)[0], states, hiddens, cards, lows, highs, ours))

    return value
