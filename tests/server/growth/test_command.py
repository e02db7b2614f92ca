"""`rookery serve` on a shared database, as it is started."""

from __future__ import annotations

import asyncio
import json
import signal
from pathlib import Path

import httpx
import pytest
from tests.faults.serving import Server
from tests.server.core.tables import running
from tests.server.growth.engines import Postgres
from tests.server.growth.registries import eventually, registry, sharing
from tests.server.http.served import spare_port
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.cli.server import serve


def test_a_server_is_ready_while_its_database_is_and_says_so(
    tmp_path: Path, elephant: Postgres, database: str
) -> None:
    async def scene() -> None:
        server = Server(tmp_path, extra={"ROOKERY_DATABASE_URL": database})
        figures = spare_port()
        server._options = ("--log", "json", "--metrics", f"127.0.0.1:{figures}")
        await server.start()
        try:
            async with httpx.AsyncClient(base_url=server.url, trust_env=False, timeout=60) as asked:

                async def ready(wanted: int) -> bool | None:
                    return (await asked.get("/readyz")).status_code == wanted or None

                assert await ready(200)
                told = (await asked.get(f"http://127.0.0.1:{figures}/metrics")).text
                assert "rookery_alive 1.0" in told
                assert "process_resident_memory_bytes" in told
                # Nobody finds the figures at the address for players.
                assert (await asked.get("/metrics")).text != told
                await asyncio.to_thread(elephant.stop, signal.SIGINT)
                await eventually(lambda: ready(503))
                assert (await asked.get("/healthz")).status_code == 200
                await asyncio.to_thread(elephant.start)
                await eventually(lambda: ready(200))
        finally:
            await server.end(signal.SIGTERM)
        lines = [json.loads(line) for line in server.errors()]
        assert {"at", "level", "part", "text"} <= lines[0].keys()
        assert not [line for line in lines if "fault" in line]

    running(scene)
    # It has kept nothing of its own beside the database.
    assert {path.name for path in tmp_path.iterdir()} == {"errors.txt"}


# By each of these other servers would look for it in vain.
PEERS = ("10.0.0.7", "http://10.0.0.7:8000", "fd00::7:8000", "10.0.0.7:http", ":8000", "a:0")

NO_HOSTS = ("a..b", 64 * "a" + ".example")  # these nothing can look up


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--database", "mysql://nobody"), "expected postgresql://"),
        (("--database", "postgresql://x@127.0.0.1:1/none"), "--database: postgresql://x@127.0.0.1"),
        (("--hints", "redis://127.0.0.1"), "--hints"),
        *((("--peer-address", each), f"--peer-address: '{each}' is no address") for each in PEERS),
        (("--log", "xml"), "neither text nor json"),
        (("--metrics", "9100"), "expected 127.0.0.1:9100"),
        (("--metrics", "127.0.0.1:99999"), "expected 127.0.0.1:9100"),
        *((("--metrics", f"{host}:9100"), "expected 127.0.0.1:9100") for host in NO_HOSTS),
        *((("--database", f"postgresql://u@{host}/x"), "--database: not the") for host in NO_HOSTS),
    ],
)
def test_options_that_make_no_sense_are_one_line(
    tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    where = () if "--database" in options else ("--data", str(tmp_path))
    serve = ["serve", "--no-open", "--port", "0", *where, *options]
    done = CliRunner().invoke(app, serve)
    assert done.exit_code == 2
    (line,) = done.output.splitlines()
    assert told in line
    assert "secret" not in line


@pytest.mark.parametrize("host", NO_HOSTS)
def test_a_database_at_a_host_that_is_none_is_not_backed_up(tmp_path: Path, host: str) -> None:
    where = ["--database", f"postgresql://u@{host}/x"]
    done = CliRunner().invoke(app, ["backup", str(tmp_path / "copy"), *where])
    assert done.exit_code == 2
    (line,) = done.output.splitlines()
    assert "not the address of a database" in line
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("peer", ["10.0.0.7:8000", "[fd00::7]:8000", "app-2.internal:80"])
def test_where_others_find_a_server_may_be_a_name_or_an_address(peer: str) -> None:
    serve._check_peer(peer)


def test_a_password_is_not_repeated(tmp_path: Path) -> None:
    url = "postgresql://rook:secret@127.0.0.1:1/none"
    done = CliRunner().invoke(app, ["serve", "--no-open", "--port", "0", "--database", url])
    assert done.exit_code == 2
    assert "secret" not in done.output
    assert "rook@127.0.0.1:1" in done.output


def test_only_who_knows_the_word_is_another_server(database: str) -> None:
    async def scene() -> None:
        one = registry(database, "a:1")
        async with sharing(one):
            word = one.leases.secret  # type: ignore[attr-defined]
            assert one.leases.is_peer(word)
            for wrong in ("", word[:-1], word + "x", "é"):
                assert not one.leases.is_peer(wrong)

    running(scene)
