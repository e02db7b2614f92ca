"""Bounds at the start of a trick that need no search: the last trick, and tricks that are certain.

*Units* are those of `Ending`. The functions that say "1, 0 or OPEN" answer whether the side reaches
what it still needs.
"""

from __future__ import annotations

from rookery.cards import COLOURS
from rookery.engine.card_sets import count, highest, lowest
from rookery.engine.kernel import kernel
from rookery.engine.trick import may_follow, may_lead, ranked_cards
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
    result = sure_trumps(table, w, depth)
    if table.blind:
        return result  # it does not follow suit, so nothing else is certain
    if result == OPEN:
        result = cash(table, w, ply)
    if result == OPEN and w.each and w.suits <= COLOURS and not w.in_hands & w.trumps:
        result = one_lost(w, depth, w.turn[ply])
    return result


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
def sure_trumps(table: RuleTable, w: Ending, depth: int) -> int:
    """Return 1 or 0 if the tricks and the units that a party's trumps never lose decide, else OPEN.

    Units are those on trumps above all of the other party's.
    """
    if not w.in_hands & w.trumps:
        return OPEN
    ours = 0
    for place in range(w.places):
        if w.team[place]:
            ours |= w.hand[place] & w.trumps
    theirs = w.in_hands & w.trumps & ~ours
    for team in range(2):
        mine = ours if team else theirs
        other = theirs if team else ours
        units = 0
        w.relevant = 0
        if mine > other:
            best = mine & -(2 << highest(other)) if other else mine
            units = units_in(w, best)
            if other and units:
                w.relevant = 1 << lowest(best)
        if w.each and mine:
            units += w.each * sure_tricks(table, w, mine, other)
        if team:
            return at_least(w, depth, units)
        if at_most(w, depth, w.left[depth] - units) == 0:
            return 0
    return OPEN


@kernel
def sure_tricks(table: RuleTable, w: Ending, mine: int, other: int) -> int:
    """Return how many tricks a party's trumps `mine` win at least, whoever leads what.

    Two partners lose no trick by playing two high trumps to it until neither has a small one. A
    hand that must beat does not choose, nor does a blind one; then only one hand is counted.
    """
    hands = 0
    longest = 0
    first = 0
    for place in range(w.places):
        trumps = w.hand[place] & mine
        if trumps:
            hands += 1
            longest = max(longest, count(trumps))
            first = max(first, trumps)
    if not other:
        return longest
    if hands > 2 or table.blind or ranked_cards(table, mine, mine):
        mine = first
        longest = count(first)
    most = 0
    for held in range(longest):
        card = highest(mine)
        mine ^= 1 << card
        sure = held + 1 - count(other & -(2 << card))  # each that is higher wins one
        if sure > most:
            most = sure
            w.relevant |= 1 << card
    return most


@kernel
def one_lost(w: Ending, depth: int, leader: int) -> int:
    """Return 1 or 0 if it decides that the leader's party cannot take every trick, else OPEN.

    There are no trumps. It has to lead a suit that it does not hold the highest card of, if the
    other suits are too short. Three hands, or a fifth suit, could leave the holder of that card no
    other to throw away.
    """
    team = w.team[leader]
    result = at_most(w, depth, w.left[depth] - w.each) if team else at_least(w, depth, w.each)
    if result == OPEN:
        return OPEN
    party = 0
    hands = 0
    for place in range(w.places):
        if w.team[place] == team:
            party |= w.hand[place]
            hands += 1
    if hands > 2:
        return OPEN
    most = 0
    w.relevant = 0
    for suit in range(w.suits):
        live = w.in_hands & w.mask[suit]
        if live & party:
            top = 1 << highest(live)
            if top & party:
                longest = 0
                for place in range(w.places):
                    longest = max(longest, count(w.hand[place] & live & party))
                most += longest
            else:
                w.relevant |= top
    return result if most < w.tricks - depth else OPEN


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
    dodges = theirs & w.any_time
    w.run_tricks = 0
    w.run_units = 0
    w.relevant = 0
    drawn = run(table, w, depth, leader, theirs)
    result = enough(table, w, depth, leader, leader)
    if result != OPEN or not w.each or (dodges and not drawn):
        return result
    tricks = w.run_tricks
    gained = w.run_units
    relevant = w.relevant
    danger = 0 if drawn else theirs & w.trumps
    for place in range(w.places):
        if place != leader and w.team[place] == team and reaches(w, leader, place, danger):
            run(table, w, depth, place, theirs if danger else theirs & ~w.trumps)
            result = enough(table, w, depth, leader, -1)
            if result != OPEN:
                return result
            w.run_tricks = tricks
            w.run_units = gained
            w.relevant = relevant
    return OPEN


@kernel
def reaches(w: Ending, leader: int, place: int, danger: int) -> int:
    """Return 1 if the leader has a card of a plain suit that a partner holds the highest of.

    It must not be ruffed with the trumps `danger`.
    """
    for suit in range(w.suits):
        live = w.in_hands & w.mask[suit]
        if suit != w.trump and w.hand[leader] & live and w.hand[place] >> highest(live) & 1:
            safe = 1
            for other in range(w.places):
                if w.hand[other] & danger and not w.hand[other] & live:
                    safe = 0
            if safe:
                return 1
    return 0


@kernel
def run(table: RuleTable, w: Ending, depth: int, place: int, theirs: int) -> int:
    """Count the cards of a place that win in turn if it leads; return 1 if no other trump is left.

    `theirs` are the cards of the other party, whose trumps are meant.
    """
    leads = may_lead(table, w.hand[place], w.trumps, w.broken[depth])
    drawn = 0 if theirs & w.trumps else 1
    drawn |= run_trumps(w, place, leads & w.trumps)
    if drawn or not theirs & w.any_time:
        for suit in range(w.suits):
            if suit != w.trump:
                run_suit(w, place, suit, drawn)
    return drawn


@kernel
def enough(table: RuleTable, w: Ending, depth: int, leader: int, spared: int) -> int:
    """Return 1 or 0 if the tricks counted for the leader's party decide, else OPEN.

    A place that would have to ruff one of them spoils it, but for the one that is `spared`.
    """
    if not w.run_tricks:
        return OPEN
    team = w.team[leader]
    for place in range(w.places):
        if place != spared and w.team[place] == team and w.hand[place] & w.trumps:
            plain = may_follow(table, w.hand[place], 0, w.trumps, w.any_time, -1) & ~w.trumps
            if count(plain) < w.run_tricks:
                return OPEN
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
