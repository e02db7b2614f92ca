"""A table's code with an eighth letter, as of several databases, in a browser from link to seat."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect
from tests.server.http.served import Served, served, table_for
from tests.web.e2e.looks import faults
from tests.web.e2e.people import NARROW, Someone

from rookery.server.names import CODE_LENGTH
from rookery.server.store.base import OneDatabase

Invite = Callable[..., Someone]
PUBLIC = "http://rook.test"  # what is only here has no code to share
SHARED = """() => { navigator.share = async (what) => { window.shared = what; }; }"""


@pytest.fixture(scope="module")
def here(luck_of_a_module: None) -> Iterator[Served]:
    """A server whose new tables are in the database W, the widest letter."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(OneDatabase, "new_place", lambda self: "W")
        with served(public_url=PUBLIC) as running:
            yield running


def test_it_is_typed_shown_and_shared_whole_where_there_is_least_room(
    invite: Invite, here: Served
) -> None:
    code = table_for(here.browser("Ben"), title="Elm Street", open=True)
    assert len(code) == CODE_LENGTH + 1
    assert code.endswith("W")
    ann = invite("Ann", **NARROW)
    ann.page.add_init_script(f"({SHARED})()")
    ann.page.goto("/")
    expect(ann.page.get_by_text("Elm Street")).to_be_visible()
    assert not faults(ann.page)
    # Typed as people type, in small letters; and the link is a code too.
    for typed in (f" {code.lower()} ", f"{PUBLIC}/t/{code}"):
        ann.page.goto("/")
        ann.page.locator("#code").fill(typed)
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_url(f"**/t/{code}")
    ann.comes(code)
    shown = ann.page.locator(".code")
    expect(shown).to_have_text(code)
    box, width = shown.bounding_box(), ann.page.viewport_size
    assert box is not None
    assert width is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= width["width"]
    assert box["height"] < 60, "it is broken over two lines"
    picture = ann.page.locator("img.qr")
    assert picture.evaluate("one => one.naturalWidth > 0 && one.src").endswith(f"{code}/qr.svg")
    ann.page.get_by_role("button", name="Share", exact=True).click()
    shared = ann.page.evaluate("window.shared")
    assert shared["url"] == f"{PUBLIC}/t/{code}"
    assert not faults(ann.page)


def test_one_that_is_a_letter_too_long_is_none(invite: Invite, here: Served) -> None:
    code = table_for(here.browser("Ben"))
    ann = invite("Ann", **NARROW)
    ann.page.goto("/")
    ann.page.locator("#code").fill(f"{code}W")
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("main").get_by_role("alert")).to_be_visible()
    assert ann.page.url.rstrip("/") == here.url
