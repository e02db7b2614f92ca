"""Ratings with strangers in a real browser: off, switched on, and told where strangers sit."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from playwright.sync_api import Browser, expect
from tests.server.http.served import Served
from tests.server.http.test_match import a_match
from tests.server.http.test_stranger_ratings import WHERE, quick, told
from tests.web.e2e.looks import visit
from tests.web.e2e.people import DESKTOP
from tests.web.e2e.sizes import faults_in_both
from tests.web.test_pages import come_as

# What the section and the table's part of it are called, and what is said while nobody is rated.
WORDS = {
    "en": ("Ratings with strangers", "Strangers at this table", "You are not rated."),
    "es": ("Valoraciones con desconocidos", "Desconocidos en esta mesa", "No se te valora."),
}
SPEAKS = """(language) =>
  import("/static/core/settings.js").then(({ change }) => change({ language }))"""


@pytest.mark.slow
def test_whoever_wants_it_is_rated_with_strangers(chromium: Browser, here: Served) -> None:
    four = [here.browser(name) for name in ("Ann", "Bob", "Cid", "Dee")]
    ann, bob = four[:2]
    context = chromium.new_context(base_url=here.url, service_workers="block", **DESKTOP)
    context.set_default_timeout(60_000)
    come_as(context, here, ann)
    page = context.new_page()
    visit(page, "/stats")
    for lang, (title, _, off) in WORDS.items():
        page.evaluate(SPEAKS, lang)
        section = page.get_by_role("region", name=title).first
        switch = section.get_by_role("checkbox")
        expect(switch).not_to_be_checked()
        expect(section.get_by_role("status")).to_contain_text(off)
    switch.check()
    expect(section.get_by_role("status")).not_to_contain_text(off)
    assert told(ann)["on"]
    bob.put(WHERE, json={"on": True})
    codes: list[str] = []

    def run() -> None:  # Playwright keeps an event loop in this thread
        codes.append(quick(here, four))
        asyncio.run(a_match(here, four, codes[0]))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    while not told(ann)["mine"]:
        time.sleep(0.05)
    page.reload()
    expect(section.locator("tbody tr")).to_have_count(1)
    assert not faults_in_both(page)
    visit(page, f"/group/{codes[0]}")
    for lang, (_, title, _) in WORDS.items():
        page.evaluate(SPEAKS, lang)
        beside = page.get_by_role("region", name=title).first
        # The two others have not asked for it.
        expect(beside.locator("tbody tr")).to_have_count(2)
        expect(beside).to_contain_text("Bob")
        expect(beside).not_to_contain_text("Cid")
    assert not faults_in_both(page)
    visit(page, "/stats")
    switch.uncheck()
    expect(section.locator("tbody")).to_have_count(0)
    assert told(bob, codes[0])["others"] == []
    context.close()
