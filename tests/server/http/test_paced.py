"""However much somebody says at once: it is taken apart a piece at a time, and all is heard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from uvicorn import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from rookery.server.http.protocols import LAST_WORDS, PIECE, SAY, PacedWebSocket
from rookery.server.table.commands import LONGEST

ASKED = (
    b"GET /ws/ABCDEF2 HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
FLOOD = 20_000
FRAME = b"\x81\x82\0\0\0\0{}"  # the smallest message that is one
END = b"\x81\x83\0\0\0\0end"
OFF = b"\x81\x83\0\0\0\0off"
BYE = b"\x81\x83\0\0\0\0bye"


class Wire(asyncio.Transport):
    """A transport that notes what is done with it."""

    def __init__(self) -> None:
        super().__init__()
        self.paused = self.aborted = False
        self.ended = asyncio.Event()
        self.sent = bytearray()

    def write(self, data: Any) -> None:  # noqa: ANN401  (bytes of any kind)
        self.sent += data

    def pause_reading(self) -> None:
        self.paused = True

    def resume_reading(self) -> None:
        self.paused = False

    def is_closing(self) -> bool:
        return self.ended.is_set()

    def close(self) -> None:
        self.ended.set()

    def abort(self) -> None:
        self.aborted = True
        self.ended.set()


class Scene:
    """A line, and an application that hears what is said on it and ends it after ``end``.

    After ``bye`` it ends it and goes, after ``off`` it just goes.
    """

    def __init__(
        self, kind: type[WebSocketsSansIOProtocol] = PacedWebSocket, asked: bytes = ASKED
    ) -> None:
        self.heard: list[str] = []
        self.say: Callable[[bytes], bool] | None = None
        self.accepted = asyncio.Event()
        self.hung_up = asyncio.Event()
        config = Config(
            self.app, interface="asgi3", ws="none", ws_ping_interval=None, ws_max_size=LONGEST
        )
        config.load()
        self.wire, self.line = Wire(), kind(config, ServerState(), {})
        self.line.connection_made(self.wire)
        self.line.data_received(asked)

    async def app(self, scope: Any, receive: Any, send: Any) -> None:  # noqa: ANN401  (ASGI)
        self.say = scope["extensions"].get(SAY)
        await receive()
        await send({"type": "websocket.accept"})
        self.accepted.set()
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(cast(str, message["text"]))
            if message["text"] == "off":
                return
            if message["text"] == "bye":
                await send({"type": "websocket.close", "code": 4029})
                return
            if message["text"] == "end":
                await send({"type": "websocket.close", "code": 4029})
                self.hung_up.set()
                await asyncio.Event().wait()


def flooded(kind: type[WebSocketsSansIOProtocol]) -> int:
    """Return how many messages of a flood a kind of line takes apart in one turn of the loop."""

    async def story() -> int:
        scene = Scene(kind)
        await scene.accepted.wait()
        scene.line.data_received(FLOOD * FRAME + END)
        most = 0
        while not scene.hung_up.is_set():
            most = max(most, scene.line.queue.qsize())
            # Nothing more is asked of the system while something is left of the last time.
            assert scene.wire.paused
            await asyncio.sleep(0)
        assert scene.heard == ["{}"] * FLOOD + ["end"]
        scene.line.connection_lost(None)
        return most

    return asyncio.run(story())


def test_a_flood_is_taken_apart_a_piece_at_a_time_and_all_of_it_is_heard() -> None:
    assert flooded(PacedWebSocket) <= PIECE // len(FRAME) + 1


def test_the_control_a_line_without_turns_takes_all_of_it_at_once() -> None:
    assert flooded(WebSocketsSansIOProtocol) == FLOOD + 1


def test_who_goes_on_after_the_goodbye_is_cut_off() -> None:
    async def story() -> None:
        scene = Scene()
        await scene.accepted.wait()
        scene.line.data_received(END)
        await scene.hung_up.wait()
        scene.line.data_received(FRAME * (LAST_WORDS // len(FRAME)))
        assert not scene.wire.aborted
        scene.line.data_received(FRAME)
        assert scene.wire.aborted
        assert scene.heard == ["end"]
        scene.line.connection_lost(None)

    asyncio.run(story())


@pytest.mark.parametrize("reads", [True, False])
def test_who_reads_nothing_is_cut_off_once_there_is_no_more_to_do_for_them(reads: bool) -> None:
    # By itself the line would stay until the system gives up what it has not sent.
    async def story() -> None:
        scene = Scene()
        await scene.accepted.wait()
        if not reads:
            scene.line.pause_writing()
        scene.line.data_received(OFF)
        await scene.wire.ended.wait()
        assert scene.wire.aborted is not reads
        scene.line.connection_lost(None)

    asyncio.run(story())


def test_who_answers_no_goodbye_is_cut_off_after_a_while() -> None:
    async def story() -> None:
        scene = Scene()
        scene.line.close_timeout = 0.0
        await scene.accepted.wait()
        scene.line.data_received(BYE)
        await scene.wire.ended.wait()
        assert scene.wire.aborted
        scene.line.connection_lost(None)

    asyncio.run(story())


def test_an_answer_to_the_goodbye_behind_much_else_ends_the_line() -> None:
    async def story() -> None:
        scene = Scene()
        await scene.accepted.wait()
        scene.line.data_received(END)
        await scene.hung_up.wait()
        scene.line.data_received(FRAME * 400 + b"\x88\x82\0\0\0\0\x0f\xbd")
        await scene.wire.ended.wait()
        assert not scene.wire.aborted
        scene.line.connection_lost(None)

    asyncio.run(story())


def test_who_says_one_thing_at_a_time_is_never_paused_and_who_says_more_is() -> None:
    async def story() -> None:
        scene = Scene()
        await scene.accepted.wait()
        for _ in range(3):
            scene.line.data_received(FRAME)
            assert not scene.wire.paused
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert scene.heard == ["{}"] * 3
        for paused in (False, True):
            scene.line.data_received(FRAME)
            assert scene.wire.paused == paused
        for _ in range(9):
            await asyncio.sleep(0)
        assert scene.heard == ["{}"] * 5
        assert not scene.wire.paused
        scene.line.connection_lost(None)

    asyncio.run(story())


DEFLATES = ASKED[:-2] + b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"


def test_what_can_be_said_at_once_is_and_nothing_where_somebody_does_not_read() -> None:
    async def story() -> None:
        scene = Scene(asked=DEFLATES)
        assert isinstance(scene.line, PacedWebSocket)
        assert scene.line.scope["extensions"][SAY](b"early") is False  # type: ignore[operator]
        await scene.accepted.wait()
        assert scene.say is not None
        scene.wire.sent.clear()
        assert scene.say(b"{}")
        assert scene.wire.sent == b"\x81\x02{}"
        scene.line.pause_writing()
        assert not scene.say(b"{}")
        scene.line.resume_writing()
        assert scene.say(b"[]")
        scene.line.data_received(END)
        await scene.hung_up.wait()
        scene.wire.sent.clear()
        assert not scene.say(b"too late")
        scene.line.connection_lost(None)
        assert not scene.say(b"too late")
        assert not scene.wire.sent

    asyncio.run(story())


def test_to_whom_nothing_is_deflated_all_is_sent_as_the_base_does() -> None:
    async def story() -> None:
        scene = Scene()
        await scene.accepted.wait()
        assert scene.say is None
        scene.line.connection_lost(None)

    asyncio.run(story())
