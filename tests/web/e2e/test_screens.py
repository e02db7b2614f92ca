"""An evening on screens: people are moved from table to table, and others play for who is away."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.server.http.served import Served
from tests.web.e2e.conftest import Invite
from tests.web.e2e.looks import faults
from tests.web.e2e.people import DESKTOP, NARROW, PHONE, Someone, meekest
from tests.web.e2e.test_evening import OPEN, PEOPLE, begin, come, told

from rookery.evening.log import fold

PAUSE = 6_000  # milliseconds until the next round
COUNT = 7_000  # milliseconds after which whoever does nothing has been moved
MOVES = 30_000  # milliseconds in which somebody is moved
MITCHELL = re.compile(r"one side moves \(Mitchell\)|two tables share")
SIDE = {**PHONE, "viewport": {"width": 844, "height": 390}}


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the next round begin after seconds."""
    monkeypatch.setattr(fold, "PAUSE", PAUSE)


def well(page: Page, what: str) -> None:
    """Assert that nothing is wrong with the look of a page."""
    assert not [f"{what}: {one}" for one in faults(page)]


def on_screens(
    page: Page,
    *,
    people: tuple[str, ...] = PEOPLE,
    movement: str | re.Pattern[str] = "A new partner in each round",
    rounds: int = 2,
    hands: int = 1,
    auto: bool = True,
) -> str:
    """Make an evening on screens, as quick as can be; return its code."""
    page.goto("/evening")
    page.get_by_label("Who plays?").fill("\n".join(people))
    page.get_by_role("radio", name="On screens").check()
    tables = -(-len(people) // 4)
    expect(page.get_by_text(f"{len(people)} people, {tables} table")).to_be_visible()
    page.get_by_role("radio", name=movement).first.check()
    if page.get_by_label("Hands a round").count():
        page.get_by_label("Hands a round").select_option(str(hands))
    else:
        page.get_by_label("Prepared deals a round").select_option(str(hands))
    page.get_by_label("Pace").select_option("instant")
    page.get_by_label("How many rounds?").fill(str(rounds))
    page.get_by_label("The next round begins by itself").set_checked(auto)
    expect(page.get_by_label("A score counts when two people say the same")).to_have_count(0)
    page.get_by_label("Your name").fill("Host")
    page.get_by_role("button", name="Make the evening").click()
    page.wait_for_url("**/e/*")
    expect(page.get_by_text("On screens")).to_be_visible()
    return re.sub(r".*/e/(\w+).*", r"\1", page.url)


def seat(host: Page, name: str) -> dict[str, Any]:
    """Return the table on screen of somebody in this round, as soon as it is open."""
    asked = """async ([code, name]) => {
      for (;;) {
        const { evening } = await fetch(`/api/evenings/${code}`).then((one) => one.json());
        const who = evening.people.find((one) => one.name === name).number;
        const table = evening.round?.tables.find((one) => one.seats.includes(who));
        if (table?.code) return { ...table, seat: table.seats.indexOf(who), round: evening.rounds };
        await new Promise((done) => setTimeout(done, 200));
      }
    }"""
    code = re.sub(r".*/e/(\w+).*", r"\1", host.url)
    return dict(host.evaluate(asked, [code, name]))


def sits(someone: Someone, table: dict[str, Any]) -> None:
    """Return once somebody has been brought to their seat at a table."""
    someone.page.wait_for_url(f"**/t/{table['code']}", timeout=MOVES)
    here = "([code, seat]) => told.table?.code === code && told.table.you === seat"
    someone.page.wait_for_function(here, arg=[table["code"], table["seat"]], timeout=MOVES)


def plays(someone: Someone) -> None:
    """Play at a table until it is done."""
    while someone.turn(meekest) != "over":
        pass


def finish(*people: Someone) -> None:
    """Have these people play the hand that is under way to its end, and go on to the next."""
    first = people[0].table()["hand_number"]
    while people[0].table()["hand_number"] == first:
        for someone in people:
            table = someone.table()
            done = table["view"]["phase"] == "done" and table["you"] not in table["ready"]
            if done or table["view"]["to_act"] == table["you"]:
                someone.turn(meekest)
        people[0].page.wait_for_timeout(50)


def test_people_are_moved_from_round_to_round_and_whoever_is_late_sits_down(
    invite: Invite, soon: None
) -> None:
    host, bo = invite("Host", **DESKTOP), invite("Bo", **NARROW)
    code = on_screens(host.page)
    come(bo.page, f"/e/{code}", "Bo")
    expect(bo.page.locator("#place-title")).to_contain_text("The first round hasn't begun")
    begin(host.page, 1)
    first = seat(host.page, "Bo")
    # The page goes to the table by itself, and says so.
    sits(bo, first)
    bo.heard(f"You're at your table: Table {first['number']}")
    expect(bo.page.locator(".strip")).to_contain_text(f"Round 1 Table {first['number']}")
    well(bo.page, "a table of an evening")
    for words in ("Pace", "Start", "Rematch"):
        expect(bo.page.get_by_role("button", name=words)).to_have_count(0)
    host.page.evaluate(OPEN)
    well(host.page, "host, a round on screens")
    expect(host.page.get_by_role("button", name="Undo round 1")).to_have_count(0)
    expect(host.page.get_by_text("Two people change places")).to_have_count(0)
    expect(host.page.get_by_role("link", name=re.compile("^Watch table"))).to_have_count(2)

    plays(bo)
    panel = bo.page.locator(".at-evening")
    expect(panel.get_by_role("heading", name="Done")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="This table is done.")).to_be_visible()
    well(bo.page, "done")
    # The round begins by itself; whoever does nothing is moved.
    expect(panel.locator(".next-in")).to_contain_text("Round 2 begins in 0:0", timeout=MOVES)
    expect(panel.locator(".moving")).to_be_visible(timeout=MOVES)
    well(bo.page, "is being moved")
    second = seat(host.page, "Bo")
    assert second["round"] == 2
    bo.heard("You're moved there in 5 seconds")
    sits(bo, second)
    expect(bo.page.locator(".strip")).to_contain_text("Round 2")

    # A bot has played for whoever comes late. They get their own seat.
    late = invite("Gus", **{**NARROW, "locale": "es-ES"})
    late.page.goto(f"/e/{code}")
    gus = late.page.get_by_role("button", name="Gus", exact=True)
    expect(gus).to_be_visible()
    well(late.page, "who, in Spanish")
    gus.click()
    table = seat(host.page, "Gus")
    late.page.wait_for_url(f"**/t/{table['code']}", timeout=MOVES)
    expect(late.page.locator(".strip")).to_contain_text(f"Mesa {table['number']}")
    plays(bo)
    expect(panel).to_contain_text("The evening ends in", timeout=MOVES)
    expect(panel).to_contain_text("The evening is over: you are", timeout=MOVES)
    rank = next(one for one in told(host.page)["evening"]["standings"] if one["person"] == 1)
    assert rank["games"] == 2
    expect(panel.get_by_role("heading")).to_contain_text(f"you are {rank['place']}")
    panel.locator("summary").click()
    expect(panel.locator(".own")).to_contain_text("Bo")
    well(bo.page, "the evening is over")
    well(late.page, "in Spanish")
    bo.hit(panel.get_by_role("link", name="The whole evening"))
    expect(bo.page.locator("#place-title")).to_contain_text("The evening is over")
    expect(bo.page.get_by_role("button", name="Go to your table")).to_have_count(0)


