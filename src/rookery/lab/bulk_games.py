"""Many games on all cores: chunks of games go to threads, and whole numbers come back.

Each game is seeded by its own number and the sums are of integers, so neither the number of threads
nor the size of a chunk changes a single digit of the outcome.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from rookery.bots.decide import seated
from rookery.bots.mine import Mine
from rookery.engine.kernel import load
from rookery.engine.state import Hidden, State
from rookery.lab.tally import CAST, Tally
from rookery.rules.table import RuleTable

CHUNK: Final = 500  # games; a few milliseconds of compiled play

Target: TypeAlias = Literal["python", "numba"]
Games: TypeAlias = Callable[..., None]
"""A kernel over ``(table, s, h, mine, tally, seed, first, games)``, as `published_games` is."""


@dataclass(slots=True)
class _Desk:
    """What one thread plays on."""

    table: Any
    s: Any
    h: Any
    mine: Any
    tally: Any
    sums: Any  # the tally's


def _desk(target: Target, table: RuleTable) -> _Desk:
    mine = [Mine() for _ in range(CAST)]
    if target == "python":
        tally = Tally()
        return _Desk(table, State(), Hidden(), mine, tally, tally.sums)
    from rookery.engine.records import array_of

    (row,) = array_of(Tally())
    (rules,), (s,), (h,) = array_of(table), array_of(State()), array_of(Hidden())
    return _Desk(rules, s, h, array_of(*mine), row, row["sums"])


def play_games(
    kernel: Games,
    table: RuleTable,
    games: int,
    seed: int,
    threads: int,
    *,
    ready: Callable[[], None] = lambda: None,
    played: Callable[[int], None] = lambda _: None,
    target: Target = "numba",
    chunk: int = CHUNK,
) -> Sequence[int]:
    """Play games 0 to `games` - 1 and return ``Tally.sums`` over all of them.

    Args:
        kernel: plays a run of games on one tally.
        table: the rules.
        games: how many games.
        seed: 0 to 2^63 - 1.
        threads: how many threads share the work.
        ready: called once, when the code is compiled.
        played: called with the number of games of each finished chunk, by one thread at a time.
        target: where the kernel runs.
        chunk: how many games a thread takes at a time.
    """
    compiled = load(target, kernel, table, seated(range(CAST)))
    starts = iter(range(0, games, chunk))
    lock = threading.Lock()
    stop = threading.Event()

    def work() -> list[int]:
        desk = _desk(target, table)
        while not stop.is_set():
            with lock:
                first = next(starts, games)
            if first == games:
                break
            size = min(chunk, games - first)
            compiled(desk.table, desk.s, desk.h, desk.mine, desk.tally, seed, first, size)
            with lock:
                played(size)
        return [int(number) for number in desk.sums]

    desk = _desk(target, table)
    compiled(desk.table, desk.s, desk.h, desk.mine, desk.tally, seed, 0, 0)
    ready()
    with ThreadPoolExecutor(threads) as pool:
        try:
            parts = [future.result() for future in [pool.submit(work) for _ in range(threads)]]
        finally:
            stop.set()  # an interrupted run ends with the chunks in hand
    return [sum(numbers) for numbers in zip(*parts, strict=True)]
