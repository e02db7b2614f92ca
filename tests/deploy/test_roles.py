"""A server reads and changes rows; what the tables are, and who may what, is their owner's."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege
from tests.deploy.stacks import resources
from tests.deploy.test_containers import SERVICES
from tests.server.core.tables import KENTUCKY, PEOPLE, find, running
from tests.server.growth.engines import Postgres, logs, owners, postgres
from tests.server.growth.registries import eventually, registry, sharing, until
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.server.clock import Judged, Mark
from rookery.server.live.actor import Actor
from rookery.server.settings import DAY
from rookery.server.store import schema
from rookery.server.store.base import Challenge, Passkey, StoreError, TableRow, Token
from rookery.server.store.migrate import HEAD
from rookery.server.store.people.attempts import Attempt
from rookery.server.store.people.attempts_sql import SqlAttempts
from rookery.server.store.people.mistakes import Mistake
from rookery.server.store.people.rated import Played, Stranger
from rookery.server.store.people.sessions import SqlSessions
from rookery.server.store.people.sheets import SheetEntry, SheetRow
from rookery.server.store.postgres import PostgresStore
from rookery.server.store.sql import SqlStore
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.state import Who

PASSWORD = "letters1and2digits"  # noqa: S105  (of these tests)
# What each table's rows have to do with a server, read from its statements.
WANTED = {"alembic_version": {"SELECT"}, "secrets": {"SELECT", "INSERT"}}
for name in ("clock", "timeline"):
    WANTED[name] = {"SELECT", "UPDATE"}
for name in ("blocks", "rated", "rated_matches", "returns", "seated", "spent", "spoke"):
    WANTED[name] = {"SELECT", "INSERT", "DELETE"}
for name in (
    *("attempts", "events", "forgotten", "mistakes", "passkeys", "people", "reports"),
    *("rated_strangers", "servers", "sessions", "sheet_entries", "sheets"),
    "tables",
):
    WANTED[name] = {"SELECT", "INSERT", "UPDATE", "DELETE"}


@pytest.fixture(scope="module")
def elephant() -> Iterator[Postgres]:
    with postgres() as engine:
        yield engine


@pytest.fixture
def owner(elephant: Postgres) -> str:
    """Return the address of an empty database as its owner, who is no superuser."""
    elephant.emptied()
    with elephant.line() as line:
        for name in ("rookery_server", "keeper"):
            if line.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (name,)).fetchone():
                line.execute(f"DROP OWNED BY {name} CASCADE")
                line.execute(f"DROP ROLE {name}")
        line.execute("CREATE ROLE keeper LOGIN CREATEROLE")
        line.execute("ALTER SCHEMA public OWNER TO keeper")
        # As every PostgreSQL before 15 has it.
        line.execute("GRANT ALL ON SCHEMA public TO PUBLIC")
    return elephant.url.replace("rookery@", "keeper@")


def served(owner: str, password: str = PASSWORD) -> str:
    return owner.replace("keeper@", f"rookery_server:{password}@")


def upgraded(owner: str, url: str) -> str:
    """Run the owner's command; return what it says."""
    done = CliRunner().invoke(
        app,
        ["database", "upgrade"],
        env={"ROOKERY_DATABASE_URL": owner, "ROOKERY_SERVERS_URL": url},
    )
    return f"{done.exit_code} {done.output}"


def test_a_server_may_do_to_each_table_what_it_does_and_no_more(owner: str) -> None:
    url = served(owner)
    assert upgraded(owner, url) == f"0 version 0 -> {HEAD}\nservers log in as rookery_server\n"
    assert WANTED.keys() == schema.METADATA.tables.keys() | {"alembic_version"}
    with psycopg.connect(owner) as line:
        rows = line.execute(
            "SELECT table_name, privilege_type FROM information_schema.role_table_grants"
            " WHERE grantee = 'rookery_server'"
        ).fetchall()
    found: dict[str, set[str]] = {}
    for table, right in rows:
        found.setdefault(table, set()).add(right)
    assert found == WANTED


