"""Check the deal: a browser shuffles again, and says so where the cards are others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect
from tests.server.core.tables import PATIENCE
from tests.web.e2e.looks import faults
from tests.web.e2e.people import PHONE, Someone

from rookery.fairness.deal import secret

Invite = Callable[..., Someone]
SAME = "This browser shuffled the deck again: every hand and the nest are the same."
MISSING = "The randomness that this browser added isn't part of this deal."
RESTORED = "The server was restored from a backup."
RENEWED = "After this browser first saw a fingerprint for this deal, the server showed another one."
OTHERS = "the cards are different. Don't trust this deal."
# Cards one by one, as a pack, without a nest, of a French deck, and behind a blind hand.
RULES = ["kd_full_57", "partnership_180", "boston", "five_person_poker", "rook_two_1914"]


def plays_a_hand(ann: Someone, rules: str) -> None:
    """Play one hand and stay at its score."""
    ann.at_table(left_of_dealer=True, rules=rules)
    ann.skip_to("play")
    ann.press("More")
    ann.page.get_by_role("combobox", name="Pace").select_option("brisk")
    ann.page.wait_for_function("() => told.table.pace === 'brisk'")
    ann.page.keyboard.press("Escape")
    ann.skip_to("done", "over")


def checked(ann: Someone) -> str:
    """Return what the browser says of the deal."""
    ann.press("Check the deal")
    expect(ann.page.locator("dialog li").nth(1)).to_be_visible()
    return str(ann.page.locator("dialog ul").inner_text())


def changed(message: str) -> str:
    """Return a message in which two people's first cards of the hand laid open are exchanged."""
    told: dict[str, Any] = json.loads(message)
    view = (told.get("table") or {}).get("view") or {}
    if not view.get("laid_open"):
        return message
    one, other, *_ = view["laid_open"]["deal"]
    one[0], other[0] = other[0], one[0]
    return json.dumps(told)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_a_browser_deals_again_and_finds_the_same_cards(invite: Invite, rules: str) -> None:
    ann = invite("Ann", **PHONE)
    plays_a_hand(ann, rules)
    said = checked(ann)
    assert "The key fits the fingerprint." in said
    assert SAME in said
    assert "✗" not in said
    assert not faults(ann.page)


def test_a_browser_says_so_when_a_card_was_changed(invite: Invite) -> None:
    ann = invite("Ann")

    def between(ws: WebSocketRoute) -> None:
        server = ws.connect_to_server()
        server.on_message(lambda message: ws.send(changed(str(message))))

    ann.page.route_web_socket("**/ws/**", between)
    plays_a_hand(ann, "kd_tournament")
    said = checked(ann)
    assert "The key fits the fingerprint." in said
    assert OTHERS in said
    assert SAME not in said


def test_a_browser_says_so_when_its_randomness_was_refused(invite: Invite) -> None:
    ann = invite("Ann")

    def between(ws: WebSocketRoute) -> None:
        server = ws.connect_to_server()

        def sent(message: str | bytes) -> None:
            told = json.loads(message)
            if told["type"] != "contribute":
                server.send(message)
                return
            answer = {"type": "refused", "id": told["id"], "code": "bad-share", "reason": ""}
            ws.send(json.dumps(answer))

        ws.on_message(sent)

    ann.page.route_web_socket("**/ws/**", between)
    ann.at_table(left_of_dealer=True, settled=False, rules="kd_tournament")
    ann.skip_to("play")
    expect(ann.page.locator(".notice", has_text=MISSING)).to_be_visible()
    assert not faults(ann.page)
    ann.press("More")
    said = checked(ann)
    assert MISSING in said
    assert said.count("✗") == 1


def test_whoever_takes_a_seat_adds_their_own_randomness(invite: Invite) -> None:
    """What somebody added who has left does not keep the next person's out."""
    ann, cy, bob = invite("Ann"), invite("Cy"), invite("Bob", **PHONE)
    code = ann.hosts(rules="kd_tournament", pace="instant")
    ann.settled()
    cy.comes(code)
    # The page adds its share by itself, once it knows that it has a seat.
    cy.page.wait_for_function("() => told.table.deal.shares.length === 2")
    cy.press("Leave the table")
    # The page leaves the table as well, and may be gone before it is told of that.
    ann.page.wait_for_function("() => told.table.seats[1].kind === 'empty'")
    bob.comes(code)
    bob.page.wait_for_function("() => told.table.deal.shares.length === 2")
    assert sorted(bob.table()["deal"]["shares"]) == [0, 1]
    ann.moved(bob.table()["seq"] - 1)
    added = [one for frame in ann.frames() for one in json.loads(frame).get("events", ())]
    seats = [one["seat"] for one in added if one["type"] == "contributed"]
    assert sorted(seats) == [0, 1, 1]
    ann.press("Start", exact=False)
    bob.page.wait_for_function("() => told.table.view")
    assert bob.table()["proof"]["contributors"] == [0, 1]


def test_a_page_without_the_tools_says_how_to_check(invite: Invite) -> None:
    ann = invite("Ann")
    # What plain http from another machine is like.
    ann.page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    plays_a_hand(ann, "kd_tournament")
    ann.press("Check the deal")
    expect(ann.page.locator("dialog ul")).to_contain_text("rookery verify-deal")
    expect(ann.page.locator("dialog ul")).not_to_contain_text("✗")


def test_a_page_says_why_a_hand_was_thrown_in_and_that_another_deal_is_promised(
    invite: Invite,
) -> None:
    ann = invite("Ann", **PHONE)
    registry = ann.here.registry
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.press("More")
    ann.page.get_by_role("combobox", name="Pace").select_option("brisk")
    ann.page.wait_for_function("() => told.table.pace === 'brisk'")
    ann.page.keyboard.press("Escape")
    ann.skip_to("play")
    number = ann.table()["deal"]["number"]
    sweeper = registry._sweeper
    assert sweeper is not None
    loop, registry._chance = sweeper.get_loop(), secret

    async def brought_back() -> None:
        await registry.store.begin_timeline("")
        await registry.sweep()

    asyncio.run_coroutine_threadsafe(brought_back(), loop).result(PATIENCE)
    expect(ann.page.get_by_text(RESTORED)).to_be_visible()
    assert ann.table()["hands"][-1]["score"] is None
    assert not faults(ann.page)
    ann.page.wait_for_function(f"() => told.table.proof.number === {number}")
    ann.skip_to("done", "over")
    expect(ann.page.get_by_text(RESTORED)).to_be_hidden()
    said = checked(ann)
    assert RENEWED in said
    assert "✗" not in said
