"""Asking to be forgotten, over the network: at every table, and not too often."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any, cast

import httpx
import pytest
from tests.server.http.served import HOME, Here, line, served, table_for

from rookery.server.api.state import AppState
from rookery.server.app import _note
from rookery.server.cluster.pubsub import Ended, Gone, Notice, SignedOut
from rookery.server.http.ratelimit import Buckets
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection, Outbox
from rookery.server.names import token_hash
from rookery.server.table import commands as cm
from rookery.server.table.state import Who


def test_what_was_said_at_a_table_that_was_watched_goes_too() -> None:
    async def story() -> None:
        with served() as here:
            ann, bob = here.browser("Ann"), here.browser("Marigold")
            code = table_for(ann)
            async with line(here, ann, code) as one, line(here, bob, code) as watching:
                await watching.do(type="chat", text="I am Marigold")
                await watching.do(type="report", seat=0, reason="so says Marigold")
                assert bob.delete("/api/session").json()["person"] is None
                assert (await watching.hear_type("closing"))["code"] == 4003
                # Nobody else is disconnected: the table comes anew, over the same line.
                again = await one.hear_type("welcome")
                assert "Marigold" not in str(again)
                assert [said["text"] for said in again["chat"]] == ["..."]
                assert (await one.do(type="chat", phrase="hello"))["type"] == "ack"
            assert "Marigold" not in repr(vars(here.registry.store))

    asyncio.run(story())


def test_an_address_is_not_forgotten_all_the_time() -> None:
    async def story() -> None:
        here = Here(buckets=Buckets())
        transport = httpx.ASGITransport(app=here.app, client=("203.0.113.5", 1))
        found = []
        async with httpx.AsyncClient(
            transport=transport, base_url=HOME, headers={"origin": HOME}
        ) as eve:
            for _ in range(4):
                (await eve.post("/api/session", json={"name": "Eve"})).raise_for_status()
                found.append((await eve.delete("/api/session")).status_code)
            assert found == [200, 200, 200, 429]
            assert (await eve.get("/api/session")).json()["name"] == "Eve"

    asyncio.run(story())


async def told(state: AppState, notice: Notice) -> None:
    """Return once a server has done what it does on a notice of another one."""
    before = asyncio.all_tasks()
    _note(state, notice)
    while new := asyncio.all_tasks() - before:
        await asyncio.wait(new)


@pytest.mark.parametrize("asked", [False, True])
def test_who_is_to_be_forgotten_is_believed_of_the_store_and_not_of_a_notice(asked: bool) -> None:
    async def story() -> None:
        async with Here().running() as here, here.person("Marigold") as bob:
            state: AppState = cast(Any, here.app)._app.state.rookery
            code = (await bob.post("/api/tables", json={})).json()["code"]
            who = Who((await bob.get("/api/session")).json()["person"], "Marigold")
            actor = await here.registry.place(code)
            assert isinstance(actor, Actor)
            line = actor.connect(who)
            [token] = bob.cookies.values()
            state.sockets.opened(token, line, actor)
            for command in (cm.Hello(), cm.Chat("c", text="I am Marigold")):
                actor.take(line, command)
            await actor._queue.join()
            if asked:
                await here.store.forget(who.id, here.registry.clock.now())
            await told(state, Gone(who.id))
            assert (actor.table.lines[0].said.text == "I am Marigold") != asked
            assert (actor.table.seat_of(who.id) is None) == asked
            assert line.outbox.ended == asked

    asyncio.run(story())


@pytest.mark.parametrize("over", [False, True])
def test_a_session_is_over_by_the_store_and_not_by_a_notice(over: bool) -> None:
    async def story() -> None:
        async with Here().running() as here, here.person("Ann") as ann:
            state: AppState = cast(Any, here.app)._app.state.rookery
            [token] = ann.cookies.values()
            if over:
                await here.store.drop_token(token_hash(token))
            await told(state, Ended(token_hash(token)))
            line, nowhere = Connection(Who("p", "Ann"), Outbox(), set()), cast(Actor, None)
            state.sockets.opened(token, line, nowhere)
            assert line.outbox.ended == over

    asyncio.run(story())


@pytest.mark.parametrize("over", [False, True])
def test_sessions_are_signed_out_by_the_store_and_not_by_a_notice(over: bool) -> None:
    async def story() -> None:
        async with Here().running() as here, here.person("Ann") as ann:
            state: AppState = cast(Any, here.app)._app.state.rookery
            who = Who((await ann.get("/api/session")).json()["person"], "Ann")
            lines, nowhere = {}, cast(Actor, None)
            for token in ("phone", "tablet"):
                await here.store.add_token(who.id, token_hash(token), here.registry.clock.now())
                lines[token] = Connection(who, Outbox(), set())
                state.sockets.opened(token, lines[token], nowhere)
            if over:
                await here.store.sign_out(who.id, token_hash("tablet"))
            for but in (token_hash("tablet"), "0" * 64):  # the other one is not the store's word
                await told(state, SignedOut(who.id, but))
            assert [line.outbox.ended for line in lines.values()] == [over, False]

    asyncio.run(story())


@pytest.mark.parametrize("here_too", [False, True])
def test_on_a_sign_out_the_store_is_asked_for_no_more_than_the_sockets_here(
    here_too: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every server hears of everybody who signs out, and there may be several databases."""
    asked = list[str]()

    async def valid(tokens: Collection[str], since: int) -> set[str]:
        asked.append("valid")
        return set(tokens)

    async def unfinished() -> list[str]:
        asked.append("unfinished")
        return []

    async def story() -> None:
        async with Here().running() as here:
            state: AppState = cast(Any, here.app)._app.state.rookery
            monkeypatch.setattr(here.store, "valid", valid)
            monkeypatch.setattr(here.store, "unfinished", unfinished)
            if here_too:
                line = Connection(Who("p", "Ann"), Outbox(), set())
                state.sockets.opened("phone", line, cast(Actor, None))
            await told(state, SignedOut("p", "0" * 64))

    asyncio.run(story())
    assert asked == ["valid"] * here_too
