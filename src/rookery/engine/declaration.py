"""From the end of the auction to the first lead: declaration, circus, leader.

The steps of the declaration (discard, trump, rank of the Rook, called card) come in the order that
the rules name. In a circus (`rules.md` C.2.27, option P58) four cards move one seat to the left.
"""

from __future__ import annotations

from rookery.engine.card_sets import lowest, points_of, strongest, weakest, whole_deck, with_rank_of
from rookery.engine.kernel import kernel
from rookery.engine.nest import take_nest
from rookery.engine.state import (
    CALL,
    CIRCUS_PASS,
    LEADER,
    NEST,
    PLAY,
    ROOK_RANK,
    TRUMP_CALL,
    Hidden,
    State,
)
from rookery.rules.order import CIRCUS, NOTRUMP, ROOK_LOW, SUITS, TRUMP
from rookery.rules.table import (
    CALLABLE_NO_TRUMPS,
    CALLABLE_UNHELD,
    LEAD_CALLER,
    LEAD_DECLARER,
    LEAD_DECLARER_CHOOSES,
    LEAD_LEFT_OF_DECLARER,
    STATEMENT_AMOUNT,
    STEP_DISCARD,
    STEP_ROOK,
    STEP_TRUMP,
    RuleTable,
)


@kernel
def next_step(table: RuleTable, s: State, h: Hidden) -> None:
    """Ask the declarer for the next step of the declaration, or go on to the play."""
    s.turn = s.declarer
    if s.step < table.steps:
        step = table.step[s.step]
        if step == STEP_DISCARD:
            s.phase = NEST
            if table.exchange:
                take_nest(s, h)
        elif step == STEP_TRUMP:
            s.phase = TRUMP_CALL
        elif step == STEP_ROOK:
            s.phase = ROOK_RANK
        else:
            s.phase = CALL
    elif s.circus:
        s.phase = CIRCUS_PASS
        s.turn = (s.declarer + 1) % table.seats
    else:
        begin_play(table, s, h)


@kernel
def discard(table: RuleTable, s: State, h: Hidden, card: int) -> None:
    """Put a card into the new nest, and go on when it is full."""
    h.hand[s.declarer] &= ~(1 << card)
    h.nest |= 1 << card
    s.discarded += 1
    if s.discarded >= table.nest_size:
        if table.statement:
            worth = points_of(table, h.nest)
            s.statement = worth if table.statement == STATEMENT_AMOUNT else 1 if worth else 0
        s.step += 1
        next_step(table, s, h)


@kernel
def name_trump(table: RuleTable, s: State, h: Hidden, call: int) -> None:
    """Make the trump call; after a circus call the seat to the left of the declarer makes it."""
    if call == CIRCUS:
        s.circus = 1
        s.turn = (s.declarer + 1) % table.seats
        return
    s.call = call
    s.caller = s.turn
    s.row = call + ROOK_LOW * s.rook_low
    s.step += 1
    next_step(table, s, h)


@kernel
def rank_rook(table: RuleTable, s: State, h: Hidden, low: int) -> None:
    """Rank the Rook above or below all other trumps."""
    s.rook_low = low
    if s.call >= 0:
        s.row = s.call + ROOK_LOW * low
    s.step += 1
    next_step(table, s, h)


@kernel
def callable_cards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards that may be called now."""
    cards = whole_deck(table)
    if table.callable == CALLABLE_UNHELD or table.callable == CALLABLE_NO_TRUMPS:
        cards &= ~(h.hand[s.declarer] | h.pickup)
        if h.pickup:
            cards &= ~h.nest  # the declarer's own discards
    if table.callable == CALLABLE_NO_TRUMPS and s.row >= 0:
        cards &= ~table.mask[s.row * SUITS + TRUMP]
    for i in range(s.called_count):
        cards &= ~(1 << s.called[i])
    return cards


@kernel
def call_card(table: RuleTable, s: State, h: Hidden, card: int) -> None:
    """Call a partner card."""
    s.called[s.called_count] = card
    s.called_count += 1
    if s.called_count == table.called_cards:
        settle_partners(table, s, h)


@kernel
def settle_partners(table: RuleTable, s: State, h: Hidden) -> None:
    """Make the holders of the called cards allies of the declarer.

    A called card in the declarer's hand or in the nest adds nobody [X9].
    """
    for i in range(s.called_count):
        for seat in range(table.seats):
            if h.hand[seat] >> s.called[i] & 1:
                h.allies |= 1 << seat
    s.allies = 1 << s.declarer
    if table.reveal_at_once:
        s.allies = h.allies
        s.sides_known = 1
    s.step += 1
    next_step(table, s, h)


@kernel
def begin_play(table: RuleTable, s: State, h: Hidden) -> None:
    """Give the first lead to the seat that the rules name, or let the declarer name it."""
    s.turn = s.declarer
    if table.first_lead == LEAD_DECLARER_CHOOSES:
        s.phase = LEADER
        return
    if table.first_lead == LEAD_LEFT_OF_DECLARER:
        s.turn = (s.declarer + 1) % table.seats
    elif table.first_lead == LEAD_CALLER:
        s.turn = s.caller
    elif table.first_lead != LEAD_DECLARER:
        s.turn = (s.dealer + 1) % table.seats
    lead_first(table, s, h)


@kernel
def begin_play_without_contract(table: RuleTable, s: State) -> None:
    """Begin a play without trump and contract; the seat to the dealer's left leads [X26]."""
    s.call = NOTRUMP
    s.row = NOTRUMP
    s.sides_known = 1
    s.turn = (s.dealer + 1) % table.seats
    s.phase = PLAY
    s.leader = s.turn


@kernel
def lead_first(table: RuleTable, s: State, h: Hidden) -> None:
    """Begin the play with ``s.turn`` on lead, and open a dummy where the rules do so now."""
    s.phase = PLAY
    s.leader = s.turn
    if table.dummy:
        s.dummy = lowest(h.allies & ~(1 << s.declarer))
        if table.dummy_before_lead or s.turn == s.dummy:
            s.exposed = h.hand[s.dummy]


@kernel
def gifts(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards that the seat to act may give: its best, its worst or any, by the rules."""
    hand = h.hand[s.turn]
    trumps = hand & table.mask[s.row * SUITS + TRUMP]
    if h.allies >> s.turn & 1:
        if not table.circus_worst:
            return hand
        plain = hand & ~trumps
        if plain:
            return with_rank_of(plain, weakest(table, s.row, plain))
        return 1 << strongest_trump(table, s.row, trumps, -1)
    if not table.circus_best:
        return hand
    if trumps:
        return 1 << strongest_trump(table, s.row, trumps, 1)
    return with_rank_of(hand, strongest(table, s.row, hand))


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
    """Note the card that a seat gives; return whether it was the last, and all have moved."""
    h.gift[s.turn] = card
    if s.turn != s.declarer:
        s.turn = (s.turn + 1) % table.seats
        return False
    for seat in range(table.seats):
        h.hand[seat] &= ~(1 << h.gift[seat])
    for seat in range(table.seats):
        h.hand[(seat + 1) % table.seats] |= 1 << h.gift[seat]
    return True
