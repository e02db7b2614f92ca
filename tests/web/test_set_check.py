"""Deals of a day and of an evening, checked by the browser; each is changed in every way too."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from playwright.sync_api import Browser
from tests.server.http.served import Served

from rookery import record
from rookery.fairness.day import DayDeal
from rookery.fairness.deal import deal_cards
from rookery.fairness.evening import EveningDeals
from rookery.game import Hand
from rookery.rules import load

RULES = load("kd_tournament")


def is_first(deals: EveningDeals, number: int) -> bool:
    """Return whether nobody could throw in the first cards that the key gives."""
    cards = deal_cards(RULES, f"Friday {number}", 0, deals.key, ())
    first = Hand.deal(RULES, (number - 1) % 4, cards.deal, cards.nest)
    return deals.hand(number).dealt == first.dealt


EVENING = next(
    deals
    for deals in (EveningDeals(RULES, "Friday", 5, bytes([n] * 32)) for n in range(256))
    if [is_first(deals, number) for number in range(1, 6)] == [True, True, False, True, True]
)
DAY = DayDeal(RULES, "2026-11-23", "four", EVENING.key)
CHECK = """
async (text) => {
  const { checked } = await import("/static/fairness/record_check.js");
  return checked(text);
}
"""
Change = Callable[[dict[str, Any]], None]


def kept(hands: list[tuple[Hand, dict[str, Any]]]) -> dict[str, Any]:
    written = []
    for hand, proof in hands:
        one = record.of_hand(hand)
        one.extra["proof"] = proof
        written.append(one)
    rules = record.written_rules(RULES)
    found: dict[str, Any] = json.loads(record.dumps(record.Record(RULES, rules, None, written)))
    return found


def evening() -> dict[str, Any]:
    numbers = range(1, EVENING.boards + 1)
    return kept([(EVENING.hand(n), EVENING.proof(n, ended=True)) for n in numbers])


def daily() -> dict[str, Any]:
    return kept([(DAY.hand(), DAY.proof(ended=True))])


def exchanged(hand: dict[str, Any]) -> None:
    first, second = hand["deal"][:2]
    first[0], second[0] = second[0], first[0]


CHANGES: dict[str, tuple[Change, str]] = {
    "key": (lambda hand: hand["proof"].update(key=bytes(range(32)).hex()), "key_wrong"),
    "commitment": (lambda hand: hand["proof"].update(commitment="0" * 64), "key_wrong"),
    "rules": (lambda hand: hand["proof"].update(rules="0" * 64), "key_wrong"),
    "cards": (exchanged, "cards_wrong"),
    "dealer": (lambda hand: hand.update(dealer=(hand["dealer"] + 1) % 4), "cards_wrong"),
    "no key": (lambda hand: hand["proof"].update(key=None), "no_proof"),
}
OF_EVENINGS: dict[str, tuple[Change, str]] = {
    "name": (lambda hand: hand["proof"].update(evening="Saturday"), "key_wrong"),
    "boards": (lambda hand: hand["proof"].update(boards=6), "key_wrong"),
    "number": (lambda hand: hand["proof"].update(number=2), "cards_wrong"),
    "another deal": (lambda hand: hand["proof"].update(number=9), "cards_wrong"),
}


@pytest.fixture
def check(chromium: Browser, here: Served) -> Callable[[dict[str, Any]], list[str]]:
    page = chromium.new_page(base_url=here.url)
    page.goto("/fair")

    def checked(found: dict[str, Any]) -> list[str]:
        verdicts = page.evaluate(CHECK, json.dumps(found))
        return [f"{one['key'].removeprefix('fair.')} {one['good']}" for one in verdicts]

    return checked


def test_what_was_dealt_as_promised_fits_and_nothing_else(
    check: Callable[[dict[str, Any]], list[str]],
) -> None:
    for sound, more in ((evening(), OF_EVENINGS), (daily(), {})):
        # Of the third one the rules throw in the first cards, which no page can know.
        every = [*["fits True"] * 2, "later_deal None", *["fits True"] * 2][: len(sound["hands"])]
        assert check(sound) == every
        for name, (change, verdict) in {**CHANGES, **more}.items():
            wrong = deepcopy(sound)
            change(wrong["hands"][0])
            good = None if verdict == "no_proof" else False
            assert check(wrong)[0] == f"{verdict} {good}", name
            assert check(wrong)[1:] == every[1:]
