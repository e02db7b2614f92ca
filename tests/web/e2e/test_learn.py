"""The lessons in a browser: offered at first, by keyboard and by touch, read aloud."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.lessons.length import count
from tests.lessons.test_length import steps
from tests.server.http.served import table_for
from tests.web.e2e.looks import DRAWN, faults
from tests.web.e2e.people import DESKTOP, NARROW, PHONE, Someone
from tests.web.e2e.sizes import sized
from tests.web.e2e.test_keyboard import FOCUSED
from tests.web.e2e.test_result import to_the_daily_deals

from rookery.lessons import IDS

Invite = Callable[..., Someone]
LAPTOP = DESKTOP | {"viewport": {"width": 1366, "height": 650}}
DEVICES: dict[str, dict[str, Any]] = {"phone": NARROW, "desktop": DESKTOP, "laptop": LAPTOP}
ON_ITS_SIDE = PHONE | {"viewport": {"width": 740, "height": 360}}
OFFER = "New to Rook? Learn in three minutes"
HURRY = """() => {
  const button = document.querySelector(".teacher .hurry");
  if (button) button.click();
  return Boolean(button);
}"""
LOW = ["R6", "Y7", "Y9", "B8", "B9"]  # the right discard in the first lesson
LANGUAGES = {"en": "en-GB", "es": "es-ES"}
SAID = ".teacher .lesson-text p:not(.verdict)"
ONWARDS = ".teacher .primary, .lesson-head .show-me"
TICK = 50  # milliseconds
BELOW = "() => document.documentElement.scrollHeight - innerHeight"


class Learner:
    """Somebody at a lesson with a keyboard and nothing else."""

    def __init__(self, someone: Someone, *devices: str) -> None:
        self.someone, self.page = someone, someone.page
        self.devices = {device: DEVICES[device] for device in devices}
        self.high: dict[str, dict[str, int]] = {device: {} for device in devices}

    def at(self, step: int) -> None:
        """Return once this step asks or says something."""
        expect(self.page.locator(".lesson-head .mark")).to_contain_text(f"Step {step} of")
        self.ready()

    def ready(self) -> None:
        """Let the cards run on at once until it is the learner's turn."""
        self.page.evaluate(DRAWN)
        while self.page.evaluate(HURRY):
            self.page.evaluate(DRAWN)
        if not self.devices:
            return
        words = self.page.locator(".lesson-head .mark").inner_text()
        windows = sized(self.page, *self.devices.values())
        for _, high in zip(windows, self.high.values(), strict=True):
            high[words] = max(high.get(words, 0), self.page.evaluate(BELOW))

    def good(self) -> None:
        """Assert that nothing is wrong with the page on any of the devices."""
        for device in sized(self.page, *self.devices.values()):
            assert not faults(self.page), device

    def go_on(self) -> None:
        """Press what has the focus: the way on."""
        expect(self.page.locator(".teacher .primary")).to_be_focused()
        self.page.keyboard.press("Enter")
        self.ready()

    def to(self, css: str, key: str) -> None:
        for _ in range(40):
            if self.page.evaluate(FOCUSED, css):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{key} never came to {css}")

    def choose(self, css: str) -> None:
        """Choose a button by Tab and Enter."""
        self.to(css, "Tab")
        self.page.keyboard.press("Enter")
        self.ready()

    def play(self, card: str) -> None:
        self.to('.hand [tabindex="0"]', "Tab")
        self.to(f'[data-card="{card}"]', "ArrowRight")
        self.page.keyboard.press("Enter")
        self.ready()

    def discard(self, *cards: str) -> None:
        for card in cards:
            self.to('.hand [tabindex="0"]', "Tab")
            self.to(f'[data-card="{card}"]', "ArrowRight")
            self.page.keyboard.press("Space")
        self.choose(".discard .primary")

    def told(self, words: str) -> None:
        expect(self.page.locator(".teacher")).to_contain_text(words)
        self.someone.heard(words)


