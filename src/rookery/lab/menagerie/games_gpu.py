"""Whole games on a GPU: the same sums as on the processor. Needs ``rookery-cards[gpu]``."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from rookery.bots.seat_info import SeatInfo
from rookery.engine.records import dtype_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets.cuda import cuda
from rookery.lab.menagerie.tally import CAST, WIDTH, Tally
from rookery.lab.run.programs import program
from rookery.rules import Rules

CELLS: Final = WIDTH * WIDTH


@lru_cache(maxsize=8)
def games_kernel(kernel: Callable[..., None], rules: Rules) -> Any:  # noqa: ANN401
    """Return the CUDA kernel that plays games by these rules, with records in each thread's memory.

    `kernel` plays a run of games on one tally. The arguments are the table as an array of one
    record, the seed, the first game, the number of games, the number of games a thread, and the
    sums that it fills, shape (threads, CELLS).
    """
    play, _ = program("cuda", kernel, rules, frozenset(range(CAST)))
    state, hidden, private, tally = (dtype_of(kind) for kind in (State, Hidden, SeatInfo, Tally))

    @cuda.jit
    def games(
        tables: Any,  # noqa: ANN401
        seed: int,
        first: int,
        count: int,
        share: int,
        sums: Any,  # noqa: ANN401
    ) -> None:
        thread = cuda.grid(1)
        done = thread * share
        if done < count:
            s = cuda.local.array(1, state)[0]
            h = cuda.local.array(1, hidden)[0]
            mine = cuda.local.array(CAST, private)
            t = cuda.local.array(1, tally)[0]
            for cell in range(CELLS):
                t.sums[cell] = 0
            play(tables[0], s, h, mine, t, seed, first + done, min(share, count - done))
            for cell in range(CELLS):
                sums[thread, cell] = t.sums[cell]

    return games
