"""`rookery serve`: a table in the browser, for friends and bots."""

from __future__ import annotations

import gc
import ipaddress
import os
import re
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rookery.cli.arguments import Data, Log, Refused, checked_letters, database_option, told_apart
from rookery.cli.output import say
from rookery.cli.server.bots import SHORTEST_SECRET, bots_secret
from rookery.server.settings import PORT

if TYPE_CHECKING:
    from rookery.server.api.links import Links
    from rookery.server.settings import Settings


def command(
    host: Annotated[
        str | None,
        typer.Option(
            help="The address to listen at.", show_default="127.0.0.1; all of them with --lan"
        ),
    ] = None,
    port: Annotated[int, typer.Option(help="The port to listen at; 0 takes a free one.")] = PORT,
    data: Data = None,
    database: Annotated[
        list[str] | None,
        database_option(
            "A PostgreSQL database instead, postgresql://user@host/name, "
            "which several servers may share; further ones for tables, each by a letter, "
            "B=postgresql://user@host/name."
        ),
    ] = None,
    drain: Annotated[
        list[str] | None,
        typer.Option(
            envvar="ROOKERY_DRAIN",
            metavar="<letter>",
            help="A further database that takes no new tables; may be given again.",
            show_default="none",
        ),
    ] = None,
    hints: Annotated[
        str | None,
        typer.Option(
            envvar="ROOKERY_HINTS_URL",
            help="A Redis or Valkey for hints between servers, redis://host:6379/0",
        ),
    ] = None,
    peer: Annotated[
        str | None,
        typer.Option(
            "--peer-address",
            envvar="ROOKERY_PEER_ADDRESS",
            help="Where other servers find this one, host:port.",
            show_default="the bound address",
        ),
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let devices in the same network in; prints the address.")
    ] = False,
    public_url: Annotated[
        str | None,
        typer.Option(help="What links begin with, behind a proxy: https://rook.example"),
    ] = None,
    proxies: Annotated[
        list[str] | None,
        typer.Option(
            "--proxy",
            metavar="<address>",
            help="A trusted proxy, or a network of them: 10.0.0.0/24; may be given again.",
            show_default="this machine",
        ),
    ] = None,
    log: Log = "text",
    metrics: Annotated[
        str | None,
        typer.Option(
            envvar="ROOKERY_METRICS",
            help="Where Prometheus finds its figures, host:port; never open it to the internet.",
            show_default="nowhere",
        ),
    ] = None,
    backups: Annotated[
        Path | None,
        typer.Option(
            envvar="ROOKERY_BACKUPS",
            help="The folder of your backups; their age is then among those figures.",
            show_default="none",
        ),
    ] = None,
    admin_secret_file: Annotated[
        Path | None,
        typer.Option(
            help="A file with the secret of the page /admin, at least 16 characters; "
            "or give it as ROOKERY_ADMIN_SECRET.",
            show_default="there is no such page",
        ),
    ] = None,
    bot_workers: Annotated[
        int | None,
        typer.Option(
            envvar="ROOKERY_BOT_WORKERS",
            help="How many processes run bots that search; started when needed.",
            min=0,
            max=64,
            show_default="1 where the native library or numba is here, else 0",
        ),
    ] = None,
    bots_at: Annotated[
        str | None,
        typer.Option(
            envvar="ROOKERY_BOTS_AT",
            help="Where rookery bots runs for that, host:port,host:port; "
            "ROOKERY_BOTS_SECRET has their secret.",
            show_default="nowhere",
        ),
    ] = None,
    open_browser: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open the browser.", show_default="on a terminal"),
    ] = None,
) -> None:
    """Open a table in the browser; nothing to set up. Ctrl-C ends it, and nothing is lost."""
    if not 0 <= port <= 65535:
        raise Refused(f"--port: {port} is no port; expected 0 to 65535")
    first, spread = told_apart(database or ())
    drained = checked_letters(drain or (), spread)
    if hints is not None and first is None:
        raise Refused("--hints: a server alone has nobody to tell; give several a --database")
    if peer is not None:
        _check_peer(peer)
    for proxy in proxies or ():
        _checked(proxy, public_url)
    secret = _secret(admin_secret_file)
    bots = _bots(bots_at)
    if bot_workers is None:
        from rookery.engine.targets import choice

        bot_workers = int(not bots and choice.for_table() != "python")
    # Imported once the options make sense; this is most of the time until the first page, and
    # nothing of it is garbage. The server collects again when it is up.
    gc.disable()
    from platformdirs import user_data_path

    from rookery.server.api.links import BadUrl, Links, origin_of
    from rookery.server.serving import bind, serve
    from rookery.server.settings import THIS_MACHINE, Settings
    from rookery.server.store.folder import CannotServe

    where = host or ("0.0.0.0" if lan else "127.0.0.1")  # noqa: S104  (asked for with --lan)
    where = _as_in_a_browser(re.sub(r"^\[(.*)\]$", r"\1", where))  # of IPv6, as a URL has it
    try:
        if public_url is not None:
            origin_of(public_url)
        listening = bind(where, port)
        settings = Settings(
            data=None if first else data or user_data_path("rookery", appauthor=False),
            database=first,
            spread=spread,
            drained=drained,
            hints=hints,
            peer=peer,
            log="json" if log == "json" else "text",
            metrics=metrics,
            backups=backups,
            admin_secret=secret,
            bot_workers=bot_workers,
            bots_at=bots,
            bots_secret=bots_secret(*bots).decode() if bots else None,
            host=where,
            port=listening.getsockname()[1],
            lan=lan or (public_url is None and where in ("0.0.0.0", "::")),  # noqa: S104
            public_url=public_url,
            proxies=tuple(proxies or THIS_MACHINE),
        )
        wanted = sys.stdout.isatty() if open_browser is None else open_browser
        serve(settings, listening, lambda: _welcome(settings, Links(settings), wanted))
    except BadUrl as error:
        raise Refused(f"--public-url: {error}") from None
    except CannotServe as error:
        raise Refused(str(error)) from None
    say("Stopped. The tables are kept.")


