"""Prepared deals on screens: nobody looks on before all have played, and then all is shown."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.web.e2e.conftest import Invite
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.test_evening import OPEN, begin, come, told
from tests.web.e2e.test_screens import MOVES, SIDE, on_screens, plays, seat, sits, well

from rookery.evening.log.screens import LineTold
from rookery.game import Hand
from rookery.server.api.evenings import deals
from rookery.server.bots.engine import BotThreads

MITCHELL = re.compile(r"one side moves \(Mitchell\)|two tables share")


@pytest.fixture
def planted_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every server have an expert bot, which makes the same of all deals after a while."""

    async def line_of(thinker: BotThreads, hand: Hand) -> LineTold:
        await asyncio.sleep(1)
        contract: dict[str, Any] = {
            "declarer": 1,
            "bid": 95,
            "call": "black",
            "made": True,
            "took": 100,
        }
        return LineTold(
            bot=deals.NAME, **contract, scores=[20, 100], open_points=110, open_made=True
        )

    monkeypatch.setattr(deals, "line_of", line_of)
    monkeypatch.setattr(BotThreads, "state", lambda self, bot: "ready")


@pytest.mark.usefixtures("planted_line")
def test_nobody_looks_on_where_others_still_play_the_same_deals(invite: Invite) -> None:
    host, ann, eve = invite("Host", **DESKTOP), invite("Ann", **SIDE), invite("Eve", **NARROW)
    code = on_screens(host.page, movement=MITCHELL, auto=False)
    come(ann.page, f"/e/{code}", "Ann")
    begin(host.page, 1)
    table = seat(host.page, "Ann")
    sits(ann, table)
    ann.page.wait_for_function("told.table.view?.hand")
    well(ann.page, "a phone on its side")
    host.page.evaluate(OPEN)
    expect(host.page.get_by_role("link", name=re.compile("^Watch table"))).to_have_count(0)
    expect(host.page.get_by_text("All deals of the evening follow from one secret")).to_be_visible()
    plays(ann)
    # What was played is not read again before all have played it.
    expect(ann.page.get_by_role("link", name="Watch hands")).to_have_count(0)
    ann.press("Check the deal")
    expect(ann.page.get_by_text("The key is shown on the page of the evening")).to_be_visible()
    commitment = told(host.page)["evening"]["screens"]["commitment"]
    expect(ann.page.locator("dialog .proof")).to_contain_text(commitment)
    well(ann.page, "check a prepared deal")
    ann.page.keyboard.press("Escape")
    ann.no_dialog()
    # A stranger is told why.
    eve.page.goto(f"/t/{table['code']}")
    eve.page.get_by_label("Your name at the table").fill("Zoe")
    eve.press("Watch")
    expect(eve.page.get_by_role("heading", name="Others still play these cards")).to_be_visible()
    assert not [frame for frame in eve.frames() if '"view"' in frame]
    well(eve.page, "nobody watches")
    eve.hit(eve.page.get_by_role("link", name="To the evening"))
    eve.page.wait_for_url(f"**/e/{code}")
    host.page.get_by_role("button", name="End the evening").click()
    host.page.get_by_role("button", name="Yes, the evening is over").click()
    panel = ann.page.locator(".at-evening")
    expect(panel).to_contain_text("The evening is over", timeout=MOVES)
    expect(panel.get_by_role("link", name="Watch hands")).to_be_visible()
    expect(host.page.get_by_text("which fits the fingerprint that was shown")).to_be_visible()
    key = told(host.page)["evening"]["screens"]["key"]
    expect(host.page.locator(".proof")).to_contain_text(key)
    expect(host.page.get_by_role("button", name="Go on after all")).to_have_count(0)
    _deal_by_deal(host.page)
    ann.page.goto(f"/e/{code}")
    _deal_by_deal(ann.page)
    ann.page.goto(f"/fair?table={table['code']}")
    # Of a deal before which the rules threw one in, a browser can say only that the key fits.
    fits = re.compile("^✓ Hand 1|the key fits, and the cards are a later deal of it")
    expect(ann.page.get_by_role("listitem").filter(has_text=fits)).to_have_count(1)


def _deal_by_deal(page: Page) -> None:
    """Look at a deal, all its cards, and what the expert bot makes of it."""
    page.get_by_text("Deal by deal").click()
    page.get_by_label("Which deal?").select_option("1")
    expect(page.get_by_text("The expert bot in all seats: East, 95")).to_be_visible(timeout=MOVES)
    expect(page.get_by_text("this contract would take 110 points, and be made")).to_be_visible()
    page.get_by_text("All cards of this deal").click()
    cards = page.locator(".shown-cards .face")
    expect(cards.first).to_be_visible()
    names = cards.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert len(names) == len({*names}) == 41
    well(page, "a deal with its cards")
