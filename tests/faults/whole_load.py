"""Full houses, bad guests, memory and throughput; what `whole` runs on a quiet machine."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from tests.faults import power
from tests.faults.crowd import Crowd, crowd, slope
from tests.faults.deluge import LINES, PATHS, Deluge, deluge
from tests.faults.load import Measured
from tests.faults.machine import many_files
from tests.faults.promises import Control, Result, share
from tests.faults.throughput import CUT, POLITE, pushed
from tests.faults.torrent import LOUD, torrent

TABLES: Final = 500
SECONDS: Final = 45.0
GUESTS: Final = 100
MEDIAN, MOST, WORST = 10.0, 50.0, 500.0  # milliseconds: p50, p99 and the longest
SOCKET: Final = 60.0  # KiB
HOUR: Final = 1.0  # per cent of growth
SOAK: Final = 7_200  # seconds
SOAKED: Final = 50  # tables
ACTS: Final = 1_000  # a second
PUSHED: Final = 250  # tables
SYNC: Final = 3  # milliseconds that a disk takes for it in the control
SLOW_SYNC: Final = 10  # ... and in what is shown of P4
SLOW_TABLES: Final = 125
WEIGHED: Final = 10  # tables at which a control weighs sockets
TALK: Final = 6.0  # seconds of a flood
ASK: Final = 20.0  # seconds in which somebody asks for one thing without end
_COMMAND: Final = "scripts/promises --only house"


def house(size: int, seed: int, done: int) -> list[Result]:
    """Play at so many tables, first alone and then beside bad guests; P4, P6 and P15."""
    began = time.perf_counter()
    many_files()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        late, wild, heavy = _late(folder), _wild(folder, seed), _heavy(folder)
        small = asyncio.run(torrent(folder / "small", TALK, seed=seed))
        asked = {path: _asked(folder, path, "sound", seed) for path in PATHS}
        found = asyncio.run(crowd(folder / "full", size, SECONDS, GUESTS, seed))
        shared: dict[str, Any] = {"unit": "tables", "seed": seed, "command": _COMMAND}
        whole = {**shared, "size": size, "full": TABLES, "seconds": time.perf_counter() - began}
        slowly = _slowly(folder, size, shared)
    sockets = 4 * size
    return [
        Result(
            promise="P4",
            part="",
            held=_quick(found.alone) and not found.errors,
            counts=_counts(found.alone, sockets),
            figures=_figures(found.alone),
            control=late,
            **whole,
        ),
        slowly,
        Result(
            promise="P15",
            part="",
            held=_quick(found.beside)
            and _rid(found)
            and share(small.waits, 0.99) < MOST
            and all(share(beside.waits, 0.99) < MOST for beside in asked.values())
            and not found.errors,
            counts={
                **_counts(found.beside, sockets),
                **_slow(found),
                "messages by those who flood": found.guests.said,
                "times that these were closed with 4029": found.guests.flooded[4029],
                f"answers to {LINES} connections of one address that ask without end": sum(
                    beside.answers.total() for beside in asked.values()
                ),
            },
            figures={
                **_figures(found.beside),
                f"an answer beside {LOUD} who send the smallest messages as fast as they "
                "can, p99 ms": share(small.waits, 0.99),
                **{
                    f"an acknowledgement beside {LINES} connections that ask for {path}, "
                    "p99 ms": share(beside.waits, 0.99)
                    for path, beside in asked.items()
                },
            },
            control=wild,
            note="A client that never reads cannot be told the code 4008; its connection is "
            "closed.",
            **whole,
        ),
        Result(
            promise="P6",
            part="a socket and a table",
            held=_weight(found, size) < SOCKET,
            counts={"sockets": sockets},
            figures={
                "KiB an idle socket": _weight(found, size),
                "KiB a table that waits": (found.tables - found.empty) / size,
                "MiB of an empty server": found.empty / 1024,
                "MiB at the end": found.samples[-1][1] / 1024,
            },
            control=heavy,
            **whole,
        ),
    ]


def _late(folder: Path) -> Control:
    """Return what a disk makes of P4 that takes far too long."""
    slow = asyncio.run(crowd(folder / "slow", 4, 6, extra=_slow_disk(folder, 60), warm=1))
    return Control(
        "a disk that takes 60 ms for every sync",
        not _quick(slow.alone),
        {"p50, ms": round(1000 * share(slow.alone.screens, 0.5))},
    )


def _wild(folder: Path, seed: int) -> Control:
    """Return what comes of P15 without bounds: for who does not read, and for who does not stop."""
    kept = asyncio.run(crowd(folder / "wild", 2, 30, 6, build="boundless", warm=1))
    heard = asyncio.run(torrent(folder / "headlong", TALK, "headlong", seed))
    waited = share(heard.waits, 0.99)
    given = share(_asked(folder, "/", "lavish", seed).waits, 0.99)
    return Control(
        "a server that keeps everything for a client that does not read; one that handles a flood "
        "in one go; and one that serves pages without a limit",
        kept.guests.slow[0] > 0 and waited > MOST and given > MOST,
        {
            **_slow(kept),
            "p99 of an answer beside a flood, ms": round(waited),
            "p99 of an acknowledgement beside a flood for pages, ms": round(given),
        },
    )


def _asked(folder: Path, path: str, build: str, seed: int) -> Deluge:
    """Return what comes of asking a build for one thing without end."""
    place = folder / f"asked-{build}{path.replace('/', '-')}"
    return asyncio.run(deluge(place, path, ASK, build, seed))


def _heavy(folder: Path) -> Control:
    """Return what a socket weighs where each has a buffer of 256 KiB."""
    found = asyncio.run(crowd(folder / "heavy", WEIGHED, 1, build="heavy", warm=0))
    weight = _weight(found, WEIGHED)
    return Control(
        "a server that keeps 256 KiB ready for every connection",
        weight > SOCKET,
        {"KiB an idle socket": round(weight)},
    )


def _slowly(folder: Path, size: int, shared: dict[str, Any]) -> Result:
    """Play at some tables on a disk that takes its time; P4.

    Nobody is told anything before it is on the disk, so its time comes on top of the median.
    """
    began, tables = time.perf_counter(), min(size, SLOW_TABLES)
    disk = _slow_disk(folder, SLOW_SYNC)
    found = asyncio.run(crowd(folder / "slowly", tables, 15, extra=disk, warm=3))
    return Result(
        promise="P4",
        part=f"a disk that takes {SLOW_SYNC} ms",
        size=tables,
        full=SLOW_TABLES,
        held=_quick(found.alone, SLOW_SYNC) and not found.errors,
        counts=_counts(found.alone, 4 * tables),
        figures=_figures(found.alone),
        seconds=time.perf_counter() - began,
        note=f"The median includes the {SLOW_SYNC} ms of the disk.",
        **shared,
    )


def _slow_disk(folder: Path, milliseconds: int) -> dict[str, str]:
    return power.environment(power.shim(folder), None, milliseconds)


def _weight(found: Crowd, tables: int) -> float:
    """Return what an idle socket takes of the memory, KiB."""
    return (found.sockets - found.tables) / (4 * tables)


def _quick(measured: Measured, disk: float = 0.0) -> bool:
    """Return whether moves were as quick as promised, on a disk that takes so many ms."""
    found = [1000 * one for one in measured.screens]
    return bool(found) and (
        share(found, 0.5) < MEDIAN + disk and share(found, 0.99) < MOST and max(found) < WORST
    )


def _counts(measured: Measured, sockets: int) -> dict[str, int]:
    return {"sockets": sockets, "moves seen on all four screens": len(measured.screens)}


def _figures(measured: Measured) -> dict[str, float]:
    found: Sequence[float] = [1000 * one for one in measured.screens] or [0.0]
    return {
        "p50 ms": share(found, 0.5),
        "p99 ms": share(found, 0.99),
        "most ms": max(found),
        "load average": os.getloadavg()[0],
    }


def _rid(found: Crowd) -> bool:
    slow = found.guests.slow
    return slow.total() == GUESTS // 2 and not slow[0]


def _slow(found: Crowd) -> dict[str, int]:
    slow = found.guests.slow
    return {
        "connections that never read, closed within 10 s": slow.total() - slow[0],
        "not closed in time": slow[0],
    }


def soak(size: int, seed: int, done: int) -> list[Result]:
    """Play at fifty tables for so many seconds, and beside them at a server that leaks; P6.

    In the first minutes a sound server grows too: the control has to last as long.
    """
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        found, leaking = asyncio.run(_soaked(Path(made), size, seed))
    settled, acts = _settled(found, size), found.alone.acts
    leak = slope(_settled(leaking, size))
    return [
        Result(
            promise="P6",
            part="a soak",
            unit=f"seconds at {SOAKED} tables",
            size=size,
            full=SOAK,
            held=slope(settled) < HOUR and not found.errors,
            counts={"actions": acts},
            figures={
                "MiB after a quarter": settled[0][1] / 1024,
                "MiB at the end": settled[-1][1] / 1024,
                "growth in % an hour": slope(settled),
                "bytes an action": 1024 * (settled[-1][1] - settled[0][1]) / max(1, 0.75 * acts),
            },
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only soak",
            control=Control(
                "a server that keeps every event in memory",
                leak > HOUR,
                {"growth in % an hour": round(leak)},
            ),
            note="The first quarter is left out: caches, pools and the last commands fill up.",
        )
    ]


async def _soaked(folder: Path, seconds: int, seed: int) -> tuple[Crowd, Crowd]:
    """Play at a sound server, and at one that keeps what it need not."""
    return await asyncio.gather(
        crowd(folder / "sound", SOAKED, seconds, seed=seed, warm=5),
        crowd(folder / "leaking", SOAKED, seconds, seed=seed, build="hoarding", warm=5),
    )


def _settled(found: Crowd, seconds: int) -> list[tuple[float, int]]:
    """Return the server's memory without the first quarter."""
    return [one for one in found.samples if one[0] > seconds / 4]


