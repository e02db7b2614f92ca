"""The network: it scores each card that may be played, from the table and from the card.

One scorer serves any number of cards. What is the same for all cards of a decision goes through the
first layer once; what a card adds is added to it. A unit's activation is ``x + abs(x)``: the usual
ramp times two, which compiled code does without a branch.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.engine.kernel import kernel

Floats: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]

MOST_CARDS: Final = 32  # cards that one decision may be about


class Net(NamedTuple):
    """The weights, all float32.

    Attributes:
        table: shape (inputs of the table, wide).
        card: shape (inputs of a card, wide).
        bias: shape (wide,).
        inner: shape (wide, narrow).
        inner_bias: shape (narrow,).
        outer: shape (narrow,); the score has no bias, since only differences count.
    """

    table: Floats
    card: Floats
    bias: Floats
    inner: Floats
    inner_bias: Floats
    outer: Floats


class Paper(NamedTuple):
    """Scratch paper for one decision, all float32.

    Attributes:
        table: the inputs of the table, shape (1, inputs of the table).
        cards: the inputs of each card, shape (`MOST_CARDS`, inputs of a card).
        base: what the table gives the first layer, shape (wide,).
        first: the first layer of one card, shape (wide,).
        second: its second layer, shape (narrow,).
        score: of each card, shape (`MOST_CARDS`,).
    """

    table: Floats
    cards: Floats
    base: Floats
    first: Floats
    second: Floats
    score: Floats


def paper_for(net: Net) -> Paper:
    """Return blank paper of the right size for a network."""
    wide, narrow = net.inner.shape
    sizes = ((1, len(net.table)), (MOST_CARDS, len(net.card)), wide, wide, narrow, MOST_CARDS)
    return Paper(*(np.zeros(size, np.float32) for size in sizes))


def fresh(table: int, card: int, wide: int, narrow: int, seed: int) -> Net:
    """Return a network with small random weights; the same seed gives the same.

    Args:
        table: how many inputs the table has.
        card: how many a card has.
        wide: units of the first layer.
        narrow: units of the second.
        seed: of the weights.

    >>> fresh(3, 2, 8, 4, seed=1).inner.shape
    (8, 4)
    """
    dice = np.random.default_rng([seed, 0x6E6574])

    def drawn(rows: int, columns: int, reach: int) -> Any:  # noqa: ANN401
        # The activation doubles, so half of He's spread keeps signals at their size.
        return (dice.standard_normal((rows, columns)) * (0.5 / reach) ** 0.5).astype(np.float32)

    return Net(
        drawn(table, wide, table + card),
        drawn(card, wide, table + card),
        np.zeros(wide, np.float32),
        drawn(wide, narrow, wide),
        np.zeros(narrow, np.float32),
        drawn(narrow, 1, narrow)[:, 0] * np.float32(0.1),
    )


def scores(net: Net, table: Floats, cards: Floats, owner: Ints) -> Floats:
    """Return the score of each card, by NumPy: what compiled code and PyTorch must agree with.

    Args:
        net: the weights.
        table: the inputs of each decision's table, shape (decisions, inputs of the table).
        cards: the inputs of each card, shape (cards, inputs of a card).
        owner: the decision that each card belongs to, shape (cards,).
    """
    base = table @ net.table + net.bias
    first = base[owner] + cards @ net.card
    first += np.abs(first)
    second = first @ net.inner + net.inner_bias
    second += np.abs(second)
    return (second @ net.outer).astype(np.float32)


@kernel
def score_cards(net: Net, paper: Paper, count: int) -> int:
    """Score the first `count` cards on the paper; return the first of the best.

    Inputs that are 0 are passed over: most are.
    """
    wide = net.inner.shape[0]
    narrow = net.inner.shape[1]
    for unit in range(wide):
        paper.base[unit] = net.bias[unit]
    for i in range(net.table.shape[0]):
        x = paper.table[0, i]
        if x != 0.0:
            for unit in range(wide):
                paper.base[unit] += net.table[i, unit] * x
    best = 0
    for place in range(count):
        for unit in range(wide):
            paper.first[unit] = paper.base[unit]
        for i in range(net.card.shape[0]):
            x = paper.cards[place, i]
            if x != 0.0:
                for unit in range(wide):
                    paper.first[unit] += net.card[i, unit] * x
        for unit in range(narrow):
            paper.second[unit] = net.inner_bias[unit]
        for i in range(wide):
            x = paper.first[i]
            if x > 0.0:
                x += x
                for unit in range(narrow):
                    paper.second[unit] += net.inner[i, unit] * x
        total = 0.0
        for unit in range(narrow):
            total += (paper.second[unit] + abs(paper.second[unit])) * net.outer[unit]
        paper.score[place] = total
        if paper.score[place] > paper.score[best]:
            best = place
    return best
