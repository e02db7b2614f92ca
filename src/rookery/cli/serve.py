"""`rookery serve`: a table in the browser, for friends and bots."""

from __future__ import annotations

import gc
import ipaddress
import sys
import threading
import webbrowser
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rookery.cli.errors import Refused

if TYPE_CHECKING:
    from rookery.server.links import Links
    from rookery.server.settings import Settings


def command(
    host: Annotated[
        str | None,
        typer.Option(
            help="The address to listen at.", show_default="127.0.0.1; all of them with --lan"
        ),
    ] = None,
    port: Annotated[int, typer.Option(help="The port to listen at; 0 takes a free one.")] = 8000,
    data: Annotated[
        Path | None,
        typer.Option(help="The folder that keeps the tables.", show_default="your data folder"),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            envvar="ROOKERY_DATABASE_URL",
            help="A PostgreSQL database in its place, postgresql://user@host/name, "
            "which several servers may share.",
            show_default="SQLite in that folder",
        ),
    ] = None,
    hints: Annotated[
        str | None,
        typer.Option(
            envvar="ROOKERY_HINTS_URL",
            help="A Redis or Valkey by which they hear of each other sooner, redis://host:6379/0",
        ),
    ] = None,
    peer: Annotated[
        str | None,
        typer.Option(
            "--peer-address",
            envvar="ROOKERY_PEER_ADDRESS",
            help="Where the others find this one, host:port.",
            show_default="the bound address",
        ),
    ] = None,
    lan: Annotated[
        bool, typer.Option("--lan", help="Let devices in the room in, and show them the way.")
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
            help="A proxy to believe, or a network of them: 10.0.0.0/24; may be given again.",
            show_default="this machine",
        ),
    ] = None,
    log: Annotated[
        str,
        typer.Option(
            envvar="ROOKERY_LOG", help="What it says of itself: text, or json for programs."
        ),
    ] = "text",
    metrics: Annotated[
        str | None,
        typer.Option(
            envvar="ROOKERY_METRICS",
            help="Where Prometheus finds its figures, host:port; never open this to all the world.",
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
    if log not in ("text", "json"):
        raise Refused(f"--log: {log!r} is neither text nor json")
    if hints is not None and database is None:
        raise Refused("--hints: a server alone has nobody to tell; give several a --database")
    for proxy in proxies or ():
        _checked(proxy, public_url)
    # Imported once the options make sense; this is most of the time until the first page, and
    # nothing of it is garbage. The server collects again when it is up.
    gc.disable()
    from platformdirs import user_data_path

    from rookery.server.links import BadUrl, Links, origin_of
    from rookery.server.serving import CannotServe, bind, held, serve
    from rookery.server.settings import THIS_MACHINE, Settings

    where = host or ("0.0.0.0" if lan else "127.0.0.1")  # noqa: S104  (asked for with --lan)
    try:
        if public_url is not None:
            origin_of(public_url)
        folder = data or user_data_path("rookery", appauthor=False)
        with nullcontext() if database is not None else held(folder) as kept:
            listening = bind(where, port)
            settings = Settings(
                data=kept,
                database=database,
                hints=hints,
                peer=peer,
                log="json" if log == "json" else "text",
                metrics=metrics,
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
    typer.echo("Stopped. The tables are kept.")


def _checked(proxy: str, public_url: str | None) -> None:
    if public_url is None:
        raise Refused("--proxy: a proxy has an address of its own; give it with --public-url")
    try:
        ipaddress.ip_network(proxy)
    except ValueError:
        line = f"--proxy: {proxy!r} is no address or network; expected 10.0.0.7 or 10.0.0.0/24"
        raise Refused(line) from None


def _welcome(settings: Settings, links: Links, wanted: bool) -> None:
    typer.echo(f"Rookery is at {links.here}/  (Ctrl-C ends it)")
    if settings.lan and links.base != links.here:
        from rookery.server.qr import terminal

        typer.echo(f"In this room, at {links.base}/\n\n{terminal(links.base + '/')}\n")
    elif settings.lan:
        typer.echo("No other device can come: this machine is on no network.")
    elif settings.public_url is not None:
        typer.echo(f"Links begin with {links.base}/")
    sys.stdout.flush()
    if wanted:
        # A browser that has to start first would hold up the first page.
        threading.Thread(target=webbrowser.open, args=(links.here,), daemon=True).start()
