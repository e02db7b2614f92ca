"""P19: a server is updated while people play, and back; nobody loses a card."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.growth import TABLES
from tests.faults.rolling import Rolling, sources
from tests.server.growth.engines import postgres, redis

pytestmark = pytest.mark.slow


def test_both_versions_have_tables_at_once_and_the_games_go_on(tmp_path: Path) -> None:
    # Two copies of one program: what differs in a real update, `python -m tests.faults.rolling`
    # shows with a revision of the past.
    old, new = sources(tmp_path / "old"), sources(tmp_path / "new")

    async def scene() -> None:
        async with rolling.begun(old, TABLES[:2]):
            await rolling.becomes(rolling.servers[0], new)
            first, second = (running(server.pid) for server in rolling.servers)
            assert (first, second) == (new, old)

    with postgres() as elephant, redis() as herald:
        rolling = Rolling(tmp_path / "data", elephant, herald, seed=3)
        asyncio.run(scene())
    result = rolling.result
    assert result.found == []
    assert result.did == {"replaced": 1}
    assert result.acked >= 16


def running(pid: int) -> Path:
    """Return where the program of a process lies."""
    environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    (path,) = (each for each in environment if each.startswith(b"PYTHONPATH="))
    return Path(path.partition(b"=")[2].decode())
