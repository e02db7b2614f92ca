"""Whether this server is ready for people, what it has in memory, and how old its backup is."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from rookery.server.registry.tables import TableRegistry
from rookery.server.store.base import StoreError

log = logging.getLogger(__name__)

KNOWN_FOR: Final = 1.0  # seconds that the answer of a check holds
_SQLITE: Final = b"SQLite format 3\0"  # how such a file begins


class Readiness:
    """Whether a registry can store what happens.

    The check writes to the store, and every move waits behind it. So all who ask during a check
    get its answer, and the answer holds for `KNOWN_FOR`.
    """

    def __init__(
        self, registry: TableRegistry, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Check `registry`; `clock` returns seconds."""
        self._registry = registry
        self._clock = clock
        self._asking: asyncio.Task[bool] | None = None
        self._until = float("-inf")

    async def here(self) -> bool:
        """Return whether the store takes writes and this server keeps its tables."""
        if not self._registry.leases.alive:
            return False
        asking = self._asking
        if asking is None or (asking.done() and self._clock() >= self._until):
            asking = self._asking = asyncio.create_task(self._check())
        # A client that goes away does not cancel the answer for the others.
        return await asyncio.shield(asking)

    async def _check(self) -> bool:
        try:
            await self._registry.store.ping()
            return True
        except StoreError as error:
            log.warning("not ready: %s", error)
            return False
        finally:
            self._until = self._clock() + KNOWN_FOR


class Now(BaseModel):
    """What this server holds at the moment: its tables in memory, and who is at them.

    ``playing`` are tables where a match is on; ``people`` are those connected, each once;
    ``watchers`` of them have no seat at that table; ``bots`` are seats that bots play,
    ``relayed`` sockets that are passed on to another server.
    """

    tables: int
    playing: int
    people: int
    connections: int
    watchers: int
    bots: int
    relayed: int


def load_of(registry: TableRegistry) -> Now:
    """Return how much a server holds; any thread may call this."""
    actors = registry.actors
    chairs = [chair for actor in actors for chair in actor.table.chairs]
    return Now(
        tables=len(actors),
        playing=sum(actor.table.phase == "playing" for actor in actors),
        people=len(set().union(*(actor.company.people for actor in actors))),
        connections=sum(len(actor.company.lines) for actor in actors),
        watchers=sum(len(actor.company.watchers(actor.table)) for actor in actors),
        bots=sum(chair.player is not None for chair in chairs),
        relayed=registry.relayed,
    )


def backup_age(folder: Path | None) -> float | None:
    """Return the age of the newest whole backup in a folder, seconds.

    None where no folder is named, or no backup is in it. One that is still being written has
    another name and does not count, nor does any other file.
    """
    if folder is None:
        return None
    try:
        found = list(folder.iterdir())
    except OSError:
        return None
    files = [(moment, path) for path in found if (moment := _written(path)) is not None]
    for moment, path in sorted(files, reverse=True):
        if not path.name.endswith(".part") and _is_backup(path):
            return max(0.0, time.time() - moment)
    return None


def _written(path: Path) -> float | None:
    """Return when a file was written; None for what is none, or has gone since it was listed."""
    try:
        return path.stat().st_mtime if path.is_file() else None
    except OSError:
        return None


def _is_backup(path: Path) -> bool:
    import sqlite3  # late: a table in a browser has none, and looks at no backup

    try:
        with path.open("rb") as file:
            if file.read(len(_SQLITE)) != _SQLITE:
                return False
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as line:
            return line.execute("SELECT format FROM backup_of").fetchone() is not None
    except (OSError, sqlite3.Error):
        return False
