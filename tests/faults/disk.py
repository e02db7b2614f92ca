"""A disk that is full, or may only be read, for a while, under a server at which people play."""

from __future__ import annotations

import asyncio
import errno
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
from tests.faults import power
from tests.faults.campaign import TABLES, seatings
from tests.faults.history import Complaint, complaints
from tests.faults.people import Network, Person, browser_for, gathering
from tests.faults.serving import Server

Tables = Sequence[tuple[str | dict[str, Any], int, str]]

SOURCE: Final = Path(__file__).with_name("disk.c")
FULL, READ_ONLY = errno.ENOSPC, errno.EROFS
UNSYNCED = errno.EIO  # takes everything, and says of no sync that it was done
NEW = 3  # answers at each table, after which it counts as alive
LONGEST = 180.0  # seconds that are waited for something on a machine with other work
# What a server says of a disk that takes nothing is as it should be.
SAID: Final = (
    "not stored",
    "is read again",
    "no socket",
    "not looked at",
    "disk",
    "read-only",
    "readonly",
)


@dataclass
class Disk:
    """A disk, and whether it takes anything.

    Attributes:
        environment: what a server's environment needs to have it.
    """

    environment: dict[str, str]
    _refusing: Path

    @contextmanager
    def refusing(self, error: int) -> Iterator[None]:
        """Take nothing for a while, with an error of the system."""
        beside = self._refusing.with_suffix(".new")
        beside.write_text(str(error), encoding="ascii")
        beside.replace(self._refusing)
        try:
            yield
        finally:
            self._refusing.unlink()


def disk(folder: Path, data: Path) -> Disk:
    """Return the disk on which the data folder of a server is to be."""
    library = power.compiled(SOURCE, folder, "-ldl")
    refusing = folder / "refusing"
    environment = {
        "LD_PRELOAD": str(library),
        "ROOKERY_DISK": str(data.resolve()),
        "ROOKERY_REFUSING": str(refusing),
    }
    return Disk(environment, refusing)


@dataclass
class Refusing:
    """What came of it.

    Attributes:
        times: how often the disk took nothing.
        acked: how many commands were acknowledged.
        meanwhile: how many of them while the disk took nothing.
        refused: how many were refused as ``storage``.
        pages: the status of pages and requests while the disk took nothing.
        backs: seconds until every table was alive, once there was room again.
        doubted: at how many tables something was asked and not answered, for nobody knew the end.
        found: everything that no sound server leaves behind.
    """

    times: int = 0
    acked: int = 0
    meanwhile: int = 0
    refused: int = 0
    pages: Counter[str] = field(default_factory=Counter)
    backs: list[float] = field(default_factory=list)
    doubted: int = 0
    found: list[Complaint] = field(default_factory=list)

    @property
    def kinds(self) -> set[str]:
        """What sorts of complaint there are."""
        return {complaint.kind for complaint in self.found}


async def filled(
    folder: Path,
    times: int,
    seed: int,
    build: str = "sound",
    tables: Tables = TABLES[:4],
) -> Refusing:
    """Have the disk of a server take nothing so many times, full and read-only in turns."""
    result = Refusing()
    async with _played(folder, seed, build, tables, result) as (platter, people, _):
        for number in range(times):
            await _refuse(platter, FULL if number % 2 == 0 else READ_ONLY, people, result)
            if result.found:
                break
    return result


async def unsynced(
    folder: Path, seed: int, build: str = "sound", tables: Tables = TABLES[:4]
) -> Refusing:
    """Kill a server while its disk says of no sync that it was done.

    What was written then may be there afterwards, or not, so nobody may be told either.
    """
    result = Refusing()
    async with _played(folder, seed, build, tables, result) as (platter, people, server):
        with platter.refusing(UNSYNCED):
            every = len(seatings(people))
            await _until(
                lambda: _in_doubt(people) == every or _refused(people) > 4 * len(people), result
            )
            result.doubted = _in_doubt(people)
            await server.end()
    return result


