"""A slow table at an evening: its people play on there while others begin the next round."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.web.e2e.looks import DRAWN
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_evening import PEOPLE, begin, come, new_evening, score, told
from tests.web.e2e.test_hall import FIRST, Evening


def test_a_slow_table_plays_on_and_the_next_round_waits_for_the_others(phones: Phones) -> None:
    host = phones.page(**DESKTOP)
    link = new_evening(
        host, movement="Winners move up", people=(*PEOPLE, "Ian", "Jo", "Kim", "Lee")
    )
    begin(host, 1)
    go_on = host.get_by_role("button", name="Begin round 2")
    expect(go_on).to_be_disabled()
    [slow] = [one for one in told(host)["evening"]["round"]["tables"] if one["number"] == 3]
    bo = phones.page(**NARROW)
    come(bo, link, (*PEOPLE, "Ian", "Jo", "Kim", "Lee")[slow["seats"][1]])
    for number in (1, 2):
        row = host.locator(f"[data-missing='1-{number}']")
        row.get_by_role("button", name="Enter score").click()
        score(row, "150", "30")
        expect(row).to_have_count(0)
    host.get_by_role("checkbox", name="plays on: Table 3").check()
    bo.locator(".place .score-form input").first.focus()
    bo.keyboard.type("7")
    begin(host, 2)
    # Whoever still plays sees the round and the table that they are at, and goes on typing there.
    expect(bo.get_by_text("All tables of round 2")).to_be_visible()
    expect(bo.locator(".place-round")).to_have_text("Round 1")
    expect(bo.locator("#place-title")).to_contain_text("Table 3, East")
    for key in ("0", "Enter", "8", "0", "Enter"):
        bo.keyboard.press(key)
    expect(bo.locator("#place-title")).to_have_text("You play from the next round on")
    expect(host.locator("[data-missing^='1-']")).to_have_count(0)


def test_the_phone_of_a_slow_table_goes_on_typing_when_the_next_round_begins(
    phones: Phones,
) -> None:
    evening = Evening(phones.here, list(FIRST), movement="progressive")
    evening.begin(1)
    way = evening.host.get(
        f"/api/evenings/{evening.code}/link?table=3", headers={"x-evening-key": evening.key}
    )
    phone = phones.page(**NARROW)
    phone.goto(f"{phones.here.url}/e/{way.json()['link'].partition('/e/')[2]}")
    phone.get_by_role("button", name="Continue").click()
    phone.locator(".place .score-form input").first.focus()
    phone.keyboard.type("7")
    for number in (1, 2):
        evening.score(number, 150, 30)
    with phone.expect_response("**/rounds/1"):
        evening.do(do="round", round=2, slow=[3])
    phone.evaluate(DRAWN)
    assert phone.locator(".place .score-form input").first.input_value() == "7"
    for key in ("0", "Enter", "8", "0", "Enter"):
        phone.keyboard.press(key)
    expect(phone.get_by_text("Nobody plays at this table")).to_be_visible()
    played = evening.host.get(f"/api/evenings/{evening.code}/rounds/1").json()["tables"]
    assert [one["scores"][:2] for one in played if one["number"] == 3] == [[70, 80]]


@pytest.mark.parametrize("forgotten", [False, True])
def test_whose_slow_table_is_done_is_sent_to_none_that_lacks_a_score(
    phones: Phones, *, forgotten: bool
) -> None:
    evening = Evening(phones.here, list(FIRST))
    first = evening.begin(1)
    name = FIRST[first[2]["seats"][0]]
    evening.score(1, 150, 30)
    number, slow = 1, [2, 3]
    if forgotten:  # their table of the round before has no score
        evening.score(2, 150, 30)
        tables, number = evening.begin(2), 2
        own = next(one["number"] for one in tables if FIRST.index(name) in one["seats"])
        for other in {1, 2, 3} - {own}:
            evening.score(other, 150, 30)
        slow = [own]
    evening.do(do="round", round=number + 1, slow=slow)
    phone = phones.page(**NARROW)
    come(phone, f"{phones.here.url}/e/{evening.code}", name)
    expect(phone.locator(".place-round")).to_have_text(f"Round {number}")
    rows = [[90, 60, 90, 60]]
    evening.do(do="score", round=number, table=slow[-1], rows=rows, over=0)
    assert evening.told["evening"]["missing"][0] == [1, 3 if forgotten else 2]
    expect(phone.locator("#place-title")).to_have_text("You play from the next round on")
