"""The page of a group: the past of one table, and the way back to it."""

from __future__ import annotations

import asyncio
import threading

import pytest
from playwright.sync_api import Browser, expect
from tests.server.http.served import Served, table_for
from tests.web.test_pages import come_as, play


@pytest.mark.slow
def test_a_group_sees_its_past_and_meets_again(chromium: Browser, here: Served) -> None:
    ann = here.browser("Ann")
    code = table_for(ann, rules="kd_tournament", bots=["papa", "hog", "papa"], title="Friday")
    # Playwright keeps an event loop in this thread.
    thread = threading.Thread(target=lambda: asyncio.run(play(here, ann, code, 2)))
    thread.start()
    thread.join()
    context = chromium.new_context(base_url=here.url, locale="en-GB", service_workers="block")
    context.set_default_timeout(60_000)
    come_as(context, here, ann)
    page = context.new_page()
    page.goto("/stats")
    expect(page.get_by_role("region", name="Review")).to_contain_text("eight at most")
    page.get_by_role("link", name=f"Group: {code}").click()
    page.wait_for_url(f"**/group/{code}")
    hands = ann.get(f"/api/tables/{code}/hands").json()
    scores = {hand["number"]: hand["score"][hand["players"].index("Ann")] for hand in hands}
    expect(page.locator("h1")).to_have_text("Friday")
    # A face stands in a heading, but is not read out. No bot has one.
    expect(page.get_by_role("heading", level=2)).to_have_count(3)
    for name in ("Meet here again", "Ann", "Ratings"):
        expect(page.get_by_role("heading", level=2, name=name, exact=True)).to_be_visible()
    figures = page.get_by_role("region", name="Ann")
    expect(figures.locator("dd").nth(1)).to_have_text(str(len(hands)))
    best = figures.get_by_role("link")
    at = int((best.get_attribute("href") or "").rpartition("/")[2])
    assert scores[at] == max(scores.values())
    expect(best).to_have_text(f"{scores[at]:+}")
    # Nobody is rated who has not asked for it, and whoever has can take it back.
    switch = page.get_by_role("checkbox", name="Rate my play at this table")
    rated = page.get_by_role("region", name="Ratings", exact=True)
    expect(switch).not_to_be_checked()
    expect(rated.get_by_role("status")).to_have_text("Nobody is rated here.")
    switch.check()
    expect(rated.get_by_role("status")).to_have_text("One person is rated here.")
    assert ann.get(f"/api/tables/{code}/ratings").json()["mine"]
    # What was played before stays unrated.
    expect(rated.locator("table")).to_have_count(0)
    page.reload()
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(rated.get_by_role("status")).to_have_text("Nobody is rated here.")
    page.get_by_role("link", name="Go to the table").click()
    page.wait_for_url(f"**/t/{code}")
    context.close()
