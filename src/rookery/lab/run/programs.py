"""Kernels made ready to run on a target, and the records and lists that they work on."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from rookery.bots.dispatch import seated
from rookery.bots.seat_info import SeatInfo
from rookery.engine.records import Allocator, array_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import Target, load
from rookery.rules import Rules
from rookery.rules.table import PLACES, compile_rules


@lru_cache(maxsize=512)
def program(
    target: Target, kernel: Callable[..., Any], rules: Rules, kinds: frozenset[int] | None = None
) -> tuple[Callable[..., Any], Any]:
    """Return a kernel for a target, and the rule table that it takes as its first argument.

    `kinds` are the bots that play: it is compiled for them and these rules alone, which plays
    faster and compiles for seconds. One program serves all rules and bots where None.
    """
    table = compile_rules(rules)
    made_for = () if kinds is None else (table, seated(kinds))
    return load(target, kernel, *made_for), Allocator(target).record(table)


@lru_cache(maxsize=1)
def _fresh() -> tuple[Any, Any, Any]:
    """Return records of NumPy to copy; making them is slow."""
    return array_of(State()), array_of(Hidden()), array_of(*[SeatInfo()] * PLACES)


def records(target: Target) -> tuple[Any, Any, Any]:
    """Return a public state, a hidden state and every seat's info, as a target takes them."""
    if target in ("python", "native"):
        made = Allocator(target)
        seats = made.records(SeatInfo() for _ in range(PLACES))
        return made.record(State()), made.record(Hidden()), seats
    state, hidden, seats = (record.copy() for record in _fresh())
    return state[0], hidden[0], seats


def zeros(target: Target, *sizes: int) -> tuple[Any, ...]:
    """Return a list of noughts, or an array, for each size."""
    return tuple(map(Allocator(target).zeros, sizes))