def test_whoever_comes_during_a_hand_plays_on_for_their_bot(invite: Invite) -> None:
    host, bo = invite("Host", **DESKTOP), invite("Bo", **PHONE)
    code = on_screens(host.page, hands=2, auto=False)
    come(bo.page, f"/e/{code}", "Bo")
    begin(host.page, 1)
    table = seat(host.page, "Bo")
    sits(bo, table)
    bo.page.wait_for_function("told.table.view?.hand")
    # Whoever goes back to look at the evening is not sent away again.
    bo.hit(bo.page.locator(".strip"))
    expect(bo.page.locator(".to-table")).to_be_visible()
    bo.page.wait_for_timeout(COUNT)
    assert bo.page.url.endswith(f"/e/{code}")
    bo.hit(bo.page.locator(".to-table"))
    sits(bo, table)
    name = PEOPLE[table["seats"][table["seat"] - 2]]
    late = invite(name, **NARROW)
    late.page.goto(f"/e/{code}")
    late.page.get_by_role("button", name=name, exact=True).click()
    late.page.wait_for_url(f"**/t/{table['code']}", timeout=MOVES)
    # The hand that is being played may be the only one of the round.
    first = bo.table()["hand_number"]
    sits(late, table | {"seat": (table["seat"] - 2) % 4})
    late.page.wait_for_function("told.table.view?.hand")
    assert late.table()["hand_number"] == first
    well(late.page, "plays on for a bot")
    finish(bo, late)
    late.page.wait_for_function("(first) => told.table.hand_number > first", arg=first)
    late.press("Score sheet")
    expect(late.page.get_by_text("2 hands in this round")).to_be_visible()
    well(late.page, "the sheet of a round")
    late.page.keyboard.press("Escape")
    late.no_dialog()
    # Both hands count together, and the second begins with what the first has brought.
    points = bo.table()["evening"]["points"]
    assert any(points)
    shown = bo.page.locator(f"[data-place='{table['seat']}'] .total")
    expect(shown).to_contain_text(str(points[table["seat"]]))


