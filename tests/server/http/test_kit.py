"""What a browser is given for play without a network: a list of files, each by its hash."""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.routing import Mount
from tests.server.http.served import Here

from rookery.about import OFFLINE, version
from rookery.server.http.kit import Kit, found
from rookery.server.http.static import LOOKED, Static

PYTHON = b"\0asm" + bytes(1000)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder as `scripts/offline` makes it, with one file."""
    made = tmp_path / "kit"
    made.mkdir()
    put(made, PYTHON)
    return made


def put(folder: Path, plain: bytes) -> None:
    packed = gzip.compress(plain)
    (folder / "python.wasm.gz").write_bytes(packed)
    line = {"name": "python.wasm", "type": "application/wasm", "bytes": len(plain)}
    line |= {"packed": len(packed), "hash": hashlib.sha256(plain).hexdigest()}
    (folder / "kit.json").write_text(json.dumps({"wheels": ["a.whl"], "files": [line]}))


def asked(folder: Path, look: Callable[[httpx.AsyncClient], Any]) -> Any:  # noqa: ANN401
    """Return what `look` finds at an application that serves the folder beside the client."""
    static = Static()
    app = Starlette(routes=[Mount("/static", static), Mount("/kit", Kit(static, folder))])

    async def story() -> object:
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://here") as browser:
            return await look(browser)

    return asyncio.run(story())


async def listed(browser: httpx.AsyncClient) -> dict[str, Any]:
    answer = await browser.get("/kit/list.json")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


async def wrong(browser: httpx.AsyncClient) -> list[str]:
    """Return the files of the list that are not what the list says, as a browser compares them."""
    found = []
    for file in (await listed(browser))["files"]:
        path = "/static/index.html" if file["path"] == "/" else file["path"]
        plain = (await browser.get(path)).content
        if (hashlib.sha256(plain).hexdigest(), len(plain)) != (file["hash"], file["bytes"]):
            found.append(file["path"])
    return found


def test_every_file_is_what_the_list_says_and_a_changed_one_is_found(folder: Path) -> None:
    assert asked(folder, wrong) == []
    (folder / "python.wasm.gz").write_bytes(gzip.compress(PYTHON[:-1]))
    assert asked(folder, wrong) == ["/kit/python.wasm"]


def test_the_list_has_all_that_a_table_needs(folder: Path) -> None:
    found = asked(folder, listed)
    paths = {file["path"] for file in found["files"]}
    assert {"/", "/kit/python.wasm", "/kit/kit.json", "/static/app.js"} <= paths
    assert {f"/static/table/offline/{name}.js" for name in ("worker", "device", "kit")} <= paths
    assert {"/static/i18n/es.json", "/static/css/table.css", "/static/table/game.js"} <= paths
    assert "/static/sw.js" not in paths  # a browser asks for this one by itself
    assert sum(file["bytes"] for file in found["files"]) > found["bytes"] > 0


def test_another_file_makes_another_version(folder: Path) -> None:
    before = asked(folder, listed)["version"]
    assert asked(folder, listed)["version"] == before
    put(folder, PYTHON + b"!")
    assert asked(folder, listed)["version"] != before


def test_a_file_comes_packed_with_its_type(folder: Path) -> None:
    async def look(browser: httpx.AsyncClient) -> tuple[httpx.Response, httpx.Response]:
        return await browser.get("/kit/python.wasm"), await browser.get("/kit/kit.json")

    python, contents = asked(folder, look)
    assert python.content == PYTHON
    assert python.headers["content-encoding"] == "gzip"
    assert python.headers["content-type"] == "application/wasm"
    assert contents.json()["wheels"] == ["a.whl"]


@pytest.mark.parametrize("part", ["bytes=0-0", "bytes=9999999-", "bytes=a-b", "bytes="])
def test_whoever_asks_for_a_part_of_a_file_is_sent_all_of_it(folder: Path, part: str) -> None:
    async def look(browser: httpx.AsyncClient) -> httpx.Response:
        return await browser.get("/kit/python.wasm", headers={"range": part})

    answer = asked(folder, look)
    assert (answer.status_code, answer.content) == (200, PYTHON)
    assert answer.headers["accept-ranges"] == "none"


@pytest.mark.parametrize(
    "path", ["/kit/", "/kit", "/kit/none", "/kit/python.wasm.gz", "/kit/../kit.json", "/kit/%00"]
)
def test_nothing_else_is_there(folder: Path, path: str) -> None:
    async def look(browser: httpx.AsyncClient) -> int:
        return (await browser.get(path, follow_redirects=True)).status_code

    assert asked(folder, look) == 404


def test_where_nothing_was_built_the_rest_is_served(tmp_path: Path) -> None:
    async def look(browser: httpx.AsyncClient) -> list[int]:
        paths = ("/kit/list.json", "/kit/python.wasm", "/static/app.js")
        return [(await browser.get(path)).status_code for path in paths]

    assert asked(tmp_path / "none", look) == [404, 404, 200]


def test_the_worker_runs_webassembly_and_evaluates_no_text() -> None:
    async def story() -> None:
        async with Here().browser() as browser:
            worker = await browser.get("/static/table/offline/worker.js")
            page = await browser.get("/")
        allowed = worker.headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval'" in allowed
        for policy in (allowed, page.headers["content-security-policy"]):
            assert " 'unsafe-eval'" not in policy
            assert "unsafe-inline" not in policy
        assert "wasm" not in page.headers["content-security-policy"]

    asyncio.run(story())


def counted(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the folders that are walked from now on."""
    walked: list[Path] = []
    plain = Kit.client

    def noting(self: Kit) -> Iterator[str]:
        walked.append(self._static.folder)
        return plain(self)

    monkeypatch.setattr(Kit, "client", noting)
    return walked


