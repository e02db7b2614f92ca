"""The timeline of a database: another one begins where it is brought back to an earlier time.

Who was at a table before may know what it holds now: the hand under way, and the key of the next
deal. So in another timeline neither is used, see `rookery.server.table.dealing.promised_anew`.
`rookery restore` begins one, and so does a server that finds its database brought back otherwise:

- An SQLite database has fewer commits than the file beside it says, or lacks that file; see
  `CommitCount`.
- A PostgreSQL database lies in another cluster, or in another timeline of its cluster.
- A client shows the mark of an event that the database does not have, see `Timeline.mark`.

SQLAlchemy is imported late: a table in a browser has a timeline too, and no such database.
"""

from __future__ import annotations

import hmac
import logging
import os
import re
import secrets
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from rookery.server.table.state import Table

log = logging.getLogger(__name__)

FILE: Final = "rookery.commits"
_MARK: Final = re.compile(r"([1-9][0-9]{0,15})-[0-9a-f]{24}")
_ID_DIGITS: Final = 32


class Timeline(NamedTuple):
    """A timeline of a database.

    Attributes:
        id: what tells it from others; empty for the first.
        secret: by which marks are made, hexadecimal.
    """

    id: str
    secret: str

    def mark(self, table: Table, seq: int) -> str:
        """Return what proves to this server that a client was told event `seq` of a table.

        A device may use the code of a table that was deleted for another one, but the time when it
        was made is the server's.

        >>> from rookery.server.table.state import Table
        >>> Timeline("", "00").mark(Table("ABCDEF2"), 7)
        '7-27b30014ab699d077b0aabae'
        """
        made = _keyed(self.secret).copy()
        made.update(f"{self.id}:{table.code}:{table.made_at}:{seq}".encode())
        return f"{seq}-{made.hexdigest()[:24]}"

    def seen(self, table: Table, mark: str) -> int:
        """Return the number of the event that a mark proves; 0 where it proves none.

        >>> from rookery.server.table.state import Table
        >>> line, table = Timeline("", "00"), Table("ABCDEF2")
        >>> line.seen(table, line.mark(table, 7)), line.seen(table, "7-00")
        (7, 0)
        """
        found = _MARK.fullmatch(mark)
        if found is None or not hmac.compare_digest(self.mark(table, int(found[1])), mark):
            return 0
        return int(found[1])


@lru_cache(maxsize=2)
def _keyed(secret: str) -> hmac.HMAC:
    return hmac.new(bytes.fromhex(secret), digestmod="sha256")


def fresh() -> Timeline:
    """Return a timeline that nobody has been in."""
    return Timeline(secrets.token_hex(_ID_DIGITS // 2), secrets.token_hex(32))


def begin(connection: Connection, why: str = "") -> Timeline:
    """Begin another timeline in a database; say in the log why, where nobody asked for it."""
    from sqlalchemy import update

    from rookery.server.store import schema as db

    found = fresh()
    connection.execute(update(db.timeline).values(**found._asdict()))
    if why:
        log.warning("another timeline begins, and hands under way are thrown in: %s", why)
    return found


def known(connection: Connection) -> tuple[Timeline, Row[Any]]:
    """Return a database's timeline, and its whole row; the first one gets its secret here."""
    from sqlalchemy import select, update

    from rookery.server.store import schema as db

    row = connection.execute(select(db.timeline).with_for_update()).one()
    if row.secret:
        return Timeline(row.id, row.secret), row
    found = Timeline(row.id, secrets.token_hex(32))
    connection.execute(update(db.timeline).values(secret=found.secret))
    return found, row


def begin_after(connection: Connection, since: str, why: str) -> Timeline:
    """Return the timeline that has begun after the one called `since`; begin it if none has."""
    found, _ = known(connection)
    return found if found.id != since else begin(connection, why)


def at_place(connection: Connection, place: str) -> Timeline:
    """Return the timeline of a database that lies at `place`, another one where it has moved."""
    from sqlalchemy import update

    from rookery.server.store import schema as db

    found, row = known(connection)
    if row.place != place:
        if row.place:
            found = begin(connection, "the database was brought back, or lies elsewhere")
        connection.execute(update(db.timeline).values(place=place))
    return found


class CommitCount:
    """How many commits a database has, in a file beside it: a copy of the database lacks the file.

    The file follows after each commit and is not synced: after a crash it may be behind, never
    ahead.
    """

    def __init__(self, folder: Path) -> None:
        """Use the file in `folder`; `agreed` opens it."""
        self._path = folder / FILE
        self._file: int | None = None

    def agreed(self, connection: Connection) -> Timeline:
        """Return the database's timeline: another one where the file knows of later commits.

        Raises:
            OSError: the file cannot be written.
        """
        found, row = known(connection)
        said = self._read()
        is_new = said is None and not row.commits  # or of a program that kept no count
        if not is_new and (said is None or said[0] != found.id or said[1] > row.commits):
            found = begin(connection, "the database was brought back, or copied from elsewhere")
        self.close()
        self._file = os.open(
            self._path, os.O_WRONLY | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600
        )
        self._write(self._file, found.id, row.commits)
        os.ftruncate(self._file, len(self._line("", 0)))
        os.fsync(self._file)
        return found

    def follow(self, timeline: str, commits: int) -> None:
        """Note a commit that is durable."""
        if self._file is not None:
            with suppress(OSError):  # then a copy that is brought back shows less well
                self._write(self._file, timeline, commits)

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _read(self) -> tuple[str, int] | None:
        """Return the timeline and the commits that the file knows of; None where it knows none."""
        try:
            text = self._path.read_text("ascii", "replace")
        except FileNotFoundError:
            return None
        words = text.split()
        if len(text) != len(self._line("", 0)) or not words or not words[-1].isdecimal():
            return "unreadable", 0
        return "".join(words[:-1]), int(words[-1])

    def _write(self, file: int, timeline: str, commits: int) -> None:
        line = self._line(timeline, commits)
        if sys.platform == "win32":
            os.lseek(file, 0, os.SEEK_SET)
            os.write(file, line)
        else:  # one call of the system: after each of them a thread waits for the event loop
            os.pwrite(file, line, 0)

    @staticmethod
    def _line(timeline: str, commits: int) -> bytes:
        """Return the file's one line, always of the same length: it is overwritten in place."""
        return f"{timeline:>{_ID_DIGITS}} {commits:>20}\n".encode()
