"""Servers whose clocks are wrong, and jump while they run: nobody's data may be lost by it.

The clock of each server is set with Debian's `faketime`, which leaves alone the time that passes.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
from msgspec.structs import replace
from sqlalchemy import text
from tests.faults.history import Complaint
from tests.faults.serving import Server
from tests.server.core.tables import PEOPLE, started
from tests.server.growth.stored import KEPT

from rookery.server.names import new_token, token_hash
from rookery.server.store.backup import seen
from rookery.server.store.base import Store, TableRow
from rookery.server.store.postgres import PostgresStore
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev

DAY = 86_400  # seconds
SEEN = 3  # looks at the clock
LONGEST = 60.0  # seconds that are waited for them
CODES = ("ABCDEF2", "ABCDEF3")
# What may not change: times do, for what came while a clock was wrong counts from its end.
TIMES = {"at", "made_at", "begun", "used_at", "touched_at", "version", "epoch"}
LASTING = ("events", "passkeys", "people", "reports", "seated", "sessions", "spoke", "tables")


@dataclass
class Result:
    """What a campaign saw.

    Attributes:
        starts: how many servers were started.
        jumps: how often a clock jumped while a server ran.
        clocks: how many were of each kind.
        found: what was lost, and who was not known any more.
    """

    starts: int = 0
    jumps: int = 0
    clocks: Counter[str] = field(default_factory=Counter)
    found: list[Complaint] = field(default_factory=list)


def library() -> Path:
    """Return the library that sets clocks.

    Raises:
        LookupError: it is not installed.
    """
    kept = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
    if not kept:
        raise LookupError("no faketime here; scripts/debian installs it")
    return kept[0]


class Wrong:
    """A clock that is wrong by so many seconds, for one server, whenever it looks."""

    def __init__(self, file: Path) -> None:
        """Be right, and say so in a file."""
        self._file, self._sweeps = file, file.with_suffix(".sweeps")
        self.set(0)

    def set(self, seconds: int) -> None:
        """Be wrong by so much from now on."""
        new = self._file.with_suffix(".new")
        new.write_text(f"{seconds:+d}\n")
        new.replace(self._file)

    @property
    def looks(self) -> int:
        """How often its server has looked at it; between two looks everything is swept."""
        return self._sweeps.stat().st_size if self._sweeps.exists() else 0

    @property
    def environment(self) -> Mapping[str, str]:
        """What has a program go by it."""
        return {
            "LD_PRELOAD": str(library()),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
            # Else waiting for a lock takes seconds: it is waited for by time that passes.
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",
            "ROOKERY_SWEEPS": str(self._sweeps),
        }


def off(rng: Random) -> tuple[str, int]:
    """Return a kind of clock, and by how many seconds it is wrong.

    A clock that is less than a week ahead is one that nobody could tell from the right one.
    """
    now = int(time.time())
    kind = rng.choice(("1970", "before the release", "behind", "a little behind", "ahead", "years"))
    match kind:
        case "1970":
            return kind, rng.randrange(3600) - now
        case "before the release":
            return kind, -rng.randrange(60 * DAY, 50 * 365 * DAY)
        case "behind":
            return kind, -rng.randrange(DAY, 21 * DAY)
        case "a little behind":
            return kind, -rng.randrange(60, DAY)
        case "ahead":
            return kind, rng.randrange(8 * DAY, 500 * DAY)
        case _:
            return kind, rng.randrange(500 * DAY, 60 * 365 * DAY)


class Scene:
    """People and tables in a database, and servers that come and go over it."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        """Take a folder, and the address of a PostgreSQL where one is to be used."""
        self.folder, self.url, self.result = folder, url, Result()
        self._tokens = [new_token() for _ in PEOPLE[:4]]
        self._before: dict[str, set[tuple[object, ...]]] = {}

    async def fill(self) -> None:
        """Have people play, talk and report, a minute ago."""
        begun = time.time_ns() // 1_000_000 - 60_000
        store: Store = (
            SqliteStore(self.folder / FILE) if self.url is None else PostgresStore(self.url)
        )
        for who, token in zip(PEOPLE[:4], self._tokens, strict=True):
            await store.add_person(who, token_hash(token), begun)
        for code, phase in zip(CODES, ("playing", "lobby"), strict=True):
            sheet = started(people=4)
            sheet.say(PEOPLE[0], cm.Chat("c", text="hello"))
            sheet.say(PEOPLE[1], cm.Report("r", 0, "rude"))
            made = sheet.entries[0].event
            assert isinstance(made, ev.TableMade)
            sheet.entries[0] = replace(sheet.entries[0], event=replace(made, code=code))
            entries = [replace(entry, at=begun + entry.at) for entry in sheet.entries]
            await store.append(TableRow(code, True, phase, begun, entries[-1].at), entries)
        await store.close()
        self._before = self._rows()

    async def runs(self, servers: Sequence[Server], clocks: Sequence[Wrong], rng: Random) -> None:
        """Start servers, each with a wrong clock, of which every other one jumps meanwhile."""
        for clock in clocks:
            await self._wrong(clock, rng)
        for server in servers:
            await server.start()
            self.result.starts += 1
        await self._looked(clocks)
        await self.known(servers)
        for clock in clocks:
            if rng.random() < 0.5:
                await self._wrong(clock, rng)
                self.result.jumps += 1
        await self._looked(clocks)
        await self.known(servers)
        for server in servers:
            await server.end()
        self._kept()

    async def right(self, server: Server, clock: Wrong) -> None:
        """Have a server whose clock is right find everything."""
        clock.set(0)
        await server.start()
        await self._looked([clock])
        await self.known([server])
        await server.end()
        self._kept()

    async def known(self, servers: Sequence[Server]) -> None:
        """Note who is not known any more, and which table nobody finds."""
        async with httpx.AsyncClient(timeout=LONGEST, verify=False) as browser:  # noqa: S501
            for server in servers:
                for who, token in zip(PEOPLE, self._tokens, strict=False):
                    cookie = {"cookie": f"rookery={token}"}
                    me = await browser.get(f"{server.url}/api/session", headers=cookie)
                    if me.json()["name"] != who.name:
                        self.result.found.append(Complaint("away", f"{who.name} is unknown"))
                for code in CODES:
                    table = await browser.get(f"{server.url}/api/tables/{code}")
                    if table.status_code != 200:
                        self.result.found.append(Complaint("lost", f"{code} is not found"))

    def _rows(self) -> dict[str, set[tuple[object, ...]]]:
        found = {}
        with seen(self.folder, self.url) as connection:
            for table in LASTING:
                columns = ", ".join(c for c in KEPT[table].split() if c not in TIMES)
                rows = connection.execute(text(f"SELECT {columns} FROM {table}"))  # noqa: S608
                found[table] = {tuple(row) for row in rows}
        return found

    def _kept(self) -> None:
        for table, rows in self._rows().items():
            # Somebody may be noted as away meanwhile: more than there was is nothing lost.
            lost = len(self._before[table] - rows)
            if lost:
                self.result.found.append(Complaint("lost", f"{lost} rows of {table} are gone"))

    async def _wrong(self, clock: Wrong, rng: Random) -> None:
        kind, seconds = off(rng)
        self.result.clocks[kind] += 1
        clock.set(seconds)

    async def _looked(self, clocks: Sequence[Wrong]) -> None:
        """Return once each clock was looked at a few times."""
        until, before = time.monotonic() + LONGEST, [clock.looks for clock in clocks]
        while any(clock.looks < was + SEEN for clock, was in zip(clocks, before, strict=True)):
            assert time.monotonic() < until, "nobody looks at the clock"
            await asyncio.sleep(0.05)


async def wrong_clocks(
    folder: Path,
    starts: int,
    seed: int,
    build: str = "hasty",
    url: str | None = None,
) -> Result:
    """Start servers so many times with wrong clocks, with a `url` two at a time; then a right one.

    A server that has lost something is started no more.
    """
    rng, together = Random(seed), 1 if url is None else 2
    scene = Scene(folder, url)
    clocks = [Wrong(folder / f"clock-{number}") for number in range(together)]
    options, shared = ("--bot-workers", "0"), {} if url is None else {"ROOKERY_DATABASE_URL": url}
    places = [folder if url is None else folder / str(number) for number in range(together)]
    servers = [
        Server(place, build, {**shared, **clock.environment}, options)
        for place, clock in zip(places, clocks, strict=True)
    ]
    await scene.fill()
    try:
        while scene.result.starts < starts and not scene.result.found:
            await scene.runs(servers, clocks, rng)
        if not scene.result.found:
            await scene.right(servers[0], clocks[0])
    finally:
        for server in servers:
            await server.end()
    return scene.result
