"""People play through bad weather, and afterwards one order has to explain what all of them saw."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.campaign import TABLES, seatings
from tests.faults.history import Complaint, complaints
from tests.faults.people import Network, Person, gathering
from tests.faults.proxy import CALM, Proxy, Weather
from tests.faults.serving import Server

RECKLESS = 0.02
SETTLE = 120.0  # seconds of good weather in which everybody gets an answer
LONGEST = 180.0  # seconds that a storm goes on at most
CALM_PATIENCE = 20.0  # who asks again sooner only adds to the work of a busy machine


@dataclass
class Storm:
    """What came of it.

    Attributes:
        faults: how often each fault happened.
        ops: how many commands there were.
        acked: how many of them were acknowledged.
        refused: why the others were not done, and how often.
        resent: how many were sent more than once.
        open: how many never got an answer.
        lines: how many connections were welcomed.
        found: everything that no sound server leaves behind.
    """

    faults: Counter[str] = field(default_factory=Counter)
    ops: int = 0
    acked: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    resent: int = 0
    open: int = 0
    lines: int = 0
    found: list[Complaint] = field(default_factory=list)

    @property
    def kinds(self) -> set[str]:
        """What sorts of complaint there are."""
        return {complaint.kind for complaint in self.found}


async def storm(
    folder: Path,
    seconds: float,
    seed: int,
    build: str = "sound",
    weather: Weather | None = None,
    tables: Sequence[tuple[str | dict[str, Any], int, str]] = TABLES,
    think: float = 0.05,
    until: Callable[[Storm], bool] | None = None,
) -> Storm:
    """Play for some seconds in the weather given, then until everybody has an answer.

    With `until` the storm goes on, on a slow machine longer than `seconds`, until that is so.
    """
    rng, result, server = Random(seed), Storm(), Server(folder, build)
    proxy = Proxy(lambda: server.port, weather or Weather(), seed)
    people: list[Person] = []
    lives: list[asyncio.Task[None]] = []
    try:
        await server.start()
        await proxy.open()
        network = Network(lambda: server.url, lambda: proxy.port, 0.4, think, RECKLESS)
        for number, (rules, count, pace) in enumerate(tables):
            people += await gathering(network, rng, rules, count, pace, number)
        lives += [asyncio.create_task(person.live()) for person in people]
        await asyncio.sleep(seconds)
        longest = time.perf_counter() + LONGEST
        while until is not None and time.perf_counter() < longest:
            seen = Storm(proxy.faults)
            _count(people, seen)
            if until(seen):
                break
            await asyncio.sleep(0.1)
        proxy.weather, network.patience = CALM, CALM_PATIENCE
        await _settled(people)
    finally:
        for person in people:
            person.stopping = True
        await asyncio.gather(*lives)
        await proxy.close()
        await server.end()
    result.faults = proxy.faults
    _judge(people, server, result)
    return result


async def _settled(people: Sequence[Person]) -> None:
    """Return once nobody waits for an answer and nothing new is begun."""
    for person in people:
        person.silent = True
    until = time.perf_counter() + SETTLE
    for person in people:
        while not person.idle and time.perf_counter() < until:  # noqa: ASYNC110
            await asyncio.sleep(0.02)


def _count(people: Sequence[Person], result: Storm) -> None:
    for seating in seatings(people):
        history = seating.history
        result.ops += len(history.ops)
        result.acked += history.acked()
        result.refused += Counter(op.refused for op in history.ops if op.refused is not None)
        result.resent += sum(op.sends > 1 for op in history.ops)
        result.lines += len(history.lines)


def _judge(people: Sequence[Person], server: Server, result: Storm) -> None:
    _count(people, result)
    logs = server.logs()
    for seating in seatings(people):
        history = seating.history
        result.found += complaints(history, logs.get(history.code, []))
        unanswered = [op for op in history.ops if op.seq is None and op.refused is None]
        result.open += len(unanswered)
        result.found += [Complaint("silent", f"{op.client} got no answer") for op in unanswered]
    result.found += [Complaint("error", line) for line in server.errors()]
