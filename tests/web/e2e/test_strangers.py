"""Before the match: a stranger at an open table can be muted, reported, blocked and sent away."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import expect
from tests.server.http.served import table_for
from tests.web.e2e.looks import faults
from tests.web.e2e.people import PHONE, Someone

Invite = Callable[..., Someone]


def says(someone: Someone, text: str) -> None:
    someone.page.get_by_label("Write a message").fill(text)
    someone.press("Send")


def test_the_host_deals_with_strangers_before_the_match(invite: Invite) -> None:
    ann, bob, eve = invite("Ann", **PHONE), invite("Bob"), invite("Eve")
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament", open=True)
    ann.known(client)
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    eve.comes(code, sits=False)
    log = ann.page.get_by_role("log")
    says(eve, "I only watch")
    expect(log).to_contain_text("Eve watching I only watch")

    ann.press("People")
    dialog = ann.page.get_by_role("dialog")
    assert not faults(ann.page)
    eves = dialog.get_by_role("listitem").filter(has_text="Eve")
    ann.hit(eves.get_by_role("button", name="Mute", exact=True))
    row = dialog.get_by_role("listitem").filter(has_text="Bob")
    ann.hit(row.get_by_role("button", name="Report"))
    expect(row).to_contain_text("Reported")
    ann.hit(row.get_by_role("button", name="Replace with a bot"))
    expect(row).to_contain_text("Bob won't be able to sit down at this table again.")
    assert not faults(ann.page)
    assert ann.table()["seats"][1]["kind"] == "person"
    ann.hit(row.get_by_role("button", name="Yes, replace"))
    expect(dialog.get_by_role("listitem").filter(has_text="Bob")).to_have_count(0)
    ann.press("Close")
    expect(log).not_to_contain_text("I only watch")
    assert ann.table()["seats"][1]["kind"] == "bot"

    # Bob is told why a seat is not given back; Eve is given one.
    bob.page.wait_for_function("() => told.table.you === null")
    bob.press("Sit down")
    expect(bob.page.locator(".lobby .problem")).to_be_visible()
    assert ann.table()["seats"][1]["kind"] == "bot"
    eve.press("Sit down")
    eve.page.wait_for_function("() => told.table.you !== null")


@pytest.mark.parametrize("begun", [False, True])
def test_whose_name_is_taken_takes_another_and_the_seat(invite: Invite, begun: bool) -> None:
    ann, also = invite("Ann"), invite("Ann", **PHONE)
    client = ann.here.browser("Ann")
    code = table_for(client, rules="kd_tournament")
    ann.known(client)
    ann.page.goto(f"/t/{code}")
    if begun:
        ann.press("Start", exact=False)
    ann.page.wait_for_function("(on) => told.table && !!told.table.view === on", arg=begun)
    also.comes(code, sits=False)
    also.press("Sit down")
    field = also.page.get_by_label("Choose another name for this table")
    expect(field).to_be_visible()
    assert also.table()["you"] is None
    assert not faults(also.page)
    # What happens at the table meanwhile does not take the field away.
    field.fill("Ann")
    says(ann, "Hello?")
    also.page.wait_for_function("() => told.frames.some((frame) => frame.includes('Hello?'))")
    form = also.page.locator("form", has=field)
    also.hit(form.get_by_role("button", name="Sit down"))
    refusal = also.page.locator("#main").get_by_text("Someone at this table has that name, or one")
    expect(refusal).to_be_visible()
    field.fill("Anna")
    also.hit(form.get_by_role("button", name="Sit down"))
    # A spare seat is taken once the hand is over.
    while begun and also.table()["you"] is None:
        asked = ann.shown(waiting=True)
        if asked["kind"] in ("auction", "discard", "trump", "play"):
            ann.act(asked)
    also.page.wait_for_function("() => told.table.you !== null")
    expect(field).to_have_count(0)
    ann.page.wait_for_function("(seq) => told.table.seq >= seq", arg=also.table()["seq"])
    assert ann.table()["seats"][also.table()["you"]]["name"] == "Anna"


def test_whoever_is_blocked_is_not_heard_at_any_table(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob")
    client = ann.here.browser("Ann")
    ann.known(client)
    for text, heard in (("hello", True), ("rude words", False)):
        code = table_for(client, rules="kd_tournament")
        ann.page.goto(f"/t/{code}")
        if heard:
            bob.comes(code)
        else:
            bob.page.goto(f"/t/{code}")
            bob.press("Sit down")
            bob.page.wait_for_function("() => told.table.you !== null")
        says(bob, text)
        expect(bob.page.get_by_role("log")).to_contain_text(text)
        if heard:
            expect(ann.page.get_by_role("log")).to_contain_text(text)
            ann.press("People")
            ann.press("Block")
            expect(ann.page.get_by_role("dialog")).to_contain_text("Blocked")
            ann.press("Close")
            ann.page.wait_for_function("() => !history.state?.dialogs")  # or it stops a goto
        else:
            # What Ann says comes after what Bob said, and comes back to her.
            says(ann, "anybody there?")
            expect(ann.page.get_by_role("log")).to_contain_text("anybody there?")
            assert not any(text in json.dumps(json.loads(frame)) for frame in ann.frames())