REFUSED = (
    "DROP TABLE events",
    "TRUNCATE events",
    "ALTER TABLE events ADD COLUMN note text",
    "CREATE INDEX ON events (at)",
    "CREATE TABLE note (body text)",
    "CREATE FUNCTION note() RETURNS int LANGUAGE sql AS 'SELECT 1'",
    "CREATE SCHEMA note",
    "DROP SCHEMA public CASCADE",
    "UPDATE alembic_version SET version_num = '9'",
    "UPDATE seated SET person = 'somebody'",
    "CREATE ROLE somebody SUPERUSER",
    "ALTER ROLE rookery_server CREATEROLE",
    "SET ROLE keeper",
    "SELECT rolpassword FROM pg_authid",
    "SELECT pg_read_file('postgresql.conf')",
    "COPY events TO PROGRAM 'cat'",
)


def test_everything_else_is_refused(owner: str) -> None:
    assert upgraded(owner, served(owner)).startswith("0 ")
    done = []
    for statement in REFUSED:
        with (
            psycopg.connect(served(owner), autocommit=True) as line,
            suppress(InsufficientPrivilege),
        ):
            line.execute(statement)
            done.append(statement)
    assert done == []
    # The control: it is the role that is refused, not the statement.
    for statement in REFUSED:
        if statement.startswith(("TRUNCATE", "ALTER TABLE", "CREATE IND", "CREATE TAB", "UPDATE")):
            with psycopg.connect(owner, autocommit=True) as line:
                line.execute(statement)


def test_two_servers_play_speak_forget_and_sweep_as_that_role(owner: str) -> None:
    url = served(owner)
    upgraded(owner, url)
    ann, bob = PEOPLE[:2]

    async def scene() -> None:
        first, second = registry(url, "a:1", every=0.05), registry(url, "b:1", every=0.05)
        async with sharing(first, second):
            actor = await first.create(ann, KENTUCKY)
            assert isinstance(actor, Actor)
            line = actor.connect(bob)
            for command in (cm.Hello(), cm.Sit("s"), cm.Chat("c", text="good evening")):
                actor.take(line, command)
            await until(lambda: actor.table.seq >= 5)
            await second.retention.forget(bob.id)
            await eventually(lambda: find(first, actor.table.code))
            await first.sweep()
            # The server that has the table takes the words away, once it hears of it.
            await until(lambda: "good evening" not in str(logs(owner)[actor.table.code]))
            assert owners(owner)[actor.table.code][0] == "a:1"

    running(scene)


