"""P15: who asks for pages or the server's health without end is held up, and nobody else is."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tests.faults.asker import Asker, ask
from tests.faults.deluge import deluge
from tests.faults.serving import PATIENCE, Server
from tests.faults.torrent import torrent

from rookery.server.http.ratelimit import RATES

pytestmark = pytest.mark.slow

FILE = "/static/app.js"
MANY = int(1.5 * RATES["page"].burst)  # answers
A_WHILE = 3.0  # seconds, in which nobody has time for as many


async def asked(folder: Path, build: str, seconds: float) -> Asker:
    """Return what comes of asking for a file many times, in so many seconds at most."""

    def enough(answers: Counter[int]) -> bool:
        return answers.total() >= MANY

    server = Server(folder, build)
    server.believe_proxies()
    await server.start()
    try:
        return await ask(server.port, FILE, seconds, 8, enough)
    finally:
        await server.end()


def test_a_flood_for_files_waits_and_the_control_without_limits_is_found_out(
    tmp_path: Path,
) -> None:
    sound = asyncio.run(asked(tmp_path / "sound", "sound", A_WHILE)).answers
    assert 0 < sound[200] < MANY
    free = asyncio.run(asked(tmp_path / "lavish", "lavish", PATIENCE)).answers
    assert free.keys() == {200}
    assert free[200] >= MANY


def test_beside_a_flood_whoever_changes_something_is_answered(tmp_path: Path) -> None:
    found = asyncio.run(deluge(tmp_path, "/readyz", 1.0, lines=16))
    assert found.waits
    # However many they are, a sound server is never called ill.
    assert found.answers.keys() <= {200}


def test_beside_the_smallest_messages_whoever_asks_now_and_then_is_answered(
    tmp_path: Path,
) -> None:
    found = asyncio.run(torrent(tmp_path, 4.0))
    assert found.waits
    assert found.said > 0
