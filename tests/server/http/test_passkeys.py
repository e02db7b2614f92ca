"""Passkeys: one more way back to the same person, and for nobody else."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.clock import HandTurnedClock
from tests.server.http.authenticator import Authenticator, Wrong, read, written
from tests.server.http.served import Here
from tests.server.memory.store import MemoryStore
from webauthn.helpers import decode_credential_public_key

from rookery.server.api.links import Links
from rookery.server.api.problems import PROBLEMS
from rookery.server.registry import passkeys
from rookery.server.registry.passkeys import ALGORITHMS, ANSWERED_IN, MOST, Passkeys, Site
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import DAY, Settings
from rookery.server.store.base import Store
from rookery.server.store.sqlite import SqliteStore

LOCAL = "http://localhost:8000"
NO = (403, {"error": {"code": "bad-passkey", "reason": PROBLEMS["bad-passkey"].reason}})


class Place:
    """A server on this machine, asked for by its name, and its clock."""

    def __init__(self, store: Store | None = None, settings: Settings | None = None) -> None:
        self.clock = HandTurnedClock()
        made = settings or Settings()
        registry = TableRegistry(store or MemoryStore(), made, clock=self.clock)
        self.here = Here(made, registry=registry)

    def browser(self, base: str = LOCAL) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app=self.here.app, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=base, headers={"origin": base})

    @asynccontextmanager
    async def person(self, name: str, base: str = LOCAL) -> AsyncIterator[httpx.AsyncClient]:
        async with self.browser(base) as browser:
            (await browser.post("/api/session", json={"name": name})).raise_for_status()
            yield browser


async def asked(browser: httpx.AsyncClient, path: str) -> dict[str, Any]:
    answer = await browser.post(path)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def kept(browser: httpx.AsyncClient, key: Authenticator) -> None:
    """Keep a passkey of somebody's."""
    body = key.made(await asked(browser, "/api/passkeys/wanted"))
    answer = await browser.post("/api/passkeys", json=body)
    assert answer.status_code == 200, answer.text


async def shown(
    browser: httpx.AsyncClient, key: Authenticator, wrong: Wrong | None = None
) -> httpx.Response:
    """Return the answer to somebody who shows a passkey."""
    challenge = await asked(browser, "/api/return/wanted")
    body = key.shown(challenge, wrong or Wrong())
    return await browser.post("/api/return/passkey", json=body)


def told(answer: httpx.Response) -> tuple[int, Any]:
    assert "set-cookie" not in answer.headers or answer.status_code == 200
    return answer.status_code, answer.json()


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
@pytest.mark.parametrize("counts", [True, False], ids=["counts", "does not count"])
def test_a_passkey_brings_its_person_back_as_often_as_they_like(
    kind: str, counts: bool, tmp_path: Path
) -> None:
    async def story() -> None:
        store: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "db")
        place, key = Place(store), Authenticator(LOCAL, counts)
        async with place.person("Ann") as ann, place.person("Bob") as bob:
            wanted = await asked(ann, "/api/passkeys/wanted")
            me = (await ann.get("/api/session")).json()
            assert me["passkeys"] is True
            assert (wanted["site"], wanted["name"], wanted["have"]) == ("localhost", "Ann", [])
            # What the device keeps of Ann says nothing of her.
            assert me["person"] not in str(read(wanted["handle"]))
            assert len(read(wanted["handle"])) == 32
            await kept(ann, key)
            assert (await asked(ann, "/api/passkeys/wanted"))["have"] == [written(key.credential)]
            for _ in range(3):
                place.clock.turn(DAY)
                async with place.browser() as phone:
                    assert told(await shown(phone, key)) == (200, me)
                    assert (await phone.get("/api/session")).json() == me
            [listed] = (await ann.get("/api/passkeys")).json()
            assert listed["used"] - listed["made"] == 3 * DAY
            assert len((await ann.get("/api/sessions")).json()) == 4
            # Whoever was somebody else in that browser is not any more.
            before = bob.cookies["rookery"]
            assert told(await shown(bob, key)) == (200, me)
            async with place.browser() as other:
                other.cookies.set("rookery", before)
                assert (await other.get("/api/session")).json()["person"] is None
        await store.close()

    asyncio.run(story())


