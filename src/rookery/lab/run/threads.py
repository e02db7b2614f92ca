"""Streams of hands on the processor's cores, by compiled code."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt

from rookery.bots.decide import seated
from rookery.bots.mine import Mine
from rookery.cards import CARDS
from rookery.engine.records import array_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.lab.run.streams import play_stream
from rookery.rules.table import RuleTable


def play_streams(
    table: RuleTable,
    kinds: Sequence[int],
    seed: int,
    streams: int,
    hands: int,
    *,
    first: int = 0,
    cores: int | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Play `hands` hands of each of `streams` streams with the compiled engine, one thread a core.

    Args:
        table: the rules; the code is specialised to them.
        kinds: each seat's bot.
        seed: of all streams.
        streams: how many; the first has number `first`.
        hands: scored hands a stream.
        first: number of the first stream.
        cores: threads to use, all cores when None; the answer does not depend on it.

    Returns:
        Each seat's scores summed over a stream, shape (streams, seats), and how many deals of each
        stream were cancelled.
    """
    play: Callable[..., int] = load("numba", play_stream, table, seated(kinds))
    rules = array_of(table)[0]
    cast = np.array(kinds, dtype=np.int64)
    scores = np.zeros((streams, table.seats), dtype=np.int64)
    cancelled = np.zeros(streams, dtype=np.int64)
    workers = max(1, min(cores or os.cpu_count() or 1, streams))

    def work(worker: int) -> None:
        state, hidden = array_of(State())[0], array_of(Hidden())[0]
        private = array_of(*(Mine() for _ in range(table.seats)))
        order = np.zeros(CARDS, dtype=np.int64)
        for i in range(worker, streams, workers):
            cancelled[i] = play(
                rules, state, hidden, private, cast, order, seed, first + i, hands, scores[i]
            )

    if workers == 1:
        work(0)
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, range(workers)))
    return scores, cancelled
