"""The pages beside the table, in a real browser: from the first click to the replay of a hand."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from tests.server.http.served import Served, first_legal, line, table_for, token_of
from tests.web.choosing import choose_bot
from tests.web.e2e.looks import DRAWN

import rookery
from rookery import record
from rookery.rules import load, sections

PACKAGE = Path(rookery.__file__).parent
VARIANTS = sorted((PACKAGE / "rules" / "catalog").glob("*.toml"))
PHONE: ViewportSize = {"width": 320, "height": 640}


@pytest.fixture
def context(chromium: Browser, here: Served) -> Iterator[BrowserContext]:
    opened = chromium.new_context(
        base_url=here.url, locale="en-GB", service_workers="block", accept_downloads=True
    )
    opened.set_default_timeout(60_000)
    yield opened
    opened.close()


async def play(here: Served, browser: httpx.Client, code: str, hands: int) -> None:
    """Begin the match and play legally until so many hands are finished."""
    async with line(here, browser, code) as one:
        await one.do(type="start")
        asked = -1
        while len(one.table.get("hands", [])) < hands:
            table = one.table
            view = table["view"]
            if view is None:
                await one.hear()
            elif view["phase"] in ("done", "redealt") and asked != table["hand_number"]:
                asked = table["hand_number"]
                await one.say(type="next", id=f"next-{asked}")
            elif view["legal"] and view["to_act"] == table["you"]:
                seq = table["seq"]
                assert (await one.do(type="act", action=first_legal(view), seen=seq))[
                    "type"
                ] == "ack"
                while one.table["seq"] <= seq:
                    await one.hear()
            else:
                await one.hear_type("update")


@pytest.fixture(scope="module")
def played(here: Served) -> tuple[httpx.Client, str]:
    """Somebody who has played two hands, and the code of the table."""
    browser = here.browser("Ann")
    code = table_for(browser, rules="kd_tournament", bots=["papa", "hog", "papa"], title="Friday")
    # Playwright keeps an event loop in this thread.
    failed: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(play(here, browser, code, 2))
        except BaseException as error:  # told in the test's own thread
            failed.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return browser, code


def come_as(context: BrowserContext, here: Served, browser: httpx.Client) -> None:
    """Give a browser window the cookie of somebody."""
    context.add_cookies([{"name": "rookery", "value": token_of(browser), "url": here.url}])


def edited(page: Page) -> dict[str, Any]:
    """Return the rules that the editor's page would give as a file."""
    with page.expect_download() as told:
        page.get_by_role("button", name="Save as a file").click()
    return dict(json.loads(Path(told.value.path()).read_text("utf-8")))


def test_one_click_and_a_match_against_bots_is_on(page: Page, here: Served) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now against bots").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_role("group", name="Your hand")).to_be_visible()
    table = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()
    best = next(bot["id"] for bot in page.request.get("/api/bots").json() if bot["default"])
    assert table["phase"] == "playing"
    assert [seat["bot"] for seat in table["seats"]] == [None, best, best, best]
    assert table["you"] == 0


def test_a_session_that_has_ended_stops_nobody(page: Page, context: BrowserContext) -> None:
    page.goto("/")
    page.get_by_label("Your name").fill("Eve")
    page.get_by_role("button", name="Play with friends").click()
    expect(page.get_by_role("button", name="Create the table")).to_be_visible()
    context.clear_cookies()
    page.get_by_role("button", name="Create the table").click()
    page.wait_for_url("**/t/*")
    assert page.request.get("/api/session").json()["name"] == "Eve"


def test_an_unknown_code_is_told_at_the_field_and_a_link_is_as_good_as_a_code(
    page: Page, here: Served
) -> None:
    code = table_for(here.browser("Ben"), rules="boston")
    page.goto("/")
    field = page.get_by_label("Table code or link")
    field.fill("2222222")
    page.get_by_role("button", name="Join").click()
    expect(page.locator("main").get_by_role("alert")).to_contain_text("This table doesn't exist")
    field.fill(f"{here.url}/t/{code.lower()}?x=1")
    page.get_by_role("button", name="Join").click()
    page.wait_for_url(f"**/t/{code}")


