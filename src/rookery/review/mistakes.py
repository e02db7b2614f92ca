"""Why what was done was worse than the best, in words that hold as far as its seat could tell."""

from __future__ import annotations

from typing import Final, NamedTuple

from rookery.cards import Card, CardSet, Pack, card_name, pack_cards, unpack
from rookery.engine.card_sets import count, points_of
from rookery.game import Action, Hand, Verb
from rookery.game.action import call_number, call_words
from rookery.review.document import Reason
from rookery.review.reasons import emptied_colour, partner_has_bid, percent, trumps_under
from rookery.review.reasons_card import Told, suit_word
from rookery.review.sight import Sight, sight_of
from rookery.review.words import said
from rookery.rules.order import LONE, TRUMP
from rookery.rules.table import NEST_TO_DECLARER, NEST_TO_LAST_TRICK

DOUBTFUL: Final = 0.67  # a bid that would be made less often is said to be one too many
LIKELY: Final = 0.5  # one that would be made more often is said to have been worth it

_WORSE: Final[Told] = ("worse", {})


class Done(NamedTuple):
    """An action and what the search found of it.

    Attributes:
        action: the action, or its text.
        making: the chance of the contract after it, 0 to 1, or None.
    """

    action: Action | str
    making: float | None = None


def what_was_wrong(hand: Hand, done: Done, best: Done) -> Reason:
    """Return why `done` was worse than `best`, both legal for the seat that acts.

    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> what_was_wrong(hand, Done("1 bid 95", 0.31), Done("1 pass")).text
    'It would be made about 31 times in 100: a bid too many.'
    """
    sight = sight_of(hand)
    pack = hand.rules.pack
    one, other = hand.parse(done.action), hand.parse(best.action)
    if one.verb is Verb.PLAY and other.verb is Verb.PLAY:
        code, about = _card(sight, one.card, other.card, pack)
    elif one.verb is Verb.DISCARD:
        code, about = _discard(sight, pack_cards(one.cards), pack_cards(other.cards), pack)
    elif one.verb is Verb.TRUMP and other.verb is Verb.TRUMP:
        code, about = _trump(sight, one, other, pack)
    elif one.verb in (Verb.BID, Verb.PASS):
        code, about = _auction(sight, one, other, done.making, best.making)
    else:
        code, about = _WORSE
    return said(code, **about)


def _auction(
    sight: Sight, done: Action, best: Action, making: float | None, hoped: float | None
) -> Told:
    if done.verb is Verb.PASS:
        if isinstance(best.amount, int):
            if hoped is not None and hoped >= LIKELY:
                return "pass-too-soon", {"points": best.amount, "percent": percent(hoped)}
            return "pass-too-meek", {}
        return _WORSE
    if isinstance(best.amount, int) and isinstance(done.amount, int):
        return ("bid-too-high" if best.amount < done.amount else "bid-too-low"), {}
    if best.verb is Verb.PASS:
        if partner_has_bid(sight):
            return "bid-over-partner", {}
        if making is not None and making < DOUBTFUL:
            return "bid-too-much", {"percent": percent(making)}
        if sight.state.bidder >= 0 and not sight.state.sun:
            return "bid-let-them", {"points": sight.state.high}
    return _WORSE


def _discard(sight: Sight, done: CardSet, best: CardSet, pack: Pack) -> Told:
    table = sight.table
    laid, good = points_of(table, done), points_of(table, best)
    if laid > good and table.nest_to == NEST_TO_LAST_TRICK:
        return "discard-points", {"points": laid}
    if laid > good and table.nest_to != NEST_TO_DECLARER:
        return "discard-lost", {"points": laid}
    if laid < good and table.nest_to == NEST_TO_DECLARER:
        return "discard-timid", {}
    if count(done & sight.trumps) > count(best & sight.trumps):
        return "discard-trump", {}
    emptied = emptied_colour(sight.held, best)
    if emptied >= 0 and emptied_colour(sight.held, done) < 0:
        return "discard-no-void", {"suit": call_words(pack)[emptied]}
    return _WORSE


def _trump(sight: Sight, done: Action, best: Action, pack: Pack) -> Told:
    one, other = call_number(done), call_number(best)
    if one < 8 and other < 8 and trumps_under(sight, other) > trumps_under(sight, one):
        suit = call_words(pack)[other % 4]
        return "trump-shorter", {"suit": suit, "cards": trumps_under(sight, other)}
    return _WORSE


