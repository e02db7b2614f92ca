"""Lines that ask for nothing, or a byte at a time: cut in time, and only so many of a household."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send
from tests.server.http.served import PATIENCE
from uvicorn.protocols.http.h11_impl import H11Protocol

from rookery.server.counters import Tally
from rookery.server.http.protocols import HEAD_WAIT, PROXY_KEEP, SOCKETS, ConnectionLimits
from rookery.server.http.ratelimit import CONNECTIONS_PER_HOUSEHOLD
from rookery.server.live.sockets import SOCKETS_PER_HOUSEHOLD, SocketRegistry
from rookery.server.monitoring.logs import OF_STRANGERS
from rookery.server.serving import configured
from rookery.server.settings import Settings

WHOLE = b"GET / HTTP/1.1\r\nhost: here\r\n\r\n"
SOCKET = (
    WHOLE[:-2]
    + b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    + b"sec-websocket-key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n"
)
AWAY = "203.0.113.5"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await asyncio.Event().wait()
    await PlainTextResponse("here")(scope, receive, send)


class Line(asyncio.Transport):
    """A line of somebody, as the protocol sees it."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 1), "sockname": ("127.0.0.1", 2)})
        self.said = b""
        self.closed = False
        self.changed = asyncio.Event()

    async def until(self, what: Callable[[], bool]) -> None:
        """Return once something is so."""
        async with asyncio.timeout(PATIENCE):
            while not what():
                self.changed.clear()
                await self.changed.wait()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None: ...

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.said += bytes(data)
        self.changed.set()

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.closed = True
        self.changed.set()

    close = abort

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...


