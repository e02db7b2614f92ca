"""Who somebody is: cookies, names, return links."""

from __future__ import annotations

import asyncio
import logging
import re
from pathlib import Path

import httpx
import pytest
from starlette.responses import Response
from tests.server.http.served import HOME, Here, line, served, table_for, token_of
from tests.server.memory.store import MemoryStore
from websockets.exceptions import ConnectionClosed

from rookery.server.api.links import Links
from rookery.server.http.dependencies import SessionCookie
from rookery.server.monitoring.security import SecurityLog
from rookery.server.names import token_hash
from rookery.server.registry.people import LINK_KEPT, People
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings

OTHER = "http://127.0.0.1:8001"
KEPT = Settings().keep_person


def test_a_name_is_all_it_takes_and_the_cookie_is_out_of_reach_of_pages() -> None:
    async def story() -> None:
        here = Here()
        async with here.browser() as ann:
            assert (await ann.get("/api/session")).json()["person"] is None
            answer = await ann.post("/api/session", json={"name": "  Ann   B "})
            assert answer.json()["name"] == "Ann B"
            cookie = answer.headers["set-cookie"]
            assert re.match(r"rookery=[\w-]{43};", cookie)
            assert {"HttpOnly", "SameSite=lax", "Path=/"} <= {p.strip() for p in cookie.split(";")}
            assert "Secure" not in cookie
            assert (await ann.get("/api/session")).json()["person"] == answer.json()["person"]
            again = await ann.post("/api/session", json={"name": "Anna"})
            assert again.json() == {**answer.json(), "name": "Anna"}
            assert "set-cookie" not in again.headers

    asyncio.run(story())


def test_behind_https_the_cookie_is_for_this_host_and_https_alone() -> None:
    async def story() -> None:
        here = Here(Settings(public_url="https://rook.example"))
        async with here.browser("https://rook.example") as ann:
            answer = await ann.post("/api/session", json={"name": "Ann"})
            cookie = answer.headers["set-cookie"]
            assert cookie.startswith("__Host-rookery=")
            assert "Secure" in cookie
            assert "Path=/" in cookie
            assert "Domain" not in cookie
            assert "max-age" in answer.headers["strict-transport-security"]

    asyncio.run(story())


@pytest.mark.parametrize(
    "name",
    ["", "   ", "x" * 25, "a\u202eb", "a\x00b", "\u200b", "line\nbreak\x07", "A\u200dnn"],
)
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    async def story() -> None:
        here = Here()
        async with here.browser() as ann:
            answer = await ann.post("/api/session", json={"name": name})
            assert answer.status_code == 400
            assert answer.json()["error"]["code"] in ("bad-name", "bad-request")
            assert "set-cookie" not in answer.headers

    asyncio.run(story())


FORGED = [
    "",
    "x",
    "A" * 43,
    "A" * 5000,
    "'; drop table people; --",
    "../../etc/passwd",
    "%00",
    "null",
]


@pytest.mark.parametrize("token", FORGED)
def test_a_forged_cookie_is_nobody(token: str) -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            stored = ann.cookies["rookery"]
        for cookie in (
            f"rookery={token}",
            f"rookery={stored}; rookery={token}",
            f"rookery; rookery-8001={token}",
            token_hash(stored),
        ):
            async with here.browser() as mallory:
                mallory.headers["cookie"] = cookie
                assert (await mallory.get("/api/session")).json()["person"] is None
                answer = await mallory.post("/api/tables", json={"rules": "kd_tournament"})
                assert answer.json()["error"]["code"] == "no-session"

    asyncio.run(story())


def test_two_servers_on_one_machine_do_not_take_each_others_cookie() -> None:
    async def story() -> None:
        one, other = (Here(), HOME), (Here(Settings(port=8001)), OTHER)
        jar = httpx.Cookies()
        who = []
        for (here, own), name in ((one, "Ann"), (other, "Zoe"), (one, "Ann"), (other, "Zoe")):
            async with here.browser(own) as browser:
                browser.cookies.update(jar)
                me = (await browser.get("/api/session")).json()
                if me["person"] is None:
                    me = (await browser.post("/api/session", json={"name": name})).json()
                who.append((me["person"], me["name"]))
                jar.update(browser.cookies)
        assert who[:2] == who[2:]
        assert [name for _, name in who] == ["Ann", "Zoe"] * 2

    asyncio.run(story())


