"""Which server has a table: a lease that somebody else can take when its holder is gone.

A lease is a number, the epoch, that grows whenever a table changes hands. Whoever writes says
under which epoch; the store refuses an old one in the very transaction that would have written. So
a server that was thought dead and is not can do no harm, however late it wakes up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple, Protocol, TypeAlias


class Lease(NamedTuple):
    """That a server has a table.

    Attributes:
        owner: the server's address; None for the only server of an embedded database.
        epoch: how often the table has changed hands.
    """

    owner: str | None = None
    epoch: int = 0


UNOWNED: Final = Lease()


class Elsewhere(NamedTuple):
    """Another server has the table.

    Attributes:
        address: where it is, ``host:port``.
        secret: by which it knows that another server asks, and not anybody.
    """

    address: str
    secret: str


Held: TypeAlias = Mapping[str, Lease]
Lose: TypeAlias = Callable[[str, Lease], object]


class Leases(Protocol):
    """The leases of one server."""

    @property
    def address(self) -> str | None:
        """Where other servers find this one; None for one that is alone."""

    @property
    def shared(self) -> bool:
        """Whether there may be other servers."""

    @property
    def leads(self) -> bool:
        """Whether it falls to this one of the servers to clear up."""

    @property
    def alive(self) -> bool:
        """Whether this server holds what it says it holds, as far as it knows."""

    def fresh(self) -> Lease:
        """Return the lease of a table that this server is about to make."""

    def is_peer(self, secret: str) -> bool:
        """Return whether somebody who says this is another server of the same tables."""

    async def open(
        self, held: Callable[[], Held], lose: Lose, gone: Callable[[str], object]
    ) -> None:
        """Begin to say that this server is alive.

        `held` is asked what it has, `lose` is told of each lease that is void, and `gone` of each
        person who has asked to be forgotten.

        Raises:
            StoreError: the store cannot be written.
        """

    async def take(self, code: str, *, by_force: bool = False) -> Lease | Elsewhere | None:
        """Return the lease of a table, or who has it; None where there is no such table.

        It is taken from a server that has not been heard of, and `by_force` from any.

        Raises:
            StoreError: the store cannot be written.
        """

    async def give_back(self, code: str, lease: Lease) -> None:
        """Let any server take a table; what cannot be given back is taken in time."""

    def look(self) -> None:
        """Look soon whether this server still has what it has."""

    async def close(self) -> None:
        """Give everything back and say goodbye."""


class Alone:
    """The leases of the only server: everything is its own."""

    shared, leads, alive = False, True, True
    address: str | None = None

    def fresh(self) -> Lease:
        """Return the lease of a new table."""
        return UNOWNED

    def is_peer(self, secret: str) -> bool:
        """Return that nobody is."""
        return False

    async def open(
        self, held: Callable[[], Held], lose: Lose, gone: Callable[[str], object]
    ) -> None:
        """Return; there is nobody to say anything to."""

    async def take(self, code: str, *, by_force: bool = False) -> Lease | Elsewhere | None:
        """Return the lease of any table."""
        return UNOWNED

    async def give_back(self, code: str, lease: Lease) -> None:
        """Return; nobody else wants it."""

    def look(self) -> None:
        """Return; nobody takes anything away."""

    async def close(self) -> None:
        """Return."""
