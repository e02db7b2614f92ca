"""Who plays on the bots' seats: levels with a sentence each, styles and older versions in folds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, expect
from tests.web.choosing import choose_bot
from tests.web.e2e.looks import faults
from tests.web.e2e.people import NARROW, Someone
from tests.web.e2e.sizes import faults_in_both

from rookery.bots.birds import flock

Invite = Callable[..., Someone]
LEVELS_OF = ("Strong", "Strong", "Club")  # of the bots below, as a seat says them


class Listed:
    """What a page is told of the bots: the server's own list, with some of it changed."""

    def __init__(self, page: Page, **changed: object) -> None:
        self.changed = changed
        self.asked = 0
        # Asked for beforehand: a page that is closed meanwhile answers nobody any more.
        self._bots: list[dict[str, Any]] = page.request.get("/api/bots").json()
        page.route("**/api/bots", self._answer)

    def _answer(self, route: Route) -> None:
        self.asked += 1
        route.fulfill(json=[bot | self.changed if bot["searches"] else bot for bot in self._bots])


def test_a_level_is_chosen_once_and_for_all_tables(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    Listed(ann.page, state="ready", versions=["2", "1"])
    ann.page.goto("/")
    chosen = ann.page.get_by_role("button", name="How bots play")
    expect(chosen).to_have_accessible_name("How bots play Club player")
    ann.hit(chosen)
    dialog = ann.page.locator("dialog[open]")
    levels = dialog.get_by_role("group", name="Levels").get_by_role("radio")
    expect(levels).to_have_count(6)
    expect(dialog.get_by_role("group", name="Levels").locator("small")).to_have_count(6)
    expect(dialog.get_by_role("radio", name="Club player")).to_be_checked()
    assert not faults(ann.page)
    ann.page.keyboard.press("Escape")
    ann.no_dialog()
    choose_bot(ann.page, "How bots play", "Expert", "Bold", "version 1")
    expect(ann.page.locator(".bot-button")).to_have_text("Expert (bold, version 1)")
    # A table made after that has the same: the folds that say more than usual stand open.
    ann.page.goto("/new?rules=boston")
    ann.page.get_by_label("Bots").select_option("2")
    ann.hit(ann.page.get_by_role("button", name="How bots play"))
    expect(dialog.get_by_role("radio", name="Bold")).to_be_visible()
    expect(dialog.get_by_role("radio", name="Bold")).to_be_checked()
    expect(dialog.get_by_role("radio", name="Karapet")).not_to_be_visible()
    assert not faults(ann.page)


def test_a_level_that_is_warming_up_says_who_plays_meanwhile(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    listed = Listed(ann.page, state="warming")
    ann.page.clock.install()
    ann.page.goto("/")
    choose_bot(ann.page, "How bots play", "Strong player")
    told = ann.page.locator(".bot-state")
    expect(told).to_contain_text("Getting ready. The club player plays until then")
    assert not faults(ann.page)
    # It is asked again by itself, until it is ready.
    listed.changed["state"] = "ready"
    ann.page.clock.fast_forward(6_000)
    expect(told).to_have_count(0)
    assert listed.asked > 1


def test_the_host_seats_bots_by_level_style_or_not_at_all(invite: Invite) -> None:
    ann = invite("Ann")
    Listed(ann.page, state="absent")
    ann.hosts(bots=["papa", "hog"])
    choose_bot(ann.page, "Bot for seat 2", "Expert", "Cautious")
    ann.page.wait_for_function("() => told.table.seats[1].bot === 'expert:style=cautious'")
    row = ann.page.locator(".seat-row").nth(1)
    expect(row).to_contain_text("Bot: Expert (cautious)")
    expect(ann.page.locator(".bot-state")).to_contain_text("Not available on this server right now")
    choose_bot(ann.page, "Bot for seat 4", "Beginner")
    ann.page.wait_for_function("() => told.table.seats[3].bot === 'beginner'")
    assert not faults(ann.page)
    ann.press("Bot for seat 3: Bot: Hog", exact=False)
    ann.hit(ann.page.locator("dialog").get_by_role("button", name="No bot"))
    ann.page.wait_for_function("() => told.table.seats[2].kind === 'empty'")
    ann.press("Fill 1 seat with a bot")
    ann.page.wait_for_function("() => told.table.seats[2].bot === 'club'")


def test_bots_have_names_of_their_own_beside_their_level(invite: Invite) -> None:
    ann, bea = invite("Ann"), invite("Bea")
    bots = ["strong", "strong:style=bold", "club"]
    code = ann.hosts(bots=bots)
    names = ann.page.locator(".seat-name")
    birds = flock(code, 3, ["Ann"])
    for seat, bird in enumerate(birds, 1):
        expect(names.nth(seat)).to_contain_text(bird)
    # Whoever seats them chooses the level there; the others read it.
    bea.comes(code, sits=False)
    rows = bea.page.locator(".seat-row")
    for seat, level in enumerate(LEVELS_OF, 1):
        expect(rows.nth(seat).locator(".tag").first).to_have_text(level)
    ann.press("Start", exact=False)
    ann.page.wait_for_function("() => told.table.view")
    plates = ann.page.locator(".plate")
    for bird, level in zip(birds, LEVELS_OF, strict=True):
        expect(plates.filter(has_text=bird).locator(".level")).to_have_text(level)


def test_a_seat_says_that_its_bot_is_getting_ready(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    listed = Listed(ann.page, state="warming")
    client = ann.here.browser("Ann")
    bots = ["strong", "expert:style=bold", "club"]
    code = client.post("/api/tables", json={"bots": bots}).json()["code"]
    ann.known(client)
    ann.page.clock.install()
    ann.page.goto(f"/t/{code}")
    rows, late = ann.page.locator(".seat-row"), re.compile("getting ready$")
    for seat, text in enumerate((None, late, late, None)):
        expect(rows.nth(seat).locator(".tag.late")).to_have_text([text] if text else [])
    expect(ann.page.locator(".lobby-seats .bot-state")).to_have_count(2)
    assert not faults_in_both(ann.page)
    # A level that is seated now is asked for now.
    listed.changed["state"] = "absent"
    choose_bot(ann.page, "Bot for seat 4", "Strong player")
    expect(rows.nth(3).locator(".tag.late")).to_have_text(re.compile("club plays$"))
    listed.changed["state"] = "warming"
    ann.press("Start", exact=False)
    ann.page.wait_for_function("() => told.table.view")
    plates = ann.page.locator(".plate .late", has_text=late)
    expect(plates).to_have_count(3)
    expect(plates.first).to_have_attribute("title", re.compile("club player plays until then"))
    assert not faults_in_both(ann.page)
    ann.press("More")
    expect(ann.page.locator("dialog .bot-state")).to_have_count(2)
    ann.page.keyboard.press("Escape")
    # It goes by itself: no reload, and nobody has to move.
    listed.changed["state"] = "ready"
    ann.page.clock.fast_forward(6_000)
    expect(plates).to_have_count(0)


def test_nobody_asks_for_bots_where_only_people_play(invite: Invite) -> None:
    ann, ben = invite("Ann"), invite("Ben")
    code = ann.hosts(rules="rook_two_1914")
    ben.comes(code)
    ann.press("Start", exact=False)
    ann.page.wait_for_function("() => told.table.view")
    listed = Listed(ann.page, state="ready")
    ann.page.goto(f"/t/{code}")
    expect(ann.page.locator(".plate").first).to_be_visible()
    ann.page.wait_for_load_state("networkidle")
    assert listed.asked == 0