def test_who_has_the_old_cookie_of_a_server_keeps_the_seat_and_gets_the_new_one() -> None:
    async def story() -> None:
        here = Here(Settings(port=8001))
        async with here.browser(OTHER) as ann:
            me = (await ann.post("/api/session", json={"name": "Ann"})).json()
            [token] = ann.cookies.values()
        async with here.browser(OTHER) as ann:
            ann.cookies.set("rookery", token)
            assert (await ann.get("/api/session")).json() == me
            assert ann.cookies["rookery-8001"] == token
            # Another server comes and takes the old name.
            ann.cookies.set("rookery", "x" * 43)
            answer = await ann.get("/api/session")
            assert answer.json() == me
            assert "set-cookie" not in answer.headers

    asyncio.run(story())


def test_after_a_move_everybody_is_known_and_gets_the_servers_own_cookie(tmp_path: Path) -> None:
    async def story() -> None:
        store = MemoryStore()
        before = Settings(data=tmp_path / "old")
        was = Here(before, registry=TableRegistry(store, before))
        async with was.browser() as ann:
            me = (await ann.post("/api/session", json={"name": "Ann"})).json()
            [(name, token)] = ann.cookies.items()
        for moved in (Settings(data=tmp_path / "new"), Settings(database="x")):
            here = Here(moved, registry=TableRegistry(store, moved))
            own = SessionCookie(Links(moved)).name
            assert own != name
            async with here.browser() as ann:
                for each in (name, "rookery-76543210"):  # it has moved before
                    ann.cookies.set(each, token)
                assert (await ann.get("/api/session")).json() == me
                assert ann.cookies[own] == token
                # Another server on this machine takes its own, and is not asked again.
                ann.cookies.set("rookery-8009", "x" * 43)
                assert (await ann.get("/api/session")).json() == me

    asyncio.run(story())


def test_the_cookie_of_another_server_is_nobodys_and_no_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noted: list[str] = []
    monkeypatch.setattr(SecurityLog, "note", lambda _log, kind, _who: noted.append(kind))

    async def story() -> None:
        async with Here().browser() as ann:
            ann.cookies.set("rookery-01234567", "x" * 43)
            answer = await ann.get("/api/session")
            assert answer.json()["person"] is None
            assert "set-cookie" not in answer.headers
            assert noted == []
            # Another server's is looked up whatever there is beside it, and is no guess here.
            ann.cookies.set("rookery-8001", "y" * 43)
            assert (await ann.get("/api/session")).json()["person"] is None
            ann.cookies.set("rookery", "z" * 43)
            assert (await ann.get("/api/session")).json()["person"] is None
            assert noted == ["token-guess"]

    asyncio.run(story())


