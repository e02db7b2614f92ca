"""In a hall: a screen is kept on, and a page that came without https says what that would add."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Page, expect
from tests.server.http.served import Served
from tests.web.e2e.people import NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_hall import SMALL, Evening, people
from tests.web.e2e.test_sheet import new_sheet

SAYS = "This page came without https"
PLAIN = "Object.defineProperty(window, 'isSecureContext', { value: false });"
# A screen lock that counts how often it was asked for, and is lost when the page is hidden.
LOCK = """window.asked = [];
Object.defineProperty(navigator, 'wakeLock', { value: {
  request: async (kind) => { window.asked.push(kind); return { release: async () => {} }; },
} });"""


def opened(page: Page, here: Served) -> Iterator[str]:
    """Open a sheet, an evening, a table of it and its hall; yield the name of each."""
    new_sheet(page, hands=3)
    yield "sheet"
    evening = Evening(here, people(8))
    evening.begin(1)
    for name, end in (("evening", ""), ("table", "/t/1"), ("hall", "/hall")):
        page.goto(f"/e/{evening.code}{end}#{evening.key}")
        expect(page.locator({"hall": ".hall-page.shown"}.get(name, "h1")).first).to_be_visible()
        yield name


def test_a_page_without_https_says_what_that_would_add(phones: Phones, here: Served) -> None:
    page = phones.page(**NARROW)
    page.context.add_init_script(PLAIN)
    for name in opened(page, here):
        expect(page.get_by_text(SAYS)).to_have_count(1)
        phones.look(page, name)


def test_a_hall_without_https_has_room_for_saying_so(phones: Phones, here: Served) -> None:
    page = phones.page(viewport=SMALL)
    page.context.add_init_script(PLAIN)
    evening = Evening(here, people(40))
    evening.begin(1)
    page.goto(f"/e/{evening.code}/hall")
    expect(page.get_by_text(SAYS)).to_be_in_viewport(ratio=1)
    phones.look(page, "hall")


def test_a_screen_stays_on_and_is_asked_for_again(phones: Phones, here: Served) -> None:
    page = phones.page(**NARROW)
    page.context.add_init_script(LOCK)
    for name in opened(page, here):
        page.wait_for_function("() => asked.length > 0")  # so it knows how it came
        expect(page.get_by_text(SAYS)).to_have_count(0)
        before = page.evaluate("asked.length")
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        page.wait_for_function("before => asked.length > before", arg=before)
        assert set(page.evaluate("asked")) == {"screen"}, name
