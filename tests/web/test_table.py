"""The table in a real browser: what stands on one page and needs no second person."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    WebSocketRoute,
    expect,
)
from tests.server.http.served import Served, table_for, token_of
from tests.web.e2e.looks import DRAWN

from rookery.fairness.deal import SHARE_DIGITS

# The page tells of every message that it gets and sends.
LISTEN = """
  window.told = {rules: null, table: null, shares: []};
  // The chance that a browser adds to a deal is the same in every run; nothing else has its length.
  const chance = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (row) => (row.length === 16 ? row.fill(7) : chance(row));
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", async (event) => {
        const message = JSON.parse(event.data);
        if (!message.table) return;
        const {changed} = await import("/static/core/socket.js");
        const table = message.type === "change" ? changed(told.table, message) : message.table;
        if (!table) return;
        told.rules = table.rules || told.rules;
        told.table = table;
      });
    }
    send(text) {
      const message = JSON.parse(text);
      if (message.type === "contribute") told.shares.push(message);
      super.send(text);
    }
  };
"""

DISCARD = re.compile("^Discard ")
# The page tells which of its intervals are running, in milliseconds.
INTERVALS = """
  window.intervals = new Map();
  const set = window.setInterval.bind(window);
  const clear = window.clearInterval.bind(window);
  window.setInterval = (act, wait) => {
    const id = set(act, wait);
    intervals.set(id, wait);
    return id;
  };
  window.clearInterval = (id) => {
    intervals.delete(id);
    clear(id);
  };
"""


# The page tells when what moves in any of its frames ends.
ENDS = """
  window.ends = [];
  const look = () => {
    ends.push(...document.getAnimations().map((one) => one.effect.getComputedTiming().endTime));
    requestAnimationFrame(look);
  };
  look();
