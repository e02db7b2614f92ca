"""`rookery bots`: processes in which bots think for servers elsewhere."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rookery.cli.arguments import Log, Refused
from rookery.cli.output import say

if TYPE_CHECKING:
    from rookery.server.bots.transport import BotServer

SECRET = "ROOKERY_BOTS_SECRET"  # noqa: S105  (where it stands)
SHORTEST_SECRET = 16  # characters
MOST = 64


def command(
    listen: Annotated[
        str,
        typer.Option(
            envvar="ROOKERY_BOTS_LISTEN",
            help="The address for servers: host:port, or unix:/path; port 0 takes a free one.",
        ),
    ] = "127.0.0.1:8700",
    processes: Annotated[
        int | None,
        typer.Option(
            envvar="ROOKERY_BOTS_PROCESSES",
            help="How many bots think at once, each on a core of its own.",
            min=1,
            max=MOST,
            show_default="one for each core",
        ),
    ] = None,
    log: Log = "text",
) -> None:
    """Think for the bots of servers that name this address with --bots-at; Ctrl-C ends it.

    Set the same secret for them and for this program, in ROOKERY_BOTS_SECRET.
    """
    secret = bots_secret(listen)
    from rookery.learn.network_search import KERNELS
    from rookery.search.search import searching

    searching(*KERNELS)  # so that it is refused now where nothing can run a search
    from rookery.server.bots.transport import BotServer
    from rookery.server.monitoring import logs

    logs.begin("json" if log == "json" else "text")
    relay = BotServer(secret, processes or os.cpu_count() or 1)
    asyncio.run(_serve_until_stopped(relay, listen))
    say("Stopped. All questions have been answered.")


async def _serve_until_stopped(relay: BotServer, listen: str) -> None:
    from rookery.server.bots.transport import BadAddress

    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform != "win32":
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        address = await relay.listen(listen)
    except BadAddress as error:
        raise Refused(f"--listen: {error}") from None
    except OSError as error:
        reason = (error.strerror or "cannot be listened at").lower()
        raise Refused(f"--listen: {listen}: {reason}") from None
    say(f"Bots run at {address}  (Ctrl-C ends it)")
    ready = asyncio.ensure_future(_say_ready(relay))
    try:
        await stop.wait()
    finally:
        ready.cancel()
        await relay.close()


async def _say_ready(relay: BotServer) -> None:
    say("Ready." if await relay.ready() else "No process is ready; see above.")


def bots_secret(*addresses: str) -> bytes:
    """Return the secret that a server shares with its bot workers; empty where none is needed.

    A socket of this machine's own, ``unix:``, is guarded by who may open the file.

    Raises:
        Refused: one of the addresses is in a network and there is no secret, or a short one.
    """
    secret = os.environ.get(SECRET, "").strip()
    if secret and len(secret) < SHORTEST_SECRET:
        raise Refused(f"{SECRET}: expected {SHORTEST_SECRET} or more characters")
    if not secret and any(not address.startswith("unix:") for address in addresses):
        raise Refused(f"{SECRET} is not set; a server and its bot workers share a secret there")
    return secret.encode()
