"""From the first page to a hand and to the next match, with as few taps as it takes."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect
from tests.web.e2e.looks import faults
from tests.web.e2e.people import DESKTOP, NARROW, Someone, due_of, is_over, meekest, turns
from tests.web.e2e.sizes import faults_in_both, sized

Invite = Callable[..., Someone]
# What is said for a moment: the next hand begins by itself.
NOTED = """() => {
  window.noted = {};
  for (const css of [".notes", "#polite"]) {
    const box = document.querySelector(css);
    noted[css] = "";
    const keep = () => { noted[css] += box.textContent; };
    const all = { subtree: true, childList: true, characterData: true };
    new MutationObserver(keep).observe(box, all);
  }
}"""
BRISK = "localStorage['rookery.settings'] = JSON.stringify({ pace: 'brisk' })"


def test_a_game_against_bots_is_remembered_with_its_pace(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.page.goto("/new?rules=dixie_6")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_role("combobox", name="Pace").select_option("brisk")
    assert not faults_in_both(ann.page)
    ann.press("Play against bots")
    ann.page.wait_for_function("() => told.table && told.table.view")
    table = ann.table()
    assert [seat["kind"] for seat in table["seats"]] == ["person", *["bot"] * 5]
    assert table["pace"] == "brisk"
    # The pace is a button at the table, and holds for the next one too.
    ann.press("Pace: Brisk")
    dialog = ann.page.locator("dialog[open]")
    expect(dialog.get_by_role("button", name="Brisk")).to_have_attribute("aria-pressed", "true")
    instant = dialog.get_by_role("button", name="Instant")
    for device in sized(ann.page, NARROW, DESKTOP):
        instant.click(trial=True)
        assert not faults(ann.page), device
    ann.hit(instant)
    ann.page.wait_for_function("() => told.table.pace === 'instant'")
    ann.no_dialog()
    ann.page.goto("/")
    expect(ann.page.get_by_text("Against bots: Dixie for six. Pace: Instant.")).to_be_visible()
    ann.press("Play now against bots")
    ann.page.wait_for_function(
        "(code) => told.table?.view && told.table.code !== code", arg=table["code"]
    )
    again = ann.table()
    assert (len(again["seats"]), again["pace"]) == (6, "instant")


def test_a_game_that_is_gone_is_forgotten(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.goto("/")
    ann.page.evaluate(
        """localStorage.setItem("rookery.settings",
             JSON.stringify({game: {rules: "of_old", seats: 4, name: "Of old"}}))"""
    )
    ann.page.reload()
    ann.press("Play now against bots")
    expect(ann.page.locator("main").get_by_role("alert")).to_be_visible()
    ann.press("Play now against bots")
    ann.page.wait_for_function("() => told.table && told.table.view")


def test_the_button_says_how_many_bots_a_start_seats(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob")
    code = ann.hosts(rules="kd_tournament")
    expect(ann.page.get_by_role("button", name="Start, with 3 more bots")).to_be_visible()
    bob.comes(code)
    ann.press("Start, with 2 more bots")
    ann.page.wait_for_function("() => told.table.view")
    assert [seat["kind"] for seat in ann.table()["seats"]].count("bot") == 2


def test_a_start_seats_bots_of_the_level_that_was_chosen_last(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.goto("/")
    ann.page.evaluate("localStorage['rookery.settings'] = JSON.stringify({bot: 'beginner'})")
    ann.hosts(rules="kd_tournament")
    expect(ann.page.get_by_role("button", name="Fill 3 seats with bots")).to_be_visible()
    ann.press("Start, with 3 more bots")
    ann.page.wait_for_function("() => told.table.view")
    assert [seat["bot"] for seat in ann.table()["seats"]] == [None, *["beginner"] * 3]


def test_the_others_need_not_wait_for_a_host_who_looks_at_the_review(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob")
    code = ann.hosts(rules={"base": "kd_tournament", "target": 5}, pace="instant")
    bob.comes(code)
    ann.press("Start", exact=False)
    ann.page.wait_for_function("() => told.table.view")
    for due in turns((ann, bob), is_over):
        due.say(due.shown())
    expect(bob.page.get_by_role("button", name="Rematch")).to_have_count(0)
    ann.hit(ann.page.get_by_role("link", name="Match review"))
    ann.page.wait_for_url(re.compile("/review/"))
    bob.press("Rematch")
    bob.page.wait_for_function("() => told.table.phase === 'playing'")
    assert bob.table()["host"] == 0
    ann.page.goto(f"/t/{code}")
    ann.page.wait_for_function("() => told.table && told.table.phase === 'playing'")
    assert ann.table()["you"] == 0


def test_a_guest_says_a_name_chooses_a_seat_and_sits_there(invite: Invite) -> None:
    ann, bob, eve = invite("Ann"), invite("Bob", **NARROW), invite("Eve")
    code = ann.hosts(rules="kd_tournament", bots=["club"])
    bob.page.goto(f"/t/{code}")
    seats = bob.page.get_by_label("Your seat")
    # The bot at seat 2 was put there by the host, and keeps its place.
    expect(seats.locator("option")).to_have_text(["Any free seat", "Seat 3, with Ann", "Seat 4"])
    bob.page.get_by_label("Your name at the table").fill("Bob")
    seats.select_option("Seat 3, with Ann")
    assert not faults_in_both(bob.page)
    bob.press("Sit down")
    bob.page.wait_for_function("() => told.table && told.table.you === 2")
    expect(ann.page.locator(".seat-name").nth(2)).to_contain_text("Bob")
    eve.comes(code, sits=False)
    eve.page.wait_for_function("() => told.table && told.table.you === null")
    # The host sees who watches, at once.
    expect(ann.page.get_by_text("1 person is watching: Eve")).to_be_visible()
    assert not faults(ann.page)
    eve.page.goto("about:blank")
    expect(ann.page.get_by_text("is watching")).to_have_count(0)


def test_a_first_game_says_once_what_a_bid_is(invite: Invite) -> None:
    ann = invite("Ann", newcomer=True, **NARROW)
    said = ann.page.get_by_text("promises how many points")
    ann.page.goto("/")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.press("Play now against bots")
    ann.until("auction")
    for device in sized(ann.page, NARROW, DESKTOP):
        expect(said).to_be_visible()
        ann.page.get_by_role("button", name="Close").click(trial=True)
        assert not faults(ann.page), device
    ann.press("Close")
    expect(said).to_have_count(0)
    ann.page.goto("/")
    ann.press("Play now against bots")
    ann.until("auction")
    expect(ann.page.get_by_role("button", name="Pass").first).to_be_visible()
    expect(said).to_have_count(0)


def test_a_first_game_stops_once_after_the_auction(invite: Invite) -> None:
    ann = invite("Ann", newcomer=True, **NARROW)
    ann.page.goto("/")
    ann.page.evaluate(BRISK)
    ann.page.reload()
    ann.page.get_by_label("Your name").fill("Ann")
    ann.press("Play now against bots")
    ann.until("auction")
    expect(ann.page.get_by_text("promises how many points")).to_be_visible()
    while ann.table()["view"]["declarer"] is None:
        ann.turn(choose=meekest)
        ann.page.wait_for_function(
            "() => told.table.view.declarer !== null || told.table.view.to_act === told.table.you"
        )
    go_on = ann.page.get_by_role("button", name="Go on")
    means = re.compile(r"wins? the auction at \d+ and takes? the nest\. .*at least \d+ points")
    for device in sized(ann.page, NARROW, DESKTOP):
        go_on.click(trial=True)
        expect(ann.page.locator(".notes .hint")).to_be_visible()
        expect(ann.page.locator(".notes .hint")).to_contain_text(means)
        assert not faults(ann.page), device
    # That was announced when it happened: only what it means is said as well.
    expect(ann.page.locator(".notes [role=status]")).not_to_contain_text("auction")
    seq = ann.table()["seq"]
    if ann.table()["view"]["declarer"] != ann.table()["you"]:
        expect(ann.page.locator(".status")).to_contain_text("The bots wait for you")
        ann.hit(go_on)
        ann.moved(seq + 1)  # it goes on, and then a bot plays
    else:
        ann.hit(go_on)
    expect(go_on).to_have_count(0)
    assert not ann.page.evaluate("JSON.parse(localStorage['rookery.settings']).newcomer")
    # The next game has nothing more to say.
    ann.page.goto("/")
    ann.press("Play now against bots")
    ann.until("nest", "play", "done", choose=meekest)
    assert not ann.table()["halted"]


def test_a_first_bid_among_friends_says_what_a_bid_is(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob", newcomer=True, **NARROW)
    code = ann.hosts(rules="kd_tournament", pace="instant")
    bob.comes(code)
    ann.press("Start", exact=False)
    told = {who: who.page.get_by_text("promises how many points") for who in (ann, bob)}
    hands: set[int] = set()
    while 1 not in hands:
        due = due_of((ann, bob))
        asked = due.shown()
        if asked["kind"] == "auction":
            is_told = due is bob and asked["hand"] == 0
            expect(told[due]).to_have_count(int(is_told))
            assert not is_told or not faults_in_both(due.page)
            hands |= {asked["hand"]} if due is bob else set()
        (due.act if asked["kind"] == "auction" else due.say)(asked, meekest)
    assert hands == {0, 1}
    # Nobody waits for somebody who is not alone.
    assert not any('"type":"halted"' in frame for frame in bob.frames())


def test_who_has_the_link_takes_a_bots_seat_by_its_name(invite: Invite) -> None:
    ann, bob = invite("Ann"), invite("Bob", **NARROW)
    ann.page.goto("/")
    ann.page.evaluate(
        """(rules) => localStorage.setItem("rookery.settings", JSON.stringify(
             { newcomer: false, pace: "instant", game: { rules, seats: 4, name: "Short" } }))""",
        {"base": "kd_tournament", "target": 2000},
    )
    ann.page.reload()
    ann.page.get_by_label("Your name").fill("Ann")
    ann.press("Play now against bots")
    ann.page.wait_for_function("() => told.table && told.table.view")
    birds = [seat["name"] for seat in ann.table()["seats"]]
    bob.page.goto(ann.page.url)
    seats = bob.page.get_by_label("Your seat")
    offered = [f"{birds[1]}'s seat", f"{birds[2]}'s seat, with Ann", f"{birds[3]}'s seat"]
    expect(seats.locator("option")).to_have_text(["Any free seat", *offered])
    bob.page.get_by_label("Your name at the table").fill("Bob")
    assert not faults_in_both(bob.page)
    bob.press("Watch")
    expect(ann.page.locator(".notes")).to_contain_text("Now watching: Bob.")
    expect(seats.locator("option")).to_have_text(["Any free seat", *offered])
    seats.select_option(offered[1])
    assert not faults_in_both(bob.page)
    bob.press("Sit down")
    expect(bob.page.get_by_text("You'll sit down", exact=False)).to_be_visible()
    expect(seats).to_have_count(0)
    ann.page.evaluate(NOTED)
    while bob.table()["you"] is None:
        asked = ann.shown(waiting=True)
        if asked["kind"] in ("auction", "discard", "trump", "play"):
            ann.say(asked)
    assert bob.table()["you"] == 2
    for css in (".notes", "#polite"):
        said = {"css": css, "text": f"Bob sits down for {birds[2]}."}
        ann.page.wait_for_function("({ css, text }) => noted[css].includes(text)", arg=said)
