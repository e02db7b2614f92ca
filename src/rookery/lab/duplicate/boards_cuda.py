"""Boards on a GPU: each thread plays a few of them and keeps sums of its own.

The same numbers as on the processor. Needs ``rookery[gpu]``; in numba-cuda's simulator it does the
same, slowly.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rookery.bots.decide import seated
from rookery.bots.mine import Mine
from rookery.cards import CARDS
from rookery.engine.records import array_of, dtype_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.engine.targets.cuda import SIMULATED, cuda
from rookery.engine.targets.specialise import table_hash
from rookery.lab.duplicate.boards import WIDTH, play_boards
from rookery.rules.table import PLACES, RuleTable

THREADS: Final = 128  # a block
SHARE: Final = 4 if SIMULATED else 32  # boards that a thread plays
AT_ONCE: Final = 1 << 17  # threads of one launch; their sums are 150 MB


def boards_kernel(table: RuleTable, kinds: Sequence[int]) -> Any:  # noqa: ANN401
    """Return the kernel that plays boards with its records in each thread's own memory.

    Its arguments: the table as an array of one record, the line-up, the number of rooms, the width
    of a bin, seed, first board, how many boards in all and to a thread, and the sums that it fills,
    shape (threads, WIDTH).
    """
    play = load("cuda", play_boards, table, seated(kinds))
    state, hidden, private = dtype_of(State), dtype_of(Hidden), dtype_of(Mine)

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


def boards_kernel_in_arrays(table: RuleTable, kinds: Sequence[int]) -> Any:  # noqa: ANN401
    """Return the same kernel with its records in arrays: the simulator has no local ones."""
    play = load("cuda", play_boards, table, seated(kinds))

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
        states: Any,  # noqa: ANN401
        hidden: Any,  # noqa: ANN401
        private: Any,  # noqa: ANN401
        numbers: Any,  # noqa: ANN401
    ) -> None:
        thread = cuda.grid(1)
        done = thread * share
        if done < count:
            play(
                tables[0], states[thread], hidden[thread], private[thread], lineup,
                numbers[thread, 0], numbers[thread, 1], numbers[thread, 2], rooms, bin_width, seed,
                first + done, min(share, count - done), sums[thread],
            )  # fmt: skip

    return boards


_TABLES: dict[str, RuleTable] = {}


@lru_cache(maxsize=64)
def _launcher(key: str, kinds: tuple[int, ...]) -> Any:  # noqa: ANN401
    make = boards_kernel_in_arrays if SIMULATED else boards_kernel
    return make(_TABLES[key], kinds)


def play_boards_on_gpu(
    table: RuleTable,
    kinds: Sequence[int],
    rooms: int,
    bin_width: int,
    seed: int,
    first: int,
    boards: int,
) -> npt.NDArray[np.int64]:
    """Play boards and return what is noted of them, shape (WIDTH,); see `play_boards`.

    Args:
        table: the rules; the code is specialised to them.
        kinds: the line-up, a bot a seat.
        rooms: how often a board is played.
        bin_width: of the histogram of results.
        seed: of all boards.
        first: number of the first board.
        boards: how many.
    """
    _TABLES[key := table_hash(table)] = table
    launch = _launcher(key, tuple(sorted(set(kinds))))
    rules, lineup = array_of(table), np.array(kinds, dtype=np.int64)
    noted = np.zeros(WIDTH, dtype=np.int64)
    for at in range(0, boards, AT_ONCE * SHARE):
        count = min(AT_ONCE * SHARE, boards - at)
        threads = -(-count // SHARE)
        sums = np.zeros((threads, WIDTH), dtype=np.int64)
        numbers = (rooms, bin_width, seed, first + at, count, SHARE)
        if SIMULATED:
            records = (
                array_of(*(State() for _ in range(threads))),
                array_of(*(Hidden() for _ in range(threads))),
                array_of(*(Mine() for _ in range(threads * PLACES))).reshape(threads, PLACES),
                np.zeros((threads, 3, CARDS), dtype=np.int64),
            )
            launch[threads, 1](rules, lineup, *numbers, sums, *records)
        else:
            there = cuda.to_device(sums)
            blocks = -(-threads // THREADS)
            launch[blocks, THREADS](cuda.to_device(rules), cuda.to_device(lineup), *numbers, there)
            sums = there.copy_to_host()
        noted += sums.sum(axis=0)
    return noted
