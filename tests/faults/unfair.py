"""Deals with a fault in some of them, one for each figure to show; the first two for it alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from tests.faults.fairness import BLOCK, GAME
from tests.faults.hand_types import Deals

from rookery.cards import ROOK, colour_of
from rookery.rules import variant

_DECK: Final = list(variant(GAME).deck)
_SIZE: Final = variant(GAME).hand_size
_WORTH: Final = [card in variant(GAME).card_points for card in _DECK]


class Fault(NamedTuple):
    """A fault of a shuffle.

    Attributes:
        figure: the name of the figure that has to show it.
        what: the fault, in words.
        one_in: how many deals there are for each that has it.
        spoil: changes the order of a deal, of places in the fresh deck.
    """

    figure: str
    what: str
    one_in: int
    spoil: Callable[[list[int]], None]


def dealt(deals: int, seed: int, fault: Fault | None = None) -> Iterator[Deals]:
    """Yield so many deals of a fair shuffle, some of which a fault has spoiled."""
    dice = np.random.default_rng(seed)
    for first in range(0, deals, BLOCK):
        many = min(BLOCK, deals - first)
        found = dice.permuted(np.tile(np.arange(len(_DECK)), (many, 1)), axis=1)
        if fault is not None:
            for row in range(0, many, fault.one_in):
                order = found[row].tolist()
                fault.spoil(order)
                found[row] = order
        yield found


def _kept_together(order: list[int]) -> None:
    """Leave the first card of the fresh deck right before its neighbour."""
    order.remove(0)
    order.insert(order.index(1), 0)


def _rook_first(order: list[int]) -> None:
    """Give the Rook to seat 0, for a card that follows from the others."""
    at, to = order.index(_DECK.index(ROOK)), order[-1] % _SIZE
    if at >= _SIZE:
        order[at], order[to] = order[to], order[at]


def _one_counter_more(order: list[int]) -> None:
    """Give seat 0 a counter for a card that is none."""
    poor = next((i for i in range(_SIZE) if not _WORTH[order[i]]), None)
    rich = next((i for i in range(_SIZE, len(order)) if _WORTH[order[i]]), None)
    if poor is not None and rich is not None:
        order[poor], order[rich] = order[rich], order[poor]


def _shorter(order: list[int]) -> None:
    """Give away a red card of seat 0 for one of the same worth that is not red."""

    def red(at: int) -> bool:
        return _DECK[order[at]] != ROOK and colour_of(_DECK[order[at]]) == 0

    short = next((i for i in range(_SIZE) if red(i)), None)
    other = next((i for i in range(_SIZE, len(order)) if not red(i)), None)
    if short is not None and other is not None:
        order[short], order[other] = order[other], order[short]


PLANTED: Final = (
    Fault("neighbours", "a card that stays with its neighbour in 1 deal of 50", 50, _kept_together),
    Fault(
        "the Rook and highest cards", "the Rook for seat 0 three times in 100 too often", 119,
        _rook_first,
    ),
    Fault("counters", "a counter more for seat 0 in 1 deal of 20", 20, _one_counter_more),
    Fault("suits not held", "a red card less for seat 0 in 1 deal of 20", 20, _shorter),
)  # fmt: skip
