"""Rules as JSON: a line of the catalogue, and a variant in full; the same for every reader."""

from __future__ import annotations

from typing import Any

from rookery.cards import by_suit, card_name, pack_cards
from rookery.rules.described import described
from rookery.rules.model import Rules
from rookery.rules.tongue import Language


def line(rules: Rules, lang: Language = "en") -> dict[str, Any]:
    """Return a line of the catalogue, ready for JSON, as ``rules list --json`` prints it.

    >>> from rookery.rules import load
    >>> line(load("kd_tournament"))["seats"]
    4
    """
    told = described(rules, lang)
    return {
        "id": rules.id,
        "name": told.name,
        "seats": rules.seats,
        "cards": rules.cards,
        "origin": told.origin,
        "reconstructed": told.reconstructed,
        "special": told.special,
    }


def in_full(rules: Rules, lang: Language = "en") -> dict[str, Any]:
    """Return rules with all their options, ready for JSON, as ``rules show --json`` prints them.

    >>> from rookery.rules import load
    >>> len(in_full(load("kd_tournament"))["cards"])
    41
    """
    told = described(rules, lang)
    deck = by_suit(pack_cards(rules.deck))
    return {
        "id": rules.id,
        "name": told.name,
        "seats": rules.seats,
        "cards": [card_name(card, rules.pack) for card in deck],
        "hand_size": rules.hand_size,
        "nest_size": rules.nest_size,
        "bid_minimum": rules.bid_minimum,
        "bid_maximum": rules.bid_maximum,
        "total_points": rules.total_points,
        "target": rules.target,
        "reconstructed": told.reconstructed,
        "special": told.special,
        "options": rules.options(),
    }
