"""Messages on their way to one connection: few may wait, for one that does not read."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from rookery.server.messages import Closing, Message

TOO_SLOW: Final = 4008


class Outbox:
    """A bounded queue that ends with a `Closing`.

    A message that finds no room ends it: what waits is dropped and the connection is told to
    close. The client connects again and is shown everything afresh.

    Attributes:
        ended: whether nothing is added any more.
        since: when that began to which the message that was taken last is the answer, seconds of
            the monotonic clock; None where nobody has to know.
    """

    def __init__(self, limit: int = 64) -> None:
        """Begin empty, with room for `limit` messages."""
        self._limit = limit
        self._waiting: deque[tuple[Message, float | None]] = deque()
        self._filled = asyncio.Event()
        self.ended = False
        self.since: float | None = None

    def put(self, message: Message, since: float | None = None) -> None:
        """Add a message; nothing is added behind the end. `since` is handed on with it."""
        if self.ended:
            return
        if len(self._waiting) >= self._limit:
            self.end(TOO_SLOW, "the connection reads too slowly")
            return
        self._waiting.append((message, since))
        self._filled.set()

    def end(self, code: int, reason: str) -> None:
        """Drop what waits and tell the connection to close."""
        if self.ended:
            return
        self.ended = True
        self._waiting.clear()
        self._waiting.append((Closing(code, reason), None))
        self._filled.set()

    async def get(self) -> Message:
        """Return the next message, in order; after a `Closing` there is none."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        message, self.since = self._waiting.popleft()
        return message

    def __len__(self) -> int:
        return len(self._waiting)
