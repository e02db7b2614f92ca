"""What the functions of the API work with: the parts of one running server."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

from rookery.server.api.links import Links
from rookery.server.api.problems import Problem
from rookery.server.bots.engine import AtLeisure
from rookery.server.live.actor import Actor
from rookery.server.live.sockets import SocketRegistry
from rookery.server.monitoring.health import Readiness
from rookery.server.monitoring.security import SecurityLog
from rookery.server.registry.daily import DailyDeals
from rookery.server.registry.history import History
from rookery.server.registry.passkeys import Passkeys
from rookery.server.registry.people import People
from rookery.server.registry.tables import TableRegistry
from rookery.server.store.leases import Elsewhere
from rookery.server.table.state import Table, Who
from rookery.server.work import ACCOUNT, Tab, paid_by

if TYPE_CHECKING:
    # A device has no evenings of many tables, and does not wait for what they need.
    from rookery.evening.log.screens import LineTold
    from rookery.server.api.evenings.held import Evenings

KEY_MAX: Final = 64  # characters


class Reader(NamedTuple):
    """Who looks, and the keys that they show: the sheet's own, and that of its evening."""

    who: Who | None
    key: str | None
    evening: str | None = None


class AppState:
    """The parts of one running server.

    Attributes:
        evenings: those of many tables that somebody has looked at.
        lines: what `expert` makes of their prepared deals.
        started_at: when it started, milliseconds since 1970.
    """

    def __init__(
        self,
        registry: TableRegistry,
        links: Links,
        evenings: Evenings,
        kept: int,
        expired_by: Callable[[], int] | None = None,
        security: SecurityLog | None = None,
    ) -> None:
        """Make the parts around some tables; for `kept` and `expired_by` see `People`."""
        store, now = registry.store, registry.clock.now
        self.links = links
        self.registry = registry
        self.people = People(store, now, kept, expired_by)
        self.passkeys = Passkeys(store, now, kept, expired_by)
        self.daily = DailyDeals(store, registry.calendar, registry.thinker)
        self.evenings = evenings
        self.lines: AtLeisure[LineTold] = AtLeisure(registry.thinker)
        self.sockets = SocketRegistry()
        self.readiness = Readiness(registry)
        self.security = security or SecurityLog(registry.tally, now)
        self.started_at = now()

    async def table(self, code: str, who: Who | None = None) -> Table:
        """Return the table of a code; whoever has sat there reads its past for nothing.

        Raises:
            Problem: there is no such table; code ``no-table``.
        """
        own = who is not None and not await self._is_stranger(code, who)
        with paid_by(Tab() if own else ACCOUNT.get()):
            table = await self.registry.table(code)
        if table is None:
            raise Problem("no-table")
        return table

    async def history(self, code: str) -> History:
        """Return what was played at a table.

        Raises:
            Problem: there is no such table (``no-table``), or others may still play its deals
                (``not-over``).
        """
        history = await self.registry.history(code)
        if history is None:
            raise Problem("no-table")
        if await self.evenings.hides(history.table):
            raise Problem("not-over")
        return history

    async def woken(self, code: str, who: Who) -> Actor | Elsewhere | None:
        """Return a table, or which server has it; whoever has sat there wakes it for nothing.

        Anybody else first waits until they have paid for its past. Players do not wait for them.

        Raises:
            Problem: too many of the address wait; code ``too-many``.
        """
        account, tab = ACCOUNT.get(), Tab()
        if account is not None and await self._is_stranger(code, who):
            async with account.alone("wake"):
                await self.registry.read_ahead(code.strip().upper())
        with paid_by(tab):
            found = await self.registry.place(code)
        seated = isinstance(found, Actor) and found.table.seat_of(who.id) is not None
        if account is not None and not seated:
            account.pay(tab.seconds)
        return found

    async def has_sat(self, code: str, who: Who) -> bool:
        """Return whether somebody has ever sat at a table."""
        return any(row.code == code for row in await self.registry.store.tables_of(who.id))

    async def _is_stranger(self, code: str, who: Who) -> bool:
        """Return whether a table sleeps, and somebody has never sat there."""
        code = code.strip().upper()
        return not self.registry.is_awake(code) and not await self.has_sat(code, who)
