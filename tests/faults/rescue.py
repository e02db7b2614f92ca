"""Backups taken while people play, brought back elsewhere, and compared event by event."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.campaign import TABLES, seatings
from tests.faults.history import Complaint
from tests.faults.people import Network, Person, gathering
from tests.faults.serving import Server
from tests.server.growth.stored import rows
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.server.store.sqlite import FILE

Rows = Mapping[str, Sequence[tuple[object, ...]]]  # of a database, by table

MORE = 40  # answers between two backups


@dataclass
class Saved:
    """A backup.

    Attributes:
        file: where it is.
        acked: what was acknowledged before it began: the table and the number.
        took: seconds until it was written and checked.
        before: the rows of the database when it began, by table.
        after: those when it was written.
    """

    file: Path
    acked: list[tuple[str, int]]
    took: float
    before: Rows
    after: Rows


@dataclass
class Rescued:
    """What came of it.

    Attributes:
        backups: how many were taken, and brought back.
        events: how many events were compared.
        refused: whether a backup in which one row was changed was refused.
        backed: seconds that each backup took.
        restored: seconds until each was brought back.
        found: everything that is not as it was.
    """

    backups: int = 0
    events: int = 0
    refused: bool = False
    backed: list[float] = field(default_factory=list)
    restored: list[float] = field(default_factory=list)
    found: list[Complaint] = field(default_factory=list)


async def rescued(
    folder: Path,
    times: int,
    seed: int,
    tables: Sequence[tuple[str | dict[str, Any], int, str]] = TABLES,
) -> Rescued:
    """Back a server up so many times while people play; bring all of it back afterwards."""
    rng, server = Random(seed), Server(folder / "data")
    people: list[Person] = []
    saved: list[Saved] = []
    lives: list[asyncio.Task[None]] = []
    try:
        await server.start()
        network = Network(lambda: server.url, lambda: server.port, think=0.02)
        for number, (rules, count, pace) in enumerate(tables):
            people += await gathering(network, rng, rules, count, pace, number)
        lives += [asyncio.create_task(person.live()) for person in people]
        for number in range(times):
            enough = _count(people) + MORE
            while _count(people) < enough:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
            saved.append(await asyncio.to_thread(_save, server, folder / f"{number}", people))
    finally:
        for person in people:
            person.stopping = True
        await asyncio.gather(*lives)
        await server.end()
    return _compared(folder, server, saved)


def _count(people: Sequence[Person]) -> int:
    return sum(table.history.acked() for table in seatings(people))


def _save(server: Server, file: Path, people: Sequence[Person]) -> Saved:
    acked = [
        (table.history.code, op.seq)
        for table in seatings(people)
        for op in list(table.history.ops)
        if op.seq is not None
    ]
    before, began = rows(server.folder / FILE), time.perf_counter()
    _done("backup", str(file), "--data", str(server.folder))
    return Saved(file, acked, time.perf_counter() - began, before, rows(server.folder / FILE))


def _done(*words: str) -> None:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output


def _compared(folder: Path, server: Server, saved: Sequence[Saved]) -> Rescued:
    found, live = Rescued(), server.logs()
    for one in saved:
        began = time.perf_counter()
        again = Server(folder / f"{one.file.name}-again")
        _done("restore", str(one.file), "--data", str(again.folder))
        found.restored.append(time.perf_counter() - began)
        found.backed.append(one.took)
        found.backups += 1
        logs = again.logs()
        for code, log in logs.items():
            found.events += len(log)
            if log != live[code][: len(log)]:
                found.found.append(Complaint("other", f"table {code} is not as it was"))
        found.found += _rows_compared(one, rows(again.folder / FILE))
        for code, seq in one.acked:
            if seq > len(logs.get(code, [])):
                found.found.append(Complaint("lost", f"event {seq} of table {code} is missing"))
    found.refused = bool(saved) and _changed_is_refused(folder, saved[-1].file)
    return found


def _rows_compared(saved: Saved, restored: Rows) -> list[Complaint]:
    """Return where rows were lost or came out of nowhere.

    What was there before and after has to be there, and nothing else may be but what was there at
    one of these moments. A row of `tables` changes with each act, and `events` are compared above.
    """
    found = []
    for name in restored.keys() - {"tables", "events"}:
        before, after, now = set(saved.before[name]), set(saved.after[name]), set(restored[name])
        if not before & after <= now <= before | after:
            found.append(Complaint("rows", f"the rows of {name} are not what they were"))
    for name in ("people", "seated", "sessions", "tables", "events"):
        if not restored[name]:
            found.append(Complaint("rows", f"{name} has no rows"))
    return found


def _changed_is_refused(folder: Path, file: Path) -> bool:
    """Change one event of a backup, and return whether it is refused and nothing is left."""
    spoilt, new = folder / "spoilt", folder / "spoilt-again"
    shutil.copyfile(file, spoilt)
    with closing(sqlite3.connect(spoilt)) as plain:
        last = "SELECT max(table_id) FROM events"
        plain.execute(f"DELETE FROM events WHERE seq = 3 AND table_id = ({last})")  # noqa: S608
        plain.commit()
    done = CliRunner().invoke(app, ["restore", str(spoilt), "--data", str(new)])
    return done.exit_code == 2 and not new.exists()
