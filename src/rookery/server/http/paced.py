"""A socket that is read a piece at a time, however much has come, and hardly at all once closed.

uvicorn takes whatever the system has, up to 256 KiB, apart in one go: of the smallest messages
that takes a third of a second, in which nobody else at any table is served. And it reads on for ten
seconds after it has hung up on somebody.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from uvicorn.config import Config
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent

PIECE: Final = 1024  # bytes that are taken apart in one turn of the loop
LAST_WORDS: Final = 4_096  # bytes that are read of somebody whose line has been closed


class Paced(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, with turns; more is read once all that was read has been heard."""

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Begin with nothing unread."""
        super().__init__(config, server_state, app_state, _loop)
        self._unread = bytearray()
        self._turn: asyncio.Handle | None = None
        self._last = 0

    def data_received(self, data: bytes) -> None:
        """Keep what has come, and begin with it."""
        if self.close_sent:
            self._last += len(data)
            if self._last > LAST_WORDS:
                # Who goes on talking does not wait for an answer to the goodbye either.
                self.transport.abort()
                return
        self._unread += data
        if self._turn is None:
            self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget what was not taken apart."""
        if self._turn is not None:
            self._turn.cancel()
        self._unread.clear()
        super().connection_lost(exc)

    async def receive(self) -> ASGIReceiveEvent:
        """Return the next thing that was said; behind the last one more is taken."""
        message = await self.queue.get()
        self._go_on()
        return message

    def _next(self) -> None:
        self._turn = None
        if self.transport.is_closing():
            self._unread.clear()
            return
        piece = bytes(self._unread[:PIECE])
        del self._unread[:PIECE]
        super().data_received(piece)
        self._go_on()

    def _go_on(self) -> None:
        """Take the next piece in the next turn of the loop, or read on, if all is heard."""
        if self._turn is not None or not (self.queue.empty() or self.close_sent):
            return
        if self._unread:
            self._turn = self.loop.call_soon(self._next)
            if not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()
        elif self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()
