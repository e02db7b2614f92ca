"""`rookery serve` as a process: one line when it cannot, a page when it can, and nothing lost."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import inspect
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.http.served import PATIENCE, Here, Served, line, spare_port, table_for
from tests.server.memory.store import MemoryStore
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.cli.server import serve
from rookery.server.api.links import lan_addresses
from rookery.server.http.protocols import PacedWebSocket
from rookery.server.registry.tables import TableRegistry
from rookery.server.serving import configured
from rookery.server.settings import Settings
from rookery.server.store.folder import LOCK, held

PROGRAM = "from rookery.cli.main import app; app()"
# The same, and at the end everything that it has loaded.
TOLD = "sys.stderr.write(' '.join(sys.modules))"
WATCHED = f"import atexit, sys; atexit.register(lambda: {TOLD}); {PROGRAM}"
HEAVY = {"numpy", "numba", "scipy", "polars", "matplotlib", "openskill", "ray", "rich"}


class Process(Served):
    """A server in a process of its own."""

    def __init__(self, started: subprocess.Popen[bytes], url: str) -> None:
        super().__init__(url, TableRegistry(MemoryStore(), Settings()))
        self.process = started


@contextlib.contextmanager
def process(*options: str, port: int = 0, program: str = PROGRAM) -> Iterator[Process]:
    where = ("--no-open", "--port", str(port))
    command = [sys.executable, "-c", program, "serve", *where, *options]
    # Without a buffer, so that what follows the first line is still there for `communicate`.
    started = subprocess.Popen(command, bufsize=0, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert started.stdout is not None
    opened: list[Process] = []
    try:
        told = started.stdout.readline().decode()
        found = re.search(r"http://\S+(?=/ )", told)
        assert found, (told, started.stderr and started.stderr.read())
        opened.append(Process(started, found[0]))
        yield opened[0]
    finally:
        for browser in (browser for here in opened for browser in here.open):
            browser.close()
        if started.poll() is None:
            started.kill()
        started.communicate(timeout=PATIENCE)


def refusal(*options: str) -> str:
    """Return the one line with which a server that cannot start ends."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "serve", "--no-open", *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        # On a machine without a network, a name that there is not is found out sooner.
        env={**os.environ, "RES_OPTIONS": "timeout:1 attempts:1"},
    )
    assert done.returncode == 2, done
    assert done.stdout == ""
    lines = done.stderr.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


def test_a_page_works_and_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    with process("--data", str(tmp_path)) as here:
        page = here.browser().get("/")
        assert page.status_code == 200
        assert here.browser().get("/readyz").json() == {"ok": True}
        here.process.send_signal(signal.SIGINT)
        out, err = here.process.communicate(timeout=PATIENCE)
        assert (here.process.returncode, err) == (0, b"")
        assert b"Stopped" in out


def test_sigterm_ends_it_cleanly_with_sockets_open(tmp_path: Path) -> None:
    async def story(here: Process) -> None:
        ann = here.browser("Ann")
        async with line(here, ann, table_for(ann)):
            here.process.send_signal(signal.SIGTERM)
            _, err = await asyncio.to_thread(here.process.communicate, timeout=PATIENCE)
            assert (here.process.returncode, err) == (0, b"")

    with process("--data", str(tmp_path)) as here:
        asyncio.run(story(here))


def test_after_a_kill_everybody_has_their_seat_and_their_cards(tmp_path: Path) -> None:
    async def first(here: Process) -> tuple[str, list[dict[str, Any]]]:
        ann, bob = here.browser("Ann"), here.browser("Bob")
        code = table_for(ann)
        async with line(here, ann, code) as one, line(here, bob, code) as two:
            assert (await two.do(type="sit", seat=2))["type"] == "ack"
            assert (await one.do(type="start"))["type"] == "ack"
            for each in (one, two):
                while each.table["view"] is None:
                    await each.hear_type("update")
            here.process.kill()
            here.process.wait(PATIENCE)
            return code, [one.table, two.table]

    async def second(here: Process, cookies: list[dict[str, str]], code: str) -> list[Any]:
        found = []
        for kept in cookies:
            browser = here.browser()
            browser.cookies.update(kept)
            async with line(here, browser, code) as one:
                found.append((one.table["you"], one.table["view"]["hand"]))
        return found

    with process("--data", str(tmp_path)) as here:
        code, before = asyncio.run(first(here))
        kept = [dict(browser.cookies) for browser in here.open]
    with process("--data", str(tmp_path)) as here:
        after = asyncio.run(second(here, kept, code))
    seats = [(table["you"], table["view"]["hand"]) for table in before]
    assert after == seats
    assert [seat for seat, _ in seats] == [0, 2]


