"""Whoever reads Spanish is told in Spanish what the server has to say as well."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.http.served import Served, table_for
from tests.web.test_pages import come_as, play


@pytest.fixture
def page(chromium: Browser, here: Served) -> Iterator[Page]:
    opened = chromium.new_context(base_url=here.url, locale="es-ES", service_workers="block")
    opened.set_default_timeout(60_000)
    yield opened.new_page()
    opened.close()


def test_what_does_not_fit_is_told_as_it_is_typed(page: Page) -> None:
    page.goto("/rules/edit?base=kd_tournament")
    page.locator("#option-seats").fill("5")
    said = page.locator("#option-partnership-problem")
    expect(said).to_have_text(
        "5 jugadores no pueden sentarse en parejas enfrentadas; pon 4, 6 u 8 asientos",
        use_inner_text=True,
    )
    page.locator("#option-seats").fill("4")
    expect(said).to_have_count(0)


@pytest.mark.slow
def test_no_bot_has_an_english_name_in_a_replay(page: Page, here: Served) -> None:
    browser = here.browser("Ann")
    code = table_for(browser, rules="kd_tournament", bots=["hog", "rabbit", "hog"])
    # Playwright keeps an event loop in this thread.
    thread = threading.Thread(target=lambda: asyncio.run(play(here, browser, code, 1)))
    thread.start()
    thread.join()
    come_as(page.context, here, browser)
    page.goto(f"/replay/{code}/0")
    places = page.locator(".replay-place")
    expect(places.first).to_contain_text("Ann")
    birds = browser.get(f"/api/tables/{code}/hands").json()[0]["players"][1:]
    for place, name in enumerate(birds, 1):
        expect(places.nth(place)).to_contain_text(name)
    expect(page.locator("main")).not_to_contain_text("rabbit")
    page.goto(f"/replay/{code}")
    expect(page.locator("main")).not_to_contain_text("hog")


def test_whoever_asks_to_be_forgotten_is_a_stranger_again(page: Page, here: Served) -> None:
    browser = here.browser("Mara")
    code = table_for(browser, title="Martes")
    come_as(page.context, here, browser)
    page.goto("/")
    expect(page.get_by_text("Martes")).to_be_visible()
    page.get_by_text("Borrar mis datos", exact=True).click()
    page.get_by_role("button", name="Sí, borrar mis datos").click()
    expect(page.get_by_role("status").filter(has_text="Tus datos se han borrado")).to_be_visible()
    expect(page.get_by_label("Tu nombre")).to_have_value("")
    expect(page.get_by_text("Martes")).to_have_count(0)
    assert browser.get("/api/session").json()["person"] is None
    seen = browser.get(f"/api/tables/{code}").json()
    assert (seen["title"], seen["seats"][0]["kind"]) == ("", "empty")
    page.reload()
    expect(page.get_by_text("Borrar mis datos")).to_have_count(0)
