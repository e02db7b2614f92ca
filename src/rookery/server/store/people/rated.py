"""Who is rated: whoever has switched it on, at a table or with strangers, for what follows.

Of a table nothing else is kept; ratings follow from its hands. Strangers are rated by what is known
of those they meet, whose tables are everywhere, so of them a row a family of rules is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, Protocol, TypeAlias


class Stranger(NamedTuple):
    """What is known of a person who plays with strangers, in a family of rules.

    Attributes:
        since: from when on, milliseconds since 1970; matches that began before do not count.
        points: how much more their side scores than with an unknown stranger, in millionths.
        error: the standard error of that, in millionths.
        matches: how many have counted.
    """

    since: int
    points: int
    error: int
    matches: int = 0


class Played(NamedTuple):
    """A match of strangers that is over.

    Attributes:
        number: the number of the match there, from 0.
        begun: when it began, milliseconds since 1970.
        people: who has played it, by public number.
    """

    code: str
    number: int
    begun: int
    family: str
    people: Collection[str]


Strangers: TypeAlias = Mapping[str, Stranger]


class Rated(Protocol):
    """Who is rated, in a store; every method returns when its changes are durable."""

    async def of(self, code: str) -> dict[str, int]:
        """Return who is rated at a table, by public number: from which hand on, by its number."""

    async def switch(self, person: str, code: str, since: int | None) -> bool:
        """Rate a person at a table from a hand on, or no more; who is rated already stays so.

        Return False for somebody who is not known, of whom nothing is kept.
        """

    async def strangers(self, people: Collection[str]) -> dict[str, dict[str, Stranger]]:
        """Return what is known of those who are rated with strangers, by person and family."""

    async def meet(self, person: str, new: Strangers | None) -> bool:
        """Rate a person with strangers, or no more; who is rated already stays as they are.

        `new` is what a newcomer is in each family. Return False for somebody who is not known.
        """

    async def count(self, match: Played, work: Callable[[Strangers], Strangers]) -> bool:
        """Count a match, all of it or nothing; return False where it has been, or has no table.

        `work` gets what is known of those who were rated when it began, by person, and returns what
        is known of them after it.
        """

    async def expire(self) -> bool:
        """Delete what is kept of tables that are gone; return whether there was any.

        It goes with its table. But somebody may have switched just then, the server may have ended
        in between, or an older one may have deleted the table.
        """
