"""One socket: what it takes, what it answers, how it comes back and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket

import httpx
import pytest
from tests.server.http.served import (
    PATIENCE,
    Line,
    Served,
    cookies,
    line,
    served,
    table_for,
    wait_for,
)
from tests.server.memory.store import MemoryStore
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from rookery.server import app as server_app
from rookery.server.http import websocket as sockets
from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.live.connection import TOO_SLOW
from rookery.server.live.sockets import AT_THE_DOOR, SOCKETS_PER_PERSON
from rookery.server.store.base import StoreError, Visitor
from rookery.server.table.commands import LONGEST
from rookery.server.table.state import Who


async def closed(one: Line) -> int | None:
    """Return the code with which a socket ends, whatever is said before."""
    try:
        while True:
            await one.hear()
    except ConnectionClosed as ended:
        return None if ended.rcvd is None else ended.rcvd.code


def test_whoever_comes_back_is_shown_everything_in_the_same_seat() -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, code) as one:
            await one.do(type="table", title="Kitchen")
            seen = one.heard[-1]["seq"]
        async with line(here, ann, code, hello=False) as one:
            await one.say(type="hello", seen=seen)
            welcome = await one.hear_type("welcome")
            assert welcome["you"] == 0
            assert welcome["seq"] >= seen
            assert welcome["table"]["title"] == "Kitchen"

    with served() as here:
        asyncio.run(story(here))


def test_what_is_sent_again_is_done_once() -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, code) as one, line(here, ann, code) as tab:
            first = await one.do(type="chat", id="same", text="hello")
            again = await one.do(type="chat", id="same", text="hello")
            other = await tab.do(type="chat", id="same", text="hello")
            assert first == again == other
        assert len(here.registry._actors[code].table.lines) == 1

    with served() as here:
        asyncio.run(story(here))


def test_two_tabs_of_one_person_see_the_same_seat() -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, code) as one, line(here, ann, code) as two:
            await one.do(type="table", title="Kitchen")
            while two.table["title"] != "Kitchen":
                await two.hear_type("update")
            assert one.table["you"] == two.table["you"] == 0
        wait_for(lambda: not here.registry._actors[code].table.chairs[0].here)

    with served() as here:
        asyncio.run(story(here))


def test_of_too_many_tabs_the_oldest_is_closed() -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, code) as oldest:
            tabs = [line(here, ann, code) for _ in range(SOCKETS_PER_PERSON)]
            open_ones = [await tab.__aenter__() for tab in tabs]
            assert await closed(oldest) == 4001
            await open_ones[-1].do(type="table", title="Still here")
            for tab in tabs:
                await tab.__aexit__(None, None, None)

    with served() as here:
        asyncio.run(story(here))


def test_a_table_that_is_not_there_and_a_person_without_a_name() -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, "ZZZZZZZ", hello=False) as one:
            message = await one.hear()
            assert (message["type"], message["code"]) == ("closing", 4004)
            assert await closed(one) == 4004
        async with line(here, here.browser(), code, hello=False) as one:
            assert await closed(one) == 4003
        async with line(here, ann, code.lower()) as one:
            assert one.table["code"] == code

    with served() as here:
        asyncio.run(story(here))


def test_only_text_within_the_limit_is_taken() -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, code) as one:
            await one.socket.send(b'{"type":"ping"}')
            answer = await one.hear_type("refused")
            assert (answer["id"], answer["code"]) == (None, "bad-message")
            await one.socket.send(json.dumps({"type": "chat", "id": "a", "text": "x" * LONGEST}))
            assert await closed(one) == 1009
        async with line(here, ann, code) as one:
            assert one.table["you"] == 0

    with served() as here:
        asyncio.run(story(here))


def test_a_malformed_command_is_refused_under_its_own_id() -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        async with line(here, ann, table_for(ann)) as one:
            for bad in (
                {"type": "act", "action": "x" * 301},
                {"type": "sit", "seat": 9},
                {"type": "sit", "seat": 1, "more": 1},
                {"type": "unheard"},
                {"type": "vote", "yes": "yes"},
            ):
                answer = await one.do(**bad)
                assert answer["code"] == "bad-message", bad

    with served() as here:
        asyncio.run(story(here))


def test_nothing_is_taken_before_hello_and_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sockets, "HELLO_WAIT", PATIENCE)

    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, code, hello=False) as one:
            answer = await one.do(type="table", title="Early")
            assert answer["code"] == "bad-message"
            # From the next message on there is no time left for a greeting.
            monkeypatch.setattr(sockets, "HELLO_WAIT", 0.2)
            await one.say(type="table", id="early", title="Early again")
            assert await closed(one) == 4005
        assert here.registry._actors[code].table.title == ""

    with served() as here:
        asyncio.run(story(here))


def test_a_flood_is_refused_and_then_cut_off_and_the_table_goes_on() -> None:
    # A bucket of five that fills no more, however long the test takes.
    rates = dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | {"chat": Rate(5, 1e9, 5)}

    async def story(here: Served) -> None:
        ann, bob = here.browser("Ann"), here.browser("Bob")
        code = table_for(ann)
        async with line(here, ann, code) as one, line(here, bob, code) as other:
            for number in range(5):
                assert (await one.do(type="chat", text=f"{number}"))["type"] == "ack"
            answer = await one.do(type="chat", text="6")
            assert answer["code"] == "too-fast"
            assert "wait" in answer["reason"]
            with contextlib.suppress(ConnectionClosed):  # it may end before the last of them
                for number in range(30):
                    await one.say(type="chat", id=f"more{number}", text="again")
            assert await closed(one) == 4029
            assert (await other.do(type="chat", text="peace"))["type"] == "ack"
        assert len(here.registry._actors[code].table.lines) == 6

    with served(buckets=Buckets(rates)) as here:
        asyncio.run(story(here))


def test_who_says_hello_too_often_is_closed_and_told_no_about_nothing_else() -> None:
    # Something that was said before, and is done, may be said again behind such a hello.
    rates = dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | {"beat": Rate(1, 1e9, 1)}

    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, code) as one:
            assert (await one.do(type="chat", id="said", text="once"))["type"] == "ack"
        async with line(here, ann, code, hello=False) as again:
            with contextlib.suppress(ConnectionClosed):
                await again.say(type="hello")
                await again.say(type="chat", id="said", text="once")
            assert await closed(again) == 4029
            assert {message["type"] for message in again.heard} <= {"closing"}

    with served(buckets=Buckets(rates)) as here:
        asyncio.run(story(here))


def test_a_flood_of_garbage_is_cut_off() -> None:
    rates = dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | {"garbage": Rate(5, 1e9, 20)}

    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        async with line(here, ann, table_for(ann)) as one:
            with contextlib.suppress(ConnectionClosed):
                for _ in range(25):
                    await one.socket.send("garbage")
            assert await closed(one) == 4029

    with served(buckets=Buckets(rates)) as here:
        asyncio.run(story(here))


@pytest.mark.slow
@pytest.mark.parametrize("compression", [None, "deflate"])
def test_who_does_not_read_is_closed_and_hurts_nobody(
    compression: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "WRITE_WAIT", 0.5)

    async def story(here: Served) -> None:
        ann, bob = here.browser("Ann"), here.browser("Bob")
        code = table_for(ann)
        small = socket.socket()
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        small.connect(("127.0.0.1", int(here.url.rpartition(":")[2])))
        small.setblocking(False)
        deaf = connect(
            f"{here.url.replace('http', 'ws')}/ws/{code}",
            origin=Origin(here.url),
            additional_headers=cookies(bob),
            compression=compression,
            max_queue=1,
            sock=small,
            open_timeout=PATIENCE,
            proxy=None,
        )
        async with line(here, ann, code) as one, deaf as stuck:
            await stuck.send('{"type":"hello"}')
            actor = here.registry._actors[code]
            await stuck.recv()
            stuck.transport.pause_reading()
            for number in range(4000):
                answer = await one.do(type="table", title=f"title {number}")
                assert answer["type"] == "ack"
                if len(actor.company.lines) == 1:
                    break
            wait_for(lambda: len(actor.company.lines) == 1)
            stuck.transport.abort()
            assert here.registry.tally.counts["closed"] == {str(TOO_SLOW): 1}

    with served(outbox=16, unsent=8192) as here:
        asyncio.run(story(here))


def test_a_session_that_has_ended_elsewhere_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_app, "CHECK_EVERY", 0.2)

    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        async with line(here, ann, code) as one:
            here.registry.store._tokens.clear()  # type: ignore[attr-defined]
            assert await closed(one) == 4003

    with served() as here:
        asyncio.run(story(here))


class Dawdling(MemoryStore):
    """A store that takes its time to say who somebody is."""

    now = most = 0

    async def visitor(self, token: str, since: int = 0) -> Visitor | None:
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0.02)
        self.now -= 1
        return await super().visitor(token, since)


def test_a_crowd_comes_in_a_few_at_a_time() -> None:
    store = Dawdling()

    async def story(here: Served) -> None:
        people = [here.browser(f"Person {number}") for number in range(3 * AT_THE_DOOR)]
        code = table_for(people[0])

        async def comes(person: httpx.Client) -> None:
            async with line(here, person, code):
                return

        await asyncio.gather(*map(comes, people))

    with served(store=store) as here:
        asyncio.run(story(here))
    assert store.most == AT_THE_DOOR


class Broken(MemoryStore):
    """A store whose disk has gone once `gone` is set."""

    gone = False

    async def person(self, token: str, since: int = 0) -> Who | None:
        if self.gone:
            raise StoreError("disk I/O error")
        return await super().person(token, since)

    async def ping(self) -> None:
        if self.gone:
            raise StoreError("disk I/O error")


def test_without_its_disk_the_server_says_so_and_nothing_breaks() -> None:
    store = Broken()

    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann)
        store.gone = True
        for path in ("/api/session", "/readyz", "/api/session/statistics"):
            answer = ann.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "not-ready")
        assert ann.get("/healthz").json() == {"ok": True}
        async with line(here, ann, code, hello=False) as one:
            assert await closed(one) == 1013
        store.gone = False
        async with line(here, ann, code) as one:
            assert one.table["you"] == 0

    with served(store=store) as here:
        asyncio.run(story(here))


def test_who_has_no_processor_time_left_plays_on_and_waits_with_all_else() -> None:
    # Whoever comes through a proxy that says nothing of them is of its address.
    away = "127.0.0.1"
    still = Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9)), lambda: 0.0)

    async def story(here: Served) -> None:
        ann, bob = here.browser("Ann"), here.browser("Bob")
        code = table_for(ann, bots=["papa"] * 3)
        # Both are of one address; Ann has a seat, and Bob watches.
        async with line(here, ann, code) as hers, line(here, bob, code) as his:
            assert (await hers.do(type="start"))["type"] == "ack"
            still.pay("processor", away, 2e9)
            await his.say(type="chat", id="his", text="hello")
            await hers.say(type="undo", id="hers")
            answer = await hers.hear_type("ack", "refused")
            assert answer["id"] == "hers"
            await hers.say(type="chat", id="more", text="hello")
            assert here.registry._actors[code].table.lines == ()
            still._filled.clear()
            assert (await his.hear_type("ack"))["id"] == "his"
            assert (await hers.hear_type("ack"))["id"] == "more"
            assert len(here.registry._actors[code].table.lines) == 2

    with served(buckets=still, public_url="http://127.0.0.1:1") as here:
        asyncio.run(story(here))
