"""An evening for a projector: made by requests, then read as somebody ten metres away reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, Route, ViewportSize, expect
from tests.server.http.served import Served
from tests.web.e2e.looks import faults, later
from tests.web.e2e.phones import Phones

TURN = 12_000  # milliseconds that a page of the hall stays
LOOK = 5_000  # between two looks at the evening
SMALL, FULL, LARGE = (
    ViewportSize(width=width, height=width * 9 // 16) for width in (1280, 1920, 3840)
)
FIRST = ("Ann", "Bob", "Cy", "Dee", "Eve", "Finn", "Gus", "Hana", "Ivan", "Jo", "Kim", "Leo")
LONG = ("Bartholomew Featherstone", "María Guadalupe Ximénez", "Wolfeschlegelsteinhausen")
PUBLIC = "https://rook.example/e/ABCDEF2"
# What is seen, and does not lie in its place whole; a page that is not shown takes no part.
CUT_OFF = """() => {
  const boxes = [...document.querySelectorAll(".hall-page.shown")].map((one) => one.parentElement);
  const cut = (box) => [...box.querySelectorAll(".shown tr, .shown .who")].filter((one) => {
    const [inner, outer] = [one.getBoundingClientRect(), box.getBoundingClientRect()];
    return inner.bottom > outer.bottom + 1 || inner.right > outer.right + 1
      || one.scrollWidth > one.clientWidth + 1;
  });
  const page = document.documentElement;
  const scrolls = page.scrollHeight > innerHeight || page.scrollWidth > innerWidth;
  return [...boxes.flatMap(cut).map((one) => one.innerText), ...(scrolls ? ["scrolls"] : [])];
}"""
# Who sits at which table, as the list by name has it.
PLACES = """() => [...document.querySelectorAll(".shown .people tbody tr")]
  .map((row) => [...row.children].map((cell) => cell.innerText))"""
# The name that is written smallest, as a share of the height of the screen.
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".shown .who")]
  .map((one) => parseFloat(getComputedStyle(one).fontSize))) / innerHeight"""


class Evening:
    """An evening whose host works by requests."""

    def __init__(self, here: Served, people: list[str], **more: object) -> None:
        self.host: httpx.Client = here.browser("Host")
        wanted = {"name": "Friday", "movement": "individual", "people": people, **more}
        self.told: dict[str, Any] = self.host.post("/api/evenings", json=wanted).json()
        self.code, self.key = self.told["code"], self.told["key"]
        self._ids = count()

    def do(self, **change: object) -> dict[str, Any]:
        """Have something happen; return the evening with it."""
        body = {"id": f"{self.code}-{next(self._ids):012d}", "change": change}
        answer = self.host.post(f"/api/evenings/{self.code}/changes", json=body)
        answer.raise_for_status()
        self.told = answer.json()
        return dict(self.told["evening"])

    def begin(self, number: int) -> list[dict[str, Any]]:
        """Begin a round; return its tables."""
        return list(self.do(do="round", round=number)["round"]["tables"])

    def score(self, table: int, one: int, other: int) -> None:
        """Have a table's two sides score so much in the last round."""
        told = self.told["evening"]
        round_ = told["round"]
        [deals] = [at["deals"] for at in round_["tables"] if at["number"] == table]
        row = [one, other, one, other]
        number = round_["number"]
        rows = [row] * max(1, len(deals))
        self.do(do="score", round=number, table=table, rows=rows, over=0)

    def play(self, number: int) -> None:
        """Play a round, in which the first sides win, those of the first tables most."""
        for table in self.begin(number):
            self.score(table["number"], 200 - table["number"], table["number"] - 20)


def people(number: int, *, long: bool = False) -> list[str]:
    """Return so many different names, every third of them as long as a name can be."""
    names = [f"{FIRST[i % 12]} {i // 12 + 1}" if i > 11 else FIRST[i] for i in range(number)]
    for i in range(0, number if long else 0, 3):
        names[i] = f"{LONG[i // 3 % 3][:21]}{i}"
    return names


def public(route: Route) -> None:
    """Answer as a server that other devices reach."""
    route.fulfill(json=route.fetch().json() | {"link": PUBLIC})


def in_hall(phones: Phones, evening: Evening, size: ViewportSize = SMALL, **more: object) -> Page:
    """Open an evening's hall on a screen whose clock is the test's."""
    page = phones.page(viewport=size, **more)
    page.route("**/link*", public)
    page.clock.install()
    page.goto(f"/e/{evening.code}/hall")
    expect(page.locator(".hall-page.shown").first).to_be_visible()
    expect(page.locator(".qr")).to_be_visible()
    return page


