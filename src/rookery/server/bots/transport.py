"""Opens connections to workers: to a child process, or over a socket to another machine.

A remote worker and its server prove to each other that they know one secret, each with a random
number that the other has just made. Their messages are not encrypted: use a private network.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import os
import secrets
import socket
import sys
from collections.abc import Mapping
from typing import Final

from rookery.server.bots import wire as bm
from rookery.server.bots.pool import Opened

GREETING: Final = 5.0  # seconds until a remote worker has accepted the connection
LIVE: Final = 5  # niceness of a process that thinks for waiting people
PATIENT: Final = 15  # niceness of a process that reviews matches
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
    kept = ("ROOKERY_CACHE",)
    return {
        name: value
        for name, value in whole.items()
        if name in kept or not name.upper().startswith(("ROOKERY_", "AWS_", "PG"))
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
    greeting = await bm.heard(reader)
    if not isinstance(greeting, bm.Greeting):
        raise bm.Garbled("is no bot worker")
    if greeting.protocol != bm.PROTOCOL:
        raise bm.Garbled(f"speaks protocol {greeting.protocol}, not {bm.PROTOCOL}")
    nonce = secrets.token_bytes(32)
    mac = proof("server", secret, greeting.nonce, nonce)
    writer.write(bm.written(bm.Proof(mac, nonce, purpose)))
    try:
        welcome = await bm.heard(reader)
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
    if not host or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise BadAddress(f"{address!r} is not an address; expected host:port or unix:/path")
    return host.strip("[]"), int(port)
