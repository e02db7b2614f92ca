"""Fitting the network to lessons, by NumPy alone: Adam, step by step, the same on every run.

Two things are asked of the scores of a decision's cards. Their distances should be those of the
cards' worth (a square error, the mean of the decision taken off both); and whoever picks cards by
the scores, the better the likelier, should win as much as can be (the softmax of the scores in
units of `HEAT`). The first learns fast, the second spends the weights on what decides.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.learn.net import Floats, Ints, Net
from rookery.learn.practice import Lessons

HEAT: Final = 0.05  # parts of all points
PICKING: Final = 1.0  # the share of the second aim, that of the first being 1
SQUARES: Final = 4.0  # brings square errors, of parts of all points, to the size of the second aim
BETA1, BETA2, TINY = 0.9, 0.999, 1e-8
MOST: Final = 1.0  # a worth further from its decision's mean than this is cut


class Loss(NamedTuple):
    """How far off the scores are: means over decisions.

    Attributes:
        squares: the square distance of scores from worth, parts of all points squared.
        gain: what picking by softmax wins over picking any card, parts of all points.
        best: what the best-scored card wins over the script's card, parts of all points.
    """

    squares: float
    gain: float
    best: float

    @property
    def aim(self) -> float:
        """What is made small."""
        return SQUARES * self.squares - PICKING * self.gain


class Fit:
    """A network in training, with what Adam remembers."""

    def __init__(self, net: Net) -> None:
        """Begin with a copy of `net`."""
        self.weights = [weight.astype(np.float32).copy() for weight in net]
        self.slow = [np.zeros_like(weight) for weight in self.weights]
        self.fast = [np.zeros_like(weight) for weight in self.weights]
        self.steps = 0

    @property
    def net(self) -> Net:
        """The network as it is now, a copy."""
        return Net(*(weight.copy() for weight in self.weights))

    @property
    def memory(self) -> dict[str, Any]:
        """All that it needs to go on later, arrays by name."""
        return {
            "steps": np.array(self.steps),
            **{
                f"{kind}_{name}": array
                for kind in ("weights", "slow", "fast")
                for name, array in zip(Net._fields, getattr(self, kind), strict=True)
            },
        }

    def recall(self, memory: dict[str, Any]) -> None:
        """Go on from what `memory` said.

        Raises:
            KeyError: something is missing in it.
            ValueError: it is that of a network of another size.
        """
        for kind in ("weights", "slow", "fast"):
            for name, array in zip(Net._fields, getattr(self, kind), strict=True):
                said = memory[f"{kind}_{name}"]
                if said.shape != array.shape:
                    raise ValueError(f"{kind}_{name} is {said.shape}; expected {array.shape}")
                array[...] = said
        self.steps = int(memory["steps"])

    def step(self, lessons: Lessons, rate: float) -> Loss:
        """Move the weights once, by all of some lessons; return the loss before the move."""
        loss, slopes = slopes_of(Net(*self.weights), lessons)
        self.steps += 1
        evened = rate * (1 - BETA2**self.steps) ** 0.5 / (1 - BETA1**self.steps)
        for weight, slow, fast, slope in zip(
            self.weights, self.slow, self.fast, slopes, strict=True
        ):
            slow += np.float32(1 - BETA1) * (slope - slow)
            fast += np.float32(1 - BETA2) * (slope * slope - fast)
            weight -= np.float32(evened) * slow / (np.sqrt(fast) + np.float32(TINY))
        return loss


def picked(lessons: Lessons, which: Ints) -> Lessons:
    """Return some decisions of lessons, in the order of `which`."""
    sizes = np.diff(lessons.start)[which]
    start = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.repeat(lessons.start[which] - start[:-1], sizes) + np.arange(start[-1])
    return Lessons(
        lessons.table[which], lessons.cards[rows], lessons.worth[rows], lessons.script[which], start
    )


def wanted(lessons: Lessons) -> Floats:
    """Return each card's worth less the mean of its decision, cut to `MOST`, shape (cards,)."""
    return np.clip(_from_mean(lessons.worth, lessons), -MOST, MOST)


def judged(score: Floats, lessons: Lessons) -> tuple[Loss, Floats]:
    """Return the loss of scores, and its slope by each of them, shape (cards,)."""
    first, owner = lessons.start[:-1], lessons.owner
    many = np.float32(len(first))
    worth = wanted(lessons)
    off = _from_mean(score, lessons) - worth
    top = np.maximum.reduceat(score, first)[owner]
    chance = np.exp((score - top) / np.float32(HEAT))
    chance /= np.add.reduceat(chance, first)[owner]
    won = np.add.reduceat(chance * worth, first)
    slope = 2 * SQUARES * _from_mean(off, lessons) - PICKING / HEAT * chance * (worth - won[owner])
    # One card may share the top; the first of them is what would be played.
    at_top = np.flatnonzero(score == top)
    best = at_top[np.unique(owner[at_top], return_index=True)[1]]
    ahead = lessons.worth[best] - lessons.worth[first + lessons.script]
    loss = Loss(
        float(np.sum(off * off, dtype=np.float64) / many),
        float(np.mean(won, dtype=np.float64)),
        float(np.mean(ahead, dtype=np.float64)),
    )
    return loss, (slope / many).astype(np.float32)


def slopes_of(net: Net, lessons: Lessons) -> tuple[Loss, list[Any]]:
    """Return the loss of a network and its slope by each weight, in the order of `Net`."""
    owner = lessons.owner
    first = (lessons.table @ net.table + net.bias)[owner] + lessons.cards @ net.card
    first_out = first + np.abs(first)
    second = first_out @ net.inner + net.inner_bias
    second_out = second + np.abs(second)
    loss, slope = judged(second_out @ net.outer, lessons)
    outer = second_out.T @ slope
    back = slope[:, None] * net.outer * np.float32(2) * (second > 0)
    inner, inner_bias = first_out.T @ back, back.sum(0)
    back = (back @ net.inner.T) * np.float32(2) * (first > 0)
    card = lessons.cards.T @ back
    shared = np.add.reduceat(back, lessons.start[:-1], axis=0)
    return loss, [lessons.table.T @ shared, card, shared.sum(0), inner, inner_bias, outer]


def loss_of(net: Net, lessons: Lessons) -> Loss:
    """Return the loss of a network on lessons that it is not fitted to."""
    from rookery.learn.net import scores

    return judged(scores(net, lessons.table, lessons.cards, lessons.owner), lessons)[0]


def _from_mean(values: Floats, lessons: Lessons) -> Floats:
    sums = np.add.reduceat(values, lessons.start[:-1])
    means = sums / np.diff(lessons.start)
    result: Floats = (values - means.astype(np.float32)[lessons.owner]).astype(np.float32)
    return result
