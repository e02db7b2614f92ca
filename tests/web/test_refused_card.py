"""What a player is told of a card that may not be played or given: the duty against it."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.hands import after
from tests.test_refusals import PLAYED, REFUSALS, UNFIT

from rookery.game import Hand
from rookery.view import led_suit, trumps_of, view_of

WHY = """async ([table, verb, card]) => {
  const { whyNot } = await import("/static/table/words.js");
  return whyNot(table, verb, card);
}"""
SAID = {
    "2 play R7": "You can't play Red 7: you have to follow Green.",
    "2 play G6": "You can't play Green 6: you have to follow Red.",
    "1 play G10": "You can't lead Green 10: no trump has been played yet.",
    "2 play R14": "You can't play Red 14: you have to play a trump.",
    "3 play Y5": "You can't play Yellow 5: you have to beat the best card so far.",
    "3 play R5": "You can't play Red 5: you have to play a trump.",
    "2 give Y10": "You can't give Yellow 10: you have to give your best card.",
    "3 give B14": "You can't give Black 14: you have to give your worst card.",
}
DUTIES = [(text, hand) for code, hand, text in REFUSALS if code == "must-follow"]


def why_not(page: Page, hand: Hand, text: str, **changed: object) -> object:
    seat, verb, card = text.split()
    view = view_of(hand, int(seat)).as_dict() | changed
    table = {"you": int(seat), "view": view, "rules": view["rules"]}
    table |= {"trumps": trumps_of(hand), "led": led_suit(hand)}
    return page.evaluate(WHY, [table, verb, card])


def test_the_duty_that_forbids_a_card_is_named(bare: Page) -> None:
    assert {text: why_not(bare, hand, text) for text, hand in DUTIES} == SAID


def test_a_new_duty_is_given_no_reason_that_is_false(bare: Page) -> None:
    """As of a rule that was added, and has no words here yet."""
    for hand, text, lawful in (
        (PLAYED, "1 play B12", "play G5"),
        (after(PLAYED, "1 play G10"), "2 play G13", "play G6"),
        (UNFIT, "2 play Y14", "play Y10"),
    ):
        said = why_not(bare, hand, text, legal=[lawful])
        assert said == "You can't choose that card now.", text
