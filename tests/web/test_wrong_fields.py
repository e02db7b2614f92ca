"""What is wrong with something typed is said with its field, to whoever is read to as well."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from tests.server.http.served import Served


@pytest.fixture
def context(chromium: Browser, here: Served) -> Iterator[BrowserContext]:
    opened = chromium.new_context(base_url=here.url, locale="en-GB", service_workers="block")
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


def test_a_code_that_no_table_has_is_said_with_the_code(page: Page, here: Served) -> None:
    page.goto("/")
    code = page.get_by_label("Table code or link")
    expect(code).to_have_accessible_description("")
    code.fill("2222222")
    code.press("Enter")
    expect(code).to_have_accessible_description("This table doesn't exist, or it has been deleted.")
    expect(code).to_have_attribute("aria-invalid", "true")
    # Another code is not wrong before it is sent.
    code.fill("2222223")
    expect(code).not_to_have_attribute("aria-invalid", "true")
    code.press("Enter")
    expect(code).to_have_attribute("aria-invalid", "true")
    # The control: without a network nothing is wrong with the code.
    page.route("**/api/tables/*", lambda route: route.abort())
    code.press("Enter")
    expect(code).to_have_accessible_description("Can't reach the server. Are you online?")
    expect(code).not_to_have_attribute("aria-invalid", "true")


def test_the_second_of_two_equal_names_is_gone_to(page: Page) -> None:
    page.goto("/sheet")
    names = page.locator("input[name^=player-]")
    expect(names).to_have_count(4)
    for at, name in enumerate(("Ann", "Bob", "Ann ", "Cy")):
        names.nth(at).fill(name)
    names.nth(3).press("Enter")
    expect(names.nth(2)).to_be_focused()
    expect(names.nth(2)).to_have_accessible_description("Two players have the same name.")
    expect(names.nth(2)).to_have_attribute("aria-invalid", "true")
    expect(names.nth(0)).to_have_accessible_description("")
    # Either of them may be mended; then neither is wrong.
    names.nth(0).fill("Anna")
    expect(page.get_by_text("Two players have the same name.")).to_have_count(0)
    expect(names.nth(2)).not_to_have_attribute("aria-invalid", "true")


def test_a_name_that_cannot_be_is_said_with_the_name(page: Page, here: Served) -> None:
    code = here.browser("Ann").post("/api/tables", json={"rules": "kd_tournament"}).json()["code"]
    page.goto(f"/t/{code}")
    name = page.get_by_label("Your name at the table")
    name.fill("\u0430\u202e")
    page.get_by_role("button", name="Sit down").click()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).not_to_have_accessible_description("")
    # Another one that cannot be is marked as well.
    name.fill("\u0431\u202e")
    expect(name).not_to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Sit down").click()
    expect(name).to_have_attribute("aria-invalid", "true", timeout=10_000)
