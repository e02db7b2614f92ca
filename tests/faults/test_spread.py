"""P1, P16, P19 where tables are spread: a lost database takes along nothing but its own tables."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.faults.spread import TWO, Spreading
from tests.server.growth.engines import Engine, Postgres, postgres, redis

pytestmark = pytest.mark.slow

WENT_ON = 60.0  # seconds for a few acts at each table; this machine may have other work
Engines = tuple[Postgres, dict[str, Postgres], Engine]


@pytest.fixture(scope="module")
def engines() -> Iterator[Engines]:
    with ExitStack() as stack:
        first, *others = (stack.enter_context(postgres()) for _ in range(4))
        yield first, dict(zip("BCD", others, strict=True)), stack.enter_context(redis())


def spreading(folder: Path, engines: Engines, build: str = "sound") -> Spreading:
    first, others, herald = engines
    return Spreading(folder, first, others, herald, seed=3, build=build)


def test_a_database_is_lost_one_is_added_and_one_drained_while_people_play(
    tmp_path: Path, engines: Engines
) -> None:
    rehearsal = spreading(tmp_path, engines)

    async def scene() -> None:
        async with rehearsal.running(TWO):
            await rehearsal.rehearse()

    asyncio.run(scene())
    result = rehearsal.result
    assert result.found == []
    assert result.did == {"lost": 1, "restarted": 3}
    assert max(result.moved) < WENT_ON
    assert result.acked > 60
    print(f"elsewhere: {result.moved}; back: {result.handed}; {result.acked} acknowledged")


def test_the_control_acknowledges_what_a_lost_database_has_not_stored(
    tmp_path: Path, engines: Engines
) -> None:
    rehearsal = spreading(tmp_path, engines, "hopeful")

    async def scene() -> None:
        async with rehearsal.running(TWO):
            await rehearsal.tables_in("BC")
            # Nobody waits for a table here: it may not go on any more.
            await asyncio.to_thread(engines[1]["B"].stop, signal.SIGQUIT)
            await asyncio.sleep(3.0)
            await asyncio.to_thread(engines[1]["B"].start)
            await rehearsal.leave()

    asyncio.run(scene())
    assert "lost" in {one.kind for one in rehearsal.result.found}
