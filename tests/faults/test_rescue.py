"""P20: a backup that is taken while people play holds all that was acknowledged before."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.campaign import TABLES
from tests.faults.rescue import rescued

pytestmark = pytest.mark.slow


def test_a_backup_while_people_play_is_brought_back_whole(tmp_path: Path) -> None:
    found = asyncio.run(rescued(tmp_path, 2, 1, TABLES[:3]))
    assert found.found == []
    assert found.backups == 2
    assert found.events > 50
    # The control: one row less, and it is refused.
    assert found.refused
