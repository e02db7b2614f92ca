"""Small games and short ways to play them, for the judge's own tests."""

from typing import Any

import pytest

from .defaults import KD_TOURNAMENT
from .errors import JudgeError
from .hand import JudgeHand


def rules(**changes: object) -> dict[str, Any]:
    """Return the tournament game with some options changed."""
    return {**KD_TOURNAMENT, **changes}


def tiny(**changes: object) -> dict[str, Any]:
    """Eight cards, the 10s and the 14s, two for each of four players: 80 points in all."""
    eight = {"ranks": [10, 14], "rook_in_deck": False, "hand_size": 2, "nest_size": 0}
    short = {"redeal": "none", "bid_minimum": 10, "bid_maximum": 20, "declaration_order": ["trump"]}
    return rules(**{**eight, **short, **changes})


ONE_COLOUR_EACH = [["R10", "R14"], ["G10", "G14"], ["Y10", "Y14"], ["B10", "B14"]]


def act(hand: JudgeHand, *texts: str) -> JudgeHand:
    for text in texts:
        hand.act(text)
    return hand


def refused(hand: JudgeHand, text: str) -> str:
    with pytest.raises(JudgeError) as caught:
        hand.act(text)
    return caught.value.code
