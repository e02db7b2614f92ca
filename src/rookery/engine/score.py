"""Scoring a hand (`rules.md` B.7, B.9)."""

from __future__ import annotations

from rookery.engine.card_sets import points_of
from rookery.engine.kernel import kernel
from rookery.engine.state import DONE, Hidden, State
from rookery.rules.table import (
    BONUS_FIRST_TO_SIX,
    BONUS_LAST_TRICK,
    BONUS_MAJORITY,
    BONUS_PER_TRICK,
    NEST_TO_DECLARER,
    NEST_TO_LAST_TRICK,
    SWEEP_ALL_TRICKS,
    SWEEP_EITHER_SIDE,
    SWEEP_REPLACE,
    RuleTable,
)


@kernel
def side_of(table: RuleTable, h: Hidden, seat: int) -> int:
    """Return the seats on the side of `seat` in this hand, itself among them."""
    if table.called and h.allies:
        everybody = (1 << table.seats) - 1
        return h.allies if h.allies >> seat & 1 else everybody & ~h.allies
    return table.partners[seat]


@kernel
def tricks_of(table: RuleTable, s: State, side: int) -> int:
    """Return how many tricks a side has won."""
    won = 0
    for seat in range(table.seats):
        if side >> seat & 1:
            won += s.won[seat]
    return won


@kernel
def captured_by(table: RuleTable, s: State, side: int) -> int:
    """Return the cards that a side has captured."""
    cards = 0
    for seat in range(table.seats):
        if side >> seat & 1:
            cards |= s.captured[seat]
    return cards


@kernel
def trick_bonus(table: RuleTable, s: State, h: Hidden, side: int, last: int) -> int:
    """Return the bonus that a side gets for its tricks, points.

    `side` is a set of seats, and `last` the place that won the last trick.
    """
    if table.bonus == BONUS_PER_TRICK:
        return table.bonus_value * tricks_of(table, s, side)
    if table.bonus == BONUS_LAST_TRICK:
        return table.bonus_value if side >> last & 1 else 0
    if table.bonus == BONUS_FIRST_TO_SIX:
        return table.bonus_value if s.first_to_six >= 0 and side >> s.first_to_six & 1 else 0
    if table.bonus == BONUS_MAJORITY:
        own = tricks_of(table, s, side)
        level = 1
        seen = side
        for seat in range(table.seats):
            if not seen >> seat & 1:
                other = side_of(table, h, seat)
                seen |= other
                theirs = tricks_of(table, s, other)
                if theirs > own:
                    return 0
                if theirs == own:
                    level += 1
        if level == 1:
            return table.bonus_value
        return table.bonus_value // level if table.split_tie else 0
    return 0


@kernel
def end_hand(table: RuleTable, s: State, h: Hidden, last: int) -> None:
    """Count points and score the hand after the last trick, which place `last` has won."""
    s.phase = DONE
    awarded = 0
    if table.blind:
        awarded = points_of(table, s.captured[table.seats])
    seen = 0
    for seat in range(table.seats):
        if not seen >> seat & 1:
            side = side_of(table, h, seat)
            seen |= side
            cards = captured_by(table, s, side)
            if table.nest_to == NEST_TO_LAST_TRICK:
                if side >> last & 1:
                    cards |= h.nest
            elif table.nest_to == NEST_TO_DECLARER and s.declarer >= 0 and side >> s.declarer & 1:
                cards |= h.nest
            points = points_of(table, cards) + trick_bonus(table, s, h, side, last)
            awarded += points
            for member in range(seat, table.seats):
                if side >> member & 1:
                    s.points[member] = points
            if s.declarer >= 0 and side >> s.declarer & 1:
                made = points >= s.contract
                if table.sun and s.sun:  # it needs all tricks and counters [S2]
                    made = tricks_of(table, s, side) == table.hand_size
                    made = made and cards & table.counters == table.counters
                s.made = 1 if made else 0
    for seat in range(table.seats):
        s.score[seat] = score_of(table, s, h, seat, awarded)
    show_sides(s, h)


@kernel
def show_sides(s: State, h: Hidden) -> None:
    """Let everybody see who played with whom."""
    s.allies = h.allies
    s.sides_known = 1


@kernel
def score_of(table: RuleTable, s: State, h: Hidden, seat: int, awarded: int) -> int:
    """Return what a seat scores, points.

    `awarded` is what all sides took together, a blind hand too.
    """
    points = s.points[seat]
    if s.declarer >= 0:
        if h.allies >> seat & 1:
            return contract_score(table, s, h, seat, awarded)
        if s.made and not table.defenders_score:
            return 0
    if table.sweep and table.sweep_test == SWEEP_EITHER_SIDE and points > 0 and points == awarded:
        return sweep_score(table, points)
    return points


@kernel
def contract_score(table: RuleTable, s: State, h: Hidden, seat: int, awarded: int) -> int:
    """Return what a seat of the declarer's side scores, points; `awarded` as in `score_of`."""
    points = s.points[seat]
    if not s.made:
        if seat != s.declarer and not table.partner_shares_set:
            return 0
        return -table.set_factor * s.contract
    if table.sun and s.sun:
        return table.sun_value
    if table.moon and s.contract == table.bid_maximum:
        return table.moon_value
    if table.sweep:
        if table.sweep_test == SWEEP_ALL_TRICKS:
            if tricks_of(table, s, h.allies) == table.hand_size:
                return sweep_score(table, points)
        elif points > 0 and points == awarded:
            return sweep_score(table, points)
    return points


@kernel
def sweep_score(table: RuleTable, points: int) -> int:
    """Return the score for winning everything, where that took `points`."""
    return table.sweep_value if table.sweep == SWEEP_REPLACE else points + table.sweep_value


@kernel
def punish_revoke(table: RuleTable, s: State, h: Hidden, offender: int) -> None:
    """End the hand on a revoke by `offender` [S3].

    The offender's side loses as much as the contract, and the others score what they have captured.
    """
    s.phase = DONE
    guilty = side_of(table, h, offender)
    for seat in range(table.seats):
        s.points[seat] = points_of(table, captured_by(table, s, side_of(table, h, seat)))
        s.score[seat] = -s.contract if guilty >> seat & 1 else s.points[seat]
    if s.declarer >= 0 and not s.sun and not guilty >> s.declarer & 1:
        s.made = 1 if s.points[s.declarer] >= s.contract else 0
    show_sides(s, h)
