"""A site of files alone, under a path of a host that does nothing but serve files."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Response, expect
from tests.once import site_of_files
from tests.server.http.served import Served
from tests.web.e2e.files import UNDER, Host, hosted
from tests.web.e2e.looks import arrive, faults
from tests.web.e2e.people import NARROW, meekest, record_of
from tests.web.e2e.sizes import LANGUAGES, speaks
from tests.web.e2e.visitor import BRISK, FETCH, PLAY, Visitor, drop, empty
from tests.web.kit import kit_or_skip

from rookery.record import loads

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("kit")]
RECORD = Path(__file__).parents[2] / "kept" / "v0_1" / "records" / "table_finished_0.json"
HAND = "R14 R10 R5 G14 G13 G9 G6 Y8 B11"
# What a policy forbids is tried, to see that it does.
TRIED = """() => {
  const add = (name, what) => document.body.append(
    Object.assign(document.createElement(name), what));
  add("script", { textContent: "1" });
  add("img", { src: "https://example.org/a.png" });
}"""
KIT = f"JSON.parse(localStorage['rookery.device/{UNDER}/'] ?? '{{}}').kit ?? ''"
# Python as it was once it had begun is kept a moment later.
BEGUN = """async () => {
  for (let left = 600; left && !(await caches.match("kit/begun")); left -= 1) {
    await new Promise((done) => setTimeout(done, 100));
  }
}"""
EVALUATES = """() => new Promise((done) => setTimeout(() => {
  try { new Function("return 1")(); done("done"); } catch (error) { done(error.name); }
}))"""


@pytest.fixture(scope="module")
def kit() -> None:
    kit_or_skip()


@pytest.fixture(scope="module")
def site(kit: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Host]]:
    folder = tmp_path_factory.mktemp("host")
    shutil.copytree(site_of_files(tmp_path_factory), folder / UNDER)  # tests change it
    with hosted(folder) as host:
        yield folder / UNDER, host


@pytest.fixture
def ann(chromium: Browser, site: tuple[Path, Host]) -> Iterator[Visitor]:
    visitor = Visitor(chromium, site[1])
    yield visitor
    visitor.away()


@pytest.fixture(scope="module")
def device(chromium: Browser, site: tuple[Path, Host]) -> Iterator[Visitor]:
    """Somebody whose browser has fetched what plays, and where Python has begun."""
    visitor = Visitor(chromium, site[1])
    visitor.plays()
    visitor.page.evaluate(BEGUN)
    visitor.good()
    yield visitor
    visitor.away()


@pytest.fixture
def back(device: Visitor) -> Iterator[Visitor]:
    """Return them with nothing but those files: that all has come is forgotten, and looked up."""
    empty(device, "./")
    device.page.evaluate("localStorage.clear()")
    for told in (device.asked, device.outside, device.missing, device.forbidden, device.faults):
        told.clear()
    yield device
    device.good()


def weight_of(page: Page, address: str) -> dict[str, int]:
    """Return what a page fetches by itself, each packed as hosts pack it, in bytes."""
    came: list[Response] = []
    page.on("response", lambda response: came.append(response))
    page.goto(address)
    page.wait_for_selector("h1")
    page.wait_for_load_state("networkidle")
    return {urlsplit(one.url).path: len(gzip.compress(one.body(), 9)) for one in came}


def test_the_first_page_is_no_heavier_than_a_servers_and_fetches_nothing_that_plays(
    chromium: Browser, site: tuple[Path, Host], here: Served
) -> None:
    def alone(address: str) -> dict[str, int]:
        context = chromium.new_context(service_workers="block", locale="en-GB")
        weights = weight_of(context.new_page(), address)
        context.close()
        return weights

    ours, theirs = alone(site[1].url), alone(here.url)
    assert min(len(ours), len(theirs)) > 25
    print(f"packed: {len(ours)} files of a site, {sum(ours.values())} bytes;")
    print(f"{len(theirs)} of a server, {sum(theirs.values())}")
    assert sum(ours.values()) <= min(67_000, sum(theirs.values()))
    assert not [path for path in ours if "/kit/" in path or path.startswith("/api")]


def test_a_hand_is_played_and_goes_on_after_a_reload(back: Visitor) -> None:
    page = back.goes("/")
    page.evaluate(BRISK)
    code = back.plays()
    assert page.url == f"{back.host.url}?/t/{code}"
    back.until("play", choose=meekest)
    cards = back.table()["view"]["hand"]
    page.reload()
    page.wait_for_function("() => told.table?.view")
    assert back.table()["view"]["hand"] == cards
    back.until("done", "over", choose=meekest)
    back.goes(f"/replay/{code}/0")
    expect(page.get_by_role("slider")).to_be_visible()
    page.wait_for_url(re.compile(rf"\?/replay/{code}/0\?at=0"))
    assert loads(record_of(back).decode()).hands
    # With no network all is as it was.
    back.context.set_offline(True)
    back.goes("/")
    page.get_by_role("link", name=re.compile(f"Resume: .*{code}")).click()
    page.wait_for_function("() => told.table?.view")
    back.context.set_offline(False)


def test_a_record_is_dropped_on_the_page_replayed_and_reviewed(back: Visitor) -> None:
    page = back.goes("/record")
    expect(page.get_by_text("Drop the file here")).to_be_visible()
    drop(page, "match.json", RECORD.read_text("utf-8"))
    back.fetches()
    page.locator("a.variant").first.click()
    expect(page.get_by_role("slider")).to_be_visible()
    told = loads(RECORD.read_bytes())
    assert told.players
    expect(page.locator("main").get_by_text(told.players[0]).first).to_be_visible()
    # The address is one that can be opened again in this browser.
    page.wait_for_url(re.compile(r"\?/replay/\w{7}/\d+\?at=0"))
    page.reload()
    expect(page.get_by_role("slider")).to_be_visible()
    page.get_by_role("link", name="Match review").first.click()
    expect(page.get_by_role("heading", name="Hands", exact=True)).to_be_visible(timeout=300_000)
    expect(page.locator("#hand-title")).to_be_visible()
    # What is no record is said to be none, also after a file that has ended Python.
    back.goes("/record")
    drop(page, "deep.json", "[" * 100_000)
    expect(page.get_by_role("alert").filter(has_text="can't start the game")).to_be_visible()
    assert [fault for fault in back.faults if "stack" in fault] == back.faults
    back.faults.clear()
    drop(page, "no.json", '{"format": "rookery/1", "rules": "whist", "hands": []}')
    expect(page.get_by_role("alert").filter(has_text="unknown-rules")).to_be_visible()


def test_much_is_there_without_anything_that_plays(ann: Visitor) -> None:
    page = ann.goes("/daily")
    expect(page.get_by_role("alert").filter(has_text="needs a server")).to_be_visible()
    ann.goes("/rules")
    games = page.locator("a.variant")
    expect(games.first).to_be_visible()
    assert games.count() == 38
    page.get_by_role("link", name="Kentucky Discard, Tournament rules").first.click()
    page.wait_for_url(re.compile(r"\?/rules/kd_tournament$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Kentucky Discard, Tournament rules")
    assert len(page.locator("main").inner_text()) > 1_000
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Kentucky Discard, Tournament rules")
    page.go_back()
    expect(games.first).to_be_visible()
    ann.goes("/learn/first")
    expect(page.locator(".lesson .card-row").first).to_be_visible()
    assert not [url for url in ann.asked if "/kit/" in url]
    # Whoever would not wait is told so and asked again.
    ann.goes("/")
    ann.press(PLAY)
    ann.press("Not now")
    expect(page.get_by_role("alert").filter(has_text="not been fetched")).to_be_visible()
    assert not [url for url in ann.asked if ".bin" in url]
    ann.press(PLAY)
    expect(page.get_by_role("button", name=FETCH)).to_be_visible()
    ann.press("Not now")


def test_a_house_rule_is_changed_and_checked(back: Visitor) -> None:
    page = back.goes("/rules/edit?base=kd_tournament")
    back.fetches()
    verdict = page.locator("[aria-labelledby=verdict-title]")
    expect(verdict).to_contain_text("fit together")
    page.locator("#option-seats").fill("5")
    said = page.locator("#option-partnership-problem")
    expect(said).to_contain_text("5 players cannot sit in pairs")
    page.locator("#option-seats").fill("4")
    expect(said).to_have_count(0)
    page.get_by_label("Find an option").fill("nest")
    page.locator("#option-nest_size").fill("1")
    page.wait_for_url(re.compile(r"\?/rules/edit#r="))
    expect(verdict).to_contain_text("would fit")
    # By its address it is found again, and given to others.
    page.reload()
    expect(verdict).to_contain_text("would fit")
    page.get_by_label("Find an option").fill("nest")
    page.locator("#option-nest_size").fill("5")
    expect(verdict).to_contain_text("fit together")
    expect(page.locator(".stale")).to_have_count(0)
    back.press("Create a table with these rules")
    page.wait_for_url(re.compile(r"\?/new#r="))
    # Nobody else can come, so bots have the other seats, and nobody is invited.
    expect(page.get_by_role("combobox", name="Bots")).to_have_value("3")
    expect(page.get_by_text("Who can join")).to_have_count(0)
    back.press("Create the table")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    expect(page.get_by_text("Public table")).to_have_count(0)


def test_what_else_lies_below_a_site_does_not_become_its_page(
    ann: Visitor, site: tuple[Path, Host]
) -> None:
    (site[0] / "other.html").write_text("<!doctype html><h1>Another project</h1>")
    page = ann.goes("/")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    kept = f"caches.open('rookery-3/{UNDER}/').then((one) => one.match('/{UNDER}/'))"
    page.evaluate(f"caches.open('rookery-3/{UNDER}/').then((one) => one.delete('/{UNDER}/'))")
    for at, text in (
        ("other.html", None),
        ("index.html", (site[0] / "index.html").read_text("utf-8")),
    ):
        page.goto(at)
        assert page.evaluate(f"{kept}.then((page) => page?.text())") == text, at


def test_the_odds_of_a_hand_are_counted(back: Visitor) -> None:
    page = back.goes("/odds")
    page.get_by_label("Your cards").fill(HAND)
    page.locator("[name=trump]").select_option("green")
    back.press("Count")
    back.fetches()
    answer = page.locator(".figures")
    expect(answer).to_contain_text("1.97")
    page.get_by_label("Your cards").fill("X9")
    back.press("Count")
    expect(page.get_by_role("alert").filter(has_text="X9")).to_be_visible()
    back.goes(f"/odds?question=nest&hand={HAND}")
    expect(answer).to_contain_text("a counter")


def test_the_documentation_opens_and_its_examples_are_live(
    back: Visitor, site: tuple[Path, Host]
) -> None:
    if not (site[0] / "docs" / "index.html").exists():
        pytest.skip("no Sphinx")
    page = back.goes("/")
    page.get_by_role("link", name="Documentation").click()
    page.wait_for_url(f"{back.host.url}docs/")
    page.wait_for_load_state("networkidle")
    for path in ("reference/variants/", "explanation/menagerie/", "how-to/calculate-odds/"):
        page.goto(f"docs/{path}")
        page.wait_for_load_state("networkidle")
        assert page.evaluate("forbidden") == []
        assert page.evaluate("getComputedStyle(document.querySelector('h1')).fontFamily")
    page.get_by_role("link", name="Ask for the partner's trumps").click()
    back.fetches()
    expect(page.locator(".figures")).to_contain_text("1.97")
    page.goto("docs/reference/records/")
    page.get_by_role("link", name="Replay this record").click()
    page.locator("a.variant").first.click()
    expect(page.get_by_role("slider")).to_be_visible()
    expect(page.locator("main").get_by_text("Di").first).to_be_visible()
    page.goto("docs/tutorials/first-house-rule/")
    page.get_by_role("link", name="Open these rules in the editor").click()
    expect(page.get_by_label("Name of these rules")).to_have_value("Ours")
    page.goto("docs/reference/variants/")
    page.get_by_role("link", name="kd_tournament").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Kentucky Discard")
    page.get_by_role("link", name="Rules of kd_tournament").click()
    page.wait_for_url(re.compile(r"\?/rules/kd_tournament$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Kentucky Discard, Tournament rules")


def test_what_is_fetched_is_what_the_list_says_or_is_not_used(
    ann: Visitor, site: tuple[Path, Host]
) -> None:
    stored = site[0] / "kit" / "kit.json"
    whole = stored.read_bytes()
    stored.write_bytes(whole.replace(b"program", b"PROGRAM"))
    try:
        page = ann.goes("/")
        ann.press(PLAY)
        ann.press(FETCH)
        expect(page.get_by_text("Not everything could be fetched")).to_be_visible()
        assert page.evaluate(KIT) == ""
    finally:
        stored.write_bytes(whole)
    page.get_by_role("dialog").get_by_role("button", name="Try again").click()
    page.wait_for_function("() => told.table?.view")


def test_what_a_device_has_played_is_counted_and_policies_hold_in_its_worker(back: Visitor) -> None:
    page, code = back.page, back.plays()
    [worker] = page.workers
    assert worker.evaluate(EVALUATES) == "EvalError"
    assert page.evaluate(EVALUATES) == "EvalError"
    # Where no policy is, it is done: so what is tried is what is forbidden.
    free = page.context.new_page()
    free.goto(back.host.origin)
    assert free.evaluate(EVALUATES) == "done"
    free.close()
    # The worker's policy comes from what was fetched: the host sends none.
    said = "(address) => fetch(address).then((one) => one.headers.get('content-security-policy'))"
    script = f"{back.host.url}static/table/offline/worker.js"
    assert "wasm-unsafe-eval" in page.evaluate(said, script)
    assert "'unsafe-eval'" not in page.evaluate(said, script)
    # What is forbidden is noticed.
    page.evaluate(TRIED)
    page.wait_for_function("() => forbidden.length >= 3")
    page.reload()  # whatever a page was forbidden is known when it has been left
    page.wait_for_selector("main")
    told = {what.split()[0] for what in back.forbidden}
    assert told == {"script-src", "script-src-elem", "img-src"}
    assert set(back.outside) <= {back.host.origin, "https://example.org/a.png"}
    back.outside.clear()
    back.forbidden.clear()
    # What was played is counted, and not rated.
    for path, said in (("/stats", "Nothing yet"), (f"/group/{code}", "Meet here again")):
        back.goes(path)
        expect(page.locator("main")).to_contain_text(said)
        page.wait_for_load_state("networkidle")
        expect(
            page.get_by_role("heading", name=re.compile("ratings", re.IGNORECASE))
        ).to_have_count(0)
        expect(page.locator("main").get_by_role("alert")).to_have_count(0)


def test_a_narrow_phone_shows_everything(chromium: Browser, site: tuple[Path, Host]) -> None:
    someone = Visitor(chromium, site[1], **NARROW)
    for path in ("/", "/record", "/odds", "/offline"):
        arrive(someone.page, f"?{path}")
        for language in LANGUAGES:
            speaks(someone.page, language)
            assert faults(someone.page) == [], (path, language)
    someone.away()


def test_everything_in_the_list_lies_there(site: tuple[Path, Host]) -> None:
    folder = site[0]
    told: dict[str, Any] = json.loads((folder / "kit" / "list.json").read_bytes())
    assert told["bytes"] < 12_000_000
    for one in told["files"]:
        path = folder / one.get("as", one["path"])
        assert (path / "index.html" if path.is_dir() else path).is_file(), one


def test_a_file_that_is_missing_is_noticed(
    chromium: Browser, site: tuple[Path, Host], tmp_path: Path
) -> None:
    shutil.copytree(site[0], tmp_path / UNDER)
    (tmp_path / UNDER / "static" / "i18n" / "pages.en.json").unlink()
    with hosted(tmp_path) as host:
        someone = Visitor(chromium, host)
        someone.goes("/")
        someone.page.wait_for_load_state("networkidle")
        someone.page.evaluate("Object.assign(new Image(), { src: '/beside.png' })")
        someone.page.wait_for_load_state("networkidle")
        with pytest.raises(AssertionError):
            someone.away()
        assert [what for what in someone.missing if "pages.en.json" in what]
        assert [url for url in someone.outside if url.endswith("/beside.png")]
