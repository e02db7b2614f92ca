"""The auction (`rules.md` B.3): whose call it is, what may be bid, when it is over."""

from __future__ import annotations

from rookery.engine.card_sets import count
from rookery.engine.declaration import begin_play_without_contract, next_step
from rookery.engine.kernel import kernel
from rookery.engine.nest import take_nest
from rookery.engine.state import AUCTION, REDEALT, Hidden, State
from rookery.rules.table import (
    ALL_PASS_DEALER,
    ALL_PASS_LAST_PLAYER,
    ALL_PASS_NO_CONTRACT,
    ALL_PASS_REDEAL,
    DEALER_BIDS_FIRST,
    DEALER_MUST_BID,
    DEALER_OPENS,
    ONE_CALL_EACH,
    REDEAL_ANY_TIME,
    REDEAL_AUTO,
    REDEAL_OWN_TURN,
    RuleTable,
)


@kernel
def open_auction(table: RuleTable, s: State, h: Hidden) -> None:
    """Give the turn to whoever speaks first, or cancel the deal where the rules do so at once."""
    s.turn = (s.dealer + 1) % table.seats
    if table.redeal == REDEAL_AUTO:
        # Before anybody bids: an auction that closes at once gives the nest to the declarer.
        for seat in range(table.seats):
            if not h.hand[seat] & table.counters:
                redeal(s)
                return
    s.phase = AUCTION
    if table.auction == DEALER_OPENS:
        s.high = table.bid_minimum
        s.bidder = s.dealer
        s.calls = 1
        if s.high == table.bid_maximum and not table.sun:
            close(table, s, h)
    elif table.first_bidder == DEALER_BIDS_FIRST:
        s.turn = s.dealer
    elif table.first_bidder >= 0:
        s.turn = table.first_bidder


@kernel
def bid_floor(table: RuleTable, s: State) -> int:
    """Return the lowest bid that is high enough, points; above the maximum if there is none."""
    return table.bid_minimum if s.bidder < 0 else s.high + table.bid_step


@kernel
def may_pass(table: RuleTable, s: State) -> bool:
    """Return whether the seat on turn may pass; a dealer who has to open may not."""
    return not (table.auction == DEALER_MUST_BID and s.calls == 0)


@kernel
def may_redeal(table: RuleTable, s: State, h: Hidden, seat: int) -> bool:
    """Return whether `seat` may cancel the deal: it has no counter, in the auction [S3]."""
    if s.phase != AUCTION or h.hand[seat] & table.counters:
        return False
    return table.redeal == REDEAL_ANY_TIME or (table.redeal == REDEAL_OWN_TURN and s.turn == seat)


@kernel
def redeal(s: State) -> None:
    """End the hand unscored."""
    s.phase = REDEALT


@kernel
def bid(table: RuleTable, s: State, h: Hidden, points: int) -> None:
    """Bid `points` for the seat on turn."""
    s.high = points
    s.bidder = s.turn
    s.passes_in_a_row = 0
    s.calls += 1
    if points == table.bid_maximum and not table.sun:
        close(table, s, h)
    else:
        next_speaker(table, s, h)


@kernel
def bid_sun(table: RuleTable, s: State, h: Hidden) -> None:
    """Bid the Sun for the seat on turn; nothing is higher [S2]."""
    s.high = table.sun_value
    s.bidder = s.turn
    s.sun = 1
    s.calls += 1
    close(table, s, h)


@kernel
def call_pass(table: RuleTable, s: State, h: Hidden) -> None:
    """Pass for the seat on turn."""
    if not table.return_after_pass:
        s.passed |= 1 << s.turn
    s.passes_in_a_row += 1
    s.calls += 1
    next_speaker(table, s, h)


@kernel
def next_speaker(table: RuleTable, s: State, h: Hidden) -> None:
    """Pass the turn on, or close the auction."""
    seats = table.seats
    turn = (s.turn + 1) % seats
    if not table.return_after_pass and table.auction != ONE_CALL_EACH:
        while s.passed >> turn & 1:
            turn = (turn + 1) % seats
            if turn == s.turn:
                break
    s.turn = turn
    if s.bidder >= 0:
        if table.auction == ONE_CALL_EACH:
            over = s.calls == seats
        elif table.return_after_pass:
            over = s.passes_in_a_row == seats - 1
        else:
            over = count(s.passed) == seats - 1
        if over:
            close(table, s, h)
    elif s.passes_in_a_row == seats - 1:
        # Nobody has bid and one has not spoken: the option says whether they are asked.
        only_dealer = table.all_pass == ALL_PASS_DEALER and turn == s.dealer
        if only_dealer or table.all_pass == ALL_PASS_LAST_PLAYER:
            force(table, s, h, turn)
    elif s.passes_in_a_row == seats:
        if table.all_pass == ALL_PASS_REDEAL:
            s.phase = REDEALT
        elif table.all_pass == ALL_PASS_NO_CONTRACT:
            begin_play_without_contract(table, s)
        else:
            force(table, s, h, s.dealer)


@kernel
def force(table: RuleTable, s: State, h: Hidden, seat: int) -> None:
    """Give `seat` the contract at the minimum."""
    s.high = table.bid_minimum
    s.bidder = seat
    close(table, s, h)


@kernel
def close(table: RuleTable, s: State, h: Hidden) -> None:
    """Make the highest bidder the declarer, and start the declaration."""
    s.declarer = s.bidder
    s.contract = s.high
    h.allies = table.partners[s.declarer]
    if not table.called:
        s.allies = h.allies
        s.sides_known = 1
    if table.nest_shown:
        s.face_up = h.nest
    if table.nest_size and not table.exchange:
        take_nest(s, h)  # else only when cards are exchanged, as in the 1914 games [B.1, X23, X24]
    next_step(table, s, h)
