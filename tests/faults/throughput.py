"""How much a server does at once, and what becomes of more.

Whoever has an answer asks the next thing without a pause. That alone never asks for more than the
server does; so beside it everybody may talk by the clock, whether or not there was an answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.faults.load import SAID, Measured, opened, played, seated
from tests.faults.machine import work
from tests.faults.serving import Server
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

# What is refused where too much is asked for; anything else would be a failure.
POLITE = {"too-fast", "busy", "not-now", "not-your-turn", "late", "closed 4008", "closed 4029"}
CUT = {"closed 4008", "closed 4029", "closed 1006"}


@dataclass
class Pushed:
    """What came of it.

    Attributes:
        acts: acts that were stored and told, a second.
        of_a_core: ... a second that a core had for the server.
        said: what was said by the clock.
        talking: how many have not said all of it.
        answered: how much of it was answered, with a yes or a no.
        took: how long it took, seconds.
        refused: what was refused, and how often.
        failures: what is no refusal of the list, what was not answered, and what the server said
            of errors.
    """

    acts: float = 0.0
    of_a_core: float = 0.0
    said: int = 0
    talking: int = 0
    answered: int = 0
    took: float = 0.0
    refused: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def heard_out(self, measured: Measured) -> bool:
        """Return whether all has been said, and all of that was answered."""
        return not self.talking and measured.answered >= self.said


async def pushed(
    folder: Path,
    tables: int,
    seconds: float,
    seed: int = 1,
    build: str = "sound",
    warm: float = 3.0,
    extra: dict[str, str] | None = None,
    talk: float = 0.0,
) -> Pushed:
    """Play at so many tables as fast as answers come, for some seconds.

    Everybody keeps to the limits of one person, so it takes many people to push a server. With
    `talk` they say so much besides, all together a second, and nobody keeps to anything.
    """
    rng, measured, server = Random(seed), Measured(), Server(folder, build, extra)
    found = Pushed()
    await server.start()
    try:
        made = await seated(server, rng, tables, "papa", measured, 0.0, alone=0)
        async with opened(server, made) as sockets:
            lines = [line for each in sockets for line in each]
            before, began = work(server.pid), time.perf_counter()
            until = began + warm + seconds
            found.talking = len(lines) if talk else 0
            async with asyncio.TaskGroup() as group:
                for line in lines if talk else ():
                    group.create_task(_talks(line, len(lines) / talk, rng.random(), until, found))
                await played(made, sockets, seconds, rng, warm, found.heard_out)
            after, found.took = work(server.pid), time.perf_counter() - began
    finally:
        await server.end()
    found.answered, found.refused = measured.answered, Counter(measured.refused)
    found.acts = measured.acts / (found.took - warm if talk else seconds)
    if before is not None and after is not None:
        found.of_a_core = found.acts * found.took / (after[0] - before[0])
    found.failures = [code for code in found.refused if code not in POLITE] + server.errors()
    if found.answered < found.said and not found.refused.keys() & CUT:
        found.failures.append(f"{found.said - found.answered} were not answered")
    return found


async def _talks(
    line: ClientConnection, period: float, first: float, until: float, found: Pushed
) -> None:
    at = time.perf_counter() + first * period
    with contextlib.suppress(ConnectionClosed):
        while at < until:
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            words = {"type": "chat", "id": f"{SAID}{found.said}", "phrase": "hello"}
            await line.send(json.dumps(words))
            found.said += 1
            at += period
    found.talking -= 1
