"""The interface of a store: events of tables, people, sessions and return links."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final, NamedTuple, Protocol

from rookery.server.clock import Judged, Mark
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.people.attempts import Attempts
from rookery.server.store.people.mistakes import Mistakes
from rookery.server.store.people.rated import Rated
from rookery.server.store.people.sheets import Sheets
from rookery.server.store.timeline import Timeline
from rookery.server.table.events import Entry
from rookery.server.table.state import Table, Who

# Writing waits while a file is compacted, so it is not done for every deleted table.
GATHERED: Final = 6 * 3_600_000  # milliseconds


class StoreError(Exception):
    """Something could not be stored; none of it was. Code: ``storage``."""

    code = "storage"


class Unreadable(StoreError):
    """A table holds what this version does not know, as one that a later version has written."""


class Conflict(StoreError):
    """An event with that number, or of that command, is already stored."""


class Fenced(Conflict):
    """Another server owns the table now; nothing was stored."""


class InDoubt(Conflict):
    """The connection broke during a commit: only the database knows whether it was done."""


class Leaving(StoreError):
    """This server is shutting down; others store what it no longer does."""


class Partly(StoreError):
    """Some of several databases do not answer; `found` is what the others say."""

    def __init__(self, reason: str, found: list[str]) -> None:
        super().__init__(reason)
        self.found = found


class TableRow(NamedTuple):
    """What is stored beside a table's events, to find it without reading them.

    Attributes:
        open: whether it is listed for strangers.
        phase: ``lobby``, ``playing`` or ``over``.
        made_at: when it was made, milliseconds since 1970.
        touched_at: when something last happened there.
        version: how often its events have changed.
    """

    code: str
    open: bool
    phase: str
    made_at: int
    touched_at: int
    version: int = 0


def row_of(table: Table, now: int) -> TableRow:
    """Return what is stored beside the events of a table that has just changed."""
    return TableRow(table.code, table.open, table.phase, table.made_at, now)


class Report(NamedTuple):
    """A report about another player.

    Attributes:
        at: when, milliseconds since 1970.
        person: who reported it.
        reason: the reason, in the reporter's words.
        seq: the number of its event at the table.
    """

    code: str
    at: int
    person: str
    accused: str
    reason: str
    seq: int = 0


class Visitor(NamedTuple):
    """The person behind a session token.

    Attributes:
        since: when the token became valid, milliseconds since 1970.
        blocked: the people whose messages the person has blocked.
    """

    who: Who
    since: int
    blocked: frozenset[str]


class Token(NamedTuple):
    """A session of a person, by the hash of its token.

    Attributes:
        begun: when somebody signed in, milliseconds since 1970; 0 where that was not noted.
        used: when its time last began anew.
        device: what it is used with, in a word or two; empty where that is unknown.
    """

    hash: str
    begun: int
    used: int
    device: str = ""


class Passkey(NamedTuple):
    """A public key by which a person comes back; bytes are written in base64url.

    Attributes:
        credential: the name under which the person's device has it.
        handle: the name under which the device knows the person, random and no public number.
        key: the public key, as COSE has it.
        counted: how often the device says that it was used; 0 where it does not count.
        made: when it was made, milliseconds since 1970.
        used: when it was last used.
        device: with what it was made, in a word or two; empty where that is unknown.
    """

    credential: str
    person: str
    handle: str
    key: str
    counted: int
    made: int
    used: int
    device: str = ""


def goes_on(before: int, after: int) -> bool:
    """Return whether a device's count is as it should be after another.

    Most devices do not count, and say 0.

    >>> goes_on(0, 0), goes_on(4, 5), goes_on(4, 4), goes_on(4, 0)
    (True, True, False, False)
    """
    return after > before or after == before == 0


class Challenge(NamedTuple):
    """A challenge that was answered, and until when it would be good otherwise."""

    text: str
    expires: int


class OneDatabase:
    """What is so of every store in one database: the tables of all codes are there.

    Attributes:
        places: the databases in which tables are, see `names.place_of`.
    """

    places: Sequence[str] = ("",)

    def new_place(self) -> str:
        """Return in which database a new table is to be: what its code ends with."""
        return ""


class Store(Protocol):
    """A store; every method returns when its changes are durable, or it raises `StoreError`.

    Attributes:
        kind: its name for people, such as ``SQLite``.
        version: the database's version, see `migrate`; None where it has none.
        took: is called with how long each write took until it was durable, seconds.
        attempts: the attempts at daily deals.
        mistakes: what people with a passkey want to be asked about again.
        sheets: the score sheets of games with real cards.
        rated: who is rated, at which table and with strangers.
        places: the databases in which tables are, see `names.place_of`.
    """

    kind: str
    version: str | None
    took: Callable[[float], object]
    attempts: Attempts
    mistakes: Mistakes
    sheets: Sheets
    rated: Rated

    @property
    def places(self) -> Sequence[str]: ...  # noqa: D102

    def new_place(self) -> str:
        """Return in which database a new table is to be: what its code ends with."""

    async def know(self, judge: Callable[[Mark | None], Judged]) -> Judged:
        """Return what `judge` makes of what is known of the time, and note it.

        Where nothing is noted, the newest stored time is what is known; None where there is none.
        """

    async def timeline(self, place: str = "") -> Timeline:
        """Return a database's timeline; another one begins where it was brought back."""

    async def begin_timeline(self, since: str, place: str = "") -> Timeline:
        """Return the timeline that has begun after the one called `since`; begin it if none has."""

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        """Store a table's next events, all or none.

        Raises:
            Conflict: an event with that number, or of that command, is already stored; or it is
                unknown whether these were stored. The caller has to read the table again.
            Fenced: another server owns the table now, under a later lease.
            StoreError: the disk is full, read-only or gone; nothing was stored.
        """

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[Entry]:
        """Return a table's events after number `after`, in order, the first so many of them.

        The list is empty where there is no such table. Raises `Unreadable` where one of them is.
        """

    async def done(self, code: str, client: str) -> int | None:
        """Return the number of a command's first event; None where it has none.

        `client` names the command as `Entry.client` does.
        """

    async def listed(self, most: int) -> list[TableRow]:
        """Return the tables that strangers may join, the most recently used first."""

    async def past(self, lobby: int, begun: int) -> list[TableRow]:
        """Return tables last used before `begun`, or before `lobby` if their match never began."""

    async def row(self, code: str) -> TableRow | None:
        """Return what is stored beside a table's events; None where there is no such table."""

    async def said(self, since: int, until: int) -> list[str]:
        """Return the codes of tables where somebody chatted after `since`, up to `until`.

        Both in milliseconds since 1970; quick phrases do not count. Raises as `traces_of` does.
        """

    async def reports(self, most: int, since: int = 0) -> list[Report]:
        """Return the latest reports after `since`, newest first."""

    async def rewrite(self, code: str, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        """Replace entries of a table by these, by number.

        Raises:
            Fenced: another server owns the table now.
        """

    async def retire(self, code: str, lease: Lease = UNOWNED) -> None:
        """Delete a table; raise `Fenced` where another server owns it now."""

    async def tables_of(self, person: str) -> list[TableRow]:
        """Return the tables where a person has sat, the latest first."""

    async def traces_of(self, person: str) -> list[str]:
        """Return the codes of the tables where a person has sat, or said or reported something.

        Raises:
            Partly: one of several databases does not answer.
        """

    async def add_person(self, who: Who, token: str, now: int, device: str = "") -> None:
        """Store a new person with the hash of a token."""

    async def rename(self, person: str, name: str) -> None:
        """Store a person's new name."""

    async def add_token(self, person: str, token: str, now: int, device: str = "") -> None:
        """Store the hash of another token of a person."""

    async def drop_token(self, token: str) -> None:
        """Delete the hash of a token."""

    async def tokens(self, person: str, since: int, most: int) -> list[Token]:
        """Return a person's tokens that are valid since later than `since`, latest used first."""

    async def sign_out(self, person: str, but: str, only: str = "") -> list[str]:
        """Delete a person's tokens but one, and all their return links; return the deleted ones.

        With `only`, of the tokens those whose hash begins with that.
        """

    async def valid(self, tokens: Collection[str], since: int) -> set[str]:
        """Return those of the tokens that are there, and valid since later than `since`."""

    async def person(self, token: str, since: int = 0) -> Who | None:
        """Return the person of a token by its hash, if it is valid since later than `since`."""

    async def visitor(self, token: str, since: int = 0) -> Visitor | None:
        """Return the person of a token, with what a socket needs to know, in one look-up."""

    async def apart(self, person: str, others: Collection[str]) -> set[str]:
        """Return those of the others whom a person has blocked, or who have blocked the person."""

    async def renew(self, token: str, now: int, before: int) -> bool:
        """Renew a token to `now` if it is valid since `before` or earlier; return whether."""

    async def forget(self, person: str, now: int) -> None:
        """Delete a person, what signs them in, what is theirs alone and the text of their reports.

        The person stays one of `unfinished` until `forgotten` is called, after their tables are
        done too. So whatever ends this process, the work is resumed.
        """

    async def unfinished(self) -> list[str]:
        """Return the people who asked to be forgotten and are still named at tables."""

    async def forgotten(self, person: str, wiped: Collection[str]) -> None:
        """Overwrite at which tables a person was, if all are `wiped`; `StoreError` if it cannot."""

    async def dropping(self, now: int) -> None:
        """Note `now` that expired data are about to be deleted: `compact` overwrites them."""

    async def dropped(self) -> bool:
        """Overwrite what has just been deleted; return whether that could be done now."""

    async def compact(self, since: int) -> bool:
        """Overwrite in the file what `forget` deleted up to `since`.

        Overwrite too what `dropping` or `expire` noted up to `GATHERED` before. Return whether
        there was something to do, and it was done. All other writing waits meanwhile.
        """

    async def expire(self, since: int, now: int) -> bool:
        """Delete expired links, and tokens, their people and reports up to `since`.

        Return whether there were any; if so, that is noted as by `dropping`.
        """

    async def add_return(self, person: str, token: str, expires: int, by: str = "") -> None:
        """Store the hash of a return link, valid once and until `expires`.

        Nothing is stored where it was asked for `by` a token that is not there any more.
        """

    async def take_return(self, token: str, now: int, fresh: Token | None = None) -> Who | None:
        """Use up a return link; return its person, or None where it is not valid.

        A `fresh` token of the person is stored with that, or not at all.
        """

    async def secret(self, name: str, fresh: str) -> str:
        """Return the secret of that name; where there is none, it is `fresh`, if that is any."""

    async def passkeys(self, person: str) -> list[Passkey]:
        """Return a person's passkeys, the oldest first."""

    async def passkey(self, credential: str) -> Passkey | None:
        """Return the passkey of that name."""

    async def add_passkey(self, passkey: Passkey, spent: Challenge, by: str, most: int) -> bool:
        """Store a passkey and its challenge, which was answered; return whether that was done.

        It is not where the challenge was answered before, its name is taken, the person has `most`
        already, or was asked for `by` a token that is not there any more.
        """

    async def use_passkey(
        self, credential: str, count: int, since: int, spent: Challenge, fresh: Token
    ) -> Who | None:
        """Sign its person in by a passkey, with a token; return the person.

        None where the challenge was answered before, the passkey is not there, its count does not
        go on, or the person was not seen since later than `since`.
        """

    async def drop_passkey(self, person: str, credential: str) -> None:
        """Delete a passkey of a person, and with the last one the person's mistakes."""

    async def ping(self) -> None:
        """Return if the store answers; raise `StoreError` if it does not."""

    async def close(self) -> None:
        """Finish pending writes and close."""
