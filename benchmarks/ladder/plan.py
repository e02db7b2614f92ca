"""What the ladder and the league of all bots ask: which rungs, which bots, which games.

Bots that search do so by a number of rollouts, without a clock: then the speed of a machine
changes no figure.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from benchmarks.ladder.cells import Cell

from rookery.bots.names import LEVELS, bot, unhurried
from rookery.lab.duplicate.boards import sides_of
from rookery.lab.duplicate.result import CEILING, FLOOR
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Sprt
from rookery.rules import load
from rookery.rules.table import compile_rules
from rookery.show.words import words

SEVEN: Final = (
    "kd_tournament",
    "house_001",
    "wanamingo",
    "one_high_partnership",
    "five_person_poker",
    "call_partner_5",
    "one_low_180",
)
STRONG: Final = LEVELS["strong"]
LEAGUE: Final = (
    FLOOR, "rabbit", "hog", "karapet", "papa", "club", "pupil", STRONG, "expert", CEILING,
)  # fmt: skip
NO_CLOCK: Final = ":ms=600000"  # the longest there is
SEED: Final = 1906
PROOFS: Final = 1907  # the held-out boards of 1906 were looked at before `club`'s last change
TEST: Final = Sprt(0, 5)  # points a board: no better, or clearly better
FIRST_SEARCH: Final = Sprt(0, 10)  # what a search has to be worth beside a script


@dataclass(frozen=True)
class Rung:
    """A step of the ladder.

    Attributes:
        title: what people call the higher one.
        lower: the bot that has to be beaten.
        upper: the bot that has to beat it.
    """

    title: str
    lower: str
    upper: str

    @property
    def test(self) -> Sprt:
        """What has to be shown."""
        searches = [bot(name).kernel is None for name in (self.lower, self.upper)]
        return FIRST_SEARCH if searches == [False, True] else TEST


def rungs() -> list[Rung]:
    """Return the steps from the floor over all levels, the lowest first."""
    bots = [
        ("Floor", FLOOR),
        *((words()[f"bot.name.{name}"], plays) for name, plays in LEVELS.items()),
    ]
    return [
        Rung(title, unhurried(lower), unhurried(upper))
        for (_, lower), (title, upper) in pairwise(bots)
    ]


def promotions() -> list[Cell]:
    """Return the matches that prove every step at every game, on deals never looked at before."""
    return [
        Cell(rules, (rung.upper, rung.lower), PROOFS, Family.HOLDOUT, rung.test)
        for rung in rungs()
        for rules in SEVEN
    ]


def league() -> list[Cell]:
    """Return the meetings of every two bots of the league at every game.

    Where everybody plays alone, one among strangers is not the reverse of a stranger at a
    table of its own: then there are two meetings.
    """
    names = [unhurried(name) for name in LEAGUE]
    return [
        Cell(rules, (names[j], names[i]), SEED + (0 if i < j else 1))
        for rules in SEVEN
        for i in range(len(names))
        for j in range(len(names))
        if i < j or (i > j and sides_of(compile_rules(load(rules))) > 2)
    ]
