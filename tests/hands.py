"""Hands that several tests start from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rookery.game import Hand, IllegalAction
from rookery.rules import load

EXAMPLES = Path(__file__).parent / "judge"
RECORD = json.loads((EXAMPLES / "two_hands.json").read_text())
REPLAY = json.loads((EXAMPLES / "two_hands.replay.json").read_text())

DEAL = RECORD["hands"][1]["deal"]
NEST = RECORD["hands"][1]["nest"]
AUCTION = ["1 pass", "2 pass", "3 bid 70", "0 pass"]
CALLED = [*AUCTION, "3 discard R5 R11 B8 B10 B11", "3 trump yellow"]
TRICK = ["1 play G10", "2 play G7", "3 play G12", "0 play G8"]

# Eight cards, two each: the 10s and 14s of four colours.
SMALL: dict[str, Any] = {
    "ranks": [10, 14],
    "rook_in_deck": False,
    "hand_size": 2,
    "nest_size": 0,
    "redeal": "none",
    "bid_minimum": 10,
    "bid_maximum": 20,
}
ONE_COLOUR_EACH = [["R10", "R14"], ["G10", "G14"], ["Y10", "Y14"], ["B10", "B14"]]
MIXED = [["R10", "G14"], ["G10", "Y14"], ["R14", "Y10"], ["B10", "B14"]]
OPEN = ["1 bid 10", "2 pass", "3 pass", "0 pass"]

# One deal in some 1,650 million can be played; the rules cancel all others at once.
ENDLESS: dict[str, Any] = {
    "base": "kd_full_57",
    "partnership": "alone",
    "seats": 8,
    "hand_size": 1,
    "nest_size": 49,
    "redeal": "auto",
    "counters": {"5": 5, "10": 10},
    "rook_value": 0,
    "bid_minimum": 5,
    "bid_maximum": 40,
}


def small(deal: list[list[str]] = ONE_COLOUR_EACH, **changes: object) -> Hand:
    return Hand.deal(load({**SMALL, **changes}), 0, deal)


CALLING: dict[str, Any] = {
    "partnership": "called",
    "totals": "player",
    "called_cards": 1,
    "declaration_order": ["trump", "call"],
}


def dealt(**changes: object) -> Hand:
    return Hand.deal(load(changes), 0, DEAL, NEST)


def after(hand: Hand, *texts: str) -> Hand:
    for text in texts:
        hand = hand.act(text)
    return hand


def refused(hand: Hand, text: str) -> IllegalAction:
    with pytest.raises(IllegalAction) as caught:
        hand.act(text)
    assert caught.value.reason
    assert "\n" not in caught.value.reason
    assert str(caught.value) == caught.value.reason
    return caught.value


def whole_hand(**changes: object) -> Hand:
    """Return the first of the two hands of the example, played to its end."""
    first = RECORD["hands"][0]
    hand = Hand.deal(load(changes), 3, first["deal"], first["nest"])
    return after(hand, *first["actions"])
