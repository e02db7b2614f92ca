"""The bots by name, and the one kernel that asks any of them for its action."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rookery.bots.club import club
from rookery.bots.club_card import club_card
from rookery.bots.menagerie import HOG, KARAPET, PAPA, RABBIT, character, character_card
from rookery.bots.mine import Mine
from rookery.bots.random_bot import random_action, random_card
from rookery.engine.kernel import Given, kernel
from rookery.engine.state import State
from rookery.rules.table import RuleTable

RANDOM: Final = 4
CLUB: Final = 5
KINDS: Final = {
    "karapet": KARAPET,
    "papa": PAPA,
    "hog": HOG,
    "rabbit": RABBIT,
    "random": RANDOM,
    "club": CLUB,
}


SEATED: Final = -1  # bit k: bot k may sit down; compiled code may leave the others out


def seated(kinds: Iterable[int]) -> Given:
    """Return the constants for code that these bots alone will run.

    >>> seated([0, 1, 1])
    (('SEATED', 3),)
    """
    return (("SEATED", sum(1 << kind for kind in set(kinds))),)


class UnknownBot(ValueError):
    """A name that no bot has. Code: ``unknown-bot``."""

    code = "unknown-bot"


def kind_of(name: str) -> int:
    """Return the number of the bot called `name`, in either letter case.

    Raises:
        UnknownBot: there is none.

    >>> kind_of("Papa")
    1
    """
    try:
        return KINDS[name.strip().lower()]
    except KeyError:
        raise UnknownBot(f"{name!r} is no bot; there are {', '.join(KINDS)}") from None


@kernel
def decide(table: RuleTable, s: State, m: Mine, kind: int) -> int:
    """Return what bot `kind` does before the play, seeing the table and its own cards."""
    if SEATED >> RANDOM & 1 and kind == RANDOM:
        return random_action(table, s, m)
    if SEATED >> CLUB & 1 and kind == CLUB:
        return club(table, s, m)
    return character(table, s, m, kind)


@kernel
def decide_card(table: RuleTable, s: State, m: Mine, kind: int) -> int:
    """Return the card that bot `kind` plays."""
    if SEATED >> RANDOM & 1 and kind == RANDOM:
        return random_card(m, m.cards)
    if SEATED >> CLUB & 1 and kind == CLUB:
        return club_card(table, s, m)
    return character_card(table, s, m, kind)
