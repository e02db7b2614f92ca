"""Connections to workers: child processes, or other machines, where `rookery bots` answers.

A remote worker and its server prove to each other that they know one secret, each with a random
number that the other has just made. Their messages are not encrypted: use a private network.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import logging
import os
import re
import secrets
import socket
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from rookery.server.bots import wire as bm
from rookery.server.bots.engine import Unanswered
from rookery.server.bots.pool import Opened, Pool
from rookery.server.names import is_host
from rookery.server.work import cancelled

log = logging.getLogger("rookery.server.bots.engine")

GREETING: Final = 5.0  # seconds until a remote worker has accepted the connection
LIVE: Final = 5  # niceness of a process that thinks for waiting people
PATIENT: Final = 15  # niceness of a process that reviews matches
LIFE: Final = 300  # seconds until a connection is renewed, so that new machines get their share
FINISHING: Final = 20.0  # seconds for open questions when it is asked to stop
_UNIX: Final = "unix:"


class BadAddress(ValueError):
    """The text is not the address of a worker; the message is one line."""


async def child(nice: int = LIVE, *, plain: bool = False) -> Opened:
    """Return a connection to a new child process, at a lower priority than this one.

    With `plain` it runs without compiled code: slow, but ready at once.

    Raises:
        OSError: the system cannot start it.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "rookery.server.bots.worker", "--nice", str(nice)),
        *(["--plain"] if plain else []),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_environment(os.environ),
        start_new_session=True,  # Ctrl-C is for the parent process only
    )
    if process.stdin is None or process.stdout is None:
        raise OSError("a process without streams")

    async def end() -> None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()

    return Opened(process.stdout, process.stdin, 1, end)


def _environment(whole: Mapping[str, str]) -> dict[str, str]:
    """Return the environment variables that a worker needs; no secrets."""
    return {
        name: value
        for name, value in whole.items()
        if name == "ROOKERY_CACHE" or not name.upper().startswith(("ROOKERY_", "AWS_", "PG"))
    }


async def elsewhere(address: str, secret: bytes, purpose: bm.Purpose) -> Opened:
    """Return a connection to the workers at an address.

    Raises:
        OSError: nothing listens there.
        TimeoutError: there is no answer.
        Garbled: it is not a worker, has another version, or knows another secret.
    """
    async with asyncio.timeout(GREETING):
        if address.startswith(_UNIX):
            reader, writer = await asyncio.open_unix_connection(unix_path(address))
        else:
            reader, writer = await _one_of(*host_and_port(address))
        try:
            room = await _let_in(reader, writer, secret, purpose)
        except BaseException:
            writer.close()
            raise

    async def end() -> None:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    return Opened(reader, writer, room, end)


