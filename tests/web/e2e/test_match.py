"""Four people with four browsers play a whole match by a link."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect
from tests.web.e2e.people import PHONE, Someone, is_over, meekest, record_of, turns

from rookery import record

Invite = Callable[..., Someone]
TARGET = 60


def makes_a_short_match(ann: Someone) -> str:
    """Make house rules with a low target in the editor and a table with them; return its code."""
    page = ann.page
    page.goto("/rules/edit?base=kd_tournament")
    page.get_by_label("Name of these rules").fill("A short match")
    page.get_by_label("Find an option").fill("target")
    page.get_by_label("Target", exact=True).fill(str(TARGET))
    expect(page.locator("[aria-labelledby=verdict-title]")).to_contain_text("fit together")
    expect(page.locator(".stale")).to_have_count(0)
    page.wait_for_function("() => location.hash.length > 40")
    ann.press("Create a table with these rules")
    page.get_by_label("Your name").fill(ann.name)
    page.get_by_role("combobox", name="Pace").select_option("instant")
    ann.press("Create the table")
    page.wait_for_url("**/t/*")
    return page.url.rsplit("/", 1)[1]


def play_on(people: list[Someone]) -> None:
    """Let everybody play until the match is over, each on their own screen."""
    for due in turns(people, is_over):
        # A low contract is made or lost by little, so that a short match is short.
        due.turn(meekest)


def test_four_people_play_a_whole_match(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob", **PHONE)
    cleo, dan = invite("Cleo"), invite("Dan", **PHONE)
    people = [ann, bob, cleo, dan]
    code = makes_a_short_match(ann)
    for friend in people[1:]:
        friend.comes(code)
    ann.settled()
    # Ann wants Bob, who sits beside her, as her partner.
    ann.press("Move Bob one seat down")
    expect(ann.page.locator(".seat-row").nth(2)).to_contain_text("Bob")
    expect(ann.page.locator(".seat-row").nth(2)).to_contain_text("Team A")
    expect(bob.page.get_by_role("button", name=re.compile("^Start"))).to_have_count(0)
    ann.press("Start", exact=False)
    for someone in people:
        someone.page.wait_for_function("() => told.table.view")
    assert [someone.table()["you"] for someone in people] == [0, 2, 1, 3]
    play_on(people)
    for someone in people:
        assert someone.shown()["kind"] == "over"

    for someone in people:
        expect(someone.page.locator(".sheet tbody tr").first).to_be_visible()
    sheets = [someone.words(".sheet tbody tr") for someone in people]
    scores = [someone.words(".over .scores li") for someone in people]
    assert sheets[0]
    # On a phone the sheet is laid out in its own way.
    assert sheets[::2] == [sheets[0]] * 2
    assert sheets[1::2] == [sheets[1]] * 2
    assert all(score == scores[0] for score in scores)

    data = record_of(dan)
    assert data == record_of(ann)
    match = record.replay(record.loads(data))
    assert match.rules.target == TARGET
    assert match.winners is not None
    assert len(match.hands) == len(sheets[0])
    for seat, words in zip((0, 1), scores[0], strict=True):
        assert words.replace("\u2212", "-").endswith(f"total {match.totals[seat]}")
    for someone in people:
        won = someone.table()["you"] in match.winners
        heading = someone.page.locator("#over-title")
        expect(heading).to_have_text(re.compile("^You won" if won else r"^\w+ and \w+ won"))
    before = ann.table()
    look_back = ann.page.get_by_role("link", name="Match review")
    code, number = before["code"], before["match_number"]
    expect(look_back).to_have_attribute("href", f"/review/{code}/{number}")
    ann.press("Rematch")
    for someone in people:
        someone.moved(before["seq"])
        someone.page.wait_for_function("() => told.table.phase === 'playing'")
        assert someone.table()["match_number"] != before["match_number"]