def far(_: dict[str, Any]) -> str:
    return written(secrets.token_bytes(56))


def late(asked: dict[str, Any]) -> str:
    """Return a challenge whose time was put off."""
    bare = bytearray(read(asked["challenge"]))
    bare[22] ^= 1
    return written(bytes(bare))


WRONG: dict[str, Callable[[dict[str, Any]], Wrong]] = {
    "a challenge of nobody's": lambda asked: Wrong(challenge=far(asked)),
    "a challenge that was changed": lambda asked: Wrong(challenge=late(asked)),
    "no challenge": lambda _: Wrong(challenge="AA"),
    "another origin": lambda _: Wrong(origin="http://localhost:8001"),
    "another site's page": lambda _: Wrong(origin="https://evil.example"),
    "another name": lambda _: Wrong(site="evil.example"),
    "a passkey that is being made": lambda _: Wrong(kind="webauthn.create"),
    "a frame of another site": lambda _: Wrong(crossed=True),
    "nobody there": lambda _: Wrong(flags=0),
    "a flipped bit": lambda _: Wrong(flipped=True),
    "the same count": lambda _: Wrong(count=1),
    "a count that goes back": lambda _: Wrong(count=0),
    "a passkey that nobody has": lambda _: Wrong(credential=secrets.token_bytes(16)),
    "a person that nobody is": lambda _: Wrong(handle=written(secrets.token_bytes(32))),
}


@pytest.mark.parametrize("fault", WRONG)
def test_whatever_is_wrong_is_refused_alike(fault: str) -> None:
    async def story() -> None:
        place, key = Place(), Authenticator(LOCAL)
        async with place.person("Ann") as ann, place.browser() as eve:
            await kept(ann, key)
            challenge = await asked(eve, "/api/return/wanted")
            body = key.shown(challenge, WRONG[fault](challenge))
            assert told(await eve.post("/api/return/passkey", json=body)) == NO
            # The control: but for that it is good, and the challenge is not used up by a failure.
            body = key.shown(challenge)
            assert told(await eve.post("/api/return/passkey", json=body))[0] == 200

    asyncio.run(story())


def test_a_challenge_is_answered_once_and_soon_and_for_one_purpose() -> None:
    async def story() -> None:
        place, key = Place(), Authenticator(LOCAL, counts=False)
        async with place.person("Ann") as ann, place.browser() as eve:
            await kept(ann, key)
            challenge = await asked(eve, "/api/return/wanted")
            body = key.shown(challenge)
            assert told(await eve.post("/api/return/passkey", json=body))[0] == 200
            # Neither the same answer nor another one to it.
            for again in (body, key.shown(challenge)):
                assert told(await eve.post("/api/return/passkey", json=again)) == NO
            for milliseconds, good in ((ANSWERED_IN - 1, True), (ANSWERED_IN, False)):
                challenge = await asked(eve, "/api/return/wanted")
                place.clock.turn(milliseconds)
                answer = await eve.post("/api/return/passkey", json=key.shown(challenge))
                assert (told(answer) == NO) is not good
            wanted = await asked(ann, "/api/passkeys/wanted")
            answer = await eve.post("/api/return/passkey", json=key.shown(wanted))
            assert told(answer) == NO

    asyncio.run(story())


def test_somebody_elses_passkey_makes_nobody_that_person() -> None:
    async def story() -> None:
        place, own, hers = Place(), Authenticator(LOCAL), Authenticator(LOCAL)
        async with place.person("Eve") as eve, place.person("Ann") as ann:
            await kept(eve, own)
            await kept(ann, hers)
            for wrong in (
                Wrong(credential=hers.credential),
                Wrong(credential=hers.credential, handle=hers.handle),
                Wrong(handle=hers.handle),
            ):
                assert told(await shown(eve, own, wrong)) == NO
            # Nor is a passkey kept for another person, or under a name that is taken.
            challenge = await asked(ann, "/api/passkeys/wanted")
            body = Authenticator(LOCAL).made(challenge)
            assert told(await eve.post("/api/passkeys", json=body)) == NO
            challenge = await asked(eve, "/api/passkeys/wanted")
            body = Authenticator(LOCAL).made(challenge, Wrong(credential=hers.credential))
            assert told(await eve.post("/api/passkeys", json=body)) == NO
            # Nobody removes another person's.
            [listed] = (await ann.get("/api/passkeys")).json()
            left = (await eve.delete(f"/api/passkeys/{listed['id']}")).json()
            assert [one["id"] for one in left] != [listed["id"]]
            assert len((await ann.get("/api/passkeys")).json()) == 1
            assert told(await shown(eve, hers))[1]["name"] == "Ann"  # the control

    asyncio.run(story())