def _as_in_a_browser(host: str) -> str:
    """Return a host as browsers write it, for the origins of pages are compared with it.

    No browser writes the network behind a ``%``, without which nothing can listen there.

    >>> hosts = ("127.1", "0:0::1", "Ann-PC", "fe80::1%lo")
    >>> [_as_in_a_browser(host) for host in hosts]
    ['127.0.0.1', '::1', 'ann-pc', 'fe80::1%lo']
    """
    if "%" in host:
        return host
    try:
        return str(socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)[0][4][0])
    except (OSError, UnicodeError):
        return host.lower()  # a name


def _checked(proxy: str, public_url: str | None) -> None:
    try:
        ipaddress.ip_network(proxy)
    except ValueError:
        line = f"--proxy: {proxy!r} is no address or network; expected 10.0.0.7 or 10.0.0.0/24"
        raise Refused(line) from None
    if public_url is None:
        raise Refused("--proxy: a proxy has an address of its own; give it with --public-url")


def _check_peer(peer: str) -> None:
    host, _, port = peer.rpartition(":")
    is_name = re.fullmatch(r"[\w.-]+|\[[0-9a-fA-F:.]+\]", host)
    if not is_name or not re.fullmatch("[1-9][0-9]{0,4}", port) or int(port) > 65535:
        raise Refused(f"--peer-address: {peer!r} is no address; expected 10.0.0.7:8000")


def _bots(listed: str | None) -> tuple[str, ...]:
    """Return where bots think for this server, each address checked."""
    addresses = tuple(part.strip() for part in (listed or "").split(",") if part.strip())
    if addresses:
        from rookery.server.bots.transport import BadAddress, host_and_port, unix_path

        bots_secret(*addresses)
        try:
            for address in addresses:
                (unix_path if address.startswith("unix:") else host_and_port)(address)
        except BadAddress as error:
            raise Refused(f"--bots-at: {error}") from None
    return addresses


def _secret(file: Path | None) -> str | None:
    """Return the secret of the admin page; None where there is to be none."""
    where = "ROOKERY_ADMIN_SECRET" if file is None else f"--admin-secret-file: {file}"
    try:
        secret = os.environ.get("ROOKERY_ADMIN_SECRET") if file is None else file.read_text("utf-8")
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "is no text"
        raise Refused(f"{where}: {reason.lower()}") from None
    if secret is None or (file is None and not secret):  # as a service is given what is not set
        return None
    secret = secret.strip()
    if len(secret) < SHORTEST_SECRET or not (secret.isascii() and secret.isprintable()):
        raise Refused(f"{where}: expected {SHORTEST_SECRET} or more letters, digits and signs")
    return secret


def _welcome(settings: Settings, links: Links, wanted: bool) -> None:
    from rookery.server.api.links import ANY, qr_text

    say(f"Rookery is at {links.here}/  (Ctrl-C ends it)")
    alone = settings.host in ("127.0.0.1", "::1", "localhost")
    if settings.lan and (links.base != links.here or (settings.host not in ANY and not alone)):
        say(f"In this room, at {links.base}/\n\n{qr_text(links.base + '/')}\n")
    elif settings.lan:
        why = f"--host {settings.host} is for this one alone" if alone else "it is on no network"
        say(f"No other device can come to this machine: {why}.")
    elif settings.public_url is not None:
        say(f"Links begin with {links.base}/")
    if wanted:
        # A browser that has to start first would hold up the first page.
        import webbrowser  # late: most servers have no screen

        threading.Thread(target=webbrowser.open, args=(links.here,), daemon=True).start()