def test_a_cold_start_loads_what_a_page_needs_and_nothing_heavy(tmp_path: Path) -> None:
    """What a start takes is what it loads; how long that is, ``scripts/faults --load`` measures."""
    with process("--data", str(tmp_path), program=WATCHED) as here:
        assert here.browser().get("/").status_code == 200
        here.process.send_signal(signal.SIGINT)
        _, err = here.process.communicate(timeout=PATIENCE)
    loaded = err.decode().split()
    assert "rookery.server.app" in loaded
    assert not HEAVY & {name.partition(".")[0] for name in loaded}
    # Later versions of Python have more modules of their own for the same.
    assert len(loaded) < (900 if sys.version_info < (3, 14) else 930)


def test_a_port_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        told = refusal("--port", port, "--data", str(tmp_path))
    assert told == f"--port: {port} is in use; name another one, or 0 for any"


@pytest.mark.parametrize(
    ("options", "word"),
    [
        (["--host", "no.such.host.invalid"], "--host: 'no.such.host.invalid' is no address"),
        (["--data", "/dev/null"], "--data: /dev/null: file exists"),
        (["--data", "/proc/rookery"], "--data: /proc/rookery: no such file"),
        (["--metrics", "foo"], "--metrics: "),
        (["--metrics", "192.0.2.77:9100"], "--metrics: "),
        (["--metrics", "127.0.0.1:70000"], "--metrics: "),
    ],
)
def test_what_cannot_be_is_one_line_and_leaves_no_folder_behind(
    options: list[str], word: str, tmp_path: Path
) -> None:
    data = [] if "--data" in options else ["--data", str(tmp_path / "tables")]
    assert refusal("--port", "0", *options, *data).startswith(word)
    assert list(tmp_path.iterdir()) == []


def test_an_address_that_cannot_be_is_one_line_and_leaves_no_folder_behind(tmp_path: Path) -> None:
    asked = ["serve", "--no-open", "--data", str(tmp_path / "tables")]
    for option, value, word in (
        ("--port", "70000", "70000 is no port"),
        ("--host", "192.0.2.77", "'192.0.2.77' is no address of this machine"),
        ("--host", "[2001:db8::7]", "'2001:db8::7' is no address of this machine"),
        ("--public-url", "rook.example", "'rook.example' is no address"),
    ):
        done = CliRunner().invoke(app, [*asked, "--port", "0", option, value])
        gc.enable()  # a server collects again once it is up
        assert (done.exit_code, done.stdout) == (2, ""), done.output
        [line] = done.stderr.splitlines()
        assert line.startswith(f"{option}: {word}")
    assert list(tmp_path.iterdir()) == []


def test_the_command_and_the_settings_name_the_same_defaults() -> None:
    told = inspect.signature(serve.command).parameters
    assert told["port"].default == Settings().port
    text = CliRunner().invoke(app, ["serve", "--help"]).output
    assert f"[default: {Settings().port}]" in text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("command", [["serve", "--no-open"], ["bots", "--processes", "1"]])
def test_where_nothing_can_be_printed_it_serves_all_the_same(
    command: list[str], tmp_path: Path
) -> None:
    port = spare_port()
    where = ["--port", str(port), "--data", str(tmp_path)]
    where = where if command[0] == "serve" else ["--listen", f"127.0.0.1:{port}"]
    environment = {**os.environ, "ROOKERY_BOTS_SECRET": "0123456789abcdef"}
    with Path("/dev/full").open("wb") as full, (tmp_path / "said").open("wb") as said:
        started = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, *command, *where],
            stdout=full,
            stderr=said,
            env=environment,
        )
        try:
            while started.poll() is None:
                with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                    break
            # A server listens before it is ready, and says when it is.
            while started.poll() is None and not (tmp_path / "said").read_bytes():
                time.sleep(0.05)
            started.send_signal(signal.SIGTERM)
            assert started.wait(PATIENCE) == 0
        finally:
            started.kill()
    lines = (tmp_path / "said").read_text().splitlines()
    assert lines == ["nothing can be printed: no space left on device"]