async def _one_of(host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Return a connection to any machine of that name that accepts one."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    places = list(dict.fromkeys(str(place[4][0]) for place in found))
    secrets.SystemRandom().shuffle(places)
    for place in places[:-1]:
        with contextlib.suppress(OSError):
            return await asyncio.open_connection(place, port)
    return await asyncio.open_connection(places[-1], port)


async def _let_in(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: bytes, purpose: bm.Purpose
) -> int:
    greeting = await bm.receive(reader, bm.SHORT)
    if not isinstance(greeting, bm.Greeting):
        raise bm.Garbled("is no bot worker")
    if greeting.protocol != bm.PROTOCOL:
        raise bm.Garbled(f"speaks protocol {greeting.protocol}, not {bm.PROTOCOL}")
    nonce = secrets.token_bytes(32)
    mac = proof("server", secret, greeting.nonce, nonce)
    writer.write(bm.written(bm.Proof(mac, nonce, purpose)))
    try:
        welcome = await bm.receive(reader, bm.SHORT)
    except EOFError:
        raise bm.Garbled("refuses the connection: is the secret the same?") from None
    if not isinstance(welcome, bm.Welcome) or welcome.room < 1:
        raise bm.Garbled("is no bot worker")
    if not hmac.compare_digest(welcome.mac, proof("worker", secret, greeting.nonce, nonce)):
        raise bm.Garbled("knows another secret")
    return welcome.room


def proof(who: str, secret: bytes, theirs: bytes, ours: bytes) -> bytes:
    """Return the proof of knowing the secret: HMAC-SHA-256 of a role and both numbers.

    >>> proof("server", b"a", b"1" * 16, b"2" * 16) == proof("worker", b"a", b"1" * 16, b"2" * 16)
    False
    """
    said = b"".join((who.encode(), b"\0", len(theirs).to_bytes(2, "big"), theirs, ours))
    return hmac.digest(secret, said, hashlib.sha256)


def unix_path(address: str) -> str:
    """Return the path of a Unix socket.

    Raises:
        BadAddress: the address has no path.

    >>> unix_path("unix:/run/rookery/bots")
    '/run/rookery/bots'
    """
    path = address.removeprefix(_UNIX)
    if not path:
        raise BadAddress(f"{address!r} has no path; expected unix:/path")
    return path


def host_and_port(address: str) -> tuple[str, int]:
    """Return host and port of an address.

    Raises:
        BadAddress: it does not have both.

    >>> host_and_port("[::1]:8700")
    ('::1', 8700)
    """
    host, _, port = address.rpartition(":")
    host = host.strip("[]")
    if is_host(host) and re.fullmatch("[0-9]{1,5}", port) and int(port) <= 65535:
        return host, int(port)
    raise BadAddress(f"{address!r} is not an address; expected host:port or unix:/path")


class BotServer:
    """Workers on this machine, for servers that know the secret: `rookery bots`.

    Without the secret nobody can ask or learn anything. When a server disconnects, its questions
    are dropped.
    """

    def __init__(
        self, secret: bytes, processes: int, *, plain: bool = False, life: float = LIFE
    ) -> None:
        """Use `processes` processes for decisions, and one more for reviews.

        A connection is opened again after about `life` seconds.
        """
        self._secret, self._life = secret, life
        live = partial(child, LIVE, plain=plain)
        play = {f"bot worker {number}": live for number in range(1, processes + 1)}
        reviews = {"review worker": partial(child, PATIENT, plain=plain)}
        self._pools: dict[bm.Purpose, Pool] = {"play": Pool(play), "review": Pool(reviews)}
        self._room: dict[bm.Purpose, int] = {"play": processes, "review": 1}
        self._lines: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def listen(self, address: str) -> str:
        """Start to listen and to warm up; return the address with its actual port.

        Raises:
            OSError: the address is in use, or not this machine's.
            BadAddress: it is not an address.
        """
        if address.startswith(_UNIX):
            path = Path(unix_path(address))
            self._server = await asyncio.start_unix_server(self._met, path)
            os.chmod(path, 0o600)  # noqa: PTH101  (at once, before anybody can connect)
        else:
            host, port = host_and_port(address)
            self._server = await asyncio.start_server(self._met, host, port)
            name = self._server.sockets[0].getsockname()
            address = f"[{name[0]}]:{name[1]}" if ":" in name[0] else f"{name[0]}:{name[1]}"
        self._pools["play"].begin()
        return address

    async def ready(self) -> bool:
        """Return whether any process is ready, as soon as that is known."""
        return await self._pools["play"].settled() == "ready"

    async def close(self) -> None:
        """Stop listening, finish open questions, and end."""
        if self._server is not None:
            self._server.close()
        for writer in self._writers:
            writer.write(bm.written(bm.Ending()))
        await self._pools["play"].drain(FINISHING)
        await cancelled(self._lines)
        for pool in self._pools.values():
            await pool.close()

    async def _met(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._lines.add(task)
        try:
            async with asyncio.timeout(GREETING):
                purpose = await self._greet(reader, writer)
            self._writers.add(writer)
            until = asyncio.get_running_loop().call_later(
                self._life * (0.75 + secrets.randbelow(512) / 1024),
                lambda: writer.write(bm.written(bm.Ending())),
            )
            try:
                await self._serve(reader, writer, self._pools[purpose])
            finally:
                until.cancel()
        except (bm.Garbled, OSError, EOFError, TimeoutError) as error:
            log.info("a line ends: %s", type(error).__name__)
        except asyncio.CancelledError:
            pass  # asked to end; no caller has to know
        finally:
            self._writers.discard(writer)
            if task is not None:
                self._lines.discard(task)
            writer.close()

    async def _greet(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> bm.Purpose:
        ours = secrets.token_bytes(32)
        writer.write(bm.written(bm.Greeting(bm.PROTOCOL, ours)))
        answer = await bm.receive(reader, bm.SHORT)
        if not isinstance(answer, bm.Proof):
            raise bm.Garbled("no proof")
        if not hmac.compare_digest(answer.mac, proof("server", self._secret, ours, answer.nonce)):
            log.warning("a server connected with another secret")
            raise bm.Garbled("another secret")
        mac = proof("worker", self._secret, ours, answer.nonce)
        writer.write(bm.written(bm.Welcome(mac, self._room[answer.purpose])))
        return answer.purpose

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, pool: Pool
    ) -> None:
        asking: set[asyncio.Task[None]] = set()
        telling = asyncio.create_task(self._tell_ready(writer, pool))
        try:
            while True:
                asked = await bm.receive(reader)
                if not isinstance(asked, bm.Weigh | bm.Look):
                    raise bm.Garbled("no question")
                if len(asking) > 4 * pool.room + 4:
                    writer.write(bm.written(bm.Failed(asked.number, "busy")))
                    continue
                task = asyncio.create_task(self._pass_on(asked, writer.write, pool))
                asking.add(task)
                task.add_done_callback(asking.discard)
        finally:
            with contextlib.suppress(asyncio.CancelledError):
                await cancelled((telling, *asking))

    async def _tell_ready(self, writer: asyncio.StreamWriter, pool: Pool) -> None:
        is_ready = await pool.settled() == "ready"
        told = bm.Ready(0.0) if is_ready else bm.Unable("no process here can be ready")
        writer.write(bm.written(told))

    async def _pass_on(self, asked: bm.Asked, say: Callable[[bytes], None], pool: Pool) -> None:
        number = asked.number
        seconds = asked.patience / 1000 if isinstance(asked, bm.Weigh) else None

        def progress(done: bm.Progress) -> None:
            say(bm.written(replace(done, number=number)))

        try:
            answer = await pool.ask(asked, seconds, progress)
        except Unanswered as error:
            say(bm.written(bm.Failed(number, error.why)))
            return
        say(bm.written(replace(answer, number=number)))
