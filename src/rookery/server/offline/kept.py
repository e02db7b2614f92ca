"""The store of a device, which keeps its tables and its one person on a shelf of texts.

In a browser that shelf is IndexedDB. Events are written as a server writes them: one is never
replaced by an action, and of two pages that go on with one table only the first can.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

import msgspec

from rookery.server.clock import Judged, Mark
from rookery.server.store.base import Conflict, OneDatabase, TableRow
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.timeline import Timeline, fresh
from rookery.server.table.events import Entry
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


class KeptStore(OneDatabase):
    """What a device needs of a `Store`: tables, and one person. Nothing of them is ever too old.

    Attributes:
        rows: what is stored beside the events of each table, by its code.
        me: the person of this device; None while they have no name.
    """

    def __init__(self, shelf: Shelf) -> None:
        """Begin empty; `open` looks at what is there."""
        self._shelf = shelf
        self.rows: dict[str, TableRow] = {}
        self.me: Who | None = None
        self._events: dict[str, list[Entry]] = {}
        self._clients: dict[tuple[str, str], int] = {}
        self._mark: Mark | None = None
        self._timeline = fresh()._replace(id="")

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
                self.me = who

    async def know(self, judge: Callable[[Mark | None], Judged]) -> Judged:
        found = judge(self._mark)
        self._mark = found.mark
        return found

    async def timeline(self, place: str = "") -> Timeline:
        return self._timeline

    async def begin_timeline(self, since: str, place: str = "") -> Timeline:
        if self._timeline.id == since:
            self._timeline = fresh()
        return self._timeline

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        events, clients = await self._all_of(row.code), clients_of(row.code, entries)
        expected = range(len(events) + 1, len(events) + 1 + len(entries))
        if clients.keys() & self._clients.keys() or [one.seq for one in entries] != list(expected):
            raise Conflict(f"table {row.code} has {len(events)} events")
        row = row._replace(version=self.rows.get(row.code, row).version + 1)
        if not await self._shelf.write(
            {_key(row.code, entry.seq): _text(entry) for entry in entries},
            {f"row/{row.code}": json.dumps(row._asdict())},
            (),
        ):
            # Another page has gone on with this table: what is known here is not all of it.
            for client in clients_of(row.code, self._events.pop(row.code, ())):
                self._clients.pop(client, None)
            raise Conflict(f"table {row.code} was changed elsewhere")
        self.rows[row.code] = row
        self._events.setdefault(row.code, []).extend(entries)
        self._clients |= clients

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[Entry]:
        return (await self._all_of(code))[after:][:most]

    async def done(self, code: str, client: str) -> int | None:
        await self._all_of(code)
        return self._clients.get((code, client))

    async def listed(self, most: int) -> list[TableRow]:
        return [row for row in self._latest() if row.open and row.phase != "over"][:most]

    async def row(self, code: str) -> TableRow | None:
        return self.rows.get(code)

    async def tables_of(self, person: str) -> list[TableRow]:
        """Return the tables of the device, latest first: its person has made all of them."""
        return self._latest() if self.me is not None and person == self.me.id else []

    async def add_person(self, who: Who, token: str, now: int, device: str = "") -> None:
        """Store the person of this device."""
        await self._shelf.write({}, {PERSON: json.dumps(who._asdict())}, ())
        self.me = who

    async def rename(self, person: str, name: str) -> None:
        """Store the person's new name."""
        await self.add_person(Who(person, name), "", 0)

    async def apart(self, person: str, others: Collection[str]) -> set[str]:
        """Return nobody: there are no others."""
        return set()

    async def unfinished(self) -> list[str]:
        """Return nobody: who is to be forgotten deletes what their browser keeps."""
        return []

    async def close(self) -> None:
        """Do nothing: no write is pending."""

    async def _all_of(self, code: str) -> list[Entry]:
        """Return a table's events, from the shelf the first time."""
        if code in self.rows and code not in self._events:
            found = await self._shelf.load(f"event/{code}/")
            try:
                entries = [_ENTRIES.decode(text) for _, text in found]
            except msgspec.MsgspecError:
                del self.rows[code]  # it stays on the shelf, for a version that reads it
                return []
            self._clients |= clients_of(code, entries)
            self._events[code] = entries
        return self._events.get(code, [])

    def _latest(self) -> list[TableRow]:
        return sorted(self.rows.values(), key=lambda row: -row.touched_at)


def clients_of(code: str, entries: Iterable[Entry]) -> dict[tuple[str, str], int]:
    """Return the number of the first event of each command, by its table and name."""
    return {(code, entry.client): entry.seq for entry in entries if entry.client is not None}


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
