"""`rookery database`, `rookery backup` and `rookery restore`: versions and copies of a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeAlias

import typer
from platformdirs import user_data_path
from sqlalchemy import Connection

from rookery.cli.arguments import Data, Refused, check_name, database_option, group, told_apart
from rookery.game.errors import counted
from rookery.server.clock import RELEASED, Clock, Mark, confirmed, shown
from rookery.server.store import backup as copies
from rookery.server.store import migrate, timeline
from rookery.server.store.base import StoreError
from rookery.server.store.folder import CannotServe
from rookery.server.store.marks import noted
from rookery.server.store.sqlite import FILE

app = group("The database of `rookery serve`: its version, clock and restores.")

Databases: TypeAlias = Annotated[
    list[str] | None,
    database_option("A PostgreSQL database instead; of several, name all, as for rookery serve."),
]
Database: TypeAlias = Annotated[list[str] | None, database_option("A PostgreSQL database instead.")]


@app.command()
def status(data: Data = None, database: Databases = None) -> None:
    """Say which version the database has, and which one this program knows."""
    for name, url in each(database):
        with opened(data, url) as connection:
            version = migrate.revision(connection)
        typer.echo(f"{name}version {version or 0}; this program knows {migrate.HEAD}")


@app.command()
def upgrade(
    data: Data = None,
    database: Databases = None,
    servers: Annotated[
        str | None,
        typer.Option(
            "--servers-url",
            envvar="ROOKERY_SERVERS_URL",
            help="The address that servers will use. Its user is created, or given this "
            "password, and may only read and change rows.",
            show_default="servers log in as the owner",
        ),
    ] = None,
) -> None:
    """Bring the database to this program's version, as `rookery serve` does when it starts."""
    if servers is not None and not database:
        raise Refused("--servers-url: only a --database has users")
    for where, url in each(database):
        with opened(data, url) as connection:
            before = migrate.upgrade(connection)
            if servers is not None:
                from rookery.server.store.roles import admit

                name = admit(connection, servers)
        typer.echo(f"{where}version {before or 0} -> {migrate.HEAD}")
        if servers is not None:
            typer.echo(f"{where}servers log in as {name}")


@app.command()
def downgrade(
    version: Annotated[str, typer.Argument(help="The version to go back to.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Downgrade the database for an earlier program; stop all servers first."""
    known = migrate.versions()
    if version not in known:
        raise Refused(f"{version!r} is no version; expected one of {', '.join(known)}")
    with opened(data, one(database)) as connection:
        before = migrate.downgrade(connection, version)
    typer.echo(f"version {before} -> {version}")


@app.command()
def remove(
    letter: Annotated[str, typer.Argument(help="The letter of a database without tables.")],
    database: Databases = None,
) -> None:
    """Forget one of several databases, drained and empty by now; servers may keep running.

    Then start each server without it.
    """
    from rookery.server.cluster.spread import opening  # late: nearly nobody has several

    with _first_and(letter, database) as (here, other):
        opening.remove(here, other, letter)
    typer.echo(f"{letter} is forgotten; now start each server without it")


@app.command()
def adopt(
    letter: Annotated[str, typer.Argument(help="The letter of a database with tables.")],
    database: Databases = None,
) -> None:
    """Have a first database that `rookery restore` has filled know another one again.

    A backup says nothing of the other databases. Stop all servers first. A copy on trial must have
    none of those that others use.
    """
    from rookery.server.cluster.spread import opening  # as above

    with _first_and(letter, database) as (here, other):
        opening.adopt(here, other, letter)
    typer.echo(f"{letter} is known again")


@app.command()
def confirm_clock(data: Data = None, database: Databases = None) -> None:
    """Confirm this machine's clock, where servers doubt it and so delete nothing.

    Servers may keep running.
    """
    now = Clock().now()
    if now < RELEASED:
        early = f"the clock says {shown(now)}, before this program was released"
        raise Refused(f"{early}; set it, then confirm it")
    for _, url in each(database):
        with opened(data, url, alone=False) as connection:
            migrate.check(connection)
            noted(connection, lambda mark: confirmed(mark or Mark(now), now))
    typer.echo(f"confirmed: it is {shown(now)}, and servers go by that within a minute")


@app.command()
def brought_back(data: Data = None, database: Database = None) -> None:
    """Tell servers that the database was restored from an earlier time without `rookery restore`.

    Stop the server first; servers on PostgreSQL may keep running.
    """
    with opened(data, one(database)) as connection:
        migrate.check(connection)
        timeline.begin(connection)
    typer.echo("hands under way will be thrown in, and the next deals promised anew")


@contextmanager
def _first_and(
    letter: str, database: Sequence[str] | None
) -> Iterator[tuple[Connection, Connection]]:
    """Open the first of several databases, and the one of that letter."""
    first, spread = told_apart(database or ())
    if letter not in dict(spread):
        raise Refused(f"{letter!r}: no --database is {letter}=; expected the letter of one")
    there = opened(None, dict(spread)[letter], alone=False)
    with opened(None, first, alone=False) as here, there as other:
        migrate.check(here)
        migrate.check(other)
        yield here, other


@contextmanager
def opened(data: Path | None, database: str | None, *, alone: bool = True) -> Iterator[Connection]:
    """Yield a connection to the database that the options name; report an error in one line."""
    try:
        with copies.changing(data or _usual_folder(), database, alone=alone) as connection:
            yield connection
    except (CannotServe, StoreError) as error:
        option = "--data" if database is None else "--database"
        text = str(error)
        raise Refused(text if text.startswith("--") else f"{option}: {text}") from None


def each(database: list[str] | None) -> list[tuple[str, str | None]]:
    """Return the databases that are meant, each with what its line begins with."""
    first, spread = told_apart(database or ())
    if not spread:
        return [("", first)]
    return [("first: ", first), *((f"{letter}: ", url) for letter, url in spread)]


def one(database: list[str] | None) -> str | None:
    """Return the one database that is meant."""
    if len(found := each(database)) > 1:
        raise Refused(f"--database: {len(found)} are given; expected one, without its letter")
    return found[0][1]


def _usual_folder() -> Path:
    return user_data_path("rookery", appauthor=False)


def _told(held: copies.Held) -> str:
    people = "1 person" if held.people == 1 else f"{held.people} people"
    return f"{counted(held.tables, 'table')}, {counted(held.events, 'event')}, {people}"


def backup(
    file: Annotated[Path, typer.Argument(help="A new file.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Copy all tables and people into a new file, and check it; the server may keep running."""
    check_name("FILE", file)
    try:
        with copies.seen(data or _usual_folder(), one(database)) as source:
            copied = copies.write(source, file)
    except StoreError as error:
        raise Refused(str(error)) from None
    typer.echo(f"{file}: {_told(copied)}")


def restore(
    file: Annotated[Path, typer.Argument(help="What rookery backup has written.")],
    data: Data = None,
    database: Database = None,
) -> None:
    """Restore tables and people into a new folder, or an empty database."""
    if not file.is_file():
        wrong = "is a folder" if file.is_dir() else "no such file"
        raise Refused(f"{file}: {wrong}; expected what rookery backup has written")
    folder = data or _usual_folder()
    url = one(database)
    new = url is None and not (folder / FILE).exists()
    try:
        copies.checked(file)
        if new:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            (folder / FILE).touch(mode=0o600)
        with opened(folder, url) as target:
            copied = copies.restore(file, target)
        new = False
    except StoreError as error:
        raise Refused(str(error)) from None
    finally:
        if new:
            (folder / FILE).unlink(missing_ok=True)
    typer.echo(f"{file}: {_told(copied)}")
