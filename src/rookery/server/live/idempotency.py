"""The recent commands of a table, so that a repeated command is not done twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.server.store.base import Conflict, Fenced, InDoubt, Store
from rookery.server.table.events import Entry
from rookery.server.table.refusals import Refused

DONE: Final = 64  # commands that a table remembers; the store has them all
DENIED: Final = 64  # refusals that it remembers; they are kept nowhere else


class RecentCommands:
    """The last commands of a table, by sender and command id."""

    def __init__(self, code: str, entries: Sequence[Entry], store: Store) -> None:
        self._code, self._store = code, store
        self._done: dict[str, int] = {}
        self._denied: dict[str, Refused] = {}
        # Whether the store has commands that are not remembered here.
        self._older = bool(entries) and entries[0].seq > 1
        for entry in entries:
            if entry.client is not None:
                self.did(entry.client, entry.seq)

    def did(self, client: str, seq: int) -> None:
        """Remember that a command became event number `seq`."""
        self._done[client] = seq
        if len(self._done) > DONE:
            del self._done[next(iter(self._done))]
            self._older = True

    def deny(self, client: str, why: Refused) -> None:
        """Remember a refusal: a copy is refused too, even if it would be legal by then."""
        self._denied[client] = why
        if len(self._denied) > DENIED:
            del self._denied[next(iter(self._denied))]

    def denied(self, client: str) -> Refused | None:
        """Return why a command was refused; None where no refusal is remembered."""
        return self._denied.get(client)

    def seq_of(self, client: str) -> int | None:
        """Return the number of a command's first event; None where it is not remembered."""
        return self._done.get(client)

    async def older(self, client: str) -> int | None:
        """Return the number of an older command's first event; None where it is new."""
        return await self._store.done(self._code, client) if self._older else None

    async def before(self, client: str, seq: int, error: Conflict) -> int:
        """Return the number of the event that a command became the first time.

        Raises:
            Conflict: that of the store; the command was not done up to `seq`, the last event that
                is known here: another server has written events.
        """
        found = None if isinstance(error, Fenced | InDoubt) else await self.older(client)
        if found is None or found > seq:
            raise error
        return found
