"""The bots by name, ``NAME`` or ``NAME:option=value:option=value``, and ``exec:COMMAND``."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from rookery.bots.dispatch import NUMBERS
from rookery.bots.player import KernelPlayer, Player
from rookery.bots.register import BOTS, REMOVED, RENAMED, UnknownBot
from rookery.rules import Rules

EXTERNAL: Final = "exec"
DEADLINE: Final = 1000  # ms


@dataclass(frozen=True)
class Bot:
    """A bot as it was named.

    Attributes:
        name: its name; ``exec`` for an external program.
        options: every option that it has, by name, with its value.
        command: the words that start an external program.
    """

    name: str
    options: tuple[tuple[str, str], ...] = ()
    command: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the name as it is written, without the options that have their default."""
        if self.command:
            return f"{EXTERNAL}:{shlex.join(self.command)}"
        known = BOTS[self.name].options
        given = (f"{name}={value}" for name, value in self.options if value != known[name].default)
        return ":".join((self.name, *given))

    @property
    def kernel(self) -> int | None:
        """The number by which compiled code knows this bot; None for a bot that is no kernel."""
        return None if self.command else NUMBERS.get(str(self))

    def seated(self, rules: Rules, seat: int, deadline_ms: int = DEADLINE) -> Player:
        """Return this bot in a seat, for play one action at a time.

        An external program has `deadline_ms` for each action.
        """
        if self.command:
            from rookery.bots.external import ExternalPlayer

            return ExternalPlayer(self.command, rules, seat, deadline_ms)
        if self.kernel is not None:
            return KernelPlayer(str(self), seed=0, seat=seat)
        module, _, name = BOTS[self.name].maker.partition(":")
        made: Any = getattr(import_module(module), name)(rules, seat, dict(self.options))
        player: Player = made
        return player


def bot(text: str) -> Bot:
    """Return the bot that `text` names, in either letter case.

    Raises:
        UnknownBot: there is none, or it has no such option; code ``unknown-bot``.

    >>> str(bot(" Papa ")), str(bot("expert:tries=200"))
    ('papa', 'expert:rollouts=200')
    >>> bot("exec:python my_bot.py --bold").command
    ('python', 'my_bot.py', '--bold')
    """
    name, _, rest = text.strip().partition(":")
    name = name.strip().lower()
    if name == EXTERNAL:
        return Bot(EXTERNAL, command=_command(text, rest))
    entry = BOTS.get(name)
    if name in REMOVED:
        raise UnknownBot(f"the bot {name!r} was removed: {REMOVED[name]}")
    if entry is None:
        raise UnknownBot(f"{name!r} is no bot; there are {', '.join(BOTS)} and {EXTERNAL}:COMMAND")
    given: dict[str, str] = {}
    for part in rest.split(":") if rest else ():
        option, equals, value = (word.strip().lower() for word in part.partition("="))
        option = RENAMED.get(option, option)
        known = entry.options.get(option)
        if known is None or not equals:
            there = ", ".join(entry.options) or "none"
            raise UnknownBot(f"{name}: {part!r} is no option of this bot; there are {there}")
        if not known.allows(value):
            raise UnknownBot(f"{name}: {option}={value}; expected {known.expected}")
        given[option] = value
    return Bot(name, tuple((key, given.get(key, o.default)) for key, o in entry.options.items()))


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
        raise UnknownBot(f"{text!r}: {str(error).lower()}; expected {EXTERNAL}:COMMAND") from None
    if not command:
        raise UnknownBot(f"{text!r} names no program; expected {EXTERNAL}:COMMAND")
    return command
