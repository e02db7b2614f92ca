"""What people ask each other at a table: undo, claim, accuse, chat, watch, and be advised."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.hands import ENDLESS
from tests.server.http.served import table_for
from tests.web.e2e.looks import faults
from tests.web.e2e.people import NARROW, PHONE, Someone, boldest, due_of, meekest

from rookery.rules import source

Invite = Callable[..., Someone]
CARD = re.compile(r'"([RGYB](?:1[0-4]|[1-9])|RK)"')
HINTS = """told.frames.filter((frame) => frame.includes('"type":"hint"'))"""
PENALISED = {"base": "kd_tournament", "renege": "penalised"}


def pair(invite: Invite, rules: object) -> tuple[Someone, Someone]:
    """Return Ann, who is host, and Bob to her left; bots have the other seats."""
    ann, bob = invite("Ann"), invite("Bob", **PHONE)
    client = ann.here.browser("Ann")
    code = table_for(client, rules=rules)
    ann.known(client)
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    ann.settled()
    ann.press("Start", exact=False)
    for someone in (ann, bob):
        someone.page.wait_for_function("() => told.table.view")
    return ann, bob


def ann_leads_before_bob(ann: Someone, bob: Someone) -> str:
    """Play on until Ann has played a card that Bob has to answer; return the card."""
    while True:
        due = due_of((ann, bob))
        asked = due.shown()
        done = due.act(asked, boldest if due is ann else meekest)
        trick = ann.table()["view"]["trick"]
        if due is ann and done[:5] == "play " and trick and due_of((ann, bob)) is bob:
            return done.split()[1]


def test_a_card_is_taken_back_only_when_the_others_allow_it(invite: Invite) -> None:
    ann, bob = pair(invite, "kd_tournament")
    card = ann_leads_before_bob(ann, bob)
    in_hand = ann.page.locator(f'.card-row.hand [data-card="{card}"]')
    expect(in_hand).to_have_count(0)
    ann.press("Undo")
    expect(ann.page.locator(".vote")).to_contain_text("Waiting for Bob")
    expect(bob.page.locator(".vote")).to_contain_text("Ann wants to undo their last move.")
    bob.heard("Ann wants to undo their last move.")
    assert not faults(bob.page)
    bob.press("Allow")
    expect(in_hand).to_have_count(1)
    assert any('"type":"undone"' in frame for frame in bob.frames())

    card = ann.act(ann.shown()).split()[1]
    ann.press("Undo")
    bob.press("Don't allow")
    expect(ann.page.locator(".vote")).to_have_count(0)
    expect(in_hand).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Undo")).to_have_count(0)


def test_a_claim_is_shown_and_agreed_or_played_on(invite: Invite) -> None:
    ann, bob = pair(invite, "rook_two_1914")
    while due_of((ann, bob)).shown()["phase"] != "play" or not ann.table()["view"]["tricks"]:
        due = due_of((ann, bob))
        due.act(due.shown())
    one = due_of((ann, bob))
    other = bob if one is ann else ann
    one.shown()
    held = one.table()["view"]["hand"]
    one.press("Claim the rest")
    asked = other.page.locator(".vote")
    expect(asked).to_contain_text(f"{one.name} claims the rest.")
    expect(asked.locator(".face")).to_have_count(len(held))
    assert sorted(other.table()["pending"]["cards"]) == sorted(held)
    assert not faults(other.page)
    other.press("Play on")
    expect(one.page.locator(".vote")).to_have_count(0)
    one.act(one.shown())

    one = due_of((ann, bob))
    other = bob if one is ann else ann
    one.shown()
    one.press("Claim the rest")
    expect(other.page.locator(".vote")).to_be_visible()
    other.press("Accept")
    other.page.wait_for_function("() => told.table.hands.length === 1")
    plays = [
        event
        for frame in other.frames()
        for event in json.loads(frame).get("events", [])
        if event["type"] == "acted" and event["by"] == "claim"
    ]
    assert plays
    assert {event["verb"] for event in plays} == {"play"}


def test_a_revoke_is_claimed_where_the_rules_penalise_it(invite: Invite) -> None:
    ann, bob = pair(invite, PENALISED)
    while True:
        due = due_of((ann, bob))
        asked = due.shown()
        view = due.table()["view"]
        led = due.table()["led"]
        trumps = due.table()["trumps"]
        choose = boldest if due is ann else meekest
        if due is bob and asked["kind"] == "play" and view["trick"]:
            follows = [
                card
                for card in asked["cards"]
                if (card in trumps if led == "trump" else card[0] == led[0].upper())
                and (led == "trump" or card not in trumps)
            ]
            others = [card for card in asked["cards"] if card not in (*follows, "RK")]
            if follows and others:
                bob.act({**asked, "cards": others})
                break
        due.act(asked, choose)
    due_of((ann, bob))
    ann.press("Claim a revoke")
    assert not faults(ann.page)
    hands = len(ann.table()["hands"])
    ann.hit(ann.page.locator("dialog").get_by_role("button", name="Bob"))
    ann.page.wait_for_function("(hands) => told.table.hands.length > hands", arg=hands)
    bob.page.wait_for_function("(hands) => told.table.hands.length > hands", arg=hands)
    said = " ".join(frame for frame in bob.frames() if "challenge" in frame)
    assert '"0 challenge 1"' in said


def test_talk_is_heard_and_can_be_muted(invite: Invite) -> None:
    ann, bob = pair(invite, "kd_tournament")
    ann.page.get_by_label("Write a message").fill("Nice <b>cards</b>, Bob")
    ann.press("Send")
    expect(bob.page.get_by_role("button", name="Chat, 1 new")).to_be_visible()
    bob.press("Chat, 1 new")
    log = bob.page.get_by_role("log")
    expect(log).to_contain_text("Ann Nice <b>cards</b>, Bob")
    assert not faults(bob.page)
    bob.press("Thanks")
    expect(ann.page.get_by_role("log")).to_contain_text("Bob Thanks")
    bob.press("Close")
    bob.press("More")
    assert not faults(bob.page)
    bob.press("Mute")
    bob.press("Close")
    ann.press("Your turn?")
    ann.page.wait_for_function("() => told.frames.some((frame) => frame.includes('hurry'))")
    expect(bob.page.get_by_role("button", name=re.compile("new"))).to_have_count(0)
    bob.press("Chat")
    expect(log).not_to_contain_text("Your turn?")
    expect(log).to_contain_text("Bob Thanks")


def test_whoever_watches_talks_as_such_until_the_host_sends_them_away(invite: Invite) -> None:
    ann, eve = invite("Ann"), invite("\u0410nn", **NARROW)
    code = ann.at_table(rules="kd_tournament")
    eve.comes(code, sits=False)
    eve.press("Chat")
    hello = eve.page.get_by_role("button", name="Hello")
    eve.hit(hello)
    told = eve.page.locator("dialog")
    expect(told.get_by_text("has that name, or one that looks like it")).to_be_visible()
    assert not faults(eve.page)
    eve.page.get_by_label("Choose another name for this table").fill("Eve")
    eve.press("Use this name")
    expect(eve.page.get_by_role("button", name="Use this name")).to_have_count(0)
    eve.hit(hello)
    said = ann.page.get_by_role("log")
    expect(said).to_contain_text("Eve watching Hello")
    ann.press("Thanks")
    expect(said).to_contain_text("Ann Thanks")
    ann.press("More")
    ann.press("Mute for everyone")
    expect(ann.page.get_by_role("button", name="Let them talk again")).to_be_visible()
    eve.hit(hello)
    expect(told.get_by_text("The host has muted you.")).to_be_visible()
    ann.press("Send away")
    expect(ann.page.get_by_text("Eve won't be able to come back to this table.")).to_be_visible()
    assert not faults(ann.page)
    ann.press("Yes, send away")
    expect(ann.page.get_by_text("Sent away")).to_be_visible()
    gone = eve.page.get_by_text("The host has sent you away from this table.")
    expect(gone).to_be_visible()
    eve.page.wait_for_function("() => !history.state?.dialogs")  # the dialog's way back stops it
    eve.page.reload()
    expect(gone).to_be_visible()
    assert not faults(eve.page)


def open_cards(frame: dict[str, Any]) -> set[str]:
    """Return every card that a frame names, but for what the deck is."""
    table = {key: part for key, part in frame["table"].items() if key not in ("rules", "trumps")}
    if table.get("view"):
        table["view"] = {key: part for key, part in table["view"].items() if key != "rules"}
    text = json.dumps({**frame, "table": table})
    return {*CARD.findall(text), *re.findall(r" ([RGYB](?:1[0-4]|[1-9])|RK)(?=[ \"])", text)}


def test_a_watcher_never_sees_a_hand(invite: Invite) -> None:
    ann, eve = invite("Ann"), invite("Eve", **PHONE)
    code = ann.at_table(left_of_dealer=True, rules="kd_tournament")
    eve.comes(code, sits=False)
    expect(eve.page.get_by_text("You're watching. All hands stay hidden.")).to_be_visible()
    assert not faults(eve.page)
    while (asked := ann.shown())["kind"] != "done":
        expect(eve.page.locator(".card-row")).to_have_count(0)
        html = eve.page.locator("main").evaluate("(main) => main.outerHTML")
        assert "data-card" not in html
        ann.act(asked)
    record = ann.page.request.get(f"/api/tables/{code}/record").json()
    plays = [one.split()[2] for one in record["hands"][0]["actions"] if " play " in one]
    frames = [json.loads(frame) for frame in eve.frames()]
    looked, known = 0, dict[str, Any]()  # what the table looks like, as far as it is asked here
    for frame in frames:
        if not (table := frame.get("table")):
            continue
        view = known.get("view") or {}
        known |= table
        if known["view"]:
            known["view"] = {**view, **known["view"]}
            more = known["view"].pop("more", {})
            known["view"] |= {
                name: [*view[name][:kept], *new] for name, (kept, new) in more.items()
            }
        if known["hand_number"] != 0 or known["view"]["phase"] == "done":
            continue
        looked += 1
        assert known["view"]["hand"] is None
        assert not known["view"]["legal"]
        fallen = 36 - sum(known["view"]["hand_sizes"])
        public = set(plays[: max(fallen, 0)])
        assert open_cards(frame) <= public, (frame, public)
    assert looked > 20
    # The control: a player's own frames would not pass.
    own = [json.loads(frame) for frame in ann.frames()]
    first = next(one for one in own if one.get("table", {}).get("view"))
    assert open_cards(first)


def test_a_hint_names_something_legal_and_says_why(invite: Invite) -> None:
    ann = invite("Ann")
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    kinds = set()
    while len(ann.table()["view"]["tricks"]) < 3:
        asked = ann.shown()
        if asked["kind"] not in kinds:
            kinds.add(asked["kind"])
            ann.press("Hint")
            hint = ann.page.locator(".notes .hint")
            ann.page.wait_for_function(f"(n) => {HINTS}.length === n", arg=len(kinds))
            expect(hint).to_be_visible()
            told = json.loads(ann.page.evaluate(HINTS)[-1])
            legal = ann.table()["view"]["legal"]
            if isinstance(legal, list):
                assert told["action"] in legal
            else:
                assert set(told["action"].split()[1:]) <= {*legal["from"], *legal["must"]}
            assert len(hint.inner_text().split()) > 5
            if asked["kind"] == "play":
                marked = ann.page.locator(".card-row .card.hinted")
                expect(marked).to_have_count(1)
                assert told["action"] == f"play {marked.get_attribute('data-card')}"
                expect(hint).to_contain_text("Play")
        ann.act(asked)
    assert kinds == {"auction", "discard", "trump", "play"}


def test_after_hands_that_nobody_plays_the_host_decides(
    invite: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A table from before such rules were refused.
    monkeypatch.setattr(source, "excesses", lambda _: [])
    ann, bob = invite("Ann"), invite("Bob", **NARROW)
    client = ann.here.browser("Ann")
    code = table_for(client, rules=ENDLESS, pace="instant")
    ann.known(client)
    ann.page.goto(f"/t/{code}")
    bob.comes(code)
    ann.settled()
    ann.press("Start", exact=False)
    for someone, text in ((ann, "Keep dealing?"), (bob, "Ann decides")):
        someone.page.wait_for_function("() => told.table.host_asked")
        expect(someone.page.locator(".over")).to_contain_text(text)
        assert not faults(someone.page)
    assert ann.table()["hand_number"] == 49
    expect(bob.page.locator(".over button", has_text="Keep dealing")).to_have_count(0)
    expect(bob.page.get_by_role("button", name="Next hand")).to_have_count(0)
    onward = ann.page.get_by_role("button", name="Keep dealing")
    onward.focus()
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_function("() => told.table.host_asked && told.table.hand_number === 99")
    expect(onward).to_be_visible()
