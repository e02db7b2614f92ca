"""The documentation in a browser: every page for everybody, the menus by keys, search, versions."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.once import documentation
from tests.web.e2e.files import UNDER, Host, hosted
from tests.web.e2e.looks import arrive, faults
from tests.web.e2e.people import DESKTOP, NARROW

pytestmark = pytest.mark.slow
FEW = (
    "",
    "search/?q=nest",
    "reference/commands/",
    "reference/python/game/",
    "how-to/run-a-server/",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Host]]:
    folder = tmp_path_factory.mktemp("host")
    shutil.copytree(documentation(tmp_path_factory), folder / UNDER)
    with hosted(folder) as host:
        yield folder / UNDER, host


@contextlib.contextmanager
def opened(chromium: Browser, host: Host, **device: Any) -> Iterator[Page]:  # noqa: ANN401
    """Open a window on the documentation, in which nothing may fail or be missing."""
    context = chromium.new_context(base_url=host.url, locale="en-GB", **device)
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("response", lambda answer: wrong.append(answer.url) if answer.status > 399 else None)
    page.on("request", lambda one: None if host.origin in one.url else wrong.append(one.url))
    yield page
    context.close()
    assert wrong == []


def paths(site: Path) -> list[str]:
    """Return the address of every page."""
    folders = (path.parent.relative_to(site).as_posix() for path in site.rglob("index.html"))
    return sorted("" if one == "." else f"{one}/" for one in folders)


def test_every_page_is_for_everybody_on_a_narrow_phone(
    chromium: Browser, site: tuple[Path, Host]
) -> None:
    with opened(chromium, site[1], **NARROW) as page:
        wrong = {}
        every = paths(site[0])
        for path in every:
            page.goto(path)
            if found := faults(page):
                wrong[path] = found
        assert wrong == {}
        assert len(every) > 110
        # The control: what looks like nothing before is looked at, on a page that was seen, too.
        page.locator("h1").evaluate("(one) => { one.style.color = 'silver'; }")
        assert "color-contrast" in " ".join(faults(page))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_of_each_kind_are_for_everybody_on_a_desktop(
    chromium: Browser, site: tuple[Path, Host], scheme: str
) -> None:
    with opened(chromium, site[1], **DESKTOP, color_scheme=scheme) as page:
        for path in (*FEW, "reference/variants/kd_tournament/", "explanation/menagerie/"):
            arrive(page, path)
            assert faults(page) == [], path


def test_what_is_wrong_with_a_page_is_seen(chromium: Browser, site: tuple[Path, Host]) -> None:
    with opened(chromium, site[1], **NARROW) as page:
        page.goto("reference/commands/")
        page.evaluate(
            "() => { const main = document.querySelector('main');"
            " main.append(document.createElement('img'));"
            " main.insertAdjacentHTML('beforeend', '<p>x</p>');"
            " main.lastChild.style.width = '900px'; }"
        )
        found = " ".join(faults(page))
        assert "image-alt" in found
        assert "sideways" in found


def test_a_phone_has_the_menu_and_the_contents_by_keys(
    chromium: Browser, site: tuple[Path, Host]
) -> None:
    with opened(chromium, site[1], **NARROW) as page:
        page.goto("tutorials/first-bot/")
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("main")).to_be_focused()
        for name, box in (("Menu", "#menu"), ("On this page", "#contents")):
            expect(page.locator(box)).to_be_hidden()
            page.get_by_role("button", name=name).focus()
            page.keyboard.press("Enter")
            expect(page.locator(box)).to_be_visible()
            assert faults(page) == []
            page.keyboard.press("Escape")
            expect(page.locator(box)).to_be_hidden()
        page.get_by_role("button", name="Menu").press("Enter")
        current = page.locator("#menu [aria-current=page]")
        expect(current).to_have_text("Your first bot")
        page.locator("#menu summary", has_text="Reference").press("Enter")
        page.get_by_role("link", name="Variants", exact=True).press("Enter")
        page.wait_for_url("**/reference/variants/")
        expect(page.locator("#menu")).to_be_hidden()
        # What a link in the contents leads to is not behind the box.
        page.goto("tutorials/first-bot/")
        page.get_by_role("button", name="On this page").click()
        page.locator("#contents").get_by_role("link", name="Make it better").click()
        expect(page.locator("#contents")).to_be_hidden()
        expect(page.get_by_role("heading", name="Make it better")).to_be_in_viewport()


def test_a_desktop_has_both_beside_the_page(chromium: Browser, site: tuple[Path, Host]) -> None:
    with opened(chromium, site[1], viewport={"width": 1440, "height": 900}) as page:
        page.goto("reference/variants/circus/")
        for box in ("#menu", "#contents"):
            expect(page.locator(box)).to_be_visible()
        expect(page.get_by_role("button", name="Menu")).to_be_hidden()
        expect(page.locator("#menu [aria-current=page]")).to_have_text("Circus Rook")


def test_what_is_searched_for_is_found(chromium: Browser, site: tuple[Path, Host]) -> None:
    with opened(chromium, site[1], **NARROW) as page:
        page.goto("how-to/rank-bots/")
        page.get_by_label("Search the documentation").fill("Howell")
        page.keyboard.press("Enter")
        results = page.locator("#search-results li")
        expect(results.first).to_be_visible()
        assert "q=Howell" in page.url
        page.get_by_label("What to search for").fill("kd_tournament")
        page.get_by_role("button", name="Search", exact=True).click()
        expect(results.first).to_be_visible()
        assert faults(page) == []
        results.get_by_role("link").first.click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        page.goto("search/?q=xyzzyx")
        expect(page.locator("#search-results")).to_contain_text("did not match")


def test_another_version_is_one_link_away(
    chromium: Browser, site: tuple[Path, Host], tmp_path: Path
) -> None:
    [line] = json.loads((site[0] / "versions.json").read_text("utf-8"))
    old = line["version"]
    fewer = [one for one in line["pages"] if one != "reference/python/game"]
    known = [{"version": "99.0.0", "pages": fewer}, line]
    for name in (old, "99.0.0"):
        shutil.copytree(site[0], tmp_path / UNDER / name)
        (tmp_path / UNDER / name / "versions.json").write_text(json.dumps(known))
    with hosted(tmp_path) as host, opened(chromium, host, **NARROW) as page:
        page.goto(f"{old}/how-to/rank-bots/")
        expect(page.locator("#newer")).to_contain_text(f"This is about version {old}")
        assert faults(page) == []
        page.get_by_role("link", name="Read about 99.0.0.").click()
        page.wait_for_url(re.compile(r"/99\.0\.0/how-to/rank-bots/$"))
        page.get_by_role("button", name="Menu").click()
        page.locator("#versions summary").click()
        assert faults(page) == []
        page.locator("#versions").get_by_role("link", name=old).click()
        page.wait_for_url(f"**/{old}/how-to/rank-bots/")
        # A page that the other version lacks leads to its start.
        page.goto(f"{old}/reference/python/game/")
        page.get_by_role("link", name="Read about 99.0.0.").click()
        page.wait_for_url("**/99.0.0/")


def test_a_page_can_be_read_without_scripts(chromium: Browser, site: tuple[Path, Host]) -> None:
    with opened(chromium, site[1], **NARROW, java_script_enabled=False) as page:
        page.goto("tutorials/first-bot/")
        page.get_by_role("button", name="Menu").click()
        page.locator("#menu").get_by_role("link", name="Your first study").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Your first study"))
        page.get_by_role("link", name="This page as Markdown").click()
        page.wait_for_url("**/tutorials/first-study.md")
