"""`rookery serve`: a table in the browser, for friends and bots."""

from __future__ import annotations

import gc
import sys
import threading
import webbrowser
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
    lan: Annotated[
        bool, typer.Option("--lan", help="Let devices in the room in, and show them the way.")
    ] = False,
    public_url: Annotated[
        str | None,
        typer.Option(help="What links begin with, behind a proxy: https://rook.example"),
    ] = None,
    open_browser: Annotated[
        bool | None,
        typer.Option("--open/--no-open", help="Open the browser.", show_default="on a terminal"),
    ] = None,
) -> None:
    """Open a table in the browser; nothing to set up. Ctrl-C ends it, and nothing is lost."""
    if not 0 <= port <= 65535:
        raise Refused(f"--port: {port} is no port; expected 0 to 65535")
    # Imported once the options make sense; this is most of the time until the first page, and
    # nothing of it is garbage. The server collects again when it is up.
    gc.disable()
    from platformdirs import user_data_path

    from rookery.server.links import BadUrl, Links, origin_of
    from rookery.server.serving import CannotServe, bind, held, serve
    from rookery.server.settings import Settings

    where = host or ("0.0.0.0" if lan else "127.0.0.1")  # noqa: S104  (asked for with --lan)
    try:
        if public_url is not None:
            origin_of(public_url)
        with held(data or user_data_path("rookery", appauthor=False)) as folder:
            listening = bind(where, port)
            settings = Settings(
                data=folder,
                host=where,
                port=listening.getsockname()[1],
                lan=lan or (public_url is None and where in ("0.0.0.0", "::")),  # noqa: S104
                public_url=public_url,
            )
            wanted = sys.stdout.isatty() if open_browser is None else open_browser
            serve(settings, listening, lambda: _welcome(settings, Links(settings), wanted))
    except BadUrl as error:
        raise Refused(f"--public-url: {error}") from None
    except CannotServe as error:
        raise Refused(str(error)) from None
    typer.echo("Stopped. The tables are kept.")


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