def _card(sight: Sight, done: Card, best: Card, pack: Pack) -> Told:
    if sight.state.led < 0:
        return _led(sight, done, best, pack)
    if sight.takes(done):
        return _took(sight, done, best, pack)
    return _left(sight, done, best, pack)


def _led(sight: Sight, done: Card, best: Card, pack: Pack) -> Told:
    suit = sight.suit_of(done)
    foes = sight.behind & ~sight.friends
    if suit not in (TRUMP, LONE, sight.suit_of(best)):
        for place in unpack(foes):
            if sight.lacks(place, suit) and sight.may_hold(place) & sight.trumps:
                return "they-trump", {"suit": suit_word(suit, pack)}
        if sight.suit_of(best) == TRUMP and sight.with_others(sight.trumps, foes):
            return "trumps-out", {}
    if sight.sure(best) and not sight.sure(done):
        return "missed-lead", {"card": card_name(best, pack)}
    if sight.table.value[done] and sight.threats(done, foes):
        return "beatable", {"card": card_name(done, pack)}
    if suit == TRUMP != sight.suit_of(best):
        return "trump-led", {}
    return _compared(sight, done, best)


def _compared(sight: Sight, done: Card, best: Card) -> Told:
    """Return which of two cards of a suit is the stronger; of others nothing is told."""
    if sight.suit_of(done) != sight.suit_of(best):
        return _WORSE
    return ("too-good" if sight.strength(done) > sight.strength(best) else "too-weak"), {}


def _took(sight: Sight, done: Card, best: Card, pack: Pack) -> Told:
    s = sight.state
    foes = sight.behind & ~sight.friends
    if sight.friend_ahead and not sight.takes(best):
        return "took-partner", {}
    if sight.takes(best) and sight.suit_of(best) == sight.suit_of(done):
        weaker = sight.strength(best) < sight.strength(done)
        if weaker and (sight.sure(best) or not sight.sure(done)):
            if sight.sure(best):
                return "too-strong", {}
        elif sight.threats(done, foes) and not sight.threats(best, foes):
            return "beatable", {"card": card_name(done, pack)}
    if sight.suit_of(done) == TRUMP != s.led and sight.suit_of(best) != TRUMP:
        return "wasted-trump", {}
    if sight.table.value[done] and sight.threats(done, foes):
        return "beatable", {"card": card_name(done, pack)}
    if not sight.takes(best):
        return "leave-trick", {}
    return _compared(sight, done, best)


def _left(sight: Sight, done: Card, best: Card, pack: Pack) -> Told:
    table, s = sight.table, sight.state
    if sight.friend_ahead:
        gave, could = table.value[done], table.value[best]
        if gave < could and not sight.takes(best) and sight.stays_ahead(best, ~sight.friends):
            return "missed-give", {}
        return _compared(sight, done, best)
    if table.value[done] > table.value[best] or (table.value[done] and sight.takes(best)):
        return "fed", {"points": table.value[done]}
    if sight.sure(best):
        points = points_of(table, s.trick_cards)
        return ("missed-trick", {"points": points}) if points else ("missed-win", {})
    if sight.takes(best):
        return "missed-ahead", {"card": card_name(best, pack)}
    if _unbeaten(sight, done):
        return "thrown", {"card": card_name(done, pack)}
    if table.value[done] < table.value[best] and _friend_may_take(sight, best):
        return "missed-hope", {}
    if sight.suit_of(done) == TRUMP and sight.suit_of(best) != TRUMP:
        return "wasted-trump", {}
    return _compared(sight, done, best)


def _friend_may_take(sight: Sight, card: Card) -> bool:
    """Return whether a friend who plays later may take the trick, once `card` is on it."""
    laid = sight.after(card)
    later = sight.behind & sight.friends & sight.others
    return any(sight.can_beat(laid, place) for place in unpack(later))


def _unbeaten(sight: Sight, card: Card) -> bool:
    """Return whether no card that others hold is above `card`, trumps included."""
    if sight.suit_of(card) == LONE or sight.table.black_2_beats_rook:
        return False
    others = sight.with_others(-1 & (1 << 57) - 1) | sight.state.trick_cards
    trumps = 0 if sight.suit_of(card) == TRUMP else others & sight.trumps
    return not trumps and not sight.stronger(card, others)
