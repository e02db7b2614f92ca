"""What every answer carries, and how the client's files are served."""

from __future__ import annotations

import asyncio
import gzip
import time
from collections.abc import AsyncIterator, MutableMapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.datastructures import Headers
from tests.server.http.served import HOME, PATIENCE, Here

from rookery.server.http import middleware as headers
from rookery.server.http.middleware import BODY_MAX
from rookery.server.http.static import LOOKED, Static

EVERYWHERE = [
    "/",
    "/t/ABCDEF2",
    "/static/app.js",
    "/static/none.js",
    "/api/session",
    "/api/variants",
    "/api/none",
    "/api/tables/ABCDEF2",
    "/api/openapi.json",
    "/healthz",
    "/readyz",
    "/none.php",
]


def get(path: str, **sent: str) -> httpx.Response:
    async def ask() -> httpx.Response:
        async with Here().browser() as browser:
            return await browser.get(path, headers=sent)

    return asyncio.run(ask())


@pytest.mark.parametrize("path", EVERYWHERE)
def test_every_answer_says_what_a_browser_may_do_with_it(path: str) -> None:
    answer = get(path)
    policy = dict(
        part.split(maxsplit=1) for part in answer.headers["content-security-policy"].split("; ")
    )
    assert policy["default-src"] == "'self'"
    for none in ("frame-ancestors", "base-uri", "object-src", "form-action"):
        assert policy[none] == "'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "server" not in answer.headers
    if path.startswith("/api/session"):
        assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/static/manifest.webmanifest", "/sw.js"])
