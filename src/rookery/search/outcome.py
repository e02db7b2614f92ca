"""The value of the end of a hand for a seat: its margin in points, or its chance of the match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.club.calls import all_points
from rookery.engine.card_sets import count
from rookery.engine.kernel import kernel
from rookery.engine.match import add_scores, winners
from rookery.engine.state import DONE, State
from rookery.rules.table import RuleTable
from rookery.search.state import SearchState

WHOLE: Final = 1_000_000  # the value of a match that is won


@kernel
def margin(table: RuleTable, s: State, seat: int) -> int:
    """Return the hand's score of a seat's side above the others', times the sizes of both.

    The side is that of fixed partners. A seat that calls a partner, or has none, is alone.
    """
    side = table.partners[seat]
    inside = 0
    outside = 0
    seats = 0
    for other in range(table.seats):
        if side >> other & 1:
            inside += s.score[other]
            seats += 1
        else:
            outside += s.score[other]
    return inside * (table.seats - seats) - outside * seats


@kernel
def outcome(table: RuleTable, s: State, seat: int, search: SearchState) -> int:
    """Return the value of a hand that is over: its `margin`, or the seat's chance of the match.

    The chance is in millionths.
    """
    if not search.match:
        return margin(table, s, seat)
    for other in range(table.seats):
        search.after[other] = search.before[other]
    if s.phase == DONE:
        add_scores(table, s, search.after)
        won = winners(table, s, search.after)
        if won:
            return WHOLE // count(won & ~table.partners[seat] | 1 << seat) if won >> seat & 1 else 0
    return match_chance(table, seat, search)


@kernel
def match_chance(table: RuleTable, seat: int, search: SearchState) -> int:
    """Return the chance that a seat wins from the totals in ``search.after``, in millionths.

    The hands to come scatter like a random walk, with as many steps as there are hands left. Two
    usual hands of the leading side bring it so far nearer to the target. One hand moves two sides
    apart by about three quarters of its points. Each of several opponents is taken by itself.
    """
    whole = all_points(table)
    side = table.partners[seat]
    top = search.after[seat]
    for other in range(table.seats):
        top = max(top, search.after[other])
    hands = 1.0 + max(0, table.target - top) / (0.55 * whole)
    spread = 0.75 * whole * hands**0.5
    chance = 1.0
    done = side
    for other in range(table.seats):
        if not done >> other & 1:
            done |= table.partners[other]
            x = max(-3.0, min(3.0, (search.after[seat] - search.after[other]) / spread * 0.8))
            chance *= 0.5 + 0.5 * x * (27.0 + x * x) / (27.0 + 9.0 * x * x)
    return int(chance * WHOLE)


def match_chances(table: RuleTable, s: State, totals: Sequence[int]) -> list[float]:
    """Return each seat's chance of winning the match, 0 to 1, from the totals after a hand.

    Nothing else is known of the hands to come. The chances of the sides add up to 1.

    >>> from rookery.rules import load
    >>> from rookery.rules.table import compile_rules
    >>> match_chances(compile_rules(load("kd_tournament")), State(), [0, 0, 0, 0])
    [0.5, 0.5, 0.5, 0.5]
    """
    seats = range(table.seats)
    search = SearchState()
    search.after[: len(totals)] = totals
    won = winners(table, s, search.after) if s.phase == DONE else 0
    if won:
        return [1.0 if won >> seat & 1 else 0.0 for seat in seats]
    chances = [match_chance(table, seat, search) / WHOLE for seat in seats]
    whole = sum(chances[seat] / count(table.partners[seat]) for seat in seats)
    return [round(chance / whole, 4) for chance in chances]
