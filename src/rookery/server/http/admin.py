"""REST for whoever runs this server: who plays, versions, rates; behind a secret of its own.

The secret comes as `Authorization: Bearer`, never as a cookie, so that no page of another site can
send it along. Where no secret is set there is nothing at this address. Nothing here holds a card, a
token or what somebody has said, save for reports, which are written for whoever reads this.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import os
import platform
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request
from pydantic import BaseModel

from rookery.server.counters import TIMED, Durations
from rookery.server.http.errors import Problem
from rookery.server.http.middleware import stranger
from rookery.server.http.ratelimit import limited
from rookery.server.http.state import AppState, parts
from rookery.server.live.actor import Actor
from rookery.server.monitoring.backups import age
from rookery.server.monitoring.glance import glance
from rookery.server.registry.listing import SeatListed, seat_listed
from rookery.server.registry.tables import TableRegistry

log = logging.getLogger(__name__)
router = APIRouter(prefix="/api", tags=["admin"])

TABLES: Final = 100  # in a list, those where something happened last
REPORTS: Final = 50
_MS: Final = 1000


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
    """What keeps the tables: ``SQLite``, ``PostgreSQL`` or ``memory``, and its version.

    ``backup_age`` is the age of the newest backup in seconds; null where no folder of them is
    named, or it is empty.
    """

    kind: str
    version: str | None
    backup_age: float | None


class Now(BaseModel):
    """What this server holds at the moment: its tables in memory, and who is at them.

    ``people`` are those connected, each once; ``watchers`` of them have no seat at that table;
    ``bots`` are seats that bots play, ``relayed`` sockets that are passed on to another server.
    """

    tables: int
    playing: int
    people: int
    connections: int
    watchers: int
    bots: int
    relayed: int


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


class TableWatched(BaseModel):
    """A table in memory; ``touched_at`` when something last happened, milliseconds since 1970."""

    code: str
    rules: str
    phase: str
    open: bool
    seats: list[SeatListed]
    watchers: int
    touched_at: int


class Reported(BaseModel):
    """What somebody has reported of another player; names are those at the table, null if gone."""

    at: int
    code: str
    by: str | None
    about: str | None
    reason: str


class Overview(BaseModel):
    """What goes on at one server; moments in milliseconds since 1970.

    ``refused`` and ``closed`` are counted since the start, by code; ``speed`` has a line for each
    of ``durable``, ``ack``, ``screen`` and ``answer``.
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


@router.get("/admin", openapi_extra=limited("admin"))
async def overview(request: Request) -> Overview:
    """Return what goes on at this server, to whoever has the secret of its admin page."""
    here = parts(request)
    _admit(request, here)
    registry, there = here.registry, glance(here.registry)
    tally = registry.tally
    return Overview(
        at=registry.clock.now(),
        started_at=here.started_at,
        version=version("rookery"),
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
            backup_age=await asyncio.to_thread(age, here.settings.backups),
        ),
        now=Now(**there._asdict()),
        minute=Minute(**{name: tally.recent(name) for name in Minute.model_fields}),
        speed={name: _speed(tally.times[name]) for name in TIMED},
        refused=dict(tally.counts["refused"]),
        closed=dict(tally.counts["closed"]),
        bots=_bots(registry),
        tables=[_watched(actor) for actor in _latest(registry)],
        reports=await _reports(registry),
    )


def _admit(request: Request, here: AppState) -> None:
    """Return if the request has the secret, and comes from no page of another site."""
    secret = here.settings.admin_secret
    if secret is None:
        raise Problem("not-found")
    # Also on this machine: whoever guesses may well be behind its own proxy.
    if not here.buckets.take("admin", stranger(request.scope) or "here"):
        raise Problem("too-many")
    origin = request.headers.get("origin")
    if origin is not None and not here.links.own(origin, request.headers.get("host", "")):
        raise Problem("bad-origin")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise Problem("bad-origin")
    scheme, _, said = request.headers.get("authorization", "").partition(" ")
    right = hmac.compare_digest(_digest(said.strip()), _digest(secret))
    if scheme.lower() != "bearer" or not right:
        if said:
            log.warning("the admin page was asked for with a wrong secret")
        raise Problem("bad-secret")


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def _memory() -> int | None:
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[1]
    except OSError:
        return None
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _speed(took: Durations) -> Speed:
    found = took.quantiles(0.5, 0.99, 1.0)
    if found is None:
        return Speed(count=0, p50=None, p99=None, most=None)
    p50, p99, most = (round(_MS * seconds, 3) for seconds in found)
    return Speed(count=took.count, p50=p50, p99=p99, most=most)


def _bots(registry: TableRegistry) -> list[BotSeen]:
    chairs = (chair for actor in registry.actors for chair in actor.table.chairs)
    found = Counter(chair.player for chair in chairs if chair.player is not None)
    return [BotSeen(bot=bot, seats=seats) for bot, seats in found.most_common()]


def _latest(registry: TableRegistry) -> list[Actor]:
    return sorted(registry.actors, key=lambda actor: -actor.table.touched_at)[:TABLES]


def _watched(actor: Actor) -> TableWatched:
    table = actor.table
    return TableWatched(
        code=table.code,
        rules=table.rules.name,
        phase=table.phase,
        open=table.open,
        seats=[seat_listed(chair) for chair in table.chairs],
        watchers=actor.watchers,
        touched_at=table.touched_at,
    )


async def _reports(registry: TableRegistry) -> list[Reported]:
    found = []
    for one in await registry.store.reports(REPORTS):
        table = await registry.table(one.code)
        names: dict[str | None, str] = {}
        if table is not None:
            names = {chair.person: chair.name for chair in table.chairs if chair.person is not None}
        by, about = names.get(one.person), names.get(one.accused)
        found.append(Reported(at=one.at, code=one.code, by=by, about=about, reason=one.reason))
    return found
