"""What is sent while somebody else's command is done: it hurts nobody, and nobody pays twice."""

from __future__ import annotations

import asyncio
import gc
import socket
import struct
import sys
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from weakref import ref

import pytest
from tests.server.http.served import (
    PATIENCE,
    Line,
    Served,
    cookies,
    first_legal,
    served,
    table_for,
)
from tests.server.http.served import line as line_of
from tests.server.http.test_lines import closed
from uvicorn.protocols.http.h11_impl import H11Protocol
from websockets.asyncio.client import connect
from websockets.typing import Origin

from rookery.server.http import protocols
from rookery.server.http.packed import Packed
from rookery.server.http.protocols import PacedWebSocket
from rookery.server.http.ratelimit import Buckets
from rookery.server.http.websocket import _TableSocket
from rookery.server.live.connection import Frame, Outbox
from rookery.server.table.commands import LONGEST
from rookery.server.work import ACCOUNT

AWAY = "203.0.113.7"


async def seated(here: Served, names: str, **headers: str) -> list[Line]:
    """Return the deflated sockets of people who sit down at a new table, in this order."""
    lines = list[Line]()
    browsers = [here.browser(name) for name in names.split()]
    code = table_for(browsers[0])
    for browser in browsers:
        socket = await connect(
            f"{here.url.replace('http', 'ws', 1)}/ws/{code}",
            origin=Origin(here.url),
            additional_headers={**cookies(browser), **headers},
            open_timeout=PATIENCE,
            proxy=None,
        )
        lines.append(line := Line(socket))
        await line.say(type="hello")
        await line.hear_type("welcome")
        if line is not lines[0]:  # whoever makes a table sits at it
            assert (await line.do(type="sit"))["type"] == "ack"
    return lines


