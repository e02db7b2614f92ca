"""An evening on a device whose clock is set during it, or whose pages are opened again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect
from tests.web.e2e.conftest import Invite
from tests.web.e2e.looks import DRAWN
from tests.web.e2e.people import Someone
from tests.web.e2e.real_evenings import CALM
from tests.web.e2e.test_hall import Evening, people

HOUR = 3_600_000  # milliseconds
TEN = 600_000
PAGES = ["", "/hall"]
SET_BACK = "(ms) => { const now = Date.now; Date.now = () => now() - ms; }"


def claimed(bo: Someone, evening: Evening) -> None:
    """Let somebody say who of the evening they are."""
    client = bo.here.browser("Bo")
    claim = {"id": f"claim-{evening.code:>016}", "change": {"do": "claim", "person": 0}}
    client.post(f"/api/evenings/{evening.code}/changes", json=claim).raise_for_status()
    bo.known(client)


def test_whoever_has_the_evening_open_is_taken_to_their_table(invite: Invite) -> None:
    bo = invite("Bo")
    evening = Evening(bo.here, people(8), screens=CALM)
    claimed(bo, evening)
    bo.page.goto(f"/e/{evening.code}")
    expect(bo.page.locator("#place-title")).to_contain_text("The first round hasn't begun")
    bo.page.evaluate(SET_BACK, HOUR)
    evening.begin(1)
    bo.page.wait_for_url("**/t/*", timeout=20_000)


def timed(bo: Someone, path: str) -> Page:
    """Return a page of an evening with a round of twenty minutes; time is the test's."""
    evening = Evening(bo.here, people(8))
    claimed(bo, evening)
    evening.begin(1)
    evening.do(do="clock", minutes=20)
    bo.page.clock.install()
    bo.page.goto(f"/e/{evening.code}{path}")
    left(bo.page, 20)
    return bo.page


def left(page: Page, minutes: int) -> None:
    """Return once so many minutes are left of a round, or a few seconds less."""
    about = re.compile(rf"\b({minutes}:00|{minutes - 1}:[2-5]\d)")
    expect(page.get_by_role("timer")).to_have_text(about)


def look(page: Page) -> None:
    """Return once the page has looked again, and shows what it was told."""
    with page.expect_response(re.compile(r"/api/evenings/\w+$")):
        page.clock.run_for(7_000)
    page.evaluate(DRAWN)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_that_is_opened_again_tells_what_is_left(invite: Invite, path: str) -> None:
    bo = invite("Bo")
    page, clock = timed(bo, path), bo.here.registry.clock
    look(page)
    for ms, minutes in (0, 20), (TEN, 10):
        clock.set(clock.now() + ms)
        page.clock.fast_forward(ms)
        # Nothing has happened since, so the browser has the same answer as before.
        look(page)
        left(page, minutes)
        page.reload()
        left(page, minutes)
        # And the next answer may be one that it had before the page was opened again.
        look(page)
        left(page, minutes)


@pytest.mark.parametrize("path", PAGES)
def test_what_is_left_is_right_though_the_clock_is_set(invite: Invite, path: str) -> None:
    page = timed(invite("Bo"), path)
    for ms in (0, HOUR, -2 * HOUR):  # right, set back, set forward
        page.evaluate(SET_BACK, ms)
        look(page)
        left(page, 20)
