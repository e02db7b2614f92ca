"""Where options meet: the words say what the engine does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.hands import after, small

from rookery.cards import card_name, unpack
from rookery.game import Hand
from rookery.rules import Rules, load, sections
from rookery.rules.order import NOTRUMP, SUITS, TRUMP
from rookery.rules.table import compile_rules

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


def trumps(rules: Rules, call: int) -> list[str]:
    """Return the trumps after a call, the best first."""
    table = compile_rules(rules)
    cards = [*unpack(table.mask[call * SUITS + TRUMP])]
    cards.sort(key=lambda card: -table.strength[call * 57 + card])
    return [card_name(card, rules.pack) for card in cards]


GREEN = 1
SPECIAL: list[tuple[Options, int, list[str], str, str]] = [
    # The controls are the games of the catalogue.
    ({"base": "red_1"}, GREEN, ["R1", "RK", "G14"], "always a trump, above the Rook.", "del Rook."),
    ({"base": "red_2"}, GREEN, ["RK", "R2", "G1"], "next below the Rook.", "debajo del Rook."),
    (
        {"base": "red_1", "rook_rank": "bottom"},
        GREEN,
        ["R1", "G14"],
        "The red 1 is always a trump, above all the others.",
        "El 1 rojo es siempre triunfo, por encima de todos los demás.",
    ),
    (
        {"base": "red_1", "rook_in_deck": False, "nest_size": 5, "bid_maximum": 130},
        GREEN,
        ["R1", "G14"],
        "The red 1 is always a trump, above all the others.",
        "El 1 rojo es siempre triunfo, por encima de todos los demás.",
    ),
    (
        {"base": "red_2", "rook_rank": "10.5", "red_1": "top_trump", "black_2": "top_trump"},
        GREEN,
        ["B2", "R1", "R2", "G1"],
        "The red 1 is always a trump, above all the others but the black 2.",
        "por encima de todos los demás salvo el 2 negro.",
    ),
    (
        {"base": "red_2", "rook_rank": "bottom"},
        GREEN,
        ["R2", "G1"],
        "The red 2 is always a trump, above the trump colour.",
        "El 2 rojo es siempre triunfo, por encima del color de triunfo.",
    ),
    (
        {"base": "red_1", "trump_calls": ["suits", "notrump"]},
        NOTRUMP,
        ["R1", "RK"],
        "At no trump the Rook and the red 1 are the only trumps.",
        "Si se juega sin triunfo, el Rook y el 1 rojo son los únicos triunfos.",
    ),
    (
        {"trump_calls": ["suits", "notrump"]},
        NOTRUMP,
        ["RK"],
        "At no trump the Rook is the only trump;",
        "Si se juega sin triunfo, el Rook es el único triunfo;",
    ),
]


@pytest.mark.parametrize(("changes", "call", "best", "english", "spanish"), SPECIAL)
def test_special_cards_rank_where_the_words_say(
    changes: Options, call: int, best: list[str], english: str, spanish: str
) -> None:
    rules = load(changes)
    assert trumps(rules, call)[: len(best)] == best
    words = said(rules, "Trump", "Triunfo")
    assert (english in words[0], spanish in words[1]) == (True, True), words


@pytest.mark.parametrize(("changes", "low"), [({}, False), ({"red_1": "off"}, True)])
def test_a_red_1_that_is_always_a_trump_is_never_the_worst_card(
    changes: Options, low: bool
) -> None:
    rules = load({"base": "red_1", "trump_calls": ["suits", "suits-low"], **changes})
    words = said(rules, "Trump", "Triunfo")
    assert ("The 1 is then the worst card." in words[0]) == low
    assert ("El 1 es entonces la peor carta." in words[1]) == low


@pytest.mark.parametrize(("bans", "trumps_first"), [([], True), (["trumps"], False)])
def test_banned_trumps_do_not_go_first(bans: list[str], trumps_first: bool) -> None:
    three: Options = {"partnership": "alone", "totals": "player", "seats": 3}
    three |= {"hand_size": 17, "nest_size": 6, "discard_ban": ["counters_unless_forced", *bans]}
    words = said(load({"base": "one_low_180", **three}), "Nest", "Nido")
    assert ("counters that are trumps go first" in words[0]) == trumps_first
    assert ("que son triunfos" in words[1]) == trumps_first
