"""Another world that a seat cannot tell from the one it is in: two closed cards exchanged.

What a seat is told has to be the same in both, byte for byte. It is worked out from the cards
themselves and not from a view, so that it can find out a view that tells too much.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace

from rookery.cards import Card, CardSet, Seat, pack_cards, unpack
from rookery.engine.state import Hidden
from rookery.game import Hand


def unknown_to(hand: Hand, seat: Seat | None) -> CardSet:
    """Return the cards of which `seat`, or a watcher for None, cannot say where they lie."""
    s, h = hand.state, hand.hidden
    known = s.trick_cards | s.face_up | s.exposed
    for place in range(hand.rules.hands):
        known |= s.captured[place]
    if seat is not None:
        known |= h.hand[seat]
        if h.gift[seat] >= 0:
            known |= 1 << h.gift[seat]
        if seat == hand.declarer:
            known |= h.pickup
            known |= h.nest if h.pickup else 0
    return pack_cards(hand.rules.deck) & ~known


def exchanged(hand: Hand, one: Card, other: Card) -> Hand:
    """Return the hand as if the two cards had changed places from the deal on."""
    swap = {one: other, other: one}

    def cards(mask: CardSet) -> CardSet:
        return pack_cards(swap.get(card, card) for card in unpack(mask))

    def row(held: Iterable[Card]) -> tuple[Card, ...]:
        return tuple(swap.get(card, card) for card in held)

    world = copy(hand)
    h = hand.hidden
    h.hand, h.nest, h.pickup = [cards(mask) for mask in h.hand], cards(h.nest), cards(h.pickup)
    h.blind, h.gift = list(row(h.blind)), list(row(h.gift))
    h.allies = _allies(hand, h)
    world._hidden = h
    world.dealt = tuple(row(held) for held in hand.dealt)
    world.nest_dealt = row(hand.nest_dealt)
    world.actions = tuple(
        action if action.verb.public else replace(action, cards=row(action.cards))
        for action in hand.actions
    )
    return world


def _allies(hand: Hand, h: Hidden) -> int:
    if not hand.called or hand.declarer is None:
        return h.allies
    allies = hand.state.allies
    for seat in range(hand.rules.seats):
        if any(h.hand[seat] >> card & 1 for card in hand.called):
            allies |= 1 << seat
    return allies
