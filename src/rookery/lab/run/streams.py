"""Independent streams of hands: the unit of work of a core, a thread or a GPU thread."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from rookery.bots.dispatch import play_out, seated
from rookery.bots.seat_info import SeatInfo, clear_notes
from rookery.cards import CARDS
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.records import Allocator
from rookery.engine.rng import seeded
from rookery.engine.state import DONE, Hidden, State
from rookery.engine.targets import Target, load
from rookery.rules.table import RuleTable


@kernel
def play_deal(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    order: list[int],
    dealer: int,
) -> int:
    """Deal and play until a hand is scored; return how many deals were cancelled on the way."""
    cancelled = -1
    s.phase = DONE + 1
    while s.phase != DONE:
        cancelled += 1
        shuffle(table, h, order)
        deal(table, s, h, order, dealer)
        for seat in range(table.seats):
            clear_notes(mine[seat])
        play_out(table, s, h, mine, kinds)
    return cancelled


SHARE: Final = 16  # generators set aside for one stream: the cards', and one for each seat


@kernel
def play_stream(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    kinds: list[int],
    order: list[int],
    seed: int,
    stream: int,
    hands: int,
    total: list[int],
) -> int:
    """Play `hands` scored hands of a stream and return how many deals were cancelled.

    Each seat's scores are added to `total`. It has a number for each seat, and so has `kinds`;
    `mine` has a record for each, and `order` has shape (57,).
    """
    h.rng = seeded(seed, stream * SHARE)
    for seat in range(table.seats):
        mine[seat].rng = seeded(seed, stream * SHARE + 1 + seat)
    cancelled = 0
    for i in range(hands):
        cancelled += play_deal(table, s, h, mine, kinds, order, i % table.seats)
        for seat in range(table.seats):
            total[seat] += s.score[seat]
    return cancelled


def play_plain(
    table: RuleTable, kinds: list[int], seed: int, stream: int, hands: int
) -> tuple[list[int], int]:
    """Play `hands` scored hands of a stream on the plain engine.

    Returns:
        Each seat's scores, summed, and how many deals were cancelled.
    """
    total = [0] * table.seats
    mine = [SeatInfo() for _ in range(table.seats)]
    cancelled = play_stream(
        table, State(), Hidden(), mine, kinds, [0] * CARDS, seed, stream, hands, total
    )
    return total, cancelled


def play_streams(
    table: RuleTable,
    kinds: Sequence[int],
    seed: int,
    streams: int,
    hands: int,
    *,
    first: int = 0,
    cores: int | None = None,
    target: Target = "numba",
    bound: bool = True,
) -> tuple[list[list[int]], list[int]]:
    """Play `hands` hands of each of `streams` streams with the compiled engine, one thread a core.

    It needs no NumPy but for Numba.

    Args:
        table: the rules.
        kinds: each seat's bot.
        seed: of all streams.
        streams: how many; the first has number `first`.
        hands: scored hands a stream.
        first: number of the first stream.
        cores: threads to use, all cores when None; never changes the result.
        target: what plays; never changes the result either.
        bound: specialise the code to these rules and bots, as far as the target can.

    Returns:
        Each seat's scores summed over a stream, for each stream, and how many deals of each stream
        were cancelled.
    """
    made_for = (table, seated(kinds)) if bound else (None, ())
    play: Callable[..., int] = load(target, play_stream, made_for[0], made_for[1])
    made = Allocator(target)
    rules = made.record(table)
    cast = made.numbers(kinds)
    scores, cancelled = [made.zeros(table.seats) for _ in range(streams)], [0] * streams
    workers = max(1, min(cores or os.cpu_count() or 1, streams))

    def work(worker: int) -> None:
        state, hidden = made.record(State()), made.record(Hidden())
        private = made.records(SeatInfo() for _ in range(table.seats))
        order = made.zeros(CARDS)
        for i in range(worker, streams, workers):
            count = play(
                rules, state, hidden, private, cast, order, seed, first + i, hands, scores[i]
            )
            cancelled[i] = int(count)

    if workers == 1:
        work(0)
    else:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(work, range(workers)))
    return [[int(score) for score in total] for total in scores], cancelled
