"""Families of rules: whoever plays one well need not play another well, so each is rated apart.

They are those of the daily deals: two sides of partners, a partner who is called, everybody alone,
and two people. Points are hundredths of what the cards of a hand hold, so that games of 120 and of
200 points can be put together.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

from rookery.rules import Rules

HUNDRED: Final = 100


class Anchor(NamedTuple):
    """What a bot is worth: how much more its side scores than with `club` in its seat.

    That is in hundredths a board, with its standard error.
    """

    points: float
    error: float


class Family(NamedTuple):
    """What was measured of a family of rules; all points in hundredths.

    Attributes:
        name: ``four``, ``five``, ``three`` or ``two``, as the daily deals call it.
        trust: by how much a point that bots score on the same cards is expected of people.
        noise: the standard deviation of what a unit scores in a board beyond skill and bots.
        person: that of the skill of people.
        pair: that of what two are worth together beyond what each is worth; 0 without partners.
        anchors: the bots that are measured, by the names that tables have.
    """

    name: str
    trust: float
    noise: float
    person: float
    pair: float
    anchors: Mapping[str, Anchor]


def family_name(rules: Rules) -> str:
    """Return the name of the family that rules belong to.

    >>> from rookery.rules import variant
    >>> [family_name(variant(one)) for one in ("kd_tournament", "call_partner_4", "rook_1906")]
    ['four', 'five', 'three']
    """
    if rules.calls_partner:
        return "five"
    if rules.seats == 2:
        return "two"
    return "three" if rules.partnership == "alone" else "four"


@cache
def families() -> Mapping[str, Family]:
    """Return the families by name, as benchmarks/ratings has measured them."""
    text = files(__package__).joinpath("figures.toml").read_text("utf-8")
    return {
        name: Family(
            name,
            one["trust"],
            one["noise"],
            one["person"],
            one["pair"],
            {bot: Anchor(*told) for bot, told in one["anchors"].items()},
        )
        for name, one in tomllib.loads(text).items()
    }


def family_of(rules: Rules) -> Family:
    """Return the family that rules belong to."""
    return families()[family_name(rules)]