def test_a_file_is_sent_once_and_then_only_asked_for(path: str) -> None:
    first = get(path)
    assert first.status_code == 200
    assert first.headers["cache-control"] == "no-cache"
    again = get(path, **{"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = get(path, **{"if-none-match": '"other"'})
    assert other.status_code == 200


def test_the_catalogue_is_sent_once_and_then_only_asked_for() -> None:
    first = get("/api/variants")
    assert get("/api/variants", **{"if-none-match": first.headers["etag"]}).status_code == 304


def test_files_have_the_right_types() -> None:
    types = {
        ".css": "text/css; charset=utf-8",
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".json": "application/json",
        ".png": "image/png",
        ".svg": "image/svg+xml",
        ".webmanifest": "application/manifest+json",
    }
    static = Static()
    seen = set()
    for path in static.folder.rglob("*.*"):
        if path.suffix in types:
            answer = static.file(path.relative_to(static.folder).as_posix(), Headers())
            assert answer.headers["content-type"] == types[path.suffix], path
            seen.add(path.suffix)
    assert seen == types.keys()


def test_text_is_sent_compressed_to_whoever_takes_it(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("let a = 1;\n" * 100)
    (tmp_path / "a.png").write_bytes(b"\x89PNG" * 100)
    static = Static(tmp_path)
    packed = static.file("a.js", Headers({"accept-encoding": "br, gzip"}))
    plain = static.file("a.js", Headers())
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(bytes(packed.body)) == bytes(plain.body)
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    (tmp_path / "a.wasm").write_bytes(b"\0asm\1\0\0\0" * 100)
    kernels = static.file("a.wasm", Headers({"accept-encoding": "gzip"}))
    assert kernels.headers["content-encoding"] == "gzip"
    assert kernels.headers["content-type"] == "application/wasm"
    for none in ("gzip;q=0", "gzip; q=0.000, *", "*;q=0", "br, xgzip"):
        unpacked = static.file("a.js", Headers({"accept-encoding": none}))
        assert "content-encoding" not in unpacked.headers, none
    picture = static.file("a.png", Headers({"accept-encoding": "gzip"}))
    assert "content-encoding" not in picture.headers


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text(
        'import { a } from "./a.js";\nimport {\n  b,\n} from "./b.js";'
    )
    (tmp_path / "a.js").write_text('export { c } from "./deep/c.js"; import("./late.js");')
    (tmp_path / "b.js").write_text("")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "c.js").write_text('import "../a.js";')
    (tmp_path / "late.js").write_text("")
    (tmp_path / "index.html").write_text('<script data-modules="@@MODULES@@">')
    now = 0.0
    static = Static(tmp_path, lambda: now)
    page = bytes(static.file("index.html", Headers()).body).decode()
    assert page == '<script data-modules="a.js b.js deep/c.js">'
    (tmp_path / "b.js").write_text('import "./late.js";')
    now += LOOKED
    assert "late.js" in bytes(static.file("index.html", Headers()).body).decode()


@pytest.mark.parametrize(
    "name",
    [
        *("../settings.py", "..%2fsettings.py", "/etc/passwd", "//etc/passwd", ".hidden"),
        *("cards/../../../settings.py", "", ".", "cards", "a\0b", "..\\settings.py", "x" * 5000),
    ],
)
def test_nothing_outside_the_folder_is_served(name: str, tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text("secret")
    inside = tmp_path / "static"
    (inside / "cards").mkdir(parents=True)
    (inside / ".hidden").write_text("secret")
    (inside / "leads_out.js").symlink_to(tmp_path / "settings.py")
    static = Static(inside)
    assert static.file(name, Headers()).status_code == 404
    assert static.file("leads_out.js", Headers()).status_code == 404


def test_nobody_waits_for_a_name_that_is_long() -> None:
    static, began = Static(), time.process_time()
    for _ in range(50):
        assert static.file("a/" * 30_000, Headers()).status_code == 404
    assert time.process_time() - began < 1


@pytest.mark.parametrize("path", ["/", "/new", "/t/ABCDEF2", "/replay/ABCDEF2/3", "/return/abc"])
def test_every_address_of_the_client_is_the_one_page(path: str) -> None:
    answer = get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "@@MODULES@@" not in answer.text
    assert "script>" in answer.text


@pytest.mark.parametrize("path", ["/none.php", "/api", "/api/", "/static/", "/ws/ABCDEF2", "/ws"])
def test_other_addresses_are_nothing(path: str) -> None:
    answer = get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not-found")


def test_a_body_beyond_the_limit_is_refused_whatever_it_says_of_its_length() -> None:
    async def story() -> None:
        async with Here().browser() as browser:
            big = b'{"name": "' + b"a" * BODY_MAX + b'"}'

            async def pieces() -> object:
                for at in range(0, len(big), 1000):
                    yield big[at : at + 1000]

            for body in (big, pieces()):
                answer = await browser.post("/api/session", content=body)  # type: ignore[arg-type]
                assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too-large")
            for length in ("-1", "1e3", "9" * 30, "x"):
                answer = await browser.post(
                    "/api/session", content=b"{}", headers={"content-length": length}
                )
                assert answer.status_code == 413

    asyncio.run(story())


def test_a_body_that_comes_a_byte_at_a_time_costs_no_more_for_each() -> None:
    async def story() -> None:
        said = iter([b'{"name": "', *[b"a"] * 30_000, b'"}'])

        async def pieces() -> AsyncIterator[bytes]:
            for piece in said:
                yield piece

        async with Here().browser() as browser:
            began = time.process_time()
            answer = await browser.post("/api/session", content=pieces())
            assert answer.json()["error"]["code"] == "bad-request"  # is a long name, and no more
            assert time.process_time() - began < 3

    asyncio.run(story())


def test_a_body_that_does_not_arrive_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers, "BODY_WAIT", 0.05)

    async def story() -> None:
        here = Here()
        said: list[dict[str, Any]] = []

        async def never() -> MutableMapping[str, Any]:
            await asyncio.Event().wait()
            return {}

        async def send(message: MutableMapping[str, Any]) -> None:
            said.append(dict(message))

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/api/session",
            "headers": [(b"origin", HOME.encode()), (b"host", b"127.0.0.1:8000")],
            "client": ("127.0.0.1", 1),
        }
        async with asyncio.timeout(PATIENCE):
            await here.app(scope, never, send)
        assert said[0]["status"] == 408

    asyncio.run(story())
