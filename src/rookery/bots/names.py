"""The bots by name, ``NAME`` or ``NAME:option=value:option=value``, and ``exec:COMMAND``.

A new bot is one more entry of `BOTS`: a kernel says which, anything else where it is made.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from rookery.bots.decide import KINDS, TWINS, UnknownBot
from rookery.bots.mover import Mover
from rookery.rules import Rules

OUTSIDE: Final = "exec"


@dataclass(frozen=True)
class Option:
    """Something that can be said of a bot.

    Attributes:
        about: what it does, in a few words.
        values: what it may be: words, or whole numbers from the first to the last of a range.
        default: what it is where nothing is said.
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
            return value.isascii() and value.isdigit() and int(value) in self.values
        return value in self.values

    @property
    def expected(self) -> str:
        """What it may be, in words."""
        if isinstance(self.values, range):
            return f"a number from {self.values[0]} to {self.values[-1]}"
        return " or ".join(self.values)


@dataclass(frozen=True)
class Entry:
    """A bot of this program.

    Attributes:
        about: what it is, in a few words.
        kernel: its number in `rookery.bots.decide`, None where it is no kernel.
        maker: where it is made, ``module:function``, of one that is no kernel; the function is
            given the rules, the seat and the options by name, and returns a `Mover`.
        laboratory: it knows what no seat may know, and sits at no table of people.
        options: what can be said of it, by name.
    """

    about: str
    kernel: int | None = None
    maker: str = ""
    laboratory: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)


def _partner(default: str) -> dict[str, Option]:
    return {"partner": Option("does it work with its partner?", ("noticed", "ignored"), default)}


_APART: Final = _partner("ignored")
_SIGNALS: Final = {
    "signals": Option("does its first lead mean something, and its partner's?", ("on", "off"), "on")
}
_SEARCH: Final = {
    "tries": Option("how many tries for a decision, about", range(1, 1_000_001), "1600"),
    "ms": Option("time for a decision, ms", range(600_001), "2000"),
    "style": Option("how it bids", ("bold", "steady", "cautious"), "steady"),
    "plays": Option("do cards played tell which worlds are likely?", ("seen", "weighed"), "seen"),
    "version": Option("which version decides", ("1", "2"), "2"),
}

BOTS: Final[dict[str, Entry]] = {
    "karapet": Entry(
        "of the study: plays low and gives nothing away", KINDS["karapet"], options=_APART
    ),
    "papa": Entry(
        "of the study: leads high, follows just high enough", KINDS["papa"], options=_APART
    ),
    "hog": Entry("of the study: always the highest card", KINDS["hog"], options=_APART),
    "rabbit": Entry(
        "of the study: plays like one of the other three, at random",
        KINDS["rabbit"],
        options=_APART,
    ),
    "random": Entry("any legal action, all equally likely", KINDS["random"]),
    "club": Entry(
        "the table bot: counts cards and works with its partner",
        KINDS["club"],
        options={**_partner("noticed"), **_SIGNALS},
    ),
    "expert": Entry(
        "searches: tries its choices out in worlds that fit what it has seen",
        maker="rookery.search.mover:expert",
        options=_SEARCH,
    ),
    "pupil": Entry(
        "has learned its card play from the search; bids like club",
        maker="rookery.learn.pupil:pupil",
    ),
    "open-hand": Entry(
        "sees all cards: the ceiling, for the laboratory alone",
        maker="rookery.search.mover:open_hand",
        laboratory=True,
    ),
}

# Bots of earlier versions, with the reason why they are gone.
REMOVED: Final = {"taught": "it played no better than 'expert', so name that instead"}


@dataclass(frozen=True)
class Bot:
    """A bot as it was named.

    Attributes:
        name: its name; ``exec`` for an outside program.
        options: every option that it has, by name, with its value.
        command: the words that start an outside program.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the name as it is written, options that have their usual value left out."""
        if self.command:
            return f"{OUTSIDE}:{shlex.join(self.command)}"
        usual = BOTS[self.name].options
        said = (f"{name}={value}" for name, value in self.options if value != usual[name].default)
        return ":".join((self.name, *said))

    @property
    def kernel(self) -> int | None:
        """The number by which compiled code knows this bot, None where it does not."""
        return None if self.command else TWINS.get(str(self), BOTS[self.name].kernel)

    def seated(self, rules: Rules, seat: int, deadline_ms: int) -> Mover:
        """Return this bot in a seat, for play one action at a time.

        An outside program has `deadline_ms` for each action.
        """
        if self.command:
            from rookery.bots.outside import Outside

            return Outside(self.command, rules, seat, deadline_ms)
        entry = BOTS[self.name]
        if entry.kernel is not None:
            from rookery.bots.player import Player

            return Player(str(self), seed=0, seat=seat)
        module, _, name = entry.maker.partition(":")
        made: Any = getattr(import_module(module), name)(rules, seat, dict(self.options))
        mover: Mover = made
        return mover


def bot(text: str) -> Bot:
    """Return the bot that `text` names, in either letter case.

    Raises:
        UnknownBot: there is none, or it has no such option; code ``unknown-bot``.

    >>> str(bot(" Papa "))
    'papa'
    >>> bot("exec:python my_bot.py --bold").command
    ('python', 'my_bot.py', '--bold')
    """
    name, _, rest = text.strip().partition(":")
    name = name.strip().lower()
    if name == OUTSIDE:
        return Bot(OUTSIDE, command=_command(text, rest))
    entry = BOTS.get(name)
    if name in REMOVED:
        raise UnknownBot(f"the bot {name!r} was removed: {REMOVED[name]}")
    if entry is None:
        raise UnknownBot(f"{name!r} is no bot; there are {', '.join(BOTS)} and {OUTSIDE}:COMMAND")
    said: dict[str, str] = {}
    for part in rest.split(":") if rest else ():
        option, equals, value = (word.strip().lower() for word in part.partition("="))
        known = entry.options.get(option)
        if known is None or not equals:
            there = ", ".join(entry.options) or "none"
            raise UnknownBot(f"{name}: {part!r} is no option of this bot; there are {there}")
        if not known.allows(value):
            raise UnknownBot(f"{name}: {option}={value}; expected {known.expected}")
        said[option] = value
    return Bot(name, tuple((key, said.get(key, o.default)) for key, o in entry.options.items()))


def bots(text: str, one: Callable[[str], Bot] = bot) -> tuple[Bot, ...]:
    r"""Return the bots of a list with commas; a comma within a command is written ``\,``.

    Args:
        text: the list.
        one: what returns the bot of a name.

    Raises:
        UnknownBot: one of them is none.

    >>> [str(bot) for bot in bots("papa,hog")]
    ['papa', 'hog']
    """
    parts = text.replace(r"\,", "\0").split(",")
    return tuple(one(part.replace("\0", ",")) for part in parts)


def _command(text: str, words: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(words))
    except ValueError as error:
        raise UnknownBot(f"{text!r}: {str(error).lower()}; expected {OUTSIDE}:COMMAND") from None
    if not command:
        raise UnknownBot(f"{text!r} names no program; expected {OUTSIDE}:COMMAND")
    return command


def described() -> list[dict[str, object]]:
    """Return all bots of this program with what they are and what can be said of them."""
    return [
        {
            "name": name,
            "about": entry.about,
            "options": {
                key: {"about": o.about, "expected": o.expected, "default": o.default}
                for key, o in entry.options.items()
            },
        }
        for name, entry in BOTS.items()
    ]
