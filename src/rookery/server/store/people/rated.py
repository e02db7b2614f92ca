"""Who is rated at which table: whoever has switched it on there, and only for hands dealt after.

Nothing else is kept of ratings; they follow from the hands of the table.
"""

from __future__ import annotations

from typing import Protocol


class Rated(Protocol):
    """Who is rated, in a store; every method returns when its changes are durable."""

    async def of(self, code: str) -> dict[str, int]:
        """Return who is rated at a table, by public number: from which hand on, by its number."""

    async def switch(self, person: str, code: str, since: int | None) -> bool:
        """Rate a person at a table from a hand on, or no more; who is rated already stays so.

        Return False for somebody who is not known, of whom nothing is kept.
        """
