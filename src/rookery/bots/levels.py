"""The levels: named rungs from a beginner to the best there is, the same at every table.

A level is a bot with its budget. The number of rollouts fixes how well it plays. The milliseconds
only bound how long it may take, so it plays no worse on a slow machine than on a fast one.
A table seats levels, and the other bots by name: ``expert``, ``strong:style=bold``, ``papa``. What
is the laboratory's, outside programs, and budgets of one's own stay out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from rookery.bots.names import EXTERNAL, Bot, bot
from rookery.bots.register import BOTS, RENAMED, Option, UnknownBot
from rookery.show.words import words

# What a level decides, and nobody else at a table: how long is thought, in one way or another.
BUDGET: Final = ("rollouts", "ms", "plays")


class Level(NamedTuple):
    """A rung of the ladder.

    Attributes:
        id: its name in a table, an event and a record.
        bot: which bot plays at this level, with its budget.
    """

    id: str
    bot: str

    @property
    def title(self) -> str:
        """Its name for people."""
        return words()[f"bot.name.{self.id}"]

    @property
    def about(self) -> str:
        """How it plays, one sentence for people."""
        return words()[f"bot.about.{self.id}"]


LEVELS: Final[dict[str, Level]] = {
    level.id: level
    for level in (
        Level("beginner", "rabbit"),
        Level("casual", "papa:partner=noticed"),
        Level("club", "club"),
        Level("strong", "expert:rollouts=200:ms=500"),
        Level("expert", "expert:rollouts=1600:ms=1000"),
    )
}


@dataclass(frozen=True)
class TableBot:
    """A bot as a table seats it.

    Attributes:
        name: as events and records have it; what is usual at its level is left out.
        bot: who plays, budget and all.
        level: the level that was named, None for a bot that is none.
    """

    name: str
    bot: Bot
    level: Level | None

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
    words = text.strip().lower()
    first, *said = words.split(":")
    level = LEVELS.get(first.strip())
    if level is None and first.strip() not in (*BOTS, EXTERNAL):
        others = (name for name, entry in BOTS.items() if entry.kernel is not None)
        seatable = ", ".join(dict.fromkeys((*LEVELS, *others)))
        raise UnknownBot(f"no bot is called {first[:32]}; there are {seatable}")
    if level is None:
        found = _seatable(bot(text))
        if found.kernel is None:
            _refuse_budget(first, said)
        return TableBot(str(found), found, None)
    _refuse_budget(first, said)
    usual = bot(level.bot)
    asked = bot(":".join((usual.name, *said)))
    named = {part.partition("=")[0].strip() for part in said}
    here, there = dict(usual.options), dict(asked.options)
    chosen = {key: there[key] if key in named else here[key] for key in here}
    found = _seatable(replace(usual, options=tuple(chosen.items())))
    apart = (f"{key}={value}" for key, value in chosen.items() if value != here[key])
    return TableBot(":".join((level.id, *apart)), found, level)


def bot_or_level(text: str) -> Bot:
    """Return the bot that `text` names for the laboratory; a level that is no bot is its bot.

    Raises:
        UnknownBot: there is none, or it has no such option; code ``unknown-bot``.

    >>> str(bot_or_level("strong:style=bold")), str(bot_or_level("expert"))
    ('expert:rollouts=200:ms=500:style=bold', 'expert')
    """
    name = text.strip().partition(":")[0].strip().lower()
    return table_bot(text).bot if name in LEVELS and name not in BOTS else bot(text)


def choices(name: str) -> dict[str, Option]:
    """Return what may be said at a table of the bot called `name`, a level or not, by option.

    >>> "style" in choices("expert"), "rollouts" in choices("expert"), choices("random")
    (True, False, {})
    """
    level = LEVELS.get(name)
    entry = BOTS[bot(level.bot).name if level else name]
    return {key: option for key, option in entry.options.items() if key not in BUDGET}


def _seatable(found: Bot) -> Bot:
    if found.name == EXTERNAL:
        raise UnknownBot(f"{EXTERNAL}: no table starts a program; it comes by its own socket")
    if BOTS[found.name].laboratory:
        raise UnknownBot(f"{found.name} is for the laboratory alone; no table seats it")
    if found.kernel is None and found.name not in {bot(one.bot).name for one in LEVELS.values()}:
        raise UnknownBot(f"{found.name} has no level; no table seats it")
    return found


def _refuse_budget(name: str, said: list[str]) -> None:
    for part in said:
        option = part.partition("=")[0].strip()
        if RENAMED.get(option, option) in BUDGET:
            raise UnknownBot(f"{name}: {option} is for the level to say, not for a table")
