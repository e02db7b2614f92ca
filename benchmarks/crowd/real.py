"""Measures what `costs` needs, of today's program: what each party works for an act.

    python -m benchmarks.crowd.real [--tables N] [--seconds S] [--turns T] [--keep] [--machine TEXT]

Real servers, a PostgreSQL and a Redis of their own, and the load generator of the tests, all on
this machine. What is kept is processor time. Other programs that share a core make it longer, never
shorter; so of several turns the least is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.crowd.costs import KEPT, SCREENS
from tests.faults.load import Measured, Table, opened, played, seated
from tests.faults.serving import Server
from tests.server.growth.engines import Engine, Postgres, postgres, redis

from rookery.lab.bench import RULES, SEED, cast_of, machine
from rookery.lab.run.streams import play_plain
from rookery.rules import load as load_rules
from rookery.rules.table import compile_rules
from rookery.server.cluster.pubsub import CHANNEL, Notice, RedisPubSub
from rookery.server.store.base import TableRow
from rookery.server.store.leases import Lease
from rookery.server.store.postgres import PostgresStore
from rookery.server.table import events as ev

WARM: Final = 3.0
HANDS: Final = 6_000  # of the yardstick
HINTS: Final = 20_000
COMMITS: Final = ((1, 1_500), (100, 60))  # tables, and acts one after another at each
CHILD: Final = 3  # fields of /proc/PID/stat behind the name: state, parent, ...


def worked(pid: int) -> float:
    """Return seconds of a core that a process and its children have used, ended ones as well."""
    tick, found = os.sysconf("SC_CLK_TCK"), 0
    for place in Path("/proc").iterdir():
        if not place.name.isdecimal():
            continue
        try:
            fields = (place / "stat").read_text("utf-8").rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(place.name) == pid:
            found += sum(int(field) for field in fields[11:15])
        elif int(fields[1]) == pid:
            found += sum(int(field) for field in fields[11:13])
    return found / tick


@dataclass
class Parties:
    """Who works for an act: the table's server, the one with the sockets, the database, Redis."""

    home: Server
    door: Server
    database: Postgres
    news: Engine

    def pids(self) -> dict[str, int]:
        """Return their processes, and this one, which plays for everybody."""
        engines = {"database": self.database, "redis": self.news}
        found = {name: engine.pid for name, engine in engines.items()}
        return {"home": self.home.pid, "door": self.door.pid, **found, "players": os.getpid()}


async def an_act(
    parties: Parties, door: Server, tables: int, period: float, seconds: float, bot: str
) -> dict[str, float]:
    """Return seconds of a core of each party for an event, while people play through one server."""
    rng, measured = Random(1), Measured()
    made = await seated(parties.home, rng, tables, bot, measured, period, alone=0)
    before = {name: worked(pid) for name, pid in parties.pids().items()}
    async with opened(door, made) as sockets:
        for line in (line for lines in sockets for line in lines):
            await line.recv()
        came = {name: worked(pid) - before[name] for name, pid in parties.pids().items()}
        playing = asyncio.create_task(played(made, sockets, seconds, rng, WARM))
        await asyncio.sleep(WARM)
        before, counted = {name: worked(pid) for name, pid in parties.pids().items()}, _seen(made)
        began = time.perf_counter()
        await asyncio.sleep(seconds - 1.0)
        after, events = {name: worked(pid) for name, pid in parties.pids().items()}, _seen(made)
        took = time.perf_counter() - began
        await playing
    count = events - counted
    each = {name: (after[name] - before[name]) / count for name in before}
    return {
        **{name: round(1e6 * used, 1) for name, used in each.items()},
        "events a second": round(count / took, 1),
        "a socket, door": round(1e6 * came["door" if door is parties.door else "home"]
                                / (SCREENS * tables), 1),
    }  # fmt: skip


def _seen(made: Sequence[Table]) -> int:
    """Return how many events tables have had so far, told to all screens or not."""
    return sum(max(table.arrived, default=0) for table in made)


async def commits(database: Postgres, tables: int, acts: int) -> dict[str, float]:
    """Return seconds of a core for an act of so many tables that are all stored at once."""
    store = PostgresStore(database.emptied())

    async def table(number: int) -> None:
        row = TableRow(f"T{number}", False, "playing", 1, 2)
        for seq in range(1, acts + 1):
            act = ev.Entry(seq, 5, ev.Acted(0, "0 play G5", "person"), f"person-{number}:{seq}")
            await store.append(row, [act], Lease(None, 0))

    before, used = worked(database.pid), time.process_time()
    await asyncio.gather(*(table(number) for number in range(tables)))
    count = tables * acts
    found = {
        "server": round(1e6 * (time.process_time() - used) / count, 1),
        "database": round(1e6 * (worked(database.pid) - before) / count, 1),
    }
    await store.close()
    return found


