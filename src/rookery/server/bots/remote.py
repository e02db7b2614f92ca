"""`rookery bots`: workers for servers elsewhere. Their questions go to processes on this machine.

Without the secret nobody can ask or learn anything. When a server disconnects, its questions are
dropped.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import logging
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from rookery.server.bots import wire as bm
from rookery.server.bots.engine import Unanswered
from rookery.server.bots.pool import SILENCE, Pool
from rookery.server.bots.transport import (
    GREETING,
    LIVE,
    PATIENT,
    child,
    host_and_port,
    proof,
    unix_path,
)

log = logging.getLogger("rookery.server.bots.engine")

LIFE: Final = 300  # seconds until a connection is renewed, so that new machines get their share
FINISHING: Final = 20.0  # seconds for open questions when it is asked to stop


class Relay:
    """Workers on this machine, for servers that know the secret."""

    def __init__(
        self, secret: bytes, processes: int, *, plain: bool = False, life: float = LIFE
    ) -> None:
        """Use `processes` processes for decisions, and one more for reviews.

        A connection is opened again after about `life` seconds.
        """
        self._secret, self._life = secret, life
        self._pools: dict[bm.Purpose, Pool] = {
            "play": Pool(
                {
                    f"bot worker {number}": lambda: child(LIVE, plain=plain)
                    for number in range(1, processes + 1)
                }
            ),
            "review": Pool({"review worker": lambda: child(PATIENT, plain=plain)}),
        }
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
        if address.startswith("unix:"):
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
        for task in list(self._lines):
            task.cancel()
        await asyncio.gather(*self._lines, return_exceptions=True)
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
        answer = await bm.heard(reader, bm.SHORT)
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
                asked = await bm.heard(reader)
                if not isinstance(asked, bm.Weigh | bm.Look):
                    raise bm.Garbled("no question")
                if len(asking) > 4 * pool.room + 4:
                    writer.write(bm.written(bm.Failed(asked.number, "busy")))
                    continue
                task = asyncio.create_task(self._pass_on(asked, writer.write, pool))
                asking.add(task)
                task.add_done_callback(asking.discard)
        finally:
            for task in (telling, *asking):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.gather(telling, *asking, return_exceptions=True)

    async def _tell_ready(self, writer: asyncio.StreamWriter, pool: Pool) -> None:
        if await pool.settled() == "ready":
            writer.write(bm.written(bm.Ready(0.0)))
        else:
            writer.write(bm.written(bm.Unable("no process here can be ready")))

    async def _pass_on(self, asked: bm.Asked, say: Callable[[bytes], None], pool: Pool) -> None:
        number = asked.number
        try:
            if isinstance(asked, bm.Weigh):
                answer = await pool.ask(asked, asked.patience / 1000)
            else:
                answer = await pool.ask(
                    asked,
                    progress=lambda told: say(bm.written(replace(told, number=number))),
                    patience=SILENCE,
                )
        except Unanswered as error:
            say(bm.written(bm.Failed(number, error.why)))
            return
        say(bm.written(replace(answer, number=number)))
