"""The network: it scores each card that may be played, from the table and from the card.

It takes any number of cards. The inputs of the table are the same for all cards of a decision, so
they go through the first layer once, and each card's inputs are added. A unit's activation is
``x + abs(x)``, twice the usual ReLU: compiled code computes it without a branch.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.engine.kernel import kernel

Floats: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]

MOST_CARDS: Final = 32  # of one decision


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


class Workspace(NamedTuple):
    """Reusable arrays for scoring one decision, all float32.

    Attributes:
        table: the inputs of the table, shape (1, inputs of the table).
        cards: the inputs of each card, shape (`MOST_CARDS`, inputs of a card).
        base: the first layer after the inputs of the table, shape (wide,).
        first: the first layer for one card, shape (wide,).
        second: the second layer for that card, shape (narrow,).
        score: the score of each card, shape (`MOST_CARDS`,).
    """

    table: Floats
    cards: Floats
    base: Floats
    first: Floats
    second: Floats
    score: Floats


def workspace_for(net: Net) -> Workspace:
    """Return an empty workspace of the right size for a network."""
    wide, narrow = net.inner.shape
    sizes = ((1, len(net.table)), (MOST_CARDS, len(net.card)), wide, wide, narrow, MOST_CARDS)
    return Workspace(*(np.zeros(size, np.float32) for size in sizes))


def random_net(table: int, card: int, wide: int, narrow: int, seed: int) -> Net:
    """Return a network with small random weights; the same seed gives the same.

    Args:
        table: how many inputs the table has.
        card: how many a card has.
        wide: units of the first layer.
        narrow: units of the second.
        seed: of the weights.

    >>> random_net(3, 2, 8, 4, seed=1).inner.shape
    (8, 4)
    """
    dice = np.random.default_rng([seed, 0x6E6574])

    def drawn(rows: int, columns: int, reach: int) -> Any:  # noqa: ANN401
        # The activation doubles its input, so half of He's spread keeps the signals' size.
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
    """Return the score of each card. The compiled kernel and PyTorch must agree with it.

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
def score_cards(net: Net, work: Workspace, count: int) -> int:
    """Score the first `count` cards of the workspace; return the first of the best.

    Inputs of 0 are skipped: most are.
    """
    wide = net.inner.shape[0]
    narrow = net.inner.shape[1]
    for unit in range(wide):
        work.base[unit] = net.bias[unit]
    for i in range(net.table.shape[0]):
        x = work.table[0, i]
        if x != 0.0:
            for unit in range(wide):
                work.base[unit] += net.table[i, unit] * x
    best = 0
    for place in range(count):
        for unit in range(wide):
            work.first[unit] = work.base[unit]
        for i in range(net.card.shape[0]):
            x = work.cards[place, i]
            if x != 0.0:
                for unit in range(wide):
                    work.first[unit] += net.card[i, unit] * x
        for unit in range(narrow):
            work.second[unit] = net.inner_bias[unit]
        for i in range(wide):
            x = work.first[i]
            if x > 0.0:
                x += x
                for unit in range(narrow):
                    work.second[unit] += net.inner[i, unit] * x
        total = 0.0
        for unit in range(narrow):
            total += (work.second[unit] + abs(work.second[unit])) * net.outer[unit]
        work.score[place] = total
        if work.score[place] > work.score[best]:
            best = place
    return best
