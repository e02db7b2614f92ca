"""The next deal as it is promised: the commitment to its key, and the shares that players add.

Also how a dealt hand is proven, and what is shown of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from rookery.fairness.day import SCHEME as PREPARED
from rookery.fairness.deal import SCHEME, commitment
from rookery.rules import Rules
from rookery.server.table import events as ev
from rookery.server.table.evening import deals_of


class Promise(NamedTuple):
    """The next deal.

    Attributes:
        number: its number at this table.
        commitment: what binds the server to the key.
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


class PromiseSeen(msgspec.Struct, frozen=True):
    """The next deal: its number and commitment, and which seats have contributed.

    It is `renewed` where it replaces another promise, because the database was brought back.
    """

    scheme: str
    number: int
    commitment: str
    shares: list[int]
    renewed: bool


class ProofSeen(msgspec.Struct, frozen=True):
    """How the last hand was dealt; the key and the shares only once the hand is over.

    `contributors` are the seats whose shares are in it.
    """

    scheme: str
    number: int
    commitment: str
    shares: list[str]
    key: str | None
    contributors: list[int]
    renewed: bool


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


def promise_seen(promise: Promise | None) -> PromiseSeen | None:
    """Return what everybody is shown of the next deal."""
    if promise is None:
        return None
    seats = sorted(seat for seat, _ in promise.shares)
    return PromiseSeen(SCHEME, promise.number, promise.commitment, seats, promise.renewed)


def proof_seen(
    code: str, rules: Rules, joined: ev.EveningJoined | None, proof: Proof | None, *, done: bool
) -> ProofSeen | None:
    """Return what everybody is shown of how the last hand was dealt; more once it is `done`."""
    if proof is None:
        return None
    if joined is not None and joined.deals:
        bound = deals_of(joined, rules, proof.key).commitment
        return ProofSeen(PREPARED, proof.number, bound, [], None, [], proof.renewed)
    return ProofSeen(
        scheme=SCHEME,
        number=proof.number,
        commitment=commitment(code, proof.number, bytes.fromhex(proof.key)),
        # Whoever had the key from elsewhere would need the shares to know the cards.
        shares=[share if done else "" for share in proof.shares],
        key=proof.key if done else None,
        contributors=[seat for seat, share in enumerate(proof.shares) if share],
        renewed=proof.renewed,
    )