def beside_somebody_broken(monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether a change reaches all but somebody to whom nothing can be sent."""
    made, broken = list[Packed](), list[Packed]()
    begin, deflated = Packed.__init__, Packed.deflated

    def begun(self: Packed, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401  (as the original)
        begin(self, *args, **kwargs)
        made.append(self)

    def tried(self: Packed, data: bytes) -> bytes | None:
        if self in broken:
            raise ValueError("it cannot be deflated")
        return deflated(self, data)

    monkeypatch.setattr(Packed, "__init__", begun)
    monkeypatch.setattr(Packed, "deflated", tried)

    async def story(here: Served) -> bool:
        ann, bob, cid = lines = await seated(here, "Ann Bob Cid")
        broken.append(made[1])
        assert (await ann.do(type="table", title="Kitchen"))["type"] == "ack"
        refusals = 0
        for line in (ann, cid):
            await line.say(type="ping")
            refusals += (await line.hear_type("pong", "refused"))["type"] == "refused"
        told = not refusals and cid.table["title"] == ann.table["title"] == "Kitchen"
        if told:
            assert await closed(bob) is None  # the line is cut
        for line in lines:
            line.socket.transport.abort()
        return told

    with served() as here:
        return asyncio.run(story(here))


def test_to_whom_nothing_can_be_sent_is_closed_and_the_others_hear_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert beside_somebody_broken(monkeypatch)


def at_once(self: _TableSocket, frame: Frame, _since: float | None) -> bool:
    """Send whatever can be sent, whoever pays and whatever fails."""
    assert self._say is not None
    return self._say(frame.written())


def test_the_control_what_fails_in_the_step_of_another_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_TableSocket, "_at_once", at_once)
    assert not beside_somebody_broken(monkeypatch)


def paid_by_others(monkeypatch: pytest.MonkeyPatch, kind: str) -> list[bool]:
    """Return of each text that is said at once, after a chat or an act, whether somebody pays."""
    paid, at_once = list[bool](), _TableSocket._at_once

    def noted(self: _TableSocket, frame: Frame, since: float | None) -> bool:
        paid.append(ACCOUNT.get() is not None)  # first, as it may be heard before this goes on
        if not (said := at_once(self, frame, since)):
            paid.pop()
        return said

    monkeypatch.setattr(_TableSocket, "_at_once", noted)

    async def story(here: Served) -> list[bool]:
        lines = await seated(here, "Ann Bob Cid Dan", **{"x-forwarded-for": AWAY})
        assert (await lines[0].do(type="start"))["type"] == "ack"
        for line in lines:
            while line.table.get("view") is None:
                await line.hear()
        by = next(one for one in lines if one.table["view"]["to_act"] == one.table["you"])
        action = first_legal(by.table["view"])
        paid.clear()
        if kind == "chat":
            await by.do(type="chat", text="hello")
        else:
            await by.do(type="act", action=action, seen=by.table["seq"])
        for line in lines:
            await line.hear_type("chat" if kind == "chat" else "update")
        for line in lines:
            line.socket.transport.abort()
        return list(paid)

    with served(public_url="http://localhost:1") as here:
        return asyncio.run(story(here))


def test_an_act_is_told_to_four_at_once_and_nobody_pays_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert paid_by_others(monkeypatch, "act")[:5] == [False] * 5  # and to whoever acted, an `ack`


def test_what_somebody_pays_for_is_told_by_those_who_hear_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not paid_by_others(monkeypatch, "chat")


def test_the_control_who_tells_at_once_pays_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_TableSocket, "_at_once", at_once)
    assert True in paid_by_others(monkeypatch, "chat")


def test_who_sits_at_a_table_hears_others_though_their_address_owes_much() -> None:
    buckets = Buckets()

    async def story(here: Served) -> None:
        [ann] = await seated(here, "Ann", **{"x-forwarded-for": AWAY})
        buckets.pay("processor", AWAY, PATIENCE)
        async with line_of(here, here.browser("Bob"), ann.table["code"]) as bob:
            await bob.do(type="chat", text="hello")
        assert (await ann.hear_type("chat"))["text"] == "hello"
        ann.socket.transport.abort()

    with served(buckets=buckets, public_url="http://localhost:1") as here:
        asyncio.run(story(here))


@contextmanager
def uncollected() -> Iterator[None]:
    """Have Python find no garbage by itself."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def still_there(kept: Sequence[ref[Any]], patience: float) -> list[str]:
    """Return what of this has not gone after so many seconds."""
    until = time.monotonic() + patience
    while (found := [one() for one in kept if one() is not None]) and time.monotonic() < until:
        del found
        await asyncio.sleep(0.02)
    return [type(one).__name__ for one in found]


def left_of_a_line(monkeypatch: pytest.MonkeyPatch, patience: float = PATIENCE) -> list[str]:
    """Return what is still there of a line that was closed, without a look for garbage."""
    kept = list[ref[Any]]()
    for kind in (PacedWebSocket, _TableSocket, Outbox):
        begin = kind.__init__

        def begun(self: Any, *args: Any, begin: Any = begin, **kwargs: Any) -> None:  # noqa: ANN401
            begin(self, *args, **kwargs)
            kept.append(ref(self))

        monkeypatch.setattr(kind, "__init__", begun)
    made = PacedWebSocket.connection_made

    def connected(self: PacedWebSocket, transport: asyncio.Transport) -> None:
        made(self, transport)
        kept.append(ref(transport))

    monkeypatch.setattr(PacedWebSocket, "connection_made", connected)

    async def story(here: Served) -> list[str]:
        (ann,) = await seated(here, "Ann")
        assert (await ann.do(type="table", title="Kitchen"))["type"] == "ack"
        await ann.socket.close()
        return await still_there(kept, patience)

    with uncollected(), served() as here:
        found = asyncio.run(story(here))
    assert len(kept) == 4
    return found


def asked(where: str, said: bytes, *, cut: bool) -> None:
    """Say something on a connection, and close it once there is an answer; `cut` resets it."""
    host, port = where.split(":")
    with socket.create_connection((host, int(port)), PATIENCE) as line:
        line.sendall(said)
        assert line.recv(4096).startswith(b"HTTP/1.1 ")
        if cut:
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def left_of_requests(monkeypatch: pytest.MonkeyPatch, patience: float = PATIENCE) -> list[str]:
    """Return what is still there of connections that asked for something and were closed."""
    kept = list[ref[Any]]()
    made = H11Protocol.connection_made

    def connected(self: H11Protocol, transport: asyncio.Transport) -> None:
        made(self, transport)
        kept.extend((ref(self), ref(transport)))

    sound = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
    with uncollected(), served() as here:
        monkeypatch.setattr(H11Protocol, "connection_made", connected)
        where = here.url.removeprefix("http://")
        for said, cut in ((sound, False), (sound, True), (b"no request\r\n\r\n", False)):
            asked(where, said, cut=cut)
        found = asyncio.run(still_there(kept, patience))
    assert len(kept) == 6
    return found


def left_of_too_much(monkeypatch: pytest.MonkeyPatch, patience: float = PATIENCE) -> list[str]:
    """Return what is still there of a line on which more was said than a message may have."""
    kept = list[ref[Any]]()
    made = PacedWebSocket.connection_made

    def connected(self: PacedWebSocket, transport: asyncio.Transport) -> None:
        made(self, transport)
        kept.extend((ref(self.conn), ref(transport)))

    monkeypatch.setattr(PacedWebSocket, "connection_made", connected)

    async def story(here: Served) -> list[str]:
        (ann,) = await seated(here, "Ann")
        await ann.socket.send("x" * (2 * LONGEST))
        await ann.socket.wait_closed()
        return await still_there(kept, patience)

    with uncollected(), served() as here:
        return asyncio.run(story(here))


def left_of_a_cut_line(
    monkeypatch: pytest.MonkeyPatch,
    patience: float = PATIENCE,
    parser: Callable[[Generator[None]], Any] = lambda parser: parser,
) -> list[str]:
    """Return what is still there of a line that the other side reset in the middle of a message."""
    kept = list[ref[Any]]()
    made = PacedWebSocket.connection_made

    def connected(self: PacedWebSocket, transport: asyncio.Transport) -> None:
        made(self, transport)
        self.conn.parser = parser(self.conn.parser)
        kept.extend((ref(self.conn), ref(transport)))

    monkeypatch.setattr(PacedWebSocket, "connection_made", connected)

    async def story(here: Served) -> list[str]:
        (ann,) = await seated(here, "Ann")
        ann.socket.transport.write(b"\x81\xfe")  # the head of a frame, cut off
        await asyncio.sleep(0.1)
        ann.socket.transport.abort()
        return await still_there(kept, patience)

    with uncollected(), served() as here:
        found = asyncio.run(story(here))
    assert len(kept) == 2
    return found


LEFT = (left_of_a_line, left_of_a_cut_line, left_of_requests, left_of_too_much)


@pytest.mark.parametrize("left", LEFT)
def test_nothing_is_left_of_a_connection_that_was_closed(
    left: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python looks for garbage ever more rarely, the more is there."""
    assert left(monkeypatch) == []


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="asyncio lets go of them by itself")
@pytest.mark.parametrize("left", LEFT)
def test_the_control_transports_hold_themselves(
    left: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "_untie", lambda _transport: None)
    assert set(left(monkeypatch, 0.5)) == {"_SelectorSocketTransport"}


@pytest.mark.parametrize(
    ("left", "stays"),
    [(left_of_requests, "LimitedHttp"), (left_of_too_much, "ServerProtocol")],
)
def test_the_control_errors_hold_where_they_came_from(
    left: Callable[..., list[str]], stays: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "_forget", lambda _error: None)
    assert stays in left(monkeypatch, 0.5)


def test_the_control_a_wait_for_the_next_request_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(H11Protocol, "_unset_keepalive_if_required", lambda _self: None)
    assert "LimitedHttp" in left_of_requests(monkeypatch, 0.5)


class Waiting:
    """A parser that nobody can end: the control."""

    def __init__(self, parser: Generator[None]) -> None:
        self._parser = parser

    def __next__(self) -> None:
        next(self._parser)

    def close(self) -> None:
        """Go on waiting."""


def test_the_control_a_parser_waits_for_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ServerProtocol" in left_of_a_cut_line(monkeypatch, 0.5, Waiting)
