"""Whole hands on a GPU: each thread plays a stream of them and adds up every seat's scores.

The same numbers as `rookery.lab.run.streams` gives on the processor. Needs ``rookery-cards[gpu]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.records import array_of, dtype_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.engine.targets.cuda import SIMULATED, cuda
from rookery.lab.run.streams import play_stream
from rookery.rules.table import RuleTable

THREADS = 128  # a block


def streams_kernel(table: RuleTable) -> Any:  # noqa: ANN401  (compiled: it has no type)
    """Return the kernel that plays streams with its records in each thread's own memory.

    Its arguments: the table as an array of one record, the bots' kinds, seed, first stream, number
    of streams, hands a stream, and the arrays that it fills: scores (streams, seats) and cancelled
    deals.
    """
    play = load("cuda", play_stream, table)
    seats = table.seats
    state, hidden, private = dtype_of(State), dtype_of(Hidden), dtype_of(SeatInfo)

    @cuda.jit  # type: ignore[untyped-decorator]
    def streams(
        tables: Any,  # noqa: ANN401
        kinds: Any,  # noqa: ANN401
        seed: int,
        first: int,
        count: int,
        hands: int,
        scores: Any,  # noqa: ANN401
        cancelled: Any,  # noqa: ANN401
    ) -> None:
        thread = cuda.grid(1)
        if thread < count:
            s = cuda.local.array(1, state)[0]
            h = cuda.local.array(1, hidden)[0]
            mine = cuda.local.array(seats, private)
            order = cuda.local.array(CARDS, np.int64)
            cancelled[thread] = play(
                tables[0], s, h, mine, kinds, order, seed, first + thread, hands, scores[thread]
            )

    return streams


def play_streams(
    table: RuleTable, kinds: Sequence[int], seed: int, streams: int, hands: int, *, first: int = 0
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Play streams of hands on the GPU, a thread each.

    Arguments and answer are those of `rookery.lab.run.streams.play_streams`.
    In numba-cuda's simulator it does the same, slowly.
    """
    scores = cuda.to_device(np.zeros((streams, table.seats), dtype=np.int64))
    cancelled = cuda.to_device(np.zeros(streams, dtype=np.int64))
    rules, cast = array_of(table), np.array(kinds, dtype=np.int64)
    block = 1 if SIMULATED else THREADS
    kernel = streams_kernel(table)
    kernel[-(-streams // block), block](
        rules if SIMULATED else cuda.to_device(rules),
        cuda.to_device(cast), seed, first, streams, hands, scores, cancelled,
    )  # fmt: skip
    return scores.copy_to_host(), cancelled.copy_to_host()
