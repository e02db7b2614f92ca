"""Score sheets of games with real cards, and what people's phones have written on them.

A sheet belongs to whoever made it, and goes with them. What others wrote on it stays, without
their names once they are forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final, NamedTuple, Protocol, TypeAlias

CLAIM: Final = '{"do":"claim"'  # with which an entry begins that says who somebody is
Rewrite: TypeAlias = Callable[[str], str]  # of what is kept
NOTHING: Final[Mapping[int, Rewrite]] = {}


class SheetRow(NamedTuple):
    """A sheet as it is kept.

    Attributes:
        code: by which it is found.
        person: who made it.
        key: the hash of the secret by which others write.
        body: the rules and who plays, an object in JSON.
        touched: when somebody last wrote on it, milliseconds since 1970.
    """

    code: str
    person: str
    key: str
    body: str
    touched: int


class SheetEntry(NamedTuple):
    """An entry on a sheet as it is kept.

    Attributes:
        number: which entry of the sheet it is, from 1.
        id: what the phone calls it.
        person: who wrote it; empty once they are forgotten.
        name: what they were called then; empty too.
        writer: the number of the first entry of the same person, which stays.
        hand: the number of the hand, from 0.
        over: the newest entry of the hand that the phone had seen; of a claim whose person is
            forgotten, the newest entry when their names were taken out, see `Sheets.wipe`.
        body: what is said, an object in JSON; null where the hand is taken off.
    """

    number: int
    id: str
    person: str
    name: str
    writer: int
    hand: int
    over: int
    body: str


class SheetFound(NamedTuple):
    """A sheet, how many entries it has, and how many of them have lost their names.

    An entry that said who somebody is counts again there once `Sheets.wipe` is done with it.
    """

    sheet: SheetRow
    entries: int
    nameless: int


class Sheets(Protocol):
    """The sheets in a store; every method returns when its changes are durable."""

    async def add(self, sheet: SheetRow) -> bool:
        """Store a new sheet; return whether that was done.

        It is not where one of that code is there already, or its person is gone.
        """

    async def of(self, code: str, since: int) -> SheetFound | None:
        """Return the sheet of a code, if somebody wrote on it later than `since`."""

    async def entries(self, code: str, after: int = 0) -> list[SheetEntry]:
        """Return what was written on a sheet after an entry of that number, in order."""

    async def write(
        self,
        code: str,
        entry: SheetEntry,
        now: int,
        most: int,
        anew: Mapping[int, Rewrite] = NOTHING,
    ) -> int | None:
        """Store an entry under the next number; return the number.

        With it the bodies of other entries, by their numbers, are written anew, 0 for the sheet's.

        One whose id is there already is not stored again, and that one's number returned. The
        number and the writer of `entry` count for nothing. Returns 0 where the sheet has `most`
        entries, and None where there is no such sheet or the person is gone.
        """

    async def drop(self, code: str, person: str, also: str = "") -> bool:
        """Delete a sheet of a person; return whether there was one.

        With it go those of the same person whose body begins with `also`, where that is said.
        """

    async def unwiped(self) -> list[str]:
        """Return the codes where somebody said who they are, is forgotten, and not yet wiped."""

    async def wipe(
        self, code: str, anew: Mapping[int, Rewrite], claims: Collection[int], until: int
    ) -> None:
        """Write bodies anew, by their numbers, 0 for the sheet's; then those claims are wiped.

        Their entries keep in `over` that this was done when there were so many entries, `until`.
        """

    async def expire(self, since: int) -> bool:
        """Delete sheets that nobody wrote on later than `since`; return whether there were any."""
