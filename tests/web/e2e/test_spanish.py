"""Every phase in Spanish, and pages of a match that is over: no English word is left.

All other pages are read in `tests/web/test_every_page.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from tests.server.http.served import Served
from tests.web.e2e.looks import Looked, visit
from tests.web.e2e.people import NARROW, Someone, boldest
from tests.web.e2e.spanish import Reader, Spaniard, pieces
from tests.web.e2e.test_beside import OF_A_MATCH
from tests.web.e2e.test_everybody import circus

DIALOGS = ["Rules", "More", "Last trick", "My discards", "Settings", "Score sheet", "Chat"]


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


@pytest.fixture
def ana(chromium: Browser, here: Served) -> Iterator[Spaniard]:
    came = Spaniard(chromium, here, "Ana", **NARROW)
    yield came
    came.away()


def read(ana: Spaniard, reader: Reader) -> Looked:
    """Return what reads screens, and keeps what is English on them."""
    return Looked(ana.page, ana.press, lambda page: reader.english(pieces(page)))


@pytest.mark.slow
def test_every_phase_is_spanish(ana: Spaniard, reader: Reader) -> None:
    look = read(ana, reader)
    client = ana.here.browser("Bea")
    made = client.post("/api/tables", json={"rules": "call_partner_4_short", "pace": "instant"})
    ana.page.goto(f"/t/{made.json()['code']}")
    expect(ana.page.locator("input[name=name]")).to_be_visible()
    look.at("name")
    ana.page.locator("input[name=name]").fill("Ana")
    ana.press("Watch")
    expect(ana.page.locator(".lobby")).to_be_visible()
    look.at("lobby")

    code = sits_left_of_the_dealer(ana, "call_partner_4_short")
    look.at("lobby of the host")
    ana.starts()
    while len(ana.table()["view"]["tricks"]) < 2:
        asked = ana.shown()
        look.at(asked["phase"])
        ana.act(asked)
    ana.shown()
    closed = ana.page.locator(".card-row.hand .card.closed").first
    if closed.count():
        ana.hit(closed, card=True)
        expect(ana.page.locator(".notice")).to_be_visible()
    ana.press("Hint")
    expect(ana.page.locator(".notes .hint")).to_be_visible()
    look.at("hint")
    for dialog in DIALOGS:
        look.at_dialog(dialog)
    ana.press("More")
    ana.page.locator("dialog select").first.select_option("brisk")
    ana.page.wait_for_function("() => told.table.pace === 'brisk'")
    ana.page.keyboard.press("Escape")
    ana.until("done", "over")
    look.at("done")
    look.at_dialog("Check the deal")
    assert ana.page.url.endswith(code)
    assert not look.wrong, look.wrong
    assert {"auction", "nest", "trump", "rook", "call", "play"} <= set(look.seen)


@pytest.mark.slow
def test_rare_phases_are_spanish(ana: Spaniard, reader: Reader) -> None:
    look = read(ana, reader)
    for rules, kind in (("circus", "give"), ("five_person_poker", "leader"), ("boston", "play")):
        sits_left_of_the_dealer(ana, rules)
        ana.starts()
        ana.until(kind, choose=circus if rules == "circus" else boldest)
        look.at(kind)
        ana.act(ana.shown())
        ana.shown(waiting=True)
        look.at(f"{rules} after")
    client = ana.here.browser("Ana")
    short = {"base": "kd_tournament", "target": 5}
    wanted = {"rules": short, "pace": "instant", "bots": ["papa"] * 3}
    code = client.post("/api/tables", json=wanted).json()["code"]
    ana.known(client)
    ana.page.goto(f"/t/{code}")
    ana.starts()
    ana.until("over")
    look.at("over")
    for path in [path.format(code=code) for path in OF_A_MATCH]:
        visit(ana.page, path)
        look.at(path)
    assert not look.wrong, look.wrong


def test_english_words_are_found(ana: Spaniard, reader: Reader, chromium: Browser) -> None:
    visit(ana.page, "/rules/boston")
    assert not reader.english(pieces(ana.page))
    # The control: the same page in English, and a Spanish one with one English label.
    ana.page.evaluate("document.querySelector('h1').setAttribute('aria-label', 'Score sheet')")
    assert reader.english(pieces(ana.page)) == ["Score sheet"]
    english = Someone(chromium, ana.here, "Eve")
    visit(english.page, "/rules/boston")
    assert len(reader.english(pieces(english.page))) > 10
    english.away()


def sits_left_of_the_dealer(ana: Spaniard, rules: str) -> str:
    """Make a table with bots, sit there, one seat down; return its code."""
    client = ana.here.browser("Ana")
    seats = client.get(f"/api/variants/{rules}").json()["seats"]
    wanted = {"rules": rules, "pace": "instant", "bots": ["club"] * (seats - 1)}
    code: str = client.post("/api/tables", json=wanted).json()["code"]
    ana.known(client)
    ana.page.goto(f"/t/{code}")
    ana.hit(ana.page.locator(".seat-row").first.locator(".icon-button").last)
    ana.page.wait_for_function("() => told.table.you === 1")
    return code