def test_a_stranger_with_a_link_sees_whose_table_it_is_or_that_there_is_none(
    page: Page, here: Served
) -> None:
    code = table_for(here.browser("Ben"), rules="boston", title="Sunday")
    page.goto(f"/t/{code}")
    main = page.locator("main")
    expect(main).to_contain_text("Sunday")
    expect(main).to_contain_text("At the table: Ben")
    expect(page.get_by_label("Your name at the table")).to_be_visible()
    page.goto("/t/2222222")
    expect(main.get_by_role("alert")).to_contain_text("This table doesn't exist")
    expect(page.get_by_label("Your name at the table")).to_have_count(0)
    page.get_by_role("link", name="Home").last.click()
    expect(page.get_by_role("heading", name="Play Rook")).to_be_visible()


def test_a_table_is_made_from_the_catalogue(page: Page, here: Served) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/new")
    expect(page.get_by_text("38 games")).to_be_visible()
    page.get_by_label("Players").select_option("6")
    page.get_by_label("Search").fill("dixie")
    expect(page.get_by_text("1 game", exact=True)).to_be_visible()
    page.get_by_role("link", name="Dixie for six").click()
    expect(page.get_by_text(load("dixie_6").reconstructed or "")).to_be_visible()
    page.get_by_text("The rules in words").click()
    expect(page.get_by_text(sections(load("dixie_6"))["Bidding"])).to_be_visible()
    page.get_by_label("Your name").fill("Cy")
    page.get_by_label("Public: anyone can join").check()
    page.get_by_label("Bots").select_option("4")
    choose_bot(page, "How bots play", "Papa")
    page.get_by_label("Pace").select_option("calm")
    page.get_by_label("Time per turn").select_option("60")
    page.get_by_label("Table name").fill("Six of us")
    page.get_by_role("button", name="Create the table").click()
    page.wait_for_url("**/t/*")
    table = page.request.get(f"/api/tables/{page.url.rsplit('/', 1)[1]}").json()
    told = (table["rules_id"], table["title"], table["open"], table["pace"], table["clock"])
    assert told == ("dixie_6", "Six of us", True, "calm", 60)
    assert [seat["bot"] for seat in table["seats"]] == [None, *["papa"] * 4, None]


def test_the_editor_tells_what_does_not_fit_and_keeps_only_what_differs(
    page: Page, tmp_path: Path
) -> None:
    page.goto("/rules/edit?base=kd_tournament")
    page.locator("#option-seats").fill("5")
    said = page.locator("#option-partnership-problem")
    expect(said).to_contain_text("5 players cannot sit in pairs")
    expect(page.get_by_role("button", name="Create a table with these rules")).to_be_disabled()
    page.locator("#option-seats").fill("4")
    expect(said).to_have_count(0)
    page.get_by_label("Find an option").fill("nest")
    page.locator("#option-nest_size").fill("7")
    verdict = page.locator("[aria-labelledby=verdict-title]")
    expect(verdict).to_contain_text("“Cards in the nest” = 5 would fit")
    page.locator("#option-nest_size").fill("5")
    expect(verdict).to_contain_text("fit together")
    page.get_by_label("Find an option").fill("")
    for group in ("Scoring", "Nest", "Cards"):
        page.locator("summary", has_text=re.compile(f"^{group}")).click()
    page.locator("#option-sweep_value").select_option("replace")
    page.get_by_label("A sweep scores: Instead of the points").fill("200")
    page.locator("#option-discard_ban").get_by_label("The Rook").check()
    page.get_by_label("Name of these rules").fill("Grandma's")
    expect(page.locator("[aria-labelledby=verdict-title]")).to_contain_text("fit together")
    expect(page.locator(".stale")).to_have_count(0)
    rules = edited(page)
    assert rules == {
        "base": "kd_tournament",
        "name": "Grandma's",
        "sweep_value": {"replace": 200},
        "discard_ban": ["rook"],
    }
    file = tmp_path / "rules.json"
    file.write_text(json.dumps(rules), "utf-8")
    undo = page.get_by_role("button", name="Undo this change: Not allowed in the new nest")
    undo.click()
    expect(undo).to_have_count(0)
    assert "discard_ban" not in edited(page)
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("rules.json has been opened.")).to_be_visible()
    assert edited(page) == rules
    assert load(file).discard_ban == ("rook",)


