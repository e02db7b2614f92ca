"""Whoever comes back finds their seat and their cards: refresh, second window, restart, absence."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.server.http.served import spare_port
from tests.server.http.test_serve_command import process
from tests.web.e2e.looks import faults
from tests.web.e2e.people import PHONE, Someone, boldest

Invite = Callable[..., Someone]
# A discard, a trump, a Rook to rank and a card to call: every phase but the circus and the leader.
EVERY_PHASE = "call_partner_4_short"
PASSING = ("seq", "watchers", "turn_since")


def kept(table: dict[str, Any]) -> dict[str, Any]:
    """Return what a refresh may not change of what a seat knows."""
    here = [{**seat, "here": True, "away_since": None} for seat in table["seats"]]
    return {key: table[key] for key in table if key not in PASSING} | {"seats": here}


def same_after_a_refresh(someone: Someone) -> dict[str, Any]:
    asked = someone.shown()
    someone.settled()
    before = someone.table()
    words = someone.words(".status"), someone.words(".tools-text")
    someone.page.reload()
    again = someone.shown()
    someone.settled()
    assert kept(someone.table()) == kept(before)
    assert {**again, "seq": 0} == {**asked, "seq": 0}
    for css, said in zip((".status", ".tools-text"), words, strict=True):
        expect(someone.page.locator(css)).to_have_text(said, use_inner_text=True)
    return again


def test_a_refresh_changes_nothing_in_any_phase(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.page.goto("/")
    client = ann.here.browser("Ann")
    code = client.post("/api/tables", json={"rules": EVERY_PHASE, "pace": "instant"}).json()["code"]
    ann.known(client)
    ann.page.goto(f"/t/{code}")
    assert ann.shown()["kind"] == "lobby"
    same_after_a_refresh(ann)
    ann.press("Move Ann one seat down")
    ann.page.wait_for_function("() => told.table.you === 1")
    ann.press("Start", exact=False)
    ann.page.wait_for_function("() => told.table.view")
    phases = []
    while len(ann.table()["view"]["tricks"]) < 2:
        phases.append(same_after_a_refresh(ann)["phase"])
        ann.act(ann.shown(), boldest)
    assert set(phases) == {"auction", "nest", "trump", "rook", "call", "play"}
    client.close()


@pytest.mark.parametrize("variant", ["circus", "five_person_poker"])
def test_a_refresh_changes_nothing_in_rare_phases(invite: Invite, variant: str) -> None:
    def circus(asked: Any) -> str:  # noqa: ANN401  (what a screen asks)
        return "trump circus" if "trump circus" in asked.get("actions", ()) else boldest(asked)

    ann = invite("Ann")
    ann.at_table(left_of_dealer=True, rules=variant)
    ann.until("circus" if variant == "circus" else "leader", "give", choose=circus)
    same_after_a_refresh(ann)
    ann.until("play", choose=circus)
    same_after_a_refresh(ann)


def test_a_hand_that_is_done_and_a_match_that_is_over_survive_a_refresh(invite: Invite) -> None:
    ann = invite("Ann")
    ann.at_table(rules={"base": "kd_tournament", "target": 60})
    slow_before_the_end(ann)
    if ann.until("done", "over")["kind"] == "done":
        same_after_a_refresh(ann)
        assert not faults(ann.page)
        ann.press("More")
        ann.page.get_by_role("combobox", name="Pace").select_option("instant")
        ann.page.keyboard.press("Escape")
        ann.no_dialog()
        ann.press("Next hand")
        ann.until("over")
    same_after_a_refresh(ann)
    assert ann.words(".sheet tbody tr")


def slow_before_the_end(ann: Someone) -> None:
    """Play until a card is left, then have the table wait between hands."""
    ann.until("play")
    while len(ann.table()["view"]["hand"]) > 1:
        ann.act(ann.shown())
    ann.shown()
    ann.press("More")
    ann.page.get_by_role("combobox", name="Pace").select_option("brisk")
    # A hand that is done stays at this pace until it is looked at: see `same_luck`.
    ann.page.wait_for_function("() => told.table.pace === 'brisk'")
    ann.page.keyboard.press("Escape")
    ann.no_dialog()


def test_a_second_window_shows_and_does_the_same(invite: Invite) -> None:
    ann = invite("Ann")
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.until("play")
    first, second = ann.page, ann.window()
    second.goto(first.url)
    ann.page = second
    asked = ann.shown()
    table = ann.table()
    done = ann.act(asked)
    ann.page = first
    assert done.startswith("play ")
    first.wait_for_function("(seq) => told.table.seq > seq", arg=table["seq"])
    card = done.split()[1]
    expect(first.locator(f'.card-row.hand [data-card="{card}"]')).to_have_count(0)
    asked = ann.shown()
    second.wait_for_function("(seq) => told.table.seq >= seq", arg=asked["seq"])
    assert second.evaluate("told.table.view") == ann.table()["view"]
    assert ann.act(asked) != done
    second.close()
    assert ann.act(ann.shown()) != done
    assert ann.table()["seats"][1]["here"]


def test_somebody_who_drops_is_shown_away_and_comes_back(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob", **PHONE)
    code = ann.at_table(rules="kd_tournament")
    bob.comes(code, sits=False)
    # A spare bot's seat is free for anybody, when the hand is over.
    bob.press("Sit down")
    expect(bob.page.get_by_text("You'll sit down when this hand is over.")).to_be_visible()
    ann.until("play")
    while len(ann.table()["view"]["hand"]) > 1:
        ann.act(ann.shown())
    ann.act(ann.shown())
    bob.page.wait_for_function("() => told.table.you !== null")
    bob.page.wait_for_function("() => !['done', 'redealt'].includes(told.table.view.phase)")
    seat = bob.table()["you"]
    plate = ann.page.locator(".plate", has_text="Bob")
    expect(plate).to_be_visible()
    expect(plate).not_to_contain_text("away")
    hand = bob.table()["view"]["hand"]
    bob.page.goto("about:blank")
    expect(plate).to_contain_text("away")
    ann.heard("Bob is away.")
    bob.page.goto(f"/t/{code}")
    expect(plate).not_to_contain_text("away")
    bob.page.wait_for_function("() => told.table && told.table.view")
    assert (bob.table()["you"], bob.table()["view"]["hand"]) == (seat, hand)


def test_a_page_recovers_by_itself_when_the_server_is_killed(
    chromium: Browser, tmp_path: Path
) -> None:
    port = spare_port()
    with process("--data", str(tmp_path), port=port) as first:
        ann = Someone(chromium, first, "Ann")
        ann.at_table(left_of_dealer=True, rules="kd_tournament")
        ann.until("play")
        ann.act(ann.shown())
        asked, before = ann.shown(), ann.table()
        first.process.kill()
        first.process.wait()
        expect(ann.page.locator(".banner")).to_contain_text("Connection lost")
        assert not faults(ann.page)
        # What is pressed meanwhile goes out, once, when the line is back.
        card = asked["cards"][0]
        ann.hit(ann.card(card), card=True)
    with process("--data", str(tmp_path), port=port):
        expect(ann.page.locator(".banner")).to_have_count(0)
        ann.page.wait_for_function("(card) => !told.table.view.hand.includes(card)", arg=card)
        after = ann.shown()
        assert ann.table()["you"] == before["you"]
        assert len(ann.table()["view"]["hand"]) == len(before["view"]["hand"]) - 1
        ann.act(after)
        ann.page.reload()
        assert ann.shown()["kind"]
        assert re.search(r"/t/\w+$", ann.page.url)
        ann.away()
