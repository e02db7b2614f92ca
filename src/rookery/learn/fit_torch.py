"""Fitting with Adam in PyTorch: the loss of `Adam`, on a graphics card if there is one."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from rookery.learn.examples import Examples
from rookery.learn.fit import HEAT, MOST, PICKING, SQUARES, Adam, Loss
from rookery.learn.net import Floats, Net


def scores(weights: list[Any], table: Any, cards: Any, owner: Any) -> Any:  # noqa: ANN401
    """Return the score of each card like `rookery.learn.net.scores`, shape (cards,)."""
    by_table, by_card, bias, inner, inner_bias, outer = weights
    first = (table @ by_table + bias)[owner] + cards @ by_card
    first = first + first.abs()
    second = first @ inner + inner_bias
    return (second + second.abs()) @ outer


class TorchAdam(Adam):
    """Adam in PyTorch, on a graphics card if there is one."""

    def __init__(self, net: Net, device: str = "auto") -> None:
        """Begin with a copy of `net` on a PyTorch device; ``auto`` is the best one there is."""
        best = "cuda" if torch.cuda.is_available() else "cpu"
        self.device = torch.device(best if device == "auto" else device)
        super().__init__(net)

    def _copied(self, array: Floats) -> Any:  # noqa: ANN401
        return torch.tensor(array, device=self.device)

    def _as_array(self, fitted: Any) -> Floats:  # noqa: ANN401
        return super()._as_array(fitted.cpu().numpy())

    def step(self, examples: Examples, rate: float, heat: float = HEAT) -> Loss:
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
        chance = ((score - top[owner]) / heat).exp()
        chance = chance / _sums(chance, owner, many)[owner]
        gain = _sums(chance * wanted, owner, many).mean()
        slopes = torch.autograd.grad(SQUARES * squares - PICKING * gain, weights)
        self._move(slopes, rate)
        at_top = torch.nonzero(score.detach() == top[owner]).cpu().numpy()[:, 0]
        best = at_top[np.unique(examples.owner[at_top], return_index=True)[1]]
        ahead = examples.worth[best] - examples.worth[examples.start[:-1] + examples.script]
        return Loss(float(squares.detach()), float(gain.detach()), float(ahead.mean()))


def _sums(values: Any, owner: Any, many: int) -> Any:  # noqa: ANN401
    return torch.zeros(many, dtype=values.dtype, device=values.device).index_add(0, owner, values)


def _from_mean(values: Any, owner: Any, many: int) -> Any:  # noqa: ANN401
    sizes = _sums(torch.ones_like(values), owner, many)
    return values - (_sums(values, owner, many) / sizes)[owner]
