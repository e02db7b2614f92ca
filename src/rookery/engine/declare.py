"""From the end of the auction to the first lead: declaration, circus, leader."""

from __future__ import annotations

from rookery.engine.bits import lowest
from rookery.engine.circus import begin_circus
from rookery.engine.kernel import kernel
from rookery.engine.nest import lay_aside, take_nest
from rookery.engine.state import CALL, LEADER, NEST, PLAY, ROOK_RANK, TRUMP_CALL, Hidden, State
from rookery.rules.order import CIRCUS, NOTRUMP, ROOK_LOW, SUITS, TRUMP
from rookery.rules.table import RuleTable

DISCARD, NAME_TRUMP, RANK_ROOK = 0, 1, 2  # places in table.STEPS; 3 calls the partner
BY_DECLARER, BY_HIS_LEFT, HE_CHOOSES, BY_CALLER = 1, 2, 3, 4  # table.FIRST_LEAD
UNHELD, NO_TRUMPS = 0, 2  # table.CALLABLE


@kernel
def begin_declaration(table: RuleTable, s: State, h: Hidden) -> None:
    """Start the steps of the declaration.

    The declarer has the whole nest in hand from the start [B.1]; a partial exchange turns it up
    when its turn comes, as the 1914 games do [X23, X24].
    """
    if table.nest_size and not table.exchange:
        take_nest(s, h)
    next_step(table, s, h)


@kernel
def next_step(table: RuleTable, s: State, h: Hidden) -> None:
    """Ask the declarer for the next step of the declaration, or go on to the play."""
    s.turn = s.declarer
    if s.step < table.steps:
        step = table.step[s.step]
        if step == DISCARD:
            s.phase = NEST
            if table.exchange:
                take_nest(s, h)
        elif step == NAME_TRUMP:
            s.phase = TRUMP_CALL
        elif step == RANK_ROOK:
            s.phase = ROOK_RANK
        else:
            s.phase = CALL
    elif s.circus:
        begin_circus(table, s)
    elif table.first_lead == HE_CHOOSES:
        s.phase = LEADER
    else:
        begin_play(table, s, h)


@kernel
def discard(table: RuleTable, s: State, h: Hidden, card: int) -> None:
    """Lay a card into the new nest."""
    if lay_aside(table, s, h, card):
        s.step += 1
        next_step(table, s, h)


@kernel
def name_trump(table: RuleTable, s: State, h: Hidden, call: int) -> None:
    """Make the trump call; after a circus call the seat on the declarer's left makes it."""
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
    cards = 0
    for i in range(table.cards):
        cards |= 1 << table.deck[i]
    if table.callable == UNHELD or table.callable == NO_TRUMPS:
        cards &= ~(h.hand[s.declarer] | h.pickup)
        if h.pickup:
            cards &= ~h.nest  # his own discards
    if table.callable == NO_TRUMPS and s.row >= 0:
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
    """Find who holds the called cards; one in the declarer's hand or the nest adds nobody [X9]."""
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
def choose_leader(table: RuleTable, s: State, h: Hidden, seat: int) -> None:
    """Let the declarer say who leads."""
    s.turn = seat
    lead_first(table, s, h)


@kernel
def begin_play(table: RuleTable, s: State, h: Hidden) -> None:
    """Give the first lead to the seat that the rules name."""
    if table.first_lead == BY_DECLARER:
        s.turn = s.declarer
    elif table.first_lead == BY_HIS_LEFT:
        s.turn = (s.declarer + 1) % table.seats
    elif table.first_lead == BY_CALLER:
        s.turn = s.caller
    else:
        s.turn = (s.dealer + 1) % table.seats
    lead_first(table, s, h)


@kernel
def begin_play_without_contract(table: RuleTable, s: State, h: Hidden) -> None:
    """Play with no trump and no contract; the dealer's left leads [X26]."""
    s.call = NOTRUMP
    s.row = NOTRUMP
    s.sides_known = 1
    s.turn = (s.dealer + 1) % table.seats
    s.phase = PLAY
    s.leader = s.turn


@kernel
def lead_first(table: RuleTable, s: State, h: Hidden) -> None:
    """Open the play with ``s.turn`` on lead, and a dummy as the rules lay it open."""
    s.phase = PLAY
    s.leader = s.turn
    if table.dummy:
        s.dummy = lowest(h.allies & ~(1 << s.declarer))
        if table.dummy_before_lead or s.turn == s.dummy:
            s.exposed = h.hand[s.dummy]
