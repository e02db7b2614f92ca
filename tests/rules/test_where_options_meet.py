"""Where options meet: the words say what the engine does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.hands import after, small

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


PASSES: list[tuple[Options, list[str], int | None, str, str]] = [
    (
        {},
        ["1 pass", "2 pass", "3 pass"],
        0,
        "If all the others pass, the dealer has to play for 10.",
        "Si pasan todos los demás, el que reparte tiene que jugar por 10.",
    ),
    (
        {"first_bidder": "dealer"},
        ["0 pass", "1 pass", "2 pass"],
        None,  # the last player is asked
        "If everybody passes, the dealer plays for 10.",
        "Si todos pasan, el que reparte juega por 10.",
    ),
]


@pytest.mark.parametrize(("changes", "calls", "declarer", "english", "spanish"), PASSES)
def test_it_is_said_whether_a_dealer_is_asked(
    changes: Options, calls: list[str], declarer: int | None, english: str, spanish: str
) -> None:
    hand = after(small(**changes), *calls)
    assert hand.declarer == declarer
    words = said(hand.rules, "Bidding", "Subasta")
    assert (english in words[0], spanish in words[1]) == (True, True)