def test_the_first_lesson_is_offered_and_played_by_keyboard(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.page.goto("/")
    expect(ann.page.get_by_role("link", name=OFFER)).to_be_visible()
    ann.page.get_by_role("link", name=OFFER).press("Enter")
    learner = Learner(ann, *DEVICES)
    learner.at(1)
    learner.told("Puffin, opposite, is your partner")
    learner.good()
    learner.play("Y7")
    learner.told("Yellow 7 is worth nothing")
    learner.go_on()
    learner.play("G10")
    learner.told("You play to win these")
    learner.go_on()
    learner.at(2)
    learner.good()
    learner.choose('[data-action="pass"]')
    learner.told("Don't be shy")
    learner.go_on()
    learner.choose('[data-action="bid 75"]')
    learner.at(3)
    learner.discard("R6", "Y7", "Y9", "RK", "B9")
    learner.told("The Rook is the best card there is")
    learner.go_on()
    # All but the Rook are chosen still.
    expect(ann.page.locator(".discard")).to_contain_text("4 of 5")
    learner.discard("B8")
    learner.at(4)
    learner.choose('[data-action="trump green"]')
    learner.at(5)
    refused(learner)
    gives_nothing(learner)
    learner.play("R10")
    learner.at(6)
    learner.told("20 points for your side!")
    learner.good()
    learner.play("G8")
    learner.at(7)
    learner.told("Green 8 beats even Black 14!")
    learner.good()
    learner.play("G14")
    learner.at(8)
    learner.told("Made! You bid 75, and your side took 105 points")
    learner.good()
    learner.go_on()
    expect(ann.page.get_by_role("heading", name="Lesson done")).to_be_visible()
    learner.good()
    # The next thing is a table of the same game, at once.
    expect(ann.page.get_by_role("button", name="Play a game")).to_be_focused()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_url("**/t/*")
    ann.page.wait_for_function("() => told.table && told.table.view")
    assert ann.table()["rules"]["id"] == "kd_tournament"
    assert {seat["bot"] for seat in ann.table()["seats"][1:]} == {"casual"}
    ann.page.goto("/learn")
    expect(ann.page.get_by_role("link", name="Again: Your first hand")).to_be_visible()
    ann.page.goto("/")
    expect(ann.page.get_by_role("button", name="Play now against bots")).to_be_visible()
    expect(ann.page.get_by_role("link", name=OFFER)).to_have_count(0)
    expect(ann.page.get_by_role("link", name="Learn to play: short lessons")).to_be_visible()
    # The hand is in sight on a small phone too; a line or two may be below.
    for device, high in learner.high.items():
        assert max(high.values()) <= (56 if device == "phone" else 0), (device, high)


def refused(learner: Learner) -> None:
    """A card against the rules is not taken, and it is said why."""
    learner.play("G8")
    expect(learner.page.locator(".lesson .notice")).to_contain_text("follow")
    expect(learner.page.locator(".lesson-head .mark")).to_contain_text("Step 5 of")
    expect(learner.page.locator('.hand [data-card="G8"]')).to_be_visible()


def gives_nothing(learner: Learner) -> None:
    """A wrong card is shown with what comes of it, and then lies in the hand again."""
    learner.play("R13")
    learner.told("its points count for both of you")
    expect(learner.page.locator(".trick .lain")).to_have_count(4)
    expect(learner.page.locator('.hand [data-card="R13"]')).to_have_count(0)
    learner.go_on()
    expect(learner.page.locator(".trick .lain")).to_have_count(3)
    expect(learner.page.locator('.hand [data-card="R13"]')).to_be_visible()


def test_a_lesson_is_resumed_where_it_was_left_and_goes_back(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.page.goto("/learn/first")
    learner = Learner(ann)
    learner.at(1)
    ann.press("Show me")
    ann.press("Next")
    learner.at(2)
    ann.press("Leave")
    link = ann.page.get_by_role("link", name="Resume: Your first hand")
    expect(link).to_be_visible()
    ann.hit(link)
    learner.at(2)
    expect(ann.page.locator('[data-action="bid 75"]')).to_be_visible()
    ann.press("One step back")
    learner.at(1)
    # Whatever stands there from another version is begun again.
    other = '{"first": {"version": "", "trail": [0, 99]}}'
    ann.page.evaluate(f"localStorage.setItem('rookery.lessons', '{other}')")
    ann.page.reload()
    learner.at(1)
    ann.page.evaluate(
        "localStorage.setItem('rookery.lessons',"
        " localStorage.getItem('rookery.lessons').replace('[0]', '[0, 9999]'))"
    )
    ann.page.reload()
    learner.at(1)


def test_the_offer_goes_away_and_is_not_made_to_players(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.goto("/")
    ann.press("Don't show this again")
    expect(ann.page.get_by_role("link", name=OFFER)).to_have_count(0)
    ann.page.reload()
    expect(ann.page.get_by_role("link", name="Learn to play: short lessons")).to_be_visible()
    expect(ann.page.get_by_role("link", name=OFFER)).to_have_count(0)
    bo = invite("Bo")
    client = bo.here.browser("Bo")
    table_for(client)
    bo.known(client)
    bo.page.goto("/")
    expect(bo.page.get_by_role("heading", name=re.compile("My tables"))).to_be_visible()
    expect(bo.page.get_by_role("link", name=OFFER)).to_have_count(0)


@pytest.mark.parametrize("name", IDS)
def test_every_lesson_can_be_gone_through(invite: Invite, name: str) -> None:
    ann = invite("Ann", **NARROW)
    ann.page.goto(f"/learn/{name}")
    learner = Learner(ann)
    done = ann.page.get_by_role("heading", name="Lesson done")
    way = ann.page.locator(".teacher .primary, .lesson-head .button")
    for _ in range(60):
        learner.ready()
        if done.count():
            break
        way.first.or_(done).first.wait_for()
        if way.count():
            ann.hit(ann.page.locator(".teacher .primary").or_(way).first)
    expect(done).to_be_visible()
    assert not faults(ann.page)
    expect(ann.page.get_by_role("button", name="Play a game")).to_be_visible()
    expect(ann.page.get_by_role("link", name="Next lesson")).to_have_count(int(name != IDS[-1]))


@pytest.mark.parametrize("device", [PHONE, ON_ITS_SIDE, LAPTOP], ids=["phone", "side", "laptop"])
def test_a_refused_card_leaves_the_others_in_sight(invite: Invite, device: dict[str, Any]) -> None:
    ann = invite("Ann", **device)
    ann.page.goto("/learn/dummy")
    learner = Learner(ann)
    learner.at(1)
    ann.press("Next")
    learner.at(2)
    ann.hit(ann.card("G11"), card=True)
    expect(ann.page.locator(".lesson .notice")).to_contain_text("follow Red")
    expect(ann.page.locator(".lesson .notice")).to_be_in_viewport(ratio=1)
    expect(ann.page.locator(".mine [data-card=B12]")).to_be_in_viewport(ratio=0.6)
    ann.hit(ann.card("R1"), card=True)
    expect(ann.page.locator(".dummy [data-card=R1]")).to_have_count(0)
    expect(ann.page.locator(".lesson .notice")).to_have_count(0)


def test_the_hand_is_in_sight_where_a_card_is_called(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.goto("/learn/partner")
    learner = Learner(ann, "desktop", "laptop")
    learner.at(1)
    ann.press("Next")
    learner.at(2)
    expect(ann.page.locator(".deck")).to_be_visible()
    for high in learner.high.values():
        assert high["Step 2 of 6 · Crow bid 155"] == 0, learner.high


def test_one_tap_decides_on_a_phone_as_a_lesson_is_measured_by(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.page.goto("/learn/first")
    learner = Learner(ann)
    discard = [*(f'.hand [data-card="{card}"]' for card in LOW), ".discard .primary"]
    taps = [
        *('.hand [data-card="G10"]', ".teacher .primary", '[data-action="bid 75"]', *discard),
        *('[data-action="trump green"]', '.hand [data-card="R10"]', '.hand [data-card="G8"]'),
        *('.hand [data-card="G14"]', ".teacher .primary"),
    ]
    assert len(taps) == sum(stop.right.taps for stop in steps("first", "en"))
    for tap in taps:
        learner.ready()
        ann.hit(ann.page.locator(tap), card="data-card" in tap)
    expect(ann.page.get_by_role("heading", name="Lesson done")).to_be_visible()


def test_from_a_lessons_end_a_way_leads_to_the_daily_deals(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.page.goto("/learn/last")
    learner = Learner(ann)
    way, done = ann.page.locator(ONWARDS), ann.page.locator(".finished")
    while not done.count():
        learner.ready()
        way.first.or_(done).first.wait_for()
        if way.count():
            ann.hit(way.first)
    to_the_daily_deals(ann, ".finished")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_page_says_and_waits_what_a_lesson_is_measured_by(invite: Invite, lang: str) -> None:
    ann = invite("Ann", **NARROW, locale=LANGUAGES[lang])
    ann.page.clock.install()
    ann.page.goto("/learn/first")
    done = ann.page.locator(".finished")
    way = ann.page.locator(ONWARDS)
    way.first.wait_for()
    ann.page.clock.pause_at(ann.page.evaluate("Date.now() + 1000"))
    stops = steps("first", lang)
    said = [0] * len(stops)
    waited = 0
    while not done.count():
        ann.page.clock.run_for(TICK)
        if not way.count():
            waited += TICK
            continue
        n = re.search(r"\d+", ann.page.locator(".lesson-head .mark").inner_text())
        assert n is not None
        said[int(n[0]) - 1] += len(" ".join(ann.page.locator(SAID).all_inner_texts()).split())
        way.first.dispatch_event("click")
    assert said == [sum(map(count, stop.said)) for stop in stops]
    # The browser needs a moment to draw after each pause.
    motion = sum(stop.right.motion for stop in stops)
    assert motion <= waited / 1000 < 1.2 * motion
