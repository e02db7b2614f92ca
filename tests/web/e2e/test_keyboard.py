"""A whole hand without a mouse, and what a screen reader says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.web.e2e.looks import DRAWN
from tests.web.e2e.people import Asked, Someone, boldest

from rookery import record

Invite = Callable[..., Someone]

SUITS = {"R": "Red", "G": "Green", "Y": "Yellow", "B": "Black"}
FOCUSED = """(css) => {
  const here = document.activeElement;
  return Boolean(here && here !== document.body && here.matches(css));
}"""
VISIBLE = """() => {
  const here = document.activeElement;
  return here.matches(":focus-visible") && here.getBoundingClientRect().width > 0;
}"""
CHANGE = """(some) => import("/static/core/settings.js").then(({ change }) => change(some))"""


class Keys:
    """Somebody who has a keyboard and nothing else."""

    def __init__(self, someone: Someone) -> None:
        self.page = someone.page
        self.someone = someone

    def on(self, css: str) -> bool:
        return bool(self.page.evaluate(FOCUSED, css))

    def tab_to(self, css: str) -> None:
        expect(self.page.locator(css).first).to_be_enabled()
        for _ in range(80):
            if self.on(css):
                assert self.page.evaluate(VISIBLE), css
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never came to {css}")

    def to_card(self, card: str) -> None:
        if not self.on(".card-row.hand .card"):
            self.page.keyboard.press("g")
        for _ in range(20):
            if self.on(f'[data-card="{card}"]'):
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError(f"the arrows never came to {card}")

    def act(self, asked: Asked) -> str:
        """Do what is asked by keys alone; of a hand that is over, go on to the next."""
        if asked["kind"] == "done":
            self.tab_to(".over .next .primary")
            self.page.keyboard.press("Enter")
            self.someone.moved(asked["seq"])
            return "next"
        action = boldest(asked)
        verb, *cards = action.split()
        if verb == "play":
            self.to_card(cards[0])
            self.page.keyboard.press("Enter")
        elif verb == "discard":
            for card in cards:
                self.to_card(card)
                self.page.keyboard.press("Space")
            self.tab_to(".discard .primary")
            self.page.keyboard.press("Enter")
        else:
            self.tab_to(f'.decide [data-action="{action}"]')
            self.page.keyboard.press("Enter")
        self.someone.moved(asked["seq"])
        return action


def spoken(card: str) -> str:
    return "the Rook" if card == "RK" else f"{SUITS[card[0]]} {card[1:]}"


def test_a_hand_is_played_by_keys_and_every_card_is_said_aloud(invite: Invite) -> None:
    ann = invite("Ann")
    code = ann.hosts(rules="kd_tournament", bots=["papa", "hog", "club"])
    keys = Keys(ann)
    keys.tab_to('button[aria-label="Move Ann one seat down"]')
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_function("() => told.table.you === 1")
    keys.tab_to(".lobby .primary.big")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_function("() => told.table.view")
    while True:
        asked = ann.shown()
        if asked["hand"] != 0 or asked["kind"] == "over":
            break
        keys.act(asked)
    told = record.loads(ann.page.request.get(f"/api/tables/{code}/record").body())
    seats = ann.table()["seats"]
    names = [seat["name"] for seat in seats]
    pair = [seat["name"] for seat in seats if seat["bot"] in ("papa", "hog")]
    acts = [action.split() for action in told.hands[0].actions]
    lines = [f"{names[int(act[0])]} played {spoken(act[2])}." for act in acts if act[1] == "play"]
    at = 0
    for line in lines:
        # What comes close together is said a moment later, as one.
        ann.page.wait_for_function(
            "([line, at]) => told.heard.join(' ').includes(line, at)", arg=[line, at]
        )
        at = " ".join(ann.page.evaluate("told.heard")).index(line, at)
    for words in (
        "Your turn: bid or pass.",
        "Ann bids 120.",
        "Ann wins the auction at 120 and takes the nest.",
        "Your turn: discard 5 cards.",
        "Your turn: name trump.",
        "takes the trick",
        "Your turn: follow ",
        "dealt. Your hand: ",
        f"{pair[0]} and {pair[1]}: ",
    ):
        ann.heard(words)


def test_letters_open_what_they_say_and_can_be_turned_off(invite: Invite) -> None:
    ann = invite("Ann")
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.skip_to("play")
    ann.say(ann.shown())
    ann.shown()
    lain = ann.page.locator(".trick .unseen").first.text_content() or ""
    assert re.search(r": ((Red|Green|Yellow|Black) \d+|the Rook)$", lain), lain
    titles: dict[str, Any] = {"r": "Kentucky Discard", "l": "Last trick", "?": "Keyboard"}
    for key, title in titles.items():
        ann.page.keyboard.press(key)
        heading = ann.page.locator("dialog[open] h2").first
        expect(heading).to_contain_text(title)
        ann.page.keyboard.press("Escape")
        ann.page.wait_for_function("() => !document.querySelector('dialog')")
    ann.page.keyboard.press("h")
    ann.page.locator(".notes .hint").wait_for()
    assert any('"type":"hint"' in frame for frame in ann.frames())
    ann.press("Settings")
    ann.page.get_by_label("Single-letter keyboard shortcuts").uncheck()
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator("dialog")).to_have_count(0)
    ann.page.keyboard.press("r")
    ann.page.evaluate(DRAWN)
    assert ann.page.locator("dialog").count() == 0
    hints = [json.loads(one) for one in ann.frames() if '"type":"hint"' in one]
    assert len(hints) == 1


@pytest.mark.parametrize("confirm", ["always", "touch"])
def test_the_letter_that_passes_is_confirmed_as_the_button_is(invite: Invite, confirm: str) -> None:
    ann = invite("Ann")
    ann.at_table(left_of_dealer=True, rules="kd_tournament", bots=["papa"] * 3)
    asked = ann.shown()
    ann.page.evaluate(CHANGE, {"confirm": confirm})
    ann.page.keyboard.press("p")
    if confirm == "always":
        button = ann.page.locator('.decide [data-action="pass"]')
        expect(button).to_be_focused()
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(ann.page.locator(".decide .confirm .primary")).to_be_visible()
        assert ann.table()["seq"] == asked["seq"]
        ann.page.keyboard.press("p")
    ann.moved(asked["seq"])
    assert "1 pass" in ann.table()["view"]["calls"]


TRICK = """([winner, cards, trumps, call]) =>
 import("/static/table/words.js").then(({ trickText }) =>
  trickText({ trumps, view: { call }, rules: { options: { pack: "rook", ones: "high" } },
      seats: [{ name: "Ann" }, { name: "Bob" }] },
    { winner, cards: cards.map((card, place) => ({ place, card })) }))"""


def test_a_trick_says_by_what_it_was_taken(invite: Invite) -> None:
    page = invite("Ann").page
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()  # with the words

    def said(winner: int, cards: list[str], call: str = "green") -> object:
        return page.evaluate(TRICK, [winner, cards, ["G10", "G14", "ROOK"], call])

    assert said(1, ["B11", "G10"]) == "Bob takes the trick with a trump."
    assert said(1, ["B11", "B14"]) == "Bob takes the trick."
    assert said(0, ["G14", "G10"]) == "Ann takes the trick."
    assert said(0, ["B14", "R14"]) == "Ann takes the trick."
    # A higher card of another suit lost, and why is said. A 1 is higher than a 14 here.
    assert said(0, ["R13", "B14"]) == "Ann takes the trick: Red was led."
    assert said(0, ["R14", "B1"]) == "Ann takes the trick: Red was led."
    assert said(1, ["R12", "R13", "Y14"]) == "Bob takes the trick: Red was led."
    assert said(1, ["R12", "R13", "Y9"]) == "Bob takes the trick."
    # Where low cards win nobody is surprised by that.
    assert said(0, ["R13", "B14"], "green-low") == "Ann takes the trick."
