"""Exact endings: where a seat knows where every card lies, the solver says what a card is worth.

That is so if one world alone agrees with all that the seat has seen. For this seat all hands are
open then, and the solver's value is what its side can be sure of, whatever the others do. The
solver counts points of the declarer's side; it is asked only where two parties play for a fixed sum
of them, and more never score less. The Sun, a sweep that asks for all tricks, a bonus that nobody
may get, and tables where one may revoke and pay for it are left to the tries.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial
from typing import Any, Final, NamedTuple

from rookery.engine.card_sets import count, lowest
from rookery.engine.records import copy_of
from rookery.engine.score import side_of, tricks_of
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.trick import following, play
from rookery.rules.table import BONUS_FIRST_TO_SIX, BONUS_MAJORITY, SWEEP_ALL_TRICKS, RuleTable
from rookery.search.stakes import worth
from rookery.search.thought import Thought
from rookery.solver.answer import FIRST, best_cards, solve_ending
from rookery.solver.constraints import LOCATIONS
from rookery.solver.ending import Ending
from rookery.solver.transpositions import BUCKET, ENTRY

MOST: Final = 16  # cards in all hands; plain Python solves so few in some milliseconds
SIX: Final = 6  # tricks
SLOTS: Final = 1 << 9  # entries of the solver's memory


class Sure(NamedTuple):
    """What an action is sure to bring.

    Attributes:
        worth: as `rookery.search.stakes.worth` has it.
        made: whether the contract is made then; None where there is none.
    """

    worth: int
    made: bool | None


def few_left(table: RuleTable, s: State) -> bool:
    """Return whether so few cards are left in all hands that they may be solved."""
    left = table.hand_size - s.tricks
    return s.phase == PLAY and left * (table.seats + table.blind) - s.trick_size <= MOST


def only_one(table: RuleTable, s: State, known: Any, ways: Any) -> bool:  # noqa: ANN401  (records of either kind)
    """Return whether one world alone agrees with what is known.

    Args:
        table: the rules.
        s: what lies open.
        known: what the seat knows, after `rookery.solver.sample.prepare`.
        ways: as `prepare` left it.
    """
    if not known.exact or (table.blind and table.hand_size - s.tricks > 1):
        return False  # a blind hand's order is closed too
    free = [int(known.need[place]) for place in range(LOCATIONS) if int(known.free) >> place & 1]
    worlds = factorial(sum(free))
    for cards in free:
        worlds //= factorial(cards)
    return worlds * float(ways[int(known.states) - 1]) == 1.0


def points_decide(table: RuleTable, s: State, h: Hidden) -> bool:
    """Return whether two parties play for nothing but points, and what one gets the other lacks."""
    if s.declarer < 0 or s.sun or table.penalised or table.blind:
        return False
    ours = side_of(table, h, s.declarer)
    theirs = ((1 << table.seats) - 1) & ~ours
    if not theirs or side_of(table, h, lowest(theirs)) != theirs:
        return False
    won = tricks_of(table, s, ours)
    if table.sweep and table.sweep_test == SWEEP_ALL_TRICKS and won == s.tricks:
        return False
    if table.bonus == BONUS_MAJORITY:
        ahead, left = abs(2 * won - s.tricks), table.hand_size - s.tricks
        return ahead > left or bool(table.hand_size & 1)  # with as many tricks each nobody gets it
    return (
        table.bonus != BONUS_FIRST_TO_SIX or s.first_to_six >= 0 or table.hand_size > 2 * (SIX - 1)
    )


def sure_of(
    table: RuleTable, s: State, h: Hidden, seat: int, actions: Iterable[int], t: Thought
) -> dict[int, Sure]:
    """Return what each of some cards is sure to bring a seat, all hands open.

    That is nothing where points do not decide.

    Args:
        table: the rules.
        s: what lies open; the seat's decision is due, in the play.
        h: the cards as the seat knows them to lie.
        seat: for whom.
        actions: cards that may be played.
        t: what counts, points or the match; no more of it is read.
    """
    if not points_decide(table, s, h):
        return {}
    memory = [0] * (ENTRY * (SLOTS + BUCKET + 1))
    found = {}
    for action in actions:
        end, closed = copy_of(s), copy_of(h)
        play(table, end, closed, action)
        _play_best(table, end, closed, memory)
        made = bool(end.made) if end.declarer >= 0 else None
        found[action] = Sure(worth(table, end, seat, t), made)
    return found


def _play_best(table: RuleTable, s: State, h: Hidden, memory: list[int]) -> None:
    w = Ending()
    while s.phase != DONE:
        cards = following(table, s, h.hand[s.turn])
        if count(cards) > 1:
            solve_ending(table, s, h, w, memory, FIRST)
            cards = best_cards(w)
        play(table, s, h, lowest(cards))
