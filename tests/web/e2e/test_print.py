"""What an evening has on paper: chosen by boxes, printed to a PDF, and read there."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect
from tests.server.http.served import Served
from tests.web.e2e.looks import faults
from tests.web.e2e.paper import Pdf
from tests.web.e2e.people import NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.test_hall import Evening, people

BOXES = {
    "Seats, by table": "seats",
    "Seats, by name": "names",
    "A slip for each table": "slips",
    "An empty score form for each table": "forms",
    "Standings": "standings",
    "Results of all rounds": "rounds",
}
DASH, MINUS = "\u2013", "\u2212"
SIZES = {"A4": (596, 843), "Letter": (612, 792)}

MAY_BE_CUT = """() => {
  const [sheet] = [...document.styleSheets].filter((one) => one.href.includes("hall"));
  const rule = ".score-form, .score-form * { break-inside: auto !important; }";
  sheet.insertRule(`@media print { ${rule} }`, sheet.cssRules.length);
}"""


def public(route: Route) -> None:
    """Answer as a server that other devices reach, whose links are as long."""
    told = route.fetch().json()
    links = [
        one | {"link": re.sub(r"^http://[^/]+", "https://rook.example", one["link"])}
        for one in told["links"]
    ]
    route.fulfill(json={"links": links})


def at_desk(phones: Phones, evening: Evening, *, host: bool = True, **device: object) -> Page:
    """Open an evening's page to print, as its host by the link or as somebody else."""
    page = phones.page(**device)
    page.route("**/links", public)
    page.goto(f"/e/{evening.code}/print" + (f"#{evening.key}" if host else ""))
    expect(page.locator(".print-kinds")).to_be_visible()
    return page


def choose(page: Page, *kinds: str) -> None:
    """Tick these boxes alone, and wait until they are ready to be printed."""
    for box in BOXES.values():
        page.locator(f"input[name={box}]").set_checked(box in kinds)
    for kind in kinds:
        expect(page.locator(f".paper-{kind}")).to_be_visible()
    expect(page.get_by_role("button", name="Print")).to_be_enabled()


def printed(page: Page, size: str = "A4") -> Pdf:
    pdf = Pdf(page.pdf(format=size))
    assert set(pdf.sizes) == {SIZES[size]}
    return pdf


def sides(evening: Evening, table: dict[str, list[int]]) -> tuple[str, str]:
    """Return the two sides of a table as they are written."""
    names = [evening.told["evening"]["people"][who]["name"] for who in table["seats"]]
    return f"{names[0]} and {names[2]}", f"{names[1]} and {names[3]}"


def in_both(page: Page) -> list[Pdf]:
    """Print it on either size of paper, of which one is wider and the other one longer."""
    return [printed(page, size) for size in SIZES]


@pytest.mark.parametrize("long", [False, True], ids=["short", "long"])
def test_no_row_slip_or_form_is_cut_between_two_pages(
    phones: Phones, here: Served, long: bool
) -> None:
    evening = Evening(here, people(130, long=long), movement="redraw")
    evening.play(1)
    tables = evening.begin(2)
    told = evening.told["evening"]
    page = at_desk(phones, evening, color_scheme="dark")
    names = [one["name"] for one in told["people"]]
    colours = set()

    choose(page, "seats")
    rows = [f"{table['number']}{''.join(sides(evening, table))}" for table in tables]
    out = " and ".join(names[who] for who in told["round"]["byes"])
    for seats in in_both(page):
        assert all(seats.whole(row) for row in rows)
        assert len(seats.pages) == 2
        assert all("TableTeam1Team2" in text for text in seats.pages)  # the head is on each page
        assert seats.whole(f"Sitting out: {out}")
        colours |= seats.colours

    choose(page, "names")
    where = {who: str(table["number"]) for table in tables for who in table["seats"]}
    for by_name in in_both(page):
        found = [by_name.whole(f"{name}{where.get(i, 'sits out')}") for i, name in enumerate(names)]
        assert all(found)

    choose(page, "slips")
    for slips in in_both(page):
        assert long or len(slips.pages) == len(tables) // 8
        for table in tables:
            clockwise = f" {DASH} ".join(names[who] for who in table["seats"])
            one, other = (side.replace(" and ", "") for side in sides(evening, table))
            slip = f"Table {table['number']}Friday·Round 2TeamScore{one}{other}Write the score here"
            assert slips.whole(f"{slip}Clockwise: {clockwise}"), table
        colours |= slips.colours

    choose(page, "forms")
    for forms in in_both(page):
        for table in tables:
            head = f"Table {table['number']}Friday·Round 2HandWon the bidBid"
            hands = "".join(map(str, range(1, 9)))
            assert forms.whole(f"{head}{''.join(sides(evening, table))}{hands}Total"), table
        colours |= forms.colours
    assert colours <= {(grey, grey, grey) for grey in (0.0, 0.4667, 1.0)}

    # The control: forms that may be cut are.
    page.evaluate(MAY_BE_CUT)
    for cut in in_both(page):
        heads = [cut.whole(f"Table {n['number']}Friday·Round 2Hand") for n in tables]
        below = [cut.whole(f"{''.join(sides(evening, table))}12345678Total") for table in tables]
        assert not all((*heads, *below))


