"""What goes on at this server, for whoever runs it: who plays, versions, rates, reports.

It shows no card and no token. It does show reports, which people write for its readers, and on
request the talk before a report, for as long as the table has it.
"""

from __future__ import annotations

import asyncio
import os
import platform
from collections import Counter
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from rookery.about import version
from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.counters import TIMED, Durations
from rookery.server.monitoring.health import Now, backup_age, load_of
from rookery.server.names import is_code
from rookery.server.registry.calendar import HIDDEN
from rookery.server.registry.listing import TableWatched, passing_over, watched
from rookery.server.registry.tables import TableRegistry
from rookery.server.table import events as ev

TABLES: Final = 100  # in a list, those where something happened last
REPORTS: Final = 50
TALK: Final = 20  # lines before a report


class Serving(BaseModel):
    """The server that answers, one of several where ``shared``.

    ``address`` is where the others find it; ``alive`` is false while it holds no table for sure;
    ``leads`` where it is the one that clears up; ``hints`` where it hears of the others at once.
    ``memory`` in bytes, null where the system does not say.
    """

    address: str | None
    shared: bool
    alive: bool
    leads: bool
    hints: bool
    memory: int | None


class Database(BaseModel):
    """What keeps the tables: ``SQLite`` or ``PostgreSQL``, and its version.

    ``backup_age`` is the age of the newest backup in seconds; null where no folder of them is
    named, or it is empty. ``lost`` are the letters of those, of several, that do not answer.
    """

    kind: str
    version: str | None
    lost: list[str]
    backup_age: float | None


class Minute(BaseModel):
    """How often something was done in the last 60 seconds; see `tally.COUNTED`."""

    asked: int
    acks: int
    refused: int
    events: int
    sockets: int
    closed: int
    answers: int


class Speed(BaseModel):
    """How long something took, of the latest 1,024: milliseconds; ``count`` since the start."""

    count: int
    p50: float | None
    p99: float | None
    most: float | None


class BotSeen(BaseModel):
    """A bot and how many seats it plays."""

    bot: str
    seats: int


class Reported(BaseModel):
    """What somebody has reported of another player; names are those at the table, null if gone.

    ``code`` and ``seq`` say which report it is, to whoever asks for the talk before it.
    """

    at: int
    code: str
    seq: int
    by: str | None
    about: str | None
    reason: str


class LineSaid(BaseModel):
    """A line of talk: a ``text``, or a quick ``phrase``.

    ``seat`` is null for somebody who watched; ``reported`` where the reported player said it.
    """

    at: int
    name: str
    seat: int | None
    reported: bool
    text: str | None
    phrase: str | None


class SecurityLine(BaseModel):
    """A line of the log of security events, see docs/how-to/monitor-a-server.md."""

    at: int
    kind: str
    who: str
    times: int


class Overview(BaseModel):
    """What goes on at one server; moments in milliseconds since 1970.

    ``refused`` and ``closed`` are counted since the start, by code; ``speed`` has a line for each
    of ``durable``, ``ack``, ``screen`` and ``answer``; ``security`` has the newest line first.
    """

    at: int
    started_at: int
    version: str
    python: str
    server: Serving
    database: Database
    now: Now
    minute: Minute
    speed: dict[str, Speed]
    refused: dict[str, int]
    closed: dict[str, int]
    bots: list[BotSeen]
    tables: list[TableWatched]
    reports: list[Reported]
    security: list[SecurityLine]


async def overview(state: AppState) -> Overview:
    """Return what goes on at this server."""
    registry = state.registry
    tally = registry.tally
    latest = sorted(registry.actors, key=lambda actor: -actor.table.touched_at)[:TABLES]
    return Overview(
        at=registry.clock.now(),
        started_at=state.started_at,
        version=version(),
        python=platform.python_version(),
        server=Serving(
            address=registry.leases.address,
            shared=registry.leases.shared,
            alive=registry.leases.alive,
            leads=registry.leases.leads,
            hints=registry.pubsub.connected,
            memory=_memory(),
        ),
        database=Database(
            kind=registry.store.kind,
            version=registry.store.version,
            lost=list(registry.leases.lost),
            backup_age=await asyncio.to_thread(backup_age, state.registry.settings.backups),
        ),
        now=load_of(registry),
        minute=Minute(**{name: tally.recent(name) for name in Minute.model_fields}),
        speed={name: _speed(tally.times[name]) for name in TIMED},
        refused=dict(tally.counts["refused"]),
        closed=dict(tally.counts["closed"]),
        bots=_bots(registry),
        tables=[watched(one.table, len(one.company.watchers(one.table))) for one in latest],
        reports=await _reports(registry),
        security=[SecurityLine(**one._asdict()) for one in reversed(state.security.latest)],
    )


async def talk(state: AppState, code: str, seq: int) -> list[LineSaid]:
    """Return what was said at a table before a report; nothing once the table has it no more.

    Raises:
        Problem: there is no such report; code ``not-found``.
    """
    registry = state.registry
    row = await registry.store.row(code) if is_code(code) else None
    if row is None or registry.calendar.hides(row):
        return []
    entries = registry.calendar.still_said(await registry.store.read(code))
    report = next((entry.event for entry in entries if entry.seq == seq), None)
    if not isinstance(report, ev.Reported):
        raise Problem("not-found")
    return [
        LineSaid(
            at=entry.at,
            name=line.name,
            seat=line.seat,
            reported=line.person == report.accused,
            text=line.text,
            phrase=line.phrase,
        )
        for entry in entries
        if entry.seq < seq and isinstance(line := entry.event, ev.Chatted)
        if line.text or line.phrase
    ][-TALK:]


def _memory() -> int | None:
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _speed(took: Durations) -> Speed:
    found = took.quantiles(0.5, 0.99, 1.0)
    p50, p99, most = [round(1000 * seconds, 3) for seconds in found] if found else [None] * 3
    return Speed(count=took.count, p50=p50, p99=p99, most=most)


def _bots(registry: TableRegistry) -> list[BotSeen]:
    chairs = (chair for actor in registry.actors for chair in actor.table.chairs)
    found = Counter(chair.player for chair in chairs if chair.player is not None)
    return [BotSeen(bot=bot, seats=seats) for bot, seats in found.most_common()]


async def _reports(registry: TableRegistry) -> list[Reported]:
    found = []
    since = registry.calendar.hidden_by() - (registry.settings.keep_person - HIDDEN)
    for one in await registry.store.reports(REPORTS, since):
        table = None
        with passing_over(one.code):
            table = await registry.table(one.code)
        names: dict[str | None, str] = {}
        if table is not None:
            names = {chair.person: chair.name for chair in table.chairs if chair.person is not None}
        report = Reported(
            at=one.at,
            code=one.code,
            seq=one.seq,
            by=names.get(one.person),
            about=names.get(one.accused),
            reason=one.reason,
        )
        found.append(report)
    return found
