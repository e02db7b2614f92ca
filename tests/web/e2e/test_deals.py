"""Prepared deals on phones: hidden as long as others play them, and deal by deal afterwards."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.server.http.served import Served
from tests.web.e2e.people import NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_evening import come, score
from tests.web.e2e.test_hall import FIRST, Evening


def test_a_table_sees_its_own_scores_and_everybody_all_of_them_at_the_end(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, list(FIRST), movement="mitchell")
    evening.begin(1)
    ann = phones.page(**NARROW)
    come(ann, f"{here.url}/e/{evening.code}", "Ann")
    own = ann.locator(".place")
    score(own, "60", "80", "105", "15")
    expect(own).to_contain_text("105")
    eve = phones.page(**NARROW)
    eve.goto(f"/e/{evening.code}")
    eve.get_by_text("All tables of round 1").click()
    at = eve.locator(".round-table").first
    expect(at).to_contain_text("✓")
    # Neither scores nor sums of them, nor a file with them.
    expect(eve.locator("main")).not_to_have_text(re.compile("60|80|105|165|95|15"))
    expect(eve.get_by_text("Result as a file")).to_have_count(0)
    evening.score(2, 110, 10)
    evening.do(do="end", over=True)
    eve.reload()
    eve.get_by_text("Deal by deal").click()
    for number, scores in enumerate(("60 : 80", "105 : 15", "110 : 10"), 1):
        eve.get_by_label("Which deal?").select_option(f"Deal {number}")
        rows = eve.get_by_role("table", name=f"Deal {number}").locator("tbody tr")
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(scores)
    phones.look(eve, "deal by deal")
    eve.get_by_label("Which deal?").select_option("Deal 6")
    expect(eve.get_by_text("Nobody has played this deal.")).to_be_visible()
    expect(eve.get_by_role("button", name="Delete")).to_have_count(0)
