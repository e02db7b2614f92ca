"""An evening of eight people: a host, and phones that look where to sit and write scores."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, Route, expect
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.phones import Phones

PEOPLE = ("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")
OPEN = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


def new_evening(
    page: Page,
    *,
    people: tuple[str, ...] = PEOPLE,
    movement: str = "A new partner in each round",
    agree: bool = False,
) -> str:
    """Make an evening by keys alone; return the link for whoever runs it."""
    page.goto("/evening")
    page.get_by_label("Who plays?").focus()
    page.keyboard.insert_text("\n".join(people))
    expect(page.get_by_text(f"{len(people)} people, {len(people) // 4} tables")).to_be_visible()
    expect(page.get_by_role("radio", name="A new partner in each round")).to_be_checked()
    page.get_by_role("radio", name=movement).check()
    if agree:
        page.get_by_label("A score counts when two people say the same").focus()
        page.keyboard.press("Space")
    page.get_by_label("Your name").focus()
    page.keyboard.type("Host")
    page.keyboard.press("Enter")
    page.wait_for_url("**/e/*")
    expect(page.get_by_role("heading", name="Run the evening")).to_be_visible()
    return page.url


def come(page: Page, link: str, name: str) -> None:
    """Open the link that everybody has, and say who one is."""
    page.goto(link.partition("#")[0])
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".place .mark").first).to_have_text(name)


def told(page: Page) -> dict[str, Any]:
    code = re.sub(r".*/e/(\w+).*", r"\1", page.url)
    asked = "code => fetch(`/api/evenings/${code}`).then((answer) => answer.json())"
    return dict(page.evaluate(asked, code))


def seat_of(page: Page, name: str) -> tuple[dict[str, Any], int]:
    """Return the table at which somebody sits in this round, and their seat."""
    evening = told(page)["evening"]
    [who] = [one["number"] for one in evening["people"] if one["name"] == name]
    [table] = [one for one in evening["round"]["tables"] if who in one["seats"]]
    return table, table["seats"].index(who)


def score(box: Locator, *values: str) -> None:
    """Type what each side has, by keys alone; Enter in the last field sends it."""
    fields = box.locator(".score-form input")
    fields.first.focus()
    for value in values:
        box.page.keyboard.type(value)
        box.page.keyboard.press("Enter")


def begin(host: Page, number: int) -> None:
    host.get_by_role("button", name=f"Begin round {number}").click()
    expect(host.get_by_text(f"All tables of round {number}")).to_be_visible()


def test_a_guest_sees_their_seat_and_scores_and_what_differs_is_settled(phones: Phones) -> None:
    host = phones.page(**DESKTOP)
    link = new_evening(host)
    bo = phones.page(**NARROW)
    bo.goto(link.partition("#")[0])
    expect(bo.get_by_role("heading", name="Who are you?")).to_be_visible()
    phones.look(bo, "who")
    come(bo, link, "Bo")
    expect(bo.locator("#place-title")).to_contain_text("The first round hasn't begun")
    begin(host, 1)
    host.evaluate(OPEN)
    phones.look(host, "host, a round")

    table, seat = seat_of(host, "Bo")
    names = [PEOPLE[who] for who in table["seats"]]
    compass = ("North", "East", "South", "West")[seat]
    sits = (
        f"Round 1 Table {table['number']}, {compass}, with {names[(seat + 2) % 4]}, "
        f"against {names[(seat + 1) % 2]} and {names[(seat + 1) % 2 + 2]}"
    )
    expect(bo.locator("#place-title")).to_have_text(sits, use_inner_text=False)
    place = bo.locator(".place")
    phones.look(bo, "a seat")
    # What is no number is said at the field.
    score(place, "120", "x")
    wrong = place.get_by_text("Type a number, or a sum such as")
    expect(wrong).to_be_visible()
    expect(place.locator(".score-form input").last).to_be_focused()
    phones.look(bo, "no number")
    place.locator(".score-form input").last.fill("10+15-65")
    expect(place.locator(".sum").last).to_have_text(re.compile("40"))
    bo.keyboard.press("Enter")
    expect(place.locator(".said-row b")).to_have_text(["120", "\u221240"])
    phones.look(bo, "scored")

    # A phone that had not seen it says otherwise.
    other = phones.page(**NARROW | {"locale": "es-ES"})
    come(other, link, names[(seat + 1) % 4])
    expect(other.get_by_text("Puntos de tu mesa")).to_be_visible()
    other.get_by_role("button", name="Corregir", exact=True).first.click()
    fields = other.locator(".place .score-form input")
    fields.first.fill("125")
    other.get_by_role("button", name="Enviar").click()
    expect(other.get_by_role("heading", name="¿Cuál es el correcto?")).to_be_visible()
    phones.look(other, "disputed, in Spanish")
    expect(bo.get_by_role("heading", name="Which is right?")).to_be_visible()
    expect(bo.locator(".version h4")).to_have_text(["Bo", names[(seat + 1) % 4]])
    expect(bo.get_by_text("2 different scores were typed")).to_be_visible()
    third = phones.page(**NARROW)
    come(third, link, names[(seat + 2) % 4])
    for points in ("130", "125"):
        third.get_by_role("button", name="Correct", exact=True).first.click()
        third.locator(".place .score-form input").first.fill(points)
        third.get_by_role("button", name="Send").click()
        expect(third.locator(".place .score-form")).to_have_count(0)
        expect(bo.get_by_text("3 different scores were typed")).to_be_visible()
        expect(bo.locator(".version")).to_have_count(3)
    bo.get_by_role("button", name=f"This one is right: {names[(seat + 1) % 4]}").click()
    expect(bo.locator(".version")).to_have_count(0)
    expect(other.locator(".version")).to_have_count(0)
    first = bo.locator(".place .said-row b").first
    expect(first).to_have_text("125")
    own = bo.locator(".standings .own")
    expect(own.locator("th")).to_contain_text("Bo")
    bo.evaluate(OPEN)
    phones.look(bo, "everything open")


def test_a_score_waits_for_the_network_and_arrives_once(phones: Phones) -> None:
    host = phones.page(**DESKTOP)
    link = new_evening(host)
    begin(host, 1)
    bo = phones.page(**NARROW, service_workers="allow")
    come(bo, link, "Bo")
    expect(bo.get_by_role("group", name=re.compile(r"^Score of table \d$"))).to_be_visible()
    phones.cut(bo)
    score(bo.locator(".place"), "200", "10")
    waits = bo.get_by_text("1 score waits for the network")
    expect(waits).to_be_visible()
    bo.reload()
    expect(waits).to_be_visible()
    expect(bo.locator(".place .said-row b")).to_have_text(["200", "10"])
    phones.look(bo, "away")
    posted: list[str] = []

    def lost(route: Route) -> None:
        posted.append((route.request.post_data_json or {})["id"])
        if len(posted) == 1:  # the server hears it, and the answer gets lost
            route.fetch()
            route.abort()
        else:
            route.fallback()

    before = told(host)["entries"]
    bo.context.route("**/changes", lost)
    phones.join(bo)
    expect(waits).to_have_count(0)
    assert len(posted) >= 2
    assert len(set(posted)) == 1
    assert told(host)["entries"] == before + 1
    table = seat_of(host, "Bo")[0]
    assert table["scores"][:2] == [200, 10]
    row = host.locator(f".round-table[data-table='{table['number']}']")
    expect(row.locator(".sides-list b")).to_have_text(["200", "10"])


def test_the_host_goes_on_with_late_comers_and_those_who_leave(phones: Phones) -> None:
    host = phones.page(**NARROW)
    link = new_evening(host)
    begin(host, 1)
    host.get_by_role("button", name="Undo round 1").click()
    host.get_by_role("button", name="Yes, round 1 hasn't begun").click()
    begin(host, 1)
    # Each table that lacks a score is named; a tap enters it.
    for number in (1, 2):
        row = host.locator(f"[data-missing='1-{number}']")
        row.get_by_role("button", name="Enter score").click()
        score(row, "150", "30")
        expect(row).to_have_count(0)
    host.get_by_label("Minutes").fill("15")
    host.get_by_role("button", name="Start the clock").click()
    expect(host.get_by_role("button", name="Stop the clock")).to_be_visible()

    host.get_by_text("People (8)").click()
    host.get_by_label("Somebody comes late?").fill("Ian\nJo\nKim\nLee")
    host.get_by_role("button", name="Add as players").click()
    expect(host.get_by_text("People (12)")).to_be_visible()
    late = phones.page(**NARROW)
    come(late, link, "Ian")
    expect(late.locator("#place-title")).to_have_text("You play from the next round on")
    expect(late.locator(".time-left")).to_contain_text("left")
    host.get_by_label("Somebody comes late?").fill("Max")
    host.get_by_role("button", name="Add as a stand-in").click()
    host.get_by_role("button", name="Change Ann", exact=True).click()
    host.get_by_role("button", name="Leaves now").click()
    ann = host.locator("[data-person='Ann']")
    expect(ann.get_by_text("left", exact=True)).to_be_visible()
    host.get_by_role("button", name="Change Bo", exact=True).click()
    host.get_by_label("New name of Bo").fill("Bobby")
    host.get_by_role("button", name="Rename").click()
    expect(host.get_by_role("button", name="Change Bobby")).to_be_visible()
    host.evaluate(OPEN)
    phones.look(host, "the people, on a phone")

    begin(host, 2)
    expect(late.locator(".place-round")).to_have_text("Round 2")
    assert len(told(host)["evening"]["round"]["tables"]) == 3
    # Two change places, and their phones say so.
    table, seat = seat_of(host, "Ian")
    host.get_by_label("First person").select_option(label="Ian")
    host.get_by_label("Second person").select_option(index=1)
    other = "Bobby"
    host.get_by_label("Second person").select_option(label=other)
    before = seat_of(host, other)
    host.get_by_role("button", name="Exchange them").click()
    expect(host.get_by_label("First person")).to_have_value("")
    assert (seat_of(host, "Ian")[0]["number"], seat_of(host, "Ian")[1]) == (
        before[0]["number"],
        before[1],
    )
    assert seat_of(host, other)[1] == seat
    assert seat_of(host, other)[0]["number"] == table["number"]

    # An earlier round is corrected, and fetched for that.
    earlier = host.locator("details", has=host.get_by_text("Round 1", exact=True))
    earlier.locator("summary").click()
    earlier.get_by_role("button", name="Correct the score of table 1").click()
    earlier.locator(".score-form input").first.fill("155")
    earlier.get_by_role("button", name="Send").click()
    expect(earlier.locator("[data-table='1'] .sides-list b").first).to_have_text("155")
    phones.look(host, "an earlier round")

    host.get_by_role("button", name="End the evening").click()
    host.get_by_role("button", name="Yes, the evening is over").click()
    # The round had no scores, and whoever came for it has no place.
    games = {one["person"]: one["games"] for one in told(host)["evening"]["standings"]}
    assert games[8] == 0
    expect(late.locator("#place-title")).to_have_text("The evening is over")
    phones.look(late, "over")
    host.get_by_role("button", name="Delete this evening").click()
    host.get_by_role("button", name="Yes, delete it for everyone").click()
    host.wait_for_url("**/evening")
    expect(host.get_by_role("heading", name="Your evenings")).to_have_count(0)


def test_a_table_has_a_phone_and_a_score_counts_once_two_have_said_it(phones: Phones) -> None:
    host = phones.page(**DESKTOP)
    link = new_evening(host, agree=True)
    begin(host, 1)
    host.get_by_text("Links, screen, and paper").click()
    table_link = host.locator(".link-text").last
    expect(table_link).to_have_text(re.compile(r"/e/\w+/t/1#1-[\da-f]{32}$"))
    phone = phones.page(**NARROW)
    phone.goto(f"{phones.here.url}/e/{table_link.inner_text().partition('/e/')[2]}")
    expect(phone.get_by_role("heading", name="Table 1")).to_be_visible()
    phone.get_by_role("button", name="Continue").click()
    phones.look(phone, "the phone of a table")
    score(phone.locator(".place"), "90", "110")
    expect(phone.get_by_text("It counts once somebody else at the table")).to_be_visible()
    evening = told(host)["evening"]
    [table] = [one for one in evening["round"]["tables"] if one["number"] == 1]
    assert table["state"] == "waiting"
    guest = phones.page(**NARROW)
    come(guest, link, PEOPLE[table["seats"][0]])
    guest.get_by_role("button", name="I agree").click()
    expect(guest.locator(".place .said-row b")).to_have_text(["90", "110"])
    expect(phone.locator(".place .said-row b")).to_have_text(["90", "110"])
    expect(guest.get_by_role("button", name="I agree")).to_have_count(0)
    # A claimed name is not in the list again, until the host frees it.
    late = phones.page(**NARROW)
    late.goto(link.partition("#")[0])
    expect(late.get_by_text("Another phone has it")).to_be_visible()
    name = PEOPLE[table["seats"][0]]
    mine = late.get_by_role("button", name=name, exact=True)
    expect(mine).to_have_count(0)
    host.get_by_text("People (8)").click()
    host.get_by_role("button", name=f"Change {name}", exact=True).click()
    host.get_by_role("button", name="Free the name").click()
    host.get_by_role("button", name="Yes, another phone may take it").click()
    expect(mine).to_be_visible()
    expect(guest.get_by_role("heading", name="Who are you?")).to_be_visible()


def test_what_cannot_be_is_said_at_its_field_and_what_was_typed_stays(phones: Phones) -> None:
    host = phones.page(**NARROW)
    host.goto("/evening")
    names = host.get_by_label("Who plays?")
    names.fill("Ann\nBo\nCy\nAnn")
    host.get_by_role("radio", name="Winners move up").check()
    host.get_by_role("button", name="Make the evening").click()
    expect(host.get_by_text("“Ann” is there twice")).to_be_visible()
    expect(names).to_be_focused()
    expect(names).to_have_attribute("aria-invalid", "true")
    phones.look(host, "a name twice")
    host.reload()
    expect(names).to_have_value("Ann\nBo\nCy\nAnn")
    expect(host.get_by_role("radio", name="Winners move up")).to_be_checked()
    names.fill("1. Ann\n2. Bo")
    expect(host.get_by_text("A table takes 4 people")).to_be_visible()
    names.fill("\n".join(PEOPLE))
    host.get_by_role("radio", name="Knockout", exact=False).first.check()
    expect(host.get_by_label("Games of a match, at most")).to_be_visible()
    host.get_by_role("radio", name=re.compile("Mitchell")).last.check()
    expect(host.get_by_label("Prepared deals a round")).to_be_visible()
    phones.look(host, "prepared deals")
    host.goto("/")
    host.get_by_role("link", name="An evening of many tables").click()
    host.wait_for_url("**/evening")
