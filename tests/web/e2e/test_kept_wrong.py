"""A browser that keeps what nobody understands, and names that mean something to JavaScript."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.server.http.served import Served, table_for
from tests.web.e2e.people import GO_ON, Someone
from tests.web.e2e.windows import Windows

from rookery.rules import load

Invite = Callable[..., Someone]
NEEDS_NO_NAME = "/healthz"  # a page of this server without the client
PLAIN = "Plain rules"
ADDRESS_SAYS = "text => atob(location.hash.slice(3)).includes(text)"
# What all objects have.
SHARED = "Object.keys(Object.prototype)"
# As it is where the disk is full or the database is damaged.
CANNOT_OPEN = "IDBFactory.prototype.open = () => { throw new DOMException('x', 'UnknownError'); }"
# The window is closed before the browser has deleted it.
CUT_OFF = """IDBFactory.prototype.deleteDatabase = () => {
  window.closed_now = true;
  return {};
}"""
DATABASES = "async () => (await indexedDB.databases()).map(({ name }) => name)"


def keeps(page: Page, key: str, value: object) -> None:
    """Have a browser keep something, as another hand has written it."""
    page.goto(NEEDS_NO_NAME)
    page.evaluate("([key, value]) => localStorage.setItem(key, value)", [key, json.dumps(value)])


@pytest.mark.parametrize(
    "kept",
    [
        {"kit": "1", "tables": None, "told": None},
        {"kit": "1", "tables": 5},
        {"kit": None, "tables": [], "told": {}},
        {"kit": "", "tables": [], "told": []},
    ],
)
def test_a_table_opens_whatever_is_kept_of_this_device(invite: Invite, kept: object) -> None:
    ann = invite("Ann")
    code = table_for(ann.here.browser("Bob"))
    keeps(ann.page, "rookery.device", kept)
    ann.comes(code)
    assert ann.table()["code"] == code


@pytest.mark.parametrize("language", ["constructor", "__proto__", "fr", "es"])
def test_every_language_that_is_kept_has_words(invite: Invite, language: str) -> None:
    page = invite("Ann").page
    keeps(page, "rookery.settings", {"language": language})
    page.goto("/learn")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.locator("html")).to_have_attribute("lang", "es" if language == "es" else "en")


@pytest.mark.parametrize(
    "wrong", [{"people": 5}, {"also": None}, {"also": "kd"}, {"screens": 5}, {"rounds": "7"}, 5]
)
def test_a_draft_of_an_evening_that_is_none_leaves_the_form(invite: Invite, wrong: object) -> None:
    page = invite("Ann").page
    keeps(page, "rookery.new_evening", wrong)
    page.goto("/evening")
    expect(page.get_by_label("Who plays?")).to_have_value("")
    whole = {**wrong, "people": "Ann\nBob"} if isinstance(wrong, dict) else {"people": "Ann\nBob"}
    keeps(page, "rookery.new_evening", whole)
    page.goto("/evening")
    expect(page.get_by_label("Who plays?")).to_have_value("Ann\nBob")


@pytest.mark.parametrize(
    "wrong", [{"told": 5}, {"told": {"players": None}}, {"at": {}}, {"draft": 5}]
)
def test_one_sheet_that_is_none_hides_no_other(invite: Invite, wrong: dict[str, object]) -> None:
    ann = invite("Ann")
    page, client = ann.page, ann.here.browser("Ann")
    asked = {"rules": "kd_tournament", "players": ["Ann", "Bob", "Cid", "Dee"]}
    good, bad = (client.post("/api/sheets", json=asked).json() for _ in range(2))
    keeps(page, f"rookery.sheet.{good['code']}", {"told": good, "at": 1, "draft": None})
    keeps(page, f"rookery.sheet.{bad['code']}", {"told": bad, "at": 1, **wrong})
    page.goto("/sheet")
    listed = page.locator(f'a[href="/s/{good["code"]}"]')
    expect(listed).to_be_visible()
    for sheet in (good, bad):
        page.goto(f"/s/{sheet['code']}")
        expect(page.get_by_role("heading", level=1)).to_contain_text("Kentucky Discard")


@pytest.mark.parametrize("name", ["__proto__", "constructor", PLAIN])
def test_house_rules_may_have_any_name(invite: Invite, name: str) -> None:
    host, other = invite("Eve"), invite("Ann")
    rules = {"base": "kd_tournament", "name": name}
    code = host.hosts(rules=rules, open=True)
    host.page.wait_for_function("() => told.table")
    page = other.page
    page.goto("/")
    expect(page.get_by_role("link", name=f"Join: {name}, {code}")).to_be_visible()
    expect(page.locator(".table-row b").filter(has_text=name).first).to_be_visible()
    assert page.evaluate(SHARED) == []


def packed(rules: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(rules).encode()).decode().rstrip("=")


ODD: list[dict[str, object]] = [{"name": None, "value": {}}]


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": {}},
        {"name": 5},
        *({option: ODD} for option in ("extra_cards", "declaration_order", "ranks")),
        {"name": PLAIN},
    ],
    ids=json.dumps,
)
def test_a_link_to_rules_may_hold_anything(invite: Invite, wrong: dict[str, object]) -> None:
    page = invite("Ann").page
    page.goto(f"/rules/edit#r={packed({'base': 'kd_tournament', **wrong})}")
    expect(page.get_by_role("heading", name="Do these rules fit together?")).to_be_visible()
    name = page.get_by_label("Name of these rules")
    expect(name).to_have_value(PLAIN if wrong == {"name": PLAIN} else "")


def test_a_broken_link_that_is_opened_later_says_so_above(invite: Invite) -> None:
    page = invite("Ann").page
    page.goto("/rules/edit")
    expect(page.get_by_text("These rules fit together.").first).to_be_visible()
    page.get_by_label("Name of these rules").fill("Ours")
    page.wait_for_function(ADDRESS_SAYS, arg="Ours")
    page.evaluate("location.hash = 'r=eyJiYXNl'")
    said = page.get_by_role("alert").filter(has_text="The rules in this link can't be read.")
    expect(said).to_be_visible()
    page.wait_for_function(ADDRESS_SAYS, arg="Ours")  # what is shown, as before
    expect(said).to_be_visible()
    page.evaluate(f"location.hash = 'r={packed({'base': 'circus'})}'")
    expect(said).to_have_count(0)


def test_a_link_that_is_opened_in_the_same_tab_is_read_and_the_way_back_too(invite: Invite) -> None:
    page = invite("Ann").page
    first, other = (
        packed({"base": "kd_tournament", "name": name, "target": target})
        for name, target in (("Ours", 310), ("Theirs", load("kd_tournament").target))
    )
    late: list[Route] = []
    page.route("**/api/rules/schema*", lambda route: late.append(route))
    page.goto(f"/rules/edit#r={first}")
    expect(page.get_by_text("Loading …")).to_be_visible()
    page.evaluate(f"location.hash = 'r={other}'")  # while the page is still coming
    while not late:
        page.wait_for_timeout(10)
    late[0].continue_()
    name = page.get_by_label("Name of these rules")
    expect(name).to_have_value("Theirs")
    page.evaluate(f"location.hash = 'r={first}'")
    expect(name).to_have_value("Ours")
    name.fill("Ours, changed")
    page.wait_for_function(ADDRESS_SAYS, arg="changed")
    page.evaluate(f"location.hash = 'r={other}'")
    expect(name).to_have_value("Theirs")
    expect(page.get_by_text("No changes yet.")).to_be_visible()
    page.go_back()
    expect(name).to_have_value("Ours, changed")


def test_rules_that_are_being_edited_outlast_a_language_that_cannot_be_had(invite: Invite) -> None:
    page = invite("Ann").page
    page.goto("/rules/edit")
    name = page.get_by_label("Name of these rules")
    name.fill("Ours")
    page.wait_for_function(ADDRESS_SAYS, arg="Ours")
    page.route("**/api/rules/schema*", lambda route: route.abort())
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Language").select_option("es")
    page.keyboard.press("Escape")
    again = page.get_by_role("button", name="Intentar otra vez")
    expect(again).to_be_visible()
    page.unroute("**/api/rules/schema*")
    again.click()
    expect(page.locator("[maxlength='80']")).to_have_value("Ours")


def test_rules_of_an_unknown_game_are_not_said_to_fit(invite: Invite) -> None:
    page = invite("Ann").page
    page.goto("/rules/edit")
    fits = page.get_by_text("These rules fit together.")
    expect(fits.first).to_be_visible()
    page.evaluate(f"location.hash = 'r={packed({'base': 'kd_turnament'})}'")
    expect(page.get_by_text("There's no game of that name").first).to_be_visible()
    expect(fits).to_have_count(0)


def mistake(code: str) -> dict[str, object]:
    return {"code": code, "hand": 0, "at": 0, "due": 0, "changed": 1, "step": 4, "decision": None}


@pytest.mark.parametrize("works", [False, True], ids=["damaged", "whole"])
def test_what_cannot_be_opened_keeps_nothing_else_from_being_forgotten(
    invite: Invite, works: bool
) -> None:
    ann = invite("Ann")
    client = ann.here.browser("Ann")
    ann.known(client)
    key = f"rookery.mistakes.{client.get('/api/session').json()['person']}"
    keeps(ann.page, key, [mistake("ABCDEFG")])
    if not works:
        ann.page.add_init_script(CANNOT_OPEN)
    forget(ann.page)
    ann.page.wait_for_function("(key) => !(key in localStorage)", arg=key)
    problem = ann.page.locator(".problem")
    expect(problem).to_have_count(0 if works else 1)


def forget(page: Page) -> None:
    """Delete all data on the first page."""
    page.goto("/")
    page.get_by_text("Delete my data", exact=True).first.click()
    page.get_by_role("button", name="Yes, delete my data").click()


def test_a_window_that_is_closed_while_it_forgets_leaves_no_empty_database(invite: Invite) -> None:
    ann = invite("Ann")
    ann.known(ann.here.browser("Ann"))
    ann.page.add_init_script(CUT_OFF)
    forget(ann.page)
    ann.page.wait_for_function("() => window.closed_now")
    assert ann.page.evaluate(DATABASES) == []


@pytest.mark.parametrize("answered", ["before", "after"])
def test_what_is_open_in_another_window_does_not_write_itself_back(
    invite: Invite, answered: str
) -> None:
    ann = invite("Ann")
    page = ann.page
    ann.known(ann.here.browser("Ann"))
    asked = {"rules": "kd_tournament", "players": ["Ann", "Bob", "Cid", "Dee"]}
    code = ann.here.browser("Bob").post("/api/sheets", json=asked).json()["code"]
    keeps_it = f"() => 'rookery.sheet.{code}' in localStorage"
    page.goto(f"/s/{code}")
    expect(page.locator(".ledger")).to_be_visible()
    assert page.evaluate(keeps_it)
    held: list[Route] = []
    if answered == "after":
        with page.expect_request(f"**/api/sheets/{code}"):
            page.route(f"**/api/sheets/{code}", lambda route: held.append(route))
    forget(ann.window())
    expect(page.get_by_text("has been deleted in another window")).to_be_visible()
    for route in held:
        route.continue_()
    page.evaluate("fetch('/healthz')")
    page.wait_for_timeout(1_000)  # two looks
    assert not page.evaluate(keeps_it)
    assert not ann.faults
    page.unroute_all()
    page.goto(f"/s/{code}")  # its link opens it again
    expect(page.locator(".ledger")).to_be_visible()


@pytest.mark.parametrize("code", ["AB%", "2222222"])
def test_an_address_that_is_none_breaks_no_page_after_it(invite: Invite, code: str) -> None:
    page = invite("Ann").page
    keeps(page, "rookery.device", {"kit": "1", "tables": [], "told": []})
    page.goto(f"/t/{code}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.evaluate(GO_ON, "/offline")
    expect(page.get_by_role("heading", level=1)).to_have_text("Play offline")


NOBODY: dict[str, object] = {
    "person": None,
    "name": "",
    "tables": [],
    "base": "",
    "passkeys": False,
}


@pytest.mark.parametrize("keeps_cookies", [False, True], ids=["off", "on"])
def test_whoever_has_cookies_off_is_told_so(invite: Invite, keeps_cookies: bool) -> None:
    page = invite("Ann").page

    def told(route: Route) -> None:
        if keeps_cookies or route.request.method != "GET":
            route.continue_()
        else:
            route.fulfill(json=NOBODY)

    page.route("**/api/session", told)
    code = table_for(invite("Bob").here.browser("Bob"))
    page.goto(f"/t/{code}")
    page.get_by_label("Your name at the table").fill("Ann")
    page.get_by_role("button", name="Sit down").click()
    if keeps_cookies:
        page.wait_for_function("() => told.table")
    else:
        expect(page.locator(".problem")).to_contain_text("keeps no cookies")


FILE = "/static/core/i18n.js"
LEFT = """async () => [
  document.cookie, {...localStorage}, {...sessionStorage}, history.length,
  (await indexedDB.databases()).length, await caches.keys(), told.frames.length,
]"""
LEAVES = """async () => {
  localStorage.x = sessionStorage.x = document.cookie = "x=1";
  await caches.open("x");
  await new Promise((done) => (indexedDB.open("x").onsuccess = done));
  history.pushState({}, "", "/x");
}"""


def test_whoever_has_a_window_after_somebody_else_finds_nothing_of_theirs(
    chromium: Browser, here: Served, windows: Windows
) -> None:
    ann = Someone(chromium, here, "Ann", windows)
    ann.page.goto(FILE)
    before = ann.page.evaluate(LEFT)
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    ann.page.route(f"**{FILE}", lambda route: route.abort())
    ann.page.evaluate(LEAVES)
    assert ann.page.evaluate(LEFT) != before
    ann.window().goto("about:blank")
    ann.away()
    bob = Someone(chromium, here, "Bob", windows)
    assert bob.page is ann.page
    asked.clear()
    bob.page.goto(FILE)
    assert bob.page.evaluate(LEFT) == before
    assert bob.context.pages == [bob.page]
    assert asked == []
    # One whose clock is a test's is not given to anybody else.
    bob.page.clock.install()
    bob.away()
    cy = Someone(chromium, here, "Cy", windows)
    assert cy.page is not bob.page
    cy.away()
