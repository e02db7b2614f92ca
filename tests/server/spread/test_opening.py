"""Several databases of a PostgreSQL: each is known by its letter, and may be lost and come back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
import pytest
from tests.server.core.tables import KENTUCKY, PEOPLE, Chances, find, running
from tests.server.growth.conftest import elephant
from tests.server.growth.engines import Postgres, owners
from tests.server.growth.registries import HOUR, eventually, sharing, until
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.server.app import registry_of
from rookery.server.bots.engine import BotThreads
from rookery.server.cluster import postgres_leases
from rookery.server.cluster.postgres_leases import PostgresLeases
from rookery.server.cluster.spread import leases as spread_leases
from rookery.server.cluster.spread.opening import spread_over
from rookery.server.live.actor import Actor
from rookery.server.monitoring.metrics import Figures
from rookery.server.names import place_of
from rookery.server.registry.tables import TableRegistry
from rookery.server.settings import Settings
from rookery.server.store.base import StoreError
from rookery.server.store.leases import Elsewhere
from rookery.server.store.postgres import PostgresStore
from rookery.server.table import commands as cm

__all__ = ["elephant"]
ANN, BOB = PEOPLE[:2]


class Herd:
    """A first database and others, each a database of one PostgreSQL."""

    def __init__(self, elephant: Postgres) -> None:
        self.first, self._elephant = elephant.emptied(), elephant

    def url(self, letter: str) -> str:
        """Return the address of a database, which is made and empty the first time."""
        return self.first.replace("/postgres", f"/tables_{letter.lower()}")

    def spread(self, letters: str) -> tuple[tuple[str, str], ...]:
        return tuple((letter, self.url(letter)) for letter in letters)

    def anew(self, letters: str) -> None:
        for letter in letters:
            name = f"tables_{letter.lower()}"
            self._do(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)", f"CREATE DATABASE {name}")

    def lose(self, letter: str) -> None:
        """End all lines to a database and let nobody in."""
        name = f"tables_{letter.lower()}"
        self._do(
            f"ALTER DATABASE {name} ALLOW_CONNECTIONS false",
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'",  # noqa: S608
        )

    def back(self, letter: str) -> None:
        self._do(f"ALTER DATABASE tables_{letter.lower()} ALLOW_CONNECTIONS true")

    def _do(self, *statements: str) -> None:
        with self._elephant.line() as line:
            for one in statements:
                line.execute(one.encode())


@pytest.fixture
def herd(elephant: Postgres) -> Iterator[Herd]:
    found = Herd(elephant)
    found.anew("BC")
    yield found
    for letter in "BC":
        found.back(letter)


def registry(
    herd: Herd, address: str, letters: str = "BC", silence: float = HOUR, every: float = HOUR
) -> TableRegistry:
    """Return the registry of a server of several databases."""

    def made(store: PostgresStore) -> PostgresLeases:
        return PostgresLeases(store, address, dict, every, silence)

    first = PostgresStore(herd.first)
    store, leases = spread_over(first, herd.first, herd.spread(letters), (), made)
    settings = Settings(database=herd.first, bot_deadline=3_600_000, grace=3_600_000)
    return TableRegistry(store, settings, None, BotThreads(1), Chances(), leases)


def lost_by(server: TableRegistry) -> dict[str, float]:
    """Return what the figures of a server say of each database of tables."""
    found = [one for one in Figures(server).collect() if one.name == "rookery_database_lost"]
    return {sample.labels["database"]: sample.value for one in found for sample in one.samples}


async def made_at(server: TableRegistry, letters: str) -> dict[str, Actor]:
    """Return a new table of a server in each of these databases."""
    found: dict[str, Actor] = {}
    while found.keys() != set(letters):
        actor = await server.create(ANN, KENTUCKY)
        assert isinstance(actor, Actor)
        found.setdefault(place_of(actor.table.code), actor)
    return found


async def said(actor: Actor, text: str) -> bool:
    """Have Ann say something; return whether that is stored."""
    line, before = actor.connect(ANN), actor.table.seq
    for command in (cm.Hello(), cm.Chat(text, text=text)):
        actor.take(line, command)
    for _ in range(500):
        if actor.table.seq > before or actor.gone:
            break
        await asyncio.sleep(0.01)
    return actor.table.seq > before and not actor.gone


def opening(database: str, *spread: tuple[str, str]) -> str:
    """Return why a server does not start with these databases; empty where it does."""

    async def scene() -> str:
        try:
            found = registry_of(Settings(database=database, spread=spread, peer="a:1"))
        except StoreError as error:
            return str(error)
        await found.close()
        return ""

    return asyncio.run(scene())


@contextmanager
def told(what: str) -> Iterator[list[str]]:
    found: list[str] = []
    yield found
    (line,) = found
    assert what in line
    assert "\n" not in line


def test_databases_that_are_not_what_is_meant_are_refused_in_one_line(herd: Herd) -> None:
    assert opening(herd.first, *herd.spread("BC")) == ""
    assert opening(herd.first, *herd.spread("BC")) == ""
    b, c = herd.url("B"), herd.url("C")
    wrong: dict[str, tuple[str, Sequence[tuple[str, str]]]] = {
        "it is database C of several; expected B": (herd.first, [("B", c), ("C", b)]),
        "it is database B of several; expected C": (herd.first, [("B", b), ("C", b)]),
        "it is database first of several; expected B": (herd.first, [("B", herd.first), ("C", c)]),
        "it is database B of several; expected first": (b, [("B", b), ("C", c)]),
        "database C is missing, and has tables; give it too": (herd.first, [("B", b)]),
        "D=: not the address of a database": (herd.first, [*herd.spread("BC"), ("D", "nonsense")]),
        "tables_d": (herd.first, [*herd.spread("BC"), ("D", herd.url("D"))]),
    }
    for what, (first, spread) in wrong.items():
        with told(what) as line:
            line.append(opening(first, *spread))
    # Nothing of all that was noted.
    assert opening(herd.first, *herd.spread("BC")) == ""


def test_a_database_with_people_of_its_own_takes_no_tables(herd: Herd) -> None:
    async def people() -> None:
        store = PostgresStore(herd.url("B"))
        await store.add_person(ANN, "token", 1)
        await store.close()

    running(people)
    with told("it has people of its own; expected none in database B") as line:
        line.append(opening(herd.first, *herd.spread("B")))
    herd.anew("B")

    async def table() -> None:
        store = PostgresStore(herd.url("B"))
        from tests.server.spread.test_spread import sat

        await store.append(*sat("ABCDEF2C", 0))
        await store.close()

    running(table)
    with told("it has table ABCDEF2C; expected codes that end with B") as line:
        line.append(opening(herd.first, *herd.spread("B")))


def test_a_database_of_tables_belongs_to_one_first_database(herd: Herd) -> None:
    assert opening(herd.first, *herd.spread("B")) == ""
    herd.anew("C")
    with told("it is database B of others") as line:
        line.append(opening(herd.url("C"), *herd.spread("B")))
    # The control: its own servers come again, also with a first database from before all this, and
    # so does whoever brings a database of their own.
    assert opening(herd.first, *herd.spread("B")) == ""
    with psycopg.connect(herd.first) as line:
        line.execute("DELETE FROM secrets WHERE name = 'databases'")
    assert opening(herd.first, *herd.spread("B")) == ""
    herd.anew("B")
    assert opening(herd.url("C"), *herd.spread("B")) == ""


def test_a_known_database_that_is_lost_stops_no_server_from_starting(herd: Herd) -> None:
    herd.lose("C")
    assert "tables_c" in opening(herd.first, *herd.spread("BC"))  # nobody knows yet what it is
    herd.back("C")
    assert opening(herd.first, *herd.spread("BC")) == ""
    herd.lose("C")
    assert opening(herd.first, *herd.spread("BC")) == ""


def test_a_lost_database_stops_its_own_tables_and_they_go_on_when_it_is_back(
    herd: Herd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_leases, "MUTE", 1.0)
    monkeypatch.setattr(spread_leases, "AGAIN", 0.05)

    async def scene() -> None:
        one = registry(herd, "a:1", silence=3.0, every=0.1)
        two = registry(herd, "b:1", silence=3.0, every=0.1)
        async with sharing(one, two):
            made = await made_at(one, "BC")
            codes = {letter: actor.table.code for letter, actor in made.items()}
            for letter, actor in made.items():
                assert await said(actor, "before")
                place = await two.place(codes[letter])
                assert isinstance(place, Elsewhere)
                assert place.address == "a:1"
                assert one.leases.is_peer(place.secret)
                assert owners(herd.url(letter))[codes[letter]] == ("a:1", 1)
            assert lost_by(one) == {"B": 0.0, "C": 0.0}
            herd.lose("B")
            assert not await said(made["B"], "lost")
            await until(lambda: list(one.leases.lost) == ["B"])
            assert lost_by(one) == {"B": 1.0, "C": 0.0}
            assert await said(made["C"], "while it is lost")
            await until(lambda: made["B"].gone)
            assert not made["C"].gone
            assert one.leases.alive
            assert await two.store.tables_of(ANN.id) == [
                row for row in await one.store.tables_of(ANN.id) if row.code[-1] == "C"
            ]
            # A server that starts meanwhile goes on with what there is.
            three = registry(herd, "c:1", silence=3.0, every=0.1)
            async with sharing(three):
                assert isinstance(await three.place(codes["C"]), Elsewhere)
                with pytest.raises(StoreError):
                    await three.place(codes["B"])
                herd.back("B")

                # Each finds by itself that it is back.
                async def there() -> Actor | Elsewhere | None:
                    with contextlib.suppress(StoreError):
                        return await three.place(codes["B"])
                    return None

                async def here() -> Actor | None:
                    with contextlib.suppress(StoreError):
                        return await find(one, codes["B"])
                    return None

                # Its owner has been there all the time, and has it again.
                assert isinstance(await eventually(there), Elsewhere)
                last = await eventually(here)
                assert await said(last, "back")
                texts = [line.said.text for line in last.table.lines]
                assert texts == ["before", "back"]
                assert not any(lost_by(one).values())
            assert not made["C"].gone
            assert owners(herd.url("C"))[codes["C"]] == ("a:1", 1)

    running(scene)


def test_a_server_that_ends_gives_back_the_tables_of_all_databases(herd: Herd) -> None:
    async def scene() -> None:
        one, two = registry(herd, "a:1"), registry(herd, "b:1")
        async with sharing(two):
            await one.open(str)
            made = await made_at(one, "BC")
            await one.close()
            for actor in made.values():
                assert isinstance(await two.place(actor.table.code), Actor)

    running(scene)


def test_the_commands_of_databases_take_all_of_them_or_one(herd: Herd) -> None:
    run = CliRunner()
    several = {"ROOKERY_DATABASE_URL": f"{herd.first} B={herd.url('B')} C={herd.url('C')}"}
    done = run.invoke(app, ["database", "upgrade"], env=several)
    assert done.exit_code == 0, done.output
    assert [line.partition(":")[0] for line in done.output.splitlines()] == ["first", "B", "C"]
    for word in ("status", "confirm-clock"):
        assert run.invoke(app, ["database", word], env=several).exit_code == 0
    with psycopg.connect(herd.url("C")) as line:
        assert line.execute("SELECT count(*) FROM clock WHERE at > 0").fetchone() == (1,)
    for words in (["database", "brought-back"], ["backup", "nowhere"]):
        refused = run.invoke(app, words, env=several)
        assert refused.exit_code == 2
        assert "3 are given; expected one" in refused.output
    alone = run.invoke(app, ["database", "brought-back", "--database", herd.url("B")])
    assert alone.exit_code == 0


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--database", "b=postgresql://x/y"], "b= is no letter of a database"),
        (["--database", "B=postgresql://x/y"], "the first database, which has no letter"),
        (["--database", "postgresql://x/y", "--database", "postgresql://x/z"], "without a letter"),
        (
            ["--database", "postgresql://x/y"] + ["--database", "B=postgresql://x/z"] * 2,
            "B= is given twice",
        ),
        (["--drain", "B"], "no --database is B="),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_opened(
    words: list[str], line: str
) -> None:
    done = CliRunner().invoke(app, ["serve", "--no-open", *words])
    assert done.exit_code == 2
    assert line in done.output


def removed(herd: Herd, letter: str, letters: str = "BC") -> str:
    """Return what `rookery database remove` says."""
    given = [herd.first, *(f"{one}={url}" for one, url in herd.spread(letters))]
    options = [word for one in given for word in ("--database", one)]
    found = CliRunner().invoke(app, ["database", "remove", letter, *options])
    return found.output if found.exit_code else f"done: {found.output}"


def test_a_database_is_removed_when_it_has_no_tables_and_not_before(herd: Herd) -> None:
    assert opening(herd.first, *herd.spread("BC")) == ""
    code = "ABCDEF2B"

    async def table() -> None:
        store = PostgresStore(herd.url("B"))
        from tests.server.spread.test_spread import sat

        await store.append(*sat(code, 0))
        await store.close()

    running(table)
    assert f"database B has table {code}; expected none" in removed(herd, "B")
    # What is known of a table counts, if the table itself is no longer there.
    with psycopg.connect(herd.url("B"), autocommit=True) as line:
        line.execute("DELETE FROM tables")
    assert f"database B has table {code}" in removed(herd, "B")
    with psycopg.connect(herd.url("B"), autocommit=True) as line:
        for kind in ("events", "seated", "spoke"):
            line.execute(f"DELETE FROM {kind}".encode())  # noqa: S608
        # A report is kept for longer than its table.
        line.execute("INSERT INTO reports VALUES (%s, 1, 1, 'p0', 'p1', '')", [code])
    assert f"database B has a report of table {code}; expected none" in removed(herd, "B")
    assert "is missing, and has tables" in opening(herd.first, *herd.spread("C"))
    with psycopg.connect(herd.url("B"), autocommit=True) as line:
        line.execute("DELETE FROM reports")
    assert removed(herd, "B").startswith("done: B is forgotten")
    assert opening(herd.first, *herd.spread("C")) == ""
    assert "no database B is known" in removed(herd, "B")
    assert "is missing, and has tables" in opening(herd.first)  # the other one is as it was


def test_what_is_not_that_database_is_not_removed(herd: Herd) -> None:
    assert opening(herd.first, *herd.spread("BC")) == ""
    assert "no --database is D=" in removed(herd, "D")
    assert "no --database is B=" in removed(herd, "B", "C")
    wrong = [herd.first, f"B={herd.url('C')}"]
    options = [word for one in wrong for word in ("--database", one)]
    found = CliRunner().invoke(app, ["database", "remove", "B", *options])
    assert found.exit_code
    assert "it is C of several; expected database B" in found.output
    herd.lose("B")
    assert "done" not in removed(herd, "B")
    herd.back("B")
    assert removed(herd, "B").startswith("done")