"""


@pytest.fixture
def context(chromium: Browser, here: Served) -> Iterator[BrowserContext]:
    opened = chromium.new_context(
        base_url=here.url, locale="en-GB", reduced_motion="reduce", service_workers="block"
    )
    opened.set_default_timeout(60_000)
    opened.add_init_script(LISTEN)
    yield opened
    opened.close()


def begin(
    page: Page, here: Served, rules: object, bots: int, *, press: bool = True, **more: object
) -> str:
    """Sit down at a new table with bots and begin, unless not to `press`; return its code."""
    browser = here.browser("Ann")
    page.context.add_cookies([{"name": "rookery", "value": token_of(browser), "url": here.url}])
    wanted = {"pace": "instant", **more}
    code = table_for(browser, rules=rules, bots=["club"] * bots, **wanted)
    page.goto(f"/t/{code}")
    if press:
        page.get_by_role("button", name="Start").click()
        expect(page.locator(".game")).to_be_visible()
    return code


def mine(page: Page) -> dict[str, Any]:
    """Wait until something is asked of me, or the hand is done, and drawn; return the snapshot."""
    page.wait_for_function(
        "() => told.table.view && "
        "(told.table.view.to_act === told.table.you || told.table.view.phase === 'done')"
    )
    page.evaluate(DRAWN)
    table: dict[str, Any] = page.evaluate("told.table")
    return table


def play_on(page: Page) -> None:
    """Do what is asked first, whatever it is."""
    table = mine(page)
    view = table["view"]
    if view["phase"] == "auction":
        page.locator(".ladder .button").first.click()
    elif view["phase"] == "nest":
        page.locator(".card-row.hand .card.open:not(.picked)").last.click()
        while page.get_by_role("button", name=DISCARD).is_disabled():
            page.locator(".card-row.hand .card.open:not(.picked)").last.click()
        page.get_by_role("button", name=DISCARD).click()
    elif view["phase"] == "play":
        page.locator(".card-row.asked .card.open").first.click()
    else:
        page.locator(".choices.calls .button").first.click()
    page.wait_for_function("(seq) => told.table.seq > seq", arg=table["seq"])


@pytest.mark.parametrize(("seats", "cards", "nest"), [(6, 6, 5), (8, 5, 1)])
def test_partners_sit_opposite_whatever_the_number_of_seats(
    page: Page, here: Served, seats: int, cards: int, nest: int
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    size = {"seats": seats, "hand_size": cards, "nest_size": nest}
    rules = {"base": "kd_tournament", "partnership": "fixed_opposite", **size}
    # At once, the next hand would follow before this one has been looked at.
    code = begin(page, here, rules, seats - 1, pace="brisk", press=False)
    teams = [f"Team {'ABCD'[seat % (seats // 2)]}" for seat in range(seats)]
    expect(page.locator(".seat-row .team")).to_have_text(teams)
    page.get_by_role("button", name="Start").click()
    partner = page.locator(".plate", has=page.locator(".tag.partner"))
    names = [seat["name"] for seat in page.evaluate("told.table")["seats"]]
    expect(partner.locator(".plate-name b")).to_have_text(names[seats // 2])
    while mine(page)["view"]["phase"] != "done":
        play_on(page)
    told = page.evaluate("told.table")
    score = told["view"]["score"]
    expect(page.locator(".over .scores li")).to_have_count(seats // 2)
    for seat, line in enumerate(page.locator(".over .scores li").all()):
        expect(line).to_contain_text(names[seat + seats // 2])
        expect(line.locator("b")).to_contain_text(str(abs(score[seat])))
        assert score[seat] == score[seat + seats // 2]
    heads = page.locator(".sheet thead th")
    # Beside the game there is room for three columns; of more, the contract has its own line.
    first = ["Hand", "Contract"] if seats < 8 else []
    expect(heads).to_have_text([*first, *[re.compile(" and ")] * (seats // 2)])
    assert page.request.get(f"/api/tables/{code}").json()["sides"] == told["sides"]


def test_the_browser_adds_chance_to_the_deal_and_checks_it_afterwards(
    page: Page, here: Served
) -> None:
    # At once, the next hand would follow before this one has been looked at.
    code = begin(page, here, "kd_tournament", 3, pace="brisk")
    while mine(page)["view"]["phase"] != "done":
        play_on(page)
    page.get_by_role("button", name="Check the deal").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The key fits the fingerprint.")
    expect(dialog).to_contain_text("It is the fingerprint that this browser saw before the deal.")
    expect(dialog).to_contain_text("The randomness that this browser added is part of the deal.")
    first = page.evaluate("told.shares")[0]
    proof = page.evaluate("told.table.proof")
    assert (first["number"], len(first["share"])) == (proof["number"], SHARE_DIGITS)
    assert proof["shares"][0] == first["share"]
    parts = (b"rook-deal-1", code.encode(), b"%d" % proof["number"], bytes.fromhex(proof["key"]))
    told = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    assert hashlib.sha256(told).hexdigest() == proof["commitment"]
    expect(dialog).to_contain_text(proof["commitment"])


def test_an_action_whose_line_breaks_is_done_once(page: Page, here: Served) -> None:
    broken: list[str] = []

    def between(ws: WebSocketRoute) -> None:
        server = ws.connect_to_server()

        def passed(message: str | bytes) -> None:
            server.send(message)
            if '"type":"act"' in str(message) and len(broken) < 2:
                # It has reached the server; the answer never comes back.
                broken.append(str(message))
                ws.close(code=1011)

        ws.on_message(passed)

    page.route_web_socket("**/ws/**", between)
    code = begin(page, here, "kd_tournament", 3)
    before = len(mine(page)["view"]["calls"])
    play_on(page)
    play_on(page)
    assert len(broken) == 2
    expect(page.locator(".banner")).to_have_count(0)
    calls = mine(page)["view"]["calls"]
    assert len([call for call in calls if call.startswith("0 ")]) <= 2
    assert len(calls) > before
    assert page.request.get(f"/api/tables/{code}").json()["phase"] == "playing"


def test_a_table_where_nobody_acts_is_still(page: Page, here: Served) -> None:
    # Chromium without a GPU paints every frame of an animation: 12 to 22 % of a core.
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(INTERVALS)
    page.add_init_script(ENDS)
    begin(page, here, "kd_tournament", 3)
    mine(page)
    expect(page.locator(".own .plate.turn")).to_have_count(1)
    ends = page.evaluate("ends")
    assert ends
    assert all(map(math.isfinite, ends))
    page.wait_for_function("() => document.getAnimations().length === 0")
    expect(page.locator(".own .plate.turn")).to_have_count(1)
    assert [wait for wait in page.evaluate("[...intervals.values()]") if wait < 10_000] == []


def test_a_browser_that_is_somebody_is_asked_before_it_becomes_another(
    page: Page, here: Served
) -> None:
    link = here.browser("Cy").post("/api/session/return").json()["link"]
    begin(page, here, "kd_tournament", 3)
    page.goto(link)
    expect(page.locator("main")).to_contain_text("In this browser you play as Ann.")
    expect(page.locator("main")).to_contain_text("Ann's seat at 1 table")
    page.get_by_role("link", name="Stay as Ann").click()
    page.wait_for_url(f"{here.url}/")
    assert page.request.get("/api/session").json()["name"] == "Ann"
    page.goto(link)
    page.get_by_role("button", name="That's me").click()
    expect(page.locator("main")).to_contain_text("Hello again, Cy.")


@pytest.mark.parametrize("rules", ["kd_tournament", "kd_standard_cards"])
def test_on_a_small_phone_the_hand_is_there_without_scrolling(
    page: Page, here: Served, rules: str
) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    begin(page, here, rules, 3)
    while mine(page)["view"]["phase"] != "play":
        play_on(page)
    mine(page)
    below = page.evaluate(
        "Math.max(...[...document.querySelectorAll('.card-row.hand .card')]"
        ".map((card) => card.getBoundingClientRect().bottom))"
    )
    assert below <= 640
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
