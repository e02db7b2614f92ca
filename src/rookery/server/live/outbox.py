"""Messages on their way to one connection: few may wait, for one that does not read."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

from rookery.server.table.messages import Closing, Message, encoded

TOO_SLOW: Final = 4008
ROOM: Final = 65_536  # bytes


class _Waiting:
    """A message that waits, when that began to which it is the answer, and how it is written."""

    __slots__ = ("_written", "message", "since")

    def __init__(self, message: Message, since: float | None) -> None:
        self.message, self.since = message, since
        self._written: bytes | None = None

    def written(self) -> bytes:
        """Return the message as it is sent; it is written once."""
        if self._written is None:
            self._written = encoded(self.message)
        return self._written


class Outbox:
    """A bounded queue that ends with a `Closing`.

    A message that finds no room ends it: what waits is dropped and the connection is told to
    close. The client connects again and is shown everything afresh. There is room while fewer
    than so many messages wait, and fewer than so many bytes; so a message of whatever length is
    taken where nothing waits.

    Attributes:
        ended: whether nothing is added any more.
        since: when that began to which the message that was taken last is the answer, seconds of
            the monotonic clock; None where nobody has to know.
    """

    def __init__(self, limit: int = 64, room: int = ROOM) -> None:
        """Begin empty, with room for `limit` messages and for `room` bytes."""
        self._limit, self._room = limit, room
        # All that wait are weighed but the last: while a client reads there is only the last.
        self._waiting: deque[_Waiting] = deque()
        self._weight = 0
        self._taken: _Waiting | None = None
        self._filled = asyncio.Event()
        self.ended = False
        self.since: float | None = None

    def put(self, message: Message, since: float | None = None) -> None:
        """Add a message; nothing is added behind the end. `since` is handed on with it."""
        if self.ended:
            return
        if self._waiting:
            self._weight += len(self._waiting[-1].written())
            if len(self._waiting) >= self._limit or self._weight >= self._room:
                self.end(TOO_SLOW, "the connection reads too slowly")
                return
        self._waiting.append(_Waiting(message, since))
        self._filled.set()

    def end(self, code: int, reason: str) -> None:
        """Drop what waits and tell the connection to close."""
        if self.ended:
            return
        self.ended = True
        self._waiting.clear()
        self._waiting.append(_Waiting(Closing(code, reason), None))
        self._filled.set()

    async def get(self) -> Message:
        """Return the next message, in order; after a `Closing` there is none."""
        while not self._waiting:
            self._filled.clear()
            await self._filled.wait()
        return self.take()

    def take(self) -> Message:
        """Return the next message that waits.

        Raises:
            IndexError: none does.
        """
        taken = self._waiting.popleft()
        if self._waiting:
            self._weight -= len(taken.written())
        else:
            self._weight = 0
        self._taken, self.since = taken, taken.since
        return taken.message

    def text(self) -> str:
        """Return the message that was taken last as a text frame; it is kept no longer."""
        if self._taken is None:
            raise ValueError("no message was taken")
        taken, self._taken = self._taken, None
        return taken.written().decode()

    def __len__(self) -> int:
        return len(self._waiting)
