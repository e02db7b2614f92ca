"""A load balancer that remembers nobody: each new line goes to the next server that takes it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from tests.server.http.served import spare_port


class Balancer:
    """One address for several servers.

    Attributes:
        port: where it listens.
        down: ports of servers that its health checks have found out.
        carried: how many lines each server has had.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        """Send lines to these ports of this machine, in turns."""
        self.port = spare_port()
        self.down: set[int] = set()
        self.carried = dict.fromkeys(ports, 0)
        self._next = 0
        self._server: asyncio.Server | None = None
        self._lines: dict[asyncio.Task[None], int] = {}

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Begin to listen."""
        self._server = await asyncio.start_server(self._come, "127.0.0.1", self.port)

    def cut(self, port: int) -> None:
        """Send nobody to a server any more, and hang up on all who are there."""
        self.down.add(port)
        for task, there in list(self._lines.items()):
            if there == port:
                task.cancel()

    async def close(self) -> None:
        """Hang up on everybody."""
        if self._server is not None:
            self._server.close()
        for task in list(self._lines):
            task.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)

    def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._carry(reader, writer))
        self._lines[task] = 0
        task.add_done_callback(lambda done: self._lines.pop(done, None))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there = await self._open()
            if there is None:
                return
            port, back, out = there
            task = asyncio.current_task()
            assert task is not None
            self._lines[task] = port
            self.carried[port] += 1
            try:
                ways = {asyncio.create_task(_pour(reader, out))}
                ways.add(asyncio.create_task(_pour(back, writer)))
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                out.transport.abort()
        finally:
            writer.transport.abort()

    async def _open(self) -> tuple[int, asyncio.StreamReader, asyncio.StreamWriter] | None:
        ports = [port for port in self.carried if port not in self.down]
        self._next += 1
        for step in range(len(ports)):
            port = ports[(self._next + step) % len(ports)]
            with contextlib.suppress(OSError):
                return port, *await asyncio.open_connection("127.0.0.1", port)
        return None


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
