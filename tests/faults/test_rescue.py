"""P20: a backup that is taken while people play holds all that was acknowledged before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.campaign import TABLES
from tests.faults.rescue import rescued

from rookery.server.store import backup

pytestmark = pytest.mark.slow


def test_a_backup_while_people_play_is_brought_back_whole(tmp_path: Path) -> None:
    found = asyncio.run(rescued(tmp_path, 2, 1, TABLES[:3]))
    assert found.found == []
    assert found.backups == 2
    assert found.events > 50
    # The control: one row less, and it is refused.
    assert found.refused


def test_the_control_a_backup_without_seats_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = [table for table in backup.kept_tables() if table.name != "seated"]
    monkeypatch.setattr(backup, "kept_tables", lambda *_: kept)
    found = asyncio.run(rescued(tmp_path, 1, 1, TABLES[:1]))
    assert {complaint.text for complaint in found.found} == {
        "the rows of seated are not what they were",
        "seated has no rows",
    }
