"""Kills, power cuts, bad networks and growth in full: what `whole` runs against real servers."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from tests.faults import power, rolling
from tests.faults.bad_network import Storm, storm
from tests.faults.campaign import TABLES, campaign
from tests.faults.campaign import Result as Killed
from tests.faults.full import ROUNDS, SILENT, STORM, STORM_TABLES, TIMES, Tables, tables_of
from tests.faults.growth import Growth
from tests.faults.growth import Result as Grown
from tests.faults.history import told_first
from tests.faults.promises import Control, Result, share
from tests.faults.proxy import Weather
from tests.faults.rescue import rescued
from tests.server.growth.engines import Engine, Postgres, postgres, redis

KILLS: Final = 1_000
CUTS: Final = 300
FAULTS: Final = 10_000
RESTARTS: Final = 100
BACKUPS: Final = 50
HAPPENINGS: Final = 50
RESTART: Final = 1_000.0  # milliseconds, p99
BACK: Final = 5_000.0


def kills(size: int, seed: int, done: int) -> list[Result]:
    """Kill a server so many times; P1 and P3."""
    began = time.perf_counter()
    control = None
    with tempfile.TemporaryDirectory() as made:
        if not done:
            early = asyncio.run(campaign(Path(made) / "early", 6, seed, build="early"))
            counts = {"acknowledged": early.acked, "lost": early.lost}
            control = Control("an answer before the commit", early.lost > 0, counts)
        episode = done // ROUNDS
        tables = tables_of(episode, len(TABLES), Random(seed + episode))
        killed = asyncio.run(campaign(Path(made) / "sound", size, seed + episode, tables=tables))
    return killed_results(killed, seed, time.perf_counter() - began, control)


def killed_results(
    killed: Killed, seed: int, seconds: float, control: Control | None
) -> list[Result]:
    """Return the results of P1 and of P3 that a campaign of kills comes to."""
    shared: dict[str, Any] = {"seed": seed, "seconds": seconds, "control": control}
    away = sum(one.kind in ("away", "seat", "view") for one in killed.found)
    return [
        Result(
            promise="P1",
            part="kills",
            unit="kills",
            size=killed.rounds,
            full=KILLS,
            held=not killed.found and not killed.lost,
            counts={
                "acknowledged": killed.acked,
                "lost": killed.lost,
                "inconsistencies found by the checker": len(killed.found),
                **{
                    f"tables in phase {name} at a kill": n
                    for name, n in sorted(killed.phases.items())
                },
            },
            command="scripts/promises --only kills",
            note=told_first(killed.found),
            **shared,
        ),
        Result(
            promise="P3",
            part="seats",
            unit="restarts",
            size=len(killed.starts),
            full=KILLS,
            held=not away,
            counts={"people who did not find their seat or the right view": away},
            command="scripts/promises --only kills",
            **{**shared, "control": None},
        ),
    ]


def restarts(size: int, seed: int, done: int) -> list[Result]:
    """Kill a server so many times, to time how soon everybody is back; P3, on a quiet machine."""
    began = time.perf_counter()
    control = None
    with tempfile.TemporaryDirectory() as made:
        if not done:
            lost = asyncio.run(
                campaign(Path(made) / "amnesia", 1, seed, "amnesia", tables=TABLES[:2])
            )
            control = Control("a server that forgets people", lost.kinds == {"away"})
        killed = asyncio.run(campaign(Path(made) / "sound", size, seed + done))
    starts, backs = ([1000 * one for one in each] for each in (killed.starts, killed.backs))
    return [
        Result(
            promise="P3",
            part="times",
            unit="restarts",
            size=len(starts),
            full=RESTARTS,
            held=not killed.found and share(starts, 0.99) < RESTART and max(backs) < BACK,
            counts={},
            times={"listening again": starts, "all seats back after that": backs},
            figures={"load average": os.getloadavg()[0]},
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only restarts",
            control=control,
        )
    ]


def cuts(size: int, seed: int, done: int) -> list[Result]:
    """Cut the power so many times; P2."""
    began = time.perf_counter()
    control = None
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shim = power.shim(folder)
        if not done:
            lazy = asyncio.run(campaign(folder / "lazy", 6, seed, build="normal", shim=shim))
            counts = {"acknowledged": lazy.acked, "lost": lazy.lost}
            control = Control(
                "synchronous=NORMAL, which a kill does not show", lazy.lost > 0, counts
            )
        episode = done // ROUNDS
        tables = tables_of(episode, len(TABLES), Random(seed + episode))
        cut = asyncio.run(campaign(folder / "cut", size, seed + episode, shim=shim, tables=tables))
    return [cut_result(cut, seed, time.perf_counter() - began, control)]


def cut_result(cut: Killed, seed: int, seconds: float, control: Control | None) -> Result:
    """Return the result of P2 that a campaign of power cuts comes to."""
    return Result(
        promise="P2",
        part="",
        unit="power cuts",
        size=cut.rounds,
        full=CUTS,
        held=not cut.found and not cut.lost,
        counts={
            "that left torn pages": cut.torn,
            "acknowledged": cut.acked,
            "lost": cut.lost,
            "inconsistencies found by the checker": len(cut.found),
        },
        seed=seed,
        seconds=seconds,
        command="scripts/promises --only P2",
        control=control,
        note=told_first(cut.found),
    )


def storms(size: int, seed: int, done: int) -> list[Result]:
    """Let some minutes of bad weather go over a server; P13 and P16."""
    began, control, rng = time.perf_counter(), None, Random(seed + done)
    with tempfile.TemporaryDirectory() as made:
        if not done:
            control = _forgetful(Path(made) / "forgetful", seed)
        tables: Tables = [
            one
            for episode in range(STORM_TABLES // len(TABLES))
            for one in tables_of(done + episode, len(TABLES), rng)
        ]
        # Forty tables and this program share the cores: people take half a second for a move.
        weather = Weather(life=4)
        found = asyncio.run(
            storm(Path(made) / "sound", STORM, seed + done, "sound", weather, tables, 0.5)
        )
    return storm_results(found, seed, time.perf_counter() - began, control)


def _forgetful(folder: Path, seed: int) -> Control:
    weather = Weather(twice=1.0)
    found = asyncio.run(
        storm(folder, 1, seed, "forgetful", weather, until=lambda seen: seen.acked > 100)
    )
    counts = {"commands done twice": sum(one.kind == "twice" for one in found.found)}
    return Control("a server that ignores the ids of commands", "twice" in found.kinds, counts)


def storm_results(found: Storm, seed: int, seconds: float, control: Control | None) -> list[Result]:
    """Return the results of P13 and of P16 that a storm comes to."""
    faults = sum(n for name, n in found.faults.items() if name not in TIMES)
    shared: dict[str, Any] = {
        "unit": "faults of the network",
        "size": faults,
        "full": FAULTS,
        "seed": seed,
    }
    run: dict[str, Any] = {
        "seconds": seconds,
        "command": "scripts/promises --only P13",
        "control": control,
        "note": told_first(found.found),
    }
    answers = {"refused", "code", "lost", "silent", "twice"}
    order = [one for one in found.found if one.kind not in {"refused", "code", "silent"}]
    return [
        Result(
            promise="P13",
            part="",
            held=not order,
            counts={
                "connections": found.lines,
                "acknowledged": found.acked,
                "delays and stalls besides": sum(found.faults[name] for name in TIMES),
                "inconsistencies found by the checker": len(order),
            },
            **shared,
            **run,
        ),
        Result(
            promise="P16",
            part="",
            held=not any(one.kind in answers for one in found.found),
            counts={
                "commands": found.ops,
                "acknowledged": found.acked,
                "refused": sum(found.refused.values()),
                "sent again": found.resent,
                "never answered": found.open,
                "answers that were not true": sum(one.kind in answers for one in found.found),
            },
            **shared,
            **run,
        ),
    ]


def growth(size: int, seed: int, done: int) -> list[Result]:
    """Have so many things happen to two servers and their engines; P19."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made, postgres() as elephant, redis() as herald:
        control = None if done else _unfenced(Path(made) / "two", elephant, herald, seed)
        scene = Growth(Path(made) / "sound", elephant, herald, seed + done)
        asyncio.run(_happen(scene, size))
    return [grown_result(scene.result, seed, time.perf_counter() - began, control)]


