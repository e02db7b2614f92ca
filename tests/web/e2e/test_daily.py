"""The daily deals in a browser: played by keys and taps, told to friends, resumed, marked."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.server.http.served import Served, first_legal, line, served, table_for
from tests.server.memory.store import MemoryStore
from tests.web.e2e.looks import DRAWN, faults, later
from tests.web.e2e.people import DESKTOP, NARROW, Someone
from tests.web.e2e.test_keyboard import FOCUSED

from rookery import record
from rookery.daily.day import after

Invite = Callable[..., Someone]
DEVICES: dict[str, dict[str, Any]] = {"phone": NARROW, "desktop": DESKTOP}
GAMES = {
    "four": "Kentucky Discard, Tournament rules",
    "five": "Five-person Rook with a poker deck",
}
# What the page asks of whoever plays: a list of actions, of cards to play or of cards to lay away.
ASKED = """() => {
  const all = (css, name) => [...document.querySelectorAll(css)].map((one) => one.dataset[name]);
  if (document.querySelector(".over .share-text")) return { kind: "over" };
  if (!document.querySelector(".status.my-turn")) return null;
  const cards = all(".card-row.asked .card.open", "card");
  const n = document.querySelector(".decide .discard strong");
  if (n) return { kind: "discard", cards, n: Number(n.textContent.match(/\\d+/g)[1]) };
  if (cards.length) return { kind: "play", cards };
  const called = all(".deck [aria-disabled=false]", "card");
  if (called.length) return { kind: "call", cards: called };
  const actions = all(".decide [data-action]:not([disabled])", "action");
  return actions.length ? { kind: "do", actions } : null;
}"""
SUITS = (
    *("Red", "Green", "Yellow", "Black", "Rook"),
    *("Spades", "Hearts", "Clubs", "Diamonds", "Joker"),
)
TICK = 25  # milliseconds
AT_ONCE = (
    "localStorage.setItem('rookery.settings', JSON.stringify({ pace: '%s', confirm: 'touch' }))"
)


class Player:
    """Somebody who plays a daily deal: with taps on a phone, else with keys alone."""

    def __init__(self, someone: Someone, pace: str = "instant") -> None:
        self.someone, self.page = someone, someone.page
        self.wrong: dict[str, list[str]] = {}
        self.page.goto("/privacy")
        self.page.evaluate(AT_ONCE % pace)

    def press(self, css: str) -> None:
        """Press something by a tap, or by Tab and Enter."""
        if self.someone.touch:
            self.someone.hit(self.page.locator(css).first)
            return
        expect(self.page.locator(css).first).to_be_enabled()
        self.to(css, "Tab")
        self.page.keyboard.press("Enter")

    def to(self, css: str, key: str) -> None:
        for _ in range(60):
            if self.page.evaluate(FOCUSED, css):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} never came to {css}")

    def card(self, name: str, key: str = "Enter") -> None:
        if self.someone.touch:
            self.someone.hit(self.someone.card(name), card=True)
            return
        self.to('.card-row.asked [tabindex="0"]', "Tab")
        self.to(f'.card-row.asked [data-card="{name}"]', "ArrowRight")
        self.page.keyboard.press(key)

    def asked(self) -> dict[str, Any]:
        """Return what is asked, once no more cards come: a new row gets them some at a time."""
        asked = None
        while asked is None or self.page.evaluate(ASKED) != asked:
            asked = self.page.wait_for_function(ASKED).json_value()
            self.page.evaluate(DRAWN)
        return dict(asked)

    def act(self, asked: dict[str, Any]) -> None:
        """Do what is asked, and return once it is asked no more."""
        self.do(asked)
        self.page.wait_for_function(
            f"(was) => JSON.stringify(({ASKED})()) !== JSON.stringify(was)", arg=asked
        )

    def do(self, asked: dict[str, Any]) -> None:
        """Do what is asked: the highest bid, and the first of everything else."""
        with self.page.expect_response("**/act") as told:
            if asked["kind"] == "discard":
                self.lay_away(asked["n"])
                self.press(".decide .discard .primary")
            elif asked["kind"] == "call":
                self.press(f'.deck [data-card="{asked["cards"][-1]}"]')
                self.press(".decide .call .primary")
            elif asked["kind"] == "play":
                self.card(asked["cards"][0])
                if self.someone.touch:
                    self.press(".decide .confirm .primary")
            else:
                bids = [action for action in asked["actions"] if action.startswith("bid")]
                self.press(
                    f'.decide [data-action="{[*bids, *asked["actions"]][-1 if bids else 0]}"]'
                )
                if self.someone.touch:
                    self.press(".decide .confirm .primary")
        assert told.value.ok

    def lay_away(self, n: int) -> None:
        """Choose cards to discard, of the nest as many as the rules of a swap allow."""
        row, done = ".card-row.hand .card", self.page.locator(".decide .discard .primary")
        for name in self.names(f"{row}.open:not(.picked):not(:has(.nest-flag))"):
            if done.is_enabled():
                return
            if len(self.names(f"{row}.picked")) == n:
                self.card(self.names(f"{row}.picked:has(.nest-flag)")[0], "Space")
            self.card(name, "Space")

    def names(self, css: str) -> list[str]:
        found = self.page.locator(css)
        return [
            str(one) for one in found.evaluate_all("(all) => all.map((one) => one.dataset.card)")
        ]

    def play(self) -> set[str]:
        """Play to the end; return what was asked on the way."""
        kinds: set[str] = set()
        while (asked := self.asked())["kind"] != "over":
            if asked["kind"] not in kinds:
                self.look(asked["kind"])
            kinds.add(asked["kind"])
            self.act(asked)
        self.look("over")
        return kinds

    def look(self, what: str) -> None:
        if found := faults(self.page):
            self.wrong[what] = found


def shared(page: Page) -> str:
    return page.locator(".share-text").inner_text()


def rows(page: Page) -> list[str]:
    return [" ".join(row.split()) for row in page.locator(".beside tbody tr").all_inner_texts()]


@pytest.mark.parametrize(("device", "family"), [("phone", "five"), ("desktop", "four")])
def test_a_deal_is_played_and_told_and_another_try_is_marked(
    invite: Invite, device: str, family: str
) -> None:
    ann = invite("Ann", **DEVICES[device])
    player, game = Player(ann), GAMES[family]
    ann.page.goto("/")
    player.press('a[href="/daily"]')
    expect(ann.page.get_by_role("heading", name="Today's deals")).to_be_visible()
    expect(ann.page.get_by_text("not played yet")).to_have_count(4)
    player.look("list")
    player.press(f'a[href$="/{family}"]')
    ann.page.get_by_label("Your name").fill("Ann")
    player.look("intro")
    player.press("form .primary")
    ann.heard("Your hand:")
    if not ann.touch:
        by_letters(ann)
    assert {"do", "play"} <= player.play()
    expect(ann.page.locator("#over-title")).to_be_focused()
    assert ann.page.locator("#over-title").inner_text() not in ann.page.evaluate("told.heard")
    text = shared(ann.page)
    assert re.fullmatch(
        rf"Rookery daily deal, \d{{4}}-\d\d-\d\d, {game}: .*(made|set).*, .\d+( for me)?", text
    )
    assert not [suit for suit in SUITS if suit in text.partition(game)[2]]
    assert [row.split()[0] for row in rows(ann.page)] == ["You"]
    expect(ann.page.get_by_text("The key is shown when the day ends")).to_have_count(1)

    player.press(".over .again")
    expect(ann.page.locator(".over")).to_have_count(0)
    player.play()
    assert shared(ann.page).endswith("(second try)")
    assert shared(ann.page).partition(" (")[0].startswith(text.partition(":")[0])
    first, second = rows(ann.page)
    assert "second try" not in first
    assert second.startswith("You second try")
    ann.page.goto("/daily")
    expect(ann.page.get_by_role("link", name=f"Result: {game}", exact=False)).to_be_visible()
    expect(ann.page.get_by_text(text.partition(": ")[2])).to_be_visible()
    player.look("list afterwards")
    assert not player.wrong


def by_letters(someone: Someone) -> None:
    """See that the focus is on the board, and that single letters do what a deal has."""
    page = someone.page
    expect(page.locator(".deal h1")).to_be_focused()
    page.keyboard.press("h")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog").locator("dt kbd")
    expect(keys).to_have_text(["←", "→", "Enter", "Esc", "l", "r", "g", "p", "t", "?"])
    page.keyboard.press("Escape")
    someone.no_dialog()  # which gives the focus back
    expect(page.locator(".deal h1")).to_be_focused()
    page.keyboard.press("g")
    expect(page.locator('.card-row.hand [tabindex="0"]')).to_be_focused()


def test_a_deal_goes_on_and_a_broken_line_plays_nothing_twice(invite: Invite) -> None:
    ann = invite("Ann")
    player = Player(ann)
    day = ann.page.request.get("/api/daily").json()["day"]
    ann.page.goto(f"/daily/{day}/two")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.press("Play this deal")
    asked = player.asked()
    player.act(asked)
    asked = player.asked()
    before = player.names(".card-row.hand .card")
    ann.page.reload()
    assert player.asked() == asked
    # A row that is new gets its cards some at a time.
    expect(ann.page.locator(".card-row.hand .card")).to_have_count(len(before))
    assert player.names(".card-row.hand .card") == before
    # The server has heard it, and the answer is lost; then nothing comes through at all.
    posted: list[Any] = []

    def lost(route: Route) -> None:
        posted.append(route.request.post_data_json)
        if len(posted) == 1:
            route.fetch()
        if len(posted) < 3:
            route.abort()
        else:
            route.fallback()

    ann.page.route("**/act", lost)
    player.press(first(asked))
    expect(ann.page.locator(".banner")).to_contain_text("Connection lost")
    expect(ann.page.locator(".banner")).to_have_count(0)
    assert posted == [posted[0]] * 3
    now = player.asked()
    told = ann.page.request.get(f"/api/daily/{day}/two/position?seen=0").json()
    mine = [step["action"] for step in told["steps"] if (step["action"] or "").startswith("0 ")]
    assert mine.count(f"0 {posted[0]['action']}") == 1
    assert now != asked


def first(asked: dict[str, Any]) -> str:
    """Return the first thing that may be done, as what is to be pressed."""
    if "actions" in asked:
        return f'.decide [data-action="{asked["actions"][0]}"]'
    return f'.card-row.asked [data-card="{asked["cards"][0]}"]'


def finished(client: httpx.Client, family: str) -> dict[str, Any]:
    """Play a deal of today to its end by requests; return the results."""
    where = f"/api/daily/{client.get('/api/daily').json()['day']}/{family}"
    told = client.post(where).json()
    while not told["over"]:
        told = client.post(
            f"{where}/act", json={"action": first_legal(told["view"]), "seen": told["seen"]}
        ).json()
    return dict(client.get(f"{where}/results").json())


def by_expert(told: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the results as they are while `expert` plays the deal, and once it has."""
    row = {**told["mine"][0], "bot": "expert:version=2:rollouts=1600"}
    return {**told, "expert_state": "working"}, {**told, "expert": row}


