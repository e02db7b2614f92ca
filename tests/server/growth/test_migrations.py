"""A database goes from version to version and back, with everything in it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, delete, insert, select, text
from sqlalchemy.exc import OperationalError
from tests.server.core.tables import running
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.server.store import backup, migrate, schema
from rookery.server.store.base import Store, StoreError
from rookery.server.store.postgres import PostgresStore, address
from rookery.server.store.sqlite import FILE, SqliteStore

BEFORE = Path(__file__).with_name("version_2.sql")
OLD = ("events", "tables", "seated", "spoke", "people", "sessions", "returns", "blocks", "reports")


def old(folder: Path) -> Path:
    """Make the database of an earlier program."""
    folder.mkdir(exist_ok=True)
    with closing(sqlite3.connect(folder / FILE)) as connection:
        connection.executescript(BEFORE.read_text())
    return folder / FILE


def rows(connection: Connection, without: tuple[str, ...] = ()) -> dict[str, list[tuple[object]]]:
    """Return what stands in the tables that version 2 has, in its columns."""
    new = ("owner", "epoch", "version", "begun", "device")
    found = {}
    for name in OLD:
        if name in without:
            continue
        columns = [column for column in schema.METADATA.tables[name].c if column.name not in new]
        query = select(*columns).order_by(*columns[:2])
        found[name] = [tuple(row) for row in connection.execute(query)]
    return found


@contextmanager
def line(url: str) -> Iterator[Connection]:
    engine = create_engine(url)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def differences(connection: Connection) -> list[object]:
    """Return in what a database is not as the program thinks it is."""
    context = MigrationContext.configure(connection)
    return list(compare_metadata(context, schema.METADATA))


async def _known(store: Store) -> None:
    log = await store.read("ABCDEF2")
    assert [entry.seq for entry in log] == [1, 2, 3]
    who = await store.person("hash-1")
    assert who is not None
    assert who.name == "Bob"
    assert await store.traces_of("p3") == ["ABCDEF2"]
    await store.ping()
    await store.close()


def test_the_program_knows_the_last_step() -> None:
    script = ScriptDirectory(migrate._STEPS)
    assert script.get_heads() == [migrate.HEAD]
    assert [step.revision for step in script.walk_revisions()][::-1] == migrate.versions()


def test_a_database_of_an_earlier_program_is_taken_over(tmp_path: Path) -> None:
    path = old(tmp_path)
    with line(f"sqlite:///{path}") as connection:
        before = rows(connection)
        assert all(before.values())
    running(lambda: _known(SqliteStore(path)))
    with line(f"sqlite:///{path}") as connection:
        assert rows(connection) == before
        assert differences(connection) == []
        assert migrate.revision(connection) == migrate.HEAD
        assert connection.scalar(text("PRAGMA user_version")) == int(migrate.HEAD)
    # Another start finds nothing to do.
    running(lambda: _known(SqliteStore(path)))


@pytest.mark.parametrize("back", ["2", "1"])
def test_an_embedded_database_goes_back_and_forth(tmp_path: Path, back: str) -> None:
    path = old(tmp_path)
    with line(f"sqlite:///{path}") as connection:
        before = rows(connection)
    SqliteStore(path)._engine.dispose()
    with backup.changing(tmp_path, None) as connection:
        assert migrate.downgrade(connection, back) == migrate.HEAD
    with closing(sqlite3.connect(path)) as plain:
        assert plain.execute("PRAGMA user_version").fetchone() == (int(back),)
        assert plain.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert plain.execute("SELECT count(*) FROM events").fetchone() == (3,)
        tables = {name for (name,) in plain.execute("SELECT name FROM sqlite_master")}
    assert ("spoke" in tables) is (back == "2")
    assert "servers" not in tables
    running(lambda: _known(SqliteStore(path)))
    with line(f"sqlite:///{path}") as connection:
        assert rows(connection) == before
        assert differences(connection) == []


@pytest.mark.parametrize("back", ["2", "1"])
def test_a_shared_database_goes_back_and_forth(tmp_path: Path, database: str, back: str) -> None:
    with line(f"sqlite:///{old(tmp_path)}") as connection:
        before = rows(connection)
    url = str(address(database))
    running(lambda: PostgresStore(database).close())
    with line(url) as connection:
        for name, lines in before.items():
            table = schema.METADATA.tables[name]
            columns = [column.name for column in table.c if column.name not in ("owner", "epoch")]
            for found in lines:
                connection.execute(insert(table).values(dict(zip(columns, found, strict=False))))
        assert differences(connection) == []
    with backup.changing(tmp_path, database) as connection:
        assert migrate.downgrade(connection, back) == migrate.HEAD
    with line(url) as connection:
        assert migrate.revision(connection) == back
        assert rows(connection, ("spoke",)) == {k: v for k, v in before.items() if k != "spoke"}
    running(lambda: _known(PostgresStore(database)))
    with line(url) as connection:
        assert rows(connection) == before
        assert differences(connection) == []


def look(connection: Connection) -> dict[str, list[tuple[object, ...]]]:
    """Return all tables and indexes as the database itself describes them, and what is in them."""
    lite = connection.dialect.name == "sqlite"
    described = (
        "SELECT name, sql FROM sqlite_master ORDER BY name"
        if lite
        else "SELECT table_name, column_name, data_type, is_nullable, column_default"
        " FROM information_schema.columns WHERE table_schema = 'public'"
        " UNION SELECT tablename, indexname, indexdef, '', '' FROM pg_indexes"
        " WHERE schemaname = 'public' ORDER BY 1, 2"
    )
    found = {"": [tuple(row) for row in connection.execute(text(described))]}
    for name in connection.dialect.get_table_names(connection):
        query = text(f"SELECT * FROM {name}")  # noqa: S608  (the database's own names)
        found[name] = [tuple(row) for row in connection.execute(query)]
    found["version"] = [(connection.scalar(text("PRAGMA user_version")),)] if lite else []
    # Spaces are Alembic's own.
    found[""] = [tuple(" ".join(str(one).split()) for one in row) for row in found[""]]
    return found


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_new_database_is_what_all_steps_make(
    tmp_path: Path, request: pytest.FixtureRequest, engine: str
) -> None:
    def made(name: str, make: Callable[[Connection], object]) -> dict[str, list[Any]]:
        url = f"sqlite:///{tmp_path / name}"
        if engine == "postgresql":
            url = str(address(request.getfixturevalue("database")))
        with line(url) as connection:
            make(connection)
            found = look(connection)
            connection.rollback()
        return found

    def step_by_step(connection: Connection) -> None:
        migrate._noted(connection, None)
        migrate._go(connection, migrate.HEAD, up=True)

    def without_a_row(connection: Connection) -> None:
        migrate.upgrade(connection)
        connection.execute(delete(schema.timeline))

    at_once = made("new", migrate.upgrade)
    assert len(at_once) > len(OLD)
    assert at_once == made("steps", step_by_step)
    assert at_once != made("less", without_a_row)


def test_a_database_with_another_programs_tables_is_refused() -> None:
    for there in ("sheets", "other"):
        with create_engine("sqlite://").begin() as connection:
            connection.execute(text(f"CREATE TABLE {there} (what TEXT)"))
            if there in schema.METADATA.tables:
                with pytest.raises(OperationalError, match="already exists"):
                    migrate.upgrade(connection)
            else:
                assert migrate.upgrade(connection) is None


def test_a_step_that_fails_leaves_everything_as_it_was(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old(tmp_path)

    def failing(done: Callable[..., None]) -> Callable[..., None]:
        def fails(*asked: Any, **more: Any) -> None:  # noqa: ANN401  (whatever it takes)
            done(*asked, **more)
            raise StoreError("the lights went out")

        return fails

    monkeypatch.setattr(migrate, "_go", failing(migrate._go))
    monkeypatch.setattr(migrate, "_make", failing(migrate._make))
    for url in (f"sqlite:///{path}", str(address(database))):
        with pytest.raises(StoreError, match="lights"):
            SqliteStore(path) if url.startswith("sqlite") else PostgresStore(database)
        with line(url) as connection:
            assert migrate.revision(connection) == ("2" if url.startswith("sqlite") else None)
            assert "servers" not in connection.dialect.get_table_names(connection)


def test_many_servers_that_start_at_once_change_it_once(database: str) -> None:
    async def scene() -> None:
        stores = await asyncio.gather(
            *(asyncio.to_thread(PostgresStore, database) for _ in range(4))
        )
        for store in stores:
            await store.ping()
            await store.close()

    running(scene)


def test_a_database_of_a_later_program_is_refused(database: str) -> None:
    running(lambda: PostgresStore(database).close())
    with line(str(address(database))) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '99'"))
    with pytest.raises(StoreError, match="version 99; this program knows"):
        PostgresStore(database)


def test_the_command_says_and_changes_the_version(tmp_path: Path) -> None:
    old(tmp_path)

    def told(*words: str) -> str:
        return CliRunner().invoke(app, ["database", *words, "--data", str(tmp_path)]).output

    assert told("status") == f"version 2; this program knows {migrate.HEAD}\n"
    assert told("upgrade") == f"version 2 -> {migrate.HEAD}\n"
    assert told("downgrade", "1") == f"version {migrate.HEAD} -> 1\n"
    assert told("status") == f"version 1; this program knows {migrate.HEAD}\n"
    assert told("upgrade") == f"version 1 -> {migrate.HEAD}\n"


def test_the_command_refuses_in_one_line(tmp_path: Path) -> None:
    def refused(*words: str) -> str:
        done = CliRunner().invoke(app, ["database", *words])
        assert done.exit_code == 2, done.output
        (told,) = done.output.splitlines()
        return str(told)

    empty = ("--data", str(tmp_path / "empty"))
    assert "holds no tables" in refused("status", *empty)
    old(tmp_path)
    assert "expected one of 1, 2, 3" in refused("downgrade", "0", "--data", str(tmp_path))
    assert "expected postgresql://" in refused("status", "--database", "mysql://nobody")
    assert "--database" in refused("status", "--database", "postgresql://x@127.0.0.1:1/none")
