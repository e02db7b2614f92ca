"""P1, P16: a disk that is full or read-only refuses politely, loses nothing, and recovers."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.faults import power
from tests.faults.campaign import TABLES
from tests.faults.disk import FULL, READ_ONLY, disk, filled, unsynced
from tests.faults.serving import SOUND, installed

from rookery.server.store.base import InDoubt, StoreError
from rookery.server.store.sqlite import FILE, SqliteStore
from rookery.server.store.writer import Writer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(power.absent(), reason="needs Linux and gcc, for the disk"),
]


def test_a_disk_that_takes_nothing_refuses_politely_and_recovers(tmp_path: Path) -> None:
    result = asyncio.run(filled(tmp_path, times=2, seed=1))
    assert result.found == []
    assert (result.times, result.meanwhile, len(result.backs)) == (2, 0, 2)
    assert result.refused > 20
    assert result.pages == {
        "/ 200": 2,
        "/healthz 200": 2,
        "/readyz 503": 2,
        "/api/session 503 not-ready": 2,
    }


def test_the_control_a_server_that_says_yes_all_the_same_is_found_out(tmp_path: Path) -> None:
    result = asyncio.run(filled(tmp_path, times=1, seed=2, build="careless"))
    assert {"gap", "unstored"} & result.kinds


def test_where_nobody_knows_the_end_nobody_is_told_one(tmp_path: Path) -> None:
    result = asyncio.run(unsynced(tmp_path, seed=3, tables=TABLES[:2]))
    assert result.found == []
    assert result.doubted == 2


@pytest.mark.parametrize(
    ("code", "kind"), [(sqlite3.SQLITE_IOERR_FSYNC, InDoubt), (sqlite3.SQLITE_FULL, StoreError)]
)
def test_a_commit_that_was_not_synced_is_in_doubt_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, kind: type[StoreError]
) -> None:
    def sql(self: Writer, statement: str) -> None:
        if statement == "COMMIT":
            wrong = sqlite3.OperationalError("disk I/O error")
            wrong.sqlite_errorcode = code
            raise wrong
        sound(self, statement)

    async def scene() -> None:
        store = SqliteStore(tmp_path / FILE)
        monkeypatch.setattr(Writer, "_sql", sql)
        with pytest.raises(StoreError) as caught:
            await store.rename("nobody", "Ann")
        assert type(caught.value) is kind
        await store.close()

    sound = Writer._sql
    asyncio.run(scene())


@pytest.mark.parametrize("error", [FULL, READ_ONLY])
def test_a_server_does_not_start_on_such_a_disk_and_says_why(tmp_path: Path, error: int) -> None:
    data = tmp_path / "data"
    platter = disk(tmp_path, data)
    options = ("serve", "--no-open", "--port", "0", "--data", str(data))
    with platter.refusing(error):
        done = subprocess.run(
            [sys.executable, *SOUND, *options],
            env={**os.environ, **installed(), **platter.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
    assert done.returncode == 2, done
    assert done.stdout == ""
    assert "disk" in done.stderr
    assert len(done.stderr.splitlines()) == 1
