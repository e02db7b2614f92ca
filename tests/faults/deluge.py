"""How long others wait while one address asks for pages, files or the server's health without end.

Who behaves changes the title of a table, so that it is the time of an event that is durable.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from tests.faults.load import open_socket
from tests.faults.people import Network, Person, gathering
from tests.faults.serving import Server
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

PATHS: Final = ("/", "/static/app.js", "/readyz", "/healthz")
LINES: Final = 64
HOSTS: Final = 8
EVERY: Final = 0.6  # seconds between two commands of a host, near to what the limits allow
OWNER: Final = "198.51.100.99"  # where somebody is who has a seat at a table that is awake
LONGEST: Final = 120.0  # seconds that an answer may take
_ASKER: Final = Path(__file__).with_name("asker.py")


@dataclass
class Deluge:
    """What came of it.

    Attributes:
        waits: milliseconds from each command of somebody who behaves to its acknowledgement.
        answers: how many answers of each status the one who asks without end has had.
        cut: how often a line of theirs was closed.
        busy: for how many seconds the server had a core meanwhile.
        seconds: how long it was.
        share: how much of a core the server took.
    """

    waits: list[float] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    cut: int = 0
    busy: float = 0.0
    seconds: float = 0.0

    @property
    def share(self) -> float:
        return self.busy / self.seconds


async def deluge(
    folder: Path,
    path: str | None,
    seconds: float,
    build: str = "sound",
    seed: int = 1,
    lines: int = LINES,
    more: Mapping[str, Any] | None = None,
    hosts: int = HOSTS,
    awake: tuple[str, str] | None = None,
) -> Deluge:
    """Have hosts change their tables beside somebody who asks for `path` over so many lines.

    None is nobody: what it is like without. `more` is what `asker` makes a request of. A table may
    be awake meanwhile, by its code and the cookie of somebody with a seat there.
    """
    server, found, rng = Server(folder, build), Deluge(), Random(seed)
    server.believe_proxies()
    network = Network(lambda: server.url, lambda: server.port)
    await server.start()
    try:
        people = [
            (await gathering(network, rng, "kd_tournament", 1, "brisk", number))[0]
            for number in range(hosts)
        ]
        for number, host in enumerate(people):
            host.home = f"198.51.100.{number}"
        words = json.dumps({**(more or {}), "origin": server.url})
        async with (
            _awake(server, awake),
            _asked(server, path, seconds, lines, found, words),
        ):
            spent, began = busy(server.pid), time.perf_counter()
            until = began + seconds
            async with asyncio.TaskGroup() as group:
                for number, host in enumerate(people):
                    # One after another, so that there is always one of them who waits.
                    late = number * EVERY / hosts
                    over = functools.partial(_over, until)
                    group.create_task(_changes(server, host, late, over, found))
            found.seconds = time.perf_counter() - began
            found.busy = busy(server.pid) - spent
    finally:
        await server.end()
    return found


def busy(pid: int) -> float:
    """Return for how many seconds a process has had a core; Linux only.

    Raises:
        OSError: there is no such process, or no Linux.
    """
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _over(until: float) -> bool:
    return time.perf_counter() >= until


async def _changes(
    server: Server, who: Person, late: float, over: Callable[[], bool], found: Deluge
) -> None:
    line = await open_socket(server, who)
    try:
        await asyncio.sleep(late)
        number = 0
        while not over():
            number += 1
            asked = {"type": "table", "id": f"t{number}", "title": f"Evening {number}"}
            began = time.perf_counter()
            await line.send(json.dumps(asked))
            async with asyncio.timeout(LONGEST):
                assert await _answer(line, asked["id"]) == "ack"
            found.waits.append(1000 * (time.perf_counter() - began))
            await asyncio.sleep(EVERY)
    finally:
        line.transport.abort()
        await line.wait_closed()


async def _answer(line: ClientConnection, command: str) -> str:
    while True:
        message = json.loads(await line.recv())
        if message.get("id") == command:
            return str(message["type"])


@contextlib.asynccontextmanager
async def _awake(server: Server, table: tuple[str, str] | None) -> AsyncIterator[None]:
    if table is None:
        yield
        return
    more = {"cookie": table[1], "x-forwarded-for": OWNER}
    where, origin = f"ws://127.0.0.1:{server.port}/ws/{table[0]}", Origin(server.url)
    async with connect(where, origin=origin, additional_headers=more, proxy=None) as line:
        await line.send('{"type":"hello"}')
        assert json.loads(await line.recv())["type"] == "welcome"
        hearing = asyncio.create_task(_hear(line))
        yield
        hearing.cancel()


async def _hear(line: ClientConnection) -> None:
    async for _ in line:
        pass


@contextlib.asynccontextmanager
async def _asked(
    server: Server, path: str | None, seconds: float, lines: int, found: Deluge, more: str
) -> AsyncIterator[None]:
    """Have a program ask for `path` for so many seconds; what came of it is kept at the end."""
    if path is None:
        yield
        return
    words = (sys.executable, str(_ASKER), str(server.port), path, str(seconds), str(lines))
    pipe = asyncio.subprocess.PIPE
    asking = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe)
    try:
        assert asking.stdin is not None
        assert asking.stdout is not None
        asking.stdin.write(more.encode())
        asking.stdin.write_eof()
        assert await asking.stdout.readline() == b"begun\n"
        yield
        told = json.loads((await asking.communicate())[0])
    finally:
        if asking.returncode is None:
            asking.kill()
            await asking.communicate()
    found.cut += told["cut"]
    found.answers.update({int(status): count for status, count in told["answers"].items()})
