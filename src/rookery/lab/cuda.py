"""Whole hands on a GPU: each thread plays a stream of them and adds up every seat's scores.

The same numbers as `rookery.lab.run.threads` gives on the processor. Needs ``rookery[gpu]``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.bots.mine import Mine
from rookery.cards import CARDS
from rookery.engine.records import array_of, dtype_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.engine.targets.cuda import SIMULATED, cuda
from rookery.engine.targets.specialise import table_hash
from rookery.lab.run.streams import play_stream
from rookery.rules.table import RuleTable

THREADS = 128  # a block


def streams_kernel(table: RuleTable) -> Any:  # noqa: ANN401  (a compiled kernel has no type of its own)
    """Return the kernel that plays streams with its records in each thread's own memory.

    Its arguments: the table as an array of one record, the bots' kinds, seed, first stream, number
    of streams, hands a stream, and the arrays that it fills: scores (streams, seats) and cancelled
    deals.
    """
    play = load("cuda", play_stream, table)
    seats = table.seats
    state, hidden, private = dtype_of(State), dtype_of(Hidden), dtype_of(Mine)

    @cuda.jit
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


def streams_kernel_in_arrays(table: RuleTable) -> Any:  # noqa: ANN401
    """Return the same kernel with its records in arrays: the simulator has no local ones."""
    play = load("cuda", play_stream, table)

    @cuda.jit
    def streams(
        tables: Any,  # noqa: ANN401
        kinds: Any,  # noqa: ANN401
        seed: int,
        first: int,
        count: int,
        hands: int,
        scores: Any,  # noqa: ANN401
        cancelled: Any,  # noqa: ANN401
        states: Any,  # noqa: ANN401
        hidden: Any,  # noqa: ANN401
        private: Any,  # noqa: ANN401
        orders: Any,  # noqa: ANN401
    ) -> None:
        thread = cuda.grid(1)
        if thread < count:
            cancelled[thread] = play(
                tables[0],
                states[thread],
                hidden[thread],
                private[thread],
                kinds,
                orders[thread],
                seed,
                first + thread,
                hands,
                scores[thread],
            )

    return streams


_LAUNCHERS: dict[str, Any] = {}


def _launcher(table: RuleTable) -> Any:  # noqa: ANN401
    key = table_hash(table)
    if key not in _LAUNCHERS:
        _LAUNCHERS[key] = streams_kernel_in_arrays(table) if SIMULATED else streams_kernel(table)
    return _LAUNCHERS[key]


def play_streams(
    table: RuleTable, kinds: Sequence[int], seed: int, streams: int, hands: int, *, first: int = 0
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Play streams of hands on the GPU, a thread each.

    Arguments and answer are those of `rookery.lab.run.threads.play_streams`.
    In numba-cuda's simulator it does the same, slowly.
    """
    launch = _launcher(table)
    scores = np.zeros((streams, table.seats), dtype=np.int64)
    cancelled = np.zeros(streams, dtype=np.int64)
    rules, cast = array_of(table), np.array(kinds, dtype=np.int64)
    blocks = -(-streams // THREADS)
    if SIMULATED:
        records = (
            array_of(*(State() for _ in range(streams))),
            array_of(*(Hidden() for _ in range(streams))),
            array_of(*(Mine() for _ in range(streams * table.seats))).reshape(streams, table.seats),
            np.zeros((streams, CARDS), dtype=np.int64),
        )
        launch[streams, 1](rules, cast, seed, first, streams, hands, scores, cancelled, *records)
        return scores, cancelled
    scores_there, cancelled_there = cuda.to_device(scores), cuda.to_device(cancelled)
    launch[blocks, THREADS](
        cuda.to_device(rules),
        cuda.to_device(cast),
        seed,
        first,
        streams,
        hands,
        scores_there,
        cancelled_there,
    )
    return scores_there.copy_to_host(), cancelled_there.copy_to_host()
