"""Kill a server again and again while people play, and look for what it had promised."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.faults import power
from tests.faults.history import Complaint, complaints
from tests.faults.people import Network, Person, Seating, gathering
from tests.faults.serving import Server

from rookery.server.registry.history import history_of

SHORT = {"base": "kd_tournament", "target": 10}
# Rules, how many people play, the pace, and the phase in which the first of them stay.
TABLES: tuple[tuple[str | dict[str, Any], int, str], ...] = (
    (SHORT, 4, "brisk"),
    ({"base": "call_partner_4_short", "target": 10}, 4, "brisk"),
    (SHORT, 1, "instant"),
    ("circus", 3, "instant"),
    ("kd_tournament", 4, "brisk"),
    ("call_partner_5_short", 5, "instant"),
    ({"base": "house_001", "target": 10}, 2, "instant"),
    ("low_card_no_trump", 4, "brisk"),
)
HOLDS = ("done", "call", "over", "trump", "nest", "play", None, "lobby")
BACK = 120.0  # seconds until who is not back is missed, on a machine with other work
ACKED = 40  # answers between two kills, at the least: a server at rest has nothing to lose
LONGEST = 300.0  # seconds that are waited for a good moment


@dataclass
class Result:
    """What a campaign saw.

    Attributes:
        rounds: how often the server was killed.
        torn: how many of these left pages that had not been synced.
        acked: how many commands were acknowledged.
        lost: how many of them were gone.
        lossy: in how many rounds.
        phases: in which phases of a table it was killed, and how often.
        found: everything that no sound server leaves behind.
        starts: seconds from a start to the first answer.
        backs: seconds from there until the last person had the seat back.
    """

    rounds: int = 0
    torn: int = 0
    acked: int = 0
    lost: int = 0
    lossy: int = 0
    phases: Counter[str] = field(default_factory=Counter)
    found: list[Complaint] = field(default_factory=list)
    starts: list[float] = field(default_factory=list)
    backs: list[float] = field(default_factory=list)

    @property
    def kinds(self) -> set[str]:
        """What sorts of complaint there are."""
        return {complaint.kind for complaint in self.found}

    def add(self, other: Result) -> None:
        """Take another campaign's result in."""
        self.rounds += other.rounds
        self.torn += other.torn
        self.acked += other.acked
        self.lost += other.lost
        self.lossy += other.lossy
        self.phases += other.phases
        self.found += other.found
        self.starts += other.starts
        self.backs += other.backs


async def campaign(
    folder: Path,
    rounds: int,
    seed: int,
    build: str = "sound",
    shim: Path | None = None,
    tables: Sequence[tuple[str | dict[str, Any], int, str]] = TABLES,
    warm: float = 1.0,
) -> Result:
    """Kill a server `rounds` times; with a `shim` the power goes with it.

    A server that has lost something is killed no more.
    """
    rng, result = Random(seed), Result()
    extra = power.environment(shim, folder) if shim is not None else {}
    server = Server(folder, build, extra)
    people: list[Person] = []
    lives: list[asyncio.Task[None]] = []
    try:
        await server.start()
        network = Network(lambda: server.url, lambda: server.port)
        for number, (rules, count, pace) in enumerate(tables):
            people += await gathering(network, rng, rules, count, pace, number)
        lives += [asyncio.create_task(person.live()) for person in people]
        await _killing(server, people, rounds, rng, result, warm, shim is not None)
    finally:
        for person in people:
            person.stopping = True
        await asyncio.gather(*lives)
        await server.end()
    _judge(seatings(people), server, result)
    return result


async def _killing(
    server: Server,
    people: Sequence[Person],
    rounds: int,
    rng: Random,
    result: Result,
    warm: float,
    power_too: bool,
) -> None:
    for round_ in range(rounds):
        _hold(seatings(people), round_)
        await _under_way(people, warm, round_)
        await asyncio.sleep(rng.uniform(0.02, 0.35))
        await server.end()
        result.rounds += 1
        # What is in their sockets still reaches the people: it was told.
        await asyncio.sleep(0.05)
        if power_too:
            # Every other cut, so that a short campaign has both kinds.
            torn = round_ % 2 == 0
            power.cut(server.folder, rng, torn=torn)
            result.torn += torn
        lost = _missing(seatings(people), server, result)
        result.lost += lost
        result.lossy += lost > 0
        if lost:
            return
        if power_too:
            power.on(server.folder)
        began = time.perf_counter()
        await server.start()
        result.starts.append(server.starts[-1])
        await _all_back(people, began, result)
        if result.found:
            return


async def _under_way(people: Sequence[Person], warm: float, round_: int) -> None:
    """Return once enough was answered, and before the first kill most tables are where they stay.

    What is waited for are events, never a time, so that a slow machine loses nothing of the test.
    """
    tables = seatings(people)
    until = time.perf_counter() + LONGEST
    if round_ == 0:
        await asyncio.sleep(warm)
    looks = 0
    while time.perf_counter() < until:
        acked = sum(table.history.acked() for table in tables)
        there = {id(person.at) for person in people if person.phase == person.at.hold}
        # Bots may lead a table on; where it still is at the second look, it stays.
        looks = looks + 1 if round_ or len(there) >= len(tables) // 2 else 0
        if looks > 1 and acked >= ACKED * (round_ + 1):
            return
        await asyncio.sleep(0.05)


def seatings(people: Sequence[Person]) -> list[Seating]:
    """Return the tables of some people."""
    return list({id(person.at): person.at for person in people}.values())


def _hold(tables: Sequence[Seating], round_: int) -> None:
    """Have each table stay in a phase for a while, so that kills fall into all of them."""
    for number, seating in enumerate(tables):
        seating.hold = HOLDS[(number + round_) % len(HOLDS)]


def _missing(tables: Sequence[Seating], server: Server, result: Result) -> int:
    """Return how many acknowledged commands are not in the log, and note the phases."""
    lost = 0
    logs = server.logs()
    for seating in tables:
        log = logs.get(seating.history.code, [])
        kept = {(entry.client, entry.seq) for entry in log}
        acked = [op for op in seating.history.ops if op.seq is not None]
        lost += sum((op.client, op.seq) not in kept for op in acked)
        if log:
            table = history_of(log).table
            playing = table.hand is not None and table.phase == "playing"
            result.phases[table.hand.phase if playing and table.hand else table.phase] += 1
    return lost


async def _all_back(people: Sequence[Person], began: float, result: Result) -> None:
    def waiting() -> list[Person]:
        return [p for p in people if not p.welcomes or p.welcomes[-1] < began]

    while waiting() and time.perf_counter() - began < BACK:
        if any(person.closed for person in people):
            break
        await asyncio.sleep(0.01)
    for person in waiting():
        text = f"{person.id} is not back at {person.at.history.code}: {person.closed}"
        result.found.append(Complaint("away", text))
    result.backs.append(time.perf_counter() - began - result.starts[-1])


def _judge(tables: Sequence[Seating], server: Server, result: Result) -> None:
    logs = server.logs()
    for seating in tables:
        history = seating.history
        result.acked += history.acked()
        result.found += complaints(history, logs.get(history.code, []))
    result.found += [Complaint("error", line) for line in server.errors()]
    # No kill and no power cut looks like a database that was brought back.
    if server.timeline():
        result.found.append(Complaint("timeline", "another timeline has begun"))
