"""The network: it scores each card that may be played, from the table and from the card.

It takes any number of cards. The inputs of the table are the same for all cards of a decision, so
they go through the first layer once, and each card's inputs are added. A unit's activation is
``x + abs(x)``, twice the usual ReLU: compiled code computes it without a branch.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.engine.network import MOST_UNITS
from rookery.learn.scoring import network_of

Floats: TypeAlias = npt.NDArray[np.float32]
Ints: TypeAlias = npt.NDArray[np.int64]


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


def numbers_of(net: Net) -> list[int]:
    """Return a network as `score_cards` takes it.

    Raises:
        ValueError: a layer has more than `MOST_UNITS` units.
    """
    if max(net.inner.shape) > MOST_UNITS:
        raise ValueError(f"layers of {net.inner.shape} units; expected {MOST_UNITS} at most")
    wide, narrow = net.inner.shape
    return network_of(wide, narrow, *(array.ravel().tolist() for array in net))


def random_net(table: int, card: int, wide: int, narrow: int, seed: int) -> Net:
    """Return a network with small random weights; the same seed gives the same.

    The sizes are those of the inputs of the table and of a card, and of the two layers.

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
