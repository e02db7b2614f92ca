"""What is said at a table stands beside whoever says it, for a moment."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect
from tests.server.http.served import table_for
from tests.web.e2e.looks import faults, later
from tests.web.e2e.people import DESKTOP, NARROW, Someone

Invite = Callable[..., Someone]


def place(someone: Someone, name: str) -> Locator:
    return someone.page.locator(".plate").filter(has_text=name)


def says(someone: Someone, name: str) -> None:
    someone.press("Chat")
    someone.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
    someone.press("Close")


@pytest.mark.slow
@pytest.mark.parametrize("device", [NARROW, DESKTOP], ids=["narrow", "desktop"])
def test_a_face_is_seen_beside_its_player_and_goes(
    invite: Invite, device: dict[str, object]
) -> None:
    ann, bob = invite("Ann", **device), invite("Bob", **NARROW)
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament", bots=["papa"])
    ann.known(client)
    ann.page.clock.install()
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    ann.press("Start", exact=False)
    expect(place(ann, "Bob")).to_be_visible()
    says(bob, "Laugh")
    said = place(ann, "Bob").locator(".said")
    expect(said.get_by_role("img", name="Laugh", include_hidden=True)).to_be_visible()
    window = ann.page.evaluate("innerWidth")
    box = said.bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= window
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= window
    assert not faults(ann.page)
    later(ann.page, 20_000)
    expect(said).to_have_count(0)
    ann.page.clock.resume()
    # What was said before somebody came is in the talk alone.
    ann.page.reload()
    expect(place(ann, "Bob")).to_be_visible()
    expect(ann.page.locator(".said")).to_have_count(0)


def test_what_was_read_is_not_new_and_who_is_muted_is_not_heard(invite: Invite) -> None:
    ann, bob = invite("Ann", **NARROW), invite("Bob", **NARROW)
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament", bots=["papa"])
    ann.known(client)
    ann.page.clock.install()
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    ann.press("Start", exact=False)
    said = place(ann, "Bob").locator(".said")
    new = ann.page.get_by_role("button", name="Chat, 1 new")
    says(bob, "Laugh")
    expect(said).to_have_count(1)
    expect(new).to_be_visible()
    ann.hit(new)
    ann.press("Close")
    expect(new).to_have_count(0)
    # Nothing else happens at the table meanwhile.
    expect(said).to_have_count(1)
    ann.press("More")
    ann.hit(ann.page.get_by_role("dialog").get_by_role("button", name="Mute", exact=True).first)
    expect(said).to_have_count(0)