@pytest.mark.parametrize("fault", [*WRONG][:9])
def test_what_is_no_new_passkey_of_mine_is_not_kept(fault: str) -> None:
    async def story() -> None:
        place, key = Place(), Authenticator(LOCAL)
        async with place.person("Ann") as ann:
            wanted = await asked(ann, "/api/passkeys/wanted")
            wrong = WRONG[fault](wanted)
            if wrong.kind is not None:
                wrong.kind = "webauthn.get"
            body = key.made(wanted, wrong)
            assert told(await ann.post("/api/passkeys", json=body)) == NO
            # With certificates, or of a kind that needs them; nobody asked for any.
            for said in ({"fmt": "packed", "attStmt": {"x5c": [b"x"]}}, {"fmt": "tpm"}):
                body = key.made(wanted, **said)
                assert told(await ann.post("/api/passkeys", json=body)) == NO
            assert (await ann.get("/api/passkeys")).json() == []
            body = key.made(wanted)
            assert told(await ann.post("/api/passkeys", json=body))[0] == 200
            body = Authenticator(LOCAL).made(wanted)
            assert told(await ann.post("/api/passkeys", json=body)) == NO

    asyncio.run(story())


def test_a_person_has_ten_at_most_and_removes_each() -> None:
    async def story() -> None:
        place, keys = Place(), [Authenticator(LOCAL) for _ in range(MOST)]
        async with place.person("Ann") as ann, place.browser() as phone:
            early = await asked(ann, "/api/passkeys/wanted")
            for key in keys:
                await kept(ann, key)
            assert len({key.handle for key in keys}) == 1
            answer = await ann.post("/api/passkeys/wanted")
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "passkeys-full")
            body = Authenticator(LOCAL).made(early)
            assert told(await ann.post("/api/passkeys", json=body)) == NO
            listed = (await ann.get("/api/passkeys")).json()
            left = (await ann.delete(f"/api/passkeys/{listed[0]['id']}")).json()
            assert left == listed[1:]
            good = [told(await shown(phone, key))[0] for key in keys]
            assert sorted(good) == [200] * (MOST - 1) + [403]

    asyncio.run(story())


def test_who_is_signed_out_keeps_no_passkey_and_who_asks_is_forgotten() -> None:
    async def story() -> None:
        place, key, late_one = Place(), Authenticator(LOCAL), Authenticator(LOCAL)
        async with place.person("Ann") as ann, place.browser() as thief, place.browser() as phone:
            link = (await ann.post("/api/session/return")).json()["token"]
            await thief.post("/api/return", json={"token": link})
            wanted = await asked(thief, "/api/passkeys/wanted")
            await kept(ann, key)
            await ann.delete("/api/sessions")
            answer = await thief.post("/api/passkeys", json=late_one.made(wanted))
            assert answer.status_code == 401
            assert told(await shown(phone, key))[0] == 200
            await ann.delete("/api/session")
            assert told(await shown(phone, key)) == NO
            assert written(key.credential) not in repr(vars(place.here.store))

    asyncio.run(story())


@pytest.mark.parametrize(
    ("settings", "base", "there"),
    [
        (Settings(), LOCAL, True),
        (Settings(), "http://127.0.0.1:8000", False),
        (Settings(), "http://[::1]:8000", False),
        (Settings(public_url="https://rook.example"), "https://rook.example", True),
        (Settings(public_url="https://rook.example"), LOCAL, False),
        (Settings(public_url="http://rook.example"), "http://rook.example", False),
        (Settings(public_url="https://192.0.2.7"), "https://192.0.2.7", False),
    ],
)
def test_passkeys_are_for_secure_pages_that_have_a_name(
    settings: Settings, base: str, there: bool
) -> None:
    async def story() -> None:
        place = Place(settings=settings)
        async with place.person("Ann", base) as ann:
            known = (await ann.get("/api/session")).json()["person"] is not None
            assert known or not there  # a cookie for https does not go over http
            for path in ("/api/return/wanted", *["/api/passkeys/wanted"] * known):
                answer = await ann.post(path)
                assert (answer.status_code == 200) is there, answer.text
                assert there or answer.json()["error"]["code"] == "no-passkeys"

    asyncio.run(story())