def read(page: Page) -> str:
    """Return what somebody reads on the pages whose turn it is."""
    return "\n".join(page.locator(".hall-page.shown").all_inner_texts())


def turned(page: Page) -> Iterator[str]:
    """Yield what the first place of the hall shows, page after page, until they begin again."""
    pages = page.locator(".hall-turning").first.locator("> .hall-page")
    for i in range(pages.count()):
        expect(pages.nth(i)).to_have_class(re.compile("shown"))
        yield pages.nth(i).inner_text()
        page.clock.run_for(TURN)
    expect(pages.first).to_have_class(re.compile("shown"))


def test_a_round_is_read_from_a_projector_until_somebody_has_won(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, people(9))
    page = in_hall(phones, evening)
    expect(page.get_by_role("heading", name="Friday")).to_be_visible()
    expect(page.locator(".hall-state")).to_have_text("The first round begins soon.")
    assert all(name in read(page) for name in people(9))
    phones.look(page, "before")

    tables = evening.begin(1)
    page.clock.run_for(LOOK)
    expect(page.locator(".hall-state")).to_have_text("Round 1")
    expect(page.locator("#polite")).to_have_text("Round 1")
    names = {one["number"]: one["name"] for one in evening.told["evening"]["people"]}
    for table, row in zip(tables, page.locator(".shown .seats tbody tr").all(), strict=True):
        expect(row.get_by_role("rowheader")).to_have_text(str(table["number"]))
        first, second, third, fourth = (names[who] for who in table["seats"])
        cells = [re.split(r"\s+", cell.inner_text()) for cell in row.get_by_role("cell").all()]
        assert cells == [[first, third], [second, fourth]]
    [bye] = evening.told["evening"]["round"]["byes"]
    expect(page.get_by_text(f"Sits out: {names[bye]}")).to_be_visible()
    expect(page.locator(".hall-missing")).to_contain_text("1, 2")
    assert not page.evaluate(CUT_OFF)
    phones.look(page, "a round")

    evening.score(1, 120, 60)
    page.clock.run_for(LOOK)
    expect(page.locator(".hall-missing .numbers")).to_have_text("2")
    ahead = page.locator(".shown .standings tbody tr")
    expect(ahead).to_have_count(4)
    expect(ahead.first).to_contain_text("120")
    evening.score(2, 100, 80)
    page.clock.run_for(LOOK)
    state = page.locator(".hall-state")
    expect(state).to_have_text("Round 1 is over. Round 2 begins soon.")
    expect(page.locator(".hall-missing")).to_have_count(0)
    phones.look(page, "between")

    evening.do(do="end", over=True)
    page.clock.run_for(LOOK)
    winners = page.locator(".hall-winners")
    expect(winners).to_contain_text("Winners")
    for who in (tables[0]["seats"][0], tables[0]["seats"][2]):
        expect(winners).to_contain_text(names[who])
    phones.look(page, "over")


def seconds_left(page: Page) -> int:
    """Return what the clock of the hall shows, in seconds."""
    minutes, seconds = re.findall(r"\d+", page.get_by_role("timer").inner_text())
    return int(minutes) * 60 + int(seconds)


def test_the_time_left_is_that_of_the_server_and_runs_by_itself(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, people(8))
    evening.begin(1)
    ends = evening.do(do="clock", minutes=20)["ends"]
    page = phones.page(viewport=SMALL)
    # A projector's clock may be an hour off; the answer says what time it is.
    page.clock.install(time=ends / 1000 + 3600)
    page.goto(f"/e/{evening.code}/hall")
    expect(page.get_by_role("timer")).to_be_visible()
    later(page, 1_000)
    page.route("**/api/evenings/*", lambda route: route.abort())
    before = seconds_left(page)
    assert 900 < before <= 1200
    page.clock.run_for(61_000)
    assert seconds_left(page) == before - 61
    expect(page.get_by_text("No connection")).to_be_visible()
    page.clock.run_for((before - 62) * 1000)
    assert seconds_left(page) == 1
    page.clock.run_for(1_000)
    expect(page.get_by_role("timer")).to_have_text("Time")
    page.clock.run_for(60_000)
    expect(page.get_by_role("timer")).to_have_text("Time")


