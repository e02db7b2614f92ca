"""`rookery database`, `rookery backup` and `rookery restore`: versions and copies of a database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from rookery.cli.arguments import Refused

if TYPE_CHECKING:
    from sqlalchemy import Connection

app = typer.Typer(
    help="The database of `rookery serve`, between two versions of the program.",
    add_completion=False,
    rich_markup_mode=None,
)

Data: TypeAlias = Annotated[
    Path | None,
    typer.Option(help="The folder that keeps the tables.", show_default="your data folder"),
]
Database: TypeAlias = Annotated[
    str | None,
    typer.Option(
        envvar="ROOKERY_DATABASE_URL",
        help="A PostgreSQL database instead.",
        show_default="SQLite in that folder",
    ),
]


@app.command()
def status(data: Data = None, database: Database = None) -> None:
    """Say which version the database has, and which one this program knows."""
    from rookery.server.store.migrate import HEAD, revision

    with opened(data, database) as connection:
        found = revision(connection)
    typer.echo(f"version {found or 0}; this program knows {HEAD}")


@app.command()
def upgrade(data: Data = None, database: Database = None) -> None:
    """Bring the database to this program's version, as `rookery serve` does when it starts."""
    from rookery.server.store.migrate import HEAD, upgrade

    with opened(data, database) as connection:
        before = upgrade(connection)
    typer.echo(f"version {before or 0} -> {HEAD}")


@app.command()
def downgrade(
    version: Annotated[str, typer.Argument(help="The version to go back to.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Downgrade the database for an earlier program; stop all servers first."""
    from rookery.server.store.migrate import downgrade, versions

    if version not in versions():
        raise Refused(f"{version!r} is no version; expected one of {', '.join(versions())}")
    with opened(data, database) as connection:
        before = downgrade(connection, version)
    typer.echo(f"version {before} -> {version}")


@contextmanager
def opened(data: Path | None, database: str | None) -> Iterator[Connection]:
    """Yield a connection to the database that the options name; report an error in one line."""
    from platformdirs import user_data_path

    from rookery.server.store.base import StoreError
    from rookery.server.store.folder import CannotServe
    from rookery.server.store.versions import changing

    try:
        with changing(data or user_data_path("rookery", appauthor=False), database) as connection:
            yield connection
    except (CannotServe, StoreError) as error:
        option = "--data" if database is None else "--database"
        text = str(error)
        raise Refused(text if text.startswith("--") else f"{option}: {text}") from None


def backup(
    file: Annotated[Path, typer.Argument(help="A new file.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Copy all tables and people into a new file, and check it; the server may keep running."""
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
