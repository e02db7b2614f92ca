"""`rookery serve` as a process on a data folder, and the people who come to it, by its contracts.

Only commands, REST and the socket are used here, so that this works with every later program.
"""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

PROGRAM = "from rookery.cli.main import app; app()"
PATIENCE = 120.0  # seconds until an answer is given up
MARGIN = 60_000  # milliseconds between the last thing that happened and today

# Where the database notes times, in milliseconds since 1970.
TIMES = {
    "events": ("at",),
    "tables": ("made_at", "touched_at"),
    "people": ("made_at",),
    "sessions": ("made_at",),
    "returns": ("expires",),
    "reports": ("at",),
    "forgotten": ("at",),
    "sheets": ("touched_at",),
    "mistakes": ("changed",),
    "clock": ("at",),  # or it would be in doubt, and nothing would expire
}


def rookery(*words: str | Path, **more: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401
    """Run a command of the program to its end, in a process of its own."""
    command = [sys.executable, "-c", PROGRAM, *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE * 5, check=False, **more
    )


def brought_to_today(database: Path) -> None:
    """Move all times of a database, so that what happened last in it happened a minute ago.

    A server forgets what is old. Without this the tables would be gone from the day on that the
    oldest fixture is too old to be kept.
    """
    with contextlib.closing(sqlite3.connect(database)) as rows, rows:
        (last,) = rows.execute("SELECT max(at) FROM events").fetchone()
        ahead = int(time.time() * 1000) - MARGIN - last
        held = {name for (name,) in rows.execute("SELECT name FROM sqlite_master")}
        for table, columns in TIMES.items():
            for column in columns if table in held else ():
                rows.execute(f"UPDATE {table} SET {column} = {column} + ?", (ahead,))  # noqa: S608


class Line:
    """A person's socket to a table.

    Attributes:
        heard: every message so far.
        first: the table as the person was shown it on coming, with its rules.
        table: the same as it was shown last.
        chat: what was said at the table before the person came.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self.table: dict[str, Any] = {}
        self.heard: list[dict[str, Any]] = []
        self.chat: list[dict[str, Any]] = []
        self._socket, self._asked = socket, 0
        self.say(type="hello")
        self._until("welcome")
        self.first = self.table

    def say(self, **message: object) -> None:
        """Send a message."""
        self._socket.send(json.dumps(message))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any]:
        """Return the next message; raise TimeoutError where there is none."""
        message: dict[str, Any] = json.loads(self._socket.recv(timeout))
        self.heard.append(message)
        self.table = message.get("table", self.table)
        self.chat = message["chat"] if message["type"] == "welcome" else self.chat
        return message

    def do(self, kind: str, **more: object) -> dict[str, Any]:
        """Send a command and return its answer, ``ack`` or ``refused``."""
        self._asked += 1
        self.say(type=kind, id=f"k{time.time_ns()}-{self._asked}", **more)
        return self._until("ack", "refused")

    def done(self, kind: str, **more: object) -> None:
        """Send a command, which has to be done."""
        answer = self.do(kind, **more)
        while answer.get("code") in ("too-fast", "too-many"):
            time.sleep(1)
            answer = self.do(kind, **more)
        assert answer["type"] == "ack", answer

    def now(self, quiet: float = 0.3) -> dict[str, Any]:
        """Return the table once nothing has happened there for some seconds."""
        with contextlib.suppress(TimeoutError):
            while True:
                self.hear(quiet)
        return self.table

    def _until(self, *kinds: str) -> dict[str, Any]:
        while (message := self.hear())["type"] not in kinds:
            assert message["type"] != "closing", message
        return message


class Server:
    """A server that runs.

    Attributes:
        url: its address.
    """

    def __init__(self, process: subprocess.Popen[bytes], url: str) -> None:
        self.url, self._process = url, process
        self._open: list[httpx.Client] = []

    def browser(self, token: str | None = None) -> httpx.Client:
        """Return a browser, of the person who holds a token if one is given."""
        browser = httpx.Client(
            base_url=self.url, headers={"origin": self.url}, timeout=PATIENCE, trust_env=False
        )
        if token is not None:
            browser.cookies.set("rookery", token)
        self._open.append(browser)
        return browser

    @contextlib.contextmanager
    def line(self, browser: httpx.Client, code: str) -> Iterator[Line]:
        """Open somebody's socket to a table."""
        cookie = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        with connect(
            f"{self.url.replace('http', 'ws', 1)}/ws/{code}",
            origin=Origin(self.url),
            additional_headers={"cookie": cookie},
            compression=None,
            proxy=None,
            open_timeout=PATIENCE,
        ) as socket:
            yield Line(socket)

    @contextlib.contextmanager
    def lines(self, code: str, tokens: dict[str, str]) -> Iterator[dict[str, Line]]:
        """Open the sockets of some people, by name, who hold these tokens."""
        with contextlib.ExitStack() as stack:
            yield {
                name: stack.enter_context(self.line(self.browser(token), code))
                for name, token in tokens.items()
            }

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        for browser in self._open:
            browser.close()
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        _, said = self._process.communicate(timeout=PATIENCE)
        assert self._process.returncode == 0, said.decode()


@contextlib.contextmanager
def served(data: Path, *options: str) -> Iterator[Server]:
    """Run a server on a data folder until the end of the block."""
    more = ("--no-open", "--port", "0", "--bot-workers", "0", "--data", str(data), *options)
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "serve", *more],
        bufsize=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        found = re.search(r"http://\S+(?=/ )", line)
        assert found, (line, process.stderr and process.stderr.read())
        server = Server(process, found[0])
        yield server
        server.stop()
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate(timeout=PATIENCE)