@asynccontextmanager
async def _played(
    folder: Path, seed: int, build: str, tables: Tables, result: Refusing
) -> AsyncIterator[tuple[Disk, list[Person], Server]]:
    """Have people play on a disk; at the end kill the server and judge."""
    rng, data = Random(seed), folder / "data"
    platter = disk(folder, data)
    server = Server(data, build, platter.environment)
    people: list[Person] = []
    lives: list[asyncio.Task[None]] = []
    try:
        await server.start()
        network = Network(lambda: server.url, lambda: server.port, think=0.05)
        for number, (rules, count, pace) in enumerate(tables):
            people += await gathering(network, rng, rules, count, pace, number)
        lives += [asyncio.create_task(person.live()) for person in people]
        await _alive(people, result)
        yield platter, people, server
    finally:
        for person in people:
            person.stopping = True
        await asyncio.gather(*lives)
        # What was acknowledged has to be there also after a kill.
        await server.end()
    _judge(people, server, result)


async def _refuse(platter: Disk, error: int, people: Sequence[Person], result: Refusing) -> None:
    with platter.refusing(error):
        # What the disk had in hand is done; from here on nothing is.
        await asyncio.sleep(0.3)
        before, refusals = _acked(people), _refused(people)
        enough = len(people)
        await _until(
            lambda: _refused(people) >= refusals + enough or _acked(people) > before + enough,
            result,
        )
        async with browser_for(people[0].network) as browser:
            await _look(browser, result)
        result.meanwhile += _acked(people) - before
    result.times += 1
    began = time.perf_counter()
    await _alive(people, result)
    result.backs.append(time.perf_counter() - began)


async def _look(browser: httpx.AsyncClient, result: Refusing) -> None:
    """Ask for a page, for how it is, and for something that has to be stored."""
    for path in ("/", "/healthz", "/readyz"):
        result.pages[f"{path} {(await browser.get(path)).status_code}"] += 1
    answer = await browser.post("/api/session", json={"name": "Late"})
    code = answer.json().get("error", {}).get("code")
    result.pages[f"/api/session {answer.status_code} {code}"] += 1


async def _alive(people: Sequence[Person], result: Refusing) -> None:
    """Return once something new was answered with a yes at every table."""
    tables = seatings(people)
    before = {id(table): table.history.acked() for table in tables}
    await _until(
        lambda: all(table.history.acked() >= before[id(table)] + NEW for table in tables), result
    )


async def _until(what: Any, result: Refusing) -> None:  # noqa: ANN401
    end = time.perf_counter() + LONGEST
    while not what():
        if time.perf_counter() > end:
            result.found.append(Complaint("stuck", "it does not come true"))
            return
        await asyncio.sleep(0.02)


def _acked(people: Sequence[Person]) -> int:
    return sum(table.history.acked() for table in seatings(people))


def _in_doubt(people: Sequence[Person]) -> int:
    """Return at how many tables something was asked again and again, and never answered."""
    return sum(
        any(op.sends > 2 and op.replied is None for op in table.history.ops)
        for table in seatings(people)
    )


def _refused(people: Sequence[Person]) -> int:
    ops = (op for table in seatings(people) for op in table.history.ops)
    return sum(op.refused == "storage" for op in ops)


def _judge(people: Sequence[Person], server: Server, result: Refusing) -> None:
    logs = server.logs()
    result.acked, result.refused = _acked(people), _refused(people)
    for seating in seatings(people):
        result.found += complaints(seating.history, logs.get(seating.history.code, []))
    if result.meanwhile:
        text = f"{result.meanwhile} commands were acknowledged while the disk took nothing"
        result.found.append(Complaint("unstored", text))
    said = [line for line in server.errors() if not any(word in line for word in SAID)]
    result.found += [Complaint("error", line) for line in said]
