"""Circus: four cards move left (`rules.md` C.2.27, option P58)."""

from __future__ import annotations

from rookery.engine.kernel import kernel
from rookery.engine.order import strongest, weakest, with_rank_of
from rookery.engine.state import CIRCUS_PASS, Hidden, State
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import RuleTable


@kernel
def begin_circus(table: RuleTable, s: State) -> None:
    """Ask for the first of the four cards."""
    s.phase = CIRCUS_PASS
    s.turn = (s.declarer + 1) % table.seats


@kernel
def gifts(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards the seat to act may give: best, worst or any, by the rules."""
    hand = h.hand[s.turn]
    trumps = hand & table.mask[s.row * SUITS + TRUMP]
    if h.allies >> s.turn & 1:
        if not table.circus_worst:
            return hand
        plain = hand & ~trumps
        if plain:
            return with_rank_of(table, s.row, plain, weakest(table, s.row, plain))
        return 1 << strongest_trump(table, s.row, trumps, -1)
    if not table.circus_best:
        return hand
    if trumps:
        return 1 << strongest_trump(table, s.row, trumps, 1)
    return with_rank_of(table, s.row, hand, strongest(table, s.row, hand))


@kernel
def strongest_trump(table: RuleTable, row: int, trumps: int, sign: int) -> int:
    """Return the strongest of some trumps, or the weakest where `sign` is -1."""
    best = -1
    value = 0
    for card in range(57):
        if trumps >> card & 1:
            strength = sign * table.strength[row * 57 + card]
            if best < 0 or strength > value:
                best = card
                value = strength
    return best


@kernel
def give(table: RuleTable, s: State, h: Hidden, card: int) -> bool:
    """Give a card to the left; return whether all four have been given and changed hands."""
    h.gift[s.turn] = card
    if s.turn != s.declarer:
        s.turn = (s.turn + 1) % table.seats
        return False
    for seat in range(table.seats):
        h.hand[seat] &= ~(1 << h.gift[seat])
    for seat in range(table.seats):
        h.hand[(seat + 1) % table.seats] |= 1 << h.gift[seat]
    return True
