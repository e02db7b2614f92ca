"""What is said of a contract's chance: its share of the tries, put right by what became of others.

The tries alone say too much of bids that hardly ever end the auction, and tell middling hands apart
better than they are; after the auction they take the defenders for worse than they are. The weights
were fitted by logistic regression to contracts of `kd_tournament` (`benchmarks/expert fit`; which,
and how well they fit others, is in ``docs/design/search.md``).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log
from typing import Final

LOW, HIGH = log(0.65 / 0.35), log(0.85 / 0.15)  # between them a share tells most
OF_BID: Final = (0.417, 0.51, 1.878, 0.655, 0.488)
OF_DECLARER: Final = (-0.507, 0.848)  # what the declarer says of his contract
OF_OTHERS: Final = (0.578, 0.822)  # what all others say of it


def terms_of_bid(made: float, stood: float, tries: float) -> tuple[float, ...]:
    """Return what the chance of a bid is weighed from.

    Args:
        made: in how many tries the contract was made.
        stood: in how many of them this bid was the last.
        tries: how many there were.
    """
    odds = log_odds(made, stood)
    middle = min(max(odds, LOW), HIGH)
    share = log((stood + 1) / (tries + 2))
    return 1.0, min(odds, LOW), middle - LOW, max(0.0, odds - HIGH), share


def terms_of_contract(made: float, stood: float) -> tuple[float, ...]:
    """Return what the chance of a contract is weighed from once it is one; see `terms_of_bid`."""
    return 1.0, log_odds(made, stood)


def log_odds(made: float, stood: float) -> float:
    """Return the logarithm of the odds of a share, pulled to the middle by two tries.

    >>> log_odds(3, 6)
    0.0
    """
    return log((made + 1) / (stood - made + 1))


def chance(terms: Sequence[float], weights: Sequence[float]) -> float:
    """Return the chance, 0 to 1, that some terms come to by their weights.

    >>> chance([1.0, 2.0], [-4.0, 2.0])
    0.5
    """
    return 1 / (1 + exp(-sum(term * weight for term, weight in zip(terms, weights, strict=True))))


def chance_of_bid(made: int, stood: int, tries: int) -> float | None:
    """Return the chance that a bid is made if it is the last; None where it never was.

    >>> chance_of_bid(0, 0, 50) is None
    True
    """
    return chance(terms_of_bid(made, stood, tries), OF_BID) if stood else None


def chance_of_contract(made: int, stood: int, *, declares: bool) -> float | None:
    """Return the chance that the contract is made; None where there never was one.

    Where all tries ended alike nothing more is made of it: near its end a hand is as it is.

    Args:
        made: in how many tries.
        stood: of how many that ended with a contract.
        declares: whether it is the declarer who says so.
    """
    if made in (0, stood):
        return made / stood if stood else None
    return chance(terms_of_contract(made, stood), OF_DECLARER if declares else OF_OTHERS)
