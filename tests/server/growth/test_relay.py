"""A socket that is passed on stays no longer with a server than that one is alive."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from socket import create_server

import psycopg
import pytest
from tests.server.core.tables import KENTUCKY, PATIENCE, PEOPLE, running
from tests.server.growth.engines import owners
from tests.server.growth.registries import HOUR, registry, sharing, until
from tests.server.http.served import line, served, spare_port
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from rookery.server.cluster import relay
from rookery.server.cluster.postgres_leases import Beat, PostgresLeases
from rookery.server.cluster.spread.leases import SpreadLeases
from rookery.server.live.actor import MOVED, Actor
from rookery.server.store.leases import Elsewhere
from rookery.server.store.postgres import PostgresStore


@asynccontextmanager
async def still(port: int, *, opens: bool) -> AsyncIterator[None]:
    """Have a server at a port that stands still, before or after it `opens` a socket."""

    async def opened(socket: ServerConnection) -> None:
        await socket.send('{"type":"opened"}')
        await socket.wait_closed()

    if opens:
        async with serve(opened, "127.0.0.1", port, close_timeout=0.1):
            yield
    else:
        with create_server(("127.0.0.1", port)):
            yield


@pytest.mark.parametrize("opens", [True, False])
def test_whoever_was_passed_on_to_a_server_that_stands_still_goes_on_once_it_is_gone(
    database: str, monkeypatch: pytest.MonkeyPatch, *, opens: bool
) -> None:
    monkeypatch.setattr(relay, "OPEN_WAIT", PATIENCE)  # it is not that which ends the waiting
    port, store = spare_port(), PostgresStore(database)
    leases = PostgresLeases(store, "b:1", dict, every=0.05, silence=HOUR)

    async def scene() -> None:
        first = registry(database, f"127.0.0.1:{port}")
        async with sharing(first), still(port, opens=opens):
            made = await first.create(PEOPLE[0], KENTUCKY)
            assert isinstance(made, Actor)
            code = made.table.code
            async with line(here, ann, code, hello=False) as waits:
                if opens:
                    await waits.hear_type("opened")
                else:
                    await until(lambda: here.registry.relayed == 1)
                with psycopg.connect(database) as asked:
                    asked.execute(
                        "UPDATE servers SET beat_at = 0 WHERE address = %s", [first.leases.address]
                    )
                if opens:
                    with pytest.raises(ConnectionClosed) as ended:
                        await waits.hear()
                    assert ended.value.rcvd is not None
                    assert ended.value.rcvd.code == MOVED
                else:
                    await waits.say(type="hello")
                    await waits.hear_type("welcome")
            async with line(here, ann, code) as back:
                assert back.heard[-1]["type"] == "welcome"
            assert owners(database)[code] == ("b:1", 2)

    with served(store, leases=leases) as here:
        ann = here.browser("Ann")
        running(scene)


@pytest.mark.parametrize(
    ("silent", "place", "steady", "ends"),
    [
        ("a:1", "", -HOUR, True),
        ("c:1", "", -HOUR, False),
        # A server that reaches one of several databases no more is gone there alone.
        ("a:1", "B", -HOUR, False),
        # The database was away until now, so the other server may not have reached it either.
        ("a:1", "", 0.0, False),
    ],
)
def test_only_what_waits_for_a_server_that_counts_as_gone_ends(
    database: str, silent: str, place: str, steady: float, *, ends: bool
) -> None:
    async def scene() -> None:
        store = PostgresStore(database)
        all_ = {of: PostgresLeases(store, "b:1", dict, silence=HOUR / 2) for of in ("", "B")}
        spread = SpreadLeases(all_[""], [], lambda _: all_[""])
        spread._all = all_
        leases, went_on = all_[place], False
        leases._held, leases._beat_at = dict, time.monotonic()
        leases._steady = leases._beat_at + steady
        with suppress(TimeoutError):
            async with spread.until_gone("ABCDEF2", Elsewhere("a:1", "secret")):
                for _ in range(3):
                    leases._found(Beat(False, True, None, [], "", 1, [silent]), {})
                    await asyncio.sleep(0.01)
                went_on = True
        assert went_on is not ends
        # Nothing is kept of who waits no more.
        assert not any(each._awaited for each in all_.values())
        await store.close()

    running(scene)
