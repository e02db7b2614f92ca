"""What a table has answered to commands, so that a copy of one does nothing twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.server.store.base import Conflict, Fenced, InDoubt, Store
from rookery.server.table.events import Entry
from rookery.server.table.refusals import Refused

DONE: Final = 64  # commands that a table remembers; the store knows all of them
DENIED: Final = 64  # refusals that it remembers; nothing else does


class Answered:
    """The last commands of a table, by who sent them and the id they were given."""

    def __init__(self, code: str, entries: Sequence[Entry], store: Store) -> None:
        """Begin with the commands behind a table's entries."""
        self._code, self._store = code, store
        self._done: dict[str, int] = {}
        self._denied: dict[str, Refused] = {}
        self._older = False  # whether there are commands that only the store knows
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
        """Remember a refusal: a copy that arrives when it would be legal is not done behind it."""
        self._denied[client] = why
        if len(self._denied) > DENIED:
            del self._denied[next(iter(self._denied))]

    def denied(self, client: str) -> Refused | None:
        """Return why a command was refused; None where that is not remembered."""
        return self._denied.get(client)

    def seq_of(self, client: str) -> int | None:
        """Return the number of the event that a command was; None where that is not remembered."""
        return self._done.get(client)

    async def older(self, client: str) -> int | None:
        """Return the number of the event that a command was long ago; None where it was none.

        Raises:
            StoreError: the store cannot be read.
        """
        return await self._store.done(self._code, client) if self._older else None

    async def before(self, client: str, seq: int, error: Conflict) -> int:
        """Return the number of the event that stands in the way of a copy: what the first became.

        Args:
            client: the command.
            seq: the last event of the table, as far as is known here.
            error: what the store said.

        Raises:
            Conflict: it is no copy of what was done up to `seq`; somebody else has written.
            StoreError: the store cannot be read.
        """
        found = None if isinstance(error, Fenced | InDoubt) else await self.older(client)
        if found is None or found > seq:
            raise error
        return found

    def __len__(self) -> int:
        """Return how many are remembered."""
        return len(self._done) + len(self._denied)
