"""Fitting by PyTorch: the same aim as `Fit`'s, on a graphics card where there is one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch

from rookery.learn.fit import BETA1, BETA2, HEAT, MOST, PICKING, SQUARES, TINY, Loss
from rookery.learn.net import Net
from rookery.learn.practice import Lessons


def scores(weights: list[Any], table: Any, cards: Any, owner: Any) -> Any:  # noqa: ANN401
    """Return the score of each card, a tensor of shape (cards,), as `rookery.learn.net.scores`."""
    by_table, by_card, bias, inner, inner_bias, outer = weights
    first = (table @ by_table + bias)[owner] + cards @ by_card
    first = first + first.abs()
    second = first @ inner + inner_bias
    return (second + second.abs()) @ outer


class TorchFit:
    """A network in training, with what Adam remembers."""

    def __init__(self, net: Net, device: str = "auto") -> None:
        """Begin with a copy of `net` on a device of PyTorch's; ``auto`` is the best there is."""
        best = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.device(best if device == "auto" else device)
        self.steps = 0
        self._kept = {"weights": self._copies(net)}
        for kind in ("slow", "fast"):  # what Adam remembers
            self._kept[kind] = [torch.zeros_like(weight) for weight in self._kept["weights"]]

    def _copies(self, arrays: Iterable[Any]) -> list[Any]:
        return [torch.tensor(array, device=self.device) for array in arrays]

    @property
    def net(self) -> Net:
        """The network as it is now, a copy."""
        return Net(*(weight.cpu().numpy().copy() for weight in self._kept["weights"]))

    @property
    def memory(self) -> dict[str, Any]:
        """All that it needs to go on later, arrays by name."""
        return {
            "steps": np.array(self.steps),
            **{
                f"{kind}_{name}": tensor.cpu().numpy().copy()
                for kind, kept in self._kept.items()
                for name, tensor in zip(Net._fields, kept, strict=True)
            },
        }

    def recall(self, memory: dict[str, Any]) -> None:
        """Go on from what `memory` said.

        Raises:
            KeyError: something is missing in it.
            ValueError: it is that of a network of another size.
        """
        for kind, kept in self._kept.items():
            said = [memory[f"{kind}_{name}"] for name in Net._fields]
            for array, tensor in zip(said, kept, strict=True):
                if array.shape != tuple(tensor.shape):
                    raise ValueError(f"{kind}: {array.shape}; expected {tuple(tensor.shape)}")
            self._kept[kind] = self._copies(said)
        self.steps = int(memory["steps"])

    def step(self, lessons: Lessons, rate: float) -> Loss:
        """Move the weights once, by all of some lessons; return the loss before the move."""
        owner = torch.as_tensor(lessons.owner, device=self.device)
        many = len(lessons.table)
        table, cards, worth = (
            torch.as_tensor(array, device=self.device)
            for array in (lessons.table, lessons.cards, lessons.worth)
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
        best = at_top[np.unique(lessons.owner[at_top], return_index=True)[1]]
        ahead = lessons.worth[best] - lessons.worth[lessons.start[:-1] + lessons.script]
        return Loss(float(squares.detach()), float(gain.detach()), float(ahead.mean()))


def _sums(values: Any, owner: Any, many: int) -> Any:  # noqa: ANN401
    return torch.zeros(many, dtype=values.dtype, device=values.device).index_add(0, owner, values)


def _from_mean(values: Any, owner: Any, many: int) -> Any:  # noqa: ANN401
    sizes = _sums(torch.ones_like(values), owner, many)
    return values - (_sums(values, owner, many) / sizes)[owner]
