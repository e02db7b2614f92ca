"""What is said to those who listen, from the first bid to the score: a kept hand of many games.

`tests/golden/told.txt` has each step by which something was said that is new in that hand. Where
the file is missing the test writes it, and fails: what was written is to be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.laws.playing import random_action

from rookery.game import Hand
from rookery.rules import load
from rookery.view import led_suit, trumps_of, view_of

KEPT = Path(__file__).parents[1] / "golden/told.txt"
# A game, the seed of a hand, and who listens; nobody, for whoever looks on.
HANDS = [
    *(("kd_tournament", 7, 0), ("wanamingo", 7, 1), ("circus", 31, 2), ("display", 7, 0)),
    *(("rook_two_1914", 7, 1), ("rook_three_1914", 7, 2), ("call_partner_5", 7, None)),
    *(("call_partner_4", 7, 3), ("five_person_poker", 7, 4), ("low_card_no_trump", 1, 2)),
    *(("black_2", 7, 0), ("house_001", 7, 1), ("hoyle_standard", 7, 0), ("one_low_180", 7, None)),
]
NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Finn", "Gus", "Hana"]
TOLD = """async (tables) => {
  const { changes, contractText, turnText } = await import("/static/table/words.js");
  return tables.map((now, n) =>
    [turnText(now), contractText(now), ...changes(tables[n - 1] ?? null, now)]);
}"""
SUIT = "Red|Green|Yellow|Black|Spades|Hearts|Diamonds|Clubs"
CARD = rf"(?:{SUIT}) \d+|(?:\d+|Jack|Queen|King|Ace) of (?:{SUIT})|the Rook|the Joker"
WORD = rf"{CARD}|{SUIT}|\d+|{'|'.join(NAMES)}"  # what differs where the same is said


def tables(game: str, seed: int, you: int | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what was done in a hand by chance, and the table that a seat is then told of."""
    rules = load(game)
    hand, rng = Hand.shuffled(rules, 1, seed), Random(seed)
    people = [{"name": name, "kind": "person", "here": True} for name in NAMES[: rules.seats]]
    sides = None if rules.fixed_sides is None else [list(side) for side in rules.fixed_sides]
    table = {"you": you, "phase": "playing", "hand_number": 0, "seats": people, "sides": sides}
    action = "dealt"
    while True:
        view = view_of(hand, you).as_dict()
        shown = {"view": view, "rules": view["rules"], "led": led_suit(hand)}
        yield action, {**table, **shown, "trumps": trumps_of(hand)}
        if hand.over:
            return
        action = random_action(hand, rng)
        hand = hand.act(action)


def said(page: Page, game: str, seed: int, you: int | None) -> Iterator[str]:
    """Yield the steps by which something is said that is new in this hand, each in a line."""
    done = list(tables(game, seed, you))
    known: set[str] = set()
    for (action, _), lines in zip(done, page.evaluate(TOLD, [t for _, t in done]), strict=True):
        kinds = {re.sub(WORD, "*", line) for line in lines}
        if not kinds <= known:
            yield f"{action}: {' | '.join(lines)}"
        known |= kinds


def test_what_is_said_of_a_hand_is_as_it_was(bare: Page) -> None:
    found = []
    for game, seed, you in HANDS:
        found += [f"# {game}", *said(bare, game, seed, you), ""]
    if not KEPT.exists():
        KEPT.write_text("\n".join(found), "utf-8")
        pytest.fail(f"{KEPT.name} is new: read it")
    assert found == KEPT.read_text("utf-8").split("\n")
