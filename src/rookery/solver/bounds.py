"""Bounds at the start of a trick that need no search: the last trick, and tricks that are certain.

*Units* are those of `Ending`. The functions that say "1, 0 or OPEN" answer whether the side reaches
what it still needs.
"""

from __future__ import annotations

from rookery.engine.card_sets import count, highest, lowest
from rookery.engine.kernel import kernel
from rookery.engine.trick import may_follow, may_lead
from rookery.rules.table import BONUS_FIRST_TO_SIX, BONUS_MAJORITY, RuleTable
from rookery.solver.ending import Ending
from rookery.solver.move import settled

OPEN = -1
FREE = 64


@kernel
def last_trick(table: RuleTable, w: Ending, ply: int) -> int:
    """Return 1 if the side reaches what it needs in the last trick, else 0."""
    depth = w.depth[ply]
    leader = w.turn[ply]
    best = lowest(w.hand[leader])
    winner = leader
    rivals = 0
    place = leader
    for _ in range(w.places - 1):
        place = w.after[place]
        card = lowest(w.hand[place])
        if w.suit[card] == w.suit[best]:
            rivals = 1
            if card > best:
                best = card
                winner = place
        elif w.suit[card] == w.trump:
            best = card
            winner = place
            rivals = 0
    w.relevant = 1 << best if rivals else 0
    if table.black_2_beats_rook and w.black_2 >= 0:
        live = w.alive[depth]
        if live >> w.black_2 & 1 and live >> w.rook & 1:
            w.relevant = 0
            for other in range(w.places):
                if w.hand[other] >> w.black_2 & 1:
                    winner = other
    units = 0
    rest = w.left[depth]
    if (table.bonus == BONUS_MAJORITY or table.bonus == BONUS_FIRST_TO_SIX) and w.open[depth]:
        rest -= w.prize
        won = w.won[depth]
        if w.side[winner] >= 0:
            won += 1 << 5 * w.side[winner]
        units = settled(table, w, won, 0)
    if w.team[winner]:
        units += rest
    return at_least(w, depth, units) if units >= w.need[depth] else at_most(w, depth, units)


@kernel
def at_least(w: Ending, depth: int, units: int) -> int:
    """Return 1 if the units that the side is certain of are enough, else OPEN."""
    w.slack = units - w.need[depth]
    return 1 if w.slack >= 0 else OPEN


@kernel
def at_most(w: Ending, depth: int, units: int) -> int:
    """Return 0 if the most units that the side can get are too few, else OPEN."""
    w.slack = w.need[depth] - 1 - units
    return 0 if w.slack >= 0 else OPEN


@kernel
def certain_tricks(table: RuleTable, w: Ending, ply: int) -> int:
    """Return 1 or 0 where certain tricks already decide, else OPEN; sets ``w.relevant``."""
    depth = w.depth[ply]
    if w.black_2 >= 0 and w.in_hands >> w.black_2 & 1 and w.in_hands >> w.rook & 1:
        return OPEN
    result = top_trumps(w, depth)
    if table.blind:
        return result  # it does not follow suit, so nothing else is certain
    return cash(table, w, ply) if result == OPEN else result


@kernel
def units_in(w: Ending, cards: int) -> int:
    """Return what some cards are worth, units."""
    units = 0
    rich = cards & w.counters
    while rich:
        units += w.value[lowest(rich)]
        rich &= rich - 1
    return units


@kernel
def top_trumps(w: Ending, depth: int) -> int:
    """Return 1 or 0 if the trumps above all those of the other side decide, else OPEN."""
    if not w.in_hands & w.trumps:
        return OPEN
    ours = 0
    theirs = 0
    for place in range(w.places):
        if w.team[place]:
            ours |= w.hand[place] & w.trumps
        else:
            theirs |= w.hand[place] & w.trumps
    best = max(ours, theirs)
    other = min(ours, theirs)
    w.relevant = 0
    if other:
        best &= -(2 << highest(other))
        w.relevant = 1 << lowest(best)
    units = units_in(w, best)
    if w.each:
        tricks = 0
        for place in range(w.places):
            tricks = max(tricks, count(w.hand[place] & best))
        units += tricks * w.each
    return at_least(w, depth, units) if ours > theirs else at_most(w, depth, w.left[depth] - units)


@kernel
def cash(table: RuleTable, w: Ending, ply: int) -> int:
    """Return 1 or 0 if tricks that the leader can take one after another decide, else OPEN."""
    depth = w.depth[ply]
    leader = w.turn[ply]
    team = w.team[leader]
    theirs = 0
    for place in range(w.places):
        if w.team[place] != team:
            theirs |= w.hand[place]
    w.run_tricks = 0
    w.run_units = 0
    w.relevant = 0
    drawn = 0 if theirs & w.trumps else 1
    leads = may_lead(table, w.hand[leader], w.trumps, w.broken[depth])
    drawn |= run_trumps(w, leader, leads & w.trumps)
    if drawn or not theirs & w.any_time:
        for suit in range(w.suits):
            if suit != w.trump:
                run_suit(w, leader, suit, drawn)
    if not w.run_tricks:
        return OPEN
    for place in range(w.places):
        if place != leader and w.team[place] == team and w.hand[place] & w.trumps:
            spare = may_follow(table, w.hand[place], 0, w.trumps, w.any_time, -1) & ~w.trumps
            if count(spare) < w.run_tricks:
                return OPEN  # a partner with nothing else left would have to ruff
    units = w.run_units + w.run_tricks * w.each
    if depth + w.run_tricks >= w.tricks:
        units = w.left[depth] - (w.prize if w.open[depth] else 0)
    else:
        for place in range(w.places):
            if w.team[place] != team:
                units += max(0, w.run_tricks - count(w.hand[place] & ~w.counters))
    return at_least(w, depth, units) if team else at_most(w, depth, w.left[depth] - units)


@kernel
def run_trumps(w: Ending, leader: int, mine: int) -> int:
    """Count which of the leader's trumps `mine` are sure to win; return 1 if they draw all others.

    `mine` is empty where no trump may be led.
    """
    others = w.in_hands & w.trumps & ~mine
    cards = mine & -(2 << highest(others)) if others else mine
    if not cards:
        return 0
    longest = 0
    danger = 0
    for place in range(w.places):
        if place != leader:
            length = count(w.hand[place] & w.trumps)
            longest = max(longest, length)
            if w.team[place] != w.team[leader]:
                danger = max(danger, length)
    if others:
        w.relevant |= 1 << lowest(cards)
    won = count(cards)
    if won >= longest:
        cards = mine
    w.run_tricks += count(cards)
    w.run_units += units_in(w, cards)
    return 1 if won >= danger else 0


@kernel
def run_suit(w: Ending, leader: int, suit: int, drawn: int) -> None:
    """Count the leader's cards of a plain suit that are certain to win."""
    mine = w.hand[leader] & w.mask[suit]
    others = w.in_hands & w.mask[suit] & ~mine
    cards = mine & -(2 << highest(others)) if others else mine
    if not cards:
        return
    longest = 0
    safe = FREE
    for place in range(w.places):
        if place != leader:
            length = count(w.hand[place] & w.mask[suit])
            longest = max(longest, length)
            if not drawn and w.team[place] != w.team[leader] and w.hand[place] & w.trumps:
                safe = min(safe, length)
    if not safe:
        return
    if others:
        w.relevant |= 1 << lowest(cards)
    if safe == FREE and count(cards) >= longest:
        cards = mine
    w.run_tricks += min(count(cards), safe)
    rich = cards & w.counters
    while count(rich) > safe:
        rich &= rich - 1
    w.run_units += units_in(w, rich)
