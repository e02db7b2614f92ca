"""Wrong clocks in full; what `whole` runs for P22."""

from __future__ import annotations

import asyncio
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.faults import clocks
from tests.faults.history import told_first
from tests.faults.promises import Control, Result
from tests.server.growth.engines import postgres

STARTS: Final = 200
TOGETHER: Final = 40
CREDULOUS: Final = 20  # starts of the control, which ends with the first loss


def starts(size: int, seed: int, done: int) -> list[Result]:
    """Start a server so many times with wrong clocks; P22."""
    began, control = time.perf_counter(), None
    with tempfile.TemporaryDirectory() as made:
        if not done:
            wrong = _run(Path(made) / "credulous", CREDULOUS, seed, "credulous")
            counts = {"starts until something was lost": wrong.starts}
            control = Control("a server that believes every clock", bool(wrong.found), counts)
        found = _run(Path(made) / "sound", size, seed + done)
    return [_result(found, "starts", STARTS, seed, time.perf_counter() - began, control)]


def disagreements(size: int, seed: int, done: int) -> list[Result]:
    """Start two servers on one database so many times, each with a wrong clock of its own; P22."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made, postgres() as elephant:
        found = _run(Path(made) / "two", size, seed + done, url=elephant.url)
    return [_result(found, "two servers", TOGETHER, seed, time.perf_counter() - began)]


def _run(
    folder: Path, size: int, seed: int, build: str = "hasty", url: str | None = None
) -> clocks.Result:
    folder.mkdir()
    return asyncio.run(clocks.wrong_clocks(folder, size, seed, build, url))


def _result(
    found: clocks.Result,
    part: str,
    full: int,
    seed: int,
    seconds: float,
    control: Control | None = None,
) -> Result:
    name = "clocks" if part == "starts" else "disagreements"
    return Result(
        promise="P22",
        part=part,
        unit="starts with a wrong clock",
        size=found.starts,
        full=full,
        held=not found.found,
        counts={
            "jumps while a server ran": found.jumps,
            "rows lost, people and tables not found": len(found.found),
            **{f"clocks: {kind}": many for kind, many in sorted(found.clocks.items())},
        },
        seed=seed,
        seconds=seconds,
        command=f"scripts/promises --only {name}",
        control=control,
        note=told_first(found.found),
    )


CAMPAIGNS: Final = {
    "clocks": (("P22-starts",), STARTS, 20, starts),
    "disagreements": (("P22-two-servers",), TOGETHER, 20, disagreements),
}
