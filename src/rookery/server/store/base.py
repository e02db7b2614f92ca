"""What the server keeps, behind an interface: events of tables, people, return links."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol, runtime_checkable

from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.table.events import Entry
from rookery.server.table.state import Who

# All writing waits while a file is compacted, so that is not done for every table that goes.
GATHERED: Final = 6 * 3_600_000  # milliseconds


class StoreError(Exception):
    """Something could not be stored: nothing of it was. Code: ``storage``."""

    code = "storage"


class Conflict(StoreError):
    """Somebody else has written the event of that number, or a command's event, already."""


class Fenced(Conflict):
    """Somebody else has the table now; nothing was stored."""


class InDoubt(Conflict):
    """The line to the database broke in the middle of a commit: only the database knows its end."""


class TableRow(NamedTuple):
    """What is kept beside a table's events, to find it without reading them.

    Attributes:
        code: the table's code.
        open: whether it is listed for strangers.
        phase: ``lobby``, ``playing`` or ``over``.
        made_at: when it was made, milliseconds since 1970.
        touched_at: when something last happened there.
        version: how often its events have changed, as the store counts.
    """

    code: str
    open: bool
    phase: str
    made_at: int
    touched_at: int
    version: int = 0


class Report(NamedTuple):
    """What somebody has reported of another player.

    Attributes:
        code: the table where it was.
        at: when, milliseconds since 1970.
        person: who has reported it.
        accused: whom.
        reason: why, in that person's words.
    """

    code: str
    at: int
    person: str
    accused: str
    reason: str


class Visitor(NamedTuple):
    """Somebody who comes with a token.

    Attributes:
        who: the person.
        since: when the token began to count, milliseconds since 1970.
        blocked: whom the person does not want to hear from.
    """

    who: Who
    since: int
    blocked: frozenset[str]


@runtime_checkable
class Timed(Protocol):
    """A store that tells how long each thing took until it was durable, seconds."""

    took: Callable[[float], object]


class Store(Protocol):
    """A place that keeps things; every method returns when they are durable.

    Attributes:
        kind: what it is, for people: ``SQLite``, ``PostgreSQL``, ``memory``.
        version: of the database, as `migrate` counts; None where there is none.
    """

    kind: str
    version: str | None

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        """Keep a table's next events, all or none.

        Raises:
            Conflict: an event of that number, or of that command, is there already; or it is not
                known whether these were kept. Whoever asked has to read the table again.
            Fenced: somebody else has the table now, under a later lease.
            StoreError: the disk is full, read-only or gone; nothing was kept.
        """

    async def read(self, code: str, after: int = 0) -> list[Entry]:
        """Return a table's events in order, those later than number `after`.

        None where there is no such table.
        """

    async def done(self, code: str, client: str) -> int | None:
        """Return the number of the event that a command was; None where it was none.

        `client` is the command as `Entry.client` names it.
        """

    async def tables(self) -> list[TableRow]:
        """Return all tables, the one last touched first."""

    async def listed(self, most: int) -> list[TableRow]:
        """Return the tables that strangers may join, the one last touched first."""

    async def past(self, lobby: int, begun: int) -> list[TableRow]:
        """Return tables that were last touched so long ago, if they began or if they did not."""

    async def row(self, code: str) -> TableRow | None:
        """Return what is kept beside a table's events; None where there is no such table."""

    async def said(self, since: int, until: int) -> list[str]:
        """Return the codes of tables where somebody wrote something after `since`, until `until`.

        Both in milliseconds since 1970; quick phrases do not count.
        """

    async def reports(self, most: int) -> list[Report]:
        """Return what was last reported, the latest first."""

    async def rewrite(self, code: str, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        """Put these entries of a table in place of those of the same numbers.

        Raises:
            Fenced: somebody else has the table now.
        """

    async def retire(self, code: str, lease: Lease = UNOWNED) -> None:
        """Forget a table.

        Raises:
            Fenced: somebody else has the table now.
        """

    async def tables_of(self, person: str) -> list[str]:
        """Return the codes of the tables where a person has sat, the last one first."""

    async def traces_of(self, person: str) -> list[str]:
        """Return the codes of the tables where a person has sat, or said or reported something."""

    async def add_person(self, who: Who, token: str, now: int) -> None:
        """Keep a new person with the hash of a token."""

    async def rename(self, person: str, name: str) -> None:
        """Keep a person's new name."""

    async def add_token(self, person: str, token: str, now: int) -> None:
        """Let the hash of one more token stand for a person."""

    async def drop_token(self, token: str) -> None:
        """Let the hash of a token stand for nobody any more."""

    async def person(self, token: str, since: int = 0) -> Who | None:
        """Return whom the hash of a token stands for that was given out later than `since`."""

    async def visitor(self, token: str, since: int = 0) -> Visitor | None:
        """Return `person` with all that a socket has to know of somebody, looked up at once."""

    async def renew(self, token: str, now: int, before: int) -> bool:
        """Count a token from `now` on if it counts from `before` or earlier; return whether."""

    async def forget(self, person: str, now: int) -> None:
        """Drop a person's name, tokens, return links, blocks and words of reports.

        Until `forgotten` says that the person's tables are done too, the person is one of
        `unfinished`: whatever ends this process, somebody goes on with it.
        """

    async def unfinished(self) -> list[str]:
        """Return who is to be forgotten and still stands at tables."""

    async def forgotten(self, person: str) -> None:
        """Drop at which tables a person was; what is dropped is overwritten."""

    async def dropping(self, now: int) -> None:
        """Note that something is about to be dropped because its time is up.

        `compact` ends it, `GATHERED` later; `now` in milliseconds since 1970.
        """

    async def dropped(self) -> bool:
        """Overwrite what has just been dropped; return whether that could be done now."""

    async def compact(self, since: int) -> bool:
        """Leave nothing in unused parts of the file of whom `forget` was called for until `since`.

        The same of what `dropping` or `expire` noted until `GATHERED` before. Return whether there
        was something to do, and it was done. All other writing waits meanwhile.
        """

    async def expire(self, since: int, now: int) -> bool:
        """Drop void links, and tokens, their people and reports not later than `since`.

        Return whether there were any, which is noted as by `dropping`.
        """

    async def add_return(self, person: str, token: str, expires: int) -> None:
        """Keep the hash of a return link, good once and until `expires`."""

    async def take_return(self, token: str, now: int) -> Who | None:
        """Use a return link up; return whose it was, None where it is not good."""

    async def ping(self) -> None:
        """Return if the store answers; raise `StoreError` if it does not."""

    async def close(self) -> None:
        """Keep what is on its way and end."""
