"""What is said at a table stands beside whoever says it, for a moment."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect
from tests.server.http.served import table_for
from tests.web.e2e.looks import faults, later
from tests.web.e2e.people import DESKTOP, NARROW, Someone
from tests.web.e2e.sizes import sized
from tests.web.test_said_once import ANNOUNCE, LISTENS

Invite = Callable[..., Someone]


def place(someone: Someone, name: str) -> Locator:
    return someone.page.locator(".plate").filter(has_text=name)


def says(someone: Someone, name: str) -> None:
    someone.press("Chat")
    someone.page.get_by_role("dialog").get_by_role("button", name=name, exact=True).click()
    someone.press("Close")


@pytest.mark.slow
def test_a_face_is_seen_beside_its_player_and_goes(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob", **NARROW)
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament", bots=["papa"])
    ann.known(client)
    ann.page.clock.install()
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    ann.press("Start", exact=False)
    expect(place(ann, "Bob")).to_be_visible()
    said = place(ann, "Bob").locator(".said")
    for device in sized(ann.page, NARROW, DESKTOP):
        says(bob, "Laugh")
        expect(said.get_by_role("img", name="Laugh", include_hidden=True)).to_be_visible()
        window = device["viewport"]["width"]
        box = said.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= window
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


# What draws, and what draws after that, has had its turn.
DRAWN_ANEW = """async () => {
  for (const _ of [1, 2]) {
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  }
}"""


@pytest.mark.parametrize("device", [NARROW, DESKTOP], ids=["narrow", "desktop"])
def test_a_line_is_read_once_to_those_who_listen_wherever_the_talk_is(
    invite: Invite, device: dict[str, object]
) -> None:
    ann = invite("Ann", **device)
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.shown()
    seq = ann.table()["seq"]
    hidden = device is NARROW
    ann.page.evaluate(LISTENS)
    lines = ann.page.locator(".chat-log p")

    def read(*froms: int | None) -> str:
        nonlocal seq
        ann.page.evaluate(HEARD, [froms, seq + 1])
        seq += len(froms)
        ann.page.evaluate(DRAWN_ANEW)
        ann.page.evaluate(ANNOUNCE)
        ann.page.wait_for_function("() => said.join().includes('Later.')")
        return str(ann.page.evaluate("said.splice(0).join(' ')"))

    heard = read(0, 1, None)  # the second is her own
    assert heard.count("Ann: Hm") == (1 if hidden else 0)
    assert heard.count("Ann, watching: Hm") == (1 if hidden else 0)
    if hidden:
        ann.press("Chat,", exact=False)
    expect(lines).to_have_count(3)
    # The list of lines reads its own while it is there, and nothing is caught up on once it is not.
    assert "Hm" not in read(0)
    expect(lines).to_have_count(4)
    if hidden:
        ann.press("Close")
        assert read(0).count("Ann: Hm") == 1
        ann.page.evaluate(
            "() => import('/static/core/settings.js').then(({ change }) => "
            "change({ chatMuted: true }))"
        )
        assert "Hm" not in read(0)
