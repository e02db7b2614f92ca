"""The admin page's figures: behind a secret, for pages of this server alone, and without a card."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from tests.server.core.tables import PEOPLE, Sheet
from tests.server.http.served import HOME, Here, line, served, table_for, token_of
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.server.api.admin import Overview
from rookery.server.http.ratelimit import RATES, Buckets
from rookery.server.settings import Settings
from rookery.server.store.base import TableRow
from rookery.server.table.commands import Report

SECRET = "a secret of more than sixteen"  # noqa: S105
RIGHT = {"authorization": f"Bearer {SECRET}"}


def asked(here: Here | None = None, /, **headers: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        async with (here or Here(Settings(admin_secret=SECRET))).browser(None) as browser:
            sent = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
            return await browser.get("/api/admin", headers=sent)

    return asyncio.run(ask())


def code_of(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_whoever_has_the_secret_is_told() -> None:
    answer = asked(None, **RIGHT)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    told = Overview.model_validate(answer.json())
    assert told.database.kind == "memory"
    assert set(told.speed) == {"durable", "ack", "screen", "answer"}
    if Path("/proc/self/statm").exists():
        assert (told.server.memory or 0) > 1 << 20
    assert asked(authorization=f"bearer  {SECRET} ").status_code == 200


@pytest.mark.parametrize(
    "said",
    [
        *("", "Bearer", "Bearer ", f"Bearer {SECRET[:-1]}", f"Bearer {SECRET}x", SECRET),
        *(f"Basic {SECRET}", f"Bearer {SECRET.upper()}", "Bearer \xe9", "Bearer " + "a" * 9000),
    ],
)
def test_nobody_else_is(said: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "rookery")
    assert code_of(asked(authorization=said)) == (401, "bad-secret")
    assert SECRET[:-1] not in caplog.text


def test_a_cookie_is_no_secret() -> None:
    assert code_of(asked(cookie=f"admin={SECRET}; authorization={SECRET}")) == (401, "bad-secret")


def test_without_a_secret_there_is_nothing_there() -> None:
    assert code_of(asked(Here(), **RIGHT)) == (404, "not-found")
    assert code_of(asked(Here(), authorization="Bearer ")) == (404, "not-found")


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": ""},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_page_of_another_site_is_not_told_even_with_it(headers: dict[str, str]) -> None:
    answer = asked(None, **RIGHT, **headers)
    assert code_of(answer) == (403, "bad-origin")
    assert "access-control-allow-origin" not in answer.headers


def test_a_page_of_this_server_is() -> None:
    assert asked(None, **RIGHT, origin=HOME, **{"sec-fetch-site": "same-origin"}).status_code == 200


def test_it_may_not_be_asked_for_in_advance_by_another_page() -> None:
    async def ask() -> httpx.Response:
        async with Here(Settings(admin_secret=SECRET)).browser("https://evil.example") as evil:
            return await evil.options(
                "/api/admin", headers={"access-control-request-headers": "authorization"}
            )

    answer = asyncio.run(ask())
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_guesses_are_counted_even_on_this_machine() -> None:
    async def story() -> None:
        here = Here(Settings(admin_secret=SECRET), buckets=Buckets(RATES, lambda: 0.0))
        async with here.browser(None) as eve:
            for _ in range(20):
                guess = await eve.get("/api/admin", headers={"authorization": "Bearer x"})
                assert guess.status_code == 401
            assert code_of(await eve.get("/api/admin", headers=RIGHT)) == (429, "too-many")

    asyncio.run(story())


def test_it_shows_who_plays_and_no_card_no_token_and_no_talk() -> None:
    async def story() -> None:
        with served(admin_secret=SECRET) as here:
            ann, bob = here.browser("Ann"), here.browser("Bob")
            code = table_for(ann, bots=["club", "club"])
            async with line(here, ann, code) as one, line(here, bob, code) as other:
                await other.do(type="sit")
                await other.do(type="chat", text="I live at 7 Elm Street")
                await other.do(type="report", seat=0, reason="rude words")
                await one.do(type="start")
                refused = await one.do(type="host", seat=9)
                assert refused["type"] == "refused"
                answer = here.browser().get("/api/admin", headers=RIGHT)
                told = Overview.model_validate(answer.json())
                assert (told.now.tables, told.now.playing, told.now.people) == (1, 1, 2)
                assert (told.now.connections, told.now.watchers, told.now.bots) == (2, 0, 2)
                (table,) = told.tables
                assert (table.code, table.phase) == (code, "playing")
                assert [seat.name for seat in table.seats][0::3] == ["Ann", "Bob"]
                assert [(b.bot, b.seats) for b in told.bots] == [("club", 2)]
                (report,) = told.reports
                assert (report.by, report.about, report.reason) == ("Bob", "Ann", "rude words")
                assert told.minute.acks >= 4
                assert told.refused == {refused["code"]: 1}
                assert told.speed["ack"].count > 0
                assert told.speed["screen"].count > 0
                cards = [f'"{card}"' for card in one.table["view"]["hand"]]
                assert cards
                secrets = [token_of(ann), token_of(bob), "Elm Street", *cards]
                assert not [secret for secret in secrets if secret in answer.text]

    asyncio.run(story())


def test_a_report_of_a_table_that_is_gone_is_still_told() -> None:
    async def story() -> list[dict[str, Any]]:
        here = Here(Settings(admin_secret=SECRET))
        sheet = Sheet(people=2)
        sheet.say(PEOPLE[1], Report("r", 0, "rude words"))
        now = here.registry.clock.now()
        entries = [msgspec.structs.replace(entry, at=now) for entry in sheet.entries]
        await here.store.append(TableRow("ABCDEF2", False, "lobby", now, now), entries)
        async with here.browser() as browser:
            await here.store.retire("ABCDEF2")
            return list((await browser.get("/api/admin", headers=RIGHT)).json()["reports"])

    (report,) = asyncio.run(story())
    assert (report["by"], report["about"], report["reason"]) == (None, None, "rude words")


@pytest.mark.parametrize(
    ("text", "told"), [("short", "16 or more"), ("é" * 20, "16 or more"), (None, "no such file")]
)
def test_a_secret_that_is_none_is_refused_in_one_line(
    text: str | None, told: str, tmp_path: Path
) -> None:
    file = tmp_path / "admin.secret"
    if text is not None:
        file.write_text(text, "utf-8")
    serve = ["serve", "--no-open", "--port", "0", "--data", str(tmp_path / "data")]
    done = CliRunner().invoke(app, [*serve, "--admin-secret-file", str(file)])
    assert done.exit_code == 2
    (line_,) = done.output.splitlines()
    assert told in line_
    assert text is None or text not in line_
    again = CliRunner().invoke(app, serve, env={"ROOKERY_ADMIN_SECRET": "short"})
    assert again.exit_code == 2
    assert again.output.startswith("ROOKERY_ADMIN_SECRET: expected 16 or more")


def test_the_settings_do_not_tell_it() -> None:
    assert SECRET not in repr(Settings(admin_secret=SECRET))
    page = Path(__file__).parents[3] / "docs/how-to/use-the-admin-page.md"
    shown = page.read_text("utf-8").partition("```json\n")[2].partition("```")[0]
    # The page that programs are written by shows what is answered.
    assert Overview.model_validate(json.loads(shown)).model_dump() == json.loads(shown)
