"""Who may be seated: whom an evening gave the seat; by chance nobody beside the wrong people.

An evening is told, too, when a table of it is done.

The refusal of a seat by chance is that of a full table. One of its own would say that somebody
there has blocked them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from rookery.server.store.base import Store
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.refusals import Refused, refused
from rookery.server.table.state import Table, Who
from rookery.server.table.voting import Outcome

Seats: TypeAlias = Callable[[ev.EveningJoined, str], Awaitable[int | None]]


async def _nobody(joined: ev.EveningJoined, person: str) -> int | None:
    return None


class Admission:
    """Who may sit down at the tables of a server.

    Attributes:
        seat_of: finds the seat that an evening has given a person at a table of it, if any.
        done: is told of each table of an evening that is done.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.seat_of: Seats = _nobody
        self.done: Callable[[ev.EveningJoined], object] = bool

    async def checked(
        self, table: Table, who: Who, command: cm.Changing, outcome: Outcome
    ) -> Outcome:
        """Return the outcome of a command; a refusal where the person may not have that seat."""
        if not isinstance(command, cm.Sit):
            return outcome
        if isinstance(outcome, Refused) and outcome.code != "hand-under-way":
            return outcome
        if table.evening is not None:
            seat = await self.seat_of(table.evening, who.id)
            return refused("not-your-table") if seat is None or command.seat != seat else outcome
        if not command.matched:
            return outcome
        others = {chair.person for chair in table.chairs if chair.person is not None}
        return refused("table-full") if await self._store.apart(who.id, others) else outcome

    def tell(self, before: Table, table: Table) -> None:
        """Tell the evening of a table when that is done, which it was not before."""
        if table.evening is not None and before.phase != "over" == table.phase:
            self.done(table.evening)
