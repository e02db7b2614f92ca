"""Bounds at the start of a trick that count on the leader's partner across the table too.

They are for games of four in which a trick is worth something, and go on where `cash` stopped. They
take longer and decide less often than those of `bounds`, so the transposition table is asked first.
"""

from __future__ import annotations

from typing import Final

from rookery.engine.card_sets import count, highest
from rookery.engine.kernel import kernel
from rookery.engine.trick import may_follow, may_lead
from rookery.rules.table import BONUS_PER_TRICK, RuleTable
from rookery.solver.bounds import (
    OPEN,
    at_least,
    at_most,
    run_decides,
    run_suit,
    run_trumps,
)
from rookery.solver.ending import Ending

LIKELY: Final = 3  # tricks; more are hardly ever found, and looking for them takes long


@kernel
def across(table: RuleTable, w: Ending, ply: int) -> int:
    """Return 1 or 0 if the tricks of two partners, or one that they must lose, decide, else OPEN.

    It goes by what `certain_tricks` has found at this trick.
    """
    result = OPEN
    if table.bonus == BONUS_PER_TRICK and w.places == 4:
        if w.may_cross and w.team[w.after[w.after[w.turn[ply]]]] == w.team[w.turn[ply]]:
            result = cross(table, w, ply)
        if result == OPEN and not w.in_hands & w.trumps:
            result = lose_one(w, ply)
    return result


@kernel
def cross(table: RuleTable, w: Ending, ply: int) -> int:
    """Return 1 or 0 if the leader's tricks and then the partner's decide, else OPEN.

    The leader crosses by a ruff, or in a suit that the partner wins. Suits in which the leader has
    the highest card do not count, so that nobody has to play a winner before its turn.
    """
    depth = w.depth[ply]
    leader = w.turn[ply]
    team = w.team[leader]
    partner = w.after[w.after[leader]]
    wanted = w.need[depth] if team else w.left[depth] - w.need[depth] + 1
    if w.run_units + (w.run_tricks + LIKELY) * w.each < wanted:
        return OPEN
    own = 0  # the suits of which the leader has the highest card
    for suit in range(w.suits):
        cards = w.in_hands & w.mask[suit]
        if cards and w.hand[leader] >> highest(cards) & 1:
            own |= w.mask[suit]
    leads = may_lead(table, w.hand[leader], w.trumps, w.broken[depth])
    before = w.run_tricks
    drawn = w.drawn
    ruff = 0
    if count(w.hand[partner] & w.trumps) > w.run_trumps:
        for suit in range(w.suits):
            mask = w.mask[suit]
            if suit != w.trump and leads & mask and not (w.hand[partner] | own) & mask:
                ruff |= safe_to_lead(w, team, suit)
    crosses = ruff
    w.run_tricks += ruff
    if not own & w.trumps:
        trumps = may_lead(table, w.hand[partner], w.trumps, w.broken[depth] | ruff) & w.trumps
        if ruff:
            trumps &= trumps - 1  # the lowest has ruffed
        start = w.run_tricks
        drawn |= run_trumps(w, partner, trumps)
        if w.run_tricks > start and leads & w.trumps:
            crosses = 1
    plain = 0
    for suit in range(w.suits):
        mask = w.mask[suit]
        if suit != w.trump and not own & mask:
            if crosses and w.run_units + w.run_tricks * w.each >= wanted:
                break
            start = w.run_tricks
            run_suit(w, partner, suit, drawn)
            if w.run_tricks > start:
                plain += w.run_tricks - start
                if leads & mask:
                    crosses |= safe_to_lead(w, team, suit)
    if not crosses:
        return OPEN
    for place in range(w.places):
        if w.team[place] == team and w.hand[place] & w.trumps:
            spare = may_follow(table, w.hand[place], 0, w.trumps, w.any_time, -1) & ~w.trumps
            if count(spare) < (before + plain if place == partner else w.run_tricks):
                return OPEN  # he might have to ruff, or to throw a winner away
    return run_decides(w, depth, team)


@kernel
def safe_to_lead(w: Ending, team: int, suit: int) -> int:
    """Return 1 if nobody against a team can ruff a plain suit after the leader's run, else 0."""
    if w.drawn:
        return 1
    for place in range(w.places):
        if w.team[place] != team and w.hand[place] & w.trumps and not w.hand[place] & w.mask[suit]:
            return 0
    return 1


@kernel
def lose_one(w: Ending, ply: int) -> int:
    """Return 1 or 0 if it decides that two partners must lose a trick without trumps, else OPEN.

    They have to lead a suit whose highest card is against them when those in which they have it
    are spent. With four suits the others can always keep the highest cards that they need.
    """
    depth = w.depth[ply]
    leader = w.turn[ply]
    team = w.team[leader]
    next_to = w.after[leader]
    room = w.left[depth] - w.need[depth] if team else w.need[depth] - 1
    if room >= w.each or w.team[next_to] == team or w.team[w.after[w.after[next_to]]] == team:
        return OPEN
    tricks = 0
    tops = 0
    for suit in range(w.suits):
        cards = w.in_hands & w.mask[suit]
        if cards:
            top = 1 << highest(cards)
            longest = 0
            ours = 0
            for place in range(w.places):
                if w.team[place] == team:
                    longest = max(longest, count(w.hand[place] & cards))
                    ours |= w.hand[place]
            if ours & top:
                tricks += longest
            else:
                tops |= top
    if tricks >= w.tricks - depth:
        return OPEN
    w.relevant = tops
    return at_most(w, depth, w.left[depth] - w.each) if team else at_least(w, depth, w.each)
