"""The bots by name, ``NAME`` or ``NAME:option=value:option=value``, levels and ``exec:COMMAND``.

A level is a named rung from a beginner to the best there is, the same at every table: a bot with
its budget. The number of rollouts fixes how well it plays. The milliseconds only bound how long it
may take, so it plays no worse on a slow machine than on a fast one. A table seats levels, and the
other bots by name: ``expert``, ``strong:style=bold``, ``papa``. What is the laboratory's, outside
programs, and budgets of one's own stay out.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace
from numbers import Integral
from pkgutil import resolve_name
from typing import Final

from rookery.bots.dispatch import NUMBERS
from rookery.bots.player import KernelPlayer, Player
from rookery.bots.register import BOTS, REMOVED, RENAMED, Option, UnknownBot
from rookery.game.errors import check_kind
from rookery.rules import Rules

EXTERNAL: Final = "exec"
DEADLINE: Final = 1000  # ms
LEVELS: Final = {  # the bot that plays at each level, with its budget, the weakest first
    "beginner": "rabbit",
    "casual": "papa:partner=noticed",
    "club": "club",
    "strong": "expert:rollouts=200:ms=500",
    "expert": "expert:version=4:rollouts=1600:ms=1000",
    "master": "expert:version=4:rollouts=12800:ms=1000",
}
# What a level decides, and nobody else at a table: how long is thought, in one way or another.
BUDGET: Final = ("rollouts", "ms", "plays")


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

        Raises:
            ValueError: the rules have no such seat.
            TypeError: the rules are none.
        """
        check_kind("rules", rules, Rules, "Rules, as load_rules returns them")
        if not isinstance(seat, Integral) or seat not in range(rules.seats):
            raise ValueError(f"there is no seat {seat!r}; expected 0 to {rules.seats - 1}")
        if self.command:
            from rookery.bots.external import ExternalPlayer

            return ExternalPlayer(self.command, rules, seat, deadline_ms)
        if self.kernel is not None:
            return KernelPlayer(str(self), seed=0, seat=seat)
        make: Callable[..., Player] = resolve_name(BOTS[self.name].maker)
        return make(rules, seat, dict(self.options))


def bot(text: str) -> Bot:
    """Return the bot that `text` names, in either letter case.

    Raises:
        UnknownBot: there is none, or it has no such option; code ``unknown-bot``. A level is none.
        TypeError: it is no text.

    >>> str(bot(" Papa ")), str(bot("expert:tries=200"))
    ('papa', 'expert:rollouts=200')
    >>> bot("exec:python my_bot.py --bold").command
    ('python', 'my_bot.py', '--bold')
    """
    check_kind("bot", text, str, "a name, such as papa")
    name, _, rest = text.strip().partition(":")
    name = name.strip().lower()
    if name == EXTERNAL:
        return Bot(EXTERNAL, command=_command(text, rest))
    entry = BOTS.get(name)
    if name in REMOVED:
        raise UnknownBot(f"the bot {name!r} was removed: {REMOVED[name]}")
    if entry is None and name in LEVELS:
        raise UnknownBot(f"{name!r} is a level; the bot that plays at it is {LEVELS[name]!r}")
    if entry is None:
        raise UnknownBot(f"{name!r} is no bot; there are {', '.join(BOTS)} and {EXTERNAL}:COMMAND")
    given: dict[str, str] = {}
    for part in rest.split(":") if rest else ():
        option, equals, value = (word.strip().lower() for word in part.partition("="))
        option = RENAMED.get(option, option)
        known = entry.options.get(option)
        if known is not None and not equals:
            raise UnknownBot(
                f"{name}: {part!r} has no value; expected {option}=VALUE, {known.expected}"
            )
        if known is None:
            there = ", ".join(entry.options) or "none"
            raise UnknownBot(f"{name}: {part!r} is no option of this bot; there are {there}")
        if not known.allows(value):
            raise UnknownBot(f"{name}: {option}={value[:60]}; expected {known.expected}")
        given[option] = value
    return Bot(name, tuple((key, given.get(key, o.default)) for key, o in entry.options.items()))


