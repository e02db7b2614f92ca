"""Playing with strangers from the start page: who waits is found, and nobody is told a lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from playwright.sync_api import expect
from tests.server.http.served import QUICK, Served, table_for
from tests.web.e2e.people import DESKTOP, NARROW, PHONE, Someone
from tests.web.e2e.sizes import faults_in_both, sized

Invite = Callable[..., Someone]


def plays(someone: Someone, name: str) -> None:
    """Say a name on the start page and ask to play with others."""
    someone.page.goto("/")
    someone.page.get_by_label("Your name").fill(name)
    expect(someone.page.get_by_role("button", name="Find other players")).to_be_enabled()
    someone.press("Find other players")
    someone.page.wait_for_url("**/t/*")
    someone.page.wait_for_function("() => told.table")


def said(someone: Someone) -> str:
    return someone.page.locator("p.mark[role=status]").first.inner_text()


def test_strangers_find_each_other_one_tap_each(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob", **PHONE)
    for who in (ann, bob):
        who.page.goto("/")
        expect(who.page.get_by_text("Nobody is waiting just now.")).to_be_visible()
    assert not faults_in_both(ann.page)
    plays(ann, "Ann")
    expect(ann.page.get_by_text("Nobody else is here yet.")).to_be_visible()
    for _ in sized(ann.page, PHONE, NARROW, DESKTOP):
        expect(ann.page.get_by_role("button", name="Start, with 3 more bots")).to_be_in_viewport()
    assert ann.table()["open"]
    assert not faults_in_both(ann.page)
    bob.page.goto("/")
    expect(bob.page.get_by_text("1 person is waiting.")).to_be_visible()
    # By keyboard as well.
    button = bob.page.get_by_role("button", name="Find other players")
    expect(button).to_be_enabled()
    button.focus()
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_url("**/t/*")
    bob.page.wait_for_function("() => told.table && told.table.you === 1")
    assert bob.page.url.split("/t/")[1] == ann.page.url.split("/t/")[1]
    expect(ann.page.get_by_text("Nobody else is here yet.")).to_have_count(0)
    # Nobody was told that whoever had just sat down had gone again.
    sent = "".join(ann.frames())
    assert '"type":"sat"' in sent
    assert '"type":"away"' not in sent
    ann.page.wait_for_timeout(3_500)
    assert [seat["here"] for seat in ann.table()["seats"][:2]] == [True, True]
    assert not ann.faults
    assert not bob.faults


def test_whoever_has_begun_with_bots_is_joined_after_the_hand(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob", **PHONE)
    ann.page.goto("/")
    change = """(rules) => localStorage.setItem("rookery.settings", JSON.stringify(
        { game: { rules, seats: 4, name: "Short" }, pace: "instant" }))"""
    for who in (ann, bob):
        who.page.goto("/privacy")
        who.page.evaluate(change, QUICK)
    plays(ann, "Ann")
    ann.press("Start, with 3 more bots")
    ann.page.wait_for_function("() => told.table.view")
    plays(bob, "Bob")
    expect(bob.page.get_by_text("You'll sit down", exact=False)).to_be_visible()
    assert "?" not in bob.page.url
    while bob.table()["you"] is None:
        asked = ann.shown(waiting=True)
        if asked["kind"] in ("auction", "discard", "trump", "play"):
            ann.act(asked)
    assert bob.table()["seats"][bob.table()["you"]]["name"] == "Bob"


def test_guests_without_a_name_are_told_apart(invite: Invite) -> None:
    one, two = invite("Guest"), invite("Guest")
    plays(one, "")
    plays(two, "")
    two.page.wait_for_function("() => told.table.you === 1")
    first, second = [seat["name"] for seat in two.table()["seats"][:2]]
    assert first == "Guest"
    assert second.startswith("Guest ")
    assert second.removeprefix("Guest ").isdigit()


def test_who_has_the_same_name_is_asked_for_another_at_that_table(invite: Invite) -> None:
    one, two = invite("Ann"), invite("Ann", **PHONE)
    plays(one, "Ann")
    plays(two, "Ann")
    expect(two.page.get_by_label("Choose another name for this table")).to_be_visible()
    assert two.page.url.split("/t/")[1] == one.page.url.split("/t/")[1]


def test_a_table_that_fills_meanwhile_is_followed_by_the_next(invite: Invite, here: Served) -> None:
    ann, bob = invite("Ann"), invite("Bob")
    plays(ann, "Ann")
    code = ann.page.url.split("/t/")[1]
    asked: list[Mapping[str, Any]] = []

    def quicker(route: Any) -> None:  # noqa: ANN401
        asked.append(route.request.post_data_json)
        answer = route.fetch()
        if len(asked) == 1:
            assert answer.json()["code"] == code
            ann.press("Fill", exact=False)
            ann.page.wait_for_function("() => told.table.seats.every((one) => one.name)")
        route.fulfill(response=answer)

    bob.page.route("**/api/tables/quick", quicker)
    plays(bob, "Bob")
    assert [one["but"] for one in asked] == [[], [code]]
    assert bob.page.url.split("/t/")[1] != code
    expect(bob.page.get_by_text("Nobody else is here yet.")).to_be_visible()


def test_any_game_is_a_choice_that_is_kept(invite: Invite, here: Served) -> None:
    host = here.browser("Host")
    code = table_for(host, rules="rook_two_1914", open=True)
    ann, eve = invite("Host"), invite("Eve", **PHONE)
    ann.known(host)
    ann.page.goto(f"/t/{code}")
    ann.page.wait_for_function("() => told.table")
    eve.page.goto("/")
    expect(eve.page.get_by_text("Nobody is waiting for this game just now")).to_be_visible()
    choice = eve.page.get_by_label("Game to find players for")
    choice.select_option("any")
    expect(eve.page.get_by_text("1 person is waiting.")).to_be_visible()
    eve.page.reload()
    expect(choice).to_have_value("any")
    plays(eve, "Eve")
    assert eve.page.url.endswith(code)
