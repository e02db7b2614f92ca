"""Fitting the network to examples with Adam in NumPy: the same result on every run.

The loss has two parts. The first is a square error: the distances between the scores of a
decision's cards should be the distances between their values. The second is the expected value of
a card that is picked by softmax of the scores, with the temperature `heat`; it should be large.
The first part learns fast, the second spends the weights on what decides.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.learn.examples import Examples
from rookery.learn.net import Floats, Ints, Net, scores

HEAT: Final = 0.05  # parts of all points
SURE_HEAT: Final = 0.01  # the same where the values have no noise
PICKING: Final = 1.0  # the weight of the second part of the loss
SQUARES: Final = 4.0  # the weight of the first; it brings both to the same size
BETA1, BETA2, TINY = 0.9, 0.999, 1e-8
MOST: Final = 1.0  # a value further than this from its decision's mean is clipped


class Loss(NamedTuple):
    """The loss of some scores: means over decisions.

    Attributes:
        squares: the square error of the scores, parts of all points squared.
        gain: what picking by softmax wins over picking at random, parts of all points.
        best: what the best-scored card wins over the script's card, parts of all points.
    """

    squares: float
    gain: float
    best: float


class Adam:
    """A network in training, with the state of Adam: in NumPy, on the processor.

    `TorchAdam` does the same in PyTorch.
    """

    def __init__(self, net: Net) -> None:
        self.steps = 0
        self._kept = {"weights": [self._copied(weight) for weight in net]}
        for kind in ("slow", "fast"):  # the running means of Adam
            self._kept[kind] = [self._copied(np.zeros_like(weight)) for weight in net]

    def step(self, examples: Examples, rate: float, heat: float = HEAT) -> Loss:
        """Move the weights once, by all of `examples`; return the loss before the step.

        `heat` is the temperature of the loss's second part, parts of all points.
        """
        loss, slopes = slopes_of(Net(*self._kept["weights"]), examples, heat)
        self._move(slopes, rate)
        return loss

    def _copied(self, array: Floats) -> Any:  # noqa: ANN401
        """Return a copy of an array, in the form that is fitted."""
        return np.array(array, np.float32)

    def _as_array(self, fitted: Any) -> Floats:  # noqa: ANN401
        """Return a copy of what is fitted, as an array."""
        return np.array(fitted, np.float32)

    @property
    def net(self) -> Net:
        """The network as it is now, a copy."""
        return Net(*map(self._as_array, self._kept["weights"]))

    @property
    def state(self) -> dict[str, Any]:
        """All that is needed to go on later, arrays by name."""
        arrays = {
            f"{kind}_{name}": self._as_array(one)
            for kind, kept in self._kept.items()
            for name, one in zip(Net._fields, kept, strict=True)
        }
        return {"steps": np.array(self.steps), **arrays}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` was.

        Raises:
            KeyError: an array is missing.
            ValueError: it is of a network of another size.
        """
        for kind, kept in self._kept.items():
            for name, one in zip(Net._fields, kept, strict=True):
                shape = state[f"{kind}_{name}"].shape
                if shape != tuple(one.shape):
                    raise ValueError(f"{kind}_{name} is {shape}; expected {tuple(one.shape)}")
            self._kept[kind] = [self._copied(state[f"{kind}_{name}"]) for name in Net._fields]
        self.steps = int(state["steps"])

    def _move(self, slopes: Iterable[Any], rate: float) -> None:
        """Move the weights by the slope of the loss by each of them, in the order of `Net`."""
        self.steps += 1
        evened = rate * (1 - BETA2**self.steps) ** 0.5 / (1 - BETA1**self.steps)
        for weight, slow, fast, slope in zip(*self._kept.values(), slopes, strict=True):
            slow += (1 - BETA1) * (slope - slow)
            fast += (1 - BETA2) * (slope * slope - fast)
            weight -= evened * slow / (fast**0.5 + TINY)


def picked(examples: Examples, which: Ints) -> Examples:
    """Return the decisions numbered `which`, in that order."""
    sizes = np.diff(examples.start)[which]
    start = np.concatenate(([0], np.cumsum(sizes)))
    rows = np.repeat(examples.start[which] - start[:-1], sizes) + np.arange(start[-1])
    return Examples(
        examples.table[which],
        examples.cards[rows],
        examples.worth[rows],
        examples.script[which],
        start,
    )


def loss_and_slope(score: Floats, examples: Examples, heat: float = HEAT) -> tuple[Loss, Floats]:
    """Return the loss of some scores, and its slope by each of them, shape (cards,)."""
    first, owner = examples.start[:-1], examples.owner
    many = np.float32(len(first))
    worth = np.clip(_from_mean(examples.worth, examples), -MOST, MOST)
    off = _from_mean(score, examples) - worth
    top = np.maximum.reduceat(score, first)[owner]
    chance = np.exp((score - top) / np.float32(heat))
    chance /= np.add.reduceat(chance, first)[owner]
    won = np.add.reduceat(chance * worth, first)
    slope = 2 * SQUARES * _from_mean(off, examples) - PICKING / heat * chance * (worth - won[owner])
    # Several cards may share the best score; the first of them would be played.
    at_top = np.flatnonzero(score == top)
    best = at_top[np.unique(owner[at_top], return_index=True)[1]]
    ahead = examples.worth[best] - examples.worth[first + examples.script]
    loss = Loss(
        float(np.sum(off * off, dtype=np.float64) / many),
        float(np.mean(won, dtype=np.float64)),
        float(np.mean(ahead, dtype=np.float64)),
    )
    return loss, (slope / many).astype(np.float32)


def slopes_of(net: Net, examples: Examples, heat: float = HEAT) -> tuple[Loss, list[Any]]:
    """Return the loss of a network and its slope by each weight, in the order of `Net`."""
    owner = examples.owner
    first = (examples.table @ net.table + net.bias)[owner] + examples.cards @ net.card
    first_out = first + np.abs(first)
    second = first_out @ net.inner + net.inner_bias
    second_out = second + np.abs(second)
    loss, slope = loss_and_slope(second_out @ net.outer, examples, heat)
    outer = second_out.T @ slope
    back = slope[:, None] * net.outer * np.float32(2) * (second > 0)
    inner, inner_bias = first_out.T @ back, back.sum(0)
    back = (back @ net.inner.T) * np.float32(2) * (first > 0)
    card = examples.cards.T @ back
    shared = np.add.reduceat(back, examples.start[:-1], axis=0)
    return loss, [examples.table.T @ shared, card, shared.sum(0), inner, inner_bias, outer]


def loss_of(net: Net, examples: Examples) -> Loss:
    """Return the loss of a network on examples."""
    return loss_and_slope(scores(net, examples.table, examples.cards, examples.owner), examples)[0]


def _from_mean(values: Floats, examples: Examples) -> Floats:
    sums = np.add.reduceat(values, examples.start[:-1])
    means = sums / np.diff(examples.start)
    result: Floats = (values - means.astype(np.float32)[examples.owner]).astype(np.float32)
    return result
