"""Play without a network: a device is made ready, and a hand against bots is played on it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from starlette.datastructures import Headers
from tests.server.http.served import Served
from tests.web.choosing import choose_bot
from tests.web.e2e.looks import faults
from tests.web.e2e.people import NARROW, PHONE, Someone, meekest, record_of
from tests.web.e2e.visitor import MAKE, READY, begin, chooses_short, empty, make_ready
from tests.web.kit import kit_or_skip

from rookery.fairness.check import checked
from rookery.record import loads
from rookery.server.http.static import Static

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("kit")]
BEGUN = "/kit/begun"  # Python as it was once it had begun
OF_KIT = "(await caches.open((await caches.keys()).find((one) => one.startsWith('rookery-kit-'))))"
IS_KEPT = f"async () => Boolean(await {OF_KIT}.match('{BEGUN}'))"
SPOILT = f"""async (from) => {{
  const bytes = new Uint8Array(await (await {OF_KIT}.match("{BEGUN}")).arrayBuffer());
  await {OF_KIT}.put("{BEGUN}", new Response(bytes.fill(0, from)));
}}"""
# What chance gives at a start, in a worker with the policy of ours.
DICE = f"""
const {{ loadPyodide }} = await import("/kit/pyodide.mjs");
const begun = await {OF_KIT}.match("{BEGUN}");
const python = await loadPyodide({{ indexURL: "/kit/", _loadSnapshot: begun.arrayBuffer() }});
postMessage({{ thrown: python.runPython("import secrets; secrets.token_hex()") }});
"""
THROWN = """() => new Promise((done) => {
  const thread = new Worker("/static/table/offline/dice.js", { type: "module" });
  thread.onmessage = ({ data }) => { thread.terminate(); done(data.thrown); };
})"""
# What this browser keeps that is somebody's.
KEPT = """async () => [
  ...(await indexedDB.databases()).map(({ name }) => name),
  ...Object.keys(localStorage).filter((key) => !/^rookery.(settings|device)$/.test(key)),
  ...JSON.parse(localStorage["rookery.device"]).tables,
]"""


def until_kept(page: Page) -> None:
    """Wait until the device keeps Python as it was once it had begun.

    `Page.wait_for_function` waits for no promise: it takes it for a yes.
    """
    until = time.monotonic() + 60  # seconds
    while not page.evaluate(IS_KEPT):
        assert time.monotonic() < until, "Python's beginning is not kept"
        page.wait_for_timeout(50)


@pytest.fixture(scope="module")
def kit() -> None:
    kit_or_skip()


@pytest.fixture
def ann(chromium: Browser, here: Served) -> Iterator[Someone]:
    someone = Someone(chromium, here, "Ann", **PHONE, service_workers="allow")
    yield someone
    someone.away()


@pytest.fixture(scope="module")
def device(kit: None, chromium: Browser, here: Served) -> Iterator[Someone]:
    """Somebody whose device has been made ready, and where Python has begun."""
    someone = Someone(chromium, here, "Ann", **PHONE, service_workers="allow")
    make_ready(someone)
    begin(someone)
    until_kept(someone.page)
    yield someone
    someone.away()


@pytest.fixture
def ready(device: Someone) -> Someone:
    """Return them with a device that was made ready, and on which nothing is."""
    empty(device, "/privacy")
    device.page.goto("/offline")
    return device


def test_a_hand_is_played_without_a_network_and_goes_on_after_a_reload(ann: Someone) -> None:
    page, said = ann.page, list[str]()
    ann.context.on("console", lambda message: said.append(message.text))
    make_ready(ann)
    chooses_short(page)
    ann.context.set_offline(True)
    # The first page opens as ever, and what it offers is played on this device.
    page.goto("/")
    choose_bot(page, "How bots play", "Master")
    code = begin(ann)
    assert page.url.endswith(f"/t/{code}")
    assert not ann.here.registry.actors
    ann.until("play", choose=meekest)
    until_kept(page)  # the reload begins with what Python was
    cards, tricks = ann.table()["view"]["hand"], len(ann.table()["view"]["tricks"])
    page.reload()
    page.wait_for_function("() => told.table?.view")
    assert ann.table()["view"]["hand"] == cards
    assert len(ann.table()["view"]["tricks"]) == tricks
    ann.until("over", choose=meekest)
    assert ann.table()["hands"][-1]["score"]
    assert {seat["bot"] for seat in ann.table()["seats"]} == {None, "master"}
    assert not [line for line in said if "decides for" in line]
    # What was played can be looked at: the same pages as on a server.
    page.goto(f"/replay/{code}/0")
    expect(page.get_by_role("slider")).to_be_visible()
    kept = loads(record_of(ann).decode())
    assert checked(kept).good
    page.goto("/")
    expect(page.locator(f'a[href="/t/{code}"]').first).to_be_visible()
    expect(page.get_by_text("No public tables right now.")).to_be_visible()
    # A record is what a server takes, too; with the network back its own tables are there again.
    ann.context.set_offline(False)
    page.goto("/")
    assert page.evaluate("fetch('/api/session').then((answer) => answer.json())")["tables"] == []


def _list(someone: Someone) -> str:
    return str(someone.page.evaluate("fetch('/kit/list.json').then((answer) => answer.text())"))


def test_what_is_asked_for_is_fetched_and_used_once_it_is_whole(ann: Someone) -> None:
    page, asked = ann.page, list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if re.search("here.js|offline|kit", url)]
    page.goto("/offline")
    expect(page.get_by_role("button", name=MAKE)).to_be_visible()
    assert not [url for url in asked if "/kit/" in url and not url.endswith("/kit/list.json")]
    # What is not whole is not used.

    def changed(route: Route) -> None:
        route.fulfill(body=b"(module)", content_type="application/wasm")

    ann.context.route("**/kit/pyodide.asm.wasm*", changed)
    ann.press(MAKE)
    expect(
        page.get_by_role("alert").filter(has_text="Not everything could be fetched")
    ).to_be_visible()
    assert page.evaluate("JSON.parse(localStorage['rookery.device'] ?? '{}').kit ?? ''") == ""
    ann.context.unroute("**/kit/pyodide.asm.wasm*", changed)
    # What has come already is not fetched again.
    asked.clear()
    page.locator("main").get_by_role("button", name="Try again").click()
    expect(page.locator("main").get_by_text(READY)).to_be_visible()
    fetched = [url for url in asked if "/kit/" in url and "?for=" in url]
    assert any("pyodide.asm.wasm" in url for url in fetched)
    assert len(fetched) < len(json.loads(_list(ann))["files"]) / 2
    # Until a newer version is whole, the one before is used.
    before = page.evaluate("JSON.parse(localStorage['rookery.device']).kit")
    newer = {**json.loads(_list(ann)), "version": "newer"}
    wrong = {**newer, "files": [*newer["files"][:-1], {**newer["files"][-1], "hash": "0" * 64}]}
    told = [wrong]
    page.route("**/kit/list.json", lambda route: route.fulfill(json=told[0]))
    page.reload()
    ann.press("Update")
    expect(page.get_by_role("alert").filter(has_text="Not everything")).to_be_visible()
    assert page.evaluate("JSON.parse(localStorage['rookery.device']).kit") == before
    page.reload()
    begin(ann)  # with the version before
    told[0] = newer
    page.set_viewport_size(NARROW["viewport"])
    page.goto("/offline")
    assert not faults(page)
    ann.press("Update")
    expect(page.get_by_role("button", name="Update")).to_have_count(0)
    expect(page.locator("main").get_by_text(READY)).to_be_visible()
    assert page.evaluate("JSON.parse(localStorage['rookery.device']).kit") == "newer"
    names = [name for name in page.evaluate("caches.keys()") if name.startswith("rookery-kit-")]
    assert names == ["rookery-kit-newer"]


def test_the_page_fits_a_narrow_phone_in_spanish_and_goes_by_keys(
    chromium: Browser, here: Served
) -> None:
    someone = Someone(chromium, here, "Ann", **NARROW, locale="es-ES", service_workers="allow")
    page = someone.page
    page.goto("/offline")
    make = "Preparar este dispositivo para jugar sin conexión"
    button = page.get_by_role("button", name=make)
    expect(button).to_be_visible()
    assert not faults(page)
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("main input[name=name]")).to_be_visible()
    assert not faults(page)
    # It can be removed again.
    page.locator("summary").last.focus()
    page.keyboard.press("Enter")
    page.locator("details[open] button.danger").focus()
    page.keyboard.press("Enter")
    expect(button).to_be_visible()
    assert not [name for name in page.evaluate("caches.keys()") if name.startswith("rookery-kit-")]
    someone.away()


def test_what_python_was_is_used_only_while_it_is_whole_and_holds_no_chance(ready: Someone) -> None:
    ann, page = ready, ready.page
    code = begin(ann)
    policy = Static().file("table/offline/worker.js", Headers()).headers["content-security-policy"]
    about = {"content-security-policy": policy}
    page.context.route(
        "**/dice.js",
        lambda route: route.fulfill(body=DICE, content_type="text/javascript", headers=about),
    )
    assert page.evaluate(THROWN) != page.evaluate(THROWN)
    cards = ann.table()["view"]["hand"]
    for begins_to_be_wrong in (0, 1_000_000):  # nothing is readable; or it is no memory of Python
        page.evaluate(SPOILT, begins_to_be_wrong)
        page.goto(f"/t/{code}")
        page.wait_for_function("() => told.table?.view")
        assert ann.table()["view"]["hand"] == cards
        until_kept(page)


def forget(someone: Someone, said: str) -> None:
    """Delete all data on the first page, and read what it says then."""
    someone.page.goto("/")
    someone.page.get_by_text("Delete my data", exact=True).first.click()
    someone.press("Yes, delete my data")
    expect(someone.page.get_by_role("status").filter(has_text=said)).to_be_visible()


def test_one_window_plays_and_who_deletes_their_data_leaves_nothing_in_any(ready: Someone) -> None:
    ann, page = ready, ready.window()
    code = begin(ann)
    page.goto(f"/t/{code}")
    busy = "Another window of this browser plays here"
    expect(page.locator("main").get_by_text(busy)).to_be_visible()
    ann.page.close()
    ann.page = page
    ann.press("Try again")
    page.wait_for_function("() => told.table?.view")
    page.evaluate("localStorage['rookery.house_rules'] = JSON.stringify({ Ours: {} })")
    chosen = {"language": "en", "felt": "wine", "bot": "ace", "newcomer": False}
    page.evaluate("(s) => localStorage.setItem('rookery.settings', JSON.stringify(s))", chosen)
    assert {"rookery.device", "rookery.house_rules", code} <= set(page.evaluate(KEPT))
    # The server does not know them, and the device alone does.
    other = ann.window()
    ann.page = other
    forget(ann, "Your data has been deleted")
    assert page.evaluate(KEPT) == []
    left = json.loads(page.evaluate("localStorage['rookery.settings']"))
    assert (left["felt"], left["bot"]) == ("wine", "")
    gone = "The games on this device have been deleted in another window."
    expect(page.locator("main").get_by_text(gone)).to_be_visible()
    page.close()
    # It is as it was when it was made ready.
    other.goto("/offline")
    expect(other.get_by_label("Your name")).to_have_value("")
    assert begin(ann) != code
    # Without a network the device forgets, and says what the server still has.
    page = other
    named = "fetch('/api/session', {method: 'POST', headers: {'content-type': 'application/json'},"
    page.evaluate(named + " body: JSON.stringify({name: 'Ann'})}).then((answer) => answer.ok)")
    ann.context.set_offline(True)
    forget(ann, "what it has is still there")
    assert page.evaluate(KEPT) == []
    expect(page.get_by_label("Your name")).to_have_value("")
    ann.context.set_offline(False)
    page.goto("/")
    expect(page.get_by_label("Your name")).to_have_value("Ann")
    forget(ann, "Your data has been deleted")
    me = page.evaluate("fetch('/api/session').then((answer) => answer.json())")
    assert (me["person"], me["name"]) == (None, "")


GIVE = "Give this match to the server"


def match_of(someone: Someone) -> str:
    """Play a short match on the device to its end; return the code of its table."""
    page = someone.page
    chooses_short(page)
    page.goto("/offline")
    code = begin(someone)
    someone.until("over", choose=meekest)
    return code


def test_a_match_of_the_device_is_handed_to_the_server_once(ready: Someone, here: Served) -> None:
    ann, page = ready, ready.page
    ann.context.set_offline(True)
    code = match_of(ann)
    ann.press(GIVE)
    problem = page.get_by_role("alert").filter(has_text="Can't reach the server")
    expect(problem).to_be_visible()
    ann.context.set_offline(False)
    # The answer to the first try is lost.
    lost = []

    def lose(route: Route) -> None:
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/api/matches", lose, times=1)
    # The server does not know her yet: with the match comes her name.
    ann.press(GIVE)
    expect(problem).to_be_visible()
    page.wait_for_function("() => !document.querySelector('.over button[disabled]')")
    ann.press(GIVE)
    link = page.locator(".over .link-text")
    expect(link).to_have_text(re.compile(f"/replay/{code}$"))
    assert not faults(page)
    assert lost[-1] in (201, 401)
    other = here.browser()
    hands = other.get(f"/api/tables/{code}/hands").json()
    assert {one["match"] for one in hands} == {0}
    assert "Ann" in hands[0]["players"]
    mine = page.evaluate("fetch('/api/session/statistics').then((answer) => answer.json())")
    assert mine["matches"] == 1


SPANISH = "Entregar esta partida al servidor"
# How long the worker answers nothing, while it is asked all the time.
HELD_UP = """async (code) => {
  const { ask } = await import("/static/table/offline/device.js");
  const found = { longest: 0, done: new Set(), whole: 0 };
  for (;;) {
    const began = performance.now();
    const { status, text } = await ask("GET", `/api/tables/${code}/matches/0/review`);
    found.longest = Math.max(found.longest, performance.now() - began);
    if (status !== 202) return { ...found, done: found.done.size, status };
    const { done, whole } = JSON.parse(text);
    found.done.add(done);
    found.whole = whole;
  }
}"""


def test_a_match_is_reviewed_on_the_device_and_handed_in_from_its_replay(ready: Someone) -> None:
    ann, page = ready, ready.page
    ann.context.set_offline(True)
    code = match_of(ann)
    page.goto(f"/review/{code}/0")
    bar = page.locator("main progress")
    moved = "(one) => one.max > 1 && one.value > 0 && one.value < one.max"
    expect(bar).to_be_visible()
    page.wait_for_function(f"() => [...document.querySelectorAll('main progress')].some({moved})")
    # Elsewhere it begins anew, and holds up nothing there.
    page.goto("/offline")
    found = page.evaluate(HELD_UP, code)
    print("review", found)  # how long the longest wait was, milliseconds
    assert found["status"] == 200
    assert found["done"] > 8
    page.goto(f"/review/{code}/0")
    expect(page.get_by_role("heading", name="Hand 1", exact=False).first).to_be_visible()
    assert not faults(page)
    # With the network back, and in Spanish.
    ann.context.set_offline(False)
    page.set_viewport_size(NARROW["viewport"])
    page.evaluate(
        "localStorage['rookery.settings'] = JSON.stringify({ language: 'es', newcomer: false })"
    )
    page.goto(f"/replay/{code}/0")
    ann.press(SPANISH)
    kept = page.locator("main").get_by_text("El servidor guarda ahora esta partida.")
    expect(kept).to_be_visible()
    assert not faults(page)
