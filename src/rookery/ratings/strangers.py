"""How well people play with strangers, from who wins whole matches: by openskill.

Strangers come and go, so hardly anybody meets the same people twice, and no bots are asked about
the cards. What is known of a person is a mean and an error, and each match moves both. Points are
those of the other ratings, hundredths of what is in the cards, a hand; 0 is a stranger of whom
nothing is known.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

from rookery.ratings.estimate import Z95
from rookery.ratings.family import families

DRIFT: Final = 0.01  # of the spread of people: by so much somebody may change from match to match


class Standing(NamedTuple):
    """What is known of a person in a family of rules, with its standard error.

    `points` are what their side scores more than with an unknown stranger, hundredths a hand.
    """

    points: float
    error: float

    @property
    def ci95(self) -> float:
        """Half of its 95 % interval, the figure after ±."""
        return Z95 * self.error


@cache
def swings() -> Mapping[str, float]:
    """Return how much luck is in a match of each family, as benchmarks/ratings has measured it.

    It is openskill's beta: of two sides whose points differ by beta times the root of 2, the better
    one wins e times as often as the other.
    """
    text = files(__package__).joinpath("strangers.toml").read_text("utf-8")
    return {name: one["swing"] for name, one in tomllib.loads(text).items()}


def newcomer(family: str) -> Standing:
    """Return what is known of somebody who has not played yet: how far people are apart.

    >>> newcomer("four")
    Standing(points=0.0, error=17.1)
    """
    return Standing(0.0, families()[family].person)


def after(
    family: str, units: Sequence[Sequence[Standing]], ranks: Sequence[int]
) -> list[list[Standing]]:
    """Return what is known of people after a match by the rules of a family.

    A unit are those who play together, everybody alone where no partners are fixed. Its rank is its
    place, 0 for whoever has won; the same for two who share one.

    >>> new = newcomer("four")
    >>> (won, _), (lost, _) = after("four", [[new, new], [new, new]], [0, 1])
    >>> won.points > 0 > lost.points, won.error < new.error
    (True, True)
    """
    model = _model(family)
    teams = [[model.rating(mu=one.points, sigma=one.error) for one in unit] for unit in units]
    found = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [[Standing(one.mu, one.sigma) for one in team] for team in found]


@cache
def _model(family: str) -> PlackettLuce:
    spread = families()[family].person
    return PlackettLuce(
        mu=0.0, sigma=spread, beta=swings()[family], tau=DRIFT * spread, gamma=_whole
    )


def _whole(*_: object) -> float:
    """Return 1: a match says of an error as much as the model has it say, see the simulation."""
    return 1.0
