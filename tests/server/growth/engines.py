"""A PostgreSQL and a Redis of a test's own: on free ports, in folders that go with them."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import psycopg
import pytest
from tests.server.http.served import PATIENCE, spare_port

from rookery.server.table import events as ev

INITDB = ("-E", "UTF8", "--locale=C", "--no-sync")
BINARIES = "/usr/lib/postgresql/*/bin"


def found(name: str) -> str:
    """Return where a program is; without it a test is skipped, but not in CI."""
    kept = sorted(Path("/").glob(f"{BINARIES[1:]}/{name}"))
    where = shutil.which(name) or (str(kept[-1]) if kept else None)
    if where is not None:
        return where
    if os.environ.get("CI"):
        pytest.fail(f"this test needs {name}; scripts/debian installs it")
    pytest.skip(f"no {name} here; scripts/debian installs it")


class Engine:
    """A program that others talk to, which can be stopped and started again.

    Attributes:
        port: where it listens, the same in every life.
        folder: where it keeps its files.
    """

    def __init__(self, command: Sequence[str], folder: Path, port: int, user: str | None) -> None:
        self.port, self.folder = port, folder
        self._command, self._user = command, user
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it, and return once it answers."""
        with (self.folder / "said.txt").open("ab") as said:
            self._process = subprocess.Popen(
                self._command,
                cwd=self.folder,
                stdout=said,
                stderr=said,
                user=self._user,
                group=None if self._user is None else pwd.getpwnam(self._user).pw_gid,
                extra_groups=None if self._user is None else [],
            )
        until = time.monotonic() + PATIENCE
        while not self.answers():
            if time.monotonic() > until or self._process.poll() is not None:
                raise OSError((self.folder / "said.txt").read_text(errors="replace")[-2000:])
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """Send it a signal and wait until it is gone."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(how)
            self._process.wait(PATIENCE)

    def answers(self) -> bool:
        """Return whether somebody listens there."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False


class Postgres(Engine):
    """A database server that keeps what it is given."""

    def __init__(self, folder: Path, port: int, user: str | None) -> None:
        options = ("-p", str(port), "-k", str(folder), "-c", "listen_addresses=127.0.0.1")
        # After a crash one call for all files, in place of one for each of a thousand.
        more = ("-c", "shared_buffers=16MB", "-c", "recovery_init_sync_method=syncfs")
        command = (found("postgres"), "-D", str(folder / "data"), *options, *more)
        super().__init__(command, folder, port, user)

    def answers(self) -> bool:
        """Return whether it takes a question."""
        try:
            with self.line():
                return True
        except psycopg.Error:
            return False

    def line(self) -> psycopg.Connection[tuple[object, ...]]:
        """Return a line to the database."""
        return psycopg.connect(self.url, autocommit=True, connect_timeout=10)

    @property
    def url(self) -> str:
        """The address of the database."""
        return f"postgresql://rookery@127.0.0.1:{self.port}/postgres"

    def emptied(self) -> str:
        """Return the address of the database, in which there is nothing any more.

        A new one would be three hundred more files to sync.
        """
        with self.line() as line:
            line.execute("DROP SCHEMA public CASCADE")
            line.execute("CREATE SCHEMA public")
        return self.url


@contextlib.contextmanager
def postgres() -> Iterator[Postgres]:
    """Run a PostgreSQL, as somebody else where this is root, whom it does not serve."""
    initdb = found("initdb")
    user = "postgres" if os.geteuid() == 0 else None
    with tempfile.TemporaryDirectory(prefix="rookery-pg-", ignore_cleanup_errors=True) as where:
        folder = Path(where)
        if user is not None:
            shutil.chown(folder, user)
        subprocess.run(
            [initdb, "-D", str(folder / "data"), "-U", "rookery", "-A", "trust", *INITDB],
            check=True,
            capture_output=True,
            cwd=folder,
            user=user,
            group=None if user is None else pwd.getpwnam(user).pw_gid,
            extra_groups=None if user is None else [],
        )
        engine = Postgres(folder, spare_port(), user)
        engine.start()
        try:
            yield engine
        finally:
            engine.stop(signal.SIGQUIT)


@contextlib.contextmanager
def redis() -> Iterator[Engine]:
    """Run a Redis that keeps nothing."""
    server = found("redis-server")
    with tempfile.TemporaryDirectory(prefix="rookery-redis-") as where:
        port = spare_port()
        options = ("--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no")
        engine = Engine((server, *options), Path(where), port, None)
        engine.start()
        try:
            yield engine
        finally:
            engine.stop()


def logs(url: str) -> dict[str, list[ev.Entry]]:
    """Return the events of every table in a database."""
    kept: dict[str, list[ev.Entry]] = {}
    with psycopg.connect(url) as line:
        rows = line.execute(
            "SELECT table_id, seq, at, body, client_id FROM events ORDER BY table_id, seq"
        )
        for code, seq, at, body, client in rows:
            kept.setdefault(code, []).append(ev.Entry(seq, at, ev.read(body), client))
    return kept


def owners(url: str) -> dict[str, tuple[str | None, int]]:
    """Return which server has each table, and its epoch."""
    with psycopg.connect(url) as line:
        rows = line.execute("SELECT table_id, owner, epoch FROM tables")
        return {code: (owner, epoch) for code, owner, epoch in rows}
