"""Disks that fail in full; what `whole` runs for P1 and P16."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Final

from tests.faults.disk import filled, unsynced
from tests.faults.history import Complaint, told_first
from tests.faults.promises import Control, Result

DISKS: Final = 40
UNSYNCED_KILLS: Final = 10
CERTAIN: Final = 5  # tries of the control: what is left in the file is chance


def disks(size: int, seed: int, done: int) -> list[Result]:
    """Have a disk take nothing so many times; P1."""
    began, control = time.perf_counter(), None
    with tempfile.TemporaryDirectory() as made:
        sound, careless = Path(made) / "sound", Path(made) / "careless"
        for folder in (sound, careless):
            folder.mkdir()
        if not done:
            wrong = asyncio.run(filled(careless, 1, seed, "careless"))
            counts = {"acknowledged and not stored": wrong.meanwhile}
            control = Control("a server that acknowledges all the same", bool(wrong.found), counts)
        found = asyncio.run(filled(sound, size, seed + done))
    return [
        Result(
            promise="P1",
            part="disk full and read-only",
            unit="outages of the disk",
            size=found.times,
            full=DISKS,
            held=not found.found,
            counts={
                "acknowledged": found.acked,
                "acknowledged during an outage": found.meanwhile,
                "refused as `storage`": found.refused,
                "inconsistencies found by the checker": len(found.found),
            },
            times={"until every table goes on": [1000 * one for one in found.backs]},
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only disks",
            control=control,
            note=told_first(found.found),
        )
    ]


def doubts(size: int, seed: int, done: int) -> list[Result]:
    """Kill a server so many times while its disk does not sync; P16."""
    began, found, tables = time.perf_counter(), list[Complaint](), 0
    with tempfile.TemporaryDirectory() as made:
        caught = False if not done else None
        folders = (Path(made) / f"{number}" for number in count())
        for number in range(CERTAIN if not done else 0):
            wrong = asyncio.run(unsynced(_made(folders), seed + number, "certain"))
            caught = any(one.kind == "refused" for one in wrong.found)
            if caught:
                break
        for number in range(size):
            one = asyncio.run(unsynced(_made(folders), seed + done + number))
            found, tables = found + one.found, tables + one.doubted
    control = None
    if caught is not None:
        control = Control("a server that assumes that nothing was written, and refuses", caught)
    return [
        Result(
            promise="P16",
            part="a disk that does not sync",
            unit="kills",
            size=size,
            full=UNSYNCED_KILLS,
            held=not found,
            counts={
                "tables where nobody was told an outcome that nobody knew": tables,
                "inconsistencies found by the checker": len(found),
            },
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only doubts",
            control=control,
            note=told_first(found),
        )
    ]


def _made(folders: Iterator[Path]) -> Path:
    folder = next(folders)
    folder.mkdir()
    return folder


CAMPAIGNS: Final = {
    "disks": (("P1-disk-full-and-read-only",), DISKS, 20, disks),
    "doubts": (("P16-a-disk-that-does-not-sync",), UNSYNCED_KILLS, 5, doubts),
}
