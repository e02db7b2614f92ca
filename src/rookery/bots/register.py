"""The register of the bots. A new bot is its own file and a line in `BOTS`.

A bot that is a kernel says which two functions decide, and then plays in plain Python, compiled and
on a GPU. Any other bot says where its player is made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rookery.bots import menagerie
from rookery.bots.club.calls import club_with_habits
from rookery.bots.club.play import club_card_with_habits
from rookery.bots.random_bot import random_action, random_legal_card


class UnknownBot(ValueError):
    """A name that no bot has. Code: ``unknown-bot``."""

    code = "unknown-bot"


@dataclass(frozen=True)
class Option:
    """An option of a bot.

    Attributes:
        about: what it does, in a few words.
        values: what it may be: words, or whole numbers from the first to the last of a range.
        default: what it is where a name does not say.
    """

    about: str
    values: tuple[str, ...] | range
    default: str

    def allows(self, value: str) -> bool:
        """Return whether the option may be `value`.

        >>> Option("budget, ms", range(1, 1000), "20").allows("50")
        True
        """
        if isinstance(self.values, range):
            # Python reads no number of thousands of digits.
            is_number = value.isascii() and value.isdigit() and len(value) < 1000
            return is_number and int(value) in self.values
        return value in self.values

    @property
    def expected(self) -> str:
        """What the option may be, in words."""
        if isinstance(self.values, range):
            return f"a number from {self.values[0]} to {self.values[-1]}"
        return " or ".join(self.values)


class Kernel(NamedTuple):
    """The two functions that decide for a bot, marked ``@kernel``.

    Both are called with a `RuleTable`, a `State`, a `SeatInfo` and then the numbers of `given`.

    Attributes:
        action: returns the engine's number of an action before the play.
        card: returns the card to play.
        given: what both are called with besides.
        dice: whether the bot uses its generator.
    """

    action: Callable[..., int]
    card: Callable[..., int]
    given: tuple[int, ...] = ()
    dice: bool = True


@dataclass(frozen=True)
class Entry:
    """A bot of this program.

    Attributes:
        about: what it is, in a few words.
        kernel: the functions that decide, where the bot is a kernel.
        variants: other functions for a name with options, by the options as the name has them.
        maker: where the player is made, ``module:function``, of a bot that is no kernel. The
            function is given the rules, the seat and the options by name, and returns a `Player`.
        laboratory: whether the bot knows what no seat may know; no table of people seats it.
        options: the options that the bot has, by name.
    """

    about: str
    kernel: Kernel | None = None
    variants: Mapping[str, Kernel] = field(default_factory=dict)
    maker: str = ""
    laboratory: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)


def _partner(default: str) -> dict[str, Option]:
    return {"partner": Option("does it work with its partner?", ("noticed", "ignored"), default)}


def _character(about: str, who: int, *, dice: bool = False) -> Entry:
    """Return the entry of a character of the Menagerie study, which ignores its partner."""
    return Entry(
        about,
        Kernel(menagerie.character, menagerie.character_card, (who,), dice),
        {"partner=noticed": Kernel(menagerie.noticing, menagerie.noticing_card, (who,), dice)},
        options=_partner("ignored"),
    )


_CLUB, _ALONE, _SILENT = (
    Kernel(club_with_habits, club_card_with_habits, habits, dice=False)
    for habits in ((0, 0), (1, 0), (0, 1))
)
_SEARCH: Final = {
    "rollouts": Option("how many rollouts for a decision, about", range(1, 1_000_001), "1600"),
    "ms": Option("time for a decision, ms", range(600_001), "2000"),
    "style": Option("how it bids", ("bold", "steady", "cautious"), "steady"),
    "plays": Option("do cards played tell which worlds are likely?", ("seen", "weighed"), "seen"),
    "version": Option("which version decides", ("1", "2", "3", "4"), "2"),
}

BOTS: Final[dict[str, Entry]] = {
    "karapet": _character("of the study: plays low and gives nothing away", menagerie.KARAPET),
    "papa": _character("of the study: leads high, follows just high enough", menagerie.PAPA),
    "hog": _character("of the study: always the highest card", menagerie.HOG),
    "rabbit": _character(
        "of the study: plays like one of the other three, at random", menagerie.RABBIT, dice=True
    ),
    "random": Entry(
        "any legal action, all equally likely", Kernel(random_action, random_legal_card)
    ),
    "club": Entry(
        "the table bot: counts cards and works with its partner",
        _CLUB,
        {
            "partner=ignored": _ALONE,
            "partner=ignored:signals=off": _ALONE,
            "signals=off": _SILENT,
        },
        options={
            **_partner("noticed"),
            "signals": Option(
                "does its first lead mean something, and its partner's?", ("on", "off"), "on"
            ),
        },
    ),
    "expert": Entry(
        "searches: tries its choices out in worlds that fit what it has seen",
        maker="rookery.learn.network_search:expert",
        options=_SEARCH,
    ),
    "pupil": Entry(
        "has learned its card play from the search; bids like club",
        maker="rookery.learn.pupil:pupil",
    ),
    "open-hand": Entry(
        "sees all cards: the ceiling, for the laboratory alone",
        maker="rookery.search.searcher:open_hand",
        laboratory=True,
    ),
}

# Bots of earlier versions, with the reason why they are gone.
REMOVED: Final = {"taught": "it played no better than 'expert', so name that instead"}
# Options that had another name in earlier versions; the old name is still read.
RENAMED: Final = {"tries": "rollouts"}