def test_whoever_runs_the_evening_goes_when_they_like_and_nobody_takes_a_seat_of_others(
    invite: Invite, soon: None
) -> None:
    host = invite("Host", **DESKTOP)
    people = ("Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus")
    code = on_screens(host.page, people=people, auto=False)
    # Bots fill a table, and nobody can say that they are one.
    host.page.get_by_text("You play too?").click()
    host.page.get_by_role("button", name="Ann", exact=True).click()
    expect(host.page.locator(".place .mark").first).to_have_text("Ann")
    begin(host.page, 1)
    table = seat(host.page, "Ann")
    assert len(told(host.page)["evening"]["round"]["tables"]) == 2
    bots = [one for one in told(host.page)["evening"]["people"] if one["bot"]]
    assert bots
    stranger = invite("Zed", **NARROW)
    stranger.page.goto(f"/e/{code}")
    expect(stranger.page.get_by_role("button", name="Bo", exact=True)).to_be_visible()
    for bot in bots:
        named = stranger.page.get_by_role("button", name=bot["name"], exact=True)
        expect(named).to_have_count(0)
    # Whoever runs the evening stays on its page, with a way to their table.
    link = host.page.locator(".to-table")
    expect(link).to_have_text("Go to your table")
    assert "/e/" in host.page.url
    link.focus()
    host.page.keyboard.press("Enter")
    sits(host, table)
    plays(host)
    expect(host.page.locator(".at-evening")).to_contain_text("The host begins round 2")
    # Others look on, and no seat is offered to them.
    stranger.page.goto(f"/t/{table['code']}")
    expect(stranger.page.get_by_text("This table belongs to an evening")).to_be_visible()
    expect(stranger.page.get_by_role("button", name="Sit down")).to_have_count(0)
    well(stranger.page, "a stranger at a table of an evening")
    stranger.page.get_by_label("Your name at the table").fill("Zed")
    stranger.press("Watch")
    expect(stranger.page.locator(".strip")).to_contain_text("Round 1")
    expect(stranger.page.get_by_role("button", name="Sit down")).to_have_count(0)
    hall = host.window()
    hall.goto(f"/e/{code}/hall")
    expect(hall.locator(".hall-state")).to_contain_text("Round 1")
    well(hall, "the hall")
    expect(hall.get_by_text("Scores still missing")).to_have_count(0)
    # Whoever is moved may stay as long as they like, and goes by a key.
    desk = host.window()
    desk.goto(f"/e/{code}")
    begin(desk, 2)
    stay = host.page.get_by_role("button", name="Stay here")
    stay.focus(timeout=MOVES)
    host.page.keyboard.press("Enter")
    go = host.page.get_by_role("button", name="Go to your table")
    expect(go).to_be_visible()
    host.page.wait_for_timeout(COUNT)
    assert table["code"] in host.page.url
    go.focus()
    host.page.keyboard.press("Enter")
    sits(host, seat(desk, "Ann"))


def test_a_bot_is_the_partner_of_whoever_has_none(invite: Invite) -> None:
    host = invite("Host", **NARROW)
    on_screens(host.page, people=PEOPLE[:7], movement="Each pair against each other")
    evening = told(host.page)["evening"]
    assert [one["bot"] for one in evening["people"]] == [False] * 7 + [True]
    assert evening["teams"][-1] == [6, 7]
    host.page.get_by_text("You play too?").click()
    bot = host.page.get_by_role("button", name=evening["people"][7]["name"], exact=True)
    expect(host.page.get_by_role("button", name="Gus", exact=True)).to_be_visible()
    expect(bot).to_have_count(0)
    begin(host.page, 1)
    seats = seat(host.page, "Gus")["seats"]
    assert abs(seats.index(6) - seats.index(7)) == 2
    host.page.evaluate(OPEN)
    well(host.page, "the host on a small phone")


def test_how_one_plays_stays_chosen_and_fits_a_small_screen(
    chromium: Browser, here: Served
) -> None:
    for device, language in ((NARROW, "es-ES"), (DESKTOP, "en-GB")):
        someone = Someone(chromium, here, "Ann", **{**device, "locale": language})
        page = someone.page
        page.goto("/evening")
        radios = page.locator("input[name=screens]")
        radios.nth(0).focus()
        page.keyboard.press("ArrowDown")
        expect(radios.nth(1)).to_be_checked()
        page.locator("select[name=hands]").select_option("0")
        page.locator("select[name=clock]").select_option("30")
        page.locator("input[name=fill]").uncheck()
        well(page, f"the form, {language}")
        page.reload()
        expect(radios.nth(1)).to_be_checked()
        expect(page.locator("select[name=hands]")).to_have_value("0")
        expect(page.locator("select[name=clock]")).to_have_value("30")
        expect(page.locator("input[name=fill]")).not_to_be_checked()
        expect(page.locator("input[name=auto]")).to_be_checked()
        someone.away()


def test_a_knockout_that_is_decided_announces_no_more_rounds(
    invite: Invite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "PAUSE", 3 * PAUSE)
    host = invite("Host", **DESKTOP)
    code = on_screens(host.page, people=PEOPLE[:4], movement="Knockout", rounds=9)
    hall = host.window()
    hall.goto(f"/e/{code}/hall")
    begin(host.page, 1)
    expect(host.page.locator(".next-in")).to_contain_text("The evening ends in")
    expect(hall.get_by_role("heading", name="The evening ends in")).to_be_visible()
    expect(hall.locator(".hall-state")).to_have_text("All rounds have been played.")
    expect(host.page.get_by_role("button", name="Begin round 2")).to_have_count(0)
    well(hall, "a knockout is decided")
    expect(host.page.get_by_text("The evening is over.")).to_be_visible(timeout=MOVES)
