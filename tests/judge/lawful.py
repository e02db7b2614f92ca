"""Which cards of a hand may be played, and which may be given in the circus."""

from __future__ import annotations

from .order import TRUMP, Order, winner
from .pack import Card, is_rook


def lawful_cards(order: Order, hand: list[Card], trick: list[Card], broken: bool) -> list[Card]:
    """Return the cards of the hand that the rules let its holder play.

    Args:
        order: The order under the call.
        hand: The cards held.
        trick: The cards on the table, the one led first; empty for a lead.
        broken: Whether a trump has been played before in this hand.
    """
    if not trick:
        return _leads(order, hand, broken)
    led = order.suit(trick[0])
    same = [card for card in hand if order.suit(card) == led]
    if same:
        return [card for card in hand if card in same or _any_time(order, card)]
    return _void(order, hand, trick)


def _leads(order: Order, hand: list[Card], broken: bool) -> list[Card]:
    others = [card for card in hand if not order.is_trump(card)]
    if order.options["trump_lead"] == "when_broken" and not broken and others:
        return others
    return list(hand)


def _any_time(order: Order, card: Card) -> bool:
    if is_rook(card):
        return bool(order.options["rook_any_time"]) and order.suit(card) == TRUMP
    return card == "R1" and order.options["red_1"] == "top_trump_any_time"


def _void(order: Order, hand: list[Card], trick: list[Card]) -> list[Card]:
    duty = order.options["void_duty"]
    trumps = [card for card in hand if order.is_trump(card)]
    if duty == "none" or not trumps:
        return list(hand)
    if duty == "must_beat":
        beating = [card for card in trumps if winner(order, [*trick, card]) == len(trick)]
        if beating:
            return beating
    return trumps


def best_gifts(order: Order, hand: list[Card]) -> list[Card]:
    """Return the cards that count as the hand's best: one trump, or the highest of any colour."""
    trumps = [card for card in hand if order.is_trump(card)]
    if trumps:
        return [max(trumps, key=order.strength)]
    top = max(order.height(card) for card in hand)
    return [card for card in hand if order.height(card) == top]


def worst_gifts(order: Order, hand: list[Card]) -> list[Card]:
    """Return the cards that count as the hand's worst: the lowest of any colour, or one trump."""
    others = [card for card in hand if not order.is_trump(card)]
    if not others:
        return [min(hand, key=order.strength)]
    bottom = min(order.height(card) for card in others)
    return [card for card in others if order.height(card) == bottom]
