"""Puzzles to look at, and pairs of hands that their seat cannot tell apart."""

from __future__ import annotations

from typing import Final

from tests.search.test_secrets import known_to

from rookery.game import Hand
from rookery.puzzles.puzzle import Puzzle
from rookery.puzzles.shelf import shelf

STEP: Final = 17
SAMPLE: Final[tuple[Puzzle, ...]] = shelf()[::STEP]


def closed(hand: Hand) -> list[int]:
    """Return the cards that the seat to act has not seen."""
    me, hidden = hand.to_act or 0, hand.hidden
    return [
        card
        for place, cards in enumerate((*hidden.hand, hidden.nest))
        for card in range(57)
        if cards >> card & 1 and place not in (me, hand.turn, hand.dummy)
    ]


def cannot_tell(hand: Hand, other: Hand) -> bool:
    """Return whether two different hands look the same to the seat that acts in both."""
    me = hand.to_act or 0
    same = other.state == hand.state and known_to(me, hand) == known_to(me, other)
    return same and other.hidden != hand.hidden
