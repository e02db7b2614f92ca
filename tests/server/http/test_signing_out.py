"""Where somebody is signed in: they see it, and end it, and nobody else does."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.clock import HandTurnedClock
from tests.server.core.tables import LATER, PEOPLE
from tests.server.http.served import Here, line, no_limits, served, table_for, token_of
from tests.server.memory.store import MemoryStore

from rookery.server.api.sessions import device_of
from rookery.server.live.connection import Connection, Outbox
from rookery.server.live.sockets import NO_SESSION, SocketRegistry
from rookery.server.names import token_hash
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Challenge, Passkey, Store, Token
from rookery.server.store.sqlite import SqliteStore

PHONE = "Mozilla/5.0 (Linux; Android 10; K) Chrome/129.0.0.0 Mobile Safari/537.36"
AGENTS = {
    "": "",
    "curl/8.5.0": "",
    PHONE: "Chrome · Android",
    PHONE.replace("Chrome/129", "SamsungBrowser/26.0 Chrome/122"): "Samsung Internet · Android",
    "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0": "Firefox · Linux",
    "Mozilla/5.0 (Windows NT 10.0) Chrome/129.0.0.0 Safari/537.36 Edg/129.0": "Edge · Windows",
    "Mozilla/5.0 (Macintosh; Intel) Version/18.0 Safari/605.1.15": "Safari · Mac",
    "Mozilla/5.0 (iPhone; CPU like Mac OS X) CriOS/129.0 Safari/604.1": "Chrome · iPhone",
    "Mozilla/5.0 (iPad; CPU like Mac OS X) Version/18.0 Safari/604.1": "Safari · iPad",
    "Mozilla/5.0 (X11; CrOS x86_64) Chrome/129.0.0.0 Safari/537.36 OPR/114.0": "Opera · ChromeOS",
}


@pytest.mark.parametrize("agent", AGENTS)
def test_a_device_is_two_words_of_a_closed_list(agent: str) -> None:
    assert device_of(agent) == AGENTS[agent]


async def moved(ann: httpx.AsyncClient, phone: httpx.AsyncClient) -> None:
    """Sign another browser in as the same person."""
    link = (await ann.post("/api/session/return")).json()["token"]
    (await phone.post("/api/return", json={"token": link})).raise_for_status()


async def known(browser: httpx.AsyncClient) -> bool:
    return (await browser.get("/api/session")).json()["person"] is not None


def test_of_a_session_from_before_beginnings_were_noted_it_is_not_said() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            person = (await ann.get("/api/session")).json()["person"]
            await here.store.add_return(person, "link", LATER)
            await here.store.take_return("link", 0, Token("f" * 64, 0, LATER, ""))
            old, _ = (await ann.get("/api/sessions")).json()
            assert (old["since"], old["used"]) == (None, LATER)

    asyncio.run(story())


def test_somebody_sees_where_they_are_signed_in_and_no_more_of_it_is_kept() -> None:
    async def story() -> None:
        clock = HandTurnedClock()
        registry = TableRegistry(MemoryStore(), Settings(), clock=clock)
        here = Here(registry=registry)
        async with here.person("Ann") as ann, here.browser() as phone, here.person("Bob"):
            phone.headers["user-agent"] = f"{PHONE} secret-model/7"
            begun = clock.now()
            clock.turn(3 * DAY)
            await moved(ann, phone)
            assert await known(ann)  # which renews it
            listed = (await ann.get("/api/sessions")).json()
            own = {"device": "", "since": begun, "used": begun + 3 * DAY, "here": True}
            other = {"device": "Chrome · Android", "since": begun + 3 * DAY}
            other |= {"used": begun + 3 * DAY, "here": False}
            numbers = {one.pop("here"): one.pop("id") for one in map(dict, listed)}
            assert [{k: v for k, v in one.items() if k != "id"} for one in listed] in (
                [own, other],
                [other, own],
            )
            assert numbers == {
                True: token_hash(ann.cookies["rookery"])[:16],
                False: token_hash(phone.cookies["rookery"])[:16],
            }
            assert [one["here"] for one in (await phone.get("/api/sessions")).json()] == [
                not one["here"] for one in listed
            ]
        held = repr(vars(here.store))
        assert "Chrome · Android" in held
        assert not [
            word for word in ("Mozilla", "secret-model", "Chrome/129", "127.0.0.1") if word in held
        ]

    asyncio.run(story())


def test_one_session_is_ended_and_no_other() -> None:
    async def story() -> None:
        here = Here()
        async with (
            here.person("Ann") as ann,
            here.browser() as phone,
            here.browser() as tablet,
            here.person("Bob") as bob,
        ):
            await moved(ann, phone)
            await moved(ann, tablet)
            link = (await phone.post("/api/session/return")).json()["token"]
            number = token_hash(phone.cookies["rookery"])[:16]
            # It is nobody else's to end, and nobody is told whether there is such a session.
            before = (await bob.get("/api/sessions")).json()
            assert (await bob.delete(f"/api/sessions/{number}")).json() == before
            assert (await bob.delete(f"/api/sessions/{'0' * 16}")).json() == before
            assert await known(phone)
            left = (await ann.delete(f"/api/sessions/{number}")).json()
            assert len(left) == 2
            assert number not in {one["id"] for one in left}
            assert [await known(one) for one in (ann, phone, tablet, bob)] == [
                True,
                False,
                True,
                True,
            ]
            answer = await phone.get("/api/sessions")
            assert (answer.status_code, answer.json()["error"]["code"]) == (401, "no-session")
            # What was made there before opens nothing.
            assert (await phone.post("/api/return", json={"token": link})).status_code == 410
            # This one is left to whoever asks to be forgotten.
            own = token_hash(ann.cookies["rookery"])[:16]
            assert (await ann.delete(f"/api/sessions/{own}")).json() == left
            assert await known(ann)

    asyncio.run(story())


def test_everywhere_else_is_every_session_but_this_one_and_every_link() -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann, here.person("Bob") as bob, here.browser() as late:
            others = [here.browser() for _ in range(3)]
            for other in others:
                await moved(ann, other)
            links = [
                (await one.post("/api/session/return")).json()["token"] for one in (ann, *others)
            ]
            bobs = (await bob.post("/api/session/return")).json()["token"]
            assert [one["here"] for one in (await ann.delete("/api/sessions")).json()] == [True]
            assert [await known(one) for one in (ann, bob, *others)] == [True, True, *[False] * 3]
            for link in links:
                assert (await late.post("/api/return", json={"token": link})).status_code == 410
            assert (await late.post("/api/return", json={"token": bobs})).status_code == 200
            for other in others:
                await other.aclose()

    asyncio.run(story())


def test_sockets_close_at_once_and_only_those_of_the_session_that_is_over() -> None:
    async def story() -> None:
        with served() as here:
            ann, phone, bob = here.browser("Ann"), here.browser(), here.browser("Bob")
            code = table_for(ann)
            link = ann.post("/api/session/return").json()["token"]
            phone.post("/api/return", json={"token": link})
            number = token_hash(token_of(phone))[:16]
            for path in (f"/api/sessions/{number}", "/api/sessions"):
                async with (
                    line(here, ann, code) as own,
                    line(here, phone, code) as ended,
                    line(here, bob, code) as other,
                ):
                    ann.delete(path).raise_for_status()
                    assert (await ended.hear_type("closing"))["code"] == NO_SESSION
                    assert (await own.do(type="chat", text="here"))["type"] == "ack"
                    assert (await other.do(type="chat", text="too"))["type"] == "ack"
                async with line(here, phone, code, hello=False) as again:
                    assert (await again.hear())["code"] == NO_SESSION
                link = ann.post("/api/session/return").json()["token"]
                phone.post("/api/return", json={"token": link})

    asyncio.run(story())


def is_closed(sockets: SocketRegistry, token: str) -> bool:
    """Return whether a socket of Ann's that was just let in by a token is closed as it opens."""
    connection = Connection(PEOPLE[0], Outbox(9), set())
    actor: Any = None
    sockets.opened(token, connection, actor)
    return connection.outbox.ended