def test_all_rounds_and_who_has_won_are_on_paper(phones: Phones, here: Served) -> None:
    evening = Evening(here, people(12))
    for number in (1, 2):
        evening.play(number)
    evening.do(do="end", over=True)
    page = at_desk(phones, evening, host=False)
    choose(page, "standings", "rounds")
    pdf = printed(page)
    assert len(pdf.pages) == 2
    assert pdf.pages[0].startswith("ResultFriday·Round2PlaceName")
    assert pdf.pages[1].startswith("ResultsofallroundsFridayRound1Table")
    rows = evening.host.get(f"/api/evenings/{evening.code}/rounds/1").json()["tables"]
    for table in rows:
        one, other = sides(evening, table)
        first, second = (str(table["scores"][side]).replace("-", MINUS) for side in (0, 1))
        assert pdf.whole(f"{table['number']}{one}{first}{other}{second}"), table
    best = evening.told["evening"]["standings"][0]
    name = evening.told["evening"]["people"][best["person"]]["name"]
    assert pdf.whole(f"1{name}{best['games']}{best['wins'] // 2}{best['points']}")


def test_the_host_alone_prints_the_links_by_which_tables_score(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, people(8))
    evening.begin(1)
    page = at_desk(phones, evening)
    choose(page, "slips")
    expect(page.locator(".slip .qr")).to_have_count(2)
    links = evening.host.get(f"/api/evenings/{evening.code}/rounds/1/links").json()["links"]
    for one, slip in zip(links, page.locator(".slip").all(), strict=True):
        drawn = slip.locator(".qr path").last.get_attribute("d")
        assert drawn
        assert f'd="{drawn}"' in one["picture"]
    page.goto("about:blank")
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"/e/{evening.code}/print")  # the browser has kept the key
    choose(page, "slips")
    expect(page.locator(".slip .qr")).to_have_count(2)
    assert sum("/link" in url for url in asked) == 1  # for all tables

    other = at_desk(phones, evening, host=False)
    choose(other, "slips")
    expect(other.locator(".slip")).to_have_count(2)
    expect(other.locator(".slip .qr")).to_have_count(0)
    expect(other.get_by_text("Only the host's slips have a QR code")).to_be_visible()


def test_the_boxes_are_for_everybody_on_a_narrow_phone_and_in_spanish(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, people(20, long=True))
    page = at_desk(phones, evening, **NARROW | {"locale": "es-ES"})
    expect(page.get_by_text("cuando haya empezado una ronda")).to_be_visible()
    expect(page.get_by_label("Asientos, por mesa")).to_be_disabled()
    phones.look(page, "before")
    evening.play(1)
    page.reload()
    for box in BOXES.values():
        page.locator(f"input[name={box}]").check()
    expect(page.get_by_role("heading", name="Resultados de todas las rondas")).to_be_visible()
    expect(page.locator(".slip .qr")).to_have_count(5)
    assert not faults(page)
    page.goto("/e/2222222/print")
    expect(page.locator("main").get_by_role("alert")).to_contain_text("velada no existe")


def test_prepared_deals_and_called_partners_have_papers_of_their_own(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, people(16), movement="mitchell", boards=2)
    evening.play(1)
    [first, *_] = evening.begin(2)
    page = at_desk(phones, evening)
    choose(page, "slips", "forms", "standings")
    pdf = printed(page)
    one, other = sides(evening, first)
    deals = first["deals"]
    assert pdf.whole(f"Won the bidBid{one}{other}{deals[0]}{deals[1]}Total")
    assert pdf.whole(f"deals {deals[0]}{DASH}{deals[1]}")
    assert pdf.whole("PlaceNameDealsPointsPoints a dealPercent1")

    called = Evening(here, people(10), movement="redraw", rules=["call_partner_5"])
    [table, _] = called.begin(1)
    page = at_desk(phones, called)
    choose(page, "seats", "forms")
    names = [called.told["evening"]["people"][who]["name"] for who in table["seats"]]
    pdf = printed(page)
    assert pdf.whole(f"TablePlayers1{', '.join(names[:-1])}, and {names[-1]}")
    assert pdf.whole(f"Won the bidBid{''.join(names)}12345678Total")
