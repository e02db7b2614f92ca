"""A restore into PostgreSQL takes as long as it takes, and so does what is overwritten there."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from tests.server.core.tables import PEOPLE, running
from tests.server.growth.test_backup import filled, told

from rookery.server.store import backup, postgres
from rookery.server.store.backup import Held, checked
from rookery.server.store.sqlite import FILE, SqliteStore

LONG = 0.5  # seconds


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The database ends at once what stands still in a transaction."""
    monkeypatch.setitem(postgres._PATIENCE, "idle_in_transaction_session_timeout", "100ms")


def test_a_backup_that_takes_long_to_check_is_restored(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(file: Path) -> Held:
        time.sleep(LONG)
        return checked(file)

    running(lambda: filled(SqliteStore(tmp_path / FILE)))
    told("backup", str(tmp_path / "saved"), "--data", str(tmp_path))
    monkeypatch.setattr(backup, "checked", slowly)
    assert ": 3 tables" in told("restore", str(tmp_path / "saved"), "--database", database)


def test_the_control_a_server_that_stands_still_as_long_loses_its_line(database: str) -> None:
    with postgres.opened(database).connect() as line:
        line.execute(text("SELECT 1"))
        time.sleep(LONG)
        with pytest.raises(DBAPIError):
            line.execute(text("SELECT 1"))


def test_a_connection_that_overwrote_for_long_waits_no_longer_than_others(database: str) -> None:
    async def story() -> None:
        store = postgres.PostgresStore(database)
        try:
            await store.add_person(PEOPLE[0], "token", 0)
            await store.forget(PEOPLE[0].id, 0)
            await store.forgotten(PEOPLE[0].id, [])
            ask = text("SELECT current_setting('statement_timeout')")
            assert await store.compact(1)
            looks = [store.look(lambda line: line.scalar(ask)) for _ in range(4 * postgres.READERS)]
            assert set(await asyncio.gather(*looks)) == {"30s"}
        finally:
            await store.close()

    running(story)
