"""What Chromium holds of a person who has set everything, by pressing what the pages offer."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright
from tests.kept.served import Server
from tests.web.e2e.test_sheet import write

from rookery.puzzles.shelf import shelf

CHOSEN = {
    "Colours": "Dark",
    "Confirm a card or bid": "Always",
    "A finished trick stays": "Until I tap",
}
SWITCHED = (
    "Animation",
    "Sound",
    "Play a card by itself when it is the only one allowed",
    "Single-letter keyboard shortcuts",
    "Hide table talk",
)
KINDS = {"e": "evening", "s": "sheet"}  # by the first letter of a path
PUZZLE = shelf()[0].id
MISTAKES = "() => Object.keys(localStorage).some((key) => key.startsWith('rookery.mistakes.'))"
DATABASES = "async () => (await indexedDB.databases()).map((one) => one.name)"


def packed(rules: dict[str, Any]) -> str:
    """Return rules as a link carries them."""
    text = json.dumps(rules, ensure_ascii=False, separators=(",", ":")).encode()
    return "r=" + base64.urlsafe_b64encode(text).decode().rstrip("=")


def everything(server: Server, token: str, six: dict[str, Any], folder: Path) -> None:
    """Set everything that can be set, keep house rules, and write down what the browser holds."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(
            base_url=server.url,
            locale="en-GB",
            viewport={"width": 1280, "height": 900},
            accept_downloads=True,
        )
        context.add_cookies([{"name": "rookery", "value": token, "url": server.url}])
        page = context.new_page()
        _bot(page)
        _house_rules(page, six, folder)
        _settings(page)
        assert page.evaluate(DATABASES) == []
        held = context.storage_state(indexed_db=True)
        (origin,) = held["origins"]
        assert not origin.get("indexedDB")
        kept = {one["name"]: one["value"] for one in origin["localStorage"]}
        (folder / "local_storage.json").write_text(
            json.dumps(kept, ensure_ascii=False, indent=1) + "\n", "utf-8"
        )
        print([cookie["name"] for cookie in held["cookies"]], kept)
        browser.close()


def since(server: Server, people: dict[str, Any], folder: Path) -> None:
    """Keep what Ann's browser holds since 1.0: a hand that waits to be sent, a form, a rating."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        context = browser.new_context(base_url=server.url, locale="en-GB")
        token = people["tokens"]["Ann"]
        context.add_cookies([{"name": "rookery", "value": token, "url": server.url}])
        page = context.new_page()
        for what, path in (("eventful", "e"), ("sheet", "s")):
            code = people["codes"][what]
            page.goto(f"/{path}/{code}#{people['keys'][code]}")
            page.wait_for_function(f"() => localStorage['rookery.{KINDS[path]}.{code}']")
        context.set_offline(True)
        write(page, "Cy", 90, "110")
        page.get_by_text("waits").first.wait_for()
        page.goto("about:blank")
        context.set_offline(False)
        # Nothing may reach the server, or it would not wait any more.
        context.route("**/api/sheets/**", lambda route: route.abort())
        page.goto("/evening")
        page.get_by_label("Who plays?").fill("\n".join(("Ann", "Bob", "Cy", "Dee", "Žofia")))
        page.get_by_label("Who plays?").blur()
        page.goto(f"/puzzles/{PUZZLE}")
        page.get_by_role("radio").first.focus()
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        page.wait_for_function("() => localStorage['rookery.puzzles']")
        page.goto("/mistakes")
        page.wait_for_function(MISTAKES)
        kept = page.evaluate("({ ...localStorage })")
        text = json.dumps(kept, ensure_ascii=False, indent=1)
        (folder / "local_storage.json").write_text(text + "\n", "utf-8")
        browser.close()


def _bot(page: Page) -> None:
    page.goto("/")
    page.locator(".bot-button").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Expert", exact=True).click()
    dialog.get_by_text("Style", exact=False).first.click()
    dialog.get_by_text("Bold", exact=True).click()
    dialog.locator(".bot-take .primary").click()


def _house_rules(page: Page, six: dict[str, Any], folder: Path) -> None:
    link = packed({**six, "name": "Six from a link"})
    (folder / "link.txt").write_text(link + "\n", "utf-8")
    page.goto(f"/rules/edit#{link}")
    _save(page, "Six from a link")
    page.goto("/rules/edit?base=kd_tournament")
    page.get_by_label("Name of these rules").fill("Küche, Freitag & so")
    page.get_by_role("searchbox").fill("bid_minimum")
    page.locator("#option-bid_minimum").fill("65")
    page.locator("#option-bid_minimum").blur()
    _save(page, "Küche, Freitag & so")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    download.value.save_as(folder / "downloaded.json")


def _save(page: Page, name: str) -> None:
    page.get_by_role("button", name="Save in this browser").click()
    page.get_by_role("listitem").filter(has_text=name).first.wait_for()


def _settings(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Settings", exact=True).click()
    dialog = page.get_by_role("dialog")
    for label in SWITCHED:
        dialog.get_by_label(label).click()
    for label, choice in CHOSEN.items():
        dialog.get_by_label(label).select_option(label=choice)
    dialog.get_by_label("Language").select_option("es")
    page.locator("html[lang=es]").wait_for(state="attached")