def test_every_method_of_the_store_works_as_that_role(owner: str) -> None:
    url = served(owner)
    upgraded(owner, url)
    row = TableRow("ABCDEF2", True, "lobby", 1, 2)
    said: list[Any] = [
        ev.Sat(0, "p1", "Bob"),
        ev.Chatted("p1", "Bob", 0, "good evening"),
        ev.Blocked("p1", "p2"),
        ev.Reported("p1", "p2", "rude"),
    ]
    calls: dict[str, tuple[Any, ...]] = {
        "know": (lambda _: Judged(Mark(9), since=4),),
        "append": (row, [ev.Entry(i, 5, event, f"p1:{i}") for i, event in enumerate(said, 1)]),
        "read": ("ABCDEF2",),
        "done": ("ABCDEF2", "p1:1"),
        "listed": (5,),
        "past": (1, 1),
        "row": ("ABCDEF2",),
        "said": (0, 9),
        "reports": (5,),
        "rewrite": ("ABCDEF2", [ev.Entry(2, 5, ev.Chatted("p1", "Bob", 0, ""), "p1:2")]),
        "tables_of": ("p1",),
        "traces_of": ("p1",),
        "add_person": (Who("p1", "Bob"), "one", 5),
        "rename": ("p1", "Rob"),
        "add_token": ("p1", "two", 5),
        "drop_token": ("two",),
        "tokens": ("p1", 0, 9),
        "valid": ({"one"}, 0),
        "person": ("one",),
        "visitor": ("one",),
        "apart": ("p1", {"p2"}),
        "renew": ("one", 9, 8),
        "add_return": ("p1", "three", 9),
        "take_return": ("three", 5, Token("four", 5, 5)),
        "sign_out": ("p1", "one"),
        "secret": ("name", "secret"),
        "add_passkey": (*(Passkey("c", "p1", "h", "k", 0, 1, 1), Challenge("x", 9), "one", 9),),
        "passkeys": ("p1",),
        "passkey": ("c",),
        "use_passkey": ("c", 0, 0, Challenge("y", 9), Token("five", 5, 5)),
        "drop_passkey": ("p1", "c"),
        "forget": ("p1", 9),
        "unfinished": (),
        "forgotten": ("p1", []),
        "dropping": (9,),
        "dropped": (),
        "expire": (9, 9),
        "compact": (9 * DAY,),
        "retire": ("ABCDEF2",),
        "timeline": (),
        "begin_timeline": ("",),
        "ping": (),
        "close": (),
    }
    methods = {**vars(SqlSessions), **vars(SqlStore)}
    public = {name for name, one in methods.items() if callable(one) and name[0] != "_"}
    assert calls.keys() == public - {"do", "change", "look", "looked"}

    async def scene() -> None:
        store = PostgresStore(url)
        await store.add_person(Who("p9", "Eve"), "nine", 5)
        attempt = Attempt("p9", "deal", 1, "2026-11-23", "four", (), 5)
        own: dict[str, tuple[Any, ...]] = {
            "begin": (attempt,),
            "go_on": (attempt, attempt._replace(ended=6)),
            "of": ("p9", ["deal"]),
            "lost": ("p9", "2026-11-23", []),
            "friends": ("p9", "deal", 9),
            "expire": (9,),
        }
        assert own.keys() == {name for name in vars(SqlAttempts) if name[0] != "_"}
        for name, words in own.items():
            await getattr(store.attempts, name)(*words)
        for name, words in calls.items():
            await getattr(store, name)(*words)
        store = PostgresStore(url)
        await store.add_person(Who("p2", "Cy"), "six", 9)
        await store.add_passkey(Passkey("d", "p2", "h", "k", 0, 1, 1), Challenge("z", 9), "six", 9)
        for hand in (0, 0, 1):
            assert await store.mistakes.keep("p2", [Mistake("ABCDEF2", hand, 7, 9 + hand, "{}")])
        assert len(await store.mistakes.of("p2") or ()) == 2
        assert await store.mistakes.expire(9)
        assert await store.sheets.add(SheetRow("SHEETS2", "p2", "hash", "{}", 9))
        entry = SheetEntry(0, "e", "p2", "Cy", 0, 3, 0, "null")
        assert await store.sheets.write("SHEETS2", entry, 9, 5) == 1
        assert len(await store.sheets.entries("SHEETS2")) == 1
        assert await store.sheets.drop("SHEETS2", "p2")
        assert not await store.sheets.expire(9)
        assert await store.rated.switch("p2", "ABCDEF2", 3)
        assert await store.rated.of("ABCDEF2") == {"p2": 3}
        assert await store.rated.switch("p2", "ABCDEF2", None)
        assert await store.rated.meet("p2", {"four": Stranger(3, 0, 9)})
        sat = [ev.Entry(1, 5, ev.Sat(0, "p2", "Cy"))]
        await store.append(TableRow("ABCDEF3", True, "lobby", 1, 2), sat)
        match = Played("ABCDEF3", 0, 3, "four", ["p2"])
        assert await store.rated.count(match, lambda _: {"p2": Stranger(3, -1, 8, 1)})
        assert await store.rated.strangers(["p2"]) == {"p2": {"four": Stranger(3, -1, 8, 1)}}
        assert await store.rated.meet("p2", None)
        await store.close()

    running(scene)
    with psycopg.connect(owner) as line:
        (place,) = line.execute("SELECT place FROM timeline").fetchone() or ("",)
    assert str(place).count("/") == 2  # it may ask where the database lies


def test_a_server_does_not_begin_where_only_the_owner_could_upgrade(owner: str) -> None:
    url = served(owner)
    upgraded(owner, url)
    CliRunner().invoke(app, ["database", "downgrade", "2", "--database", owner])
    with pytest.raises(StoreError, match="is of version 2; expected 12: its owner runs rookery"):
        PostgresStore(url)
    assert upgraded(owner, url) == f"0 version 2 -> {HEAD}\nservers log in as rookery_server\n"
    running(PostgresStore(url).close)


