"""Writes a table's events as rows, with the index rows that belong to them."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Final

from msgspec.structs import replace
from sqlalchemy import Connection, Dialect, Select, Table, delete, insert, select, text, update

from rookery.server.store import schema as db
from rookery.server.store.base import Fenced, TableRow
from rookery.server.store.leases import Lease
from rookery.server.table.events import (
    Blocked,
    Chatted,
    Entry,
    Reported,
    Sat,
    maker_of,
    read,
    written,
)

# A former owner that does not know of its lost lease changes no row. Nor does one whose database
# was brought back to a time before the event that is followed: a log has no gap.
_FOLLOWED: Final = text(
    "UPDATE tables SET open = :open, phase = :phase, touched_at = :touched_at,"
    " version = version + 1 WHERE table_id = :table_id AND epoch = :epoch"
    " AND EXISTS (SELECT 1 FROM events WHERE table_id = :table_id AND seq = :before)"
)
_REWRITTEN: Final = text(
    "UPDATE tables SET version = version + 1 WHERE table_id = :table_id AND epoch = :epoch"
)
_WORDS: Final = text(
    "UPDATE events SET body = :body, client_id = :client_id"
    " WHERE table_id = :table_id AND seq = :seq"
)
_T: Final = db.tables.c
ROWS: Final = select(_T.table_id, _T.open, _T.phase, _T.made_at, _T.touched_at, _T.version)


class LogRows:
    """The statements for one kind of database, built once: that takes longer than running them.

    Whatever changes a table raises `Fenced` where another server owns it now.
    """

    def __init__(self, dialect: Dialect) -> None:
        self._is_sqlite = dialect.name == "sqlite"
        self._added = str(insert(db.events).compile(dialect=dialect))
        self._followed = str(_FOLLOWED.compile(dialect=dialect))
        self._words = str(_WORDS.compile(dialect=dialect))
        # Imports take most of a start, so each dialect is imported only where it is used.
        self._insert: Any = import_module(f"sqlalchemy.dialects.{dialect.name}").insert

    def append(
        self, connection: Connection, row: TableRow, entries: Sequence[Entry], lease: Lease
    ) -> None:
        """Write a table's next events."""
        # First the row that all writers of the table lock: a later writer waits here.
        line = {"table_id": row.code, "open": int(row.open), "phase": row.phase}
        line |= {"touched_at": row.touched_at, "epoch": lease.epoch}
        if entries[0].seq == 1:
            new = {**line, "made_at": row.made_at, "owner": lease.owner, "version": 1}
            connection.execute(insert(db.tables).values(new))
        else:
            before = entries[0].seq - 1
            if self._run(connection, self._followed, [{**line, "before": before}]) != 1:
                raise Fenced(f"table {row.code} has another owner, or lacks event {before}")
        self._run(connection, self._added, [_line(row.code, entry) for entry in entries])
        for entry in entries:
            self._follow(connection, row.code, entry)

    def _run(
        self, connection: Connection, statement: str, lines: Sequence[dict[str, object]]
    ) -> int:
        """Execute a statement for each of some lines; return how many rows it has changed.

        With SQLite straight by the driver: through SQLAlchemy it would take four times as long.
        """
        if self._is_sqlite:
            driver: Any = connection.connection.driver_connection
            return int(driver.executemany(statement, lines).rowcount)
        # A statement for one row needs one round trip; one for many rows needs two.
        found = connection.exec_driver_sql(statement, lines[0] if len(lines) == 1 else list(lines))
        return found.rowcount

    def rewrite(
        self, connection: Connection, code: str, entries: Sequence[Entry], lease: Lease
    ) -> None:
        """Replace entries by these, by number."""
        key = {"table_id": code, "epoch": lease.epoch}
        if connection.execute(_REWRITTEN, key).rowcount != 1:
            raise Fenced(f"table {code} has another owner")
        if entries:
            self._run(connection, self._words, [_line(code, entry) for entry in entries])

    def retire(self, connection: Connection, code: str, lease: Lease) -> None:
        """Delete a table."""
        t = db.tables.c
        gone = connection.execute(
            delete(db.tables).where(t.table_id == code, t.epoch == lease.epoch)
        )
        if gone.rowcount != 1:
            raise Fenced(f"table {code} has another owner")
        for table in (db.events, db.seated, db.spoke, db.rated, db.rated_matches):
            connection.execute(delete(table).where(table.c.table_id == code))

    def once(self, connection: Connection, table: Table, **values: object) -> None:
        """Write a row unless it exists."""
        line = self._insert(table).values(**values)
        connection.execute(line.on_conflict_do_nothing())

    def _follow(self, connection: Connection, code: str, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, Sat):
            self.once(connection, db.seated, person=event.person, table_id=code)
        if isinstance(event, Chatted | Reported):
            self.once(connection, db.spoke, person=event.person, table_id=code)
        if (maker := maker_of(entry)) is not None:
            self.once(connection, db.spoke, person=maker, table_id=code)
        if isinstance(event, Blocked):
            self.once(connection, db.blocks, person=event.person, blocked=event.blocked)
        elif isinstance(event, Reported):
            said = {"person": event.person, "accused": event.accused, "reason": event.reason}
            place = {"table_id": code, "seq": entry.seq, "at": entry.at}
            connection.execute(insert(db.reports).values({**place, **said}))


def said_at(since: int, until: int) -> Select[str]:
    """Return what asks at which tables somebody wrote something; see `Store.said`."""
    e, t = db.events.c, db.tables.c
    # Events have no index by time, but few tables have any in this period.
    spoken = select(db.spoke.c.table_id).join(db.tables, db.spoke.c.table_id == t.table_id)
    spoken = spoken.where(t.touched_at > since, t.made_at <= until)
    query = select(e.table_id).where(e.table_id.in_(spoken), e.at > since, e.at <= until)
    # As `events.written` writes it; deleted chat has an empty text.
    query = query.where(e.body.like('{"type":"chatted"%'), e.body.like('%"text":"_%'))
    return query.where(e.body.not_like('%"text":""%')).distinct()


def without_reasons(connection: Connection, until: int) -> bool:
    """Take the words out of the reports at tables until then; return whether there were any."""
    e, t = db.events.c, db.tables.c
    # As in `said_at`, few tables were made so long ago.
    spoken = select(db.spoke.c.table_id).join(db.tables, db.spoke.c.table_id == t.table_id)
    old = select(e.table_id, e.seq, e.body).where(
        e.table_id.in_(spoken.where(t.made_at <= until)),
        e.at <= until,
        e.body.like('{"type":"reported"%'),
        e.body.not_like('%"reason":""}'),
    )
    found = connection.execute(old).all()
    for code, seq, body in found:
        event = read(body)
        if isinstance(event, Reported):
            one = update(db.events).where(e.table_id == code, e.seq == seq)
            connection.execute(one.values(body=written(replace(event, reason=""))))
    return bool(found)


def seats_of(person: str) -> Select[Any]:
    """Return what asks for the tables where a person has sat; see `Store.tables_of`."""
    t, s = db.tables.c, db.seated.c
    query = ROWS.join(db.seated, s.table_id == t.table_id)
    return query.where(s.person == person).order_by(t.touched_at.desc())


def _line(code: str, entry: Entry) -> dict[str, object]:
    return {
        "table_id": code,
        "seq": entry.seq,
        "at": entry.at,
        "client_id": entry.client,
        "body": written(entry.event),
    }