def bots(text: str, one: Callable[[str], Bot] = bot) -> tuple[Bot, ...]:
    r"""Return the bots of a list with commas; a comma within a command is written ``\,``.

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


@dataclass(frozen=True)
class TableBot:
    """A bot as a table seats it.

    Attributes:
        name: as events and records have it; what is usual at its level is left out.
        bot: who plays, budget and all.
    """

    name: str
    bot: Bot

    @property
    def searches(self) -> bool:
        """Whether it thinks for so long that it needs a process of its own."""
        return self.bot.kernel is None

    @property
    def milliseconds(self) -> int:
        """How long it may take for one action at most, ms; 0 for a bot that does not search."""
        return int(dict(self.bot.options).get("ms", 0)) if self.searches else 0


def table_bot(text: str) -> TableBot:
    """Return the bot that `text` names, in either letter case, for a seat at a table.

    Raises:
        UnknownBot: there is none, no table seats it, or it has no such option; ``unknown-bot``.

    >>> table_bot(" Expert:style=BOLD ").name, str(table_bot("strong").bot)
    ('expert:style=bold', 'expert:rollouts=200:ms=500')
    >>> table_bot("papa").searches
    False
    """
    first, _, rest = text.strip().lower().partition(":")
    level = LEVELS.get(first.strip())
    if level is None and first.strip() not in (*BOTS, EXTERNAL):
        others = (name for name, entry in BOTS.items() if entry.kernel is not None)
        seatable = ", ".join(dict.fromkeys((*LEVELS, *others)))
        raise UnknownBot(f"no bot is called {first[:32]}; there are {seatable}")
    if level is None:
        found = _seatable(bot(text))
        if found.kernel is None:
            _refuse_budget(first, rest)
        return TableBot(str(found), found)
    _refuse_budget(first, rest)
    usual = dict(bot(level).options)
    found = _seatable(bot(f"{level}:{rest}" if rest else level))
    apart = (f"{key}={value}" for key, value in found.options if value != usual[key])
    return TableBot(":".join((first.strip(), *apart)), found)


def bot_or_level(text: str) -> Bot:
    """Return the bot that `text` names for the laboratory; a level that is no bot is its bot.

    Raises:
        UnknownBot: there is none, or it has no such option; code ``unknown-bot``.
        TypeError: it is no text.

    >>> str(bot_or_level("strong:style=bold")), str(bot_or_level("expert"))
    ('expert:rollouts=200:ms=500:style=bold', 'expert')
    """
    check_kind("bot", text, str, "a name, such as papa")
    name = text.strip().partition(":")[0].strip().lower()
    return table_bot(text).bot if name in LEVELS and name not in BOTS else bot(text)


def unhurried(name: str) -> str:
    """Return a bot's name with the clock taken out, if it has one.

    >>> unhurried("expert:rollouts=200:ms=500"), unhurried("papa")
    ('expert:rollouts=200:ms=600000', 'papa')
    """
    found = bot(name)
    ms = BOTS[found.name].options.get("ms")
    if ms is None or not isinstance(ms.values, range):
        return str(found)
    longest = str(ms.values[-1])
    options = tuple((k, longest if k == "ms" else v) for k, v in found.options)
    return str(replace(found, options=options))


def choices(name: str) -> dict[str, Option]:
    """Return what may be said at a table of the bot called `name`, a level or not, by option.

    >>> "style" in choices("expert"), "rollouts" in choices("expert"), choices("random")
    (True, False, {})
    """
    options = BOTS[bot(LEVELS.get(name, name)).name].options
    return {key: option for key, option in options.items() if key not in BUDGET}


def _seatable(found: Bot) -> Bot:
    if found.name == EXTERNAL:
        why = "only matches and leagues start a program; at a table it connects by itself"
        raise UnknownBot(f"{EXTERNAL}: {why}")
    if BOTS[found.name].laboratory:
        raise UnknownBot(f"{found.name} is for the laboratory alone; no table seats it")
    if found.kernel is None and found.name not in {bot(one).name for one in LEVELS.values()}:
        raise UnknownBot(f"{found.name} has no level; no table seats it")
    return found


def _refuse_budget(name: str, options: str) -> None:
    for part in options.split(":"):
        option = part.partition("=")[0].strip()
        if RENAMED.get(option, option) in BUDGET:
            raise UnknownBot(f"{name}: {option} is for the level to say, not for a table")
