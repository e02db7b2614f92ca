"""Long names: a record may call a player anything, and people use all the letters they may."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Browser, Page, Response, Route
from tests.server.http.served import Served
from tests.web.e2e.looks import visit
from tests.web.e2e.people import NARROW
from tests.web.e2e.sizes import faults_in_both
from tests.web.e2e.test_hall import Evening
from tests.web.test_pages import come_as, played

from rookery.server.names import NAME_MAX

__all__ = ["played"]  # a fixture

LONG = 400 * "w"
OWL = "Wren of the Seven Hills\N{OWL}"  # to a script, that owl is two letters
# The words of the row of tricks that take more than a line.
BROKEN = """() => [...document.querySelectorAll(".replay-bar .chip")].filter((one) => {
  const words = document.createRange();
  words.selectNodeContents(one);
  return words.getClientRects().length > 1;
}).map((one) => one.textContent)"""


def called(name: str, route: Route) -> None:
    """Give the server's answer as if Ann were called otherwise."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace('"Ann"', f'"{name}"'))


@pytest.mark.slow
def test_a_name_of_400_letters_makes_no_page_wide(
    chromium: Browser, here: Served, played: tuple[httpx.Client, str]
) -> None:
    browser, code = played
    context = chromium.new_context(
        base_url=here.url, locale="en-GB", service_workers="block", **NARROW
    )
    context.set_default_timeout(60_000)
    come_as(context, here, browser)
    context.route("**/api/**", lambda route: called(LONG, route))
    page = context.new_page()
    for path in ("/replay/{}", "/replay/{}/0?at=30"):
        visit(page, path.format(code))
        assert LONG in (page.locator("main").text_content() or ""), path
        assert [one[:300] for one in faults_in_both(page)] == [], path
    context.close()


def test_no_word_of_a_replay_is_broken_where_its_row_can_be_scrolled(
    chromium: Browser, here: Served, played: tuple[httpx.Client, str]
) -> None:
    context = chromium.new_context(base_url=here.url, service_workers="block", **NARROW)
    page = context.new_page()
    visit(page, f"/replay/{played[1]}/0")
    assert page.locator(".replay-bar .chip").count() > 10
    assert page.evaluate(BROKEN) == []
    context.close()


def is_named(answer: Response) -> bool:
    return answer.request.method == "POST" and answer.url.endswith("/api/session")


def test_a_name_of_as_many_letters_as_there_may_be_is_taken_whole(bare: Page, here: Served) -> None:
    assert len(OWL) == NAME_MAX
    names = [OWL, "Bob", "Cy", "Dee"]
    wanted = {"rules": "kd_tournament", "players": names}
    sheet = here.browser("Ann").post("/api/sheets", json=wanted).json()
    evening = Evening(here, names)
    for path in (f"/s/{sheet['code']}#{sheet['key']}", f"/e/{evening.code}"):
        bare.context.clear_cookies()
        bare.goto(path)
        with bare.expect_response(is_named) as told:
            bare.get_by_role("button", name=OWL).click()
        assert told.value.json()["name"] == OWL, path
