"""The figures that a server gives are what happened at it, and name nobody."""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import get_args

import pytest
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from tests.server.http.served import Served, line, served, table_for
from tests.server.memory.store import MemoryStore

from rookery.server.live.sockets import CLOSINGS
from rookery.server.monitoring.health import backup_age
from rookery.server.monitoring.metrics import Process, measured
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.backup import FORMAT
from rookery.server.table import events as ev
from rookery.server.table.commands import Command
from rookery.server.table.refusals import CODES


def told(here: Served) -> dict[str, float]:
    """Return the figures of a server, by name with labels."""
    collectors = CollectorRegistry()
    measured(here.registry, collectors)
    lines = generate_latest(collectors).decode().splitlines()
    pairs = (each.rpartition(" ") for each in lines if not each.startswith("#"))
    return {name: float(value) for name, _, value in pairs}


def test_they_are_what_happened() -> None:
    async def story() -> None:
        with served() as here:
            ann, bob = here.browser("Ann"), here.browser("Bob")
            code = table_for(ann, bots=["club", "club"])
            async with line(here, ann, code) as one, line(here, bob, code) as other:
                await other.do(type="sit")
                await other.do(type="act", action="play R14")
                await one.do(type="start")
                await one.hear_type("update")
                seq = one.table["seq"]
            async with line(here, ann, code, hello=False) as one:
                for _ in range(2):  # only the first hello says how its socket has come
                    await one.say(type="hello", seen=seq)
                    await one.hear_type("welcome")
                found = told(here)
                await asyncio.to_thread(ann.delete, "/api/session")
            assert found['rookery_asked_total{type="hello"}'] == 4
            assert found['rookery_asked_total{type="sit"}'] == 1
            assert found["rookery_acks_total"] == 2
            assert found['rookery_refused_total{code="not-now"}'] == 1
            assert found['rookery_sockets_total{come="first"}'] == 2
            assert found['rookery_sockets_total{come="back"}'] == 1
            assert found['rookery_events_total{type="hand_dealt"}'] == 1
            assert found['rookery_leases_total{how="taken"}'] == 1
            assert found['rookery_answers_total{status="201"}'] == 1
            assert found["rookery_ack_seconds_count"] == 2
            assert found["rookery_screen_seconds_count"] >= 4
            assert found["rookery_people"] >= 1
            buckets = [f for n, f in found.items() if n.startswith("rookery_screen_seconds_b")]
            assert buckets == sorted(buckets)
            assert buckets[-1] == found["rookery_screen_seconds_count"]
            after = told(here)
            assert after['rookery_closed_total{code="4003"}'] == 1

    asyncio.run(story())


def test_no_label_names_anybody() -> None:
    async def story() -> None:
        with served() as here:
            ann = here.browser("Ann")
            code = table_for(ann, title="Elm Street")
            async with line(here, ann, code) as one:
                await one.do(type="chat", text="Elm")
                await one.do(type="act", action="Elm R14")
                await one.say(type="Elm")
                await one.hear_type("refused")
                ann.get("/api/tables/ELM")
                ann.request("ELM", "/api/Elm")
                names = "\n".join(told(here))
            assert not re.search(rf"(?i)elm|ann\b|r14|{code}", names)
            types = {ev.snake(kind.__name__) for kind in get_args(Command)}
            assert set(re.findall(r'asked_total\{type="(.*?)"', names)) <= types
            refused = set(re.findall(r'refused_total\{code="(.*?)"', names))
            assert refused <= CODES | {"too-fast", "bad-origin", "too-many"}
            closed = {int(each) for each in re.findall(r'closed_total\{code="(.*?)"', names)}
            assert closed <= CLOSINGS.keys() | {1000}

    asyncio.run(story())


def test_the_age_of_the_newest_whole_backup_is_known(tmp_path: Path) -> None:
    assert backup_age(None) is None
    assert backup_age(tmp_path / "none") is None
    for name, old in (("a.backup", 9_000), ("b.backup", 5_000), ("c.backup.part", 10)):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            connection.execute("CREATE TABLE backup_of (format TEXT NOT NULL)")
            connection.execute("INSERT INTO backup_of VALUES (?)", (FORMAT,))
            connection.commit()
        _made(tmp_path / name, old)
    (tmp_path / "notes.txt").write_text("not one")
    (tmp_path / "broken").write_bytes(b"SQLite format 3\0 and no more")
    found = backup_age(tmp_path)
    assert found is not None
    assert 5_000 <= found < 8_000


def test_a_file_that_goes_while_its_folder_is_read_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("gone.backup", "kept.backup"):
        with closing(sqlite3.connect(tmp_path / name)) as connection:
            connection.execute("CREATE TABLE backup_of (format TEXT NOT NULL)")
            connection.execute("INSERT INTO backup_of VALUES (?)", (FORMAT,))
            connection.commit()
    files = Path.iterdir

    def listed(folder: Path) -> list[Path]:
        found = sorted(files(folder))
        (folder / "gone.backup").unlink()
        return found

    def is_file(path: Path) -> bool:  # as it was when it was asked
        return path.parent == tmp_path

    monkeypatch.setattr(Path, "iterdir", listed)
    monkeypatch.setattr(Path, "is_file", is_file)
    assert backup_age(tmp_path) is not None


def test_a_folder_without_a_backup_is_an_age_beyond_all_and_no_silence(tmp_path: Path) -> None:
    def said(backups: Path | None) -> list[str]:
        collectors = CollectorRegistry()
        measured(TableRegistry(MemoryStore(), Settings(backups=backups)), collectors)
        lines = generate_latest(collectors).decode().splitlines()
        return [line for line in lines if line.startswith("rookery_backup_age_seconds")]

    assert said(tmp_path) == ["rookery_backup_age_seconds +Inf"]
    assert said(tmp_path / "none") == ["rookery_backup_age_seconds +Inf"]
    assert said(None) == []


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux's /proc")
def test_where_a_service_sees_processes_only_the_process_has_its_figures(tmp_path: Path) -> None:
    """As with systemd's ``ProcSubset=pid``, where /proc has no file ``stat`` of its own."""
    (tmp_path / "self").symlink_to("/proc/self")
    assert not list(ProcessCollector(proc=str(tmp_path), registry=None).collect())
    found = {one.name: one.samples for one in Process(proc=str(tmp_path), registry=None).collect()}
    whole = {one.name: one.samples for one in ProcessCollector(registry=None).collect()}
    assert found.keys() == whole.keys()
    began = "process_start_time_seconds"
    assert found[began][0].value == pytest.approx(whole[began][0].value, abs=5)


def _made(path: Path, ago: float) -> None:
    moment = path.stat().st_mtime - ago
    os.utime(path, (moment, moment))
