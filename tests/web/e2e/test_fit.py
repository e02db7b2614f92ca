"""A small phone shows a turn whole: table, question, hand and tools, and nothing hides a card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.server.http.served import Served
from tests.web.e2e.looks import COVERED, covered, faults
from tests.web.e2e.people import NARROW, PHONE, Someone
from tests.web.e2e.sizes import LANGUAGES, speaks

HEIGHT = NARROW["viewport"]["height"]
TRICKS = 2
# From two seats to eight; the longest nests and calls; a dummy; a partner card of a large deck.
VARIANTS = [
    *("rook_two_1914", "rook_three_1914", "kd_tournament", "kd_full_57", "circus", "boston"),
    *("call_partner_4", "call_partner_5", "five_person_poker", "dixie_6", "call_partner_6"),
    *("rook_1906_7", "rook_1906_8", "one_low_180"),
]
# What a person has to see at once when it is their turn.
BELOW = """() => Math.max(...[...document.querySelectorAll(".board > *")]
  .map((part) => part.getBoundingClientRect().bottom))"""
# Pairs of boxes, the first of which hides some of the second.
HIDES = """([over, under]) => {
  const all = (css) => [...document.querySelectorAll(css)];
  const boxes = (css) => all(css).map((one) => one.getBoundingClientRect());
  return boxes(over).flatMap((a) => boxes(under).filter((b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2)).length;
}"""


@pytest.fixture(scope="module")
def somebody(chromium: Browser, here: Served) -> Iterator[Someone]:
    came = Someone(chromium, here, "Maximiliana", **NARROW)
    yield came
    came.away()


def begins(somebody: Someone, rules: object) -> None:
    """Sit left of the dealer, and start."""
    somebody.goes_on(rules=rules)
    somebody.hit(somebody.page.locator(".seat-row").first.locator(".icon-button").last)
    somebody.page.wait_for_function("() => told.table.you === 1")
    somebody.hit(somebody.page.locator(".lobby .primary"))
    somebody.page.wait_for_function("() => told.table.view")


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_turn_fits_on_a_small_phone(somebody: Someone, variant: str) -> None:
    begins(somebody, variant)
    page, languages = somebody.page, LANGUAGES
    while len(somebody.table()["view"]["tricks"]) < TRICKS:
        asked = somebody.shown()
        page.evaluate("scrollTo(0, 0)")
        languages = languages[::-1]  # the next turn begins with the language of this one
        for language in languages:
            speaks(page, language)
            at = f"{language} {asked['phase']} {len(somebody.table()['view']['tricks'])}"
            assert page.evaluate(BELOW) <= HEIGHT, at
            assert page.evaluate(HIDES, [".nest-flag", ".worth"]) == 0, at
        if asked["kind"] == "play":
            keeps_its_place(somebody, asked)
        # A card has just been tapped: to tap it once more shows nothing new.
        (somebody.say if asked["kind"] == "play" else somebody.act)(asked)
    assert not somebody.faults


def keeps_its_place(somebody: Someone, asked: dict[str, Any]) -> None:
    """Tap a card and put it back: the hand stays where it is."""
    last = somebody.page.locator(".card-row.hand .card").last
    before = last.bounding_box()
    somebody.hit(somebody.card(asked["cards"][0]), card=True)
    expect(somebody.page.locator(".decide .confirm")).to_be_visible()
    after = last.bounding_box()
    assert before is not None
    assert after is not None
    assert before["y"] == pytest.approx(after["y"], abs=15)
    somebody.hit(somebody.page.locator(".decide .confirm button:not(.primary)"))


@pytest.mark.parametrize(
    ("device", "rules", "least"),
    [(NARROW, "dixie_6", 46), (NARROW, "rook_1906_8", 47), (PHONE, "call_partner_5", 60)],
    ids=["six", "eight", "five"],
)
def test_who_takes_the_trick_is_said_beside_the_cards(
    chromium: Browser, here: Served, device: dict[str, Any], rules: str, least: int
) -> None:
    ann = Someone(chromium, here, "Ann", **device)
    # A finished trick stays until it is tapped, so that there is time to look.
    stay = "localStorage.setItem('rookery.settings', JSON.stringify({ stay: 'tap' }))"
    ann.context.add_init_script(stay)
    begins(ann, rules)
    ann.until("play")
    while not ann.table()["view"]["tricks"]:
        ann.act(ann.shown())
    ann.shown()
    expect(ann.page.locator(".taken")).to_be_visible()
    lain = ann.page.locator(".lain")
    expect(lain).to_have_count(len(ann.table()["seats"]))
    assert min(lain.evaluate_all("(all) => all.map((one) => one.offsetWidth)")) >= least
    # Whoever played first, every number is in sight; the control: the other way round it is not.
    assert covered(ann.page) == []
    turned = "(all) => all.forEach((one) => { one.style.zIndex = -getComputedStyle(one).zIndex; })"
    lain.evaluate_all(turned)
    assert ann.page.evaluate(COVERED)
    assert ann.page.evaluate(HIDES, [".taken", ".lain"]) == 0
    assert ann.page.evaluate(HIDES, [".taken", ".plate"]) == 0
    assert not faults(ann.page)
    # The control: laid over the cards, as it would be without a line of its own.
    ann.page.locator(".taken").evaluate("(told) => { told.style.bottom = '40%'; }")
    assert ann.page.evaluate(HIDES, [".taken", ".lain"]) > 0
    ann.away()


ENLARGED: dict[str, Any] = {**PHONE, "viewport": {"width": 195, "height": 422}}


def test_a_phone_whose_page_is_enlarged_twice_shows_all_in_its_width(
    chromium: Browser, here: Served
) -> None:
    came = Someone(chromium, here, "Maximiliana", **ENLARGED)
    for variant in ("rook_three_1914", "kd_tournament", "five_person_poker", "rook_1906_8"):
        begins(came, variant)
        for phase in ("auction", "play"):
            came.skip_to(phase)
            assert not faults(came.page), variant
    came.away()
