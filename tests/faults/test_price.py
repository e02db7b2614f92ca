"""P25: what is dear is refused to whoever asks for it without end, and the control is found out."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tests.faults.asker import ask
from tests.faults.price import DEAR, filled
from tests.faults.serving import PATIENCE, Server

pytestmark = pytest.mark.slow

HANDS = 12
MANY = 120  # replays, which take seconds of a core


async def asked(folder: Path, build: str) -> Counter[int]:
    """Return the answers to somebody who asks for a replay, until one is refused or after many."""

    def enough(answers: Counter[int]) -> bool:
        return answers[429] > 0 or answers.total() >= MANY

    cookies = await filled(folder, HANDS)
    server = Server(folder, build)
    server.believe_proxies()
    await server.start()
    try:
        path, _ = DEAR["replay"]
        more = {"cookies": cookies}
        return (await ask(server.port, path, PATIENCE, 4, enough, more)).answers
    finally:
        await server.end()


def test_what_is_dear_is_refused_and_the_control_gives_it_away(tmp_path: Path) -> None:
    for build in ("sound", "gratis"):
        (tmp_path / build).mkdir()
    sound = asyncio.run(asked(tmp_path / "sound", "sound"))
    assert sound[200] > 0
    assert sound[429] > 0
    assert asyncio.run(asked(tmp_path / "gratis", "gratis")).keys() == {200}
