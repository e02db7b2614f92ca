"""What a browser has kept of a person is honoured: settings, house rules, the name and the seat.

The page is given no more than what Chromium held when all this was set by hand.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.kept.looks import V0_1, Held, kept

PEOPLE = kept("people.json")
STORED: dict[str, str] = kept("browser/local_storage.json")


@pytest.fixture
def held() -> Held:
    """Return whose browser it is, by the token, and what it has kept."""
    return Held(PEOPLE["tokens"]["Ann"], STORED)


def test_the_name_the_tables_and_all_settings_are_there(page: Page) -> None:
    page.goto("/")
    root = page.locator("html")
    expect(root).to_have_attribute("lang", "es")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(page.locator("html.still")).to_have_count(1)  # nothing is animated
    expect(page.locator("input[name=name]")).to_have_value("Ann")
    for table in kept("persons.json")["Ann"]["me"]["tables"]:
        expect(page.locator(f'a[href="/t/{table["code"]}"]').first).to_be_visible()
    page.locator(".bot-button").click()
    chosen = page.get_by_role("dialog").locator("input:checked")
    expect(chosen).to_have_count(3)
    assert [one.get_attribute("value") for one in chosen.all()] == ["expert", "bold", "4"]
    page.keyboard.press("Escape")
    page.wait_for_function("() => !history.state?.dialogs")  # its way back would close the next
    page.locator("header.top button").last.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("select")).to_have_count(6)
    choices = [one.input_value() for one in dialog.locator("select").all()]
    # The cloth and the backs of cards came later: as they are by themselves.
    assert choices == ["es", "dark", "green", "crow", "always", "tap"]
    # Animation, sound, a card that plays itself, shortcuts, no table talk.
    switches = [one.is_checked() for one in dialog.locator("input[type=checkbox]").all()]
    assert switches == [False, True, True, False, True]
    # One that is changed leaves the others.
    dialog.locator("select").first.select_option("en")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.reload()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_house_rules_are_listed_and_opened(page: Page) -> None:
    page.goto("/rules")
    page.get_by_role("link", name="Six from a link").click()
    expect(page.locator("#option-bid_minimum")).to_have_value("60")
    expect(page.locator("#option-target")).to_have_value("150")
    expect(page.locator("#option-partnership")).to_have_value("fixed_opposite")
    page.goto("/rules")
    page.get_by_role("link", name="Küche, Freitag & so").click()
    expect(page.locator("#option-bid_minimum")).to_have_value("65")
    # A link to them is opened.
    page.goto("about:blank")
    page.goto(f"/rules/edit#{(V0_1 / 'browser' / 'link.txt').read_text('utf-8').strip()}")
    expect(page.locator("#option-bid_minimum")).to_have_value("60")
    expect(page.locator("input[maxlength='80']")).to_have_value("Six from a link")
    expect(page.locator("p.fits")).to_have_count(1)
    expect(page.locator("p.fits.not")).to_have_count(0)


def test_the_seat_the_cards_and_addresses_that_somebody_has_noted_are_there(page: Page) -> None:
    view = kept("tables/mid_hand.json")["people"]["Ann"]["table"]["view"]
    page.goto(f"/t/{PEOPLE['tables']['mid_hand']}")
    assert len(view["hand"]) == 3
    for card in view["hand"]:
        expect(page.locator(f'.card-row [data-card="{card}"]')).to_be_visible()
    code = PEOPLE["tables"]["finished"]
    for path, name in (
        (f"/t/{code}", "table"),
        (f"/replay/{code}/0", "replay"),
        (f"/review/{code}/0", "review"),
        ("/new?rules=kd_tournament", "create"),
        ("/rules/circus", "rules"),
        ("/stats", "stats"),
    ):
        page.goto(path)
        expect(page.locator(f"main.page-{name} h1").first).to_be_attached()
