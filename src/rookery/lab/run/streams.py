"""Independent streams of hands: the unit of work that a core, a thread or a GPU thread takes.

A stream is a seed and a number. It gives the same hands wherever it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.mine import Mine
from rookery.cards import CARDS
from rookery.engine.kernel import kernel
from rookery.engine.rng import seeded
from rookery.engine.state import Hidden, State
from rookery.lab.run.hands import play_hands
from rookery.rules.table import RuleTable

SHARE: Final = 16  # generators set aside for one stream: the cards', and one for each seat


@kernel
def play_stream(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[Mine],
    kinds: list[int],
    order: list[int],
    seed: int,
    stream: int,
    hands: int,
    total: list[int],
) -> int:
    """Play `hands` scored hands of a stream and return how many deals were cancelled.

    Each seat's scores are added to `total`.
    """
    h.rng = seeded(seed, stream * SHARE)
    for seat in range(table.seats):
        mine[seat].rng = seeded(seed, stream * SHARE + 1 + seat)
    return play_hands(table, s, h, mine, kinds, order, hands, total)


def play_plain(
    table: RuleTable, kinds: list[int], seed: int, stream: int, hands: int
) -> tuple[list[int], int]:
    """Play `hands` scored hands of a stream on the plain engine.

    Returns:
        Each seat's scores, summed, and how many deals were cancelled.
    """
    total = [0] * table.seats
    mine = [Mine() for _ in range(table.seats)]
    cancelled = play_stream(
        table, State(), Hidden(), mine, kinds, [0] * CARDS, seed, stream, hands, total
    )
    return total, cancelled