def test_house_rules_travel_by_link_and_come_to_a_table(
    page: Page, context: BrowserContext, here: Served
) -> None:
    page.goto("/rules/edit?base=circus")
    page.get_by_label("Name of these rules").fill("Zirkus ♥ 300")
    page.get_by_label("Find an option").fill("bananas")
    expect(page.get_by_text("No option has these words.")).to_be_visible()
    page.get_by_label("Find an option").fill("Rook low")  # a word of its values
    expect(page.locator("#option-rook_rank")).to_be_visible()
    page.get_by_label("Find an option").fill("target")
    page.get_by_label("Target", exact=True).fill("310")
    page.wait_for_function(ADDRESS_SAYS, arg='"target":310')
    page.get_by_role("button", name="Save in this browser").click()
    link = page.url
    friend = context.new_page()
    friend.goto(link)
    expect(friend.get_by_label("Name of these rules")).to_have_value("Zirkus ♥ 300")
    friend.get_by_role("button", name="Create a table with these rules").click()
    expect(friend.locator(".catalogue")).to_have_count(0)  # nothing is left to choose
    friend.get_by_label("Your name").fill("Dee")
    friend.get_by_role("button", name="Create the table").click()
    friend.wait_for_url("**/t/*")
    table = friend.request.get(f"/api/tables/{friend.url.rsplit('/', 1)[1]}").json()
    assert (table["rules_name"], table["rules"]["options"]["target"]) == ("Zirkus ♥ 300", 310)
    assert table["rules"]["options"]["trump_calls"] == list(load("circus").trump_calls)
    friend.goto("/new")
    friend.get_by_role("link", name="Zirkus ♥ 300").click()
    expect(friend.get_by_role("heading", name="Zirkus ♥ 300")).to_be_visible()
    friend.goto(f"{link[:-9]}")
    expect(friend.get_by_text("can't be read")).to_be_visible()


def test_a_house_rule_file_is_read_as_the_laboratory_reads_it(page: Page, tmp_path: Path) -> None:
    page.goto("/rules")
    read = """async ([text, name]) => {
      const { read } = await import("/static/pages/rules/house_rules.js");
      return read(text, name).catch((error) => [error.key, error.values.problem]);
    }"""
    for path in VARIANTS:
        text = path.read_text("utf-8")
        assert page.evaluate(read, [text, path.name]) == tomllib.loads(text), path.name
    assert page.evaluate(read, ['\ufeff {"seats": 5}', "five"]) == {"seats": 5}
    broken = tmp_path / "ours.toml"
    broken.write_text("target = 500\nseats = ", "utf-8")
    key, problem = page.evaluate(read, [broken.read_text("utf-8"), broken.name])
    assert key == "house.unreadable"
    page.goto("/rules/edit")
    page.locator("input[type=file]").set_input_files(broken)
    expect(page.get_by_text(f"Can't read this file: {problem}.")).to_be_visible()


