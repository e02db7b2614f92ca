"""`rookery site`: a folder of files in which everything works without a server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rookery.cli.arguments import Refused, check_folder, check_name, group
from rookery.web.alone import docs
from rookery.web.alone.build import NoKit, site
from rookery.web.alone.folder import NotOurs, check, replace

app = group("Play, rules, replays, reviews and odds as a folder of files, for any static host.")


@app.callback()
def command() -> None:
    """Play, rules, replays, reviews and odds as a folder of files, for any static host."""


@app.command()
def build(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to write.")],
) -> None:
    """Write a folder that any static host serves, under any path; nothing in it needs a server.

    An older site there is replaced; a folder with anything else in it is refused.
    """
    check_name("DIR", folder)
    try:
        check(folder)
        check_folder("DIR", folder.absolute().parent)
        if docs.can_build():
            typer.echo("building the documentation ...", err=True)
        pages = docs.built()
        files = site(pages)
        replace(folder, files)
    except NotOurs as error:
        raise Refused(f"{folder}: {error}") from None
    except NoKit:
        raise Refused(
            "nothing here plays in a browser yet; expected rookery-cards[offline], or what "
            "`python -m scripts.offline` builds in a checkout"
        ) from None
    except docs.Failed as error:
        raise Refused(f"the documentation cannot be built: {error}", 1) from None
    if not pages:
        typer.echo("without documentation: that takes a checkout, and Sphinx", err=True)
    size = sum(map(len, files.values()))
    typer.echo(f"{folder}: {len(files)} files, {size / 1e6:.1f} MB", err=True)
