"""The mistakes that a person wants to be asked about again; of people with a passkey alone.

Whoever has none can lose the cookie by which the server knows them, and nobody would be left to
whom the list belongs. So it goes when the last passkey goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

MOST: Final = 300  # of a person; beyond that, those whose last answer is the oldest are deleted


class Mistake(NamedTuple):
    """One mistake as it is kept.

    Attributes:
        hand: the number of the hand there.
        place: the number of the decision among the actions of the hand.
        changed: when it was last answered, milliseconds since 1970.
        body: all that is kept of it, an object in JSON.
    """

    code: str
    hand: int
    place: int
    changed: int
    body: str


class Mistakes(Protocol):
    """The mistakes in a store; every method returns when its changes are durable."""

    async def of(self, person: str) -> list[Mistake] | None:
        """Return a person's mistakes; None for somebody without a passkey."""

    async def keep(self, person: str, mistakes: Sequence[Mistake]) -> bool:
        """Keep mistakes of a person, each if it was changed later than what is kept of it.

        Return False for somebody without a passkey, of whom nothing is kept.
        """

    async def expire(self, since: int) -> bool:
        """Delete mistakes that were changed up to `since`; return whether there were any."""
