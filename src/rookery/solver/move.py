"""Playing a card in the solver, taking it back, and bonuses that depend on tricks won."""

from __future__ import annotations

from rookery.engine.kernel import kernel
from rookery.engine.trick import may_follow, may_lead, meeting, ranked_cards
from rookery.rules.table import BONUS_FIRST_TO_SIX, BONUS_MAJORITY, RuleTable
from rookery.solver.ending import CROWNED, Ending

TALLY = 31  # a side's tricks in the packed count


@kernel
def choices(table: RuleTable, w: Ending, ply: int) -> int:
    """Return the cards that the place on turn may play."""
    place = w.turn[ply]
    hand = w.hand[place]
    if table.blind and place == table.seats:
        return 1 << w.blind[w.depth[ply]]
    if w.trick_size[ply] == 0:
        return may_lead(table, hand, w.trumps, w.broken[w.depth[ply]])
    better = -(2 << w.best[ply])
    if w.black_2 >= 0 and ranked_cards(table, hand, w.trumps):
        trick = 0
        for i in range(ply - w.trick_size[ply], ply):
            trick |= 1 << w.played[i]
        better = meeting(better, hand, trick, 1 << w.rook, 1 << w.black_2)
    return may_follow(table, hand, w.mask[w.led[ply]], w.trumps, w.any_time, better)


@kernel
def make(table: RuleTable, w: Ending, ply: int, card: int) -> None:
    """Play a card for the place on turn, and complete the trick if it was the last."""
    place = w.turn[ply]
    bit = 1 << card
    w.hand[place] ^= bit
    w.in_hands ^= bit
    w.played[ply] = card
    suit = w.suit[card]
    later = ply + 1
    if w.trick_size[ply] == 0:
        w.led[later] = suit
        w.best[later] = card
        w.best_place[later] = place
        w.trick_units[later] = w.value[card]
    else:
        best = w.best[ply]
        w.led[later] = w.led[ply]
        if card > best and (suit == w.trump or suit == w.suit[best]):
            w.best[later] = card
            w.best_place[later] = place
        else:
            w.best[later] = best
            w.best_place[later] = w.best_place[ply]
        w.trick_units[later] = w.trick_units[ply] + w.value[card]
    if table.black_2_beats_rook and (card == w.black_2 or card == w.rook):
        crown(w, ply)
    if w.trick_size[later]:
        w.turn[later] = w.after[place]
    else:
        complete(table, w, ply)


@kernel
def crown(w: Ending, ply: int) -> None:
    """Let the black 2 win the trick if the Rook is in it too."""
    start = ply - w.trick_size[ply]
    place = -1
    met = 0
    for i in range(start, ply + 1):
        if w.played[i] == w.black_2:
            place = w.turn[i]
            met += 1
        elif w.played[i] == w.rook:
            met += 1
    if met == 2:
        w.best[ply + 1] = CROWNED
        w.best_place[ply + 1] = place


@kernel
def complete(table: RuleTable, w: Ending, ply: int) -> None:
    """Give the trick to its winner and describe the position after it."""
    later = ply + 1
    depth = w.depth[ply]
    start = ply - w.trick_size[ply]
    winner = w.best_place[later]
    w.turn[later] = w.turn[start] if table.blind and winner == table.seats else winner
    best = w.best[later]
    after = depth + 1
    w.alive[after] = w.in_hands
    broken = w.broken[depth]
    suit = w.suit[best]
    rivals = 0
    for i in range(start, later):
        card = w.played[i]
        if w.suit[card] == suit:
            rivals += 1
        if table.trump_when_broken and w.suit[card] == w.trump:
            broken = 1
    w.broken[after] = broken
    w.decisive[ply] = 1 << best if rivals > 1 and best != CROWNED else 0
    gain = w.trick_units[later] + w.each
    if after == w.tricks:
        gain += w.last
    need = w.need[depth]
    if w.team[winner]:
        need -= gain
    left = w.left[depth] - gain
    w.open[after] = w.open[depth]
    if (table.bonus == BONUS_MAJORITY or table.bonus == BONUS_FIRST_TO_SIX) and w.open[depth]:
        won = w.won[depth]
        if w.side[winner] >= 0:
            won += 1 << 5 * w.side[winner]
        w.won[after] = won
        share = settled(table, w, won, w.tricks - after)
        if share >= 0:
            w.open[after] = 0
            need -= share
            left -= w.prize
    w.need[after] = need
    w.left[after] = left


@kernel
def unmake(w: Ending, ply: int) -> None:
    """Take back the card played at `ply`."""
    bit = 1 << w.played[ply]
    w.hand[w.turn[ply]] ^= bit
    w.in_hands ^= bit


@kernel
def settled(table: RuleTable, w: Ending, won: int, left: int) -> int:
    """Return the units that the side gets of a bonus for tricks, -1 while that is open.

    `won` holds the tricks of each side, five bits a side, the declarer's lowest; `left` tricks are
    still to be played.
    """
    own = won & TALLY
    if table.bonus == BONUS_FIRST_TO_SIX:
        if own >= 6:
            return w.prize
        for side in range(1, w.sides):
            if won >> 5 * side & TALLY >= 6:
                return 0
        return -1 if left else 0
    most = 0
    level = 1
    for side in range(1, w.sides):
        other = won >> 5 * side & TALLY
        most = max(most, other)
        if other == own:
            level += 1
    if own > most + left:
        return w.prize
    if most > own + left:
        return 0
    if left:
        return -1
    if level == 1:
        return w.prize
    return table.bonus_value // level // w.unit if table.split_tie else 0
