"""An evening on screens with a table of real cards: people are told, and type its score."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect
from tests.web.e2e.conftest import Invite
from tests.web.e2e.people import DESKTOP, NARROW, PHONE
from tests.web.e2e.test_evening import OPEN, PEOPLE, begin, come, score, seat_of, told
from tests.web.e2e.test_screens import MITCHELL, MOVES, on_screens, plays, seat, sits, well

SUMMARY = "Tables with real cards"


def choose(host: Page, *numbers: int) -> None:
    """Have these tables be those with real cards, by keys alone."""
    box = host.locator(".real-cards")
    if box.get_attribute("open") is None:
        box.locator("summary").focus()
        host.keyboard.press("Enter")
    for number in (1, 2):
        check = box.get_by_role("checkbox", name=f"Table {number}", exact=True)
        expect(check).to_be_enabled()
        if check.is_checked() is not (number in numbers):
            check.focus()
            host.keyboard.press("Space")
        expect(check).to_be_enabled()  # what was said has arrived
        expect(check).to_be_checked(checked=number in numbers)


def test_people_go_from_a_screen_to_real_cards_and_type_their_score(invite: Invite) -> None:
    host, bo = invite("Host", **DESKTOP), invite("Bo", **PHONE)
    code = on_screens(host.page, auto=False)
    come(bo.page, f"/e/{code}", "Bo")
    # A round of real cards alone is undone as with real cards; its seats stay the same.
    choose(host.page, 1, 2)
    well(host.page, "the host chooses tables")
    begin(host.page, 1)
    expect(bo.page.locator("#place-title")).to_contain_text("with real cards")
    expect(bo.page.locator(".to-table")).to_have_count(0)
    number = seat_of(host.page, "Bo")[0]["number"]
    other = 3 - number
    host.page.get_by_role("button", name="Undo round 1").click()
    host.page.get_by_role("button", name="Yes, round 1 hasn't begun").click()
    choose(host.page, other)
    begin(host.page, 1)
    first = seat(host.page, "Bo")
    assert first["number"] == number
    sits(bo, first)

    # The other table is not opened. Somebody there says who they are, and types what they scored.
    table = next(one for one in told(host.page)["evening"]["round"]["tables"] if one["real"])
    name = PEOPLE[table["seats"][0]]
    late = invite(name, **{**NARROW, "locale": "es-ES"})
    come(late.page, f"/e/{code}", name)
    expect(late.page.locator("#place-title")).to_contain_text("con cartas de verdad")
    well(late.page, "real cards, in Spanish")
    host.page.evaluate(OPEN)
    well(host.page, "the host of both")
    expect(host.page.locator(f"[data-table='{other}'] .round-line")).to_contain_text("real cards")
    expect(host.page.get_by_text("A phone that stays at a table")).to_have_count(1)
    hall = host.window()
    hall.goto(f"/e/{code}/hall")
    expect(hall.get_by_role("rowheader", name=re.compile(f"^{other} ?real cards"))).to_be_visible()
    well(hall, "the hall of both")
    paper = host.window()
    paper.goto(f"/e/{code}/print")
    paper.get_by_label("An empty score form for each table").check()
    expect(paper.locator(".score-form")).to_have_count(1)
    score(late.page.locator(".place"), "110", "10")
    expect(late.page.locator(".place .said-row b").first).to_have_text("110")
    assert late.page.url.endswith(f"/e/{code}")
    plays(bo)
    panel = bo.page.locator(".at-evening")
    expect(panel).to_contain_text("The host begins round 2", timeout=MOVES)

    # In the next round both have real cards: whoever sits at a screen is moved to the evening.
    choose(host.page, 1, 2)
    expect(host.page.locator(".missing")).to_have_count(0, timeout=MOVES)
    begin(host.page, 2)
    moving = panel.locator(".moving")
    expect(moving).to_contain_text("with real cards", timeout=MOVES)
    well(bo.page, "is moved to real cards")
    bo.heard("with real cards. You're moved there in 5 seconds")
    bo.page.wait_for_url(f"**/e/{code}", timeout=MOVES)
    expect(bo.page.locator("#place-title")).to_contain_text("with real cards")
    well(bo.page, "at real cards")
    here, seated = seat_of(host.page, "Bo")
    score(bo.page.locator(".place"), *("90", "30"))
    expect(bo.page.locator(".place .said-row b").first).to_have_text("90")
    # The host makes good what somebody typed.
    row = host.page.locator(f"[data-table='{here['number']}']").first
    row.get_by_role("button", name=f"Correct the score of table {here['number']}").click()
    row.locator(".score-form input").first.fill("")
    score(row, "95", "25")
    expect(bo.page.locator(".place .said-row b").first).to_have_text("95", timeout=MOVES)
    after = seat_of(host.page, "Bo")[0]
    assert after["scores"][seated] in (95, 25)
    assert after["state"] == "stands"


def test_prepared_deals_offer_no_real_cards(invite: Invite) -> None:
    host = invite("Host", **NARROW)
    on_screens(host.page, movement=MITCHELL, auto=False)
    expect(host.page.get_by_role("heading", name="Run the evening")).to_be_visible()
    expect(host.page.get_by_text(SUMMARY)).to_have_count(0)
    refused = host.page.evaluate(
        """code => fetch(`/api/evenings/${code}/changes`, {
          method: "POST", headers: { "content-type": "application/json" },
          body: JSON.stringify({
            id: "a-phone-that-tries", change: { do: "real_cards", table: 1, real: true },
          }),
        }).then((answer) => answer.json())""",
        re.sub(r".*/e/(\w+).*", r"\1", host.page.url),
    )
    assert refused["error"]["where"]["part"] == "prepared"


def test_a_table_of_an_evening_without_a_name_has_one(invite: Invite) -> None:
    host, bo = invite("Host", **DESKTOP), invite("Bo", **{**NARROW, "locale": "es-ES"})
    code = on_screens(host.page, auto=False)
    come(bo.page, f"/e/{code}", "Bo")
    begin(host.page, 1)
    table = seat(host.page, "Bo")
    sits(bo, table)
    named = f"Velada, mesa {table['number']}"
    expect(bo.page).to_have_title(re.compile(named))
    bo.page.goto("/")
    expect(bo.page.get_by_text(named, exact=True)).to_be_visible()
