"""How much a server does at once: whoever has an answer asks the next thing without a pause."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.load import Measured, opened, played, seated
from tests.faults.machine import work
from tests.faults.serving import Server

# What is refused where too much is asked for; anything else would be a failure.
POLITE = {"too-fast", "busy", "not-now", "not-your-turn", "late", "closed 4008", "closed 4029"}


@dataclass
class Pushed:
    """What came of it.

    Attributes:
        acts: acts that were stored and told, a second.
        of_a_core: ... a second that a core had for the server.
        refused: what was refused, and how often.
        failures: what is no refusal of the list, and what the server said of errors.
    """

    acts: float = 0.0
    of_a_core: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


async def pushed(
    folder: Path,
    tables: int,
    seconds: float,
    seed: int = 1,
    build: str = "sound",
    warm: float = 3.0,
    extra: dict[str, str] | None = None,
) -> Pushed:
    """Play at so many tables as fast as answers come, for some seconds.

    Everybody keeps to the limits of one person, so it takes many people to push a server.
    """
    rng, measured, server = Random(seed), Measured(), Server(folder, build, extra)
    await server.start()
    try:
        made = await seated(server, rng, tables, "papa", measured, 0.0, alone=0)
        async with opened(server, made) as sockets:
            before, began = work(server.pid), time.perf_counter()
            await played(made, sockets, seconds, rng, warm)
            after, took = work(server.pid), time.perf_counter() - began
    finally:
        await server.end()
    found = Pushed(measured.acts / seconds, refused=Counter(measured.refused))
    if before is not None and after is not None:
        found.of_a_core = found.acts * took / (after[0] - before[0])
    found.failures = [code for code in found.refused if code not in POLITE] + server.errors()
    return found
