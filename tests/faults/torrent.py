"""How long others wait beside guests who say the smallest thing there is, as fast as it goes."""

from __future__ import annotations

import asyncio
import contextlib
import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.history import History
from tests.faults.load import open_socket
from tests.faults.people import Network, Person, Seating, arrive, gathering
from tests.faults.serving import Server

LOUD = 3  # guests
FRAME = b"\x81\x82\0\0\0\0{}"  # the smallest message that is one
PIECE = 8_192 * FRAME
BACK = 1.0  # seconds until who was cut off is back
EVERY = 0.05  # seconds between two looks at a line that takes no more
ASKED = 0.12  # seconds between two questions of the others: a socket may ping 60 times a minute
LONGEST = 120.0  # seconds that an answer may take


@dataclass
class Torrent:
    """What came of it.

    Attributes:
        waits: milliseconds from each question of somebody who behaves to its answer.
        said: how many bytes the loud ones have got rid of.
        cut: how often one of them was cut off.
    """

    waits: list[float] = field(default_factory=list)
    said: int = 0
    cut: int = 0


async def torrent(folder: Path, seconds: float, build: str = "sound", seed: int = 1) -> Torrent:
    """Have somebody ask a server for a sign of life beside guests who do not stop talking."""
    server, found, rng = Server(folder, build), Torrent(), Random(seed)
    network = Network(lambda: server.url, lambda: server.port)
    await server.start()
    try:
        (ann,) = await gathering(network, rng, "kd_tournament", 1, "brisk", 0)
        code = ann.at.history.code
        loud = [
            await arrive(network, f"Loud {number}", rng, Seating(History(code), 4))
            for number in range(LOUD)
        ]
        until = time.perf_counter() + seconds

        def over() -> bool:
            return time.perf_counter() >= until

        async with asyncio.TaskGroup() as group:
            group.create_task(_asks(server, ann, over, found))
            for one in loud:
                group.create_task(_talks(server, one, over, found))
    finally:
        await server.end()
    return found


async def _asks(server: Server, who: Person, over: Callable[[], bool], found: Torrent) -> None:
    line = await open_socket(server, who)
    try:
        while not over():
            began = time.perf_counter()
            async with asyncio.timeout(LONGEST):
                await (await line.ping())
            found.waits.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(ASKED)
    finally:
        line.transport.abort()
        await line.wait_closed()


async def _talks(server: Server, who: Person, over: Callable[[], bool], found: Torrent) -> None:
    """Talk, without an answer to the goodbye, and come back when the line is cut."""
    while not over():
        with contextlib.suppress(OSError, TimeoutError):
            reading, writing = await asyncio.open_connection("127.0.0.1", server.port)
            writing.write(_hello(server, who))
            listening = asyncio.create_task(_listens(reading))
            try:
                while not over() and not listening.done():
                    writing.write(PIECE)
                    async with asyncio.timeout(EVERY):
                        await writing.drain()
                    found.said += len(PIECE)
            except TimeoutError:
                # The line takes no more for now; what it has is enough, until it is cut.
                await _ended(listening, over)
            finally:
                found.cut += listening.done()
                listening.cancel()
                writing.transport.abort()
        await asyncio.sleep(BACK)


async def _ended(listening: asyncio.Task[None], over: Callable[[], bool]) -> None:
    while not over() and not listening.done():
        await asyncio.wait([listening], timeout=EVERY)


async def _listens(reading: asyncio.StreamReader) -> None:
    with contextlib.suppress(OSError):
        while await reading.read(65_536):
            pass


def _hello(server: Server, who: Person) -> bytes:
    lines = (
        f"GET /ws/{who.at.history.code} HTTP/1.1",
        f"Host: 127.0.0.1:{server.port}",
        f"Origin: {server.url}",
        f"Cookie: {who.cookie}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {b64encode(bytes(16)).decode()}",
        "",
        "",
    )
    return "\r\n".join(lines).encode()
