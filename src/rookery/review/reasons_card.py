"""Why a card is a good one to play, in words that hold in every hand the seat thinks possible."""

from __future__ import annotations

from typing import TypeAlias

from rookery.cards import Card, Pack, card_name, unpack
from rookery.engine.card_sets import count, points_of
from rookery.game.action import call_words
from rookery.review.sight import Sight
from rookery.rules.order import LONE, TRUMP

Told: TypeAlias = tuple[str, dict[str, str | int]]


def card_reason(sight: Sight, card: Card, pack: Pack) -> Told:
    """Return the code of the best reason for a card of the place on turn, and what it speaks of."""
    if not sight.choice >> card & 1:
        return "revoke", {}
    if count(sight.choice) == 1:
        return "only-choice", {}
    if sight.state.led < 0:
        return _lead(sight, card, pack)
    if sight.takes(card):
        return _win(sight, card, pack)
    return _follow(sight, card, pack)


def suit_word(suit: int, pack: Pack) -> str:
    """Return what an effective suit is called.

    >>> suit_word(TRUMP, "rook"), suit_word(1, "rook")
    ('trump', 'green')
    """
    return "trump" if suit == TRUMP else call_words(pack)[suit]


def last_of_suit(sight: Sight, card: Card) -> bool:
    """Return whether a card is its hand's last of a plain suit, and the hand holds trumps."""
    suit = sight.suit_of(card)
    plain = suit not in (TRUMP, LONE)
    alone = count(sight.held & sight.suit(suit)) == 1
    return plain and alone and bool(sight.held & sight.trumps)


def kept_winner(sight: Sight, card: Card) -> Card | None:
    """Return a card that stays in hand and that, led, nothing which is out could beat."""
    for other in unpack(sight.held & ~(1 << card)):
        if sight.state.led < 0 and sight.choice >> other & 1 and sight.sure(other):
            return other
    return None


def _lead(sight: Sight, card: Card, pack: Pack) -> Told:
    suit = sight.suit_of(card)
    word = suit_word(suit, pack) if suit != LONE else ""
    trumps_out = sight.with_others(sight.trumps)
    if suit == TRUMP:
        if sight.sure(card):
            return ("lead-top-trump" if trumps_out else "lead-sure"), {}
        return ("lead-trumps" if trumps_out else "lead-best"), {}
    if sight.sure(card):
        if trumps_out or not sight.trumps:
            return "lead-sure", {}
        return "lead-trumps-gone", {"card": card_name(card, pack)}
    if suit == LONE:
        return "lead-cheap" if not sight.table.value[card] else "lead-best", {}
    for place in unpack(sight.behind & sight.friends & sight.others):
        if sight.lacks(place, suit) and sight.may_hold(place) & sight.trumps:
            return "lead-partner-trumps", {"suit": word}
    if not sight.stronger(card, sight.with_others(sight.suit(suit))):
        return "lead-top", {"suit": word}
    if last_of_suit(sight, card):
        return "lead-last", {"suit": word}
    if not sight.table.value[card]:
        kept = kept_winner(sight, card)
        if kept is not None:
            return "lead-keeps", {"card": card_name(kept, pack)}
        return "lead-cheap", {}
    if longest_suit(sight, suit):
        return "lead-length", {}
    return "lead-best", {}


def longest_suit(sight: Sight, suit: int) -> bool:
    """Return whether no suit has more cards in the hand on turn than `suit` has."""
    lengths = [count(sight.held & sight.suit(other)) for other in range(TRUMP + 1)]
    return suit <= TRUMP and lengths[suit] == max(lengths)


def _win(sight: Sight, card: Card, pack: Pack) -> Told:
    table, s = sight.table, sight.state
    value = table.value[card]
    if not sight.behind:
        points = points_of(table, s.trick_cards | 1 << card)
        return ("win-last-points", {"points": points}) if points else ("win-last", {})
    if sight.sure(card):
        if s.led not in (TRUMP, LONE) and not sight.held & sight.suit(s.led):
            return "win-ruff", {"suit": suit_word(s.led, pack)}
        return ("win-home", {"points": value}) if value else ("win-sure", {})
    ahead = [other for other in unpack(sight.choice) if sight.takes(other)]
    if len(ahead) > 1 and sight.strength(card) == min(map(sight.strength, ahead)):
        return "win-least", {}
    return "win-now", {}


def _follow(sight: Sight, card: Card, pack: Pack) -> Told:
    table, s = sight.table, sight.state
    value = table.value[card]
    if sight.friend_ahead and sight.after(card).best_place == s.best_place:
        stays = sight.stays_ahead(card, -1)
        if not sight.others >> s.best_place & 1:
            return "give-side" if value else "spare-side", {}
        if value:
            return "give-safe" if stays else "give-partner", {}
        return "spare-safe" if stays else "spare-partner", {}
    if value:
        laid = sight.after(card)
        for place in unpack(sight.behind & sight.friends & sight.others):
            if sight.can_beat(laid, place):
                return "hope-partner", {}
        least = min(table.value[other] for other in unpack(sight.choice))
        return "lose-least" if value == least else "play-best", {}
    if last_of_suit(sight, card):
        return "throw-last", {"suit": suit_word(sight.suit_of(card), pack)}
    if not any(sight.takes(other) for other in unpack(sight.choice)):
        return "cannot-win", {}
    return "keep-counters", {}
