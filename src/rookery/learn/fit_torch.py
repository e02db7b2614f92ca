"""Fitting by PyTorch: the same aim as `Fit`'s, on a graphics card where there is one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import torch

from rookery.learn.fit import BETA1, BETA2, HEAT, MOST, PICKING, SQUARES, TINY, Loss
from rookery.learn.net import Net
from rookery.learn.practice import Lessons

NAMES: Final = Net._fields


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
        self._weights = [
            torch.tensor(array, device=self.device, requires_grad=True) for array in net
        ]
        self._adam = torch.optim.Adam(self._weights, betas=(BETA1, BETA2), eps=TINY)

    @property
    def net(self) -> Net:
        """The network as it is now, a copy."""
        return Net(*(weight.detach().cpu().numpy().copy() for weight in self._weights))

    @property
    def memory(self) -> dict[str, Any]:
        """All that it needs to go on later, arrays by name."""
        said: dict[str, Any] = {"steps": np.array(self.steps)}
        for name, weight in zip(NAMES, self._weights, strict=True):
            said[f"weights_{name}"] = weight.detach().cpu().numpy()
            state = self._adam.state.get(weight, {})
            for kind, key in (("slow", "exp_avg"), ("fast", "exp_avg_sq")):
                kept = state.get(key, torch.zeros_like(weight))
                said[f"{kind}_{name}"] = kept.detach().cpu().numpy()
        return said

    def recall(self, memory: dict[str, Any]) -> None:
        """Go on from what `memory` said.

        Raises:
            KeyError: something is missing in it.
            ValueError: it is that of a network of another size.
        """
        self.steps = int(memory["steps"])
        for name, weight in zip(NAMES, self._weights, strict=True):
            said = [memory[f"{kind}_{name}"] for kind in ("weights", "slow", "fast")]
            if any(array.shape != tuple(weight.shape) for array in said):
                raise ValueError(f"{name} is {said[0].shape}; expected {tuple(weight.shape)}")
            own, slow, fast = (torch.tensor(array, device=self.device) for array in said)
            with torch.no_grad():
                weight.copy_(own)
            self._adam.state[weight] = {
                "step": torch.tensor(float(self.steps)),
                "exp_avg": slow,
                "exp_avg_sq": fast,
            }

    def step(self, lessons: Lessons, rate: float) -> Loss:
        """Move the weights once, by all of some lessons; return the loss before the move."""
        owner = torch.as_tensor(lessons.owner, device=self.device)
        many = len(lessons.table)
        table, cards, worth = (
            torch.as_tensor(array, device=self.device)
            for array in (lessons.table, lessons.cards, lessons.worth)
        )
        score = scores(self._weights, table, cards, owner)
        wanted = _from_mean(worth, owner, many).clamp(-MOST, MOST)
        off = _from_mean(score, owner, many) - wanted
        squares = (off * off).sum() / many
        top = torch.full((many,), -torch.inf, device=self.device)
        top = top.scatter_reduce(0, owner, score.detach(), "amax")
        chance = ((score - top[owner]) / HEAT).exp()
        chance = chance / _sums(chance, owner, many)[owner]
        gain = _sums(chance * wanted, owner, many).mean()
        self._adam.zero_grad()
        (SQUARES * squares - PICKING * gain).backward()
        for group in self._adam.param_groups:
            group["lr"] = rate
        self._adam.step()
        self.steps += 1
        at_top = torch.nonzero(score.detach() == top[owner]).cpu().numpy()[:, 0]
        best = at_top[np.unique(lessons.owner[at_top], return_index=True)[1]]
        ahead = lessons.worth[best] - lessons.worth[lessons.start[:-1] + lessons.script]
        return Loss(float(squares), float(gain), float(ahead.mean()))


def _sums(values: Any, owner: Any, many: int) -> Any:  # noqa: ANN401
    return torch.zeros(many, dtype=values.dtype, device=values.device).index_add(0, owner, values)


def _from_mean(values: Any, owner: Any, many: int) -> Any:  # noqa: ANN401
    sizes = _sums(torch.ones_like(values), owner, many)
    return values - (_sums(values, owner, many) / sizes)[owner]
