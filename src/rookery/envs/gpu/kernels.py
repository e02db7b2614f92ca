"""Kernels of tables for a GPU: a table a thread, each by the code of `rookery.envs.stepping`.

A thread fetches the records of its table into memory of its own, plays on them, and puts them back:
the threads of a warp reach what each of them has of its own together, and records that lie apart
one by one.
"""

# ruff: noqa: ANN401  (Numba's arrays have no types)

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import ACTIONS
from rookery.engine.kernel import generated_kernel, kernel
from rookery.engine.records import copying_source, dtype_of
from rookery.engine.state import Hidden, State, copy_hidden, copy_state
from rookery.engine.targets import load
from rookery.engine.targets.cuda import cuda
from rookery.envs.observations.masks import draw_action, may
from rookery.envs.stepping import begin_table, step_table
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules

if TYPE_CHECKING:
    from rookery.engine.targets.specialise import Constants


copy_info: Final[Callable[[RuleTable, SeatInfo, SeatInfo], None]] = generated_kernel(
    copying_source("copy_info", SeatInfo), globals()
)


@kernel
def move_table(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    first: int,
    to_s: State,
    to_h: Hidden,
    to_mine: Sequence[SeatInfo],
    to_kinds: list[int],
    to_first: int,
) -> None:
    """Copy all that a table's cards and seats are; see `rookery.envs.stepping.to_agent`."""
    copy_state(table, s, to_s)
    copy_hidden(table, h, to_h)
    to_h.rng = h.rng
    for k in range(table.seats + 1):
        copy_info(table, mine[first + k], to_mine[to_first + k])
        to_kinds[to_first + k] = kinds[first + k]


class Programs(NamedTuple):
    """The CUDA kernels for tables by some rules.

    What they take is what `step_tables` takes, but the table as an array of one record, and no
    `room`, of which each thread has its own.

    Attributes:
        begin: deals a first hand at each table.
        check: takes the actions that are given, and the least table whose agent may not do its own.
        step: does them, if there was no such table.
        draw: draws actions.
        tell: writes down what one seat has to know of a step besides what it sees.
    """

    begin: Any
    check: Any
    step: Any
    draw: Any
    tell: Any


@lru_cache(maxsize=16)
def programs(rules: Rules, constants: Constants) -> Programs:
    """Return the kernels for some rules and `constants`, see `rookery.engine.targets.load`."""
    table = compile_rules(rules)
    begin_one = load("cuda", begin_table, table, constants)
    step_one = load("cuda", step_table, table, constants)
    move = load("cuda", move_table, table)
    state, hidden, info = dtype_of(State), dtype_of(Hidden), dtype_of(SeatInfo)
    may_do, draw_one = load("cuda", may), load("cuda", draw_action)
    places = table.seats
    each = places + 1
    matches = dict(constants)["MATCHES"]

    @cuda.jit
    def begin(
        tables: Any, states: Any, hiddens: Any, mine: Any, kinds: Any, pool: Any, agents: int,
        seats: Any, words: Any, masks: Any, choices: Any, oracles: Any, told: Any, notes: Any,
        totals: Any, asked: Any, dice: Any,
    ) -> None:  # fmt: skip
        i = cuda.grid(1)
        if i < len(seats):
            s = cuda.local.array(1, state)[0]
            h = cuda.local.array(1, hidden)[0]
            own = cuda.local.array(each, info)
            who = cuda.local.array(each, np.int64)
            room = cuda.local.array(ACTIONS, np.int64)
            begin_one(
                tables[0], i, s, h, own, who, 0, pool, room, agents, seats, words, masks, choices,
                oracles, told, notes, totals, asked, dice,
            )  # fmt: skip
            move(tables[0], s, h, own, who, 0, states[i], hiddens[i], mine, kinds, i * each)

    @cuda.jit
    def check(seats: Any, choices: Any, given: Any, actions: Any, wrong: Any) -> None:
        i = cuda.grid(1)
        if i < len(seats):
            actions[i] = given[i]
            if seats[i] >= 0 and not may_do(choices, i, actions[i]):
                cuda.atomic.min(wrong, 0, i)

    @cuda.jit
    def step(
        tables: Any, states: Any, hiddens: Any, mine: Any, kinds: Any, pool: Any, agents: int,
        seats: Any, words: Any, masks: Any, choices: Any, oracles: Any, told: Any, notes: Any,
        totals: Any, again: int, actions: Any, rewards: Any, ended: Any, wrong: Any,
    ) -> None:  # fmt: skip
        i = cuda.grid(1)
        if i < len(seats) and wrong[0] >= len(seats):
            s = cuda.local.array(1, state)[0]
            h = cuda.local.array(1, hidden)[0]
            own = cuda.local.array(each, info)
            who = cuda.local.array(each, np.int64)
            room = cuda.local.array(ACTIONS, np.int64)
            move(tables[0], states[i], hiddens[i], mine, kinds, i * each, s, h, own, who, 0)
            step_one(
                tables[0], i, s, h, own, who, 0, pool, room, agents, seats, words, masks, choices,
                oracles, told, notes, totals, again, actions, rewards, ended,
            )  # fmt: skip
            move(tables[0], s, h, own, who, 0, states[i], hiddens[i], mine, kinds, i * each)

    @cuda.jit
    def draw(dice: Any, choices: Any, actions: Any) -> None:
        i = cuda.grid(1)
        if i < len(actions):
            actions[i] = draw_one(dice, choices, i)

    @cuda.jit
    def tell(
        seat: int, rewards: Any, ended: Any, totals: Any, worth: Any, over: Any, won: Any,
        turned: Any,
    ) -> None:  # fmt: skip
        i = cuda.grid(1)
        if i < len(ended):
            worth[i] = rewards[i * places + seat]
            over[i] = ended[i] != 0
            won[i] = ended[i] >> seat & 1 != 0
            if matches:
                for half in range(2):
                    at = (half * len(ended) + i) * places
                    for k in range(places):
                        turned[at + k] = totals[at + (seat + k) % places]

    return Programs(begin, check, step, draw, tell)
