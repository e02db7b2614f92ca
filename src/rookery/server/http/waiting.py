"""What a socket waits at and for: a gate, and what has come."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveEvent


class _Waiting:
    """Those who wait for something. Of `asyncio.Event` and `asyncio.Queue` it is what uvicorn uses.

    An empty one of those takes 1 and 3 KiB, and every socket has both.
    """

    __slots__ = ("_futures",)

    def __init__(self) -> None:
        self._futures: list[asyncio.Future[None]] = []

    async def sleep(self) -> None:
        """Wait until the next `wake`."""
        future = asyncio.get_running_loop().create_future()
        self._futures.append(future)
        await future

    def wake(self) -> None:
        """Wake all."""
        woken, self._futures = self._futures, []
        for future in woken:
            if not future.done():
                future.set_result(None)


class Gate(_Waiting):
    """A gate, open at first; `is_open` says whether it is."""

    __slots__ = ("is_open",)

    def __init__(self) -> None:
        super().__init__()
        self.is_open = True

    def set(self) -> None:
        """Open it."""
        self.is_open = True
        self.wake()

    def clear(self) -> None:
        """Close it."""
        self.is_open = False

    async def wait(self) -> None:
        """Return once it is open."""
        while not self.is_open:
            await self.sleep()


class Inbox(_Waiting):
    """What has come, in order."""

    __slots__ = ("_events",)

    def __init__(self) -> None:
        super().__init__()
        self._events: list[ASGIReceiveEvent] = []

    def put_nowait(self, event: ASGIReceiveEvent) -> None:
        """Add something."""
        self._events.append(event)
        self.wake()

    def empty(self) -> bool:
        """Return whether there is nothing."""
        return not self._events

    def qsize(self) -> int:
        """Return how much there is."""
        return len(self._events)

    async def get(self) -> ASGIReceiveEvent:
        """Return the next, once there is one."""
        while not self._events:
            await self.sleep()
        return self._events.pop(0)
