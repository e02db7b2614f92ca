"""The phases put together: `legal` lists what may be done, `apply` does it."""

from __future__ import annotations

from rookery.engine.actions import (
    BID,
    CHALLENGE,
    ENOUGH,
    LEADS,
    PASS,
    REDEAL_DEMAND,
    ROOK_DOWN,
    ROOK_HIGH,
    SUN,
    TRUMP_CALLS,
)
from rookery.engine.auction import bid, bid_floor, bid_sun, call_pass, may_pass, may_redeal, redeal
from rookery.engine.bits import lowest
from rookery.engine.circus import gifts, give
from rookery.engine.declare import (
    HE_CHOOSES,
    begin_play,
    call_card,
    callable_cards,
    choose_leader,
    discard,
    name_trump,
    rank_rook,
    settle_partners,
)
from rookery.engine.kernel import kernel
from rookery.engine.nest import discards
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


@kernel
def actor(s: State) -> int:
    """Return the seat whose decision is due, the declarer for a dummy; -1 when the hand is over."""
    if s.phase >= DONE:
        return -1
    return s.declarer if s.phase == PLAY and s.turn == s.dummy else s.turn


@kernel
def legal_cards(table: RuleTable, s: State, h: Hidden) -> int:
    """Return the cards the seat to act may play, discard, call or give; else 0."""
    if s.phase == PLAY:
        return playable(table, s, h)
    if s.phase == NEST:
        return discards(table, s, h)
    if s.phase == CALL:
        return callable_cards(table, s, h)
    if s.phase == CIRCUS_PASS:
        return gifts(table, s, h)
    return 0


@kernel
def legal(table: RuleTable, s: State, h: Hidden, actions: list[int]) -> int:
    """Write the legal actions of the seat to act, ascending; return how many there are.

    A demand for a redeal is among them where that seat may make it; what other seats may do out of
    turn is for `may_redeal` and `may_challenge` to say. `actions` needs room for `ACTIONS` numbers.
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
def may_challenge(table: RuleTable, s: State, h: Hidden, seat: int, offender: int) -> bool:
    """Return whether `seat` can prove a revoke by `offender`."""
    return s.phase == PLAY and seat != offender and h.revoked >> offender & 1 == 1


@kernel
def apply(table: RuleTable, s: State, h: Hidden, action: int) -> None:
    """Do an action: a legal one, a redeal that `may_redeal` grants, a proven challenge."""
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
        choose_leader(table, s, h, action - LEADS)
    elif give(table, s, h, action):
        if table.first_lead == HE_CHOOSES:
            s.phase = LEADER
            s.turn = s.declarer
        else:
            begin_play(table, s, h)
