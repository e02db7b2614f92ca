"""Garbage cannot hurt: the answer is one of the list, and the table is as it was."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Iterator, MutableMapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from tests.server.clock import HandTurnedClock
from tests.server.http.served import HOME, PATIENCE, Here, no_limits
from tests.server.memory.store import MemoryStore
from tests.unicode.halves import BYTES, halved, holds_half

from rookery.server.http import websocket as sockets
from rookery.server.http.websocket import SOCKET_CODES
from rookery.server.live.actor import Actor
from rookery.server.registry.history import history_of
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.projection import snapshot
from rookery.server.table.state import Table

MESSAGES = 5_000  # `scripts/promises` sends many more
PEOPLE = ("Ann", "Bob", "Cy", "Dee")
SAMPLES: list[dict[str, Any]] = [
    {"type": "hello", "seen": 3},
    {"type": "sit", "id": "a", "seat": 1},
    {"type": "start", "id": "t", "bot": "papa"},
    {"type": "act", "id": "b", "seen": 9, "action": "play G5"},
    {"type": "act", "id": "c", "seen": 9, "action": "discard R5 G6 B7 Y8 R9"},
    {"type": "act", "id": "d", "seen": 9, "action": "bid 75"},
    {"type": "arrange", "id": "e", "seats": [1, 0, 2, 3]},
    {"type": "bot", "id": "f", "seat": 2, "bot": None},
    {"type": "replace", "id": "g", "seat": 2},
    {"type": "host", "id": "h", "seat": 9},
    {"type": "stand_in", "id": "q", "seat": 1},
    {"type": "table", "id": "i", "title": "T", "pace": "calm", "clock": 9},
    {"type": "mute", "id": "o", "line": 12, "on": False},
    {"type": "send_away", "id": "p", "line": 12},
    {"type": "vote", "id": "j", "yes": True, "seen": 9},
    {"type": "chat", "id": "k", "text": "hello"},
    {"type": "contribute", "id": "l", "number": 0, "share": "0" * 32},
    {"type": "next", "id": "m", "seen": 9},
    {"type": "undo", "id": "n", "seen": 9},
    {"type": "claim", "id": "t", "seen": 9},
    {"type": "halt", "id": "s", "on": False},
    {"type": "face", "id": "r", "face": "Egret"},
    {"type": "hint"},
    {"type": "ping", "seen": 1},
]
NASTY: list[str | bytes] = [
    "",
    "null",
    "[]",
    "{}",
    '"hello"',
    "1e999",
    "NaN",
    '{"type":"ping","seen":NaN}',
    '{"type":"ping","seen":1e999}',
    '{"type":"ping","seen":' + "9" * 400 + "}",
    '{"type":"ping","seen":true}',
    '{"type":"ping","type":"ping"}',
    '{"type":"sit","id":"a","id":"b"}',
    "[" * 4000,
    '{"a":' * 700,
    '{"type":"act","id":"x","action":"' + "\\u0000" * 40 + '"}',
    '{"type":"act","id":"x","action":"play \\ud800"}',
    '{"type":"chat","id":"x","text":"\\u202e"}',
    '{"type":"__class__","id":"x"}',
    '{"type":"sit","id":"' + "x" * 65 + '"}',
    b"",
    b"\xff\xfe\x00",
    b'{"type":"ping"}',
]


def garbage(dice: Random) -> Iterator[str | bytes]:
    """Yield messages without end, most of them almost right."""
    while True:
        kind = dice.random()
        if kind < 0.1:
            yield dice.choice(NASTY)
        elif kind < 0.2:
            yield dice.randbytes(dice.randrange(64))
        elif kind < 0.25:
            yield json.dumps(halved(dice.choice(SAMPLES), dice))
        else:
            sample = dict(dice.choice(SAMPLES))
            if kind < 0.6:
                field = dice.choice([*sample, "more"])
                sample[field] = dice.choice(
                    [None, -1, 8, 2**53 + 1, 1.5, "", "x" * 301, [], {}, True, "start", [0, 0, 0]]
                )
            text = json.dumps(sample)
            if kind > 0.8:
                letters = list(text)
                for _ in range(dice.randrange(1, 4)):
                    letters[dice.randrange(len(letters))] = chr(dice.randrange(32, 1000))
                text = "".join(letters)
            yield text


class Wire:
    """A socket without a network, one message at a time."""

    def __init__(self, here: Here, code: str, cookie: str) -> None:
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.outbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "path": f"/ws/{code}",
            "raw_path": f"/ws/{code}".encode(),
            "root_path": "",
            "query_string": b"",
            "scheme": "ws",
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 8000),
            "subprotocols": [],
            "headers": [
                (b"host", b"127.0.0.1:8000"),
                (b"origin", HOME.encode()),
                (b"cookie", cookie.encode()),
            ],
        }
        self.inbox.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(self._run(here))

    async def _run(self, here: Here) -> None:
        async def send(message: MutableMapping[str, Any]) -> None:
            self.outbox.put_nowait(dict(message))

        await here.app(self.scope, self.inbox.get, send)
        self.outbox.put_nowait({"type": "ended"})

    async def answers(self, message: str | bytes) -> list[dict[str, Any]]:
        """Return all that is said to a message."""
        kind = "text" if isinstance(message, str) else "bytes"
        self.inbox.put_nowait({"type": "websocket.receive", kind: message})
        self.inbox.put_nowait({"type": "websocket.receive", "text": '{"type":"ping"}'})
        asked = cm.read(message) if isinstance(message, str) else None
        pongs = 1 + isinstance(asked, cm.Ping)
        found = []
        while pongs:
            async with asyncio.timeout(PATIENCE):
                said = await self.outbox.get()
            assert said["type"] == "websocket.send", (message, said)
            answer = json.loads(said["text"])
            pongs -= answer["type"] == "pong"
            found.append(answer)
        return found


async def pelted(messages: int, seed: int) -> tuple[int, int]:
    """Pelt a table with garbage; return how many messages were refused and how many done.

    Of many messages some hold half a surrogate pair, and these have one answer.

    The same people play at another table meanwhile, where nothing may come of it.
    """
    store = MemoryStore()
    registry = TableRegistry(store, Settings(), clock=HandTurnedClock())
    here = Here(registry=registry, buckets=no_limits())
    refused = done = halves = 0
    async with here.running(), AsyncExitStack() as stack:
        people = [await stack.enter_async_context(here.person(name)) for name in PEOPLE]
        ann = people[0]
        other = await _table(ann)
        there = [await _sitting(here, other, one) for one in people]
        await there[0].answers('{"type":"start","id":"start"}')
        code = await _table(ann)
        for person in people[1:3]:
            await _gone(await _sitting(here, code, person))
        wire = await _sitting(here, code, ann)
        actor, elsewhere = registry._actors[code], registry._actors[other]
        apart: Table = elsewhere.table
        assert apart.phase == "playing"
        source = garbage(Random(seed))
        for _ in range(messages):
            before: Table = actor.table
            message = next(source)
            answers = await wire.answers(message)
            codes = [answer["code"] for answer in answers if answer["type"] == "refused"]
            acked = any(answer["type"] == "ack" for answer in answers)
            assert set(codes) <= SOCKET_CODES, f"{message!r} is answered by {codes}"
            refused += len(codes)
            done += acked
            if isinstance(message, str) and holds_half(message):
                assert codes == ["not-unicode"], f"{message!r} is answered by {codes}"
                halves += 1
            if codes and not acked:
                assert actor.table is before, f"{message!r} is refused and does something"
            untouched = elsewhere.table is apart and len(store.events[other]) == apart.seq
            assert untouched, f"{message!r} does something at another table"
        for known, now in ((code, actor.table), (other, apart)):
            again = history_of(await store.read(known)).table
            for seat in (None, 0, 1, 2, 3):
                assert snapshot(again, seat) == snapshot(now, seat)
        for one in (wire, *there):
            await _gone(one)
    assert halves >= messages // 100
    return refused, done


async def _table(host: httpx.AsyncClient) -> str:
    made = await host.post("/api/tables", json={"rules": "kd_tournament", "pace": "instant"})
    return str(made.json()["code"])


async def _sitting(here: Here, code: str, who: httpx.AsyncClient) -> Wire:
    """Return the socket of somebody who sits at a table; whoever made it has done so before."""
    wire = Wire(here, code, f"rookery={who.cookies['rookery']}")
    assert (await wire.outbox.get())["type"] == "websocket.accept"
    await wire.answers('{"type":"hello"}')
    await wire.answers('{"type":"sit","id":"sit"}')
    return wire


async def _gone(wire: Wire) -> None:
    wire.inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})
    await wire.task


@contextmanager
def trusting() -> Iterator[None]:
    """Have a server trust its messages."""

    def believed(text: str, read: object, *, greeted: bool) -> object:
        return cm._COMMANDS.decode(text)

    with patch.object(sockets, "heard", believed):
        yield


@contextmanager
def spilling() -> Iterator[None]:
    """Have what somebody does at one table written to every other table as well."""
    begin, commit = Actor.start, Actor._commit
    known: list[Actor] = []

    def start(self: Actor) -> None:
        known.append(self)
        begin(self)

    async def spilled(
        self: Actor, events: Sequence[ev.Event], client: str | None = None
    ) -> list[ev.Entry]:
        entries = await commit(self, events, client)
        for other in known if client is not None else ():
            if other is not self and other.table.phase == "playing":
                await commit(other, events)
        return entries

    with patch.object(Actor, "start", start), patch.object(Actor, "_commit", spilled):
        yield


@pytest.mark.slow
def test_no_message_breaks_anything() -> None:
    refused, done = asyncio.run(pelted(MESSAGES, seed=1))
    assert refused > MESSAGES // 2
    assert done > MESSAGES // 100


def test_the_control_a_handler_that_trusts_its_messages_is_found_out() -> None:
    with trusting(), pytest.raises((AssertionError, TimeoutError)):
        asyncio.run(pelted(50, seed=1))


def test_the_control_what_is_done_at_another_table_is_found_out() -> None:
    with spilling(), pytest.raises(AssertionError, match="does something at another table"):
        asyncio.run(pelted(200, seed=1))


def test_no_request_is_answered_as_a_fault_of_the_server() -> None:
    dice = Random(5)
    values: list[Any] = [
        None,
        True,
        -1,
        1.5,
        "",
        "x" * 301,
        [],
        {},
        {"base": []},
        ["papa"],
        "\ud800",
    ]
    fields = ("name", "token", "rules", "title", "open", "bots", "pace", "clock", "base", "more")
    parts = ("0", "-1", "9" * 30, "ABCDEF2", "%00", "..", "kd_tournament", "é", "x" * 300, "a b")
    halves: Counter[str] = Counter()

    async def story() -> None:
        async with Here().person("Ann") as ann:
            paths = (await ann.get("/api/openapi.json")).json()["paths"]
            for path, methods in paths.items():
                for method in methods:
                    for _ in range(120):
                        url = path
                        while "{" in url:
                            url = (
                                url[: url.index("{")]
                                + dice.choice(parts)
                                + url[url.index("}") + 1 :]
                            )
                        if dice.random() < 0.3:
                            url += f"?seat={dice.choice(parts)}&match={dice.choice(parts)}"
                        wanted = {dice.choice(fields): dice.choice(values) for _ in range(2)}
                        wanted |= {"rules": dice.choice([*values, "kd_tournament", {"target": 60}])}
                        body = json.dumps(dice.choice([wanted, dice.choice(values)])).encode()
                        broken = dice.choice(BYTES) if dice.random() < 0.1 else ""
                        url += broken
                        if dice.random() < 0.2:
                            body = json.dumps(halved(json.loads(body), dice)).encode()
                        elif dice.random() < 0.2:
                            body = dice.choice([b"", b"[" * 9999, b"\xff", b'{"a":NaN}', body[:-1]])
                        answer = await ann.request(
                            method, url, content=None if method == "get" else body
                        )
                        assert answer.status_code < 500, (method, url, body, answer.text)
                        if broken or (method != "get" and holds_half(body)):
                            assert answer.json()["error"]["code"] == "not-unicode", (url, body)
                            halves[method] += 1
                        if answer.status_code >= 400:
                            assert set(answer.json()["error"]) == {"code", "reason"}

    asyncio.run(story())
    assert halves["get"] > 100
    assert halves["post"] > 100
