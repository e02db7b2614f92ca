"""Simulates an evening of up to a million people, and keeps what came of it.

    python -m benchmarks.crowd.simulate [--people N] [--keep]

What each step costs is measured (`costs`); how steps wait for each other is simulated (`system`).
docs/explanation/million.md shows the results.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.crowd.costs import KEPT, Costs, last, program_of, real_runs, spread_of, today
from benchmarks.crowd.people import crowded, generated
from benchmarks.crowd.stations import Clock, Station
from benchmarks.crowd.system import System

SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)
SEATS: Final = 4
PERIOD: Final = 2.0  # seconds that a person takes for an act
LINE: Final = 0.0003  # seconds from one machine to another, of one region
DISK: Final = 0.001  # seconds that a database of a region waits for its disk, besides
BUSY: Final = 0.5  # how much of a core is to be used at the busiest hour
CORES: Final = 16  # of a database at most
STAY: Final = 3600.0  # seconds that a person stays, on average
MANY: Final = 100_000  # people of whom an hour of the evening is simulated, for a million
# Of the busiest hour's people, how many are there at each hour of the day: for one time zone.
DAY: Final = (
    *(0.20, 0.10, 0.05, 0.03, 0.02, 0.02, 0.03, 0.05, 0.08, 0.10, 0.12, 0.14),
    *(0.16, 0.16, 0.16, 0.18, 0.22, 0.30, 0.40, 0.60, 0.85, 1.00, 0.70, 0.33),
)


class Seen(NamedTuple):
    """What was seen in a while.

    Attributes:
        servers: server processes.
        databases: ... and the cores of each.
        events: a second.
        server: of a core of a server, how much was used; `most` of the busiest one.
        database: of a core of a database.
        redis: of the core of Redis; over 1 it does not keep up.
        p50: milliseconds from an act until it is on the last screen of its table.
    """

    people: int
    servers: int
    databases: int
    database_cores: int
    events: float
    server: float
    most: float
    database: float
    redis: float
    p50: float
    p99: float
    longest: float
    happened: int

    def told(self) -> dict[str, float]:
        """Return it, rounded."""
        return {name: round(value, 4) for name, value in self._asdict().items()}


def share(times: Sequence[float], part: float) -> float:
    """Return below which time so many of the ordered `times` are, milliseconds."""
    return 1000 * times[min(len(times) - 1, int(part * len(times)))] if times else 0.0


def seen(
    costs: Costs,
    people: int,
    servers: int,
    databases: Sequence[int],
    seconds: float,
    hints: float = 0.0,
    coming: float = 0.0,
    warm: float = 2.0,
    seed: int = 1,
) -> Seen:
    """Return what so many people at tables see of a system, `coming` more a second come in."""
    clock, rng = Clock(), Random(seed)
    spread = spread_of(last("move"))
    system = System(clock, costs, rng, servers, databases, hints, LINE, DISK, spread=spread)
    times = crowded(system, people // SEATS, PERIOD, rng)
    if coming:
        system.come(coming)
    clock.run(warm)
    times.clear()
    stations = [server.core for server in system.servers]
    parts = [*stations, *system.databases, system.redis]
    before, stored = [part.worked for part in parts], system.stored_acts
    clock.run(warm + seconds)
    used = [(part.worked - was) / seconds for part, was in zip(parts, before, strict=True)]
    times.sort()
    of_servers, of_databases = used[:servers], used[servers:-1]
    return Seen(
        people=people,
        servers=servers,
        databases=len(databases),
        database_cores=databases[0],
        events=(system.stored_acts - stored) / seconds,
        server=sum(of_servers) / servers,
        most=max(of_servers),
        database=sum(of_databases) / sum(databases),
        redis=used[-1],
        p50=share(times, 0.5),
        p99=share(times, 0.99),
        longest=1000 * times[-1],
        happened=clock.happened,
    )


def bought(costs: Costs, people: int) -> tuple[int, list[int]]:
    """Return how many server processes, and databases of how many cores, are half used."""
    # What an act costs depends on how many are committed together: a few processes tell.
    pilot = seen(costs, 4_000, 4, [4], 3.0)
    grows = people / pilot.people / BUSY
    servers = max(1, math.ceil(pilot.server * pilot.servers * grows))
    cores = max(2, math.ceil(pilot.database * pilot.database_cores * grows))
    databases = math.ceil(cores / CORES)
    return servers, [math.ceil(cores / databases)] * databases


def sizes(costs: Costs, most: int) -> list[dict[str, float]]:
    """Return what the busiest hour is like at each size."""
    found = []
    for people in (size for size in SIZES if size <= most):
        servers, databases = bought(costs, people)
        seconds = max(4.0, min(60.0, 2e6 / people))
        one = seen(costs, people, servers, databases, seconds, coming=people / STAY)
        print(one, flush=True)
        found.append(one.told())
    return found


def day(costs: Costs) -> list[dict[str, float]]:
    """Return what each hour is like at a tenth of the servers for a million."""
    servers, databases = bought(costs, MANY)
    found = []
    for hour, part in enumerate(DAY):
        grows = MANY * max(0.0, part - DAY[hour - 1]) / 3600
        people = int(MANY * part)
        one = seen(costs, people, servers, databases, 5.0, coming=people / STAY + grows)
        found.append({"hour": hour, **one.told()})
    return found


def troubles(costs: Costs) -> dict[str, dict[str, float]]:
    """Return what the busiest hour is like where something is as it should not be."""
    servers, databases = bought(costs, MANY)
    fewer = servers - max(1, servers // 10)
    tenth = MANY / 10 / 60
    ways: dict[str, tuple[int, float, float]] = {
        "as it should be": (servers, MANY / STAY, 0.0),
        "a tenth of the servers is gone": (fewer, MANY / STAY, 0.0),
        "a tenth of all people come within a minute": (servers, tenth, 0.0),
        "a hint of every event": (servers, MANY / STAY, 1.0),
    }
    return {
        name: seen(costs, MANY, count, databases, 8.0, hints, coming).told()
        for name, (count, coming, hints) in ways.items()
    }


def foretold(costs: Costs, run: dict[str, Any], seed: int = 1) -> dict[str, float]:
    """Return what a real run of the load generator is foretold to see, milliseconds."""
    clock, rng = Clock(), Random(seed)
    disk = run["disk_ms"] / 1000
    spread = spread_of(run["day"])
    system = System(clock, costs, rng, disk=disk, players=Station(clock), spread=spread)
    times = generated(system, run["tables"], run["period"], rng, run["alone"], run["quick"])
    clock.run(5.0)
    times.clear()
    clock.run(5.0 + run["seconds"])
    times.sort()
    return {"count": len(times), "p50": share(times, 0.5), "p99": share(times, 0.99)}


def main() -> None:
    """Simulate, print and keep."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.crowd.simulate", description=__doc__
    )
    parser.add_argument("--people", type=int, default=SIZES[-1], help="the largest size")
    parser.add_argument("--keep", action="store_true")
    chosen = parser.parse_args()
    for run in real_runs():
        told = foretold(program_of(run["day"]), run)
        print(run["day"], run["tables"], told, "real:", run["seen_ms"], flush=True)
    began, costs = time.process_time(), today()
    date = datetime.now(UTC).date().isoformat()
    found: dict[str, Any] = {
        "date": date,
        "costs_us": {name: round(1e6 * value, 1) for name, value in costs._asdict().items()},
        "assumed": {"period": PERIOD, "line": LINE, "disk": DISK, "busy": BUSY, "stay": STAY},
        "sizes": sizes(costs, chosen.people),
        "day": day(costs),
        "troubles": troubles(costs),
    }
    found["processor_seconds"] = round(time.process_time() - began)
    print(json.dumps(found, indent=1))
    if chosen.keep:
        (KEPT / f"{date}-crowd-simulated.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