def test_a_socket_that_was_let_in_just_before_is_closed_too() -> None:
    async def story() -> None:
        sockets = SocketRegistry()
        assert not is_closed(sockets, "phone")
        sockets.cut_sessions([token_hash("phone")])
        assert is_closed(sockets, "phone")
        assert not is_closed(sockets, "tablet")
        everybody = SocketRegistry()
        everybody.cut_person(PEOPLE[0].id)
        assert is_closed(everybody, "tablet")

    asyncio.run(story())


def test_where_no_notice_comes_another_server_finds_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rookery.server.app.CHECK_EVERY", 0.2)

    async def story() -> None:
        with served() as here:
            ann, phone = here.browser("Ann"), here.browser()
            code = table_for(ann)
            link = ann.post("/api/session/return").json()["token"]
            phone.post("/api/return", json={"token": link})
            async with line(here, ann, code) as own, line(here, phone, code) as ended:
                # As a server does that has this one's database and not its sockets.
                store = here.registry.store
                [gone] = await store.sign_out(
                    ann.get("/api/session").json()["person"], token_hash(token_of(ann))
                )
                assert gone == token_hash(token_of(phone))
                assert (await ended.hear_type("closing"))["code"] == NO_SESSION
                assert (await own.do(type="chat", text="here"))["type"] == "ack"

    asyncio.run(story())


