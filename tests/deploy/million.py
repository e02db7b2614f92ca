"""What a million people at tables would cost, from results that are kept and a simulation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.crowd.costs import last, measured_last, program_of, quicker, real_runs
from benchmarks.crowd.simulate import BUSY, DAY, SEATS, foretold

ROOT: Final = Path(__file__).resolve().parents[2]
KEPT: Final = ROOT / "benchmarks" / "results"
RESULT: Final = KEPT / "2026-11-20-million.json"
SEARCH: Final = KEPT / "2026-11-20-expert-tables.json"
HOURS: Final = (4, 12, 18, 19, 20, 21, 23)  # of the day, that the page shows
PAGE: Final = ROOT / "docs" / "explanation" / "million.md"
GIB: Final = 1 << 30


class Measured(NamedTuple):
    """What was measured, with where it stands.

    Attributes:
        core_us: microseconds of a core of a server for an event at a table of four, a few at once.
        full_us: ... where many come at once.
        pass_us: ... of the server that has a table's sockets and not the table.
        data_us: ... of PostgreSQL.
        hear_us: ... of a server for a hint of another.
        table_kib: memory of a table in the middle of a match.
        socket_kib: ... of a socket.
        process_mib: ... of a server before anybody has come.
        disk: bytes that an event takes in a database.
        wire: bytes that one screen is sent for an event.
        hand: events of a hand.
        search_ms: processor time of a bot that searches for a decision, on average.
        search_mib: memory of a process in which such bots think.
    """

    core_us: float
    full_us: float
    pass_us: float
    data_us: float
    hear_us: float
    table_kib: float
    socket_kib: float
    process_mib: float
    disk: float
    wire: float
    hand: float
    search_ms: float
    search_mib: float


class Assumed(NamedTuple):
    """What nobody has measured.

    Attributes:
        seats: people at a table.
        busy: how much of a core for bots may be used at the busiest hour.
        share: of the busiest hour's events, how many there are on average over a day.
        searching: seats of bots that search, for each person at a table.
        month: seconds of one.
    """

    seats: int = SEATS
    busy: float = BUSY
    share: float = mean(DAY)
    searching: float = 0.1
    month: float = 730 * 3600.0


# Dollars in us-east-1, November 2026; docs/how-to/run-in-aws.md says which are estimates.
CORE_HOUR: Final = 0.04048
GIB_HOUR: Final = 0.004445
DISK_GIB_MONTH: Final = 2 * 0.115  # in two zones
OUT_GB: Final = 0.05  # an estimate: the list's price for large amounts
DATABASE_CORE_HOUR: Final = 0.13  # an estimate: a core of a database in two zones, on fast disks


def latest(name: str) -> Path:
    """Return the last kept result of this name."""
    return KEPT / f"{last(name)}-{name}.json"


MOVE: Final = latest("move")
RUNS: Final = latest("crowd")


def read(path: Path) -> Any:  # noqa: ANN401  (whatever JSON holds)
    """Return what is kept in a file."""
    return json.loads(path.read_text("utf-8"))


def kept() -> Measured:
    """Return what is kept of measurements."""
    costs, quick = measured_last(), quicker()
    found, search = read(RESULT), read(SEARCH)["found"]
    weights = read(RUNS)["weights"]
    return Measured(
        core_us=quick * costs["at its own server"]["home"],
        full_us=quick * costs["without a pause"]["home"],
        pass_us=quick * costs["through another server"]["door"],
        data_us=quick * costs["at its own server"]["database"],
        hear_us=quick * costs["hint"]["server"],
        table_kib=found["table_kib"],
        socket_kib=weights["KiB an idle socket"],
        process_mib=weights["MiB of an empty server"],
        disk=found["disk_bytes_an_event"],
        wire=mean(turn["bytes, mean"] for turn in read(MOVE)["changes"]),
        hand=found["events_a_hand"],
        search_ms=search["decisions"]["mean_ms"],
        search_mib=search["memory_mib"]["most"],
    )


def simulated() -> dict[str, Any]:
    """Return what the simulation kept."""
    found: dict[str, Any] = read(latest("crowd-simulated"))
    return found


class Needed(NamedTuple):
    """What so many people need at the busiest hour, and dollars a month for it."""

    tables: float
    memory_gib: float
    out_gbit: float
    disk_gib_month: float
    out_tb_month: float
    search_decisions: float
    search_cores: float
    search_gib: float
    dollars: dict[str, float]


def needed(found: Measured, assumed: Assumed, seen: Mapping[str, float]) -> Needed:
    """Return what it takes, besides what was `seen` of servers and databases at that size.

    Every server process has one core, and so has every process for bots that search. A socket that
    comes to the wrong server is held twice, and of n servers 1 is the right one. A bot that
    searches decides as often as a person in its place would act.
    """
    people, servers, events = seen["people"], seen["servers"], seen["events"]
    tables = people / assumed.seats
    sockets = people * (2 - 1 / servers)
    memory = (sockets * found.socket_kib + tables * found.table_kib) * 1024 / GIB
    memory += servers * found.process_mib / 1024
    out = events * assumed.seats * found.wire
    disk = events * assumed.share * found.disk * assumed.month / GIB
    out_month = out * assumed.share * assumed.month / 1e12
    decisions = events * assumed.searching
    search_cores = decisions * found.search_ms / 1000 / assumed.busy
    search_gib = search_cores * found.search_mib / 1024
    hours, cores = assumed.month / 3600, seen["databases"] * seen["database_cores"]
    dollars = {
        "servers": hours * (servers * CORE_HOUR + 1.3 * memory * GIB_HOUR),
        "bots that search": hours * (search_cores * CORE_HOUR + 1.3 * search_gib * GIB_HOUR),
        "databases, each in two zones": hours * 2 * cores * DATABASE_CORE_HOUR,
        "a month more of events on disk": disk * DISK_GIB_MONTH,
        "what players are sent": 1000 * out_month * OUT_GB,
    }
    return Needed(
        *(tables, memory, 8 * out / 1e9, disk, out_month),
        *(decisions, search_cores, search_gib, dollars),
    )


def tables(found: Measured, crowd: Mapping[str, Any]) -> dict[str, str]:
    """Return the tables of the page, by name."""
    sizes: list[dict[str, float]] = crowd["sizes"]
    rows = [needed(found, Assumed(), size) for size in sizes]
    head = ["", *(f"{size['people']:,}" for size in sizes)]

    def seen(name: str, text: str = "{:,.0f}") -> list[str]:
        return [text.format(size[name]) for size in sizes]

    size = [
        head,
        ["tables of four", *(f"{row.tables:,.0f}" for row in rows)],
        ["events a second", *seen("events")],
        ["server processes, a core each", *seen("servers")],
        ["share of each core used", *seen("server", "{:.2f}")],
        ["their memory, GiB", *(_about(row.memory_gib) for row in rows)],
        ["databases for tables", *seen("databases")],
        ["cores of each", *seen("database_cores")],
        ["share of each core used", *seen("database", "{:.2f}")],
        ["an act on all screens, p50 ms", *seen("p50", "{:.1f}")],
        ["p99 ms", *seen("p99", "{:.1f}")],
        ["decisions of `expert` a second", *(_about(row.search_decisions) for row in rows)],
        ["cores for them, half used", *(_about(row.search_cores) for row in rows)],
        ["memory of these processes, GiB", *(_about(row.search_gib) for row in rows)],
        ["sent to players, Gbit/s", *(_about(row.out_gbit) for row in rows)],
        ["and in a month, TB", *(_about(row.out_tb_month) for row in rows)],
        ["events kept in a month, GiB", *(_about(row.disk_gib_month) for row in rows)],
    ]
    money = [["$ a month", *head[1:]]]
    for name in rows[0].dollars:
        money.append([name, *(_about(row.dollars[name]) for row in rows)])
    money.append(["**together**", *(_about(sum(row.dollars.values())) for row in rows)])
    each = [sum(row.dollars.values()) / one["people"] for row, one in zip(rows, sizes, strict=True)]
    money.append(["$ a person at the busiest hour", *(f"{one:.3f}" for one in each)])
    return {
        "measured": _table(_measured(found)),
        "real": _table(_real()),
        "size": _table(size),
        "day": _table(_day(crowd["day"])),
        "troubles": _table(_troubles(crowd["troubles"])),
        "money": _table(money),
    }


def _measured(found: Measured) -> list[list[str]]:
    costs, weights = f"`{latest('crowd-costs').name}`", f"`{RUNS.name}`"
    return [
        ["Measured", "", "Where"],
        [
            "a server, for an event when few come at once, µs of a core",
            f"{found.core_us:,.0f}",
            costs,
        ],
        ["... when many come at once", f"{found.full_us:,.0f}", costs],
        ["... to pass it on to four screens, µs of a core", f"{found.pass_us:,.0f}", costs],
        ["PostgreSQL, for an event, µs of a core", f"{found.data_us:,.0f}", costs],
        ["a server, for a hint from another server, µs of a core", f"{found.hear_us:,.0f}", costs],
        ["memory of a table, KiB", f"{found.table_kib:.0f}", f"`{RESULT.name}`"],
        ["memory of a socket, KiB", f"{found.socket_kib:.0f}", weights],
        ["memory of a server before anybody comes, MiB", f"{found.process_mib:.0f}", weights],
        ["an event on disk, bytes", f"{found.disk:.0f}", f"`{RESULT.name}`"],
        ["an event to one screen, bytes", f"{found.wire:,.0f}", f"`{MOVE.name}`"],
        ["events of a hand", f"{found.hand:.0f}", f"`{RESULT.name}`"],
        ["processor for a decision of `expert`, ms", f"{found.search_ms:.1f}", f"`{SEARCH.name}`"],
        ["memory of a process for such bots, MiB", f"{found.search_mib:.0f}", f"`{SEARCH.name}`"],
    ]


@cache
def _real() -> list[list[str]]:
    rows = [["", "p50 predicted, ms", "real", "p99 predicted, ms", "real"]]
    for run in real_runs():
        told, real = foretold(program_of(run["day"]), run), run["seen_ms"]
        disk = f", a disk that takes {run['disk_ms']} ms" if run["disk_ms"] else ""
        figures = [told["p50"], real["p50"], told["p99"], real["p99"]]
        name = f"{run['day']}, {run['tables']:,} tables{disk}"
        rows.append([name, *(f"{one:.1f}" for one in figures)])
    return rows


def _day(hours: Sequence[Mapping[str, float]]) -> list[list[str]]:
    rows = [["hour", "people", "events a second", "share of each core used", "p50 ms", "p99 ms"]]
    for one in (one for one in hours if one["hour"] in HOURS):
        many = (f"{one[name]:,.0f}" for name in ("hour", "people", "events"))
        rows.append([*many, f"{one['server']:.2f}", f"{one['p50']:.1f}", f"{one['p99']:.1f}"])
    return rows


def _troubles(found: Mapping[str, Mapping[str, float]]) -> list[list[str]]:
    names = ("servers", "server", "redis", "p50", "p99")
    rows = [["", "servers", "share of each core used", "of Redis's core", "p50 ms", "p99 ms"]]
    for name, one in found.items():
        count, *used = (one[each] for each in names)
        rows.append([name, f"{count:.0f}", *(f"{each:,.2f}" for each in used)])
    return rows


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


def filled(page: str, found: Measured, crowd: Mapping[str, Any]) -> str:
    """Return the page with its tables as the results give them."""
    for name, table in tables(found, crowd).items():
        head, begin, rest = page.partition(f"<!-- {name} -->")
        _, end, tail = rest.partition("<!-- end -->")
        if not end:
            raise ValueError(f"{PAGE.name} has no place for {name}")
        page = f"{head}{begin}\n\n{table}\n\n{end}{tail}"
    return page
