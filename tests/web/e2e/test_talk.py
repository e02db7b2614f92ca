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
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    ann.press("Start", exact=False)
    new = ann.page.get_by_role("button", name="Chat, 1 new")
    says(bob, "Laugh")
    expect(new).to_be_visible()
    ann.hit(new)
    ann.press("Close")
    expect(new).to_have_count(0)
    # Nothing else happens at the table meanwhile.
    says(bob, "Wow")
    expect(new).to_be_visible()
    ann.press("More")
    ann.hit(ann.page.get_by_role("dialog").get_by_role("button", name="Mute", exact=True).first)
    ann.press("Close")
    expect(new).to_have_count(0)


HEARD = """([froms, seq]) => froms.forEach((from, n) =>
  told.socket.dispatchEvent(new MessageEvent("message", {
    data: JSON.stringify({
      type: "chat", seq: seq + n, from, name: "Ann", text: "Hm", phrase: null,
    }),
  })))"""


def test_the_lines_of_others_are_counted_as_new_however_many_there_were(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.shown()
    seq = ann.table()["seq"]

    def hears(*froms: int | None) -> None:
        nonlocal seq
        ann.page.evaluate(HEARD, [froms, seq + 1])
        seq += len(froms)

    def is_named(name: str) -> None:
        expect(ann.page.get_by_role("button", name=name, exact=True)).to_be_visible()

    hears(1)  # one of her own, which comes after she has closed the talk
    is_named("Chat")
    hears(*[0] * 200)
    ann.press("Chat,", exact=False)
    ann.press("Close")
    is_named("Chat")
    hears(0, 1, None)
    is_named("Chat, 2 new")


def test_what_stood_beside_a_wide_table_has_been_read(invite: Invite) -> None:
    ann = invite("Ann", **DESKTOP)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.shown()
    seq = ann.table()["seq"]
    ann.page.evaluate(HEARD, [[0, None], seq + 1])
    expect(ann.page.locator(".side .chat-log p")).to_have_count(2)
    # A tablet is turned: the talk is behind a button now, and counts what comes from here on.
    ann.page.set_viewport_size({"width": 900, "height": 1200})
    chat = ann.page.get_by_role("button", name="Chat", exact=True)
    expect(chat).to_be_visible()
    ann.page.evaluate(HEARD, [[0], seq + 3])
    expect(ann.page.get_by_role("button", name="Chat, 1 new", exact=True)).to_be_visible()
