"""What the network says of the cards of a decision, and the row of numbers that it is asked with.

The row is ``[inputs of the table, inputs of each card, score of each card]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rookery.engine.kernel import kernel
from rookery.engine.network import LANES, packed, score_each
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS

MOST_CARDS: Final = 32  # of one decision
OF_TABLE: Final = len(TABLE_INPUTS)
OF_CARD: Final = len(CARD_INPUTS)
SCORES: Final = OF_TABLE + MOST_CARDS * OF_CARD  # where the scores begin
WORK: Final = SCORES + MOST_CARDS  # numbers of the row


def network_of(
    wide: int,
    narrow: int,
    table: Sequence[float],
    card: Sequence[float],
    bias: Sequence[float],
    inner: Sequence[float],
    inner_bias: Sequence[float],
    outer: Sequence[float],
) -> list[int]:
    """Return a network for `score_cards` from the sizes of its layers and the arrays of `Net`.

    Layers are filled up with units that have no weight. An activation is ``x + abs(x)``, twice what
    a unit passes on there.
    """
    empty = [0.0] * (-wide % LANES * (narrow + -narrow % LANES))
    return packed(
        wide + -wide % LANES,
        narrow + -narrow % LANES,
        *(_filled(one, wide) for one in (table, card, bias)),
        (*_filled([2.0 * weight for weight in inner], narrow), *empty),
        _filled(inner_bias, narrow),
        _filled([2.0 * weight for weight in outer], narrow),
    )


def _filled(rows: Sequence[float], width: int) -> Iterator[float]:
    for at in range(0, len(rows), width):
        yield from rows[at : at + width]
        yield from [0.0] * (-width % LANES)


@kernel
def score_cards(net: list[int], work: list[float], count: int) -> int:
    """Score the first `count` cards of `work`; return the first of the best."""
    score_each(net, work, OF_TABLE, OF_CARD, count, SCORES)
    best = 0
    for place in range(1, count):
        if work[SCORES + place] > work[SCORES + best]:
            best = place
    return best
