"""Boards on a GPU: the same numbers as on the processor. Needs ``rookery-cards[gpu]``."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.records import dtype_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets.cuda import cuda
from rookery.lab.duplicate.boards import play_boards
from rookery.lab.run.programs import program
from rookery.rules import Rules
from rookery.rules.table import PLACES


@lru_cache(maxsize=64)
def boards_kernel(rules: Rules, kinds: frozenset[int]) -> Any:  # noqa: ANN401
    """Return the kernel that plays boards of these bots, with records in each thread's own memory.

    Its arguments are the table as an array of one record, the line-up, the number of rooms, the
    width of a bin, the seed, the first board, the number of boards, the number of boards a thread,
    and the sums that it fills, shape (threads, WIDTH).
    """
    play, _ = program("cuda", play_boards, rules, kinds)
    state, hidden, private = dtype_of(State), dtype_of(Hidden), dtype_of(SeatInfo)

    @cuda.jit
    def boards(
        tables: Any,  # noqa: ANN401
        lineup: Any,  # noqa: ANN401
        rooms: int,
        bin_width: int,
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
            mine = cuda.local.array(PLACES, private)
            who = cuda.local.array(PLACES, np.int64)
            dice = cuda.local.array(PLACES, np.int64)
            order = cuda.local.array(CARDS, np.int64)
            play(
                tables[0], s, h, mine, lineup, who, dice, order, rooms, bin_width, seed,
                first + done, min(share, count - done), sums[thread],
            )  # fmt: skip

    return boards
