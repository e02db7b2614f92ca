"""P1, P13, P16, P19: two servers share their tables, and whatever happens to them, none is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.growth import TABLES, Growth
from tests.server.growth.engines import Engine, Postgres, postgres, redis

pytestmark = pytest.mark.slow

# Ten times of what is promised: this machine may have other work.
PROMISED = 100.0  # seconds


@pytest.fixture(scope="module")
def elephant() -> Iterator[Postgres]:
    with postgres() as engine:
        yield engine


@pytest.fixture(scope="module")
def herald() -> Iterator[Engine]:
    with redis() as engine:
        yield engine


def test_whatever_happens_to_servers_and_engines_the_games_go_on(
    tmp_path: Path, elephant: Postgres, herald: Engine
) -> None:
    growth = Growth(tmp_path, elephant, herald, seed=1)

    async def scene() -> None:
        async with growth.running(TABLES[:3]):
            await growth.replace()
            await growth.crash()
            await growth.freeze()
            await growth.hush(1.0)

    asyncio.run(scene())
    result = growth.result
    assert result.found == []
    assert result.did == {"killed": 1, "replaced": 1, "crashed": 1, "frozen": 1, "silenced": 1}
    assert max(result.moved) < PROMISED
    # Four at each of three tables, every time that they had to be alive.
    assert result.acked > 80
    # The balancer knows nobody, so every other line was to a server that had to pass it on.
    assert min(result.carried.values()) > 10
    print(f"moved: {result.moved}; handed over: {result.handed}; {result.acked} acknowledged")
