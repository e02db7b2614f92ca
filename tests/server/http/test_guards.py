"""What keeps a stranger from doing much: limits by household, and doors that a test finds open."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import httpx
import pytest
import uvicorn
from msgspec.structs import replace
from starlette.types import Receive, Scope, Send
from tests.server.http import test_doors
from tests.server.http.served import HOME, PATIENCE, Here, wait_for

from rookery.server.counters import Tally
from rookery.server.http.protocols import ConnectionLimits
from rookery.server.http.ratelimit import RATES, SWEEP, Buckets, Rate, household
from rookery.server.serving import bind, configured
from rookery.server.settings import Settings
from rookery.server.store.folder import CannotServe
from rookery.server.table import commands as cm
from rookery.server.table import decide


@pytest.mark.parametrize(
    ("address", "known_as"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("::ffff:203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        ("2001:db8:1:2:bbbb::1", "2001:db8:1:2::"),
        ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ("fe80::1%eth0", "fe80::"),
        ("testclient", "testclient"),
        *((own, None) for own in ("127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "")),
    ],
)
def test_a_household_has_one_allowance(address: str, known_as: str | None) -> None:
    assert household({"client": (address, 1)}) == known_as
    assert household({"client": None}) is None


@pytest.mark.parametrize(
    ("proxy", "seen", "others"),
    [
        ("10.0.0.7", "::ffff:10.0.0.7", "::ffff:10.0.0.8"),
        ("10.1.0.0/16", "::ffff:10.1.9.9", "::ffff:10.2.0.1"),
        ("0.0.0.0/0", "::ffff:10.1.9.9", "2001:db8::1"),
        ("2001:db8::/32", "2001:db8::1", "::ffff:10.1.9.9"),
    ],
)
def test_a_proxy_is_known_where_the_server_listens_on_ipv6_too(
    proxy: str, seen: str, others: str
) -> None:
    """A connection over IPv4 has a mapped address there."""
    found = list[object]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        found.append(scope["client"][0])

    settings = Settings(public_url="https://rook.example", proxies=(proxy,))
    config = configured(app, settings)
    config.load()
    headers = [(b"x-forwarded-for", b"203.0.113.9")]

    async def story() -> None:
        for address in (seen, others):
            scope: Scope = {"type": "http", "client": (address, 1), "headers": headers}
            await config.loaded_app(scope, None, None)

    asyncio.run(story())
    assert found == ["203.0.113.9", others]
    limits = ConnectionLimits((proxy,), Tally())
    assert limits.household((seen, 1)) is None
    assert limits.household((others, 1)) == household({"client": (others, 1)})


def listens_on_both() -> bool:
    """Return whether IPv4 comes to a server that listens on all addresses of IPv6."""
    try:
        with bind("::", 0) as listening:
            socket.create_connection(("127.0.0.1", listening.getsockname()[1])).close()
    except (CannotServe, OSError):
        return False
    return True


@pytest.mark.skipif(not listens_on_both(), reason="this machine has no IPv6")
@pytest.mark.parametrize("host", ["127.0.0.1", "::"])
def test_who_comes_through_a_proxy_has_an_allowance_of_their_own_at_any_host(host: str) -> None:
    settings = Settings(public_url="https://rook.example")
    few = Buckets(dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | {"address": Rate(1, 1e9, 2)})
    app = Here(settings, few).app
    with bind(host, 0) as listening:
        server = uvicorn.Server(configured(app, settings))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        there = f"http://127.0.0.1:{listening.getsockname()[1]}"
        headers = {"host": "rook.example"}
        try:
            wait_for(lambda: server.started)
            with httpx.Client(
                base_url=there, headers=headers, timeout=PATIENCE, trust_env=False
            ) as proxy:
                codes = [
                    proxy.get("/api/session", headers={"x-forwarded-for": visitor}).status_code
                    for visitor in [*["203.0.113.9"] * 3, "198.51.100.7"]
                ]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
    assert codes == [200, 200, 429, 200]


def test_rules_are_not_looked_at_without_end() -> None:
    async def story() -> None:
        # Enough of a core, on any machine.
        ample = {kind: Rate(60, 60, 60) for kind in ("processor", "moment")}
        here = Here(buckets=Buckets(dict(RATES) | ample | {"check": Rate(1, 60, 2)}))
        transport = httpx.ASGITransport(app=here.app, client=("203.0.113.5", 1))
        async with (
            httpx.AsyncClient(transport=transport, base_url=HOME, headers={"origin": HOME}) as eve,
            here.browser() as home,
        ):
            many: dict[str, Any] = {f"option {i}": 1 for i in range(2_000)}
            answer = await eve.post("/api/rules/check", json={"rules": many})
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-rules")
            marks = {"counters": {str(i): 5 for i in range(20, 2_000)}}
            answer = await eve.post("/api/rules/check", json={"rules": marks})
            (problem,) = answer.json()["problems"]
            assert problem["code"] == "wrong-value"
            assert len(problem["text"]) < 300
            assert (await eve.post("/api/rules/check", json={"rules": {}})).status_code == 429
            for _ in range(4):
                assert (await home.post("/api/rules/check", json={"rules": {}})).status_code == 200

    asyncio.run(story())


def test_a_crowd_is_not_counted_anew_with_everybody_who_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sweeps: list[int] = []
    whole = Buckets._sweep

    def counted(self: Buckets, now: float) -> None:
        sweeps.append(len(self._filled))
        whole(self, now)

    monkeypatch.setattr(Buckets, "_sweep", counted)
    buckets = Buckets({"x": Rate(1, 1e9, 2)}, lambda: 0.0)
    for number in range(5 * SWEEP):
        buckets.take("x", f"guest {number}")
    assert sweeps == [SWEEP, 2 * SWEEP, 4 * SWEEP]


def test_the_control_a_door_that_nobody_keeps_is_found_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = decide._seated

    def unguarded(table: Any, seat: int, command: Any, *rest: Any) -> Any:  # noqa: ANN401
        hosts = cm.Start | cm.Arrange | cm.Bot | cm.Replace | cm.Host | cm.Table
        if isinstance(command, hosts):
            table = replace(table, host=seat)
        return whole(table, seat, command, *rest)

    monkeypatch.setattr(decide, "_seated", unguarded)
    with pytest.raises(AssertionError):
        test_doors.test_nobody_does_what_another_seat_may_do()
