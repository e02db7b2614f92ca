"""What is asked in an odd way: by another method, or for a socket where there is none."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from contextlib import closing
from typing import Any

import httpx
import pytest
from tests.server.http.served import (
    HOME,
    Here,
    Served,
    line,
    no_limits,
    served,
    table_for,
    wait_for,
)
from websockets.exceptions import ConnectionClosed

from rookery.server.cluster.relay import PEER
from rookery.server.http.ratelimit import RATES, Buckets, Rate
from rookery.server.http.websocket import NO_TEXT
from rookery.server.monitoring.logs import OF_STRANGERS, is_ours

FILES = ("/static/app.js", "/kit/kit.json")
NO_TABLES = (*FILES, "/", "/api/session", "/healthz", "/ws", "/ws/")


async def opened(
    here: Here,
    path: str,
    host: str = "127.0.0.1:8000",
    inbox: asyncio.Queue[dict[str, Any]] | None = None,
    **more: str,
) -> list[dict[str, Any]]:
    """Return what somebody elsewhere is answered who would open a socket.

    Whatever they say to it is put into `inbox`, or that they have gone.
    """
    says = asyncio.Queue[dict[str, Any]]() if inbox is None else inbox
    connects = iter([{"type": "websocket.connect"}])
    said: list[dict[str, Any]] = []
    headers = {"host": host, "origin": HOME, **more}

    async def receive() -> dict[str, Any]:
        return next(connects, None) or await says.get()

    async def send(message: Any) -> None:  # noqa: ANN401  (ASGI)
        said.append(message)

    scope = {
        "type": "websocket",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": ("203.0.113.5", 1),
        "extensions": {"websocket.http.response": {}},
    }
    await here.app(scope, receive, send)
    return said


@pytest.mark.parametrize("path", NO_TABLES)
def test_a_socket_that_is_no_tables_is_refused_within_the_limits_of_all(path: str) -> None:
    async def story() -> None:
        strict = dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | {"household": Rate(1, 1e9, 2)}
        here = Here(buckets=Buckets(strict, lambda: 0.0))
        assert (await opened(here, path, "evil.example"))[0]["status"] == 421
        found = [(await opened(here, path))[0]["status"] for _ in range(3)]
        assert found == [404, 404, 429]
        assert "refused" in here.registry.tally.counts

    asyncio.run(story())


def test_the_control_a_socket_of_a_table_is_accepted() -> None:
    async def story() -> None:
        said = await opened(Here(buckets=no_limits()), "/ws/ABCDEF2")
        assert said[0]["type"] == "websocket.accept"

    asyncio.run(story())


def test_what_another_server_relays_is_not_checked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        strict = dict.fromkeys(RATES, Rate(1e9, 1, 1e9)) | {"household": Rate(1, 1e9, 2)}
        here = Here(buckets=Buckets(strict, lambda: 0.0))
        monkeypatch.setattr(here.registry.leases, "is_peer", "its word".__eq__)
        # It comes from one address with all that it relays.
        for word, last in (("its word", None), ("a guess", 429)):
            said = [await opened(here, "/ws/ABCDEF2", inbox=None, **{PEER: word}) for _ in range(3)]
            assert [one[0].get("status") for one in said] == [None, None, last]

    asyncio.run(story())


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("method", ["OPTIONS", "POST", "PUT", "DELETE", "TRACE", "PROPFIND", "X"])
def test_nothing_can_be_done_to_a_file_but_to_read_it(path: str, method: str) -> None:
    async def story() -> None:
        async with Here().browser() as ann:
            answer = await ann.request(method, path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (405, "bad-method")
            assert answer.headers["allow"] == "GET, HEAD"
            assert (await ann.get("/static/app.js")).status_code == 200  # the control

    asyncio.run(story())


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/api/tables", "GET, HEAD, POST"),
        ("/api/tables/ABCDEF2", "GET, HEAD"),
        ("/api/sheets", "POST"),
        ("/t/ABCDEF2", "GET, HEAD"),
    ],
)
def test_what_can_be_done_at_an_address_is_said_where_something_else_cannot(
    path: str, allowed: str
) -> None:
    async def story() -> None:
        async with Here().browser() as ann:
            for method in ("PROPFIND", "TRACE"):
                answer = await ann.request(method, path)
                assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
            for method in allowed.split(", "):  # the control
                assert (await ann.request(method, path)).status_code != 405

    asyncio.run(story())


@pytest.mark.parametrize(
    "path",
    [
        *("/api/none", "/api/tables/", "/ws/ABCDEF2", "/none.x", "/kit"),
        *("/static/none.js", "/static/", "/kit/none"),
    ],
)
def test_where_nothing_is_there_is_nothing_by_whatever_method(path: str) -> None:
    async def story() -> None:
        async with Here().browser() as ann:
            for method in ("GET", "POST", "OPTIONS", "PROPFIND"):
                answer = await ann.request(method, path)
                assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")
                assert "allow" not in answer.headers
            refused = await ann.post("/t/ABCDEF2")  # the control: the page is there
            assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")

    asyncio.run(story())


@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/api/session", "/api/variants", "/none.x"]
)
def test_whoever_asks_for_the_head_alone_has_that_of_the_answer(path: str) -> None:
    async def story() -> None:
        async with Here().running() as here, here.browser() as ann:
            whole, head = await ann.get(path), await ann.head(path)
            assert head.status_code == whole.status_code
            assert head.headers == whole.headers

    asyncio.run(story())


def test_what_strangers_may_say_at_will_is_no_line_of_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another version of the web server may use other words, and then they are learned anew."""
    log = logging.getLogger("uvicorn.error")
    monkeypatch.setattr(log, "handlers", [caplog.handler])
    monkeypatch.setattr(log, "propagate", False)
    socket_ = b"connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n"
    socket_ += b"sec-websocket-key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n"
    old = b"connection: upgrade\r\nupgrade: h2c\r\n"
    asked = [b"X\r\n", *(b"GET / HTTP/1.1\r\nhost: here\r\n" + one for one in (old, socket_))]
    with served() as here:
        port = int(here.url.rpartition(":")[2])
        for filters in ([], [is_ours]):  # the control first
            monkeypatch.setattr(log, "filters", filters)
            for sent in asked:
                with closing(socket.create_connection(("127.0.0.1", port))) as line:
                    line.sendall(sent + b"\r\n")
                    assert line.recv(1000)
            # The last one is said after the answer.
            wait_for(lambda: OF_STRANGERS[2] in (one.getMessage() for one in caplog.records))
    said = [one.getMessage() for one in caplog.records if one.name == log.name]
    assert said == list(OF_STRANGERS[:3])  # once


