"""The code for a phone in the room: what a camera would read is the table's link."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect
from segno import make
from tests.server.http.served import Served, served, table_for, token_of
from tests.web.qr_reader import read

from rookery.server.api.links import qr_text

SHARP = 4  # points of the picture a pixel of the page
DARK = 128
EDGE = 8 * SHARP


def modules(picture: Image.Image) -> list[list[bool]]:
    """Return the modules of a picture of a code, its white edge left out."""
    grey = picture.convert("L")
    # The round corners belong to the page.
    grey = grey.crop((EDGE, EDGE, grey.width - EDGE, grey.height - EDGE))
    box = grey.point([255] * DARK + [0] * DARK).getbbox()
    assert box is not None
    left, top, right, bottom = box
    # A finder is seven modules wide, and its upper edge is dark from end to end.
    finder = next(at for at in range(right - left) if not _dark(grey, left + at, top + 2))
    size = round((right - left) / (finder / 7))
    step = (right - left) / size
    middle = [round((at + 0.5) * step) for at in range(size)]
    assert abs((bottom - top) - (right - left)) <= SHARP
    return [[_dark(grey, left + x, top + y) for x in middle] for y in middle]


def _dark(grey: Image.Image, x: int, y: int) -> bool:
    light = grey.getpixel((x, y))
    return isinstance(light, int) and light < DARK


def test_the_reader_reads_what_is_written() -> None:
    byte: dict[str, Any] = {"mode": "byte", "boost_error": False, "encoding": "utf-8"}
    for level, length in product("LMQH", (1, 20, 45)):
        text = ("http://rook.example/t/ÅBC" * 3)[:length]
        drawn = make(text, error=level, micro=False, **byte)
        written = [[bool(module) for module in row] for row in drawn.matrix]
        assert read(written) == text
        # The control: another module at the place of a letter's bit, another text.
        size = len(written)
        written[size - 3][size - 1] ^= True
        assert _or_nothing(written) != text


def _or_nothing(written: Sequence[Sequence[bool]]) -> str | None:
    try:
        return read(written)
    except ValueError:
        return None


@pytest.fixture(scope="module")
def public() -> Iterator[Served]:
    """A server that others reach by another address."""
    with served(public_url="http://rook.test") as running:
        yield running


def test_the_code_in_the_lobby_is_the_link_by_the_address_of_the_others(
    chromium: Browser, public: Served
) -> None:
    for scheme in ("light", "dark"):
        assert invitation(chromium, public, scheme).startswith("http://rook.test/t/"), scheme


def test_what_nobody_else_can_follow_is_no_invitation(chromium: Browser, here: Served) -> None:
    browser = here.browser("Ann")
    code = table_for(browser, rules="kd_tournament")
    context = chromium.new_context(base_url=here.url, service_workers="block")
    context.add_cookies([{"name": "rookery", "value": token_of(browser), "url": here.url}])
    page = context.new_page()
    page.goto(f"/t/{code}")
    invite = page.locator(".invite")
    expect(invite.get_by_text("rookery serve --lan")).to_be_visible()
    expect(invite.locator("img, button, .code")).to_have_count(0)
    expect(invite.locator(".link-text")).not_to_be_visible()
    invite.get_by_text("Another window on this computer").click()
    expect(invite.locator(".link-text")).to_have_text(f"{here.url}/t/{code}")
    context.close()


def test_house_rules_are_sent_by_the_address_of_the_others(
    chromium: Browser, public: Served
) -> None:
    context = chromium.new_context(base_url=public.url, service_workers="block")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto("/rules/edit")
    said = ""
    for _ in range(200):  # until the page has heard what links begin with
        page.get_by_role("button", name=re.compile("Copy a link|Copied")).click()
        expect(page.get_by_text("Copied")).to_be_visible()
        said = str(page.evaluate("() => navigator.clipboard.readText()"))
        if said.startswith("http://rook.test/rules/edit#"):
            break
    context.close()
    assert said.startswith("http://rook.test/rules/edit#")


def invitation(chromium: Browser, here: Served, scheme: str) -> str:
    """Return the link of a new table, which is a code and a text."""
    browser = here.browser("Ann")
    code = table_for(browser, rules="kd_tournament")
    context = chromium.new_context(
        base_url=here.url,
        color_scheme="dark" if scheme == "dark" else "light",
        device_scale_factor=SHARP,
        service_workers="block",
    )
    context.add_cookies([{"name": "rookery", "value": token_of(browser), "url": here.url}])
    page = context.new_page()
    page.goto(f"/t/{code}")
    picture = page.locator("img.qr")
    expect(picture).to_be_visible()
    page.wait_for_function("() => document.querySelector('img.qr').complete")
    seen = modules(Image.open(io.BytesIO(picture.screenshot())))
    link = read(seen)
    assert link.endswith(f"/t/{code}")
    expect(page.locator(".invite .link-text")).to_have_text(link)
    context.close()
    return link


def test_the_code_in_a_terminal_is_the_link() -> None:
    link = "http://192.168.178.40:8000/t/ABCDEF2"
    halves = {"█": (False, False), "▀": (False, True), "▄": (True, False), " ": (True, True)}
    rows: list[list[bool]] = []
    for line in re.sub(r"\x1b\[[\d;]*m", "", qr_text(link)).split("\n"):
        both = [halves[half] for half in line]
        rows += [[top for top, _ in both], [low for _, low in both]]
    # What is light all around is the quiet zone.
    dark = [at for at, row in enumerate(rows) if any(row)]
    wide = [at for at in range(len(rows[0])) if any(row[at] for row in rows)]
    seen = [row[wide[0] : wide[-1] + 1] for row in rows[dark[0] : dark[-1] + 1]]
    assert wide[0] >= 2
    assert read(seen) == link
