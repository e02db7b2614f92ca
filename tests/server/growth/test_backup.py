"""P20: what was saved last night can be brought back, and what was changed since cannot."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, Table, event, text
from tests.server.core.tables import LATER, PEOPLE, running, started
from tests.server.growth.engines import logs, owners
from tests.server.growth.stored import KEPT, LEFT_OUT, rows
from typer.testing import CliRunner

from rookery.cli.main import app
from rookery.server.registry.history import history_of
from rookery.server.store import backup, migrate
from rookery.server.store import schema as db
from rookery.server.store.backup import kept_tables, seen, write
from rookery.server.store.base import Store, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.postgres import PostgresStore
from rookery.server.store.sqlite import FILE, SqliteStore, single
from rookery.server.store.sqlite import embedded as embedded_engine
from rookery.server.table import events as ev

CODES = ("ABCDEF2", "ABCDEF3", "ABCDEF4")


async def filled(store: Store, lease: Lease = UNOWNED) -> None:
    """Keep a few tables and people."""
    log = started(people=4).entries
    for number, code in enumerate(CODES):
        row = TableRow(code, True, "playing", 1, 2 + number)
        await store.append(row, log[: 5 + number], lease)
        await store.append(row, log[5 + number :], lease)
    for number, who in enumerate(PEOPLE):
        await store.add_person(who, f"hash-{number}", number)
    await store.close()


def told(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    return done.output


def refused(*words: str) -> str:
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 2, done.output
    (line,) = done.output.splitlines()
    return str(line)


def embedded(folder: Path) -> dict[str, list[ev.Entry]]:
    """Return the events in a folder."""
    found: dict[str, list[ev.Entry]] = {}

    async def read() -> None:
        store = SqliteStore(folder / FILE)
        for code in CODES:
            found[code] = await store.read(code)
        assert await store.person("hash-1") == PEOPLE[1]
        await store.close()

    running(read)
    return found


def test_a_backup_brings_everything_back_from_either_database_to_either(
    tmp_path: Path, elephant: object, database: str
) -> None:
    first = tmp_path / "first #1, 100%20"  # means something else in an address
    saved = first / "saved"
    running(lambda: filled(SqliteStore(first / FILE)))
    before = embedded(first)
    said = told("backup", str(saved), "--data", str(first))
    assert said.endswith(f": 3 tables, {sum(map(len, before.values()))} events, 8 people\n")
    assert saved.stat().st_mode & 0o077 == 0
    # From the embedded one to the shared one, and on to an embedded one again.
    told("restore", str(saved), "--database", database)
    assert logs(database) == before
    assert all(owner == (None, 0) for owner in owners(database).values())
    told("backup", str(tmp_path / "again"), "--database", database)
    told("restore", str(tmp_path / "again"), "--data", str(tmp_path / "second"))
    assert embedded(tmp_path / "second") == before
    assert history_of(before["ABCDEF2"]).table.phase == "playing"


def test_a_backup_of_tables_that_servers_have_belongs_to_nobody(
    tmp_path: Path, database: str
) -> None:
    running(lambda: filled(PostgresStore(database), Lease("a:1", 1)))
    told("backup", str(tmp_path / "saved"), "--database", database)
    told("restore", str(tmp_path / "saved"), "--data", str(tmp_path / "new"))
    with closing(sqlite3.connect(tmp_path / "new" / FILE)) as plain:
        assert plain.execute("SELECT DISTINCT owner, epoch FROM tables").fetchall() == [(None, 1)]


def test_a_backup_is_of_one_moment_while_somebody_writes(tmp_path: Path, database: str) -> None:
    entry = ev.Entry(1, 5, ev.Left(0))

    async def scene(store: Store, url: str | None, file: Path) -> None:
        for number in range(20):
            await store.append(TableRow(f"T{number}", True, "lobby", 1, 2), [entry])
        with seen(tmp_path, url) as source:
            assert source.scalar(text("SELECT count(*) FROM tables")) == 20
            await store.append(TableRow("LATER", True, "lobby", 1, 2), [entry])
            assert write(source, file)[:2] == (20, 20)
        assert len(await store.past(LATER, LATER)) == 21
        await store.close()

    running(lambda: scene(SqliteStore(tmp_path / FILE), None, tmp_path / "one"))
    running(lambda: scene(PostgresStore(database), database, tmp_path / "other"))


FAULTS: dict[str, Callable[[sqlite3.Connection], object]] = {
    "a row that is missing": lambda one: one.execute(
        "DELETE FROM events WHERE table_id = 'ABCDEF3' AND seq = (SELECT max(seq) FROM events)"
    ),
    "a row that is missing, and the count with it": lambda one: one.executescript(
        "DELETE FROM events WHERE table_id = 'ABCDEF3' AND seq = (SELECT max(seq) FROM events);"
        "UPDATE backup_rows SET rows = rows - 1 WHERE name = 'events'"
    ),
    "a row cut short": lambda one: one.execute(
        "UPDATE events SET body = substr(body, 1, 20) WHERE table_id = 'ABCDEF3' AND seq = 2"
    ),
    "another time": lambda one: one.execute(
        "UPDATE events SET at = at + 1 WHERE table_id = 'ABCDEF3' AND seq = 2"
    ),
    "a table that is missing": lambda one: one.executescript(
        "DELETE FROM events WHERE table_id = 'ABCDEF3';"
        "UPDATE backup_rows SET rows = (SELECT count(*) FROM events) WHERE name = 'events'"
    ),
    "a person who is missing": lambda one: one.execute("DELETE FROM people WHERE person = 'p1'"),
    "a table that nothing is said of": lambda one: one.execute(
        "DELETE FROM backup_rows WHERE name = 'blocks'"
    ),
    "no sum of a table": lambda one: one.execute("DELETE FROM backup_sums WHERE name = 'blocks'"),
    "no backup": lambda one: one.execute("DROP TABLE backup_of"),
    "another format": lambda one: one.execute("UPDATE backup_of SET format = 'rookery-backup/9'"),
}


def test_the_control_a_backup_that_was_changed_is_refused_and_nothing_is_left(
    tmp_path: Path, database: str
) -> None:
    running(lambda: filled(SqliteStore(tmp_path / FILE)))
    told("backup", str(tmp_path / "saved"), "--data", str(tmp_path))
    for fault, plant in FAULTS.items():
        spoilt = tmp_path / fault.replace(" ", "-")
        shutil.copyfile(tmp_path / "saved", spoilt)
        with closing(sqlite3.connect(spoilt)) as plain:
            plant(plain)
            plain.commit()
        assert str(spoilt) in refused("restore", str(spoilt), "--data", str(tmp_path / "new"))
        assert not (tmp_path / "new").exists(), fault
        assert str(spoilt) in refused("restore", str(spoilt), "--database", database)
    half = (tmp_path / "saved").read_bytes()
    (tmp_path / "half").write_bytes(half[: len(half) // 2])
    assert str(tmp_path / "half") in refused(
        "restore", str(tmp_path / "half"), "--data", str(tmp_path / "new")
    )
    assert told("restore", str(tmp_path / "saved"), "--database", database)


def other(value: object) -> object:
    return value + 1 if isinstance(value, int) else f"{value}x"


def a_row_of_each(plain: sqlite3.Connection) -> None:
    """See to it that every table of a database has some rows."""
    # Languages put these in different orders.
    for ann in ("Zoe", "ann", "_bob", "\u00e9lan", "Ann"):
        plain.execute("INSERT INTO blocks VALUES (?, 'p7')", (ann,))
    plain.execute("UPDATE clock SET at = 6, doubted = 7, ran = 8, kept_at = 3, kept_until = 9")
    for number in range(3):
        ann, code, at = f"p{number}", CODES[number], 100 + number
        plain.execute("INSERT INTO spoke VALUES (?, ?)", (ann, code))
        plain.execute("INSERT INTO forgotten VALUES (?, ?, 1)", (f"gone{number}", at))
        plain.execute("INSERT INTO returns VALUES (?, ?, ?)", (f"link{number}", ann, at))
        passkey = (f"passkey{number}", ann, f"handle{number}", "key", number, at, at + 1, "Edge")
        plain.execute("INSERT INTO passkeys VALUES (?, ?, ?, ?, ?, ?, ?, ?)", passkey)
        attempt = (ann, "deal", number, "2026-11-23", "four", "[]", at, at + 1)
        plain.execute("INSERT INTO attempts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", attempt)
        mistake = (ann, code, number, 7, at, "{}")
        plain.execute("INSERT INTO mistakes VALUES (?, ?, ?, ?, ?, ?)", mistake)
        sheet = (f"SHEETS{number}", ann, "hash", "{}", at)
        plain.execute("INSERT INTO sheets VALUES (?, ?, ?, ?, ?)", sheet)
        entry = (f"SHEETS{number}", 1, f"entry{number}", ann, "Ann", 1, 7, number, "null")
        plain.execute("INSERT INTO sheet_entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", entry)
        plain.execute("INSERT INTO rated VALUES (?, ?, ?)", (ann, code, number))
        met = (ann, "four", at, -number, number, number)
        plain.execute("INSERT INTO rated_strangers VALUES (?, ?, ?, ?, ?, ?)", met)
        plain.execute("INSERT INTO rated_matches VALUES (?, ?)", (code, number))
        plain.execute("INSERT INTO spent VALUES (?, ?)", (f"challenge{number}", at))
        plain.execute("INSERT INTO secrets VALUES (?, 'hidden')", (f"name{number}",))
        plain.execute("INSERT INTO blocks VALUES (?, 'p7')", (ann,))
        plain.execute("INSERT INTO reports VALUES (?, 1, ?, ?, 'p7', 'why')", (code, at, ann))


def whole(folder: Path) -> Path:
    """Fill a database with rows in every table; return its folder."""
    running(lambda: filled(SqliteStore(folder / FILE)))
    with closing(sqlite3.connect(folder / FILE)) as plain:
        a_row_of_each(plain)
        plain.commit()
    return folder


def test_each_table_and_column_is_kept_or_named_as_left_out(tmp_path: Path) -> None:
    with closing(sqlite3.connect(whole(tmp_path) / FILE)) as plain:
        names = [
            name for (name,) in plain.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        ]
        columns = {
            name: {row[1] for row in plain.execute(f"PRAGMA table_info({name})")} for name in names
        }
    known = {*KEPT, *LEFT_OUT}
    assert columns == {
        name: {*KEPT.get(name, "").split(), *LEFT_OUT.get(name, "").split()} for name in known
    }


def test_every_row_of_every_table_comes_back(tmp_path: Path, database: str) -> None:
    first = whole(tmp_path / "first")
    before = rows(first / FILE)
    assert all(before.values()), "a table without rows shows nothing"
    told("backup", str(tmp_path / "saved"), "--data", str(first))
    told("restore", str(tmp_path / "saved"), "--database", database)
    told("backup", str(tmp_path / "again"), "--database", database)
    told("restore", str(tmp_path / "again"), "--data", str(tmp_path / "second"))
    assert rows(tmp_path / "second" / FILE) == before


# Without events or people no backup is written at all.
@pytest.mark.parametrize("table", sorted(KEPT.keys() - {"events", "people"}))
def test_the_control_a_backup_without_a_table_is_caught(
    table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = whole(tmp_path / "first")
    kept = [one for one in kept_tables() if one.name != table]
    monkeypatch.setattr(backup, "kept_tables", lambda *_: kept)
    told("backup", str(tmp_path / "saved"), "--data", str(first))
    told("restore", str(tmp_path / "saved"), "--data", str(tmp_path / "second"))
    assert rows(tmp_path / "second" / FILE) != rows(first / FILE)


def spoilt(saved: Path, file: Path, table: Table, column: str, sums: bool = True) -> Path:
    """Return a copy of a backup with one field of one row changed, and maybe no sums."""
    shutil.copyfile(saved, file)
    keys = [key.name for key in table.primary_key.columns]
    with closing(sqlite3.connect(file)) as plain:
        plain.row_factory = sqlite3.Row
        row = plain.execute(f"SELECT * FROM {table} ORDER BY 1 DESC LIMIT 1").fetchone()  # noqa: S608
        one = " AND ".join(f"{key} = ?" for key in keys)
        change = f"UPDATE {table} SET {column} = ? WHERE {one}"  # noqa: S608
        changed = plain.execute(change, (other(row[column]), *(row[key] for key in keys)))
        assert changed.rowcount == 1
        if not sums:
            plain.execute("UPDATE backup_of SET format = 'rookery-backup/1'")
            plain.execute("DROP TABLE backup_sums")
        plain.commit()
    return file


def test_a_changed_field_in_any_table_is_found_in_either_database(
    tmp_path: Path, elephant: object, database: str
) -> None:
    first, saved = tmp_path / "first", tmp_path / "saved"
    told("backup", str(first), "--data", str(whole(tmp_path)))
    # Both databases come to the same sums, whatever the order of their letters.
    told("restore", str(first), "--database", database)
    told("backup", str(saved), "--database", database)
    with closing(sqlite3.connect(first)) as one, closing(sqlite3.connect(saved)) as other:
        query = "SELECT name, digest FROM backup_sums ORDER BY name"
        assert one.execute(query).fetchall() == other.execute(query).fetchall()
    for name, columns in KEPT.items():
        for column in columns.split():
            file = spoilt(saved, tmp_path / "spoilt", db.METADATA.tables[name], column)
            said = refused("restore", str(file), "--data", str(tmp_path / "new"))
            assert str(file) in said
            assert not (tmp_path / "new").exists(), (name, column)


def test_an_older_backup_is_brought_back_and_checked_by_what_it_has(tmp_path: Path) -> None:
    running(lambda: filled(SqliteStore(tmp_path / FILE)))
    saved = tmp_path / "saved"
    told("backup", str(saved), "--data", str(tmp_path))
    wrong = spoilt(saved, tmp_path / "wrong", db.events, "at", sums=False)
    assert "not what was written" in refused("restore", str(wrong), "--data", str(tmp_path / "n"))
    # The control: a name that was changed shows by a sum alone, and such a backup has none.
    older = spoilt(saved, tmp_path / "older", db.people, "name", sums=False)
    assert told("restore", str(older), "--data", str(tmp_path / "new"))


def test_a_backup_of_an_earlier_version_is_brought_back(tmp_path: Path) -> None:
    first, saved = whole(tmp_path / "first"), tmp_path / "saved"
    told("backup", str(saved), "--data", str(first))
    with single(saved).begin() as line:
        migrate.downgrade(line, "4")  # who is signed in, but not since when and with what
        for name, digest in backup.digests(line, "4").items():
            change = text("UPDATE backup_sums SET digest = :digest WHERE name = :name")
            line.execute(change, {"name": name, "digest": digest})
    told("restore", str(saved), "--data", str(tmp_path / "second"))
    before, after = rows(first / FILE), rows(tmp_path / "second" / FILE)
    assert (len(before.pop("passkeys")), after.pop("passkeys")) == (3, [])
    assert (len(before.pop("attempts")), after.pop("attempts")) == (3, [])
    assert (len(before.pop("mistakes")), after.pop("mistakes")) == (3, [])
    assert (len(before.pop("sheets")), after.pop("sheets")) == (3, [])
    assert (len(before.pop("sheet_entries")), after.pop("sheet_entries")) == (3, [])
    for name in ("rated", "rated_strangers", "rated_matches"):
        assert (len(before.pop(name)), after.pop(name)) == (3, []), name
    assert after.pop("sessions") == [(*row[:3], 0, "") for row in before.pop("sessions")]
    assert after == before


def test_nothing_is_overwritten(tmp_path: Path, database: str) -> None:
    saved = str(tmp_path / "saved")
    running(lambda: filled(SqliteStore(tmp_path / FILE)))
    told("backup", saved, "--data", str(tmp_path))
    assert "already exists" in refused("backup", saved, "--data", str(tmp_path))
    assert "expected an empty database" in refused("restore", saved, "--data", str(tmp_path))
    told("restore", saved, "--database", database)
    assert "expected an empty database" in refused("restore", saved, "--database", database)
    assert "holds no tables" in refused("backup", saved + "2", "--data", str(tmp_path / "none"))
    for wrong, why in ((tmp_path / "none", "no such file"), (tmp_path, "is a folder")):
        said = refused("restore", str(wrong), "--data", str(tmp_path))
        assert f"{wrong}: {why}; expected what rookery backup has written" in said


def test_a_restore_that_fails_leaves_no_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told("backup", str(tmp_path / "saved"), "--data", str(whole(tmp_path / "first")))
    monkeypatch.setattr(backup, "copy", lambda *_: 0)
    said = refused("restore", str(tmp_path / "saved"), "--data", str(tmp_path / "new"))
    assert said.endswith("what was restored differs from the backup")
    assert not (tmp_path / "new" / FILE).exists()


def test_damage_that_is_no_text_is_one_line(tmp_path: Path) -> None:
    """SQLite quotes it in its error, and Python cannot read that as text."""
    data = whole(tmp_path / "first")
    saved, spoilt = tmp_path / "saved", tmp_path / "spoilt"
    told("backup", str(saved), "--data", str(data))
    for whence, where in ((saved, spoilt), (data / FILE, data / FILE)):
        where.write_bytes(
            whence.read_bytes().replace(b"CREATE TABLE events", b"CREATE \xf8ABLE events")
        )
    lines = [
        refused("restore", str(spoilt), "--data", str(tmp_path / "new")),
        refused("backup", str(tmp_path / "another"), "--data", str(data)),
        refused("database", "upgrade", "--data", str(data)),
        refused("serve", "--port", "0", "--data", str(data)),
    ]
    assert all("malformed database schema (events)" in line for line in lines)


def test_a_disk_that_is_full_is_one_line_that_says_where_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(engine: Engine) -> Engine:
        event.listen(engine, "connect", lambda line, _: line.execute("PRAGMA max_page_count=20"))
        return engine

    data, saved, new = whole(tmp_path / "first"), tmp_path / "saved", tmp_path / "new"
    with monkeypatch.context() as small:
        small.setattr(backup, "single", lambda *how: full(single(*how)))
        said = refused("backup", str(saved), "--data", str(data))
        assert said == f"{saved}: database or disk is full"
        assert [path.name for path in tmp_path.iterdir()] == [data.name]
    told("backup", str(saved), "--data", str(data))
    monkeypatch.setattr(backup, "embedded", lambda data: full(embedded_engine(data)))
    said = refused("restore", str(saved), "--data", str(new))
    assert said == f"--data: {new}: database or disk is full"
    assert [path.name for path in new.iterdir()] == ["serving.lock"]


@pytest.mark.parametrize("word", ["backup", "restore"])
def test_an_address_that_is_none_is_one_line(tmp_path: Path, word: str) -> None:
    (tmp_path / "file").write_text("no backup, but long enough for a header " * 9)
    name = str(tmp_path / ("file" if word == "restore" else "new"))
    assert refused(word, name, "--database", "mysql://nobody")
