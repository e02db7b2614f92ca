"""What a table says of a hand, by what its server knows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.hands import MIXED, OPEN, SMALL, after, small

from rookery.game import Hand
from rookery.rules import load
from rookery.view import led_suit, trumps_of, view_of

# The second player holds a green card and another.
FOLLOWS = [["R10", "B14"], ["G10", "Y14"], ["G14", "Y10"], ["B10", "R14"]]

OUTCOME = """async (hand) => (await import("/static/pages/replay/steps.js")).outcomeText(hand, 1)"""
WON = [
    ("kd_tournament", "1 bid 120", "Bob wins the auction at 120 and takes the nest."),
    ("rook_three_1914", "1 bid 125", "Bob wins the auction at 125."),  # it is turned up later
    ("regular_partnership", "1 bid 120", "Bob wins the auction at 120."),
]


def test_a_replay_says_who_takes_the_nest(bare: Page) -> None:
    for game, call, line in WON:
        rules = load(game)
        before = Hand.shuffled(rules, 0, 1)
        names = ["Ann", "Bob", "Cy", "Dee"][: rules.seats]
        steps = [{"view": view_of(hand, 1).as_dict()} for hand in (before, after(before, call))]
        hand = {"players": names, "bots": [None] * rules.seats, "seat": 1, "steps": steps}
        assert bare.evaluate(OUTCOME, {**hand, "rules": steps[0]["view"]["rules"]}) == line


LINE = """async (table) => (await import("/static/table/words.js")).myTurn(table)"""
GREEN_LED = [*OPEN, "1 trump yellow", "1 play G10"]
LINES: list[tuple[dict[str, object], list[list[str]], str]] = [
    # Seat 2 holds a green card and may play the other: that would be a revoke.
    ({"renege": "penalised"}, FOLLOWS, "Your turn: play a card."),
    ({}, FOLLOWS, "Your turn: follow Green."),
    ({}, MIXED, "Your turn: play any card."),
]


def test_nobody_is_told_to_play_any_card_who_has_to_follow(bare: Page) -> None:
    for changes, deal, line in LINES:
        hand = after(small(deal, **changes), *GREEN_LED)
        view = view_of(hand, 2).as_dict()
        table = {"you": 2, "view": view, "rules": view["rules"], "led": led_suit(hand)}
        assert bare.evaluate(LINE, {**table, "trumps": trumps_of(hand)}) == line


LED = """async (card) => {
  const { ledName } = await import("/static/table/words.js");
  const view = { trick: [{ card }] };
  return ledName({ led: "trump", view, rules: { options: { pack: "rook" } } }, { suit: null });
}"""


def test_a_lone_trump_that_is_led_is_the_rook_only_where_it_is(bare: Page) -> None:
    assert bare.evaluate(LED, "RK") == "trump (the Rook was led)"
    assert bare.evaluate(LED, "R1") == "trump"


NOBODY = ["1 pass", "2 pass", "3 pass", "0 pass"]
SAYS = """async (tables) => {
  const { changes, contractText } = await import("/static/table/words.js");
  return [contractText(tables[1]), changes(...tables)];
}"""


@pytest.mark.parametrize("play_on", [True, False])
def test_a_hand_without_a_contract_is_said_to_have_none(bare: Page, play_on: bool) -> None:
    hand = small(all_pass="no_contract" if play_on else "redeal")
    seats = [{"name": name, "kind": "person", "here": True} for name in ("Ann", "Bob", "Cy", "Dee")]
    tables = []
    for now in (after(hand, *NOBODY[:3]), after(hand, *NOBODY)):
        view = view_of(now, 2).as_dict()
        table = {"you": 2, "view": view, "rules": view["rules"], "seats": seats, "sides": None}
        tables.append({**table, "phase": "playing", "hand_number": 0, "trumps": [], "led": None})
    line, told = bare.evaluate(SAYS, tables)
    said = "Nobody bid: no trump, no contract"
    assert line == (said if play_on else "")
    assert (said in told) == play_on
    assert "Ann passes." in told


TAKEN = """async ([table, trick]) =>
  (await import("/static/table/words.js")).trickText(table, trick)"""
TRICKS = [
    ("green", "RK", "Cy takes the trick: the black 2 beats the Rook."),
    ("black", "RK", "Cy takes the trick: the black 2 beats the Rook."),
    ("green", "R2", "Ann takes the trick with a trump."),
    ("yellow", "R2", "Bob takes the trick."),
]


def told_of(page: Page, deal: list[list[str]], nest: str, *actions: str) -> str:
    """Return what is said of the first trick, where the black 2 beats the Rook."""
    rook = {"ranks": [2, 10], "rook_in_deck": True, "nest_size": 1, "black_2": "beats_rook"}
    dealt = Hand.deal(load({**SMALL, **rook}), 0, deal, [nest])
    hand = after(dealt, *OPEN, f"1 discard {nest}", *actions)
    view = view_of(hand, 0).as_dict()
    seats = [{"name": name, "kind": "person"} for name in ("Ann", "Bob", "Cy", "Dee")]
    table = {"seats": seats, "view": view, "rules": view["rules"], "trumps": trumps_of(hand)}
    return str(page.evaluate(TAKEN, [table, view["tricks"][0]]))


def test_it_is_said_that_the_black_2_has_beaten_the_rook(bare: Page) -> None:
    deal = [["G10", "R10"], ["B10", "Y2"], ["B2", "Y10"], ["RK", "R2"]]
    for suit, third, line in TRICKS:
        played = ["1 play B10", "2 play B2", f"3 play {third}", "0 play G10"]
        assert told_of(bare, deal, "G2", f"1 trump {suit}", *played) == line


def test_a_black_2_that_takes_a_trick_without_the_rook_has_not_beaten_it(bare: Page) -> None:
    deal = [["G10", "R10"], ["B2", "Y2"], ["Y10", "R2"], ["RK", "G2"]]
    played = ["1 play B2", "2 play Y10", "3 play G2", "0 play G10"]
    assert told_of(bare, deal, "B10", "1 trump red", *played) == (
        "Bob takes the trick: Black was led."
    )


CALLS = {
    "0 bid 75": "Ann bids 75.",
    "1 bid sun": "Bob bids Sun.",
    "0 pass": "Ann passes.",
    "1 redeal": "Bob asks for a new deal.",
    "0 trump spades": "Ann names trump: Spades.",
    "1 trump notrump-low": "Bob names trump: No trump, low cards best.",
    "0 rook high": "Ann ranks the Rook high.",
    "1 rook low": "Bob ranks the Rook low.",
    "0 call S7 JK": "Ann calls 7 of Spades and the Joker.",
    "1 leader 0": "Bob lets Ann lead.",
    "1 leader 1": "Bob leads.",
    "0 challenge 1": "Ann claims that Bob revoked.",
    # What is said of cards is said of the trick and of the hand.
    "0 play S7": "",
    "1 discard S7": "",
    "0 give S7": "",
}
SAYS_CALLS = """async (texts) => {
  const { callText } = await import("/static/table/words.js");
  const seats = ["Ann", "Bob"].map((name) => ({ name, kind: "person" }));
  const table = { seats, rules: { options: { pack: "standard" } } };
  return texts.map((text) => callText(table, text));
}"""


def test_every_call_is_said(bare: Page) -> None:
    assert dict(zip(CALLS, bare.evaluate(SAYS_CALLS, list(CALLS)), strict=True)) == CALLS
