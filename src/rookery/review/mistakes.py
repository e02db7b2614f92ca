"""Why an action was worse than the best, in a sentence that follows from what the seat knew."""

from __future__ import annotations

from typing import Final

from rookery.cards import Card, CardSet, pack_cards
from rookery.engine.card_sets import count, points_of
from rookery.game import Action, Hand, Verb
from rookery.game.action import call_number
from rookery.review.document import Reason
from rookery.review.inference import Inference, infer
from rookery.review.reasons import (
    dealer_is_stuck,
    emptied_colour,
    partner_has_bid,
    percent,
    reason,
    trumps_under,
)
from rookery.rules.order import LONE, TRUMP
from rookery.rules.table import NEST_TO_DECLARER, NEST_TO_LAST_TRICK

DOUBTFUL: Final = 0.67  # a bid with a smaller chance is called one too many
LIKELY: Final = 0.5  # a bid with a greater chance is called better than a pass


def what_was_wrong(
    hand: Hand,
    done: Action | str,
    best: Action | str,
    making: float | None = None,
    best_making: float | None = None,
) -> Reason:
    """Return why `done` was worse than `best`, both legal for the seat that acts.

    `making` and `best_making` are the chances of the contract after each, 0 to 1, or None.

    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> " ".join(what_was_wrong(hand, "1 bid 95", "1 pass", 0.31).text.split())
    'The chance of making it was only about 31 %.'
    """
    known = infer(hand)
    one, other = hand.parse(done), hand.parse(best)
    if one.verb is Verb.PLAY and other.verb is Verb.PLAY:
        return _card(known, one.card, other.card)
    if one.verb is Verb.DISCARD:
        return _discard(known, pack_cards(one.cards), pack_cards(other.cards))
    if one.verb is Verb.TRUMP and other.verb is Verb.TRUMP:
        return _trump(known, one, other)
    if one.verb in (Verb.BID, Verb.PASS):
        return _auction(known, one, other, making, best_making)
    return reason("worse")


def _auction(
    known: Inference, done: Action, best: Action, making: float | None, best_making: float | None
) -> Reason:
    if done.verb is Verb.PASS:
        if isinstance(best.amount, int):
            if best_making is not None and best_making >= LIKELY:
                return reason("pass-too-soon", points=best.amount, percent=percent(best_making))
            return reason("pass-too-meek")
        return reason("worse")
    if isinstance(best.amount, int) and isinstance(done.amount, int):
        return reason("bid-too-high" if best.amount < done.amount else "bid-too-low")
    if best.verb is Verb.PASS:
        if partner_has_bid(known):
            return reason("bid-over-partner")
        if making is not None and making < DOUBTFUL:
            return reason("bid-too-much", percent=percent(making))
        if dealer_is_stuck(known):
            return reason("bid-dealer")
        if known.state.bidder >= 0 and not known.state.sun:
            return reason("bid-let-them", points=known.state.high)
    return reason("worse")


def _discard(known: Inference, done: CardSet, best: CardSet) -> Reason:
    table = known.table
    discarded, good = points_of(table, done), points_of(table, best)
    if discarded > good and table.nest_to == NEST_TO_LAST_TRICK:
        return reason("discard-points", points=discarded)
    if discarded > good and table.nest_to != NEST_TO_DECLARER:
        return reason("discard-lost", points=discarded)
    if discarded < good and table.nest_to == NEST_TO_DECLARER:
        return reason("discard-timid")
    if count(done & known.trumps) > count(best & known.trumps):
        return reason("discard-trump")
    emptied = emptied_colour(known.cards, best)
    if emptied >= 0 and emptied_colour(known.cards, done) < 0:
        return reason("discard-no-void", suit=known.suit_name(emptied))
    return reason("worse")


def _trump(known: Inference, done: Action, best: Action) -> Reason:
    one, other = call_number(done), call_number(best)
    if one < 8 and other < 8 and trumps_under(known, other) > trumps_under(known, one):
        cards = trumps_under(known, other)
        return reason("trump-shorter", suit=known.suit_name(other % 4), cards=cards)
    return reason("worse")


