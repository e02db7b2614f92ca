"""Leases: which server owns a table. Another server can take a lease when its owner is gone.

A lease carries an epoch, a number that grows whenever the table changes owners (a fencing token).
Every write names its epoch, and the store refuses an old one in the same transaction. So a server
that was thought dead can do no harm, however late it wakes up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Final, NamedTuple, TypeAlias


class Lease(NamedTuple):
    """A server's ownership of a table.

    Attributes:
        owner: the server's address; None for the only server of an embedded database.
        epoch: how often the table has changed owners.
    """

    owner: str | None = None
    epoch: int = 0


UNOWNED: Final = Lease()


class Elsewhere(NamedTuple):
    """Another server owns the table.

    Attributes:
        address: its address, ``host:port``.
        secret: proves to it that another server asks.
    """

    address: str
    secret: str


Held: TypeAlias = Mapping[str, Lease]
Lose: TypeAlias = Callable[[str, Lease], object]


class Leases:
    """The leases of one server. This one is alone: it owns every table and loses none.

    With others, what reads or writes the store raises `StoreError` where that cannot be done.

    Attributes:
        address: where other servers find this one; None for one that is alone.
        shared: whether there may be other servers.
        leads: whether this server is the one that cleans up.
        lost: the letters of those databases, of several, that this server does not reach.
    """

    address: str | None = None
    shared = False
    leads = True
    lost: Sequence[str] = ()

    @property
    def alive(self) -> bool:
        """Whether this server still owns its tables, as far as it knows."""
        return True

    def fresh(self) -> Lease:
        """Return the lease of a table that this server is about to make.

        Raises:
            Leaving: this server is shutting down.
        """
        return UNOWNED

    def is_peer(self, secret: str) -> bool:
        """Return whether this is the secret of another server of the same database."""
        return False

    async def open(
        self, held: Callable[[], Held], lose: Lose, gone: Callable[[str], object]
    ) -> None:
        """Begin to send heartbeats.

        `held` returns the tables of this server. `lose` is called with each lost lease, and `gone`
        with each person who has asked to be forgotten.
        """

    async def take(self, code: str, *, by_force: bool = False) -> Lease | Elsewhere | None:
        """Return the lease of a table, or who has it; None where there is no such table.

        A lease is taken from a server that has been silent, and `by_force` from any.
        """
        return UNOWNED

    async def elsewhere(self, code: str) -> bool:
        """Return whether another server has a table, and is alive."""
        return False

    def until_gone(self, code: str, there: Elsewhere) -> AbstractAsyncContextManager[object]:
        """Run a block while the server that has a table is alive.

        Once it counts as gone, the block ends with a `TimeoutError`.
        """
        return nullcontext()

    async def give_back(self, code: str, lease: Lease) -> None:
        """Release a lease. If that fails, another server takes it when this one is silent."""

    def look(self) -> None:
        """Check soon whether this server still owns its tables."""

    async def close(self) -> None:
        """Release all leases and stop."""
