"""`rookery backup` and `rookery restore`: all tables in one file, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rookery.cli.database import Data, Database, opened
from rookery.cli.errors import Refused


def backup(
    file: Annotated[Path, typer.Argument(help="A new file.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Copy all tables and people into a new file, and check it; the server may go on."""
    from platformdirs import user_data_path

    from rookery.server.store.backup import seen, write
    from rookery.server.store.base import StoreError

    try:
        with seen(data or user_data_path("rookery", appauthor=False), database) as source:
            held = write(source, file)
    except StoreError as error:
        raise Refused(str(error)) from None
    typer.echo(f"{file}: {held.tables} tables, {held.events} events, {held.people} people")


def restore(
    file: Annotated[Path, typer.Argument(help="What rookery backup has written.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Restore tables and people into a new folder, or an empty database."""
    from platformdirs import user_data_path

    from rookery.server.store.backup import checked
    from rookery.server.store.backup import restore as restored
    from rookery.server.store.base import StoreError
    from rookery.server.store.sqlite import FILE

    if not file.is_file():
        raise Refused(f"{file}: no such file")
    folder = data or user_data_path("rookery", appauthor=False)
    new = database is None and not (folder / FILE).exists()
    try:
        checked(file)
        if new:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            (folder / FILE).touch(mode=0o600)
        with opened(folder, database) as target:
            held = restored(file, target)
    except StoreError as error:
        if new:
            (folder / FILE).unlink(missing_ok=True)
        raise Refused(str(error)) from None
    typer.echo(f"{file}: {held.tables} tables, {held.events} events, {held.people} people")