def _card(known: Inference, done: Card, best: Card) -> Reason:
    if known.state.led < 0:
        return _led(known, done, best)
    if known.takes(done):
        return _took(known, done, best)
    return _left(known, done, best)


def _led(known: Inference, done: Card, best: Card) -> Reason:
    suit = known.suit_of(done)
    foes = known.behind & ~known.friends
    if suit not in (TRUMP, LONE, known.suit_of(best)):
        if known.may_ruff(suit, foes):
            return reason("they-trump", suit=known.suit_name(suit))
        if known.suit_of(best) == TRUMP and known.with_others(known.trumps, foes):
            return reason("trumps-out")
    if known.sure(best) and not known.sure(done):
        return reason("missed-lead", card=known.name(best))
    if known.table.value[done] and known.threats(done, foes):
        return reason("beatable", card=known.name(done))
    if suit == TRUMP != known.suit_of(best):
        return reason("trump-led")
    return _compared(known, done, best)


def _compared(known: Inference, done: Card, best: Card) -> Reason:
    """Return whether a card was too strong or too weak beside another of its suit."""
    if known.suit_of(done) != known.suit_of(best):
        return reason("worse")
    if known.strength(done) > known.strength(best):
        return reason("too-good")
    beside = known.state.led >= 0 and not known.takes(best)
    return reason("worse" if beside else "too-weak")  # no strength is needed to lose a trick


def _took(known: Inference, done: Card, best: Card) -> Reason:
    s = known.state
    foes = known.behind & ~known.friends
    if known.friend_ahead and not known.takes(best):
        return reason("took-partner")
    if known.takes(best) and known.suit_of(best) == known.suit_of(done):
        weaker = known.strength(best) < known.strength(done)
        if weaker and (known.sure(best) or not known.sure(done)):
            if known.sure(best):
                return reason("too-strong")
        elif known.threats(done, foes) and not known.threats(best, foes):
            return reason("beatable", card=known.name(done))
    if known.suit_of(done) == TRUMP != s.led and known.suit_of(best) != TRUMP:
        return reason("wasted-trump")
    if known.table.value[done] and known.threats(done, foes):
        return reason("beatable", card=known.name(done))
    if not known.takes(best):
        return reason("leave-trick")
    return _compared(known, done, best)


def _left(known: Inference, done: Card, best: Card) -> Reason:
    table, s = known.table, known.state
    if known.friend_ahead:
        gave, could = table.value[done], table.value[best]
        if gave < could and not known.takes(best) and not known.threats(best, ~known.friends):
            return reason("missed-give")
        if gave < could and not known.takes(best):
            return reason("missed-more")
        return _compared(known, done, best)
    if table.value[done] > table.value[best] or (table.value[done] and known.takes(best)):
        return reason("fed", points=table.value[done])
    if known.sure(best):
        points = points_of(table, s.trick_cards)
        return reason("missed-trick", points=points) if points else reason("missed-win")
    if known.takes(best):
        return reason("missed-ahead", card=known.name(best))
    if _unbeaten(known, done):
        return reason("thrown", card=known.name(done))
    if table.value[done] < table.value[best] and known.threats(best, known.friends & known.others):
        return reason("missed-hope")
    if known.suit_of(done) == TRUMP and known.suit_of(best) != TRUMP:
        return reason("wasted-trump")
    return _compared(known, done, best)


def _unbeaten(known: Inference, card: Card) -> bool:
    """Return whether others hold no card that beats `card`, trumps included."""
    if known.suit_of(card) == LONE or known.table.black_2_beats_rook:
        return False
    others = known.with_others(-1 & (1 << 57) - 1) | known.state.trick_cards
    trumps = 0 if known.suit_of(card) == TRUMP else others & known.trumps
    return not trumps and not known.stronger(card, others)
