"""A bad network between people and the server: slow, stuck, torn, deaf, and saying things twice."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Literal

ENDS = ("cut", "torn", "torn-back", "half-open", "deaf", "orphan")
LINGER = 1.5  # seconds that the other side of a line stays open when one side is gone


@dataclass(frozen=True)
class Weather:
    """How bad it is.

    Attributes:
        life: seconds that a line lasts, on average.
        late: how likely a piece is to be late, and by how many seconds at the most.
        stuck: how likely a direction is to stand still, and for how many seconds at the most.
        twice: how likely what a client says is to arrive twice, the second time later or at once.
    """

    life: float = 1.0
    late: tuple[float, float] = (0.2, 0.05)
    stuck: tuple[float, float] = (0.01, 0.6)
    twice: float = 0.08


CALM = Weather(1e9, (0.0, 0.0), (0.0, 0.0), 0.0)


class Proxy:
    """A port that leads to the server, through bad weather.

    Attributes:
        port: where to connect.
        weather: how bad it is; new lines and new pieces go by it.
        faults: how often each fault has happened.
    """

    def __init__(self, target: Callable[[], int], weather: Weather, seed: int) -> None:
        """Lead to the port `target()` of this machine."""
        self.port = 0
        self.weather = weather
        self.faults: Counter[str] = Counter()
        self._target, self._rng = target, Random(seed)
        self._listening: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Begin to listen."""
        self._listening = await asyncio.start_server(self._line, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Cut every line and listen no more."""
        if self._listening is not None:
            self._listening.close()
        for task in self._lines:
            task.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._lines.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
                there = await asyncio.open_connection("127.0.0.1", self._target())
                line = _Line(self, self._rng, (reader, writer), there)
                try:
                    await line.run()
                finally:
                    there[1].transport.abort()
        finally:
            writer.transport.abort()
            self._lines.discard(task)


_Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]
_Side = Literal["client", "server"]


class _Line:
    """One connection through the proxy."""

    def __init__(self, proxy: Proxy, rng: Random, client: _Ends, server: _Ends) -> None:
        self._proxy, self._rng = proxy, rng
        self._client, self._server = client, server
        self._end: str | None = None
        self._over = asyncio.Event()

    async def run(self) -> None:
        up = asyncio.create_task(self._up())
        down = asyncio.create_task(self._down())
        end = asyncio.create_task(self._lasting())
        over = asyncio.create_task(self._over.wait())
        tasks = (up, down, end, over)
        try:
            await asyncio.wait((up, down, over), return_when=asyncio.FIRST_COMPLETED)
            if up.done() and not self._over.is_set() and self._end != "orphan":
                # The client is gone; the server may learn of it later.
                await asyncio.sleep(self._rng.uniform(0, LINGER / 3))
            elif self._end == "orphan":
                await asyncio.sleep(LINGER)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _lasting(self) -> None:
        life = self._proxy.weather.life
        await asyncio.sleep(min(1e6, self._rng.expovariate(1 / life)))
        if self._proxy.weather is CALM:
            return
        self._end = end = self._rng.choice(ENDS)
        self._proxy.faults[end] += 1
        if end == "cut":
            self._over.set()
        elif end == "orphan":
            self._client[1].transport.abort()
        elif end in ("half-open", "deaf"):
            await asyncio.sleep(self._rng.uniform(0.5, 2) * LINGER)
            self._over.set()
        else:
            # Torn in the middle of the next piece; there may be none.
            await asyncio.sleep(LINGER)
            self._over.set()

    async def _up(self) -> None:
        """Carry what the client says, whole frames at a time once the handshake is over."""
        reader, writer = self._client[0], self._server[1]
        writer.write(await reader.readuntil(b"\r\n\r\n"))
        while True:
            frame = await _frame(reader)
            if self._end == "deaf":
                continue
            await self._wait()
            if self._end == "torn":
                await self._tear(writer, frame)
                return
            writer.write(frame)
            if self._rng.random() < self._proxy.weather.twice:
                self._proxy.faults["twice"] += 1
                if self._rng.random() < 0.5:
                    writer.write(frame)
                else:
                    asyncio.get_running_loop().call_later(
                        self._rng.uniform(0, 0.5), _again, writer, frame
                    )
            await writer.drain()

    async def _down(self) -> None:
        """Carry what the server says."""
        reader, writer = self._server[0], self._client[1]
        while piece := await reader.read(65536):
            if self._end in ("half-open", "orphan"):
                continue
            await self._wait()
            if self._end == "torn-back":
                await self._tear(writer, piece)
                return
            writer.write(piece)
            await writer.drain()

    async def _tear(self, writer: asyncio.StreamWriter, piece: bytes) -> None:
        writer.write(piece[: self._rng.randrange(1, max(2, len(piece)))])
        with contextlib.suppress(OSError):
            await writer.drain()
        self._over.set()

    async def _wait(self) -> None:
        weather, rng = self._proxy.weather, self._rng
        for name, (chance, longest) in (("late", weather.late), ("stuck", weather.stuck)):
            if rng.random() < chance:
                self._proxy.faults[name] += 1
                await asyncio.sleep(rng.uniform(0, longest))


def _again(writer: asyncio.StreamWriter, frame: bytes) -> None:
    if not writer.is_closing():
        writer.write(frame)


async def _frame(reader: asyncio.StreamReader) -> bytes:
    """Return a client's next WebSocket frame, as it is on the wire."""
    head = await reader.readexactly(2)
    size, extra = head[1] & 127, 0
    if size > 125:
        extra = 2 if size == 126 else 8
        more = await reader.readexactly(extra)
        head, size = head + more, int.from_bytes(more, "big")
    return head + await reader.readexactly(size + (4 if head[1] & 128 else 0))