async def hints(news: Engine) -> dict[str, float]:
    """Return seconds of a core for a hint: of the one server that hears it, and of Redis."""
    pubsub, heard = RedisPubSub(f"redis://127.0.0.1:{news.port}/0"), 0
    full = asyncio.Event()

    def hear(_: Notice) -> None:
        nonlocal heard
        heard += 1
        if heard >= HINTS:
            full.set()

    pubsub.subscribe(hear)
    while not pubsub.connected:  # noqa: ASYNC110  (the driver tells nobody)
        await asyncio.sleep(0.05)
    hint = '{"type":"changed","code":"ABCDEF2","lease":["10.0.0.1:8080",3],"seq":41}'
    said = "".join(f"PUBLISH {CHANNEL} '{hint}'\r\n" for _ in range(HINTS))
    before, used = worked(news.pid), time.process_time()
    sender = ["redis-cli", "-p", str(news.port), "--pipe"]
    asking = asyncio.to_thread(subprocess.run, sender, input=said.encode(), capture_output=True)
    result: Any = await asking
    assert result.returncode == 0, result
    async with asyncio.timeout(120):
        await full.wait()
    found = {
        "server": round(1e6 * (time.process_time() - used) / HINTS, 1),
        "redis": round(1e6 * (worked(news.pid) - before) / HINTS, 1),
    }
    await pubsub.close()
    return found


def yardstick() -> float:
    """Return hands of plain Python in a second of a core: how fast this machine is at the moment.

    `rookery bench` measured the same on the machine of the older results, when that was quiet.
    """
    table = compile_rules(load_rules(RULES))
    cast, began = cast_of("characters", table.seats), time.process_time()
    play_plain(table, cast, SEED, 0, HANDS)
    return HANDS / (time.process_time() - began)


async def parties_at(folder: Path, database: Postgres, news: Engine) -> Parties:
    """Return two servers on one database that have been started."""
    shared = {
        "ROOKERY_DATABASE_URL": database.emptied(),
        "ROOKERY_HINTS_URL": f"redis://127.0.0.1:{news.port}/0",
    }
    found = Parties(*(Server(folder / name, extra=shared) for name in "ab"), database, news)
    await asyncio.gather(found.home.start(), found.door.start())
    return found


async def measure(tables: int, seconds: float) -> dict[str, Any]:
    """Return microseconds of a core for an event, in each way in which one can go."""
    found: dict[str, Any] = {"yardstick": {"us a hand": round(1e6 / yardstick(), 1)}}
    with tempfile.TemporaryDirectory() as made, postgres() as database, redis() as news:
        found["hint"] = await hints(news)
        for count, acts in COMMITS:
            found[f"stored, {count} tables"] = await commits(database, count, acts)
        parties = await parties_at(Path(made), database, news)
        ways: dict[str, tuple[Callable[[], Server], float, str]] = {
            "at its own server": (lambda: parties.home, 1.0, "club"),
            "without a pause": (lambda: parties.home, 0.0, "papa"),
            "through another server": (lambda: parties.door, 1.0, "club"),
        }
        try:
            for name, (door, period, bot) in ways.items():
                found[name] = await an_act(parties, door(), tables, period, seconds, bot)
                print(name, found[name], flush=True)
        finally:
            await parties.home.end()
            await parties.door.end()
    return found


def least(turns: Sequence[dict[str, dict[str, float]]]) -> dict[str, dict[str, float]]:
    """Return the least of each figure."""
    names = {name: turns[0][name].keys() for name in turns[0]}
    return {
        name: {each: min(turn[name][each] for turn in turns) for each in figures}
        for name, figures in names.items()
    }


def main() -> None:
    """Measure, print and keep."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.crowd.real", description=__doc__)
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=12.0)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--machine", default="", help="how to call this machine")
    parser.add_argument("--keep", action="store_true")
    chosen = parser.parse_args()
    turns = [asyncio.run(measure(chosen.tables, chosen.seconds)) for _ in range(chosen.turns)]
    here, today = machine(), datetime.now(UTC).date().isoformat()
    where: dict[str, Any] = {"date": today, "described_as": chosen.machine or here.processor}
    kept = {
        **where,
        "machine": here.model_dump(mode="json"),
        "unit": "us of a core",
        **least(turns),
    }
    print(json.dumps(kept, indent=1))
    if chosen.keep:
        (KEPT / f"{today}-crowd-costs.json").write_text(json.dumps(kept, indent=1) + "\n")


if __name__ == "__main__":
    main()
