"""What a score sheet of a game with real cards is told to do, and what it tells."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from rookery.evening.log.changes import MOST_ENTRIES
from rookery.evening.sheet_file import SEATS, EntrySeen, HandSaid
from rookery.evening.versions import Standing
from rookery.server.api.evenings.table_sheet import TableOfSheet
from rookery.server.api.problems import Where
from rookery.server.api.rules import RulesOfSheet

HANDS: Final = 250
ENTRIES: Final = 1_000


class SheetWanted(BaseModel, extra="forbid", strict=True):
    """A new sheet.

    ``hands`` says how many hands the game has, where it does not go to the target; ``dealer`` is
    who deals first, and with ``agree`` a hand counts when a second person says the same of it.
    """

    rules: Annotated[str, Field(max_length=64)] | dict[str, Any]
    players: Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=SEATS)]
    hands: Annotated[int, Field(ge=1, le=HANDS)] | None = None
    dealer: Annotated[int, Field(ge=0, lt=SEATS)] = 0
    agree: bool = False


class EntryWanted(BaseModel, extra="forbid", strict=True):
    """What is said of the hand number ``hand``, from 0; null takes it off the sheet.

    ``id`` is random, so that what is sent twice arrives once; ``over`` is the number of the newest
    entry of that hand that the phone had seen, 0 for none.
    """

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{16,40}$")]
    hand: Annotated[int, Field(ge=0, lt=HANDS)]
    over: Annotated[int, Field(ge=0, le=ENTRIES)]
    said: HandSaid | None


class HandAsked(BaseModel, extra="forbid", strict=True):
    """What is said so far of a hand that is being typed in."""

    said: HandSaid


class HandChecked(BaseModel):
    """What is asked of a hand, who plays with whom, what is wrong, and what it would score.

    ``rest`` has the parts in which a side that says nothing has the rest: ``points tricks``.
    """

    asked: list[str]
    rest: list[str]
    sides: list[list[int]]
    problem: Where | None
    scored: EntrySeen | None


class Asks(BaseModel):
    """The parts of a tally that a game asks for: at first, and ever."""

    first: list[str]
    all: list[str]


class OtherVersion(BaseModel):
    """What somebody else said of a hand, in entry number ``entry``."""

    said: HandSaid | None
    by: str
    entry: int


class HandTold(BaseModel):
    """A hand on a sheet: what stands or waits, who said so, and what others said.

    Players are named by the number of their seat. ``entry`` is the hand's newest entry; ``scored``
    is null where the hand does not count, and ``yours`` says whether you are who says what stands.
    """

    number: int
    said: HandSaid | None
    by: str
    state: Standing
    others: list[OtherVersion]
    entry: int
    scored: EntrySeen | None
    yours: bool


class SheetTold(BaseModel):
    """A sheet: how it is played, each hand, the totals, and the seats that have won.

    ``total_points`` are those of all counters; ``dealer`` deals next; ``entries`` is the newest.
    ``nobody``: a hand may be played without a contract; ``blind``: there is a blind hand.
    ``table`` is where the game is played; null where it belongs to no evening.
    """

    code: str
    rules: RulesOfSheet
    players: list[str]
    agree: bool
    hands_wanted: int | None
    dealer: int
    asks: Asks
    bids: list[int | str]
    total_points: int
    sides: list[list[int]]
    nobody: bool
    blind: bool
    hands: list[HandTold]
    totals: list[int]
    winners: list[int]
    entries: int
    may_write: bool
    mine: bool
    table: TableOfSheet | None


class SheetMade(SheetTold):
    """A new sheet; with ``key``, others write on it too."""

    key: str


class SheetLink(BaseModel):
    """The link to a sheet, with the key if that was shown, and its QR code, an SVG picture."""

    link: str
    picture: str


class SheetGone(BaseModel):
    """The code of a sheet that has been deleted."""

    code: str


class ResultWanted(BaseModel, extra="forbid", strict=True):
    """That the sheet's total is what its table scored.

    ``over`` is the evening's newest entry about that score that the phone had seen, 0 for none.
    """

    over: Annotated[int, Field(ge=0, le=MOST_ENTRIES)]
