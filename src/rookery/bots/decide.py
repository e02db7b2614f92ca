"""The bots by name, and the one kernel that asks any of them for its action."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rookery.bots.club import club
from rookery.bots.club_card import club_card
from rookery.bots.club_table import ALONE, SILENT
from rookery.bots.menagerie import HOG, KARAPET, PAPA, RABBIT, character, character_card
from rookery.bots.partner import TWIN, card_for_partner, leaves_it_to_partner
from rookery.bots.random_bot import random_action, random_card
from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import PASS
from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.engine.targets.specialise import Constants
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
LONER: Final = TWIN + CLUB
SILENT_CLUB: Final = 2 * TWIN + CLUB
TWINS: Final = {
    "karapet:partner=noticed": TWIN + KARAPET,
    "papa:partner=noticed": TWIN + PAPA,
    "hog:partner=noticed": TWIN + HOG,
    "rabbit:partner=noticed": TWIN + RABBIT,
    "club:partner=ignored": LONER,
    "club:partner=ignored:signals=off": LONER,
    "club:signals=off": SILENT_CLUB,
}
CLUBS: Final = 1 << CLUB | 1 << LONER | 1 << SILENT_CLUB
NOTICING: Final = 0b1111 << TWIN  # the characters among the twins, as bits of SEATED


SEATED: Final = -1  # bit k: bot k may sit down; compiled code may leave the others out


def seated(kinds: Iterable[int]) -> Constants:
    """Return the constants for code that these bots alone will run.

    >>> seated([0, 1, 1])
    (('SEATED', 3),)
    """
    return (("SEATED", sum(1 << kind for kind in set(kinds))),)


class UnknownBot(ValueError):
    """A name that no bot has. Code: ``unknown-bot``."""

    code = "unknown-bot"


def kind_of(name: str) -> int:
    """Return the number of the bot called `name`, in either letter case, with options or without.

    Raises:
        UnknownBot: there is none.

    >>> kind_of("Papa"), kind_of("papa:partner=noticed")
    (1, 9)
    """
    try:
        return {**KINDS, **TWINS}[name.strip().lower()]
    except KeyError:
        raise UnknownBot(f"{name!r} is no bot; there are {', '.join(KINDS)}") from None


@kernel
def remember_habits(m: SeatInfo, kind: int) -> None:
    """Note which of the `club` twins this is: a loner, a silent one, or the bot itself."""
    m.memo[ALONE] = 1 if kind == LONER else 0
    m.memo[SILENT] = 1 if kind == SILENT_CLUB else 0


@kernel
def decide(table: RuleTable, s: State, m: SeatInfo, kind: int) -> int:
    """Return what bot `kind` does before the play, seeing the table and its own cards."""
    if SEATED >> RANDOM & 1 and kind == RANDOM:
        return random_action(table, s, m)
    if SEATED & CLUBS and kind & 7 == CLUB:
        if SEATED & CLUBS & ~(1 << CLUB):
            remember_habits(m, kind)
        return club(table, s, m)
    if SEATED & NOTICING and kind >= TWIN and leaves_it_to_partner(table, s, m):
        return PASS
    return character(table, s, m, kind & 3)


@kernel
def decide_card(table: RuleTable, s: State, m: SeatInfo, kind: int) -> int:
    """Return the card that bot `kind` plays."""
    if SEATED >> RANDOM & 1 and kind == RANDOM:
        return random_card(m, m.cards)
    if SEATED & CLUBS and kind & 7 == CLUB:
        if SEATED & CLUBS & ~(1 << CLUB):
            remember_habits(m, kind)
        return club_card(table, s, m)
    if SEATED & NOTICING and kind >= TWIN:
        card = card_for_partner(table, s, m)
        if card >= 0:
            return card
    return character_card(table, s, m, kind & 3)