def test_nor_is_a_message_that_is_no_text_and_it_is_counted(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = logging.getLogger("uvicorn.error")
    monkeypatch.setattr(log, "handlers", [caplog.handler])
    monkeypatch.setattr(log, "propagate", False)

    async def ended(here: Served, ann: httpx.Client, code: str) -> int | None:
        async with line(here, ann, code) as one:
            one.socket.transport.write(b"\x81\x82\0\0\0\0\xff\xff")  # by a mask of zeros
            with pytest.raises(ConnectionClosed) as found:
                await one.hear_type("nothing")
        return None if found.value.rcvd is None else found.value.rcvd.code

    with served() as here:
        ann = here.browser("Ann")
        code, closed = table_for(ann), here.registry.tally.counts["closed"]
        for filters in ([], [is_ours]):  # the control first
            monkeypatch.setattr(log, "filters", filters)
            assert asyncio.run(ended(here, ann, code)) == NO_TEXT
        wait_for(lambda: closed[str(NO_TEXT)] == 2)
    assert [one.getMessage() for one in caplog.records] == [OF_STRANGERS[3]]  # once


@pytest.mark.parametrize("name", ["rookery", "x"])
def test_a_cookie_of_backslashes_is_read_as_soon_as_any_other(name: str) -> None:
    cookie = f'{name}="' + "\\" * 24_000 + '"'

    async def story() -> None:
        here = Here(buckets=no_limits())
        began = time.process_time()
        async with here.browser() as browser:
            # Whatever is asked for: all cookies are read, also those that nobody wants.
            for path in ("/api/session", "/api/tables"):
                assert (await browser.get(path, headers={"cookie": cookie})).status_code == 200
        await opened(here, "/ws/ABCDEF2", cookie=cookie)
        # An old Python goes through the rest of a cookie at each of them (CVE-2024-7592).
        assert time.process_time() - began < 2

    asyncio.run(story())


def test_cookies_of_other_sites_keep_nobody_from_a_table() -> None:
    """A page takes a head of 16 KiB, and a socket a line of 8 KiB."""

    async def story(here: Served, ann: httpx.Client, code: str) -> None:
        async with line(here, ann, code):
            pass

    with served() as here:
        ann = here.browser("Ann")
        code = table_for(ann)
        for name in ("a", "z"):
            ann.cookies.set(name, 6_000 * "x")
        asyncio.run(story(here, ann, code))


def test_whoever_has_another_cookie_with_backslashes_is_known() -> None:
    async def story() -> None:
        async with Here().person("Ann") as ann:
            [token] = ann.cookies.values()
            other = {"cookie": f'a="1\\0542"; rookery={token}; b="\\""'}
            assert (await ann.get("/api/session", headers=other)).json()["name"] == "Ann"

    asyncio.run(story())
