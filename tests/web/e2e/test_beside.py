"""The pages beside the table are for everybody: a phone of 320 pixels, and a window at 200 %.

On narrow phones, those that do not hang on a match that is over are looked at in
`tests/web/test_every_page.py`, in light and dark colours.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.web.e2e.looks import faults, visit
from tests.web.e2e.people import Someone
from tests.web.e2e.real_evenings import real_evenings
from tests.web.e2e.test_everybody import DEVICES

from rookery.puzzles.shelf import shelf

Invite = Callable[..., Someone]
SHORT = {"base": "kd_tournament", "target": 5}
PAGES = [
    *("/learn", "/learn/first", "/learn/nonsense", "/record", "/odds"),
    *("/", "/new", "/new?rules=call_partner_5", "/new?rules=no", "/rules", "/rules/boston"),
    *("/rules/nonsense", "/stats", "/return/used", "/nothing/here"),
    *(f"/puzzles/{shelf()[0].id}", "/puzzles/nothing"),
    *("/group/{code}", "/group/2222222", "/mistakes", "/sheet", "/s/2222222"),
    *("/evening", "/e/2222222", "/e/2222222/t/1"),
    *("/e/2222222/hall", "/e/2222222/print"),
    *("/daily", "/daily/archive", "/daily/2020-01-01/four", "/daily/2020-01-01/four/replay"),
    *("/replay/{code}", "/replay/{code}/0?at=30", "/replay/{code}/0?at=12&seat=1"),
    *("/replay/{code}/99", "/replay/2222222/0"),
]
OF_A_MATCH = ["/", "/stats", "/mistakes", *(path for path in PAGES if "{code}" in path)]


def wrong_at(someone: Someone, path: str) -> list[str]:
    """Go on to a page, unfold it, and return what is wrong there."""
    visit(someone.page, path, within=True)
    return faults(someone.page)


@pytest.mark.slow
@pytest.mark.parametrize("device", [name for name in DEVICES if name != "narrow-light"])
def test_every_page_beside_the_table_is_for_everybody(invite: Invite, device: str) -> None:
    ann = invite("Ann", **DEVICES[device])
    code = ann.at_table(rules=SHORT, title="To the end", open=True)
    ann.skip_to("over")
    guest = ann.here.browser("Ann")
    narrow = device.startswith("narrow")
    paths = [path.format(code=code) for path in (OF_A_MATCH if narrow else PAGES)]
    found = {path: wrong_at(ann, path) for path in paths}
    if not narrow:
        ann.known(guest)
        found |= {path: wrong_at(ann, path) for path in real_evenings(ann.here, guest)}
    found["open lobby"] = lobby(ann)
    found["editor"] = editor(ann)
    assert not {path: wrong for path, wrong in found.items() if wrong}


def lobby(ann: Someone) -> list[str]:
    """Make a table by the form, and return what is wrong in its lobby."""
    # As a server that other devices reach would say.
    ann.page.route(
        "**/api/tables/*",
        lambda route: route.fulfill(json=route.fetch().json() | {"link": "http://rook.test/t/A"}),
    )
    ann.page.goto("/new?rules=dixie_6")
    ann.press("Create the table")
    ann.page.wait_for_url("**/t/*")
    expect(ann.page.locator("img.qr")).to_be_visible()
    return faults(ann.page)


def editor(ann: Someone) -> list[str]:
    """Open every group of the editor, once as it fits and once as it does not."""
    wrong = wrong_at(ann, "/rules/edit?base=circus")
    ann.page.locator("#option-seats").fill("5")
    expect(ann.page.locator("#option-partnership-problem")).to_be_visible()
    return [*wrong, *faults(ann.page)]


def test_a_page_that_is_too_wide_is_found(invite: Invite) -> None:
    ann: Any = invite("Ann", **DEVICES["enlarged-light"])
    ann.page.goto("/rules")
    ann.page.wait_for_selector("h1")
    ann.page.evaluate("document.querySelector('h1').style.width = '900px'")
    assert "scrolls sideways" in " ".join(faults(ann.page))
