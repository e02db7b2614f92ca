"""The next deal as it is promised: the commitment to its key, and the shares that players add."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Promise(NamedTuple):
    """The next deal.

    Attributes:
        number: its number at this table.
        commitment: what binds the server to the key.
        key: the key.
        shares: the players' shares so far, each with its seat.
        renewed: whether it replaces another promise of that deal, after a restore.
    """

    number: int
    commitment: str
    key: str
    shares: tuple[tuple[int, str], ...] = ()
    renewed: bool = False


class Proof(NamedTuple):
    """How a hand was dealt: its number at this table, the key and every seat's share.

    `renewed` says whether its promise replaced another one, after a restore.
    """

    number: int
    key: str
    shares: tuple[str, ...]
    renewed: bool = False


def reseated(
    promise: Promise | None, before: Sequence[str | None], after: Sequence[str | None]
) -> Promise | None:
    """Return a promise once people have changed seats: a share goes with whoever added it.

    Else somebody could sit down, add a share and leave, so that the next person cannot add theirs.
    `before` and `after` hold the person of each seat.

    >>> promise = Promise(3, "", "", ((0, "aa"), (1, "bb")))
    >>> reseated(promise, ["ann", "ben", None], [None, "cy", "ann"]).shares
    ((2, 'aa'),)
    """
    if promise is None or not promise.shares or before == after:
        return promise
    of: dict[str | None, str] = {
        before[seat]: share for seat, share in promise.shares if before[seat] is not None
    }
    shares = tuple((seat, of[person]) for seat, person in enumerate(after) if person in of)
    return promise._replace(shares=shares)
