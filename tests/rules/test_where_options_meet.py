"""Where options meet: the words say what the engine does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.hands import MIXED, OPEN, after, small

from rookery.cards import card_name, unpack
from rookery.engine.match import winners
from rookery.engine.score import trick_bonus
from rookery.engine.state import Hidden, State
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
    *(
        (
            {"first_bidder": first},
            calls,
            declarer,
            "the dealer plays for 10; a dealer whose turn comes last is not asked.",
            "el que reparte juega por 10; si le toca hablar en último lugar, no se le pregunta.",
        )
        for first, calls, declarer in (
            (1, ["1 pass", "2 pass", "3 pass"], 0),
            (3, ["3 pass", "0 pass", "1 pass"], None),
        )
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


GREEN, GREEN_LOW = 1, 5
LOW_CALLS: Options = {"base": "kd_full_57", "trump_calls": ["suits", "suits-low"]}
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
    (
        {**LOW_CALLS, "low_order_one": "worst"},
        GREEN_LOW,
        ["RK", "G2", "G3"],
        "the order is 2 up to 14, 1.",
        "es: de 2 a 14, 1.",
    ),
    (
        {**LOW_CALLS, "low_order_one": "best"},
        GREEN_LOW,
        ["RK", "G1", "G2"],
        "the order is 1 up to 14.",
        "es: de 1 a 14.",
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


SUN: Options = {"special_bids": [{"name": "sun", "value": 100}]}
MOON: Options = {"special_bids": [{"name": "moon", "value": 150}]}
SWEEP: Options = {"sweep_value": {"replace": 300}}
LOST = ["1 play G14", "2 play Y10", "3 play B10", "0 play R10"]
LOST += ["0 play R14", "1 play G10", "2 play Y14", "3 play B14"]
WON = ["1 play G14", "2 play Y10", "3 play B10", "0 play R10"]
WON += ["1 play G10", "2 play Y14", "3 play B14", "0 play R14"]
NO_SUN = "A sun that is made scores its own value, not a sweep."
NO_MOON = "A moon that is made scores its own value, not a sweep."
SPECIAL_BIDS: list[tuple[Options, list[str], int, str, str]] = [
    (SUN, ["1 bid sun", "1 trump red", *LOST], -100, "Bidding", "It wins or costs 100 points."),
    (
        {**SUN, "set_penalty": "double"},
        ["1 bid sun", "1 trump red", *LOST],
        -200,
        "Bidding",
        "It wins 100 points, and costs twice as much.",
    ),
    ({**SUN, **SWEEP}, ["1 bid sun", "1 trump green", *WON], 100, "Scoring", NO_SUN),
    ({**MOON, **SWEEP}, ["1 bid 20", "1 trump green", *WON], 150, "Scoring", NO_MOON),
    # The control: a plain bid is a sweep.
    (SWEEP, ["1 bid 20", "1 trump green", *WON], 300, "Scoring", "it scores 300 points instead"),
]


@pytest.mark.parametrize(("changes", "acts", "score", "title", "sentence"), SPECIAL_BIDS)
def test_a_special_bid_scores_what_the_words_say(
    changes: Options, acts: list[str], score: int, title: str, sentence: str
) -> None:
    hand = after(small(**changes), *acts)
    assert hand.score is not None
    assert hand.score[1] == score
    said = sections(hand.rules)
    assert sentence in said[title]
    assert "sweep" not in said["Scoring"] or hand.rules.sweep_value != "none"


# Who has made a contract in the last hand, the totals, who wins, and what is said.
ENDS: list[tuple[Options, int, list[int], int, str]] = [
    (
        {"own_contract_to_go_out": "yes"},
        0b1010,
        [320, 305, 320, 305],
        0b1010,
        "Reaching 300 counts only in a hand in which that side makes a contract of its own.",
    ),
    ({}, 0b1010, [320, 305, 320, 305], 0b0101, "the highest total wins."),
    (
        {"base": "rook_1906", "tie": "declarer"},
        0b0001,
        [100, 300, 300, 0],
        0,
        "the last declarer's side wins if it has one of them; otherwise another hand is played.",
    ),
    ({"base": "rook_1906", "tie": "declarer"}, 0b0010, [0, 300, 300, 0], 0b0010, "side wins if it"),
]


@pytest.mark.parametrize(("changes", "made", "totals", "won", "sentence"), ENDS)
def test_a_match_goes_to_whom_the_words_say(
    changes: Options, made: int, totals: list[int], won: int, sentence: str
) -> None:
    rules = load(changes)
    declarer = made.bit_length() - 1
    state = State(declarer=declarer, allies=made, made=1)
    assert winners(compile_rules(rules), state, totals) == won
    assert sentence in sections(rules)["End of the game"]


def test_after_a_revoke_the_others_score_what_they_have_captured() -> None:
    trick = ["1 play Y14", "2 play R14", "3 play B10", "0 play R10"]
    hand = after(small(MIXED, renege="penalised"), *OPEN, "1 trump black", *trick, "1 challenge 2")
    assert hand.score == [-10, 40, -10, 40]
    english, spanish = said(hand.rules, "End of the game", "Fin de la partida")
    assert "the others score the counters they have taken so far." in english
    assert "los demás se anotan las cartas con puntos que ya han ganado." in spanish


@pytest.mark.parametrize(
    ("partnership", "won", "each", "english", "spanish"),
    [
        ("fixed_opposite", [3, 3, 3], 6, "they share them, without fractions.", "sin fracciones."),
        ("fixed_alternate_3", [3, 3, 0], 10, "they share them.", "se reparten."),
    ],
)
def test_a_bonus_is_shared_as_the_words_say(
    partnership: str, won: list[int], each: int, english: str, spanish: str
) -> None:
    rules = load({"base": "dixie_6", "partnership": partnership, "tied_majority": "split"})
    table, state = compile_rules(rules), State(won=[*won, 0, 0, 0, 0, 0, 0])
    assert trick_bonus(table, state, Hidden(), table.partners[0], 0) == each
    words = said(rules, "Scoring", "Puntuación")
    assert (english in words[0], spanish in words[1]) == (True, True)
