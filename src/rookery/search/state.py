"""The state of a search: what it knows, the actions to choose from, and their rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rookery.bots.club.counting import above
from rookery.bots.seat_info import SeatInfo
from rookery.cards import CARDS
from rookery.engine.actions import ACTIONS, BID, ENOUGH, PASS, legal
from rookery.engine.card_sets import lowest
from rookery.engine.kernel import kernel
from rookery.engine.state import AUCTION, CALL, CIRCUS_PASS, NEST, PLAY, Hidden, State
from rookery.rules.fields import cells
from rookery.rules.order import SUITS
from rookery.rules.table import PLACES, RuleTable
from rookery.search.request import Call
from rookery.solver.constraints import Constraints, find_constraints


@dataclass(slots=True)
class SearchState:
    """A search. The first `alive` of the `count` actions are still in the running."""

    count: int = 0
    alive: int = 0
    action: list[int] = cells(ACTIONS)
    rollouts: list[int] = cells(ACTIONS)  # of each action, one in each world
    total: list[int] = cells(ACTIONS)  # the sum of their values
    squares: list[int] = cells(ACTIONS)  # the sum of the squares of their values
    contracts: list[int] = cells(ACTIONS)  # how many came to the contract in question
    made: list[int] = cells(ACTIONS)  # how many of these made it
    values: list[int] = cells(ACTIONS)  # of the latest rollouts, action by action in each world
    kinds: list[int] = cells(PLACES)  # which script plays for each seat
    match: int = 0  # 1: what counts is to win the match
    before: list[int] = cells(PLACES)  # the totals before this hand
    after: list[int] = cells(PLACES)  # scratch: the totals after it
    bid: list[int] = cells(PLACES)  # the last bid of each seat, points; 0 for none
    bid_over: list[int] = cells(PLACES)  # the highest bid before it
    bid_over_partner: list[int] = cells(PLACES)  # 1 if the partner made that one
    passed: list[int] = cells(PLACES)  # the lowest bid that a seat passed up, 0 for none
    pass_over: list[int] = cells(PLACES)
    pass_over_partner: list[int] = cells(PLACES)
    use_calls: int = 1  # 1: the calls say which worlds are likely
    called: int = 0  # 1: somebody has called in the auction
    bid_noise: int = 25  # by how much others' bids differ from the script's, percent of all points
    defence: int = 4  # what defenders take beyond the script's, percent of all points
    new_discards: int = 0  # 1: in every world the declarer chooses the discards again
    odd_card: int = 1024  # the weight left by a card that the script would not play, 1024ths
    played: int = 0  # how many cards of `card` have been played; 0: they say nothing
    card: list[int] = cells(CARDS)
    open: int = 0  # 1: the true world is given, none is drawn


def note_calls(table: RuleTable, search: Any, calls: Sequence[Call]) -> None:  # noqa: ANN401  (records of either kind)
    """Write the calls of an auction, in order, into a `SearchState`."""
    for seat in range(PLACES):
        search.bid[seat] = search.passed[seat] = 0
    search.called = int(bool(calls))
    high, bidder = 0, -1
    for seat, bid in calls:
        partner = int(bidder >= 0 and not table.called and table.partners[seat] >> bidder & 1)
        price = high or table.bid_minimum
        if bid:
            search.bid[seat] = bid
            search.bid_over[seat], search.bid_over_partner[seat] = price, partner
            high, bidder = bid, seat
        else:
            search.passed[seat] = high + table.bid_step if high else table.bid_minimum
            search.pass_over[seat], search.pass_over_partner[seat] = price, partner


@kernel
def list_candidates(
    table: RuleTable, s: State, m: SeatInfo, world: Hidden, search: SearchState, rest: int
) -> None:
    """List the actions to try: a few of a long ladder of bids, one of several equal cards.

    `world` is any that the seat holds possible; `rest` are the cards of others.
    """
    search.count = 0
    if s.phase == PLAY:
        list_candidate_cards(table, s, m, search, rest)
    elif s.phase == NEST or s.phase == CALL or s.phase == CIRCUS_PASS:
        cards = m.cards
        while cards:
            search.action[search.count] = lowest(cards)
            search.count += 1
            cards &= cards - 1
        if s.phase == CALL and s.called_count:
            search.action[search.count] = ENOUGH
            search.count += 1
    else:
        search.count = legal(table, s, world, search.action)
        if s.phase == AUCTION:
            thin_out_bids(search)


@kernel
def thin_out_bids(search: SearchState) -> None:
    """Keep the lowest bids, ever fewer of the higher ones, and all other calls."""
    kept = 0
    bids = 0
    one = 2
    two = 3
    for i in range(search.count):
        action = search.action[i]
        if BID <= action < PASS:
            bids += 1
            if bids > 2 and bids != two:
                continue
            if bids == two:
                two += one
                one = two - one
        search.action[kept] = action
        kept += 1
    search.count = kept


@kernel
def list_candidate_cards(
    table: RuleTable, s: State, m: SeatInfo, search: SearchState, rest: int
) -> None:
    """List the cards to play, one of each group of equal cards."""
    others = (rest | s.trick_cards) & ~m.hand
    cards = m.cards
    listed = 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        twins = listed & table.mask[s.row * SUITS + table.suit[s.row * 57 + card]]
        while twins and not equal(table, s.row, card, lowest(twins), others):
            twins &= twins - 1
        if not twins:
            listed |= 1 << card
            search.action[search.count] = card
            search.count += 1


@kernel
def place_of_equal(
    table: RuleTable, s: State, m: SeatInfo, search: SearchState, rest: int, card: int
) -> int:
    """Return the first place in the list of a card or of its equal; -1 if there is none."""
    others = (rest | s.trick_cards) & ~m.hand
    for i in range(search.count):
        if equal(table, s.row, card, search.action[i], others):
            return i
    return -1


@kernel
def equal(table: RuleTable, row: int, card: int, twin: int, others: int) -> bool:
    """Return whether it makes no difference which of two cards of a hand is played.

    Two cards of a suit are equal if they have the same points and no other card stands between
    them that somebody else may still play, or has played to this trick. Those are among `others`,
    the two themselves are not.
    """
    suit = table.suit[row * 57 + card]
    if suit != table.suit[row * 57 + twin] or table.value[twin] != table.value[card]:
        return False
    same = others & table.mask[row * SUITS + suit]
    return above(table, row, suit, same, card) == above(table, row, suit, same, twin)


def equal_among(
    table: RuleTable, s: State, m: SeatInfo, action: int, candidates: Sequence[int]
) -> int | None:
    """Return the candidate that is the same as `action` or equal to it; None if there is none.

    The seat of `m` is to act. Its note on its own cards is brought up to date.
    """
    if action in candidates or s.phase != PLAY:
        return action if action in candidates else None
    known = Constraints()
    find_constraints(table, s, m, known)
    others = (known.unseen | known.own | s.exposed | s.trick_cards) & ~m.hand
    return next((one for one in candidates if equal(table, s.row, action, one, others)), None)


@kernel
def begin_rollouts(search: SearchState) -> None:
    """Put all listed actions in the running, without any rollouts yet."""
    search.alive = search.count
    for i in range(search.count):
        search.rollouts[i] = 0
        search.total[i] = 0
        search.squares[i] = 0
        search.contracts[i] = 0
        search.made[i] = 0


@kernel
def put_first(
    table: RuleTable, s: State, m: SeatInfo, search: SearchState, rest: int, favourite: int
) -> None:
    """Put `favourite` before the other actions, in the place of its equal if it has one.

    The first action wins ties, and it is the answer if there is no time at all.
    """
    at = -1
    for i in range(search.count):
        if search.action[i] == favourite:
            at = i
    if at < 0 and s.phase == PLAY:
        at = place_of_equal(table, s, m, search, rest, favourite)
    if at < 0:
        at = search.count
        search.count += 1
    while at > 0:
        search.action[at] = search.action[at - 1]
        at -= 1
    search.action[0] = favourite
