"""Actions: their numbers, which of them are legal, and doing one.

Numbers are one fixed space for all rule sets. All verbs that name a card (discard, call, give,
play) share the numbers 0 to 56 and are told apart by the phase. Cards are discarded and called one
at a time.
"""

from __future__ import annotations

from typing import Final

from rookery.cards import CARDS
from rookery.engine.auction import bid, bid_floor, bid_sun, call_pass, may_pass, may_redeal, redeal
from rookery.engine.card_sets import lowest
from rookery.engine.declaration import (
    begin_play,
    call_card,
    callable_cards,
    discard,
    gifts,
    give,
    lead_first,
    name_trump,
    rank_rook,
    settle_partners,
)
from rookery.engine.kernel import kernel
from rookery.engine.nest import next_discards
from rookery.engine.score import punish_revoke
from rookery.engine.state import (
    AUCTION,
    CALL,
    CIRCUS_PASS,
    DONE,
    LEADER,
    NEST,
    PLAY,
    ROOK_RANK,
    TRUMP_CALL,
    Hidden,
    State,
)
from rookery.engine.trick import play, playable
from rookery.rules.order import CIRCUS
from rookery.rules.table import RuleTable

BID: Final = CARDS  # BID + k: the minimum and k steps
BID_LEVELS: Final = 128
SUN: Final = BID + BID_LEVELS
PASS: Final = SUN + 1
REDEAL_DEMAND: Final = PASS + 1
TRUMP_CALLS: Final = REDEAL_DEMAND + 1  # + call, 0 to 9; + 10: circus
ROOK_HIGH: Final = TRUMP_CALLS + 11
ROOK_DOWN: Final = ROOK_HIGH + 1
ENOUGH: Final = ROOK_DOWN + 1  # no further partner card
LEADS: Final = ENOUGH + 1  # + seat
CHALLENGE: Final = LEADS + 8  # + seat
ACTIONS: Final = CHALLENGE + 8


@kernel
def actor(s: State) -> int:
    """Return the seat that decides next, the declarer for a dummy; -1 when the hand is over."""
    if s.phase >= DONE:
        return -1
    return s.declarer if s.phase == PLAY and s.turn == s.dummy else s.turn


@kernel
def legal_cards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards that the seat to act may play, discard, call or give; 0 if none."""
    if s.phase == PLAY:
        return playable(table, s, h)
    if s.phase == NEST:
        return next_discards(table, s, h)
    if s.phase == CALL:
        return callable_cards(table, s, h)
    if s.phase == CIRCUS_PASS:
        return gifts(table, s, h)
    return 0


@kernel
def legal(table: RuleTable, s: State, h: Hidden, actions: list[int]) -> int:
    """Write the legal actions of the seat to act, and return how many there are.

    `may_redeal` and `may_challenge` say what the other seats may do out of turn.

    Args:
        table: the rules.
        s: the open cards.
        h: the closed cards.
        actions: gets the action numbers, ascending; shape (`ACTIONS`,).
    """
    n = 0
    if s.phase == AUCTION:
        first = (bid_floor(table, s) - table.bid_minimum) // table.bid_step
        for level in range(first, table.bid_levels):
            actions[n] = BID + level
            n += 1
        if table.sun:
            actions[n] = SUN
            n += 1
        if may_pass(table, s):
            actions[n] = PASS
            n += 1
        if may_redeal(table, s, h, s.turn):
            actions[n] = REDEAL_DEMAND
            n += 1
    elif s.phase == TRUMP_CALL:
        for call in range(CIRCUS if s.circus else CIRCUS + 1):
            if table.calls >> call & 1:
                actions[n] = TRUMP_CALLS + call
                n += 1
    elif s.phase == ROOK_RANK:
        actions[0] = ROOK_HIGH
        actions[1] = ROOK_DOWN
        n = 2
    elif s.phase == LEADER:
        left = (s.declarer + 1) % table.seats
        actions[0] = LEADS + min(s.declarer, left)
        actions[1] = LEADS + max(s.declarer, left)
        n = 2
    else:
        cards = legal_cards(table, s, h)
        while cards:
            actions[n] = lowest(cards)
            n += 1
            cards &= cards - 1
        if s.phase == CALL and s.called_count:
            actions[n] = ENOUGH
            n += 1
    return n


@kernel
def among(cards: int, card: int) -> bool:
    """Return whether an integer is the number of a card in a set.

    >>> among(0b101, 2), among(0b101, 1), among(0b101, -1)
    (True, False, False)
    """
    return 0 <= card < CARDS and cards >> card & 1 == 1


@kernel
def permitted(table: RuleTable, s: State, h: Hidden, cards: int, action: int) -> bool:
    """Return whether an integer is a legal action of the seat to act, as `legal` lists them.

    `cards` are those that `legal_cards` returns for this position.
    """
    if s.phase == AUCTION:
        if action == PASS:
            return may_pass(table, s)
        if action == SUN:
            return table.sun == 1
        if action == REDEAL_DEMAND:
            return may_redeal(table, s, h, s.turn)
        level = action - BID
        high_enough = table.bid_minimum + level * table.bid_step >= bid_floor(table, s)
        return 0 <= level < table.bid_levels and high_enough
    if s.phase == TRUMP_CALL:
        call = action - TRUMP_CALLS
        return 0 <= call <= CIRCUS - s.circus and table.calls >> call & 1 == 1
    if s.phase == ROOK_RANK:
        return ROOK_HIGH <= action <= ROOK_DOWN
    if s.phase == LEADER:
        return action == LEADS + s.declarer or action == LEADS + (s.declarer + 1) % table.seats
    if s.phase >= DONE:
        return False
    if s.phase == CALL and action == ENOUGH:
        return s.called_count > 0
    return among(cards, action)


@kernel
def may_challenge(table: RuleTable, s: State, h: Hidden, seat: int, offender: int) -> bool:
    """Return whether `seat` can prove a revoke by `offender`."""
    return s.phase == PLAY and seat != offender and h.revoked >> offender & 1 == 1


@kernel
def apply(table: RuleTable, s: State, h: Hidden, action: int) -> None:
    """Do an action: a legal one, a redeal that `may_redeal` allows, or a proven challenge."""
    if s.phase == PLAY:
        if action < BID:
            play(table, s, h, action)
        else:
            punish_revoke(table, s, h, action - CHALLENGE)
    elif s.phase == AUCTION:
        if action == PASS:
            call_pass(table, s, h)
        elif action == SUN:
            bid_sun(table, s, h)
        elif action == REDEAL_DEMAND:
            redeal(s)
        else:
            bid(table, s, h, table.bid_minimum + (action - BID) * table.bid_step)
    elif s.phase == NEST:
        discard(table, s, h, action)
    elif s.phase == TRUMP_CALL:
        name_trump(table, s, h, action - TRUMP_CALLS)
    elif s.phase == ROOK_RANK:
        rank_rook(table, s, h, action - ROOK_HIGH)
    elif s.phase == CALL:
        if action == ENOUGH:
            settle_partners(table, s, h)
        else:
            call_card(table, s, h, action)
    elif s.phase == LEADER:
        s.turn = action - LEADS
        lead_first(table, s, h)
    elif give(table, s, h, action):
        begin_play(table, s, h)
