"""What a table says of a hand, by what its server knows."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from tests.hands import after

from rookery.game import Hand
from rookery.rules import load
from rookery.view import view_of

OUTCOME = """async (hand) => (await import("/static/pages/replay/steps.js")).outcomeText(hand, 1)"""
WON = [
    ("kd_tournament", ["1 bid 120"], "Bob wins the auction at 120 and takes the nest."),
    ("rook_three_1914", ["1 bid 125"], "Bob wins the auction at 125."),  # it is turned up later
    ("regular_partnership", ["1 bid 120"], "Bob wins the auction at 120."),
]


@pytest.mark.parametrize(("game", "calls", "line"), WON)
def test_a_replay_says_who_takes_the_nest(
    bare: Page, game: str, calls: list[str], line: str
) -> None:
    rules = load(game)
    before = Hand.shuffled(rules, 0, 1)
    names = ["Ann", "Bob", "Cy", "Dee"][: rules.seats]
    steps = [{"view": view_of(hand, 1).as_dict()} for hand in (before, after(before, *calls))]
    hand = {"players": names, "bots": [None] * rules.seats, "seat": 1, "steps": steps}
    assert bare.evaluate(OUTCOME, {**hand, "rules": steps[0]["view"]["rules"]}) == line
