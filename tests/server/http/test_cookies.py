"""Which of the tokens that a browser sends says who somebody is, and which is a guess."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.server.http.served import Here, line, served, table_for, token_of
from tests.server.memory.store import MemoryStore

from rookery.server.api.links import Links
from rookery.server.http.dependencies import SessionCookie
from rookery.server.monitoring.security import SecurityLog
from rookery.server.registry.people import People
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import Store

OTHER = Settings(port=8001)
HTTPS = "https://rook.example"
WRONG = tuple(letter * 43 for letter in "vwxyz")


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the kinds of the security events, as they come."""
    kinds: list[str] = []
    monkeypatch.setattr(SecurityLog, "note", lambda _log, kind, _who: kinds.append(kind))
    return kinds


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the tokens that were looked up, as they come."""
    tokens: list[str] = []
    holder = People.holder

    async def asking(people: People, token: str) -> object:
        tokens.append(token)
        return await holder(people, token)

    monkeypatch.setattr(People, "holder", asking)
    return tokens


def known(
    cookies: list[tuple[str, str]], settings: Settings | None = None, store: Store | None = None
) -> str | None:
    """Return as whom a server knows a browser, its name; None for nobody."""

    async def story() -> str | None:
        held = settings or Settings()
        registry = TableRegistry(store or MemoryStore(), held)
        head = "; ".join(f"{name}={token}" for name, token in cookies)
        async with Here(held, registry=registry).browser() as browser:
            answer = await browser.get("/api/session", headers={"cookie": head})
        me = answer.json()
        # Whoever is known by another name gets the server's own, with the token that is known.
        own, given = SessionCookie(Links(held)).name, answer.headers.get("set-cookie")
        if given is not None:
            name, _, token = given.partition(";")[0].partition("=")
            assert name == own
            assert (name, token) not in cookies
            assert token in dict(cookies).values()
        else:
            assert me["person"] is None or own in dict(cookies)
        return me["name"] or None

    return asyncio.run(story())


def token(store: Store, name: str) -> str:
    """Return the token of a new person."""
    return asyncio.run(People(store).enter(name)).token


@pytest.mark.parametrize(
    "settings", [Settings(), OTHER, Settings(database="x"), Settings(public_url="http://rook.lan")]
)
def test_a_guess_is_noted_under_any_name_by_which_servers_share_people(
    settings: Settings, noted: list[str]
) -> None:
    for wrong in WRONG:
        assert known([("rookery-8009", wrong)], settings) is None
    shares = settings.database is not None or settings.public_url is not None
    assert noted == ["token-guess"] * (len(WRONG) if shares else 0)
    noted.clear()
    assert known([("rookery", WRONG[0])], settings) is None
    assert noted == ["token-guess"]


def test_beside_ones_own_token_as_many_guesses_are_noted_as_are_made(noted: list[str]) -> None:
    store, settings = MemoryStore(), Settings(database="x")
    ann = token(store, "Ann")
    sent = [("rookery-1", ann), ("rookery-2", WRONG[0]), ("rookery-3", WRONG[1])]
    assert known(sent, settings, store) == "Ann"
    assert noted == ["token-guess"] * 2


def test_behind_https_no_other_name_is_looked_up(noted: list[str], asked: list[str]) -> None:
    settings, store = Settings(public_url=HTTPS), MemoryStore()
    ann = token(store, "Ann")
    for name in ("__Host-rookery-8009", "rookery-8009", "rookery"):
        assert known([(name, ann)], settings, store) is None
    assert (asked, noted) == ([], [])
    assert known([("__Host-rookery", WRONG[0])], settings, store) is None
    assert (asked, noted) == ([WRONG[0]], ["token-guess"])
    assert known([("__Host-rookery", ann)], settings, store) == "Ann"


def test_after_a_move_of_one_of_two_servers_both_know_their_people(tmp_path: Path) -> None:
    one, other = MemoryStore(), MemoryStore()
    was, beside, moved = (Settings(data=tmp_path / name) for name in ("was", "beside", "moved"))
    mine, theirs = token(one, "Ann"), token(other, "Zoe")
    old, its = (SessionCookie(Links(each)).name for each in (was, beside))
    for sent in ([(old, mine), (its, theirs)], [(its, theirs), (old, mine)]):
        assert known(sent, moved, one) == "Ann"
        assert known(sent, Settings(database="x"), one) == "Ann"
        assert known(sent, beside, other) == "Zoe"


@pytest.mark.parametrize("stale", ["rookery", "rookery-8001"])
def test_a_token_that_is_nobodys_hides_no_other_one(stale: str) -> None:
    store = MemoryStore()
    ann = token(store, "Ann")
    assert known([(stale, WRONG[0]), ("rookery-8009", ann)], OTHER, store) == "Ann"


def test_of_two_people_nobody_knows_who_is_meant_unless_one_has_the_servers_own_name() -> None:
    store = MemoryStore()
    ann, bob = token(store, "Ann"), token(store, "Bob")
    assert known([("rookery-1", ann), ("rookery-2", bob)], OTHER, store) is None
    assert known([("rookery", ann), ("rookery-2", bob)], OTHER, store) is None
    assert known([("rookery-1", bob), ("rookery-8001", ann)], OTHER, store) == "Ann"

    async def second() -> str:
        people = People(store)
        who = await people.holder(ann)
        assert who is not None
        came = await people.come_back(await people.link(who))
        assert came is not None
        return came.token

    again = asyncio.run(second())
    assert known([("rookery-1", ann), ("rookery-2", again)], OTHER, store) == "Ann"


def test_a_name_that_is_sent_twice_says_nothing() -> None:
    store = MemoryStore()
    ann = token(store, "Ann")
    for name in ("rookery", "rookery-8009", "rookery-8001"):
        for tokens in ((WRONG[0], ann), (ann, WRONG[0])):
            assert known([(name, each) for each in tokens], OTHER, store) is None
            spaced = [(name, tokens[0]), (f"{name} ", tokens[1])]
            assert known(spaced, OTHER, store) is None
    assert known([("rookery", WRONG[0])] * 2 + [("rookery-8009", ann)], OTHER, store) == "Ann"
    assert known([("rookery-8001", WRONG[0])] * 2 + [("rookery-8009", ann)], OTHER, store) is None


def test_four_tokens_at_most_are_looked_up_the_servers_own_first(asked: list[str]) -> None:
    sent = [(f"rookery-{number}", wrong) for number, wrong in enumerate(WRONG)]
    assert known([*sent, ("rookery", "s" * 43), ("rookery-8001", "o" * 43)], OTHER) is None
    assert asked == ["o" * 43, "s" * 43, *WRONG[:2]]


@pytest.mark.parametrize("public", [None, "http://rook.lan"])
def test_a_socket_knows_and_notes_whom_a_request_does(public: str | None, noted: list[str]) -> None:
    async def story() -> None:
        with served(public_url=public) as here:
            ann, eve = here.browser("Ann"), here.browser()
            code = table_for(ann)
            eve.cookies.set("rookery-1", WRONG[0])
            async with line(here, eve, code, hello=False) as opened:
                assert (await opened.hear_type("closing"))["code"] == 4003
            guesses = [] if public is None else ["token-guess"]
            assert noted == guesses
            eve.cookies.set("rookery-2", token_of(ann))
            async with line(here, eve, code, hello=False) as opened:
                await opened.say(type="hello")
                await opened.hear_type("welcome")
            assert noted == guesses * 2

    asyncio.run(story())
