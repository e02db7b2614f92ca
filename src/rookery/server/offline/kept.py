"""A store in memory that keeps tables, and the one person of a device, on a shelf of texts.

In a browser that shelf is IndexedDB. Events are written as a server writes them: one is never
replaced by an action, and of two pages that go on with one table only the first can.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

import msgspec

from rookery.server.store.base import Conflict, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.memory import MemoryStore, clients_of
from rookery.server.table.events import Chatted, Entry, Reported, Sat
from rookery.server.table.state import Who

PERSON: Final = "person"
_Kept = TypeVar("_Kept", TableRow, Who)
_ENTRIES: Final[msgspec.json.Decoder[Entry]] = msgspec.json.Decoder(Entry)
_WRITER: Final = msgspec.json.Encoder()


class Shelf(Protocol):
    """Keeps texts by their keys; every method returns when its changes are durable.

    Raises:
        StoreError: it cannot be read or written, from any method; nothing was changed.
    """

    async def load(self, prefix: str) -> list[tuple[str, str]]:
        """Return what is kept under keys that begin with `prefix`, in their order."""

    async def write(
        self, new: Mapping[str, str], changed: Mapping[str, str], gone: Sequence[str]
    ) -> bool:
        """Change all or nothing; return False where one of the `new` keys is there already.

        `gone` are prefixes: whatever is kept under them goes.
        """


class KeptStore(MemoryStore):
    """Keeps tables and one person on a shelf; all else until the process ends.

    Attributes:
        me: the person of this device; None while they have no name.
    """

    kind = "shelf"

    def __init__(self, shelf: Shelf) -> None:
        """Begin empty; `open` looks at what is there."""
        super().__init__()
        self._shelf = shelf
        self.me: Who | None = None

    async def open(self) -> None:
        """Find the person of this device, and their tables.

        Raises:
            StoreError: the shelf cannot be read.
        """
        for _, text in await self._shelf.load("row/"):
            if (row := _read(TableRow, text)) is not None:
                self.rows[row.code] = row
        for _, text in await self._shelf.load(PERSON):
            if (who := _read(Who, text)) is not None:
                self.me = self._people[who.id] = who

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        """Store a table's next events, all or none; see `Store`."""
        await self._all_of(row.code)
        self._check(row.code, entries)
        version = self.rows.get(row.code, row).version + 1
        new = {_key(row.code, entry.seq): _text(entry) for entry in entries}
        if not await self._shelf.write(new, _row(row._replace(version=version)), ()):
            # Another page has gone on with this table: what is known here is not all of it.
            self._forget(row.code)
            raise Conflict(f"table {row.code} was changed elsewhere")
        await super().append(row, entries, lease)

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[Entry]:
        """Return a table's events after number `after`, in order, the first so many of them."""
        return (await self._all_of(code))[after:][:most]

    async def done(self, code: str, client: str) -> int | None:
        """Return the number of a command's first event; None where it has none."""
        await self._all_of(code)
        return await super().done(code, client)

    async def rewrite(self, code: str, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        """Replace entries of a table by these, by number."""
        await self._all_of(code)
        row = self.rows[code]
        changed = {_key(code, entry.seq): _text(entry) for entry in entries}
        await self._shelf.write({}, changed | _row(row._replace(version=row.version + 1)), ())
        await super().rewrite(code, entries, lease)

    async def retire(self, code: str, lease: Lease = UNOWNED) -> None:
        """Delete a table."""
        await self._shelf.write({}, {}, [f"row/{code}", f"event/{code}/"])
        await super().retire(code, lease)

    async def add_person(self, who: Who, token: str, now: int, device: str = "") -> None:
        """Store the person of this device."""
        await self._meet(who)
        await super().add_person(who, token, now, device)

    async def rename(self, person: str, name: str) -> None:
        """Store the person's new name."""
        await self._meet(Who(person, name))
        await super().rename(person, name)

    async def expire(self, since: int, now: int) -> bool:
        """Return False: the one person stays, who has no session that could end."""
        return False

    async def _meet(self, who: Who) -> None:
        await self._shelf.write({}, {PERSON: json.dumps(who._asdict())}, ())
        self.me = who

    async def _all_of(self, code: str) -> list[Entry]:
        """Return a table's events, from the shelf the first time."""
        if code in self.rows and code not in self.events:
            found = await self._shelf.load(f"event/{code}/")
            try:
                entries = [_ENTRIES.decode(text) for _, text in found]
            except msgspec.MsgspecError:
                del self.rows[code]  # it stays on the shelf, for a version that reads it
                return []
            self._clients |= clients_of(code, entries)
            self.events[code] = entries
        return self.events.get(code, [])

    def _forget(self, code: str) -> None:
        for client in clients_of(code, self.events.pop(code, ())):
            self._clients.pop(client, None)

    async def _named(self, person: str, *kinds: type[Sat | Chatted | Reported]) -> list[str]:
        """Return the tables of the device, latest first: its person has made all of them."""
        return [row.code for row in self._latest()] if person in self._people else []


def _key(code: str, seq: int) -> str:
    """Return the key of an event: keys stand in the order of the events."""
    return f"event/{code}/{seq:09}"


def _text(entry: Entry) -> str:
    return _WRITER.encode(entry).decode()


def _read(kind: type[_Kept], text: str) -> _Kept | None:
    """Return what a text keeps, as far as this version knows it; None where that is too little."""
    try:
        kept = json.loads(text)
        return kind(**{name: kept[name] for name in kind._fields if name in kept})
    except (ValueError, TypeError):
        return None


def _row(row: TableRow) -> dict[str, str]:
    fields: dict[str, Any] = row._asdict()
    return {f"row/{row.code}": json.dumps(fields)}
