"""Why an action is good, in a few words that are true of it, told from what its seat may know.

A word of a reason is checked against the position before it is said; what cannot be told from the
cards in sight is said as what it is, a result of trying.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.cards import CardSet, card_name, colour_of, pack_cards, unpack
from rookery.engine.actions import BID, PASS
from rookery.engine.card_sets import count, points_of
from rookery.game import Action, Hand, Verb
from rookery.game.action import call_number, call_words
from rookery.review.document import Reason
from rookery.review.reasons_card import card_reason
from rookery.review.sight import Sight, sight_of
from rookery.review.words import REASONS, said
from rookery.rules.order import SUITS, TRUMP
from rookery.rules.table import NEST_TO_DECLARER
from rookery.search.choice import Choice

__all__ = ["REASONS", "why"]

UNLIKELY: Final = 0.5  # a bid that would be made less often is said to be


def why(hand: Hand, action: Action | str, choices: Sequence[Choice] = ()) -> Reason:
    """Return why the seat that acts might do `action`, a legal one.

    `choices`, as the search weighed them in this position, let a call say how likely it is.

    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> why(hand, "1 pass").text
    'Your hand does not promise more than that.'
    """
    done = hand.parse(action)
    if done.verb is Verb.REDEAL:
        return said("redeal-poor")
    if done.verb is Verb.CHALLENGE:
        return said("challenge")
    sight = sight_of(hand)
    if done.verb is Verb.PLAY:
        code, about = card_reason(sight, done.card, hand.rules.pack)
        return said(code, **about)
    return _BEFORE_PLAY[done.verb](hand, sight, done, choices)


def partner_has_bid(sight: Sight) -> bool:
    """Return whether the highest bid is this side's already."""
    bidder = sight.state.bidder
    return bidder >= 0 and bool(sight.table.partners[sight.seat] >> bidder & 1)


def percent(chance: float) -> int:
    """Return a chance in whole percent, never quite none or all.

    >>> percent(0.347), percent(1.0)
    (35, 99)
    """
    return max(1, min(99, round(100 * chance)))


def bid_points(sight: Sight, number: int) -> int:
    """Return the points of a bid by the engine's number."""
    return sight.table.bid_minimum + (number - BID) * sight.table.bid_step


def is_bid(choice: Choice) -> bool:
    """Return whether a choice of the auction is a bid in points."""
    return BID <= choice.action < BID + 128


def _bid(hand: Hand, sight: Sight, done: Action, choices: Sequence[Choice]) -> Reason:
    for choice in choices:
        if is_bid(choice) and bid_points(sight, choice.action) == done.amount:
            if choice.making is not None and choice.making >= UNLIKELY:
                return said("bid-chance", percent=percent(choice.making))
            passed = [other for other in choices if other.action == PASS]
            foe = sight.state.bidder >= 0 and not partner_has_bid(sight)
            if passed and foe and passed[0].margin < choice.margin:
                return said("bid-rather", points=sight.state.high)
    return said("bid-worth")


def _pass(hand: Hand, sight: Sight, done: Action, choices: Sequence[Choice]) -> Reason:
    if partner_has_bid(sight):
        return said("pass-partner")
    bids = sorted((c for c in choices if is_bid(c)), key=lambda c: c.action)
    if bids and bids[0].making is not None and bids[0].making < UNLIKELY:
        points = bid_points(sight, bids[0].action)
        return said("pass-chance", points=points, percent=percent(bids[0].making))
    best = max((choice.margin for choice in bids), default=0.0)
    passed = [choice for choice in choices if choice.action == PASS]
    if bids and passed and sight.state.bidder >= 0 and passed[0].margin > best:
        return said("pass-let-them", points=sight.state.high)
    return said("pass-enough")


def _discard(hand: Hand, sight: Sight, done: Action, choices: Sequence[Choice]) -> Reason:
    laid = pack_cards(done.cards)
    worth = points_of(sight.table, laid)
    if worth and sight.table.nest_to == NEST_TO_DECLARER:
        return said("discard-home", points=worth)
    emptied = emptied_colour(sight.held, laid)
    if emptied >= 0:
        return said("discard-void", suit=call_words(hand.rules.pack)[emptied])
    return said("discard-least" if worth else "discard-plain")


def emptied_colour(held: CardSet, laid: CardSet) -> int:
    """Return a colour of which all the cards held are laid away, -1 where there is none."""
    for colour in range(4):
        same = pack_cards(c for c in unpack(held) if c < 56 and colour_of(c) == colour)
        if same and not same & ~laid:
            return colour
    return -1


def trumps_under(sight: Sight, call: int) -> int:
    """Return how many of the cards held are trumps under a call of a suit."""
    return count(sight.held & sight.table.mask[call * SUITS + TRUMP])


def _trump(hand: Hand, sight: Sight, done: Action, choices: Sequence[Choice]) -> Reason:
    call = call_number(done)
    if call < 8:
        own = trumps_under(sight, call)
        others = [trumps_under(sight, call - call % 4 + i) for i in range(4) if i != call % 4]
        if own > max(others):
            return said("trump-most", cards=own)
        if own == max(others):
            return said("trump-longest")
    return said("trump-best")


def _rook(hand: Hand, sight: Sight, done: Action, choices: Sequence[Choice]) -> Reason:
    return said("rook-rank")


def _called(hand: Hand, sight: Sight, done: Action, choices: Sequence[Choice]) -> Reason:
    if sight.state.row >= 0 and len(done.cards) == 1:
        card = done.cards[0]
        elsewhere = pack_cards(hand.rules.deck) & ~sight.held & ~(1 << card)
        if not sight.stronger(card, elsewhere):
            return said("call-top", card=card_name(card, hand.rules.pack))
    return said("call-strongest")


def _leader(hand: Hand, sight: Sight, done: Action, choices: Sequence[Choice]) -> Reason:
    return said("leader")


def _give(hand: Hand, sight: Sight, done: Action, choices: Sequence[Choice]) -> Reason:
    return said("only-choice" if count(sight.choice) == 1 else "give-least")


_BEFORE_PLAY: Final = {
    Verb.BID: _bid,
    Verb.PASS: _pass,
    Verb.DISCARD: _discard,
    Verb.TRUMP: _trump,
    Verb.ROOK: _rook,
    Verb.CALL: _called,
    Verb.LEADER: _leader,
    Verb.GIVE: _give,
}
