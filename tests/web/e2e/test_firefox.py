"""A first game in Firefox ESR: nothing here is Chromium's alone."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest
from tests.server.http.served import Served
from tests.web.e2e.firefox import PATIENCE, Firefox, firefox
from tests.web.kit import kit_or_skip

# Somebody has won a trick.
WON = "[...document.querySelectorAll('.plate-facts')].some((one) => /✓[1-9]/.test(one.textContent))"
ASKED = (
    ".notes .hint .primary",  # the first game waits after the auction
    *('.decide [data-action="pass"]', ".decide [data-action]", ".decide .confirm .primary"),
    # Enough cards are chosen for a discard, or a hand is over, before another card is touched.
    *(".discard .primary", ".over .next .primary", ".card-row.hand .card.open:not(.picked)"),
)


@pytest.fixture(scope="module")
def window() -> Iterator[Firefox]:
    with firefox() as opened:
        if opened is None:
            if os.environ.get("CI"):
                pytest.fail("this test needs firefox-esr on the path")
            pytest.skip("no firefox-esr on the path")
        yield opened


@pytest.mark.slow
@pytest.mark.parametrize("size", [(360, 740), (1280, 800)], ids=["phone", "desktop"])
def test_somebody_plays_against_bots(here: Served, window: Firefox, size: tuple[int, int]) -> None:
    window.size(*size)
    window.goto(here.url)
    window.until("document.querySelector('main .ways.others button:not([disabled])')")
    window.wrong.clear()  # what the page before was still fetching is no fault of this one
    if window.press("main input"):
        window.write("Fen")
    end = time.monotonic() + 4 * PATIENCE
    # What still comes moves the rest down: a click may miss.
    while not window.tell("location.pathname.startsWith('/t/')"):
        assert time.monotonic() < end, window.tell("document.body.innerText")
        if not window.press("button", words="Play "):
            time.sleep(0.1)
    window.until("document.querySelectorAll('.card-row.hand .card').length >= 5")
    assert window.tell("document.documentElement.scrollWidth <= innerWidth")
    while not window.tell(WON):
        assert time.monotonic() < end, window.tell("document.body.innerText")
        if not window.press(*ASKED):
            time.sleep(0.1)
    assert not window.wrong


MAKE = "Make this device ready"
PLAY = "Play now against bots"
CHOSEN = "JSON.stringify({ newcomer: false, pace: 'instant' })"
KNOWS_BIDS = f"(localStorage['rookery.settings'] = {CHOSEN}) && true"
HAND = "[...document.querySelectorAll('.card-row.hand .card')].map((one) => one.textContent).join()"
# The cards of a hand may be drawn after the plates, which already know how many there are.
SETTLED = """`▮${document.querySelectorAll('.card-row.hand .card').length}` ===
  document.querySelector('.plate:has(.tag.you) .plate-facts [aria-hidden]')?.textContent"""


@pytest.mark.slow
def test_a_device_is_made_ready_plays_and_goes_on_after_a_reload(
    here: Served, window: Firefox
) -> None:
    kit_or_skip()
    window.size(360, 740)
    window.goto(f"{here.url}/offline")
    window.tell(KNOWS_BIDS)
    window.until("[...document.querySelectorAll('main button')].some((one) => !one.disabled)")
    window.wrong.clear()
    window.press("main button", words=MAKE)
    window.until("document.querySelector('main input[name=name]')")
    while not window.press("main button", words=PLAY):
        time.sleep(0.1)
    window.until("location.pathname.startsWith('/t/')")
    window.until("document.querySelectorAll('.card-row.hand .card').length >= 5")
    code = window.tell("location.pathname").rpartition("/")[2]
    assert not here.registry.is_awake(code)  # the server knows nothing of it
    end = time.monotonic() + 4 * PATIENCE
    while not window.tell(WON):
        assert time.monotonic() < end, window.tell("document.body.innerText")
        if not window.press(*ASKED):
            time.sleep(0.1)
    window.until(SETTLED)
    before = window.tell(HAND)
    window.goto(window.tell("location.href"))
    # A card that was pressed last may have been on its way; all others are there.
    held = before.split(",")
    same = f"cards.length >= {len(held) - 1} && cards.every((one) => {held}.includes(one))"
    window.until(f"{SETTLED} && ((cards) => {same})({HAND}.split(','))")
    before = window.tell(HAND)
    # What is drawn at once is what was seen last; what is played then needs the table itself.
    while window.tell(HAND) == before:
        assert time.monotonic() < end, window.tell("document.body.innerText")
        if not window.press(*ASKED):
            time.sleep(0.1)
    assert not window.wrong


def test_what_a_script_does_wrong_is_heard(here: Served, window: Firefox) -> None:
    window.goto(here.url)
    window.tell("setTimeout(() => nobodyKnowsThis(), 0) && true")
    end = time.monotonic() + PATIENCE
    while not any("nobodyKnowsThis" in one for one in window.wrong):
        assert time.monotonic() < end
        window.tell("0")
