"""What the search thinks of each choice, and how sure it is of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from rookery.game import Hand


@dataclass(frozen=True)
class Choice:
    """An action that was weighed.

    Attributes:
        action: the engine's number of it.
        tries: in how many worlds it was tried; those that looked bad early have few.
        margin: what the seat's side may expect to score above the others, points; in a match whose
            totals are known, its part of the match instead, 0 to 1.
        making: the chance that the contract is made, 0 to 1; in the auction that of the bid
            itself, should it be the last. None where it never came to that.
        stood: in how many of its tries it came to the contract that `making` speaks of.
        made: in how many of these it was made.
        error: the standard error of `margin`, same unit; None where it was tried fewer than twice.
        behind_error: the standard error of how far `margin` lies below that of the best choice,
            same unit, from the differences world by world; 0.0 for the best one. None unless all
            choices met the same worlds, two at least.
        sure: whether `margin` and `making` are known, not estimated: every card is known to lie
            where it lies, and all play their best from here on.
    """

    action: int
    tries: int
    margin: float
    making: float | None
    stood: int = 0
    made: int = 0
    error: float | None = None
    behind_error: float | None = None
    sure: bool = False


class Weighing(NamedTuple):
    """A decision that was taken, and what there was to choose from.

    Attributes:
        hand: the hand at that moment.
        action: the engine's number of what was done.
        choices: the best first.
        done: the choice among them that stands for what was done.
    """

    hand: Hand
    action: int
    choices: list[Choice]
    done: Choice

    @property
    def cost(self) -> float:
        """How far what was done lies below the best, in the unit of `Choice.margin`; 0 or more."""
        return max(0.0, self.choices[0].margin - self.done.margin)


def standard_error(count: int, total: int, square: int) -> float | None:
    """Return the standard error of a mean, from the sum of its numbers and that of their squares.

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
    """Return the standard error of the mean difference of two rows of as many numbers.

    >>> paired_error([5, 9, 7], [3, 7, 5])
    0.0
    """
    differences = [one - two for one, two in zip(best, other, strict=True)]
    squares = sum(difference * difference for difference in differences)
    return standard_error(len(differences), sum(differences), squares)
