"""A program at a table that speaks `rookery-bot/1` through the table's socket."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx
import pytest
from tests.bots.messages import faults_of
from tests.server.http.served import (
    PATIENCE,
    QUICK,
    Served,
    cookies,
    first_legal,
    line,
    served,
    table_for,
)
from tests.server.memory.store import MemoryStore
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.store.base import StoreError, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.table import events as ev


@contextlib.asynccontextmanager
async def program(
    here: Served, browser: httpx.Client, code: str, protocol: str = "rookery-bot/1"
) -> AsyncIterator[ClientConnection]:
    """Open a socket as a program does that speaks the bots' protocol."""
    url = f"{here.url.replace('http', 'ws', 1)}/ws/{code}?protocol={protocol}"
    async with connect(
        url, origin=Origin(here.url), additional_headers=cookies(browser), compression=None
    ) as socket:
        yield socket


async def heard(socket: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(PATIENCE):
        told = dict(json.loads(await socket.recv()))
    assert faults_of(told) == []
    return told


async def until(socket: ClientConnection, kind: str) -> list[dict[str, Any]]:
    """Return all that is told up to a message of a kind."""
    found = [await heard(socket)]
    while found[-1]["type"] != kind:
        found.append(await heard(socket))
    return found


async def answer(socket: ClientConnection, asked: dict[str, Any], action: str) -> None:
    await socket.send(json.dumps({"id": asked["id"], "action": action, "why": "a field of mine"}))


async def played(socket: ClientConnection) -> list[dict[str, Any]]:
    """Play what is legal to the end; return all that was told."""
    told: list[dict[str, Any]] = []
    while not told or told[-1]["type"] != "bye":
        told.append(await heard(socket))
        if told[-1]["type"] == "act":
            await answer(socket, told[-1], first_legal(told[-1]))
    return told


def test_a_program_sits_down_plays_a_match_and_is_told_its_end() -> None:
    async def story(here: Served) -> list[dict[str, Any]]:
        ann, robin = here.browser("Ann"), here.browser("Robin")
        code = table_for(ann, rules=QUICK, bots=["papa", "papa"])
        async with line(here, ann, code) as one, program(here, robin, code) as socket:
            playing = asyncio.create_task(played(socket))
            while one.table["seats"][3]["name"] != "Robin":
                await one.hear()
            await one.do(type="start")
            await one.do(type="leave")
            return await playing

    with served() as here:
        told = asyncio.run(story(here))
    kinds = [message["type"] for message in told]
    assert kinds[:2] == ["hello", "hand"]
    assert (told[0]["protocol"], told[0]["seat"]) == (1, 3)
    assert told[0]["rules"]["options"]["target"] == 60
    assert kinds[-1] == "bye"
    assert set(kinds) == {"hello", "hand", "event", "act", "result", "bye"}
    assert kinds.count("hand") == kinds.count("result")
    asked = [message for message in told if message["type"] == "act"]
    assert [message["id"] for message in asked] == list(range(1, len(asked) + 1))
    for message in asked:
        assert message["legal"] == message["view"]["legal"]
        assert message["view"]["to_act"] == message["view"]["seat"] == 3
        assert message["deadline_ms"] > 0
    done = [message["score"] for message in told if message["type"] == "result"]
    assert any(score is not None and len(score) == 4 for score in done)
    hidden = [
        one["event"]
        for one in told
        if one["type"] == "event"
        and one["event"]["verb"] == "discard"
        and one["event"]["seat"] != 3
    ]
    assert all(event["text"] is None for event in hidden)


def test_what_is_no_answer_changes_nothing_and_it_is_asked_again() -> None:
    async def story(here: Served) -> None:
        robin = here.browser("Robin")
        code = table_for(robin, rules=QUICK, clock=30)
        async with line(here, robin, code) as one:
            await one.do(type="start")
        async with program(here, robin, code) as socket:
            asked = (await until(socket, "act"))[-1]
            assert 20_000 < asked["deadline_ms"] <= 30_000
            table = here.registry._actors[code].table
            await answer(socket, asked, "win")
            told = [await heard(socket), await heard(socket)]
            assert (told[0]["type"], told[0]["code"]) == ("refused", "bad-action")
            again = {**asked, "id": asked["id"] + 1, "deadline_ms": told[1]["deadline_ms"]}
            assert told[1] == again
            assert again["deadline_ms"] <= asked["deadline_ms"]
            await answer(socket, asked, first_legal(asked))  # of the question before
            for text in ("", "null", "pass", '{"id":"x"}', '{"id":2}', "x" * 4000):
                await socket.send(text)
                assert (await heard(socket))["type"] == "refused", text
            assert here.registry._actors[code].table is table
            await answer(socket, told[1], first_legal(asked))
            assert (await until(socket, "event"))[-1]["event"]["seat"] == asked["view"]["seat"]

    with served() as here:
        asyncio.run(story(here))


def test_a_fresh_turn_has_its_whole_time_by_whatever_clock_the_server_goes() -> None:
    """The machine's clock may be put right after the server's start; its timers do not follow."""

    async def story(here: Served) -> None:
        robin = here.browser("Robin")
        code = table_for(robin, rules=QUICK, clock=30)
        async with line(here, robin, code) as one:
            await one.do(type="start")
        async with program(here, robin, code) as socket:
            assert 20_000 < (await until(socket, "act"))[-1]["deadline_ms"] <= 30_000

    with served() as here:
        here.registry.clock.set(here.registry.clock.wall() - 20_000)
        asyncio.run(story(here))


LONGER = {**QUICK, "target": 300}  # so that there are hands to ask for


class Failing(MemoryStore):
    """A store that fails each time a hand is asked for, but for the third time."""

    def __init__(self) -> None:
        super().__init__()
        self.tries: Counter[str] = Counter()

    async def append(
        self, row: TableRow, entries: Sequence[ev.Entry], lease: Lease = UNOWNED
    ) -> None:
        client = entries[0].client
        if client is not None and isinstance(entries[0].event, ev.Ready):
            self.tries[client] += 1
            if self.tries[client] < 3:
                raise StoreError("the disk is full")
        await super().append(row, entries, lease)


def test_alone_with_bots_it_plays_on_though_the_store_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story(here: Served) -> None:
        ann, robin = here.browser("Ann"), here.browser("Robin")
        code = table_for(ann, rules=LONGER, bots=["papa", "papa"])
        async with line(here, ann, code) as one, program(here, robin, code) as socket:
            playing = asyncio.create_task(played(socket))
            while one.table["seats"][3]["name"] != "Robin":
                await one.hear()
            await one.do(type="start")
            await one.do(type="leave")
            told = await playing
        assert [one["type"] for one in told].count("result") > 1
        assert not [one for one in told if one["type"] == "refused"]

    store = Failing()
    monkeypatch.setattr("rookery.server.http.websocket.AGAIN", 0.01)
    with served(store) as here:
        asyncio.run(story(here))
    assert store.tries
    assert set(store.tries.values()) == {3}


def test_it_is_shown_what_a_person_in_its_seat_is_shown() -> None:
    async def story(here: Served) -> None:
        robin = here.browser("Robin")
        code = table_for(robin, rules=QUICK)
        async with line(here, robin, code) as one:
            await one.do(type="start")
            async with program(here, robin, code) as socket:
                asked = (await until(socket, "act"))[-1]
                while one.table["seq"] < here.registry._actors[code].table.seq:
                    await one.hear()
                assert asked["view"] == one.table["view"]

    with served() as here:
        asyncio.run(story(here))


def test_a_table_that_is_full_and_a_protocol_that_there_is_not_end_it() -> None:
    async def story(here: Served) -> None:
        ann, robin = here.browser("Ann"), here.browser("Robin")
        code = table_for(ann, rules=QUICK, bots=["papa"] * 3)
        async with program(here, robin, code) as socket:
            told = await until(socket, "bye")
            assert [one.get("code") for one in told] == ["table-full", 1000]
        async with program(here, robin, code, "rookery-bot/2") as socket:
            assert json.loads(await socket.recv())["code"] == 4006  # said by the table itself
            with pytest.raises(ConnectionClosed):
                await heard(socket)

    with served() as here:
        asyncio.run(story(here))


def test_it_lets_others_take_back_and_plays_a_claim_out() -> None:
    async def story(here: Served) -> list[str]:
        ann, robin = here.browser("Ann"), here.browser("Robin")
        # Unhurried bots: what nobody has answered yet can be asked back.
        code = table_for(ann, rules=QUICK, bots=["papa", "papa"], pace="brisk")
        async with line(here, ann, code) as one, program(here, robin, code) as socket:
            playing = asyncio.create_task(played(socket))
            while one.table["seats"][3]["name"] != "Robin":
                await one.hear()
            await one.do(type="start")
            closed: list[str] = []
            while len(closed) < 1:
                view = one.table["view"]
                if view and view["to_act"] == 0 and view["legal"]:
                    # Both at once: whatever the machine does, nobody answers in between.
                    seq, action = one.table["seq"], first_legal(view)
                    await one.say(type="act", id=f"a{seq}", action=action, seen=seq)
                    if (await one.do(type="undo"))["type"] == "ack":
                        while not closed:
                            told = await one.hear_type("update")
                            closed += [
                                str(event["accepted"])
                                for event in told["events"]
                                if event["type"] == "vote_closed"
                            ]
                else:
                    await one.hear()
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)
            return closed

    with served() as here:
        assert asyncio.run(story(here)) == ["True"]


def test_one_that_is_too_fast_is_asked_again_later() -> None:
    async def story(here: Served) -> None:
        robin = here.browser("Robin")
        code = table_for(robin, rules=QUICK)
        async with line(here, robin, code) as one:
            await one.do(type="start")
        async with program(here, robin, code) as socket:
            told = await until(socket, "act")
            for _ in range(2):
                await answer(socket, told[-1], "win")
                told = await until(socket, "act")
            refused = [one["code"] for one in told if one["type"] == "refused"]
            assert refused == ["too-fast"]

    rates = dict(RATES) | {"play": Rate(1, 1, 1)}
    # By a clock that stands still, so that the second try comes too soon on a slow machine too.
    with served(buckets=Buckets(rates, lambda: 0.0)) as here:
        asyncio.run(story(here))
