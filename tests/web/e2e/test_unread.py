"""What an older page kept, and the server cannot read: said with its place, and nothing stops."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page, expect
from tests.web.e2e.people import NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_evening import begin, come, new_evening, score, seat_of
from tests.web.e2e.test_sheet import new_sheet, told

ID = "0123456789abcdef0123456789abcdef"


def keep(page: Page, shelf: str, code: str, *entries: dict[str, Any]) -> None:
    """Have a browser keep entries that wait, as another page might have written them."""
    page.evaluate(
        """([at, entries]) => {
        const kept = JSON.parse(localStorage.getItem(at));
        kept.waiting = JSON.parse(entries).map((entry) => ({ entry }));
        localStorage.setItem(at, JSON.stringify(kept));
        }""",
        [
            f"rookery.{shelf}.{code}",
            json.dumps([{"id": ID[:-1] + str(n), **one} for n, one in enumerate(entries)]),
        ],
    )
    page.reload()


def test_a_score_of_an_older_page_says_what_and_where_and_another_is_typed(phones: Phones) -> None:
    host = phones.page(**NARROW)
    link = new_evening(host)
    bo = phones.page(**NARROW)
    come(bo, link, "Bo")
    begin(host, 1)
    table, _ = seat_of(host, "Bo")
    code = bo.url.rpartition("/")[2]
    old = {"change": {"do": "score", "round": 1, "table": table["number"], "points": "120:60"}}
    keep(bo, "evening", code, old, {"score": [120, 60]})
    shown = bo.locator(".unread")
    expect(shown).to_have_count(2)
    first, second = shown.first, shown.last
    expect(first).to_contain_text(f"Round 1, Table {table['number']}: an older page kept something")
    expect(first).to_contain_text('"points":"120:60"')
    expect(first).to_contain_text("change.score.rows: a value is missing")
    expect(second).to_contain_text("It doesn't say where it belongs")
    phones.look(bo, "what cannot be read")
    score(bo.locator(".place"), "120", "60")
    expect(bo.locator(".place .said-row b")).to_have_text(["120", "60"])
    expect(bo.locator(".unread")).to_have_count(1)  # what was typed anew takes its place
    bo.get_by_role("button", name="Throw it away").click()
    expect(bo.locator(".unread")).to_have_count(0)


def test_a_hand_of_an_older_page_says_what_and_where_and_is_no_line_of_the_sheet(
    phones: Phones,
) -> None:
    ann = phones.page(**NARROW)
    new_sheet(ann, hands=3)
    keep(ann, "sheet", told(ann)["code"], {"hand": 1, "over": 0, "said": {"bidder": "Ann"}}, {})
    shown = ann.locator(".unread")
    expect(shown).to_have_count(2)
    expect(shown.first).to_contain_text("Hand 2: an older page kept something")
    expect(shown.first).to_contain_text("said.bidder: there is no such field")
    expect(ann.get_by_role("button", name="Write hand 1")).to_be_visible()
    expect(ann.locator(".hand-line")).to_have_count(0)
    phones.look(ann, "what cannot be read")