@pytest.mark.parametrize(
    ("fault", "line"),
    [
        ("StoreError('planted')", "planted"),
        ("OSError('x')", "the server could not start: OSError: x at <string>:3 fails"),
    ],
)
def test_a_server_that_fails_as_it_begins_ends_with_one_line_and_a_status_of_its_own(
    fault: str, line: str, tmp_path: Path
) -> None:
    fails = (
        "from rookery.server.store.base import StoreError\n"
        "from rookery.server.registry.tables import TableRegistry as T\n"
        f"def fails(*_): raise {fault}\n"
        f"T.open = fails\n{PROGRAM}"
    )
    where = ("serve", "--no-open", "--port", "0", "--data", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", fails, *where], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [f"--data: {line}"]


def test_a_database_that_is_none_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "rookery.sqlite3").write_text("not a database, but a long enough text " * 40)
    assert refusal("--data", str(tmp_path), "--port", "0").startswith(f"--data: {tmp_path}")


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    with process("--data", str(tmp_path)):
        told = refusal("--data", str(tmp_path), "--port", "0")
    assert "a server keeps its tables there; stop it, or name another folder" in told


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="for root only")
def test_roots_commands_leave_the_folder_to_its_server(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "tables", tmp_path / "theirs"
    mine.mkdir()
    os.chown(mine, 65534, 65534)
    with held(mine):
        there = (mine / LOCK).stat()
    assert (there.st_uid, there.st_gid) == (65534, 65534)
    # But what is there already stays whose it is: a link may lead anywhere.
    (mine / LOCK).unlink()
    (mine / LOCK).symlink_to(theirs)
    theirs.touch()
    with held(mine):
        assert theirs.stat().st_uid == 0


@pytest.mark.skipif(not lan_addresses(), reason="this machine is on no network")
def test_with_lan_a_phone_in_the_room_can_play(tmp_path: Path) -> None:
    address = lan_addresses()[0]
    host = f"[{address}]" if ":" in address else address

    async def story(phone: Served) -> None:
        ann = phone.browser("Ann")
        code = table_for(ann)
        made = ann.get(f"/api/tables/{code}").json()
        assert made["link"].startswith(f"{phone.url}/t/")
        async with line(phone, ann, code) as one:
            assert one.table["you"] == 0

    with process("--lan", "--data", str(tmp_path)) as here:
        port = here.url.rpartition(":")[2]
        phone = Served(f"http://{host}:{port}", here.registry)
        try:
            asyncio.run(story(phone))
        finally:
            for browser in phone.open:
                browser.close()
        here.process.send_signal(signal.SIGINT)
        out, _ = here.process.communicate(timeout=PATIENCE)
        assert phone.url in out.decode()
        assert "█" in out.decode()


@pytest.mark.parametrize("host", ["127.1", "LOCALHOST"])
def test_an_address_may_be_written_as_no_browser_writes_it(host: str, tmp_path: Path) -> None:
    with process("--host", host, "--data", str(tmp_path)) as here:
        assert here.url.startswith(("http://127.0.0.1:", "http://localhost:"))
        assert here.browser("Ann").get("/api/session").json()["name"] == "Ann"


@pytest.mark.skipif(not lan_addresses(), reason="this machine is on no network")
def test_with_lan_at_one_address_the_room_is_told_of_it(tmp_path: Path) -> None:
    with process("--lan", "--host", lan_addresses()[0], "--data", str(tmp_path)) as here:
        here.process.send_signal(signal.SIGINT)
        out, _ = here.process.communicate(timeout=PATIENCE)
        assert f"In this room, at {here.url}/" in out.decode()


@pytest.mark.skipif(not lan_addresses(), reason="this machine is on no network")
def test_without_lan_nobody_else_is_let_in(tmp_path: Path) -> None:
    with process("--data", str(tmp_path)) as here:
        port = here.url.rpartition(":")[2]
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://{lan_addresses()[0]}:{port}/", timeout=2, trust_env=False)


def test_uvicorn_is_set_as_it_was_measured() -> None:
    here = Here()
    settings = configured(here.app, here.settings)
    assert settings.ws is PacedWebSocket
    assert not settings.ws_per_message_deflate
    assert (settings.ws_max_size, settings.ws_max_queue) == (4096, 8)
    assert (settings.ws_ping_interval, settings.ws_ping_timeout) == (30, 60)
    assert settings.timeout_graceful_shutdown == 10
    assert settings.limit_concurrency
    assert not settings.access_log


def test_what_was_made_while_starting_is_never_collected_again() -> None:
    program = (
        "import gc, sys; from rookery.server import serving; gc.disable();"
        "serving._settled(lambda: None);"
        "print(gc.isenabled(), gc.get_threshold(), gc.get_freeze_count() > 10_000);"
        "print(round(sys.getswitchinterval(), 6))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "True (1000000, 20, 100000) True\n0.0001"