def test_the_clients_folder_is_walked_once_a_second_however_many_ask(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = tmp_path / "client"
    client.mkdir()
    (client / "app.js").write_text("one();", "utf-8")
    now, walked = [5.0], counted(monkeypatch)
    served = Kit(Static(client), folder, clock=lambda: now[0])

    def listed_as() -> object:
        body = served._answer("list.json", Headers({})).body
        return json.loads(bytes(body))["version"]

    first = listed_as()
    assert [listed_as() for _ in range(20)] == [first] * 20
    assert walked == [client]
    (client / "app.js").write_text("another();", "utf-8")
    assert listed_as() == first
    now[0] += LOOKED
    assert listed_as() != first
    assert len(walked) == 2
    put(folder, PYTHON + b"!")  # another kit is not waited for
    assert len({first, listed_as()}) == 2
    assert len(walked) == 3


@pytest.mark.parametrize(("brought", "taken"), [(None, True), ("0.0.9", False)])
def test_what_is_installed_serves_where_it_is_for_this_version(
    brought: str | None,
    taken: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    package = tmp_path / "site" / "rookery_offline"
    (package / "kit").mkdir(parents=True)
    (package / "__init__.py").touch()
    about = tmp_path / "site" / f"{OFFLINE.replace('-', '_')}-1.dist-info"
    about.mkdir()
    told = f"Metadata-Version: 2.1\nName: {OFFLINE}\nVersion: {brought or version()}\n"
    (about / "METADATA").write_text(told, "utf-8")
    client = tmp_path / "web" / "static"
    assert found(client) == tmp_path / "web" / "kit"  # nothing is installed
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    assert found(client) == (package if taken else tmp_path / "web") / "kit"
    assert ("0.0.9 is not for version" in caplog.text) == (not taken)
    # A checkout's own comes first.
    (tmp_path / "web" / "kit").mkdir(parents=True)
    put(tmp_path / "web" / "kit", PYTHON)
    assert found(client) == tmp_path / "web" / "kit"
