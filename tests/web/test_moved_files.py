"""A file that a newer version has elsewhere, or no more: a page that is open gets over it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

FILE = "**/static/pages/rules/rules.js"
START = re.compile(r"/$")
GO = "() => import('/static/core/router.js').then(({ go }) => go('/rules'))"


def test_a_file_that_has_moved_is_found_once_the_page_is_loaded_anew(bare: Page) -> None:
    bare.route(FILE, lambda route: route.fulfill(status=404))
    bare.evaluate("() => { window.isOld = true; }")
    bare.evaluate(GO)
    again = bare.get_by_role("button", name="Try again")
    # Once it may have been the network, and the page loses nothing.
    with bare.expect_response(FILE), bare.expect_response(START):
        again.click()
    expect(again).to_be_visible()
    assert bare.evaluate("isOld")
    with bare.expect_event("load"):
        again.click()
    bare.unroute(FILE)
    bare.reload()
    expect(bare.get_by_role("heading", name="Rules", exact=True)).to_be_visible()


def test_a_page_that_reaches_no_server_is_not_given_up(bare: Page) -> None:
    bare.route("**/*", lambda route: route.abort())
    bare.evaluate("() => { window.isOld = true; }")
    bare.evaluate(GO)
    again = bare.get_by_role("button", name="Try again")
    for _ in range(3):
        with bare.expect_event("requestfailed", lambda request: bool(START.search(request.url))):
            again.click()
    bare.unroute_all()
    again.click()
    expect(bare.get_by_role("heading", name="Rules", exact=True)).to_be_visible()
    assert bare.evaluate("isOld")