def push(size: int, seed: int, done: int) -> list[Result]:
    """Play at many tables without a pause, at three times as many, and beside much talk; P5.

    One person may move 60 times in 20 s. Of 100 tables that is soon the most they can ask for: the
    limit is measured then, not the server. 250 tables could ask for 3,000 acts a second. Who waits
    for answers never asks for more than there is; so at last the same people talk besides, by the
    clock, three times as much as the server has to do.
    """
    began = time.perf_counter()
    many_files()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        once = asyncio.run(pushed(folder / "once", PUSHED, size, seed))
        thrice = asyncio.run(pushed(folder / "thrice", 3 * PUSHED, size, seed))
        beyond = asyncio.run(pushed(folder / "beyond", PUSHED, size, seed, talk=3 * ACTS))
        disk = power.environment(power.shim(folder), None, SYNC)
        short = min(size, 5)
        alone = asyncio.run(pushed(folder / "alone", 50, short, seed, "single", 1.0, disk))
    failures = [*once.failures, *thrice.failures, *beyond.failures]
    return [
        Result(
            promise="P5",
            part="",
            unit="seconds without a pause",
            size=size,
            full=20,
            held=once.acts >= ACTS and beyond.refused.total() > 0 and not failures,
            counts={
                f"refused at {PUSHED} tables": once.refused.total(),
                f"refused at {3 * PUSHED} tables": thrice.refused.total(),
                f"sent besides, at {3 * ACTS:,} a second": beyond.said,
                "of these refused with a code": sum(beyond.refused[code] for code in POLITE - CUT),
                "never answered": beyond.said - beyond.answered,
                "failures": len(failures),
            },
            figures={
                f"actions a second at {PUSHED} tables": once.acts,
                "... per second of a core for the server": once.of_a_core,
                f"actions a second at {3 * PUSHED} tables": thrice.acts,
                "... per second of a core there": thrice.of_a_core,
                "actions a second beside these": beyond.acts,
                "load average": os.getloadavg()[0],
            },
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only P5",
            control=Control(
                f"a store that syncs every action by itself, {SYNC} ms each",
                alone.acts < ACTS,
                {"actions a second": round(alone.acts)},
            ),
            note="; ".join(failures[:2]),
        )
    ]


CAMPAIGNS: Final = {
    "house": (
        ("P4", f"P4-a-disk-that-takes-{SLOW_SYNC}-ms", "P15", "P6-a-socket-and-a-table"),
        TABLES,
        TABLES,
        house,
    ),
    "push": (("P5",), 20, 20, push),
    "soak": (("P6-a-soak",), SOAK, SOAK, soak),
}