class Door:
    """A server's limits without a network, and its clock in the test's hand."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.config = configured(app, Settings(), limits)
        self.config.load()
        self.state = uvicorn.server.ServerState()
        self._made: Callable[..., asyncio.Protocol] = self.config.http_protocol_class

    def open(self, address: str = AWAY) -> tuple[Line, asyncio.Protocol]:
        made: asyncio.Protocol = self._made(
            config=self.config, server_state=self.state, app_state={}
        )
        line = Line(address)
        made.connection_made(line)
        return line, made


@contextmanager
def quick(wait: float) -> Iterator[tuple[Tally, ConnectionLimits]]:
    tally = Tally()
    yield tally, ConnectionLimits((), tally, most=3, wait=wait)


@pytest.mark.parametrize(
    "said", [[], [b"G"], [b"GET / HTTP/1.1\r\n"], [b"GET / HTTP/1.1\r\nhost: here\r\n"]]
)
def test_a_head_that_does_not_arrive_is_not_waited_for(said: list[bytes]) -> None:
    async def story() -> None:
        with quick(0.05) as (tally, limits):
            line, protocol = Door(limits).open("127.0.0.1")
            for part in said:
                protocol.data_received(part)
            await line.until(lambda: line.closed)
            assert line.said == b""
            assert tally.counts["cut"] == {"too slow": 1}

    asyncio.run(story())


@pytest.mark.parametrize("more", [b"G", b"GET / HTTP/1.1\r\nhost: "])
def test_nor_the_head_of_a_later_request(more: bytes) -> None:
    async def story() -> None:
        with quick(0.05) as (tally, limits):
            line, protocol = Door(limits).open()
            protocol.data_received(WHOLE)
            await line.until(lambda: b"here" in line.said)
            protocol.data_received(more)
            await line.until(lambda: line.closed)
            assert line.said.count(b"HTTP/1.1 200") == 1
            assert tally.counts["cut"] == {"too slow": 1}

    asyncio.run(story())


def test_an_empty_line_between_requests_ends_it() -> None:
    async def story() -> None:
        with quick(PATIENCE) as (_, limits):
            line, protocol = Door(limits).open()
            protocol.data_received(WHOLE)
            await line.until(lambda: b"here" in line.said)
            protocol.data_received(b"\r\n")
            await line.until(lambda: line.closed)

    asyncio.run(story())


def test_whoever_asks_in_pieces_but_in_time_is_answered() -> None:
    async def story() -> None:
        with quick(PATIENCE) as (tally, limits):
            line, protocol = Door(limits).open()
            for _ in range(2):
                for at in range(len(WHOLE)):
                    protocol.data_received(WHOLE[at : at + 1])
                    await asyncio.sleep(0)
                await line.until(lambda: line.said.endswith(b"here"))
                line.said = b""
            assert not line.closed
            assert not tally.counts["cut"]
            protocol.connection_lost(None)

    asyncio.run(story())


def test_one_household_holds_so_many_lines_and_no_other_is_hurt() -> None:
    async def story() -> None:
        with quick(PATIENCE) as (tally, limits):
            door = Door(limits)
            held = [door.open() for _ in range(5)]
            assert [line.closed for line, _ in held] == [False] * 3 + [True] * 2
            assert not door.open("203.0.113.6")[0].closed
            assert not any(door.open("127.0.0.1")[0].closed for _ in range(9))
            for line, protocol in held:
                protocol.connection_lost(ConnectionResetError() if line.closed else None)
            assert len(limits.connections.taken) == 1
            line, protocol = door.open()
            assert not line.closed
            assert tally.counts["cut"] == {"too many": 2}

    asyncio.run(story())


def test_a_line_that_becomes_a_socket_is_counted_as_one_of_those() -> None:
    async def story() -> None:
        with quick(0.01) as (tally, limits):
            door = Door(limits)
            line, protocol = door.open()
            assert len(limits.connections.taken) == 1
            protocol.data_received(SOCKET + b"\r\n")
            assert not limits.connections.taken
            # Its deadline, which has been set before this, would have been over first.
            await asyncio.sleep(0.03)
            assert not tally.counts["cut"]
            assert not line.closed

    asyncio.run(story())


@pytest.mark.parametrize(
    "more",
    [
        b"x: " + b"x" * 9_000 + b"\r\n\r\n",
        b"".join(b"x%d: x\r\n" % n for n in range(200)) + b"\r\n",
        b"content-length: 1\r\n\r\nx",
    ],
    ids=["a long line", "many lines", "a body"],
)
def test_a_socket_that_is_asked_for_by_no_handshake_is_not_waited_for(more: bytes) -> None:
    async def story() -> None:
        with quick(PATIENCE) as (_, limits):
            line, protocol = Door(limits).open()
            protocol.data_received(SOCKET + more)
            assert not limits.connections.taken  # so nobody would count how many are held so
            await line.until(lambda: line.closed)

    asyncio.run(story())


def test_a_line_of_a_proxy_is_kept_until_the_proxy_ends_it() -> None:
    async def story() -> None:
        loop = asyncio.get_running_loop()
        door = Door(ConnectionLimits((f"{AWAY}/32",), tally := Tally(), wait=0.0))
        began = loop.time()
        line, protocol = door.open()
        assert isinstance(protocol, H11Protocol)

        def kept() -> float:
            ends = protocol.timeout_keep_alive_task
            return 0.0 if ends is None else ends.when() - began

        assert kept() >= PROXY_KEEP  # before the first request
        protocol.data_received(WHOLE)
        await line.until(lambda: line.said.endswith(b"here"))
        await line.until(lambda: kept() >= PROXY_KEEP)  # and before the next
        assert not line.closed
        # A head that has begun is waited for as anybody's.
        protocol.data_received(b"G")
        await line.until(lambda: line.closed)
        assert tally.counts["cut"] == {"too slow": 1}

    asyncio.run(story())


def test_nobody_behind_a_proxy_is_counted_as_the_proxy() -> None:
    limits = ConnectionLimits(("203.0.113.0/28", "2001:db8::/32"), Tally())
    assert limits.household((AWAY, 1)) is None
    assert limits.household(("2001:db8:1::5", 1)) is None
    assert limits.household(("203.0.113.77", 1)) == "203.0.113.77"
    assert limits.household(None) is None
    assert limits.household(("::1", 1)) is None


def test_one_household_holds_so_many_sockets() -> None:
    lines = SocketRegistry().households
    assert [lines.take("a") for _ in range(SOCKETS_PER_HOUSEHOLD + 1)].count(True) == (
        SOCKETS_PER_HOUSEHOLD
    )
    assert lines.take("b")
    assert all(lines.take(None) for _ in range(SOCKETS_PER_HOUSEHOLD + 1))
    lines.give_back("a")
    assert lines.take("a")
    assert not lines.take("a")


def test_the_control_uvicorn_alone_waits_for_ever() -> None:
    async def story() -> None:
        config = uvicorn.Config(app, http="h11", log_config=None)
        config.load()
        made: Callable[..., Any] = config.http_protocol_class
        protocol = made(config=config, server_state=uvicorn.server.ServerState(), app_state={})
        line = Line(AWAY)
        protocol.connection_made(line)
        protocol.data_received(b"GET / HTTP/1.1\r\n")
        assert protocol.timeout_keep_alive_task is None

    asyncio.run(story())


def test_the_limits_are_those_of_a_school_and_not_of_a_server() -> None:
    config = configured(app, Settings())
    assert config.limit_concurrency is not None
    assert config.limit_concurrency > 20 * (CONNECTIONS_PER_HOUSEHOLD + SOCKETS_PER_HOUSEHOLD)
    assert config.limit_concurrency >= SOCKETS + 3 * CONNECTIONS_PER_HOUSEHOLD
    assert HEAD_WAIT <= 10


def test_whoever_comes_when_all_is_full_is_told_and_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logging.getLogger("uvicorn.error")  # a server that ran before has set it up
    monkeypatch.setattr(log, "handlers", [caplog.handler])
    monkeypatch.setattr(log, "propagate", False)
    monkeypatch.setattr(log, "filters", [])

    async def story() -> None:
        with quick(PATIENCE) as (tally, limits):
            door = Door(limits)
            door.config.limit_concurrency = 2
            (one, first), (other, second) = door.open(), door.open()
            second.connection_lost(None)
            first.data_received(WHOLE)
            await one.until(lambda: b"here" in one.said)
            assert not tally.counts["cut"]
            other, second = door.open()
            second.data_received(WHOLE)
            await other.until(lambda: other.closed)
            assert other.said.startswith(b"HTTP/1.1 503")
            assert tally.counts["cut"] == {"full": 1}

    asyncio.run(story())
    assert [one.getMessage() for one in caplog.records] == [OF_STRANGERS[-1]]


def test_where_sockets_take_nearly_all_there_is_room_for_pages_and_health() -> None:
    async def story() -> None:
        tally = Tally()
        door = Door(ConnectionLimits((), tally, sockets=8))
        door.config.limit_concurrency = 10
        held = [door.open("127.0.0.1") for _ in range(8)]
        for _, protocol in held:
            protocol.data_received(SOCKET + b"\r\n")
        assert [line.closed for line, _ in held] == [False] * 8
        assert not tally.counts["cut"]
        for _ in range(3):
            line, protocol = door.open("127.0.0.1")
            protocol.data_received(SOCKET + b"\r\n")
            assert line.said.startswith(b"HTTP/1.1 503")
            assert line.closed
            protocol.connection_lost(None)
        assert tally.counts["cut"] == {"full": 3}
        line, protocol = door.open("127.0.0.1")
        protocol.data_received(WHOLE)
        await line.until(lambda: line.said.endswith(b"here"))
        assert line.said.startswith(b"HTTP/1.1 200")
        # As soon as one has gone there is room for another.
        protocol.connection_lost(None)
        door.state.connections.pop()
        line, protocol = door.open("127.0.0.1")
        protocol.data_received(SOCKET + b"\r\n")
        assert not line.closed

    asyncio.run(story())


CHUNKS = b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n"


@pytest.mark.parametrize("said", [b"X\r\n\r\n", WHOLE[:-2] + b"host: there\r\n\r\n"])
def test_what_is_no_request_is_answered_counted_and_cut(said: bytes) -> None:
    async def story() -> None:
        with quick(PATIENCE) as (tally, limits):
            line, protocol = Door(limits).open()
            protocol.data_received(said)
            assert line.said.startswith(b"HTTP/1.1 400")
            assert line.closed
            assert tally.counts["cut"] == {"garbled": 1}

    asyncio.run(story())


@pytest.mark.parametrize("rest", [b"ZZ\r\n\r\n", b"5\r\nhelloXXXX\r\n"])
def test_nor_is_the_rest_of_one_that_was_answered_before_all_had_come(rest: bytes) -> None:
    async def story() -> None:
        with quick(PATIENCE) as (tally, limits):
            line, protocol = Door(limits).open()
            protocol.data_received(CHUNKS)
            await line.until(lambda: b"here" in line.said)
            protocol.data_received(rest)  # there is no second answer, and no fault
            assert line.closed
            assert line.said.count(b"HTTP/1.1") == 1
            assert tally.counts["cut"] == {"garbled": 1}

    asyncio.run(story())