def test_whose_session_had_expired_by_a_wrong_clock_comes_back_by_the_right_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("rookery.server.app.CHECK_EVERY", 0.2)

    async def story() -> None:
        with served() as here:
            ann, store = here.browser("Ann"), here.registry.store
            code, valid = table_for(ann), store.valid

            async def expired(tokens: Collection[str], since: int) -> set[str]:
                return await valid(tokens, since + 400 * DAY)

            async with line(here, ann, code) as own:
                monkeypatch.setattr(store, "valid", expired)
                assert (await own.hear_type("closing"))["code"] == NO_SESSION
            monkeypatch.setattr(store, "valid", valid)
            async with line(here, ann, code) as again:
                assert (await again.do(type="chat", text="here"))["type"] == "ack"

    asyncio.run(story())


class Many(list[str]):
    """Sessions of which each may be looked at once: others' sockets wait meanwhile."""

    def __contains__(self, one: object) -> bool:
        raise AssertionError("all of them are gone through, for each socket")


def test_whoever_ends_thousands_of_sessions_makes_nobody_wait() -> None:
    async def story() -> None:
        sockets = SocketRegistry()
        assert not is_closed(sockets, "phone")
        sockets.cut_sessions(Many(map(token_hash, ("phone", "tablet"))))
        assert is_closed(sockets, "phone")

    asyncio.run(story())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_link_that_a_session_asks_for_while_it_is_ended_is_good_for_nothing(
    kind: str, tmp_path: Path
) -> None:
    async def story() -> None:
        store: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "db")
        ann = PEOPLE[0]
        await store.add_person(ann, "here", 1)
        await store.add_token(ann.id, "phone", 1, "Safari · iPhone")
        await store.add_return(ann.id, "before", 100, "phone")
        assert await store.tokens(ann.id, 0, 9) == [
            Token("here", 1, 1),
            Token("phone", 1, 1, "Safari · iPhone"),
        ]
        assert await store.valid({"here", "phone", "nobody's"}, 0) == {"here", "phone"}
        assert await store.sign_out(ann.id, "here") == ["phone"]
        await store.add_return(ann.id, "after", 100, "phone")
        for link in ("before", "after"):
            assert await store.take_return(link, 5, Token(link, 5, 5)) is None
        assert await store.valid({"here", "phone", "after"}, 0) == {"here"}
        assert await store.valid({"here"}, 1) == set()
        # The control: by a session that lasts it is good, once, for a session that is kept.
        await store.add_return(ann.id, "good", 100, "here")
        assert await store.take_return("good", 5, Token("new", 5, 5, "x")) == ann
        assert await store.take_return("good", 5, Token("newer", 5, 5)) is None
        assert [one.hash for one in await store.tokens(ann.id, 0, 9)] == ["new", "here"]
        await store.close()

    asyncio.run(story())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_passkey_is_kept_once_for_a_session_that_lasts_and_so_many_at_most(
    kind: str, tmp_path: Path
) -> None:
    async def story() -> None:
        store: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "db")
        await store.add_person(PEOPLE[0], "here", 1)
        # The last two are asked for at once, as by two devices that were both told there is room.
        for name, challenge, by, kept in (
            ("one", "first", "signed out", False),
            ("one", "first", "here", True),
            ("one", "second", "here", False),
            ("two", "first", "here", False),
            ("two", "third", "here", True),
            ("three", "fourth", "here", False),
        ):
            passkey = Passkey(name, PEOPLE[0].id, "handle", "key", 0, 1, 1)
            assert await store.add_passkey(passkey, Challenge(challenge, 9), by, 2) == kept, name
        assert [one.credential for one in await store.passkeys(PEOPLE[0].id)] == ["one", "two"]
        await store.close()

    asyncio.run(story())


def test_the_list_is_bounded() -> None:
    async def story() -> None:
        here = Here(buckets=no_limits())
        async with here.person("Ann") as ann:
            person = (await ann.get("/api/session")).json()["person"]
            for number in range(60):
                await here.store.add_token(person, f"{number:064x}", here.registry.clock.now())
            assert len((await ann.get("/api/sessions")).json()) == 50
            assert len((await ann.delete("/api/sessions")).json()) == 1

    asyncio.run(story())