def aside(story: Coroutine[Any, Any, Any]) -> None:
    """Run something in another thread, as Playwright keeps an event loop in this one."""
    thread = threading.Thread(target=lambda: asyncio.run(story))
    thread.start()
    thread.join()


async def sits(here: Served, client: httpx.Client, code: str) -> None:
    async with line(here, client, code) as one:
        await one.do(type="sit")


def test_friends_are_seen_after_ones_own_first_try_and_others_never(
    invite: Invite, here: Served
) -> None:
    bo, cy, ann = here.browser("Bo"), here.browser("Cy"), here.browser("Ann")
    for client in (bo, cy):
        finished(client, "three")
    code = table_for(ann, rules="kd_tournament")
    aside(sits(here, bo, code))
    page = invite("Ann", **NARROW)
    page.known(ann)
    player = Player(page)
    page.page.goto("/daily")
    page.hit(page.page.locator('a[href$="/three"]'))
    page.press("Play this deal")
    player.asked()
    assert "Bo" not in page.page.locator("main").inner_text()
    player.play()
    assert [row.split()[0] for row in rows(page.page)] == ["You", "Bo"]


TURNS = """() => {
  window.turns = [];
  new MutationObserver(() => {
    const said = document.querySelector(".status")?.textContent.trim();
    if (said && said !== turns.at(-1)?.[0]) turns.push([said, performance.now()]);
  }).observe(document, { subtree: true, childList: true, characterData: true });
}"""


