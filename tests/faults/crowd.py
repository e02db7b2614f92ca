"""A full house: many tables at once, what they take of memory, and bad guests among them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.guests import Guest, Guests, misbehave
from tests.faults.history import History
from tests.faults.load import Measured, Table, opened, played, seated
from tests.faults.people import Network, Person, Seating, arrive
from tests.faults.serving import Server

BOT = "club"
QUICK = 0.4  # seconds between two moves of one person there, as many as the limits allow
BUSY = 2  # tables more, without a pause: where nobody reads, much is soon unread


@dataclass
class Crowd:
    """What a full house came to.

    Attributes:
        alone: what was timed while everybody behaved.
        beside: what was timed beside bad guests.
        guests: what came of these.
        empty: the server's memory before anybody came, KiB.
        tables: ... with all tables made, and nobody connected.
        sockets: ... with all sockets open that have said hello.
        samples: seconds since the play began, and the server's memory then.
        errors: what the server said of errors.
    """

    alone: Measured = field(default_factory=Measured)
    beside: Measured = field(default_factory=Measured)
    guests: Guests = field(default_factory=Guests)
    empty: int = 0
    tables: int = 0
    sockets: int = 0
    samples: list[tuple[float, int]] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


async def crowd(
    folder: Path,
    tables: int,
    seconds: float,
    guests: int = 0,
    seed: int = 1,
    period: float = 2.0,
    build: str = "sound",
    extra: dict[str, str] | None = None,
    warm: float = 5.0,
) -> Crowd:
    """Play at so many tables for some seconds, and as long again beside so many bad guests.

    Half of the guests do not read, the others do not stop talking.
    """
    rng, found, server = Random(seed), Crowd(), Server(folder, build, extra)
    await server.start()
    try:
        found.empty = memory(server.pid)
        made = await seated(server, rng, tables, BOT, found.alone, period, BUSY, QUICK)
        found.tables = memory(server.pid)
        bad = await _bad(server, rng, made, guests)
        async with opened(server, made) as sockets:
            for line in (line for lines in sockets for line in lines):
                await line.recv()
            found.sockets = memory(server.pid)
            around = asyncio.create_task(_around(server, made, bad, seconds, warm, found))
            # Who does not read has an end to come to, however long that takes on a busy machine.
            both = seconds * (2 if guests else 1)
            await played(made, sockets, both, rng, warm, until=lambda _: around.done())
            around.cancel()
            (wrong,) = await asyncio.gather(around, return_exceptions=True)
            if isinstance(wrong, Exception):
                raise wrong
    finally:
        await server.end()
        found.errors = server.errors()
    return found


async def _bad(server: Server, rng: Random, made: Sequence[Table], guests: int) -> list[Person]:
    """Return bad guests, every other one at a table where much is told, the rest at any."""
    network, found = Network(lambda: server.url, lambda: server.port), []
    for number in range(guests):
        at = made[-1 - number // 2 % BUSY] if number % 2 == 0 else made[number % len(made)]
        code = at.people[0].at.history.code
        found.append(await arrive(network, f"Bad {number}", rng, Seating(History(code), 4)))
    return found


async def _around(
    server: Server,
    made: Sequence[Table],
    bad: Sequence[Person],
    seconds: float,
    warm: float,
    found: Crowd,
) -> None:
    """Take the server's memory all the while; half-way let the bad guests in."""
    began = time.perf_counter()
    half = began + warm + seconds
    looking = asyncio.create_task(_look(server, began, found))
    try:
        await asyncio.sleep(half - time.perf_counter())
        if bad:
            for table in made:
                table.measured = found.beside
            guests = [Guest.of(server, person) for person in bad]
            found.guests = await misbehave(guests[::2], guests[1::2], seconds - 0.5)
    finally:
        looking.cancel()


async def _look(server: Server, began: float, found: Crowd) -> None:
    while True:
        found.samples.append((time.perf_counter() - began, memory(server.pid)))
        await asyncio.sleep(1.0)


def memory(pid: int) -> int:
    """Return the resident memory of a process, KiB; Linux only.

    Raises:
        OSError: there is no such process, or no Linux.
    """
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    raise OSError(f"process {pid} has no memory")


def slope(samples: Sequence[tuple[float, int]]) -> float:
    """Return by how many per cent an hour memory grows, by least squares.

    >>> round(slope([(0.0, 1000), (1800.0, 1005), (3600.0, 1010)]), 2)
    1.0
    """
    if len(samples) < 2:
        return 0.0
    times = [at for at, _ in samples]
    sizes = [size for _, size in samples]
    mean_time, mean_size = sum(times) / len(times), sum(sizes) / len(sizes)
    above = sum((t - mean_time) * (s - mean_size) for t, s in samples)
    below = sum((t - mean_time) ** 2 for t in times)
    return 100 * 3600 * above / below / sizes[0] if below else 0.0
