"""Fitting with Adam in PyTorch: the loss of `NumpyAdam`, on a graphics card if there is one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from rookery.learn.examples import Examples
from rookery.learn.fit import BETA1, BETA2, HEAT, MOST, PICKING, SQUARES, TINY, Loss
from rookery.learn.net import Net


def scores(weights: list[Any], table: Any, cards: Any, owner: Any) -> Any:  # noqa: ANN401
    """Return the score of each card like `rookery.learn.net.scores`, shape (cards,)."""
    by_table, by_card, bias, inner, inner_bias, outer = weights
    first = (table @ by_table + bias)[owner] + cards @ by_card
    first = first + first.abs()
    second = first @ inner + inner_bias
    return (second + second.abs()) @ outer


class TorchAdam:
    """A network in training, with the state of Adam."""

    def __init__(self, net: Net, device: str = "auto") -> None:
        """Begin with a copy of `net` on a PyTorch device; ``auto`` is the best one there is."""
        best = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.device(best if device == "auto" else device)
        self.steps = 0
        self._kept = {"weights": self._copies(net)}
        for kind in ("slow", "fast"):  # the running means of Adam
            self._kept[kind] = [torch.zeros_like(weight) for weight in self._kept["weights"]]

    def _copies(self, arrays: Iterable[Any]) -> list[Any]:
        return [torch.tensor(array, device=self.device) for array in arrays]

    @property
    def net(self) -> Net:
        """The network as it is now, a copy."""
        return Net(*(weight.cpu().numpy().copy() for weight in self._kept["weights"]))

    @property
    def state(self) -> dict[str, Any]:
        """All that is needed to go on later, arrays by name."""
        return {
            "steps": np.array(self.steps),
            **{
                f"{kind}_{name}": tensor.cpu().numpy().copy()
                for kind, kept in self._kept.items()
                for name, tensor in zip(Net._fields, kept, strict=True)
            },
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` was.

        Raises:
            KeyError: an array is missing.
            ValueError: it is of a network of another size.
        """
        for kind, kept in self._kept.items():
            saved = [state[f"{kind}_{name}"] for name in Net._fields]
            for array, tensor in zip(saved, kept, strict=True):
                if array.shape != tuple(tensor.shape):
                    raise ValueError(f"{kind}: {array.shape}; expected {tuple(tensor.shape)}")
            self._kept[kind] = self._copies(saved)
        self.steps = int(state["steps"])

    def step(self, examples: Examples, rate: float) -> Loss:
        """Move the weights once, by all of `examples`; return the loss before the step."""
        owner = torch.as_tensor(examples.owner, device=self.device)
        many = len(examples.table)
        table, cards, worth = (
            torch.as_tensor(array, device=self.device)
            for array in (examples.table, examples.cards, examples.worth)
        )
        weights = [weight.clone().requires_grad_() for weight in self._kept["weights"]]
        score = scores(weights, table, cards, owner)
        wanted = _from_mean(worth, owner, many).clamp(-MOST, MOST)
        off = _from_mean(score, owner, many) - wanted
        squares = (off * off).sum() / many
        top = torch.full((many,), -torch.inf, device=self.device)
        top = top.scatter_reduce(0, owner, score.detach(), "amax")
        chance = ((score - top[owner]) / HEAT).exp()
        chance = chance / _sums(chance, owner, many)[owner]
        gain = _sums(chance * wanted, owner, many).mean()
        slopes = torch.autograd.grad(SQUARES * squares - PICKING * gain, weights)
        self.steps += 1
        evened = rate * (1 - BETA2**self.steps) ** 0.5 / (1 - BETA1**self.steps)
        for weight, slow, fast, slope in zip(*self._kept.values(), slopes, strict=True):
            slow += (1 - BETA1) * (slope - slow)
            fast += (1 - BETA2) * (slope * slope - fast)
            weight -= evened * slow / (fast.sqrt() + TINY)
        at_top = torch.nonzero(score.detach() == top[owner]).cpu().numpy()[:, 0]
        best = at_top[np.unique(examples.owner[at_top], return_index=True)[1]]
        ahead = examples.worth[best] - examples.worth[examples.start[:-1] + examples.script]
        return Loss(float(squares.detach()), float(gain.detach()), float(ahead.mean()))


def _sums(values: Any, owner: Any, many: int) -> Any:  # noqa: ANN401
    return torch.zeros(many, dtype=values.dtype, device=values.device).index_add(0, owner, values)


def _from_mean(values: Any, owner: Any, many: int) -> Any:  # noqa: ANN401
    sizes = _sums(torch.ones_like(values), owner, many)
    return values - (_sums(values, owner, many) / sizes)[owner]
