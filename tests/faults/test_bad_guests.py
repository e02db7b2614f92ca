"""P15, P6: who does not read is cut off, who does not stop is thrown out, and games go on."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from random import Random

import pytest
from tests.faults.crowd import QUICK, crowd
from tests.faults.guests import Guest, Guests, deaf, flood
from tests.faults.history import History
from tests.faults.load import Measured, opened, played, seated
from tests.faults.people import Network, Seating, arrive
from tests.faults.serving import Server

pytestmark = pytest.mark.slow

PATIENCE = 15.0  # seconds; the server takes 5, and this machine may have other work
WHOLE = 400.0  # seconds after which it is a failure, whatever it waits for


async def visited(server: Server) -> tuple[Guests, Measured]:
    """Have one guest who does not read and one who does not stop at a busy table."""
    rng, measured, result = Random(1), Measured(), Guests()
    await server.start()

    async def guest(name: str) -> Guest:
        network = Network(lambda: server.url, lambda: server.port)
        at = Seating(History(table.people[0].at.history.code), 4)
        return Guest.of(server, await arrive(network, name, rng, at))

    def thrown(clock: float) -> bool:
        return result.flooded.total() > 0 or clock > until

    until = time.perf_counter() + WHOLE
    try:
        (table,) = made = await seated(server, rng, 0, "papa", measured, 1.0, 1, QUICK)
        slow, loud = await guest("Slow"), await guest("Loud")
        async with (
            asyncio.timeout(WHOLE),
            opened(server, made) as sockets,
            asyncio.TaskGroup() as group,
        ):
            cut = group.create_task(deaf(slow, result, PATIENCE))
            group.create_task(flood(loud, thrown, result))
            group.create_task(played(made, sockets, 0, rng, until=lambda _: cut.done()))
    except TimeoutError:
        pytest.fail(f"nothing was at an end after {WHOLE} s: {result}, {measured.acts} acts")
    finally:
        await server.end()
    assert server.errors() == []
    return result, measured


def test_bad_guests_are_got_rid_of_and_the_control_without_bounds_is_found_out(
    tmp_path: Path,
) -> None:
    servers = Server(tmp_path / "sound"), Server(tmp_path / "wild", "boundless")

    async def both() -> list[tuple[Guests, Measured]]:
        # At the same time, for both of them mostly wait.
        return list(await asyncio.gather(*map(visited, servers)))

    (sound, measured), (wild, _) = asyncio.run(both())
    assert sound.slow.total() == 1
    assert sound.slow[0] == 0
    assert sound.flooded.keys() == {4029}
    assert measured.acts > 0
    assert wild.slow[0] == 1


def test_bad_guests_come_to_a_full_house_from_elsewhere_and_it_is_weighed(tmp_path: Path) -> None:
    found = asyncio.run(crowd(tmp_path, 1, 4, guests=2, period=0.3, warm=0.5))
    assert found.guests.slow.total() == 1
    assert found.guests.slow[0] == 0
    assert found.guests.said > 0
    assert found.guests.flooded.total() > 0
    assert 0 < found.empty <= found.tables <= found.sockets
    assert len(found.samples) > 1
    assert found.alone.screens
    assert found.errors == []
