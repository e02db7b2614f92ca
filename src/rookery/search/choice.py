"""The result of a search: each choice with its expected margin, its error, and its chance.

The chance that a contract is made is its share of the rollouts, calibrated. The share alone is too
high for bids that hardly ever end the auction, and too far from the middle for average hands. After
the auction it is off because the script defends worse than real players. So the share is corrected
with weights that were fitted by logistic regression to contracts of `kd_tournament`
(`benchmarks/expert fit`). ``docs/design/search.md`` says how well they fit other games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Final

LOW, HIGH = log(0.65 / 0.35), log(0.85 / 0.15)  # the slope changes at these log odds
OF_BID: Final = (0.417, 0.51, 1.878, 0.655, 0.488)
OF_DECLARER: Final = (-0.507, 0.848)  # for a contract, seen by the declarer
OF_OTHERS: Final = (0.578, 0.822)  # for a contract, seen by anybody else


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


def terms_of_bid(made: float, contracts: float, rollouts: float) -> tuple[float, ...]:
    """Return the terms of the regression for a bid.

    It became the contract in `contracts` of the rollouts, and was made in `made` of them.
    """
    odds = log_odds(made, contracts)
    middle = min(max(odds, LOW), HIGH)
    share = log((contracts + 1) / (rollouts + 2))
    return 1.0, min(odds, LOW), middle - LOW, max(0.0, odds - HIGH), share


def terms_of_contract(made: float, contracts: float) -> tuple[float, ...]:
    """Return the terms of the regression for a contract after the auction; see `terms_of_bid`."""
    return 1.0, log_odds(made, contracts)


def log_odds(made: float, contracts: float) -> float:
    """Return the logarithm of the odds of a share, with one success and one failure added.

    >>> log_odds(3, 6)
    0.0
    """
    return log((made + 1) / (contracts - made + 1))


def logistic(terms: Sequence[float], weights: Sequence[float]) -> float:
    """Return the chance, 0 to 1, of some terms with their weights.

    >>> logistic([1.0, 2.0], [-4.0, 2.0])
    0.5
    """
    return 1 / (1 + exp(-sum(term * weight for term, weight in zip(terms, weights, strict=True))))


def chance_of_bid(made: int, contracts: int, rollouts: int) -> float | None:
    """Return the chance that a bid is made if it is the last; None if it never was the last.

    >>> chance_of_bid(0, 0, 50) is None
    True
    """
    return logistic(terms_of_bid(made, contracts, rollouts), OF_BID) if contracts else None


def chance_of_contract(made: int, contracts: int, *, declares: bool) -> float | None:
    """Return the chance that the contract is made; None if there never was one.

    Of the rollouts, `contracts` ended with one, and in `made` it was made. If all ended alike,
    their share is taken as it is: near the end of a hand it is true.
    """
    if made in (0, contracts):
        return made / contracts if contracts else None
    return logistic(terms_of_contract(made, contracts), OF_DECLARER if declares else OF_OTHERS)
