"""Exact endgames: if a seat knows where every card lies, the solver gives the value of each card.

That is so if only one world agrees with all that the seat has seen. Then the solver's value is what
the seat's side is sure to get, whatever the others do. The solver counts the points of the
declarer's side. So it is used only if two sides play for a fixed sum of points, and more points
never score less. Rollouts decide in all other cases: the Sun, a sweep that needs all tricks or
replaces the points by less, a partner who does not share what a set costs twice, a bonus that
nobody may get, and tables where players may revoke and pay for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import factorial, prod
from typing import Any, Final, NamedTuple

from rookery.bots.club.calls import all_points
from rookery.engine.card_sets import count, lowest
from rookery.engine.records import copy_of
from rookery.engine.score import side_of, tricks_of
from rookery.engine.state import DONE, PLAY, Hidden, State
from rookery.engine.trick import following, play
from rookery.rules.table import (
    BONUS_FIRST_TO_SIX,
    BONUS_MAJORITY,
    SWEEP_ALL_TRICKS,
    SWEEP_REPLACE,
    RuleTable,
)
from rookery.search.outcome import outcome
from rookery.search.state import SearchState
from rookery.solver.answer import FIRST, best_cards, solve_ending
from rookery.solver.constraints import LOCATIONS
from rookery.solver.ending import Ending
from rookery.solver.transpositions import BUCKET, ENTRY

MOST: Final = 16  # cards in all hands; plain Python solves that many in some milliseconds
SIX: Final = 6  # tricks
SLOTS: Final = 1 << 9  # entries of the solver's memory


class ExactValue(NamedTuple):
    """The result of an action if everybody plays their best.

    Attributes:
        value: as `rookery.search.outcome.outcome` returns it.
        made: whether the contract is made then; None if there is no contract.
    """

    value: int
    made: bool | None


def few_left(table: RuleTable, s: State) -> bool:
    """Return whether few enough cards are left in all hands to solve the rest."""
    left = table.hand_size - s.tricks
    return s.phase == PLAY and left * (table.seats + table.blind) - s.trick_size <= MOST


def one_world_left(table: RuleTable, s: State, known: Any, ways: Any) -> bool:  # noqa: ANN401  (records of either kind)
    """Return whether exactly one world agrees with what is known.

    `known` and `ways` are as `rookery.solver.sample.count_worlds` left them.
    """
    if not known.exact or (table.blind and table.hand_size - s.tricks > 1):
        return False  # the order of a blind hand is hidden too
    places = [place for place in range(LOCATIONS) if int(known.unrestricted) >> place & 1]
    sizes = [int(known.unseen_in[place]) for place in places]
    worlds = factorial(sum(sizes)) // prod(map(factorial, sizes))
    return worlds * float(ways[int(known.states) - 1]) == 1.0


def points_decide(table: RuleTable, s: State, h: Hidden) -> bool:
    """Return whether two sides play for points alone, with each point for one of them."""
    if s.declarer < 0 or s.sun or table.penalised or table.blind:
        return False
    ours = side_of(table, h, s.declarer)
    theirs = ((1 << table.seats) - 1) & ~ours
    if not theirs or side_of(table, h, lowest(theirs)) != theirs:
        return False
    won = tricks_of(table, s, ours)
    if table.sweep and table.sweep_test == SWEEP_ALL_TRICKS:
        if won == s.tricks:
            return False
    elif table.sweep == SWEEP_REPLACE and table.sweep_value < all_points(table):
        return False  # then nobody wants the last point
    if table.called and not table.partner_shares_set and table.set_factor > 1:
        return False  # a partner may gain more where the declarer loses twice the contract
    if table.bonus == BONUS_MAJORITY:
        ahead, left = abs(2 * won - s.tricks), table.hand_size - s.tricks
        return ahead > left or bool(table.hand_size & 1)  # with equal tricks nobody gets it
    return (
        table.bonus != BONUS_FIRST_TO_SIX or s.first_to_six >= 0 or table.hand_size > 2 * (SIX - 1)
    )


def exact_values(
    table: RuleTable, s: State, h: Hidden, seat: int, actions: Iterable[int], search: SearchState
) -> dict[int, ExactValue]:
    """Return the exact value of some cards for a seat, by card; empty unless points decide.

    The seat's decision is next, and it knows all cards to lie as in `h`. Of `search` nothing is
    read but whether points or the match count.
    """
    if not points_decide(table, s, h):
        return {}
    memory = [0] * (ENTRY * (SLOTS + BUCKET + 1))
    values = {}
    for action in actions:
        end, closed = copy_of(s), copy_of(h)
        play(table, end, closed, action)
        _play_best(table, end, closed, memory)
        made = bool(end.made) if end.declarer >= 0 else None
        values[action] = ExactValue(outcome(table, end, seat, search), made)
    return values


def _play_best(table: RuleTable, s: State, h: Hidden, memory: list[int]) -> None:
    w = Ending()
    while s.phase != DONE:
        cards = following(table, s, h.hand[s.turn])
        if count(cards) > 1:
            solve_ending(table, s, h, w, memory, FIRST)
            cards = best_cards(w)
        play(table, s, h, lowest(cards))
