"""What comes up now and then: the moon, a clock, three people asked, another device, a stand-in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.server.http.served import Served, served, table_for
from tests.web.e2e.looks import faults
from tests.web.e2e.people import NARROW, PHONE, Someone, boldest, due_of, meekest

Invite = Callable[..., Someone]
MOON = {"base": "kd_tournament", "special_bids": [{"name": "moon", "value": 360}]}
CLOCK = 5  # seconds, the shortest there is
LONG = 60_000  # milliseconds; longer than any clock here
GRACE = 400  # milliseconds until a bot stands in


def together(invite: Invite, rules: object, names: Sequence[str]) -> list[Someone]:
    """Return people at one table, the first of them the host; bots have the other seats."""
    host, *friends = people = [invite(name, **(PHONE if name > "B" else {})) for name in names]
    client = host.here.browser(host.name)
    code = table_for(client, rules=rules)
    host.known(client)
    host.page.goto(f"/t/{code}")
    for friend in friends:
        friend.comes(code)
    host.press("Start", exact=False)
    for someone in people:
        someone.page.wait_for_function("() => told.table.view")
    return people


def mid_trick(people: Sequence[Someone]) -> tuple[Someone, str]:
    """Play until one of these people has played a card and another has to answer it."""
    while True:
        due = due_of(people)
        done = due.act(due.shown(), boldest if due is people[0] else meekest)
        view = due.table()["view"]
        answers = view["trick"] and view["to_act"] in range(len(people))
        if done.startswith("play ") and answers and due_of(people) is not due:
            return due, done.split()[1]


def test_all_people_have_to_allow_that_a_card_is_taken_back(invite: Invite) -> None:
    people = together(invite, "kd_tournament", ["Ann", "Bob", "Cleo"])
    one, card = mid_trick(people)
    first, last = (someone for someone in people if someone is not one)
    in_hand = one.page.locator(f'.card-row.hand [data-card="{card}"]')
    one.press("Undo")
    expect(one.page.locator(".vote")).to_contain_text(first.name)
    expect(one.page.locator(".vote")).to_contain_text(last.name)
    first.press("Allow")
    expect(first.page.locator(".vote")).to_contain_text(f"Waiting for {last.name}.")
    expect(in_hand).to_have_count(0)
    assert not faults(first.page)
    last.press("Allow")
    expect(in_hand).to_have_count(1)
    expect(last.page.locator(".notes .hint")).to_contain_text(f"{one.name} undid their last move.")

    one, card = mid_trick(people)
    first, last = (someone for someone in people if someone is not one)
    one.press("Undo")
    first.press("Allow")
    last.press("Don't allow")
    expect(one.page.locator(".notes .hint")).to_contain_text("The others don't agree")
    expect(one.page.locator(f'.card-row.hand [data-card="{card}"]')).to_have_count(0)
    expect(one.page.get_by_role("button", name="Undo")).to_have_count(0)
    events = [event for frame in one.frames() for event in json.loads(frame).get("events", [])]
    kinds = [event["type"] for event in events]
    assert kinds.count("vote_asked") == kinds.count("vote_closed") == 2
    assert kinds.count("undone") == 1


def test_a_claim_is_written_as_plays_when_all_people_agree(invite: Invite) -> None:
    people = together(invite, "rook_three_1914", ["Ann", "Bob", "Cleo"])
    while not people[0].table()["view"]["tricks"]:
        due = due_of(people)
        due.act(due.shown(), boldest if due is people[0] else meekest)
    for answer in ("Play on", "Accept"):
        one = due_of(people)
        held = one.table()["view"]["hand"]
        first, last = (someone for someone in people if someone is not one)
        one.press("Claim the rest")
        for other in (first, last):
            expect(other.page.locator(".vote .face")).to_have_count(len(held))
        assert not faults(last.page)
        first.press("Accept")
        expect(first.page.locator(".vote")).to_contain_text(f"Waiting for {last.name}.")
        last.press(answer)
        expect(one.page.locator(".vote")).to_have_count(0)
        if answer == "Play on":
            expect(one.page.locator(".notes .hint")).to_contain_text("turned down")
            assert one.table()["view"]["hand"] == held
            # There is one claim a turn.
            expect(one.page.get_by_role("button", name="Claim the rest")).to_have_count(0)
            one.act(one.shown(), boldest)
    last.page.wait_for_function("() => told.table.hands.length === 1")
    code = one.page.url.rsplit("/", 1)[1]
    actions = one.page.request.get(f"/api/replay/{code}/0").json()["actions"]
    claimed = [
        f"{event['seat']} {event['text'].split(' ', 1)[1]}"
        for frame in last.frames()
        for event in json.loads(frame).get("events", [])
        if event["type"] == "acted" and event["by"] == "claim"
    ]
    assert len(claimed) >= len(held)
    assert actions[-len(claimed) :] == claimed


def test_the_moon_is_called_by_its_name(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(left_of_dealer=True, rules=MOON)
    asked = ann.shown()
    most = ann.table()["rules"]["options"]["bid_maximum"]
    moon = ann.page.locator(f'.ladder [data-action="bid {most}"]')
    expect(moon).to_contain_text("The moon")
    expect(ann.page.locator(".ladder small")).to_have_count(1)
    moon.scroll_into_view_if_needed()
    assert not faults(ann.page)
    ann.act(asked, lambda _: f"bid {most}")
    ann.until("play")
    expect(ann.page.locator(".contract .tag", has_text="The moon")).to_be_visible()
    assert not faults(ann.page)


def test_the_sun_is_called_by_its_name_to_the_end_of_the_hand(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    ann.at_table(left_of_dealer=True, rules="five_person_poker", pace="instant")
    ann.shown()
    bid = ann.page.locator('.ladder [data-action="bid sun"]')
    expect(bid).to_contain_text("Sun")
    expect(bid).to_contain_text("take everything")
    ann.until("play", choose=lambda asked: sun(asked))
    expect(ann.page.locator(".contract")).to_contain_text("Ann bid Sun")
    expect(ann.page.locator(".plate .bid-tag")).to_contain_text("Sun")
    assert not faults(ann.page)


def sun(asked: Any) -> str:  # noqa: ANN401  (what a screen asks)
    """Return the sun where it may be bid."""
    return "bid sun" if "bid sun" in asked.get("actions", ()) else boldest(asked)


def test_a_clock_counts_down_and_plays_when_it_has_run_out(invite: Invite) -> None:
    ann = invite("Ann", **PHONE)
    ann.at_table(left_of_dealer=True, rules="kd_tournament", clock=CLOCK)
    clock = ann.page.locator(".status .clock")
    expect(clock).to_contain_text(re.compile(rf"[1-{CLOCK}] seconds? left"))
    assert not faults(ann.page)
    first = clock.locator(".unseen").inner_text()
    expect(clock.locator(".unseen")).not_to_have_text(first, timeout=LONG)
    ann.page.wait_for_function(
        '() => told.frames.some((frame) => frame.includes(\'"by":"auto"\'))', timeout=LONG
    )
    said = ann.page.get_by_text("Time is up: a bot took the turn for Ann.", exact=True)
    expect(said).to_be_visible()
    acted = [
        event
        for frame in ann.frames()
        for event in json.loads(frame).get("events", [])
        if event["type"] == "acted" and event["by"] == "auto"
    ]
    assert acted[0]["seat"] == 1
    # Nothing is lost: the seat is still hers, and she may go on by hand.
    assert ann.table()["seats"][1]["kind"] == "person"
    ann.press("More")
    ann.page.get_by_label("Time per turn").select_option("0")
    ann.page.wait_for_function("() => told.table.clock === null")
    ann.page.keyboard.press("Escape")
    expect(clock).to_have_count(0)
    assert ann.act(ann.shown())


def test_a_long_turn_is_counted_by_tens_until_its_last_half_minute(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.clock.install()
    ann.at_table(left_of_dealer=True, rules="kd_tournament", clock=75)
    left = ann.page.locator(".status .clock .unseen")
    expect(left).to_have_text(re.compile("^(75|70) seconds left$"))
    ann.page.clock.fast_forward(7_000)
    expect(left).to_have_text(re.compile("^[67]0 seconds left$"))
    ann.page.clock.fast_forward(9_000)
    expect(left).to_have_text(re.compile("^[3-6]0 seconds left$"))
    ann.page.clock.fast_forward(33_000)
    expect(left).to_have_text(re.compile("^([12][1-9]|[1-9]) seconds left$"))


def test_a_seat_moves_to_a_phone_by_a_link(invite: Invite, here: Served) -> None:
    ann = invite("Ann")
    code = ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.until("play")
    ann.act(ann.shown())
    ann.shown()
    before = ann.table()
    ann.press("More")
    ann.press("Create a link")
    link = ann.page.locator("dialog .link-text").inner_text()
    assert re.fullmatch(rf"{here.url}/return/[\w-]{{20,}}", link)
    assert not faults(ann.page)
    ann.page.keyboard.press("Escape")

    phone = invite("Ann", **PHONE)
    phone.page.goto(link)
    phone.press("That's me")
    expect(phone.page.locator("main")).to_contain_text("Hello again, Ann.")
    assert not faults(phone.page)
    phone.hit(phone.page.get_by_role("link", name=re.compile(before["rules"]["name"])).first)
    phone.page.wait_for_url(f"**/t/{code}")
    asked = phone.shown()
    after = phone.table()
    assert (after["you"], after["view"]["hand"]) == (before["you"], before["view"]["hand"])
    done = phone.act(asked)
    # The window at home sees what the phone did.
    ann.page.wait_for_function(
        "(card) => !told.table.view.hand.includes(card)", arg=done.split()[1]
    )

    # A browser that has forgotten everything is a stranger, and the link is used up.
    ann.context.clear_cookies()
    ann.page.goto(f"/t/{code}")
    expect(ann.page.get_by_label("Your name at the table")).to_be_visible()
    ann.page.goto(link)
    ann.press("That's me")
    expect(ann.page.locator("main")).to_contain_text("has been used")
    phone.act(phone.shown())


@pytest.fixture
def hurried(chromium: Browser) -> Iterator[Callable[..., Someone]]:
    """Return a way to have people come to a server where bots stand in almost at once."""
    came: list[Someone] = []
    with served(grace=GRACE) as running:

        def invited(name: str, **device: object) -> Someone:
            came.append(Someone(chromium, running, name, **device))
            return came[-1]

        yield invited
        for someone in came:
            someone.away()


def test_a_bot_stands_in_and_gives_the_seat_back(hurried: Invite) -> None:
    ann, bob = together(hurried, "kd_tournament", ["Ann", "Bob"])
    code = ann.page.url.rsplit("/", 1)[1]
    while due_of([ann, bob]) is ann:
        ann.act(ann.shown(), meekest)
    # It is Bob's turn, and Bob is gone.
    seq = ann.table()["seq"]
    bob.page.goto("about:blank")
    plate = ann.page.locator(".plate", has_text="Bob")
    expect(plate).to_contain_text("away, a bot plays", timeout=LONG)
    ann.page.wait_for_function(
        "() => told.frames.some((frame) => JSON.parse(frame).events?.some("
        "(event) => event.type === 'acted' && event.seat === 1 && event.by === 'bot'))",
        timeout=LONG,
    )
    assert ann.table()["seq"] > seq
    assert not faults(ann.page)
    ann.page.wait_for_function("() => told.table.view.to_act === 0", timeout=LONG)

    bob.page.goto(f"/t/{code}")
    expect(plate).not_to_contain_text("away")
    ann.heard("Bob is back.")
    assert ann.table()["seats"][1]["stand_in"] is None
    while due_of([ann, bob]) is ann:
        ann.act(ann.shown(), meekest)
    assert bob.act(bob.shown(), meekest)
    mine = [
        event
        for frame in bob.frames()
        for event in json.loads(frame).get("events", [])
        if event["type"] == "acted" and event["seat"] == 1
    ]
    assert mine[-1]["by"] == "person"


def test_cards_that_are_chosen_in_one_moment_are_all_chosen(invite: Invite) -> None:
    ann = invite("Ann")
    ann.at_table(left_of_dealer=True, rules="kd_tournament")
    ann.until("discard")
    ann.page.evaluate(
        "() => [...document.querySelectorAll('.card-row.hand .card.open')].slice(0, 3)"
        ".forEach((card) => card.click())"
    )
    expect(ann.page.locator(".card.picked")).to_have_count(3)
    expect(ann.page.locator(".discard")).to_contain_text("3 of 5 chosen.")
