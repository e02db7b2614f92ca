"""The network as compiled code has it: one row of numbers, and another to work in.

No NumPy is needed here, so the native library has the network too. The rows are
``[wide, narrow, table, card, bias, inner, inner_bias, outer]``, each array of `Net` row by row, and
``[inputs of the table, inputs of each card, score of each card, what counts, three
layers]``.
"""

from __future__ import annotations

from typing import Final

from rookery.engine.kernel import kernel
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS

MOST_CARDS: Final = 32  # of one decision
TOGETHER: Final = 4  # inputs that are added at once
OF_TABLE: Final = len(TABLE_INPUTS)
OF_CARD: Final = len(CARD_INPUTS)
SCORES: Final = OF_TABLE + MOST_CARDS * OF_CARD  # where the scores begin
COUNTING: Final = SCORES + MOST_CARDS  # inputs that are not 0, and from `ROWS` on their weights
PLACES: Final = (1 << 24) - 1  # lets LLVM see that a place is not negative
MOST_UNITS: Final = 256  # of a layer
ROWS: Final = COUNTING + MOST_UNITS + TOGETHER
LAYERS: Final = ROWS + MOST_UNITS + TOGETHER


def room_for(net: list[float]) -> list[float]:
    """Return an empty row to work in, of the right size for a network."""
    return [0.0] * (LAYERS + 2 * int(net[0]) + int(net[1]))


@kernel
def list_inputs(work: list[float], at: int, size: int, weights: int, width: int) -> int:
    """List the inputs that are not 0 and where their weights begin; return how many are listed.

    Inputs of 0 fill up the last `TOGETHER`.
    """
    count = 0
    for i in range(size):  # without a branch, since nobody could foretell it
        work[COUNTING + count] = work[at + i]
        work[ROWS + count] = weights + i * width
        count += work[at + i] != 0.0
    while count % TOGETHER:
        work[COUNTING + count] = 0.0
        work[ROWS + count] = weights
        count += 1
    return count


@kernel
def add_inputs(net: list[float], work: list[float], count: int, width: int, to: int) -> None:
    """Add the listed inputs, times their weights, to the units at `to`.

    Several at once, since reading and writing the units takes longer than the sums.
    """
    for i in range(0, count, TOGETHER):
        x0 = work[COUNTING + i]
        x1 = work[COUNTING + i + 1]
        x2 = work[COUNTING + i + 2]
        x3 = work[COUNTING + i + 3]
        row0 = int(work[ROWS + i]) & PLACES
        row1 = int(work[ROWS + i + 1]) & PLACES
        row2 = int(work[ROWS + i + 2]) & PLACES
        row3 = int(work[ROWS + i + 3]) & PLACES
        for unit in range(width):
            work[to + unit] += (net[row0 + unit] * x0 + net[row1 + unit] * x1) + (
                net[row2 + unit] * x2 + net[row3 + unit] * x3
            )


@kernel
def score_cards(net: list[float], work: list[float], count: int) -> int:
    """Score the first `count` cards of `work`; return the first of the best.

    Inputs of 0 are skipped: most are. A unit's activation is ``x + abs(x)``, see `Net`.
    """
    wide = int(net[0])
    narrow = int(net[1])
    card = 2 + OF_TABLE * wide
    bias = card + OF_CARD * wide
    inner = bias + wide
    inner_bias = inner + wide * narrow
    outer = inner_bias + narrow
    base = LAYERS
    first = base + wide
    second = first + wide
    for unit in range(wide):
        work[base + unit] = net[bias + unit]
    add_inputs(net, work, list_inputs(work, 0, OF_TABLE, 2, wide), wide, base)
    best = 0
    for place in range(count):
        for unit in range(wide):
            work[first + unit] = work[base + unit]
        listed = list_inputs(work, OF_TABLE + place * OF_CARD, OF_CARD, card, wide)
        add_inputs(net, work, listed, wide, first)
        for unit in range(wide):
            work[first + unit] += abs(work[first + unit])
        for unit in range(narrow):
            work[second + unit] = net[inner_bias + unit]
        listed = list_inputs(work, first, wide, inner, narrow)
        add_inputs(net, work, listed, narrow, second)
        total = 0.0
        for unit in range(narrow):
            total += (work[second + unit] + abs(work[second + unit])) * net[outer + unit]
        work[SCORES + place] = total
        if total > work[SCORES + best]:
            best = place
    return best