def test_a_folder_has_one_cookie_however_it_is_written(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    ways = (tmp_path, tmp_path / "link", tmp_path / "link" / ".." / tmp_path.name)
    assert len({SessionCookie(Links(Settings(data=way))).name for way in ways}) == 1


@pytest.mark.parametrize(
    "settings",
    [Settings(port=8001, public_url="http://rook.lan"), Settings(port=8001, database="x")],
)
def test_servers_that_share_people_share_the_cookie(settings: Settings) -> None:
    assert SessionCookie(Links(settings)).name == "rookery"


def test_the_cookie_goes_with_the_folder_and_not_with_the_port() -> None:
    def name(folder: str, port: int) -> str:
        return SessionCookie(Links(Settings(data=Path(folder), port=port))).name

    assert name("one", 8000) == name("one", 8001) != name("two", 8000)


def test_the_store_holds_only_the_hash_of_a_token() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            token = ann.cookies["rookery"]
            link = (await ann.post("/api/session/return")).json()["token"]
        held = repr(vars(here.store))
        assert token_hash(token) in held
        assert token_hash(link) in held
        assert token not in held
        assert link not in held

    asyncio.run(story())


def test_a_return_link_moves_a_person_to_another_browser_once() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.browser() as phone:
            made = (await ann.post("/api/session/return")).json()
            assert made["link"] == f"{HOME}/return/{made['token']}"
            assert made["seconds"] == 900
            came = await phone.post("/api/return", json={"token": made["token"]})
            me = (await ann.get("/api/session")).json()
            assert came.json() == (await phone.get("/api/session")).json() == me
            assert phone.cookies["rookery"] != ann.cookies["rookery"]
            again = await phone.post("/api/return", json={"token": made["token"]})
            assert (again.status_code, again.json()["error"]["code"]) == (410, "bad-link")

    asyncio.run(story())


@pytest.mark.parametrize(("late", "good"), [(LINK_KEPT - 1, True), (LINK_KEPT, False)])
def test_a_return_link_is_good_for_fifteen_minutes(late: int, good: bool) -> None:
    async def story() -> None:
        now = 5_000
        sessions = People(MemoryStore(), lambda: now)
        ann, _ = await sessions.enter("Ann")
        token = await sessions.link(ann)
        now += late
        came = await sessions.come_back(token)
        assert (came is not None) == good
        assert came is None or came.person == ann

    asyncio.run(story())


@pytest.mark.parametrize(("late", "good"), [(LINK_KEPT - 1, True), (LINK_KEPT + 60_000, False)])
def test_a_return_link_runs_out_though_the_clock_is_in_doubt(late: int, good: bool) -> None:
    async def story() -> None:
        now = 10 * KEPT
        sessions = People(MemoryStore(), lambda: now, expired_by=lambda: 9 * KEPT)
        ann, token = await sessions.enter("Ann")
        link = await sessions.link(ann)
        now += late
        came = await sessions.come_back(link)
        assert (came is not None) == good
        # By the clock, every session is over now.
        now += KEPT
        assert await sessions.holder(token) == ann
        assert await sessions.ended({token_hash(token)}) == set()
        assert len(await sessions.sessions(ann)) == 1 + good
        assert await sessions.visitor(token) is not None

    asyncio.run(story())


@pytest.mark.parametrize(("late", "good"), [(KEPT - 1, True), (KEPT, False)])
def test_a_session_lasts_as_long_as_its_cookie(late: int, good: bool) -> None:
    async def story() -> None:
        now = 5_000
        sessions = People(MemoryStore(), lambda: now)
        ann, token = await sessions.enter("Ann")
        answer = Response()
        SessionCookie(Links(Settings())).set(answer, token)
        assert f"Max-Age={KEPT // 1000};" in answer.headers["set-cookie"]
        now += late
        assert await sessions.holder(token) == (ann if good else None)

    asyncio.run(story())


def test_whoever_leaves_is_forgotten_everywhere() -> None:
    async def story() -> None:
        with served() as here:
            ann, phone, bob = here.browser("Ann"), here.browser(), here.browser("Bob")
            code = table_for(ann)
            link = ann.post("/api/session/return").json()["token"]
            phone.post("/api/return", json={"token": link})
            unused = ann.post("/api/session/return").json()["token"]
            async with line(here, phone, code) as one, line(here, bob, code) as other:
                await one.do(type="chat", text="I am Ann")
                assert ann.delete("/api/session").json()["person"] is None
                assert (await one.hear_type("closing"))["code"] == 4003
                assert "Ann" not in str(await other.hear_type("welcome"))
            assert phone.get("/api/session").json()["person"] is None
            assert phone.post("/api/return", json={"token": unused}).status_code == 410
            async with line(here, bob, code) as other:
                assert other.table["seats"][0]["kind"] == "empty"
                assert "Ann" not in str(other.heard)

    asyncio.run(story())


def test_leaving_a_browser_ends_its_session_and_its_sockets() -> None:
    async def story() -> None:
        with served() as here:
            ann = here.browser("Ann")
            code = table_for(ann)
            async with line(here, ann, code) as one:
                old = dict(ann.cookies)
                assert ann.delete("/api/session").json()["person"] is None
                assert (await one.hear_type("closing"))["code"] == 4003
                with pytest.raises(ConnectionClosed):
                    await one.hear()
            assert not ann.cookies
            ann.cookies.update(old)
            assert ann.get("/api/session").json()["person"] is None

    asyncio.run(story())


def test_a_new_name_is_seen_at_the_table() -> None:
    async def story() -> None:
        with served() as here:
            ann = here.browser("Ann")
            code = table_for(ann)
            async with line(here, ann, code) as one:
                ann.post("/api/session", json={"name": "Anna"})
                while one.table["seats"][0]["name"] != "Anna":
                    await one.hear()

    asyncio.run(story())


def test_nothing_secret_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def story() -> list[str]:
        with served() as here:
            ann, phone = here.browser("Ann"), here.browser()
            code = table_for(ann)
            link = ann.post("/api/session/return").json()["token"]
            phone.get(f"/return/{link}")
            secrets = [token_of(ann), link]
            phone.post("/api/return", json={"token": link})
            async with line(here, phone, code, logger=logging.getLogger("client")) as one:
                await one.do(type="start")
            return [*secrets, token_of(phone)]

    logging.getLogger("client").setLevel(logging.CRITICAL)
    for client in ("httpx", "httpcore", "hpack"):
        logging.getLogger(client).setLevel(logging.CRITICAL)
    secrets = asyncio.run(story())
    assert len(secrets) == len(set(secrets)) == 3
    for secret in secrets:
        assert secret not in caplog.text
