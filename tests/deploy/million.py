"""What a million people at tables would cost, reckoned from results that are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
KEPT: Final = ROOT / "benchmarks" / "results"
RESULT: Final = KEPT / "2026-11-20-million.json"
SEARCH: Final = KEPT / "2026-11-20-expert-tables.json"
PAGE: Final = ROOT / "docs" / "explanation" / "million.md"
GIB: Final = 1 << 30


class Measured(NamedTuple):
    """What was measured, with where it stands.

    Attributes:
        core_ms: processor time of a server for an event at a table of four, bots among them.
        commits: events a second that one PostgreSQL on two shared cores made durable.
        table_kib: memory of a table in the middle of a match.
        disk: bytes that an event takes in a database.
        wire: bytes that one screen is sent for an event.
        hand: events of a hand.
        search_ms: processor time of a bot that searches for a decision, on average.
        search_mib: memory of a process in which such bots think.
    """

    core_ms: float
    commits: int
    table_kib: float
    disk: float
    wire: float
    hand: float
    search_ms: float
    search_mib: float


class Assumed(NamedTuple):
    """What nobody has measured.

    Attributes:
        people: at tables at the busiest hour.
        seats: people at a table.
        pace: seconds from one event to the next at a table.
        busy: how much of a core may be used at the busiest hour.
        share: of the busiest hour's events, how many there are on average over a day.
        socket_kib: memory of a socket, what P6 promises at most.
        searching: seats of bots that search, for each person at a table.
        month: seconds of one.
    """

    people: int = 1_000_000
    seats: int = 4
    pace: float = 2.0
    busy: float = 0.5
    share: float = 0.25
    socket_kib: float = 60.0
    searching: float = 0.1
    month: float = 730 * 3600.0


# Dollars in us-east-1, November 2026; docs/how-to/run-in-aws.md says which are estimates.
CORE_HOUR: Final = 0.04048
GIB_HOUR: Final = 0.004445
DISK_GIB_MONTH: Final = 2 * 0.115  # in two zones
OUT_GB: Final = 0.05  # an estimate: the list's price for large amounts
DATABASE_CORE_HOUR: Final = 0.13  # an estimate: a core of a database in two zones, on fast disks


def kept() -> Measured:
    """Return what is kept of measurements."""
    runs: list[dict[str, Any]] = json.loads((KEPT / "2026-11-20-table.json").read_text())
    idle = next(run for run in runs if "otherwise idle" in run["described_as"])
    store = json.loads((KEPT / "2026-11-20-store.json").read_text())
    found = json.loads(RESULT.read_text())
    search = json.loads(SEARCH.read_text())["found"]
    return Measured(
        core_ms=1000 * idle["cores"]["server"] / idle["events_per_second"],
        commits=next(each["a_second"] for each in store["postgresql"] if each["tables"] == 100),
        table_kib=found["table_kib"],
        disk=found["disk_bytes_an_event"],
        wire=found["wire_bytes_a_screen"],
        hand=found["events_a_hand"],
        search_ms=search["decisions"]["mean_ms"],
        search_mib=search["memory_mib"]["most"],
    )


class Needed(NamedTuple):
    """What so many people need at the busiest hour, and dollars a month for it."""

    tables: float
    events: float
    cores: float
    memory_gib: float
    databases: float
    out_gbit: float
    disk_gib_month: float
    out_tb_month: float
    search_decisions: float
    search_cores: float
    search_gib: float
    dollars: dict[str, float]


def needed(found: Measured, assumed: Assumed) -> Needed:
    """Return what it takes.

    Every server process has one core, and so has every process for bots that search. A socket that
    comes to the wrong server is held twice, and nearly all do. A bot that searches decides as often
    as a person in its place would act.
    """
    tables = assumed.people / assumed.seats
    events = tables / assumed.pace
    cores = events * found.core_ms / 1000 / assumed.busy
    sockets = 2 * assumed.people if cores > 2 else assumed.people
    memory = (sockets * assumed.socket_kib + tables * found.table_kib) * 1024 / GIB
    out = events * assumed.seats * found.wire
    average = events * assumed.share
    disk = average * found.disk * assumed.month / GIB
    out_month = out * assumed.share * assumed.month / 1e12
    databases = events / found.commits
    decisions = events * assumed.searching
    search_cores = decisions * found.search_ms / 1000 / assumed.busy
    search_gib = search_cores * found.search_mib / 1024
    hours = assumed.month / 3600
    dollars = {
        "servers": hours * (cores * CORE_HOUR + 1.3 * memory * GIB_HOUR),
        "bots that search": hours * (search_cores * CORE_HOUR + 1.3 * search_gib * GIB_HOUR),
        "databases": hours * 2 * 2 * databases * DATABASE_CORE_HOUR,
        "a month more of events on disk": disk * DISK_GIB_MONTH,
        "what players are sent": 1000 * out_month * OUT_GB,
    }
    return Needed(
        *(tables, events, cores, memory, databases, 8 * out / 1e9, disk, out_month),
        *(decisions, search_cores, search_gib, dollars),
    )


SIZES: Final = (1_000, 10_000, 100_000, 1_000_000)


def tables(found: Measured) -> dict[str, str]:
    """Return the tables of the page, by name."""
    rows = [needed(found, Assumed(people=people)) for people in SIZES]
    head = ["", *(f"{people:,}" for people in SIZES)]
    size = [
        head,
        ["tables of four", *(f"{row.tables:,.0f}" for row in rows)],
        ["events a second", *(f"{row.events:,.0f}" for row in rows)],
        ["cores of servers, half used", *(_about(row.cores) for row in rows)],
        ["their memory, GiB", *(_about(row.memory_gib) for row in rows)],
        ["decisions of `expert` a second", *(_about(row.search_decisions) for row in rows)],
        ["cores for them, half used", *(_about(row.search_cores) for row in rows)],
        ["memory of these processes, GiB", *(_about(row.search_gib) for row in rows)],
        ["two-core databases as measured", *(_about(row.databases) for row in rows)],
        ["sent to players, Gbit/s", *(_about(row.out_gbit) for row in rows)],
        ["and in a month, TB", *(_about(row.out_tb_month) for row in rows)],
        ["events kept in a month, GiB", *(_about(row.disk_gib_month) for row in rows)],
    ]
    money = [["$ a month", *head[1:]]]
    for name in rows[0].dollars:
        money.append([name, *(_about(row.dollars[name]) for row in rows)])
    money.append(["**together**", *(_about(sum(row.dollars.values())) for row in rows)])
    each = [sum(row.dollars.values()) / people for row, people in zip(rows, SIZES, strict=True)]
    money.append(["$ a person at the busiest hour", *(f"{one:.2f}" for one in each)])
    measured = [
        ["Measured", "", "Where"],
        [
            "processor of a server for an event, ms",
            f"{found.core_ms:.2f}",
            "`2026-11-20-table.json`",
        ],
        ["durable events a second, PostgreSQL", f"{found.commits:,}", "`2026-11-20-store.json`"],
        ["memory of a table, KiB", f"{found.table_kib:.0f}", f"`{RESULT.name}`"],
        ["an event on disk, bytes", f"{found.disk:.0f}", f"`{RESULT.name}`"],
        ["an event to one screen, bytes", f"{found.wire:,.0f}", f"`{RESULT.name}`"],
        ["events of a hand", f"{found.hand:.0f}", f"`{RESULT.name}`"],
        ["processor for a decision of `expert`, ms", f"{found.search_ms:.1f}", f"`{SEARCH.name}`"],
        ["memory of a process for such bots, MiB", f"{found.search_mib:.0f}", f"`{SEARCH.name}`"],
    ]
    return {"measured": _table(measured), "size": _table(size), "money": _table(money)}


def _about(figure: float) -> str:
    """Return a figure with two digits that count.

    >>> _about(0.0123), _about(1.26), _about(345.6), _about(98765.0)
    ('0.012', '1.3', '350', '99,000')
    """
    if figure <= 0:
        return "0"
    digits = 1
    while figure >= 10**digits:
        digits += 1
    if figure >= 10:
        return f"{round(figure, 2 - digits):,.0f}"
    return f"{float(f'{figure:.2g}'):g}"


def _table(rows: list[list[str]]) -> str:
    first, *rest = rows
    line = ["---", *("---:" for _ in first[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in [first, line, *rest])


def filled(page: str, found: Measured) -> str:
    """Return the page with its tables as the results give them."""
    for name, table in tables(found).items():
        head, begin, rest = page.partition(f"<!-- {name} -->")
        _, end, tail = rest.partition("<!-- end -->")
        if not end:
            raise ValueError(f"{PAGE.name} has no place for {name}")
        page = f"{head}{begin}\n\n{table}\n\n{end}{tail}"
    return page
