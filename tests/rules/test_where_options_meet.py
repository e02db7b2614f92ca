"""Where options meet: the words say what the engine does."""

from __future__ import annotations

from typing import Any

from tests.hands import after

from rookery.game import Hand
from rookery.rules import Rules, load, sections

Options = dict[str, Any]


def said(rules: Rules, title: str, spanish: str) -> tuple[str, str]:
    return sections(rules)[title], sections(rules, "es")[spanish]


BLIND: Options = {
    "base": "rook_two_1914",
    "ranks": [10, 14],
    "hand_size": 2,
    "nest_size": 2,
    "bid_maximum": 80,
}


def test_after_a_trick_of_the_blind_hand_the_same_player_leads_again() -> None:
    rules = load(BLIND)
    deal = [["G10", "Y10"], ["G14", "R10"], ["R14", "Y14"]]
    hand = Hand.deal(rules, 0, deal, ["B10", "B14"])
    hand = after(hand, "1 pass", "0 trump red", "0 discard B10 B14", "1 play G14", "0 play G10")
    assert (hand.tricks[0].winner, hand.leader) == (2, 1)
    english, spanish = said(rules, "Players", "Jugadores")
    assert "a trick it wins counts for nobody: whoever led to it leads again." in english
    assert "no cuenta para nadie: quien salió en ella vuelve a salir." in spanish
