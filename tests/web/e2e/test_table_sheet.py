"""A score sheet of a table at an evening: one tap on a phone, and the total is the score."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.server.http.served import Served
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_evening import PEOPLE, begin, come, new_evening, score, told
from tests.web.e2e.test_hall import Evening


def hand(page: Page, who: str, bid: str, points: str) -> None:
    """Write the next hand by keys: who won the bid, the bid, and the points of their side."""
    page.locator(".next-hand").click()
    form = page.locator(".hand-form")
    form.get_by_role("radio", name=who, exact=True).check()
    form.locator("input[name=bid]").fill(bid)
    side = form.locator(".sides .figure-field").filter(has_text=who)
    side.locator("input").fill(points)
    form.get_by_role("button", name="Write it down").click()
    expect(form).to_have_count(0)
    page.wait_for_function("() => !history.state?.dialogs")  # the form's way back stops a reload


def keep(page: Page) -> None:
    """Open the sheet of the table where somebody sits."""
    page.locator(".place").get_by_role("button", name="Keep a score sheet").click()
    page.wait_for_url("**/s/*")
    expect(page.locator(".at-table")).to_be_visible()


def test_a_sheet_of_a_table_becomes_its_score_and_two_phones_write_it(
    phones: Phones, here: Served
) -> None:
    host = phones.page(**DESKTOP)
    link = new_evening(host)
    begin(host, 1)
    [table, _] = told(host)["evening"]["round"]["tables"]
    names = [PEOPLE[who] for who in table["seats"]]
    first, second = phones.page(**NARROW), phones.page(**NARROW | {"locale": "es-ES"})
    come(first, link, names[0])
    come(second, link, names[1])
    phones.look(first, "a seat, with the way to a sheet")
    keep(first)
    expect(first.get_by_role("heading", name="Table 1, round 1")).to_be_visible()
    heads = [f"{names[0]} + {names[2]}", f"{names[1]} + {names[3]}"]
    expect(first.locator(".ledger .who")).to_have_text(heads)
    second.locator(".place").get_by_role("button", name="Llevar una hoja de puntos").click()
    second.wait_for_url("**/s/*")
    assert second.url == first.url  # the same sheet, with the same key
    hand(first, names[0], "100", "60+50")
    expect(first.get_by_text("When the game is over, its total becomes")).to_be_visible()
    phones.look(first, "a hand on the sheet")
    expect(second.locator(".ledger .total")).to_have_text(["110", "10"])
    phones.look(second, "the sheet of a table, in Spanish")
    for _ in range(2):
        hand(first, names[0], "100", "110")
    expect(first.get_by_text("This is the score of the table.")).to_be_visible()
    expect(first.get_by_role("button", name="This is the result")).to_have_count(0)
    phones.look(first, "over")
    expect(host.locator(".missing")).to_have_count(1)
    assert told(host)["evening"]["round"]["tables"][0]["scores"] == [330, 30, 330, 30]
    first.get_by_role("link", name="Back to the evening").click()
    expect(first.locator(".place .said-row b")).to_have_text(["330", "30"])

    # The other corrects a hand: on the sheet it counts, at the table it is a dispute.
    second.get_by_role("button", name=re.compile("^Cambiar la mano 3")).click()
    second.locator(".hand-form .sides .figure-field input").first.fill("115")
    second.get_by_role("button", name="Apuntar", exact=False).last.click()
    expect(second.get_by_text("La mesa tiene varias versiones")).to_be_visible()
    phones.look(second, "a dispute, in Spanish")
    expect(first.get_by_role("heading", name="Which is right?")).to_be_visible()
    # Who wrote the first settles it by the other version, and by their own they would not.
    expect(first.locator(".version")).to_have_count(2)
    expect(first.locator(".version button")).to_have_count(1)
    with first.expect_response(lambda answer: answer.request.method == "POST"):
        first.locator(".version button").click()
    expect(first.locator(".version")).to_have_count(0)
    assert told(host)["evening"]["round"]["tables"][0]["scores"] == [335, 25, 335, 25]


def test_a_phone_of_a_table_says_the_result_before_the_end_with_its_key(
    phones: Phones, here: Served
) -> None:
    host = phones.page(**DESKTOP)
    new_evening(host)
    begin(host, 1)
    host.get_by_text("Links, screen, and paper").click()
    table_link = host.locator(".link-text").last
    expect(table_link).to_have_text(re.compile(r"/e/\w+/t/1#1-[\da-f]{32}$"))
    way = table_link.inner_text().partition("/e/")[2]
    [table, _] = told(host)["evening"]["round"]["tables"]
    name = PEOPLE[table["seats"][1]]
    phone = phones.page(**NARROW)
    phone.goto(f"{phones.here.url}/e/{way}")
    phone.get_by_role("button", name="Continue").click()
    keep(phone)
    hand(phone, name, "70", "80")
    phone.reload()
    phone.get_by_role("button", name="This is the result").click()
    expect(phone.get_by_text("This is the score of the table.")).to_be_visible()
    told_scores = told(host)["evening"]["round"]["tables"][0]["scores"]
    assert told_scores == [40, 80, 40, 80]
    phone.get_by_role("link", name="Back to the evening").click()
    phone.wait_for_url("**/t/1")
    # Who only has the sheet's link looks on, and cannot score the table.
    other = phones.page(**NARROW)
    phone.go_back()
    other.goto(phone.url)
    expect(other.locator(".at-table")).to_contain_text("Whoever sits there can make this the score")
    expect(other.get_by_role("button", name="This is the result")).to_have_count(0)


def test_three_who_disagree_are_not_offered_what_they_cannot_settle(
    phones: Phones, here: Served
) -> None:
    host = phones.page(**DESKTOP)
    link = new_evening(host)
    begin(host, 1)
    [table, _] = told(host)["evening"]["round"]["tables"]
    three = [phones.page(**NARROW) for _ in range(3)]
    for page, who in zip(three, table["seats"], strict=False):
        come(page, link, PEOPLE[who])
    score(three[0].locator(".place"), "100", "20")
    expect(three[0].locator(".place .said-row b")).to_have_text(["100", "20"])
    for page, points in ((three[1], "90"), (three[2], "95")):
        page.get_by_role("button", name="Correct", exact=True).first.click()
        page.locator(".place .score-form input").first.fill(points)
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("heading", name="Which is right?")).to_be_visible()
    for page in three:
        expect(page.locator(".place .version")).to_have_count(3)
        expect(page.locator(".place .version button")).to_have_count(0)
        expect(page.get_by_text("You can't settle this alone")).to_be_visible()
    phones.look(three[0], "three versions")
    # Once the second says what the third says, the first can.
    three[1].get_by_role("button", name="Correct", exact=True).first.click()
    three[1].locator(".place .score-form input").first.fill("95")
    three[1].get_by_role("button", name="Send").click()
    expect(three[0].locator(".place .version button")).to_have_count(1)
    host.get_by_text("All tables of round 1").click()
    host.get_by_role("button", name="Enter the score of table 1").or_(
        host.get_by_role("button", name="Correct the score of table 1")
    ).click()
    expect(host.locator(".version button")).to_have_count(3)
    three[0].locator(".place .version button").click()
    expect(three[0].locator(".place .version")).to_have_count(0)


def test_a_deal_whose_hand_was_taken_off_is_written_next_and_no_other_takes_its_place(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, list(PEOPLE), movement="mitchell")
    name = PEOPLE[evening.begin(1)[0]["seats"][0]]
    phone = phones.page(**NARROW)
    come(phone, f"/e/{evening.code}", name)
    keep(phone)
    writes, result = phone.locator(".next-hand"), phone.get_by_text("This is the score of")
    for points in ("110", "105", "100"):
        hand(phone, name, "100", points)
    expect(result).to_be_visible()
    phone.get_by_role("button", name=re.compile("^Change hand 1")).click()
    phone.get_by_role("button", name="Take this hand off the sheet").click()
    # The third hand, which was one too many, does not become the second deal's.
    expect(phone.locator(".at-table")).to_contain_text("1 deal is missing")
    expect(phone.get_by_role("button", name="This is the result")).to_have_count(0)
    expect(writes).to_have_text("Write hand 1")
    phones.look(phone, "a deal is missing")
    hand(phone, name, "100", "115")
    expect(result).to_be_visible()
    expect(writes).to_have_text("Write hand 4")
    now = evening.host.get(f"/api/evenings/{evening.code}").json()["evening"]
    assert now["round"]["tables"][0]["said"]["rows"] == [[115, 5, 115, 5], [105, 15, 105, 15]]