def test_an_evening_that_has_not_changed_is_not_sent_again(phones: Phones, here: Served) -> None:
    evening = Evening(here, people(8))
    page = in_hall(phones, evening)
    statuses: list[int] = []
    page.on("response", lambda one: statuses.append(one.status))
    with page.expect_response("**/api/evenings/*") as unchanged:
        page.clock.run_for(LOOK)
    assert unchanged.value.status == 304
    evening.begin(1)
    with page.expect_response("**/api/evenings/*") as changed:
        page.clock.run_for(LOOK)
    assert changed.value.status == 200
    expect(page.locator(".hall-state")).to_contain_text("Round 1")


@pytest.mark.parametrize("size", [SMALL, FULL, LARGE], ids=["small", "full", "large"])
@pytest.mark.parametrize(("number", "long"), [(8, False), (40, True), (200, True)])
def test_everybody_finds_their_table_in_their_turn_and_nothing_is_cut_off(
    phones: Phones, here: Served, number: int, long: bool, size: ViewportSize
) -> None:
    evening = Evening(here, people(number, long=long), movement="redraw")
    evening.begin(1)
    page = in_hall(phones, evening, size, color_scheme="dark" if size == FULL else "light")
    seen, cut, smallest = [], [], 1.0
    places: dict[str, str] = {}
    for text in turned(page):
        seen.append(text)
        places |= dict(page.evaluate(PLACES))
        cut += page.evaluate(CUT_OFF)
        smallest = min(smallest, page.evaluate(SMALLEST))
    assert not cut
    assert smallest > 0.022
    told = evening.told["evening"]
    all_of_it = "\n".join(seen)
    for one in told["people"]:
        assert all_of_it.count(one["name"]) >= (1 if number <= 40 else 2), one
    if number == 200:
        assert places == {
            told["people"][who]["name"]: str(table["number"])
            for table in told["round"]["tables"]
            for who in table["seats"]
        }
    # The control: a name that grows and is not cut anew is found.
    who = page.locator(".shown .who").first
    who.evaluate("(one) => { one.style.whiteSpace = 'nowrap'; one.style.fontSize = '9em'; }")
    assert page.evaluate(CUT_OFF)


def test_a_hall_is_for_everybody_at_any_width_and_in_spanish(phones: Phones, here: Served) -> None:
    evening = Evening(here, people(40, long=True))
    evening.play(1)
    evening.begin(2)
    page = in_hall(phones, evening, locale="es-ES")
    expect(page.locator(".hall-state")).to_have_text("Ronda 2")
    expect(page.get_by_role("heading", name=re.compile("^Mesas 1 a"))).to_be_visible()
    expect(page.get_by_role("heading", name="En tu teléfono")).to_be_visible()
    phones.look(page, "spanish")
    for width in (320, 390, 1000):
        page.set_viewport_size({"width": width, "height": 640})
        expect(page.locator(".shown .seats").first).to_be_visible()
        assert not faults(page), width
    page.emulate_media(reduced_motion="no-preference")
    moves = page.locator(".hall-page").last.evaluate(
        "(one) => getComputedStyle(one).transitionProperty"
    )
    assert moves == "opacity"
    page.goto("/e/2222222/hall")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("velada no existe")


def test_prepared_deals_and_fixed_pairs_have_places_of_their_own(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, people(16), movement="mitchell", boards=2)
    evening.play(1)
    evening.begin(2)
    page = in_hall(phones, evening)
    expect(page.locator(".shown .seats")).to_contain_text("deals")
    expect(page.locator(".shown .standings")).to_contain_text(" and ")
    heads = page.get_by_role("heading", name=re.compile("^Standings, Team"))
    assert len(set(heads.all_inner_texts())) == 2


def test_the_bar_of_other_pages_covers_nothing_of_the_hall(phones: Phones) -> None:
    evening = Evening(phones.here, people(40, long=True))
    evening.begin(1)
    for size in (SMALL, FULL):
        page = phones.page(viewport=size)
        page.goto(f"/e/{evening.code}/hall")
        expect(page.get_by_role("heading", name="Friday")).to_be_visible()
        page.mouse.move(size["width"] / 2, 10)
        bar, head = page.locator(".top"), page.locator(".hall-head")
        expect(bar).to_have_css("opacity", "1")
        under, over = head.bounding_box(), bar.bounding_box()
        assert under is not None
        assert over is not None
        assert under["y"] >= over["y"] + over["height"]
        later(page, 500)
        assert page.evaluate(CUT_OFF) == []
