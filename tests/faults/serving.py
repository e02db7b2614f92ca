"""A real `rookery serve` in a process of its own, to be killed and started again."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

from tests.server.http.served import spare_port

from rookery.server.store.sqlite import FILE
from rookery.server.table import events as ev

ROOT = Path(__file__).resolve().parents[2]
SOUND = ("-c", "from rookery.cli.main import app; app()")
PATIENCE = 180.0  # seconds that a start may take on a busy machine
# What says something of the machine or the network, nothing of the server: a bot that is late is
# answered for, and what is sent to a line that has just broken is told again on the next one.
# A security event is what campaigns are about, as long as it names nobody.
EXPECTED = re.compile(
    r" took longer than \d+ ms$|^socket\.send\(\) raised exception\.$"
    r"|^[a-z-]+ by ([0-9a-f]{12}|inside|others), times \d+: [a-z', ]+$"
)


def installed() -> dict[str, str]:
    """Return the environment of a program that is installed: its modules are compiled once.

    Without compiled modules, as where ``PYTHONDONTWRITEBYTECODE`` is set, a start takes more than
    twice as long.
    """
    return {"PYTHONPATH": str(ROOT / "src"), "PYTHONDONTWRITEBYTECODE": ""}


class Server:
    """A server and its data folder, over several lives.

    Attributes:
        folder: where it keeps its tables.
        port: where it listens; the same after every start.
        starts: how long each start took until a page could be asked for, seconds.
    """

    def __init__(
        self,
        folder: Path,
        build: str = "sound",
        extra: Mapping[str, str] | None = None,
        options: Sequence[str] = (),
    ) -> None:
        """Take a folder, and a build: ``sound`` or one of `broken`; `start` starts it.

        Before a fault may stand which program has it: ``broken_screens/anew``.
        """
        self.folder, self.port = folder, spare_port()
        self.starts: list[float] = []
        program, _, fault = build.rpartition("/")
        broken = str(Path(__file__).with_name(f"{program or 'broken'}.py"))
        self._how = SOUND if build == "sound" else (broken, fault)
        self._environment = {**os.environ, **installed(), **(extra or {})}
        self._options = options
        self._process: asyncio.subprocess.Process | None = None
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        """The number of its process."""
        assert self._process is not None
        return self._process.pid

    @property
    def database(self) -> Path:
        """Where its events are."""
        return self.folder / FILE

    def runs(self, program: Path) -> None:
        """Have it run the program whose sources lie in a folder, from its next start on."""
        self._environment["PYTHONPATH"] = str(program)

    def set(self, name: str, value: str) -> None:
        """Have it find a word in its environment from its next start on."""
        self._environment[name] = value

    def believe_proxies(self) -> None:
        """Have it take this machine's word, from its next start on, for where a request is from."""
        # By that name passkeys are offered.
        self._options = (*self._options, "--public-url", f"http://localhost:{self.port}")

    async def start(self) -> None:
        """Start it, and return once it answers."""
        options = ("serve", "--no-open", "--port", str(self.port), "--data", str(self.folder))
        began = time.perf_counter()
        with self._said().open("ab") as said:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                *self._how,
                *options,
                *self._options,
                stdout=asyncio.subprocess.PIPE,
                stderr=said,
                env=self._environment,
            )
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            line = (await self._process.stdout.readline()).decode()
        self.starts.append(time.perf_counter() - began)
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, (line, self.errors())
        self.port = int(found[1])

    async def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Send it a signal and wait until it is gone."""
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(how)
            # Reads what it still says, so that its pipe is closed as well.
            await self._process.communicate()

    def signal(self, how: signal.Signals) -> None:
        """Send it a signal and go on."""
        assert self._process is not None
        self._process.send_signal(how)

    def errors(self) -> list[str]:
        """Return what it wrote to its error output, but for what is expected."""
        said = self._said().read_text(errors="replace").splitlines()
        return [line for line in said if not EXPECTED.search(line)]

    def logs(self) -> dict[str, list[ev.Entry]]:
        """Return the events of every table, read from the database while no server runs.

        Raises:
            AssertionError: the database is damaged.
        """
        with closing(sqlite3.connect(self.database)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            rows = connection.execute(
                "SELECT table_id, seq, at, body, client_id FROM events ORDER BY table_id, seq"
            )
            found: dict[str, list[ev.Entry]] = {}
            for code, seq, at, body, client in rows:
                found.setdefault(code, []).append(ev.Entry(seq, at, ev.read(body), client))
        return found

    def timeline(self) -> str:
        """Return what the database calls its timeline: empty unless another one has begun."""
        with closing(sqlite3.connect(self.database)) as connection:
            return str(connection.execute("SELECT id FROM timeline").fetchone()[0])

    def _said(self) -> Path:
        return self.folder / "errors.txt"