def test_a_site_is_a_name_and_never_one_that_somebody_says() -> None:
    links = Links(Settings(public_url="https://rook.example:8443"))
    assert links.site("rook.example:8443") == Site("rook.example", "https://rook.example:8443")
    for host in ("", "evil.example", "rook.example.evil.example", "rook.example@evil", "localhost"):
        assert links.site(host) is None
    for host in ("localhost:8001", "localhost.evil.example:8000", "evil.localhost:8000"):
        assert Links(Settings()).site(host) is None


def test_without_the_package_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Passkeys, "here", False)

    async def story() -> None:
        place = Place()
        async with place.person("Ann") as ann:
            assert (await ann.get("/api/session")).json()["passkeys"] is False
            for path in ("/api/return/wanted", "/api/passkeys/wanted"):
                assert (await ann.post(path)).json()["error"]["code"] == "no-passkeys"
            assert (await ann.get("/api/passkeys")).json() == []

    asyncio.run(story())


def test_to_ask_for_challenges_fills_nothing_and_any_server_takes_the_answer() -> None:
    async def story() -> None:
        store, key = MemoryStore(), Authenticator(LOCAL)
        one, other = Place(store), Place(store)
        async with one.person("Ann") as ann, one.browser() as here, other.browser() as there:
            await kept(ann, key)
            size = len(repr(vars(store)))
            challenges = {(await asked(here, "/api/return/wanted"))["challenge"] for _ in range(99)}
            assert len(challenges) == 99
            assert len(repr(vars(store))) == size
            challenge = await asked(here, "/api/return/wanted")
            body = key.shown(challenge)
            assert told(await there.post("/api/return/passkey", json=body))[0] == 200
            assert told(await here.post("/api/return/passkey", json=body)) == NO

    asyncio.run(story())


def test_where_nobody_has_a_passkey_a_signature_is_looked_at_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[bytes | None] = []
    count = passkeys._count

    def counted(*words: Any) -> int | None:  # noqa: ANN401
        looked.append(words[3])
        return count(*words)

    monkeypatch.setattr(passkeys, "_count", counted)

    async def story() -> None:
        place, key = Place(), Authenticator(LOCAL)
        async with place.person("Ann") as ann, place.browser() as eve:
            await kept(ann, key)
            key.credential, credential = secrets.token_bytes(16), key.credential
            assert told(await shown(eve, key)) == NO
            key.credential = credential
            assert told(await shown(eve, key, Wrong(flipped=True))) == NO

    asyncio.run(story())
    assert [one is None for one in looked] == [True, False]
    assert decode_credential_public_key(passkeys._nobodys()).alg == ALGORITHMS[0]


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_passkey_lasts_as_long_as_its_person(kind: str, tmp_path: Path) -> None:
    async def story() -> None:
        store: Store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "db")
        place, key, idle = Place(store), Authenticator(LOCAL), Authenticator(LOCAL)
        async with place.person("Ann") as ann, place.browser() as phone:
            await kept(ann, key)
            await kept(ann, idle)
            # Somebody who comes by the cookie alone keeps the passkeys.
            for _ in range(3):
                place.clock.turn(200 * DAY)
                assert (await ann.get("/api/session")).json()["name"] == "Ann"
                now = place.clock.now()
                await store.expire(now - 400 * DAY, now)
            assert told(await shown(phone, key))[0] == 200
            assert len((await ann.get("/api/passkeys")).json()) == 2
            # Who stays away is not found by one, and then not there.
            place.clock.turn(395 * DAY)
            assert told(await shown(phone, key)) == NO
            person = await store.passkey(written(key.credential))
            assert person is not None
            place.clock.turn(10 * DAY)
            now = place.clock.now()
            assert await store.expire(now - 400 * DAY, now)
            assert await store.passkeys(person.person) == []
        await store.close()

    asyncio.run(story())