def test_a_hand_is_replayed_by_keys_from_any_seat_and_by_link(
    page: Page, context: BrowserContext, here: Served, played: tuple[httpx.Client, str]
) -> None:
    browser, code = played
    hand = browser.get(f"/api/replay/{code}/0").json()
    actions = hand["actions"]
    cards = sum(1 for action in actions if " play " in action)
    page.goto(f"/replay/{code}")
    page.get_by_role("link", name="Match 1, hand 1").click()
    slider = page.get_by_role("slider", name="Step")
    expect(slider).to_have_value("0")
    faces = page.locator(".replay-cards .face:not(.back)")
    expect(faces).to_have_count(41)
    page.evaluate(DRAWN)  # by then it listens to keys
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("1")
    page.keyboard.press("End")
    expect(slider).to_have_value(str(len(actions)))
    expect(page.locator("main").get_by_text("takes the trick")).to_be_visible()
    page.keyboard.press("ArrowUp")
    expect(slider).to_have_value(str(len(actions) - 4))
    expect(page.locator(".replay-trick li")).to_have_count(4)
    page.get_by_role("button", name="Trick 1", exact=True).click()
    expect(slider).to_have_value(str(len(actions) - cards + 4))
    page.get_by_role("button", name="Previous step").click()
    expect(page.locator(".replay-trick li")).to_have_count(3)
    page.get_by_label("Show").select_option("0")
    expect(page.locator(".replay-place").first.locator(".back")).to_have_count(0)
    own = hand["steps"][len(actions) - cards + 3]["cards"][0]
    seen = faces if hand["declarer"] == 0 else page.locator(".replay-place .face:not(.back)")
    expect(seen).to_have_count(len(own) + (5 if hand["declarer"] == 0 else 0))
    page.wait_for_url("**seat=0")
    friend = context.new_page()
    friend.goto(page.url)
    expect(friend.get_by_role("slider")).to_have_value(str(len(actions) - cards + 3))
    expect(friend.get_by_label("Show")).to_have_value("0")
    with page.expect_download() as told:
        page.get_by_role("link", name="Download the record").click()
    kept = record.loads(Path(told.value.path()).read_text("utf-8"))
    assert list(kept.hands[0].actions) == actions


def test_a_return_link_works_once_and_says_so_afterwards(
    page: Page, context: BrowserContext, here: Served, played: tuple[httpx.Client, str]
) -> None:
    browser, _ = played
    link = browser.post("/api/session/return").json()["link"]
    page.goto(link)
    page.get_by_role("button", name="That's me").click()
    expect(page.get_by_text("Hello again, Ann.")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("Friday"))).to_be_visible()
    context.clear_cookies()
    page.goto(link)
    page.get_by_role("button", name="That's me").click()
    expect(page.locator("main").get_by_role("alert")).to_contain_text("has been used")
    expect(page.get_by_text("Create a new one")).to_be_visible()


# Whether the address has something of the rules.
ADDRESS_SAYS = """(text) => {
  const packed = location.hash.slice(3).replace(/-/g, "+").replace(/_/g, "/");
  return atob(packed).includes(text);
}"""
# A browser that refuses more than a hundred changes of the address in half a minute.
STRICT = """{
  const times = [], real = history.replaceState;
  history.replaceState = (...all) => {
    const now = performance.now();
    const isMany = times.push(now) > 100 && times.at(-101) > now - 30_000;
    if (isMany) throw new DOMException("", "SecurityError");
    real.apply(history, all);
  };
}"""


def test_a_replay_is_gone_through_quickly_where_the_address_may_not_change_so_often(
    page: Page, played: tuple[httpx.Client, str]
) -> None:
    page.add_init_script(STRICT)
    page.goto(f"/replay/{played[1]}/0")
    expect(page.get_by_role("slider")).to_have_value("0")
    for way in ["ArrowRight", "ArrowLeft"] * 55 + ["ArrowRight"] * 7:
        page.keyboard.press(way)
        page.evaluate(DRAWN)
    expect(page.get_by_role("slider")).to_have_value("7")
    expect(page).to_have_url(re.compile(r"[?&]at=7$"))


def test_what_was_played_is_counted(
    page: Page, context: BrowserContext, here: Served, played: tuple[httpx.Client, str]
) -> None:
    page.goto("/stats")
    expect(page.get_by_text("Your statistics start")).to_be_visible()
    come_as(context, here, played[0])
    page.reload()
    figures = page.get_by_role("region", name="Hands").locator("dd").first
    expect(figures).to_have_text("2")
    expect(page.get_by_role("row", name="Kentucky Discard, Tournament rules 2")).to_be_visible()