def test_a_new_password_takes_the_place_of_the_old_one_and_is_in_no_log(
    elephant: Postgres, owner: str
) -> None:
    with elephant.line() as line:
        line.execute("ALTER ROLE keeper SET log_statement = 'all'")

    def proof() -> str:
        with elephant.line() as line:
            query = "SELECT rolpassword FROM pg_authid WHERE rolname = 'rookery_server'"
            (found,) = line.execute(query).fetchone() or ("",)
        return str(found)

    upgraded(owner, served(owner))
    first = proof()
    upgraded(owner, served(owner, "another1password2"))
    assert re.match(r"SCRAM-SHA-256\$\d+:", first)
    assert re.match(r"SCRAM-SHA-256\$\d+:", proof())
    assert proof() != first
    written = (elephant.folder / "said.txt").read_text(errors="replace")
    assert "ALTER ROLE rookery_server" in written  # the control
    assert PASSWORD not in written
    assert "another1password2" not in written


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("keeper", "the role keeper may do more than servers need"),
        ("rookery", "the role rookery may do more than servers need"),
        ("Some%20body", "'Some body' is no name of a role"),
    ],
)
def test_a_role_that_may_do_more_is_refused(name: str, told: str, owner: str) -> None:
    assert upgraded(owner, owner.replace("keeper@", f"{name}@")).startswith(f"2 --database: {told}")
    with psycopg.connect(owner) as line:
        # Nothing was changed: neither a role nor a version.
        assert line.execute("SELECT to_regclass('events')").fetchone() == (None,)


def test_a_role_that_owns_something_is_refused(elephant: Postgres, owner: str) -> None:
    with elephant.line() as line:
        line.execute("CREATE ROLE rookery_server LOGIN")
        line.execute("CREATE TABLE note (body text)")
        line.execute("ALTER TABLE note OWNER TO rookery_server")
    assert "may do more than servers need" in upgraded(owner, served(owner))


def test_servers_come_as_that_role_and_the_owner_alone_migrates() -> None:
    app_, migrate = SERVICES["app"]["environment"], SERVICES["migrate"]["environment"]
    assert app_["ROOKERY_DATABASE_URL"] == migrate["ROOKERY_SERVERS_URL"]
    assert "//rookery_server:" in app_["ROOKERY_DATABASE_URL"]
    assert "POSTGRES_PASSWORD" in migrate["ROOKERY_DATABASE_URL"]
    assert "POSTGRES_PASSWORD" not in json.dumps([SERVICES["app"], SERVICES["bots"]])
    tasks = resources("AWS::ECS::TaskDefinition")
    known = {
        name: {s["Name"]: json.dumps(s["ValueFrom"]) for s in container["Secrets"]}
        for name, one in tasks.items()
        for container in one["Properties"]["ContainerDefinitions"]
    }
    servers, owners_ = known["Server"], known["Migrate"]
    assert servers["ROOKERY_DATABASE_URL"] == owners_["ROOKERY_SERVERS_URL"]
    assert "owner-url" in owners_["ROOKERY_DATABASE_URL"]
    assert [name for name, one in known.items() if "owner-url" in str(one)] == ["Migrate"]
    made = resources("AWS::SecretsManager::Secret")
    url = made["DatabaseUrl"]["Properties"]["SecretString"]["Fn::Sub"]
    assert url.startswith("postgresql://rookery_server:")
    master = resources()["Database"]["Properties"]["MasterUsername"]
    assert made["OwnerUrl"]["Properties"]["SecretString"]["Fn::Sub"].startswith(
        f"postgresql://{master}:"
    )


def test_a_folder_has_no_users() -> None:
    done = CliRunner().invoke(
        app,
        ["database", "upgrade", "--servers-url", "postgresql://rookery_server@db.example/rookery"],
    )
    assert (done.exit_code, len(done.output.splitlines())) == (2, 1)
    assert "--servers-url: only a --database has users" in done.output