def _unfenced(folder: Path, elephant: Postgres, herald: Engine, seed: int) -> Control:
    """Return what comes of two servers of which each believes that a table is its own."""
    scene = Growth(folder, elephant, herald, seed, "unfenced")

    async def twice() -> None:
        async with scene.running():
            for _ in range(2):
                # Where a table has come to a stop, enough is found.
                if not scene.result.found:
                    await scene.freeze()

    asyncio.run(twice())
    return rolling.two_ways("no fence: a server that wakes up late goes on", scene.result)


async def _happen(scene: Growth, size: int) -> None:
    async with scene.running():
        for _ in range(size):
            await scene.anything(SILENT)
            if scene.result.found:
                return


def grown_result(grown: Grown, seed: int, seconds: float, control: Control | None = None) -> Result:
    """Return the result of P19 that a campaign with two servers comes to."""
    return Result(
        promise="P19",
        part="two servers",
        unit="faults of servers and databases",
        size=sum(grown.did.values()),
        full=HAPPENINGS,
        held=not grown.found and max(grown.moved, default=0.0) < 10,
        counts={
            "acknowledged": grown.acked,
            "inconsistencies found by the checker": len(grown.found),
            **dict(sorted(grown.did.items())),
        },
        times={
            "tables at another server after a kill": [1000 * one for one in grown.moved],
            "tables handed over": [1000 * one for one in grown.handed],
        },
        seed=seed,
        seconds=seconds,
        command="scripts/promises --only growth",
        control=control,
        note=told_first(grown.found),
    )


def updates(size: int, seed: int, done: int) -> list[Result]:
    """Update two servers so many times, and back; P19."""
    found = rolling.updates(size, seed + done)
    with tempfile.TemporaryDirectory() as made:
        control = rolling.hasty(Path(made), seed)
    return [msgspec.structs.replace(found, seed=seed, control=control)]


def backups(size: int, seed: int, done: int) -> list[Result]:
    """Back a server up so many times while people play, and bring it back; P20."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        found = asyncio.run(rescued(Path(made), size, seed + done))
    return [
        Result(
            promise="P20",
            part="",
            unit="backups while people play",
            size=found.backups,
            full=BACKUPS,
            held=not found.found,
            counts={
                "events compared": found.events,
                "acknowledged before and missing, or not as they were": len(found.found),
            },
            times={
                "backed up and checked": [1000 * one for one in found.backed],
                "checked and brought back": [1000 * one for one in found.restored],
            },
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only P20",
            control=Control("a backup without one row", found.refused),
            note=told_first(found.found),
        )
    ]


CAMPAIGNS: Final = {
    "restarts": (("P3-times",), RESTARTS, 25, restarts),
    "kills": (("P1-kills", "P3-seats"), KILLS, ROUNDS, kills),
    "backups": (("P20",), BACKUPS, 10, backups),
    "cuts": (("P2",), CUTS, ROUNDS, cuts),
    "storms": (("P13", "P16"), FAULTS, FAULTS, storms),
    "updates": (("P19-rolling-updates",), rolling.FULL, 10, updates),
    "growth": (("P19-two-servers",), HAPPENINGS, 10, growth),
}