def test_bots_act_one_after_the_other_at_the_pace_of_whoever_plays(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.clock.install()
    player = Player(ann, "brisk")
    day = ann.page.request.get("/api/daily").json()["day"]
    ann.page.goto(f"/daily/{day}/four")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.press("Play this deal")
    asked = player.asked()
    # From now on time passes here alone, however long the browser takes to draw.
    later(ann.page, 1_000)
    ann.page.evaluate(TURNS)
    for _ in range(6):
        player.do(asked)
        now = asked
        while now in (None, asked):
            ann.page.clock.run_for(TICK)
            now = ann.page.evaluate(ASKED)
        ann.page.clock.run_for(8 * TICK)  # a row gets new cards some at a time
        asked = ann.page.evaluate(ASKED)
    ann.page.clock.resume()
    # Whoever acts between two decisions of mine is seen to, each in turn.
    turns = ann.page.evaluate("turns")
    waits = [
        (said.split()[0], until - since)
        for (said, since), (_, until) in pairwise(turns)
        if " is " in said
    ]
    assert len({name for name, _ in waits}) == 3, turns
    assert min(wait for _, wait in waits) > 250, turns
    ann.press("Pace: Brisk")
    ann.press("Instant")
    ann.no_dialog()
    expect(ann.page.get_by_role("button", name="Pace: Instant")).to_be_visible()
    player.act(player.asked())


def test_a_day_that_is_over_can_be_played_later_and_shows_its_key(chromium: Browser) -> None:
    store = MemoryStore()
    aside(store.secret("daily", f"2026-01-01 {'ab' * 32}"))
    with served(store) as here:
        ann = Someone(chromium, here, "Ann", **NARROW)
        try:
            player = Player(ann)
            ann.page.goto("/daily/archive")
            expect(ann.page.locator("main h2")).to_have_count(30)
            today = here.browser("Ann").get("/api/daily").json()["day"]
            day = after(today, -1)
            ann.hit(ann.page.locator(f'a[href="/daily/{day}/two"]'))
            expect(ann.page.get_by_text("marked as played later")).to_be_visible()
            ann.page.get_by_label("Your name").fill("Ann")
            ann.press("Play this deal")
            player.play()
            assert shared(ann.page).endswith("(played later)")
            assert rows(ann.page)[0].startswith("You played later")
            ann.hit(ann.page.get_by_text("Check the deal", exact=True))
            key = ann.page.locator(".over .proof dd").last
            listed = here.browser().get("/api/daily/archive").json()["days"][0]["families"]
            assert key.inner_text() == next(x["key"] for x in listed if x["family"] == "two")
            with ann.page.expect_download() as told:
                ann.hit(ann.page.get_by_role("link", name="Download the record"))
            kept = record.loads(Path(told.value.path()).read_text("utf-8"))
            assert kept.hands[0].extra["proof"]["key"] == key.inner_text()
            ann.page.get_by_role("link", name="Watch it again").click()
            expect(ann.page.get_by_role("slider", name="Step")).to_have_value("0")
            ann.page.evaluate(DRAWN)  # by then it listens to keys
            ann.page.keyboard.press("End")
            last = len(kept.hands[0].actions)
            expect(ann.page.get_by_role("slider", name="Step")).to_have_value(str(last))
            assert not player.wrong
        finally:
            ann.away()
