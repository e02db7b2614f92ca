"""What servers say of themselves and of their tables, in PostgreSQL, by its clock alone."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from rookery.server.store.leases import Elsewhere, Lease

_KEPT: Final = 86_400_000  # milliseconds that a server that is gone stays in the list
_GONE: Final = 120_000  # how far back people who asked to be forgotten are looked for

# Milliseconds since 1970, by the database's clock: no server's own clock decides anything.
_CAME = text(
    "INSERT INTO servers (address, secret, beat_at)"
    " VALUES (:address, :secret, (extract(epoch from clock_timestamp()) * 1000)::bigint)"
    " ON CONFLICT (address) DO UPDATE SET secret = excluded.secret, beat_at = excluded.beat_at"
)
_BEAT = text(
    "UPDATE servers SET beat_at = (extract(epoch from clock_timestamp()) * 1000)::bigint"
    " WHERE address = :address AND secret = :secret"
)
_NOW = text("SELECT (extract(epoch from clock_timestamp()) * 1000)::bigint")
_FIRST = text("SELECT min(address) FROM servers WHERE beat_at > :since")
_LEFT = text("DELETE FROM servers WHERE beat_at < :since")
_HELD = text("SELECT table_id, epoch FROM tables WHERE owner = :address")
_FORGOTTEN = text("SELECT person FROM forgotten WHERE at > :since")
_WHOSE = text(
    "SELECT t.owner, s.secret, t.epoch, t.owner IS NULL OR s.beat_at IS NULL OR s.beat_at <"
    " (extract(epoch from clock_timestamp()) * 1000)::bigint - :silence"
    " FROM tables t LEFT JOIN servers s ON s.address = t.owner WHERE t.table_id = :code"
)
_TAKEN = text(
    "UPDATE tables SET owner = :address, epoch = epoch + 1"
    " WHERE table_id = :code AND epoch = :epoch RETURNING epoch"
)
_GIVEN = text(
    "UPDATE tables SET owner = NULL WHERE table_id = :code AND owner = :address AND epoch = :epoch"
)
_ALL_GIVEN = text("UPDATE tables SET owner = NULL WHERE owner = :address")
_SAID_GOODBYE = text("DELETE FROM servers WHERE address = :address AND secret = :secret")


class Server(NamedTuple):
    """One server: where others find it, and by which word it knows them."""

    address: str
    secret: str


class Beat(NamedTuple):
    """What a server finds when it says that it is alive.

    Attributes:
        replaced: whether another one has come under the same address.
        leads: whether it is the first of all that live.
        held: the tables it has by what the database says, with their leases.
        gone: who has asked to be forgotten lately.
    """

    replaced: bool
    leads: bool
    held: dict[str, Lease]
    gone: list[str]


def come(connection: Connection, me: Server) -> None:
    """Say that a server is there, in place of one of the same address."""
    connection.execute(_CAME, me._asdict())
    connection.execute(_LEFT, {"since": connection.scalar(_NOW) - _KEPT})


def beat(connection: Connection, me: Server, silence: int) -> Beat:
    """Say that a server is alive; those silent for `silence` milliseconds are not."""
    known = connection.execute(_BEAT, me._asdict()).rowcount == 1
    now = connection.scalar(_NOW)
    first = connection.scalar(_FIRST, {"since": now - silence})
    rows = connection.execute(_HELD, {"address": me.address})
    held = {code: Lease(me.address, epoch) for code, epoch in rows}
    gone = list(connection.scalars(_FORGOTTEN, {"since": now - _GONE}))
    return Beat(not known, first == me.address, held, gone)


def take(
    connection: Connection, me: Server, code: str, silence: int | None, *, by_force: bool
) -> Lease | Elsewhere | None:
    """Return the lease of a table, or who has it; None where there is no such table.

    It is taken where nobody has it, or who has it is silent for so long: for ever where `silence`
    is None.
    """
    while True:
        asked = {"code": code, "silence": 1 << 60 if silence is None else silence}
        found = connection.execute(_WHOSE, asked).first()
        if found is None:
            return None
        owner, secret, epoch, free = found
        if not free and owner != me.address and not by_force:
            return Elsewhere(owner, secret)
        mine = {"code": code, "address": me.address, "epoch": epoch}
        taken = connection.scalar(_TAKEN, mine)
        if taken is not None:
            return Lease(me.address, taken)
        # Somebody else was quicker: look again.


def give(connection: Connection, me: Server, code: str, lease: Lease) -> None:
    """Let any server take a table."""
    connection.execute(_GIVEN, {"code": code, "address": me.address, "epoch": lease.epoch})


def leave(connection: Connection, me: Server) -> None:
    """Let any server take all that this one has, and say goodbye."""
    if connection.execute(_SAID_GOODBYE, me._asdict()).rowcount == 1:
        connection.execute(_ALL_GIVEN, {"address": me.address})
