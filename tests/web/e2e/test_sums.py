"""What is no sum, or no bid, is said at its field before it is sent: with a network and without."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect
from tests.web.e2e.people import NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_sheet import PLAYERS, new_sheet, write

NO_SUM = "Type a number, or a sum such as 10+15\u22125."
NO_POINTS = "These points can't be"
WRONG = {
    "10+": NO_SUM,
    "60+40-": NO_SUM,
    "--5": NO_SUM,
    "+": NO_SUM,
    "5-10": NO_POINTS,
    "999999": NO_POINTS,
}


def sent(page: Page) -> list[str]:
    """Return the list to which each entry is added that leaves the page."""
    found: list[str] = []

    def note(route: Route) -> None:
        found.append(route.request.post_data or "")
        route.fallback()

    page.context.route("**/entries", note)
    return found


def refused(page: Page, text: str, words: str) -> None:
    """Type points of the other side, and see them refused at their own field."""
    points = page.get_by_role("textbox", name="Bob + Dee")
    points.fill(text)
    page.get_by_role("button", name="Write it down").click()
    expect(page.locator("#wrong-points")).to_contain_text(words)
    expect(points).to_be_focused()
    expect(points).to_have_attribute("aria-invalid", "true")
    expect(points).to_have_value(text)


@pytest.mark.parametrize("network", [True, False])
def test_what_is_no_sum_is_refused_at_its_field(phones: Phones, *, network: bool) -> None:
    ann = phones.page(**NARROW)
    new_sheet(ann, hands=3)
    if not network:
        ann.evaluate("sessionStorage.setItem('cut', 'yes')")
    entries = sent(ann)
    write(ann, "Ann", 95, "60+40-")
    own = ann.get_by_role("textbox", name="Ann + Cy")
    expect(ann.locator("#wrong-points")).to_have_text(NO_SUM)
    expect(own).to_be_focused()
    own.fill("")
    ann.locator("input[name=bid]").fill("")
    ann.get_by_role("button", name="Write it down").click()
    expect(ann.locator("#wrong-bid")).to_have_text("Say what was bid.")
    expect(ann.locator("input[name=bid]")).to_be_focused()
    ann.locator("input[name=bid]").fill("95")
    for text, words in WRONG.items():
        refused(ann, text, words)
    phones.look(ann, "no sum")
    assert not entries
    # What is one goes, and what waited for a network arrives.
    ann.get_by_role("textbox", name="Bob + Dee").fill("10+15-0")
    ann.get_by_role("button", name="Write it down").click()
    if not network:
        expect(ann.locator(".ledger .tag")).to_have_text(["not sent yet"])
        ann.evaluate("sessionStorage.removeItem('cut')")
    expect(ann.locator(".ledger .total")).to_have_text(["95", "25"])
    assert len(entries) == 1


@pytest.mark.parametrize(("game", "rest"), [("kd_tournament", True), ("wanamingo", False)])
def test_a_side_may_be_left_empty_where_it_has_the_rest(
    phones: Phones, game: str, *, rest: bool
) -> None:
    ann = phones.page(**NARROW)
    ann.goto(f"/sheet?rules={game}")
    for number, name in enumerate(PLAYERS, 1):
        ann.get_by_label(f"Player {number}", exact=True).fill(name)
    ann.get_by_label("Your name").fill("Ann")
    ann.get_by_role("button", name="Start the sheet").click()
    ann.locator(".next-hand").click()
    ann.locator("input[name=declarer]").first.check(force=True)
    ann.get_by_label("Bid", exact=True).fill("100")
    points = ann.get_by_role("group", name="Points taken")
    points.get_by_label("Ann + Cy", exact=True).fill("60")
    said = "One side may be left empty" if rest else "write a number for each side"
    expect(points).to_contain_text(said)
    other = points.get_by_label("Bob + Dee", exact=True)
    expect(other).to_have_attribute("placeholder", "the rest" if rest else "")
    ann.get_by_role("button", name="Write it down").click()
    expect(ann.locator(".hand-line") if rest else ann.locator("#wrong-points")).to_be_visible()
