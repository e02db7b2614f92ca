"""A score sheet of a game with real cards, written by two phones, one of them away for a while."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, Route, expect
from tests.web.e2e.looks import DRAWN, nth
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.phones import Phones

from rookery.server.api.sheets.told import HANDS
from rookery.server.names import NAME_MAX

PLAYERS = ("Ann", "Bob", "Cy", "Dee")


def new_sheet(page: Page, hands: int, *, agree: bool = False) -> str:
    """Make a sheet by keys alone; return the link for whoever writes too."""
    page.goto("/sheet")
    page.get_by_label("Player 1", exact=True).focus()
    for name in PLAYERS:
        page.keyboard.type(name)
        if name != PLAYERS[-1]:
            page.keyboard.press("Enter")
    page.get_by_label("A number of hands").check()
    page.get_by_label("Hands", exact=True).fill(str(hands))
    if agree:
        page.get_by_label("Two people must agree").check()
    page.get_by_label("Your name").fill("Ann")
    page.keyboard.press("Enter")
    page.wait_for_url("**/s/*")
    return page.url


def write(page: Page, who: str, bid: int, points: str) -> None:
    """Write the next hand by keys alone, from the button to the last field; Enter sends it."""
    page.locator(".next-hand").focus()
    page.keyboard.press("Enter")
    expect(page.locator("input[name=declarer]").first).to_be_focused()
    page.keyboard.press("Space")
    for _ in range(PLAYERS.index(who)):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("input[name=bid]")).to_be_focused()
    page.keyboard.type(str(bid))
    page.keyboard.press("Enter")
    page.keyboard.type(points)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")


def unsent(phones: Phones) -> Page:
    """Return a page whose first hand waits, for the server cannot be reached."""
    ann = phones.page(**DESKTOP)
    new_sheet(ann, hands=3)
    ann.context.route("**/api/sheets/**", lambda route: route.abort())
    write(ann, "Ann", 95, "95")
    expect(ann.locator(".ledger .tag")).to_have_text(["not sent yet"])
    expect(ann.get_by_role("button", name="Write it down")).to_have_count(0)
    return ann


def totals(page: Page) -> list[str]:
    return page.locator(".ledger .total").all_inner_texts()


def told(page: Page) -> dict[str, Any]:
    code = page.url.partition("/s/")[2].partition("#")[0]
    return dict(page.request.get(f"/api/sheets/{code}").json())


def test_two_phones_score_a_game_and_one_of_them_is_away_for_a_while(phones: Phones) -> None:
    ann = phones.page(**DESKTOP)
    link = new_sheet(ann, hands=3)
    write(ann, "Ann", 95, "60+40-5")
    expect(ann.locator(".ledger .total")).to_have_text(["95", "25"])
    phones.look(ann, "a hand on a desktop")

    bob = phones.page(**NARROW, locale="es-ES", service_workers="allow")
    bob.goto(link)
    expect(bob.get_by_role("heading", name="¿Quién eres?")).to_be_visible()
    phones.look(bob, "who")
    bob.get_by_role("button", name="Bob", exact=True).click()
    expect(bob.locator(".ledger .total")).to_have_text(["95", "25"])
    phones.cut(bob)
    write(bob, "Bob", 100, "20")
    waits = bob.locator(".notice", has_text="1 anotación espera la red")
    expect(waits).to_be_visible()
    expect(bob.locator(".ledger .tag")).to_have_text(["sin enviar"])
    bob.wait_for_function("() => !history.state?.dialogs")  # the form's way back stops a reload
    bob.reload()
    expect(waits).to_be_visible()
    phones.look(bob, "away")

    # Meanwhile the same hand is written elsewhere, otherwise.
    write(ann, "Bob", 100, "25")
    expect(ann.locator(".ledger .total")).to_have_text(["120", "\u221275"])
    posted: list[str] = []

    def lost(route: Route) -> None:
        posted.append((route.request.post_data_json or {})["id"])
        if len(posted) == 1:  # the server hears it, and the answer gets lost
            route.fetch()
            route.abort()
        else:
            route.fallback()

    bob.context.route("**/entries", lost)
    phones.join(bob)
    expect(bob.get_by_role("heading", name="Mano 2: ¿cuál es la correcta?")).to_be_visible()
    expect(waits).to_have_count(0)
    assert len(posted) >= 2
    assert len(set(posted)) == 1
    assert told(ann)["entries"] == 3
    phones.look(bob, "disputed")
    expect(ann.get_by_role("heading", name="Hand 2: which is right?")).to_be_visible()
    ann.get_by_role("button", name="This one is right: Bob, Bob 100").click()
    expect(ann.locator(".dispute")).to_have_count(0)
    expect(bob.locator(".dispute")).to_have_count(0)
    assert totals(bob) == totals(ann) == ["115", "125"]

    # What can't be is said at the field, and stays there.
    write(ann, "Cy", 90, "63")
    points = ann.get_by_role("textbox", name="Ann + Cy")
    expect(points).to_be_focused()
    expect(points).to_have_value("63")
    expect(points).to_have_attribute("aria-invalid", "true")
    expect(ann.locator("#wrong-points")).to_contain_text("No counters add up to")
    phones.look(ann, "a bad tally")
    ann.reload()
    expect(points).to_have_value("63")
    points.fill("100")
    points.press("Enter")
    ann.keyboard.press("Enter")
    expect(ann.locator(".winners")).to_have_text("Ann + Cy have won with 215 points.")
    expect(bob.locator(".winners")).to_have_text("Ann + Cy han ganado con 215 puntos.")
    bob.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    phones.look(bob, "the end")


def test_a_key_that_opened_a_sheet_stays_and_a_restored_server_is_believed(phones: Phones) -> None:
    ann = phones.page(**DESKTOP)
    link = new_sheet(ann, hands=3)
    write(ann, "Ann", 95, "60+40-5")
    expect(ann.locator(".ledger .total")).to_have_text(["95", "25"])
    bob = phones.page(**DESKTOP)
    way, _, key = link.partition("#")
    kept = "code => JSON.parse(localStorage.getItem('rookery.sheet.' + code))"
    code = way.rpartition("/")[2]
    for opened in (f"{way}#main", f"{way}#{'x' * 43}", link, f"{way}#main", f"{way}#{'x' * 43}"):
        bob.goto("about:blank")
        bob.goto(opened)
        expect(bob.locator(".ledger .total")).to_have_text(["95", "25"])
        if opened == link:
            bob.wait_for_function(f"code => ({kept})(code).proven", arg=code)
    assert bob.evaluate(kept, code)["key"] == key
    old = {**told(ann), "hands": [], "totals": [0, 0, 0, 0], "entries": 0}
    bob.route("**/api/sheets/*", lambda route: route.fulfill(json=old))
    expect(bob.locator(".ledger .total")).to_have_text(["0", "0"])


def test_the_link_with_the_key_opens_a_sheet_that_is_being_looked_at(phones: Phones) -> None:
    client = phones.here.browser("Ann")
    wanted = {"rules": "kd_tournament", "players": PLAYERS, "hands": 3, "dealer": 0}
    sheet = client.post("/api/sheets", json=wanted).json()
    bob = phones.page(**DESKTOP)
    bob.goto(f"/s/{sheet['code']}")
    expect(bob.get_by_text("You're looking on.")).to_be_visible()
    writes = bob.get_by_role("button", name="Write hand 1")
    # The control: what else may stand after the # is no key.
    bob.goto(f"/s/{sheet['code']}#main")
    bob.evaluate(DRAWN)
    assert not writes.count()
    bob.goto(f"/s/{sheet['code']}#{sheet['key']}")
    expect(writes).to_be_visible()
    expect(bob.get_by_text("You're looking on.")).to_have_count(0)


def test_a_hand_that_is_written_during_another_sending_gets_its_answer(phones: Phones) -> None:
    ann = unsent(phones)
    under_way: list[Route] = []

    def hold(route: Route) -> None:
        if under_way:
            route.continue_()
        else:
            under_way.append(route)

    ann.context.route("**/api/sheets/*/entries", hold)
    with ann.expect_request("**/entries"):
        ann.evaluate("dispatchEvent(new Event('online'))")
    ann.locator(".hand-line").first.click()
    ann.get_by_role("textbox", name="Ann + Cy").fill("63")
    ann.get_by_role("button", name="Write it down").click()
    [first] = under_way
    first.continue_()
    expect(ann.locator("#wrong-points")).to_contain_text("No counters add up to")


def test_whoever_writes_does_not_wait_for_a_line_that_says_nothing(phones: Phones) -> None:
    ann = phones.page(**DESKTOP)
    ann.clock.install()
    new_sheet(ann, hands=3)
    held: list[Route] = []
    free: list[Route] = []

    def hold(route: Route) -> None:
        if free:
            route.continue_()
        else:
            held.append(route)

    ann.context.route("**/api/sheets/*/entries", hold)
    write(ann, "Ann", 95, "95")
    nth(ann, held)
    ann.clock.fast_forward(10_000)
    expect(ann.locator(".hand-form")).to_have_count(0)
    expect(ann.locator(".ledger .tag")).to_have_text(["not sent yet"])
    # The line is there again, and what was on its way comes too: it counts once.
    free += held
    for route in free:
        route.continue_()
    expect(ann.locator(".ledger .total")).to_have_text(["95", "25"])
    expect(ann.locator(".ledger .tag")).to_have_count(0)
    assert told(ann)["entries"] == 1


def test_a_hand_that_waits_outlives_a_correction_that_is_refused(phones: Phones) -> None:
    ann = unsent(phones)
    code = told(ann)["code"]
    # As if it had never been tried, as on a phone that is slow.
    ann.evaluate(
        """code => {
        const at = 'rookery.sheet.' + code, kept = JSON.parse(localStorage.getItem(at));
        for (const one of kept.waiting) delete one.tried;
        localStorage.setItem(at, JSON.stringify(kept));
        }""",
        code,
    )
    ann.locator(".hand-line").first.click()
    points = ann.get_by_role("textbox", name="Ann + Cy")
    points.fill("63")
    ann.context.unroute("**/api/sheets/**")
    ann.get_by_role("button", name="Write it down").click()
    expect(ann.locator("#wrong-points")).to_contain_text("No counters add up to")
    ann.get_by_role("button", name="Cancel").click()
    expect(ann.locator(".ledger .total")).to_have_text(["95", "25"])


def test_what_was_refused_is_corrected_after_the_hand_that_is_being_written(phones: Phones) -> None:
    ann = unsent(phones)
    no = {"error": {"code": "bad-tally", "reason": "", "where": {"part": "points"}}}
    ann.context.route("**/entries", lambda route: route.fulfill(status=400, json=no))
    ann.context.unroute("**/api/sheets/**")
    ann.evaluate("dispatchEvent(new Event('online'))")
    correct = ann.get_by_role("button", name="Correct it")
    expect(correct).to_be_visible()
    ann.locator(".next-hand").click()
    bid = ann.locator("input[name=bid]")
    ann.get_by_role("radio", name="Bob", exact=True).check()
    bid.fill("120")
    # Its form would take the place of this one, and of what stands in it.
    assert not correct.count()
    expect(bid).to_have_value("120")
    ann.get_by_role("button", name="Cancel").click()
    correct.click()
    expect(bid).to_have_value("95")


def requests(page: Page) -> list[str]:
    found: list[str] = []  # the address of all that it asks for
    page.on("request", lambda request: found.append(request.url))
    return found


def test_what_does_not_exist_is_asked_for_ever_more_rarely(phones: Phones) -> None:
    there = phones.page()
    new_sheet(there, hands=3)
    absent = {"/s/N0SUCH": "score sheet", "/e/N0SUCH": "evening", "/e/N0SUCH/hall": "evening"}
    pages = [phones.page() for _ in absent]
    for page, (path, kind) in zip(pages, absent.items(), strict=True):
        page.goto(path)
        expect(page.get_by_text(f"This {kind} doesn't exist")).to_be_visible()
    asked = [requests(page) for page in pages]
    for _ in range(5):  # looks at what is there
        there.wait_for_event("response", lambda answer: "/api/sheets/" in answer.url)
    # The first pause is 8 seconds or more; on a slow machine one may have ended.
    for path, found in zip(absent, asked, strict=True):
        assert len([url for url in found if "N0SUCH" in url]) < 2, path


def test_a_hand_counts_once_two_have_said_it_and_can_be_taken_back(phones: Phones) -> None:
    ann = phones.page(**DESKTOP)
    link = new_sheet(ann, hands=2, agree=True)
    write(ann, "Ann", 95, "95")
    expect(ann.get_by_text("It counts once somebody else agrees")).to_be_visible()
    assert totals(ann) == ["0", "0"]
    ann.get_by_text("Another phone").click()
    key = link.partition("#")[2]
    expect(ann.locator(".link-text").first).to_have_text(re.compile(rf"/s/\w+#{re.escape(key)}$"))
    expect(ann.locator(".link-text").last).to_have_text(re.compile(r"/s/\w+$"))
    watcher = phones.page(**NARROW)
    watcher.goto(link.partition("#")[0])
    expect(watcher.get_by_text("You're looking on.")).to_be_visible()
    expect(watcher.get_by_role("button", name="I agree")).to_have_count(0)
    bob = phones.page(**NARROW)
    bob.goto(link)
    bob.get_by_role("button", name="Bob", exact=True).click()
    # What the server has against it is said.
    no = {"error": {"code": "bad-key", "reason": ""}}
    bob.route("**/entries", lambda route: route.fulfill(status=403, json=no))
    bob.get_by_role("button", name="I agree").click()
    expect(bob.locator(".problem")).to_contain_text("Only whoever made this")
    bob.unroute("**/entries")
    bob.get_by_role("button", name="I agree").click()
    expect(bob.locator(".ledger .total")).to_have_text(["95", "25"])
    expect(ann.locator(".ledger .total")).to_have_text(["95", "25"])
    ann.get_by_role("button", name="Undo hand 1").click()
    expect(ann.locator(".ledger .total")).to_have_text(["0", "0"])
    ann.get_by_role("button", name="Delete this sheet").click()
    ann.get_by_role("button", name="Yes, delete it for everyone").click()
    ann.wait_for_url("**/sheet")
    expect(ann.get_by_role("heading", name="Your sheets")).to_have_count(0)


def test_everybody_in_the_game_that_was_chosen_can_be_named(phones: Phones) -> None:
    ann = phones.page(**DESKTOP)
    ann.goto("/sheet")
    ann.locator("select[name=game]").select_option("call_partner_5")
    names = [f"Player {n}" for n in range(1, 6)]
    for name in names:
        ann.get_by_label(name, exact=True).press_sequentially(name[-1] * 2)
    values = [ann.get_by_label(name, exact=True).input_value() for name in names]
    assert values == ["11", "22", "33", "44", "55"]


def test_a_new_sheet_takes_as_long_a_name_and_as_many_hands_as_the_server(phones: Phones) -> None:
    ann = phones.page(**DESKTOP)
    ann.goto("/sheet")
    ann.get_by_label("A number of hands").check()
    expect(ann.get_by_label("Hands", exact=True)).to_have_attribute("max", str(HANDS))
    name = ann.get_by_label("Player 1", exact=True)
    expect(name).to_have_attribute("maxlength", str(NAME_MAX))
