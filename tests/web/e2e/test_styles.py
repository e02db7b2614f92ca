"""The table's style is loaded where there is one; elsewhere it changes nothing."""

from __future__ import annotations

from playwright.sync_api import Page
from tests.server.http.served import Served
from tests.web.e2e.looks import visit
from tests.web.e2e.people import DESKTOP, NARROW
from tests.web.e2e.phones import Phones
from tests.web.e2e.sizes import sized
from tests.web.e2e.test_hall import FIRST, Evening
from tests.web.e2e.test_sheet import new_sheet, write

# What each element looks like, and where it lies.
LOOKS = """() => {
  const look = () => [...document.querySelectorAll("body *")].map((one) => {
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    const names = ["color", "backgroundColor", "borderLeft", "fontSize", "display", "opacity"];
    const place = [box.left, box.top, box.width, box.height].map(Math.round);
    return [one.outerHTML.slice(0, 90), ...place, ...names.map((name) => style[name])].join(" ");
  });
  const links = [...document.querySelectorAll('link[href*="/css/table"]')];
  const found = [true, false].map((off) => {
    for (const link of links) link.sheet.disabled = off;
    return look();
  });
  for (const link of links) link.remove();
  return found[0].map((one, i) => [one, found[1][i]]);
}"""
ADD = """() => Promise.all(["table_small", "table"].map((name) => new Promise((done) => {
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href: `/static/css/${name}.css`, onload: done });
  document.querySelector('link[href$="/cards.css"]').after(link);
})))"""
SHEETS = """[...document.querySelectorAll('link[rel="stylesheet"]')]
  .map((one) => one.href.split("/").pop())"""
HAS = """document.querySelectorAll('link[href$="/table.css"]').length"""


def changed(page: Page) -> list[tuple[str, str]]:
    """Return what looks otherwise once the table's style is there too, before and after."""
    assert page.evaluate(HAS) == 0, page.url
    page.evaluate(ADD)
    looks = page.evaluate(LOOKS)
    assert len(looks) > 10, page.url
    return [(one, other) for one, other in looks if one != other]


def test_pages_look_the_same_with_and_without_the_tables_style(
    phones: Phones, here: Served
) -> None:
    evening = Evening(here, [*FIRST])
    evening.play(1)
    evening.begin(2)
    page = phones.page(**DESKTOP)
    page.goto(new_sheet(page, hands=5))
    write(page, "Ann", 95, "60+40-5")
    page.wait_for_selector(".ledger .total")
    sheet = page.url.partition("#")[0]
    at = f"/e/{evening.code}"
    key = f"#{evening.key}"
    paths = [
        *("/", "/new", "/rules", "/rules/kd_tournament", "/rules/call_partner_5", "/sheet", sheet),
        *("/evening", f"{at}{key}", f"{at}/hall", f"{at}/print{key}", f"{at}/t/1{key}"),
        *("/daily", "/stats", "/fair", "/offline", "/no/such/page", "/puzzles/no-such-puzzle"),
    ]
    wrong, with_table = {}, []
    for path in paths:
        visit(page, path)
        for device in sized(page, NARROW, DESKTOP):
            if page.evaluate(HAS):  # which may come late
                with_table.append(path)
            elif found := changed(page):
                wrong[path] = device, found[:3]
    assert not wrong
    assert {*with_table} <= {"/daily", "/puzzles/no-such-puzzle"}


def test_a_page_with_cards_has_the_tables_style_in_its_old_place(phones: Phones) -> None:
    page = phones.page(**NARROW)
    for path in ("/learn/first", "/puzzles"):
        visit(page, path)
        names = page.evaluate(SHEETS)
        assert names[:5] == ["base.css", "cards.css", "table.css", "table_small.css", "pages.css"]


def test_a_rule_that_leaks_is_found(phones: Phones) -> None:
    leaks = {"body": ".panel { border-left: 9px solid red; }", "content_type": "text/css"}
    for name in ("table", "table_small"):
        page = phones.page(**NARROW)
        visit(page, "/")
        page.route(f"**/css/{name}.css", lambda route: route.fulfill(**leaks))
        assert changed(page), name
