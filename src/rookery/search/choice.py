"""The result of a search: each choice with its expected margin and the error of that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True)
class Choice:
    """An action that was tried.

    Attributes:
        action: the engine's number of it.
        rollouts: in how many worlds it was tried; actions that dropped out early have few.
        margin: by how much the seat's side can expect to outscore the others, points; in a match
            with known totals, the seat's chance of the match instead, 0 to 1.
        making: the chance that the contract is made, 0 to 1; in the auction, that this bid is made
            if it is the last. None if no rollout came to that contract.
        contracts: how many of its rollouts came to the contract that `making` is about.
        made: in how many of these the contract was made.
        error: the standard error of `margin`, same unit; None after fewer than two rollouts.
        behind_error: the standard error of how far `margin` lies below that of the best choice,
            same unit, from the differences world by world; 0.0 for the best one. None unless all
            choices were tried in the same worlds, two at least.
        exact: whether `margin` and `making` are known, not estimated: the seat knows where every
            card lies, and everybody plays their best from here on.
    """

    action: int
    rollouts: int
    margin: float
    making: float | None
    contracts: int = 0
    made: int = 0
    error: float | None = None
    behind_error: float | None = None
    exact: bool = False


def standard_error(count: int, total: int, square: int) -> float | None:
    """Return the standard error of a mean, from the sum of the numbers and of their squares.

    It is None for fewer than two numbers.

    >>> standard_error(4, 4 * 3, 4 * 9), standard_error(1, 3, 9)
    (0.0, None)
    >>> standard_error(4, 1 + 3 + 1 + 3, 1 + 9 + 1 + 9) == (4 / 3 / 4) ** 0.5
    True
    """
    if count < 2:
        return None
    return sqrt(max(0, square * count - total * total) / (count - 1)) / count


def paired_error(best: Sequence[int], other: Iterable[int]) -> float | None:
    """Return the standard error of the mean difference of two equally long rows of numbers.

    >>> paired_error([5, 9, 7], [3, 7, 5])
    0.0
    """
    differences = [one - two for one, two in zip(best, other, strict=True)]
    squares = sum(difference * difference for difference in differences)
    return standard_error(len(differences), sum(differences), squares)
