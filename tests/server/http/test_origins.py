"""Whose pages may ask for something: this server's own, to the letter."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest
from tests.server.http.served import HOME, PATIENCE, Here, cookies, served, table_for
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus
from websockets.typing import Origin

from rookery.server.api import links as addresses
from rookery.server.api.links import BadUrl, Links, origin_of
from rookery.server.settings import Settings

BAD = [
    None,
    "",
    "null",
    "http://127.0.0.1",
    "http://127.0.0.1:8766",
    "http://127.0.0.1:80000",
    "https://127.0.0.1:8000",
    "http://127.0.0.1:8000/",
    "http://127.0.0.1:8000 ",
    "HTTP://127.0.0.1:8000",
    "http://LOCALHOST:8000",
    "http://127.0.0.1:8000.evil.example",
    "http://evil.example",
    "http://evil.example:8000",
    "http://127.0.0.1.evil.example:8000",
    "http://evil127.0.0.1:8000",
    "http://127.0.0.1:8000@evil.example",
    "http://evil.example/?http://127.0.0.1:8000",
    "file://",
    "ws://127.0.0.1:8000",
    "http://0.0.0.0:8000",
    "http://127.0.0.1:8000, http://evil.example",
    "http://192.168.1.20:8000",
]
PLAIN: dict[str, Any] = {"open_timeout": PATIENCE, "proxy": None}
OWN = ["http://127.0.0.1:8000", "http://localhost:8000", "http://[::1]:8000"]
UNSAFE = [
    ("POST", "/api/session"),
    ("DELETE", "/api/session"),
    ("POST", "/api/session/return"),
    ("POST", "/api/return"),
    ("DELETE", "/api/sessions"),
    ("DELETE", "/api/sessions/{number}"),
    ("POST", "/api/passkeys/wanted"),
    ("POST", "/api/passkeys"),
    ("DELETE", "/api/passkeys/{number}"),
    ("PATCH", "/api/mistakes"),
    ("PUT", "/api/tables/{code}/ratings"),
    ("PUT", "/api/session/ratings"),
    ("POST", "/api/sheets"),
    ("POST", "/api/sheets/{sheet}/entries"),
    ("POST", "/api/sheets/{sheet}/check"),
    ("POST", "/api/sheets/{sheet}/result"),
    ("DELETE", "/api/sheets/{sheet}"),
    ("POST", "/api/matches"),
    ("POST", "/api/evenings"),
    ("POST", "/api/evenings/{evening}/changes"),
    ("POST", "/api/evenings/{evening}/sheets"),
    ("DELETE", "/api/evenings/{evening}"),
    ("POST", "/api/daily/{day}/{family}"),
    ("POST", "/api/daily/{day}/{family}/act"),
    ("POST", "/api/return/wanted"),
    ("POST", "/api/return/passkey"),
    ("POST", "/api/tables"),
    ("POST", "/api/tables/quick"),
    ("POST", "/api/rules/check"),
    ("POST", "/api/rules/parse"),
]


@pytest.mark.parametrize("origin", BAD)
def test_a_page_of_another_site_changes_nothing(origin: str | None) -> None:
    async def story() -> None:
        here = Here()
        async with here.person("Ann") as ann:
            del ann.headers["origin"]
            headers = {} if origin is None else {"origin": origin}
            for method, path in UNSAFE:
                answer = await ann.request(method, path, headers=headers, json={"name": "Eve"})
                assert answer.status_code == 403, (method, path)
                assert answer.json()["error"]["code"] == "bad-origin"
            assert (await ann.get("/api/session")).json()["name"] == "Ann"

    asyncio.run(story())


@pytest.mark.parametrize("origin", OWN)
def test_a_page_of_this_server_may(origin: str) -> None:
    async def story() -> None:
        async with Here().browser(origin) as ann:
            assert (await ann.post("/api/session", json={"name": "Ann"})).status_code == 200

    asyncio.run(story())


HOSTS = {
    "127.0.0.1:8000": 200,
    "localhost": 200,
    "LOCALHOST:8000": 200,
    "[::1]:8000": 200,
    "192.168.1.20:8000": 200,
    "203.0.113.9": 200,  # a load balancer asks for the very address
    "rook.example": 200,
    "rook.example.:443": 200,
    "app:8000": 200,  # nobody outside can have a name without a dot point here
    "table.lan:8000": 200,
    "": 200,
    "evil.example": 421,
    "evil.example:8000": 421,
    "rook.example.evil.example": 421,
    "127.0.0.1.evil.example": 421,
    "127.0.0.1@evil.example": 421,
    "1.2.3": 421,
    "[::1": 421,
}


def test_a_name_of_somebody_else_that_points_here_reads_nothing() -> None:
    async def story() -> None:
        here = Here(Settings(host="table.lan", public_url="https://rook.example"))
        async with here.browser() as ann:
            for path in ("/", "/api/session", "/api/tables", "/healthz", "/static/app.js"):
                for host, status in HOSTS.items():
                    answer = await ann.get(path, headers={"host": host})
                    assert answer.status_code == status, (path, host)
                    if status == 421 and path.startswith("/api"):
                        assert answer.json()["error"]["code"] == "bad-host"

    asyncio.run(story())


def test_a_socket_for_another_name_is_refused_before_it_is_accepted() -> None:
    async def story() -> None:
        with served() as here:
            ann = here.browser("Ann")
            code = table_for(ann)
            port = here.url.rpartition(":")[2]
            # A browser on this machine goes to a name that has lately come to point here.
            with pytest.raises(InvalidStatus) as refused:
                async with connect(
                    f"ws://evil.example:{port}/ws/{code}",
                    origin=Origin(here.url),
                    additional_headers=cookies(ann),
                    host="127.0.0.1",
                    **PLAIN,
                ):
                    pass
            assert refused.value.response.status_code == 421

    asyncio.run(story())


def test_every_unsafe_route_is_in_the_list_above() -> None:
    async def story() -> None:
        async with Here().browser() as ann:
            paths = (await ann.get("/api/openapi.json")).json()["paths"]
        unsafe = {
            (method.upper(), path)
            for path, methods in paths.items()
            for method in methods
            if method not in ("get", "head")
        }
        assert unsafe == set(UNSAFE)

    asyncio.run(story())


def test_a_socket_from_another_site_is_refused_before_it_is_accepted() -> None:
    async def story() -> None:
        with served() as here:
            ann = here.browser("Ann")
            code = table_for(ann)
            url = f"{here.url.replace('http', 'ws')}/ws/{code}"
            for origin in BAD:
                bad = None if not origin else origin.replace("8000", here.url.rpartition(":")[2])
                if bad in (f"{here.url}", f"{here.url} "):  # the wire drops the space
                    continue
                with pytest.raises(InvalidStatus) as refused:
                    async with connect(
                        url, origin=_typed(bad), additional_headers=cookies(ann), **PLAIN
                    ):
                        pass
                assert refused.value.response.status_code == 403, bad
            async with connect(
                url, origin=Origin(here.url), additional_headers=cookies(ann), **PLAIN
            ):
                pass

    asyncio.run(story())


def _typed(origin: str | None) -> Origin | None:
    return None if origin is None else Origin(origin)


PORT = 8000
LAN = Links(Settings(host="0.0.0.0", port=PORT, lan=True))  # noqa: S104


@pytest.mark.parametrize(
    ("origin", "host", "own"),
    [
        ("http://192.168.1.20:8000", "192.168.1.20:8000", True),
        ("http://10.0.0.7:8000", "10.0.0.7:8000", True),
        ("http://[fd00::7]:8000", "[fd00::7]:8000", True),
        ("http://localhost:8000", "localhost:8000", True),
        ("http://192.168.1.66:8000", "192.168.1.20:8000", False),
        ("http://192.168.1.20", "192.168.1.20", False),
        ("http://rebound.example:8000", "rebound.example:8000", False),
        ("http://8.8.8.8:8000", "8.8.8.8:8000", False),
        ("https://192.168.1.20:8000", "192.168.1.20:8000", False),
        ("http://192.168.1.20:9000", "192.168.1.20:9000", False),
        ("http://192.168.1.20:x", "192.168.1.20:x", False),
        ("http://", "", False),
        ("http://[", "[", False),
    ],
)
def test_on_a_local_network_an_address_of_its_own_will_do(
    origin: str, host: str, own: bool
) -> None:
    assert LAN.own(origin, host) == own
    loopback = Links(Settings(port=PORT))
    assert not loopback.own(origin, host) or "localhost" in origin


def test_links_begin_with_the_address_that_this_machine_has_now(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found: list[str] = []

    def way_out(*_: object) -> str:
        if not found:
            raise OSError("no network")
        return found[0]

    monkeypatch.setattr(addresses, "way_out", way_out)
    monkeypatch.setattr(addresses, "lan_addresses", lambda: list(found))
    monkeypatch.setattr(addresses, "_FRESH", 0.0, raising=False)
    monkeypatch.setattr(addresses, "_LAN", addresses.Lan(), raising=False)
    links = Links(Settings(host="0.0.0.0", lan=True))  # noqa: S104
    assert links.base == "http://127.0.0.1:8000"
    for now in ("192.168.1.20", "192.168.1.21"):
        found[:] = [now]
        assert links.base == f"http://{now}:8000"


def test_nobody_waits_while_this_machine_looks_for_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may, looked = threading.Event(), threading.Event()

    def slowly() -> list[str]:
        may.wait(60)
        looked.set()
        return ["192.168.1.20"]

    monkeypatch.setattr(addresses, "_ways_out", lambda: iter(()))
    monkeypatch.setattr(addresses, "lan_addresses", list)
    monkeypatch.setattr(addresses, "_FRESH", 0.0)
    monkeypatch.setattr(addresses, "_LAN", addresses.Lan())
    links = Links(Settings(host="0.0.0.0", lan=True))  # noqa: S104
    assert links.base == "http://127.0.0.1:8000"
    monkeypatch.setattr(addresses, "lan_addresses", slowly)
    assert links.base == "http://127.0.0.1:8000"
    assert not looked.is_set()
    may.set()
    assert looked.wait(60)
    for thread in threading.enumerate():
        if thread.name == "address":
            thread.join()
    assert links.base == "http://192.168.1.20:8000"


def test_behind_a_proxy_links_begin_with_the_public_url() -> None:
    links = Links(Settings(public_url="https://Rook.Example/"))
    assert links.table("ABCDEF2") == "https://rook.example/t/ABCDEF2"
    assert links.own("https://rook.example", "127.0.0.1:8000")
    assert not links.own("http://rook.example", "rook.example")
    assert not links.own("https://rook.example.evil", "rook.example")


@pytest.mark.parametrize(
    "url",
    [
        *("", "rook.example", "ftp://rook.example", "https://", "https://rook.example/play"),
        *("https://u:p@rook.example", "https://rook.example:99999", "https://rook.example/?a"),
        # No browser would write its Host or Origin so, and everybody would be refused.
        *("https://röok.example", "https://rook.example.", "https://rook..example"),
        *("https://rook example", "https://rook.example\\play", "https://rook.example:0"),
    ],
)
def test_a_public_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(BadUrl, match="address"):
        origin_of(url)


@pytest.mark.parametrize(
    ("url", "origin"),
    [
        ("https://xn--rok-sna.example", "https://xn--rok-sna.example"),
        ("https://rook_1.example:8443/", "https://rook_1.example:8443"),
        ("http://[2001:DB8::1]:80", "http://[2001:db8::1]"),
        ("http://192.168.1.20:8000", "http://192.168.1.20:8000"),
    ],
)
def test_a_public_url_is_taken_as_browsers_write_it(url: str, origin: str) -> None:
    assert origin_of(url) == origin
    links = Links(Settings(public_url=url))
    assert links.own(origin, "")
    assert links.serves(origin.partition("//")[2])


def test_an_address_in_x_forwarded_for_is_believed_only_behind_a_proxy() -> None:
    from rookery.server.serving import configured

    here = Here()
    assert not configured(here.app, Settings()).proxy_headers
    assert configured(here.app, Settings(public_url="https://a.example")).proxy_headers
    assert HOME.startswith("http:")
