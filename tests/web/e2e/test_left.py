"""Whoever has left a page asks the server for nothing of it any more."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, WebSocket
from tests.web.e2e.looks import DRAWN, arrive
from tests.web.e2e.people import Someone
from tests.web.e2e.real_evenings import on_screens, with_cards

Invite = Callable[..., Someone]
QUIET = "/privacy"
AWHILE = 40_000  # milliseconds; every page that looks again does so within that
COMES_BACK = """() => {
  for (const name of ["online", "hashchange", "focus"]) dispatchEvent(new Event(name));
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def asked_meanwhile(page: Page) -> list[str]:
    """Return what a page asks the server for in a while, and when somebody comes back to it."""
    found: list[str] = []

    def request(one: Request) -> None:
        found.append(one.url)

    def socket(one: WebSocket) -> None:
        found.append(one.url)

    page.on("request", request)
    page.on("websocket", socket)
    for _ in range(2):
        page.clock.run_for(AWHILE)
        page.evaluate(COMES_BACK)
        page.evaluate(DRAWN)
    page.remove_listener("request", request)
    page.remove_listener("websocket", socket)
    return found


@pytest.mark.slow
def test_whoever_has_left_a_page_asks_for_nothing_of_it(invite: Invite) -> None:
    ann = invite("Ann")
    page = ann.page
    page.clock.install()
    code = ann.at_table(open=True)
    guest = ann.here.browser("Ann")
    ann.known(guest)
    paths = ["/", "/daily", f"/t/{code}", *with_cards(ann.here, guest), *on_screens(ann.here)]
    for path in paths:
        arrive(page, path, within=True)
        # The control: while it is there, it looks again.
        assert asked_meanwhile(page), path
        arrive(page, QUIET, within=True)
        assert asked_meanwhile(page) == [], path
