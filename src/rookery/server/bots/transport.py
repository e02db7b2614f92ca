"""How a line to a worker is opened: to a process of our own, or to somebody else's over a socket.

A worker elsewhere and its server prove to each other that they know one secret, each with numbers
that the other has just made up. What they say after that is not encrypted: it belongs into a
network that is one's own.
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
from rookery.server.bots.link import Opened

GREETING: Final = 5.0  # seconds until a worker elsewhere has let us in
LIVE: Final = 5  # how nice a process is to others that thinks for people who wait
PATIENT: Final = 15  # and one that looks at a match that is over
_UNIX: Final = "unix:"


class BadAddress(ValueError):
    """What names a worker and is no address: one line."""


async def child(nice: int = LIVE, *, plain: bool = False) -> Opened:
    """Return a process of our own that thinks, at a lower priority than this one.

    With `plain` it runs without compiled code, which is slow and there at once.

    Raises:
        OSError: the system starts none.
    """
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "rookery.server.bots.worker", "--nice", str(nice)),
        *(["--plain"] if plain else []),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_environment(os.environ),
        start_new_session=True,  # Ctrl-C is for the one who started us
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
    """Return what of the environment a process needs that only thinks: none of our secrets."""
    kept = ("ROOKERY_CACHE",)
    return {
        name: value
        for name, value in whole.items()
        if name in kept or not name.upper().startswith(("ROOKERY_", "AWS_", "PG"))
    }


async def elsewhere(address: str, secret: bytes, purpose: bm.Purpose) -> Opened:
    """Return a line to the workers at an address.

    Raises:
        OSError: nobody listens there.
        TimeoutError: whoever does says nothing.
        Garbled: it is no worker, one of another version, or knows another secret.
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
    """Return a line to any machine of that name, whichever lets us."""
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
        raise bm.Garbled("does not let us in: is the secret the same?") from None
    if not isinstance(welcome, bm.Welcome) or welcome.room < 1:
        raise bm.Garbled("is no bot worker")
    if not hmac.compare_digest(welcome.mac, proof("worker", secret, greeting.nonce, nonce)):
        raise bm.Garbled("knows another secret")
    return welcome.room


def proof(who: str, secret: bytes, theirs: bytes, ours: bytes) -> bytes:
    """Return what shows that one knows the secret: HMAC-SHA-256 of a role and both numbers.

    >>> proof("server", b"a", b"1" * 16, b"2" * 16) == proof("worker", b"a", b"1" * 16, b"2" * 16)
    False
    """
    said = b"".join((who.encode(), b"\0", len(theirs).to_bytes(2, "big"), theirs, ours))
    return hmac.digest(secret, said, hashlib.sha256)


def unix_path(address: str) -> str:
    """Return the path of a socket of this machine's own.

    Raises:
        BadAddress: it has none.

    >>> unix_path("unix:/run/rookery/bots")
    '/run/rookery/bots'
    """
    path = address.removeprefix(_UNIX)
    if not path:
        raise BadAddress(f"{address!r} names no path; expected unix:/path")
    return path


def host_and_port(address: str) -> tuple[str, int]:
    """Return both parts of an address.

    Raises:
        BadAddress: it has not two.

    >>> host_and_port("[::1]:8700")
    ('::1', 8700)
    """
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or not 0 <= int(port) <= 65535:
        raise BadAddress(f"{address!r} is no address; expected host:port, or unix:/path")
    return host.strip("[]"), int(port)
