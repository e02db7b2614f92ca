"""The page for whoever runs the server: behind its secret, and nothing of a table in it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import Browser, Route, expect
from tests.server.http.served import Served, line, served, table_for
from tests.web.e2e.looks import DRAWN, faults, nth
from tests.web.e2e.people import NARROW, Someone
from tests.web.e2e.sizes import faults_in_both, speaks
from tests.web.e2e.spanish import Reader, pieces

Invite = Callable[..., Someone]
SECRET = "0123456789abcdef0123456789abcdef"  # noqa: S105


@pytest.fixture(scope="module")
def here(luck_of_a_module: None) -> Iterator[Served]:
    """A server with an admin page, and a table at it."""
    with served(admin_secret=SECRET) as running:
        table_for(running.browser("Ben"), rules="boston", bots=["papa", "hog"], open=True)
        yield running


def enters(someone: Someone, secret: str) -> None:
    """Type the secret, and nothing but keys."""
    someone.page.locator("input[name=secret]").fill(secret)
    someone.page.keyboard.press("Enter")


def test_only_the_secret_opens_it(invite: Invite) -> None:
    ann = invite("Ann", **NARROW)
    asked: list[str] = []
    ann.page.on("request", lambda request: asked.append(request.url))
    ann.page.goto("/admin")
    for wrong in ("guess", "ñandú"):
        enters(ann, wrong)
        expect(ann.page.locator("main").get_by_role("alert")).to_contain_text("not the secret")
        expect(ann.page.locator(".figures")).to_have_count(0)
    assert not faults(ann.page)
    enters(ann, SECRET)
    now = ann.page.get_by_role("region", name="Now", exact=True)
    expect(now.locator("dd").first).to_have_text("1")
    expect(ann.page.get_by_role("region", name="Tables", exact=True)).to_contain_text(
        "Ben, Papa, Hog"
    )
    assert not faults(ann.page)
    paths = {url.removeprefix(ann.here.url) for url in asked}
    assert not {path for path in paths if path.startswith(("/static/table/", "/ws/"))}
    assert {path for path in paths if path.startswith("/api/")} == {"/api/admin"}
    # The secret is kept nowhere but in the page.
    kept = ann.page.evaluate(
        "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])"
    )
    assert SECRET not in kept
    assert not any(SECRET in url for url in asked)
    ann.press("Sign out")
    expect(ann.page.locator("input[name=secret]")).to_be_visible()
    expect(ann.page.locator(".figures")).to_have_count(0)


def test_its_figures_are_refreshed_until_that_is_stopped(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.clock.install()
    ann.page.goto("/admin")
    enters(ann, SECRET)
    tables = ann.page.get_by_role("region", name="Now", exact=True).locator("dd").first
    expect(tables).to_have_text("1")
    table_for(ann.here.browser("Cy"))
    ann.page.clock.fast_forward(6_000)
    expect(tables).to_have_text("2")
    ann.page.get_by_label("Refresh automatically").uncheck()
    table_for(ann.here.browser("Dee"))
    ann.press("Refresh now")
    expect(tables).to_have_text("3")


def test_what_fails_is_told_and_the_figures_stay(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.goto("/admin")
    enters(ann, SECRET)
    expect(ann.page.locator(".figures").first).to_be_visible()
    ann.page.route("**/api/admin", lambda route: route.abort())
    ann.press("Refresh now")
    expect(ann.page.locator("main").get_by_role("alert")).to_contain_text("Can't reach the server")
    expect(ann.page.locator(".figures").first).to_be_visible()


def test_a_look_that_gets_no_answer_is_not_the_last(invite: Invite) -> None:
    ann = invite("Ann")
    ann.page.clock.install()
    ann.page.goto("/admin")
    with ann.page.expect_response("**/api/admin") as first:
        enters(ann, SECRET)
    now = first.value.json()
    tables = ann.page.get_by_role("region", name="Now", exact=True).locator("dd").first
    before = int(tables.inner_text())
    held: list[Route] = []
    ann.page.route("**/api/admin", lambda route: route.fallback() if held else held.append(route))
    ann.page.clock.fast_forward(6_000)
    hung = nth(ann.page, held)
    table_for(ann.here.browser("Eve"))
    ann.page.clock.fast_forward(10_000)
    expect(ann.page.locator("main").get_by_role("alert")).to_contain_text("Can't reach the server")
    ann.page.clock.fast_forward(6_000)
    expect(tables).to_have_text(str(before + 1))
    # It is answered after all, with what was so then.
    with ann.page.expect_response("**/api/admin"):
        hung.fulfill(json=now)
    ann.page.evaluate(DRAWN)
    expect(tables).to_have_text(str(before + 1))


@pytest.mark.slow
def test_it_is_for_everybody_and_in_spanish(chromium: Browser, here: Served) -> None:
    ana = Someone(chromium, here, "Ana", **NARROW, locale="es-MX", color_scheme="dark")
    ana.page.goto("/admin")
    enters(ana, SECRET)
    expect(ana.page.locator(".figures").first).to_be_visible()
    ana.page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    assert not faults_in_both(ana.page)
    assert not Reader().english(pieces(ana.page))
    ana.away()


async def quarrel(here: Served) -> None:
    """Have somebody report the host after some talk, and somebody else try codes."""
    ann, bob, eve = (here.browser(name) for name in ("Ana", "Bernardo", "Eva"))
    code = table_for(ann)
    async with (
        line(here, ann, code) as host,
        line(here, bob, code) as other,
        line(here, eve, code) as watching,
    ):
        await other.do(type="sit")
        await other.do(type="chat", phrase="hurry")
        await host.do(type="chat", text=80 * "mal")
        await watching.do(type="chat", text="vaya")
        await other.do(type="report", seat=0, reason="grosero " + 60 * "mal")
    for _ in range(3):
        here.browser().get("/api/tables/ZZZZZZ9")


def test_a_report_is_read_with_the_talk_before_it_and_attacks_are_told(chromium: Browser) -> None:
    with served(admin_secret=SECRET) as running:
        with ThreadPoolExecutor(1) as apart:  # Playwright has this thread's loop
            apart.submit(lambda: asyncio.run(quarrel(running))).result()
        ann = Someone(chromium, running, "Ann", **NARROW)
        ann.page.goto("/admin")
        enters(ann, SECRET)
        reports = ann.page.locator("#admin-reports").locator("..")
        expect(reports).to_contain_text("grosero")
        assert "vaya" not in reports.inner_text()
        # By keys alone.
        reports.locator("summary").focus()
        ann.page.keyboard.press("Enter")
        lines = reports.locator("ol li")
        expect(lines).to_have_count(3)
        shown = [one.inner_text() for one in lines.all()]
        said = (("Bernardo", "Your turn?"), ("Ana", 80 * "mal"), ("Eva", "vaya"))
        for told, (who, words) in zip(shown, said, strict=True):
            assert told.startswith(who)
            assert words in told
        assert [one.locator(".tag").count() for one in lines.all()] == [0, 1, 1]
        assert "reported player" in shown[1]
        assert "watching" in shown[2]
        attacks = ann.page.locator("#admin-security").locator("..")
        expect(attacks.locator("li")).to_have_count(1)
        expect(attacks).to_contain_text("A table was requested that does not exist")
        expect(attacks).to_contain_text("once · from this machine or another server")
        # What is open stays open when the figures are asked for anew.
        ann.press("Refresh now")
        expect(lines).to_have_count(3)
        assert not faults_in_both(ann.page)
        speaks(ann.page, "es")
        ann.press("Actualizar ahora")
        expect(lines).to_have_count(3)
        assert not Reader().english(pieces(ann.page))
        assert not faults_in_both(ann.page)
        ann.away()


def test_a_server_without_a_secret_has_no_such_page(chromium: Browser) -> None:
    with served() as running:
        ann = Someone(chromium, running, "Ann")
        ann.page.goto("/admin")
        enters(ann, SECRET)
        expect(ann.page.locator("main").get_by_role("alert")).to_contain_text("no admin page")
        ann.away()
