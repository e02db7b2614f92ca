"""The load generator sees what it times; how long it took is for `scripts/faults --load`."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.faults import power
from tests.faults.load import Measured, load
from tests.faults.serving import Server
from tests.faults.throughput import POLITE, pushed

from rookery.server.http.websocket import SOCKET_CODES


def enough(seen: Measured) -> bool:
    return len(seen.screens) >= 4 and len(seen.bots) >= 10


def measured_at(folder: Path, seconds: float = 4, disk: int = 0) -> Measured:
    """Return what is timed at two tables, on a disk that takes so many ms for every sync."""
    extra = power.environment(power.shim(folder), None, disk) if disk else None

    async def scene() -> Measured:
        server = Server(folder, extra=extra)
        await server.start()
        try:
            return await load(server, tables=2, seconds=seconds, bot="papa", warm=0.5, until=enough)
        finally:
            await server.end()

    return asyncio.run(scene())


@pytest.mark.slow
def test_every_move_reaches_all_screens_and_bots_are_timed(tmp_path: Path) -> None:
    measured = measured_at(tmp_path)
    assert enough(measured)
    assert len(measured.acks) >= len(measured.screens)
    assert min(measured.screens + measured.bots) > 0
    assert set(measured.refused) <= {"not-now"}


@pytest.mark.slow
@pytest.mark.skipif(power.absent(), reason="needs Linux and gcc, for the disk")
def test_the_control_what_the_disk_takes_is_seen_on_the_screens(tmp_path: Path) -> None:
    measured = measured_at(tmp_path, seconds=1, disk=60)
    # However fast or slow the machine is, nobody is told anything before it is synced.
    assert min(measured.screens) > 0.06
    assert min(measured.acks) > 0.06


@pytest.mark.slow
def test_nothing_fails_where_nobody_pauses(tmp_path: Path) -> None:
    found = asyncio.run(pushed(tmp_path, 4, 3, warm=0.5))
    assert found.acts > 0
    assert found.failures == []


@pytest.mark.slow
def test_who_asks_for_more_is_refused_and_nobody_is_left_without_an_answer(tmp_path: Path) -> None:
    found = asyncio.run(pushed(tmp_path, 2, 3, warm=0.5, talk=48))
    assert found.answered == found.said > 100
    # In time anybody may say anything; a machine that takes that long has refused nothing.
    assert found.refused["too-fast"] or found.took > 30
    assert found.acts > 0
    assert found.failures == []


def test_the_control_what_is_no_polite_refusal_is_a_failure() -> None:
    assert not {"storage", "failed", "closed 1011"} & POLITE
    assert POLITE - {"closed 4008", "closed 4029"} <= SOCKET_CODES
