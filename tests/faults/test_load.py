"""The load generator sees what it times; how long it took is for `scripts/faults --load`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults.load import Measured, load
from tests.faults.serving import Server
from tests.faults.throughput import POLITE, pushed

from rookery.server.socket import SOCKET_CODES


def enough(seen: Measured) -> bool:
    return len(seen.screens) >= 4 and len(seen.bots) >= 10


@pytest.mark.slow
def test_every_move_reaches_all_screens_and_bots_are_timed(tmp_path: Path) -> None:
    async def scene() -> Measured:
        server = Server(tmp_path)
        await server.start()
        try:
            return await load(server, tables=2, seconds=4, bot="papa", warm=0.5, until=enough)
        finally:
            await server.end()

    measured = asyncio.run(scene())
    assert enough(measured)
    assert len(measured.acks) >= len(measured.screens)
    assert min(measured.screens + measured.bots) > 0
    assert set(measured.refused) <= {"not-now"}


@pytest.mark.slow
def test_nothing_fails_where_nobody_pauses(tmp_path: Path) -> None:
    found = asyncio.run(pushed(tmp_path, 4, 3, warm=0.5))
    assert found.acts > 0
    assert found.failures == []


def test_the_control_what_is_no_polite_refusal_is_a_failure() -> None:
    assert not {"storage", "failed", "closed 1011"} & POLITE
    assert POLITE - {"closed 4008", "closed 4029"} <= SOCKET_CODES
