"""Every page beside the table on a narrow phone: for everybody, with words, in both languages."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, ViewportSize
from tests.server.http.served import Served
from tests.web.e2e.looks import faults, visit
from tests.web.e2e.people import NARROW, Someone
from tests.web.e2e.real_evenings import real_evenings
from tests.web.e2e.spanish import Reader, pieces
from tests.web.test_pages import played

import rookery
from rookery.puzzles.shelf import shelf

__all__ = ["played"]  # a fixture

STATIC = Path(rookery.__file__).parent / "web" / "static"
PHONE: ViewportSize = {"width": 320, "height": 640}
LOOKED_AT = [
    *("/", "/new", "/new?rules=call_partner_5", "/new?rules=no"),
    *("/rules", "/rules/boston", "/rules/red_1", "/rules/nonsense", "/fair", "/offline"),
    *("/fair?table={code}", "/admin"),
    *("/learn", "/learn/first", "/learn/nonsense"),
    *("/rules/edit?base=circus", "/stats", "/return/used", "/nothing/here"),
    *(f"/puzzles/{shelf()[0].id}", "/puzzles/nothing"),
    *("/group/{code}", "/group/2222222", "/mistakes", "/sheet", "/s/2222222"),
    *("/evening", "/e/2222222", "/e/2222222/t/1", "/record", "/odds"),
    *("/e/2222222/hall", "/e/2222222/print"),
    *("/daily", "/daily/archive", "/daily/2020-01-01/four", "/daily/2020-01-01/four/replay"),
    *("/replay/{code}", "/replay/{code}/0?at=30", "/replay/{code}/1?at=12&seat=1"),
    *("/replay/{code}/99", "/replay/2222222/0", "/review/2222222/0"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("locale", "scheme"), [("en-GB", "light"), ("es-MX", "dark")])
def test_every_page_is_for_everybody(
    chromium: Browser,
    here: Served,
    played: tuple[httpx.Client, str],
    locale: str,
    scheme: Literal["light", "dark"],
) -> None:
    browser, code = played
    small = NARROW if scheme == "dark" else {"viewport": PHONE}  # by touch, and by mouse
    ann = Someone(chromium, here, "Ann", locale=locale, color_scheme=scheme, **small)
    ann.known(browser)
    page = ann.page
    # A text without words shows its key; the catalogues say which beginnings there are.
    catalogues = (STATIC / "i18n").rglob("*.en.json")
    keys = [key for file in catalogues for key in json.loads(file.read_text("utf-8"))]
    prefixes = "|".join(sorted({key.split(".")[0] for key in keys} | {"shell", "lobby", "table"}))
    reader = Reader()
    paths = [*(path.format(code=code) for path in LOOKED_AT), *real_evenings(here, browser)]
    for n, path in enumerate(paths):
        # Each is opened once by its address, and once from the page before.
        visit(page, path, within=n > 0 and scheme == "dark")
        assert not (found := faults(page)), (path, found)
        shown = page.locator("body").inner_text()
        assert not re.search(rf"\b(?:{prefixes})\.[a-z_]+\b", shown), path
        english = reader.english(pieces(page)) if locale == "es-MX" else []
        assert not english, (path, english)
    # The control: the same look finds what is wrong.
    page.evaluate("document.querySelector('h1').insertAdjacentHTML('afterend', '<img src=x>')")
    page.evaluate("document.querySelector('h1').style = 'color: #999; background: #888'")
    wrong = {one.split(":")[0] for one in faults(page)}
    assert {"image-alt", "color-contrast"} <= wrong
    ann.away()
