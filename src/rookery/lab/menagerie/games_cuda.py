"""Whole games on a GPU: each thread plays a few of them and keeps a tally of its own.

The same sums as on the processor. Needs ``rookery[gpu]``; in numba-cuda's simulator it does the
same, slowly.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from rookery.bots.decide import seated
from rookery.bots.mine import Mine
from rookery.engine.records import array_of, dtype_of
from rookery.engine.state import Hidden, State
from rookery.engine.targets import load
from rookery.engine.targets.cuda import SIMULATED, cuda
from rookery.engine.targets.specialise import table_hash
from rookery.lab.menagerie.games import Games
from rookery.lab.menagerie.tally import CAST, WIDTH, Tally
from rookery.rules.table import RuleTable

THREADS: Final = 128  # a block
SHARE: Final = 2 if SIMULATED else 64  # games that a thread plays
AT_ONCE: Final = 1 << 15  # threads of one launch; their sums are 340 MB
CELLS: Final = WIDTH * WIDTH


def games_kernel(kernel: Games, table: RuleTable) -> Any:  # noqa: ANN401
    """Return the CUDA kernel that plays games with its records in each thread's own memory.

    Its arguments: the table as an array of one record, seed, first game, how many games in all and
    to a thread, and the sums that it fills, shape (threads, CELLS).
    """
    play = load("cuda", kernel, table, seated(range(CAST)))
    state, hidden, private, tally = (dtype_of(kind) for kind in (State, Hidden, Mine, Tally))

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


def games_kernel_in_arrays(kernel: Games, table: RuleTable) -> Any:  # noqa: ANN401
    """Return the same kernel with its records in arrays: the simulator has no local ones."""
    play = load("cuda", kernel, table, seated(range(CAST)))

    @cuda.jit
    def games(
        tables: Any,  # noqa: ANN401
        seed: int,
        first: int,
        count: int,
        share: int,
        sums: Any,  # noqa: ANN401
        states: Any,  # noqa: ANN401
        hidden: Any,  # noqa: ANN401
        private: Any,  # noqa: ANN401
        tallies: Any,  # noqa: ANN401
    ) -> None:
        thread = cuda.grid(1)
        done = thread * share
        if done < count:
            t = tallies[thread]
            play(
                tables[0], states[thread], hidden[thread], private[thread], t, seed,
                first + done, min(share, count - done),
            )  # fmt: skip
            for cell in range(CELLS):
                sums[thread, cell] = t.sums[cell]

    return games


_TABLES: dict[str, RuleTable] = {}


@lru_cache(maxsize=8)
def _launcher(kernel: Games, key: str) -> Any:  # noqa: ANN401
    make = games_kernel_in_arrays if SIMULATED else games_kernel
    return make(kernel, _TABLES[key])


def play_games_on_gpu(
    kernel: Games, table: RuleTable, seed: int, first: int, games: int
) -> npt.NDArray[np.int64]:
    """Play games and return ``Tally.sums`` over them, shape (CELLS,).

    Args:
        kernel: plays a run of games on one tally.
        table: the rules; the code is specialised to them.
        seed: of all games.
        first: number of the first game.
        games: how many.
    """
    _TABLES[key := table_hash(table)] = table
    launch = _launcher(kernel, key)
    rules = array_of(table)
    noted = np.zeros(CELLS, dtype=np.int64)
    for at in range(0, games, AT_ONCE * SHARE):
        count = min(AT_ONCE * SHARE, games - at)
        threads = -(-count // SHARE)
        sums = np.zeros((threads, CELLS), dtype=np.int64)
        numbers = (seed, first + at, count, SHARE)
        if SIMULATED:
            mine = array_of(*(Mine() for _ in range(threads * CAST))).reshape(threads, CAST)
            states, hidden, tallies = (
                array_of(*(kind() for _ in range(threads))) for kind in (State, Hidden, Tally)
            )
            launch[threads, 1](rules, *numbers, sums, states, hidden, mine, tallies)
        else:
            there = cuda.to_device(sums)
            launch[-(-threads // THREADS), THREADS](cuda.to_device(rules), *numbers, there)
            sums = there.copy_to_host()
        noted += sums.sum(axis=0)
    return noted
