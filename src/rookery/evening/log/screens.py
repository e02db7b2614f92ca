"""How an evening on screens is played, and what is shown of its prepared deals afterwards."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, Field

from rookery.evening.log.changes import MOST_ROUNDS, MOST_ROWS

PAUSE: Final = 60_000  # ms from the last score to the next round, where that begins by itself


class Screens(BaseModel, extra="forbid", strict=True):
    """How tables on screens play.

    `hands` are played in each round, null for a whole game; prepared deals are as many as there
    are. `bot` plays for whoever is not there; with `fill` bots sit where somebody would have to sit
    out. `clock` is seconds for a turn. With `auto` a round begins a minute after the one before,
    and after `rounds` the evening is over.
    """

    hands: Annotated[int, Field(ge=1, le=MOST_ROWS)] | None = 4
    bot: Annotated[str, Field(min_length=1, max_length=64)] = "club"
    fill: bool = True
    pace: Annotated[str, Field(max_length=16)] = "normal"
    clock: Annotated[int, Field(ge=5, le=3600)] | None = None
    auto: bool = True
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None


class LineTold(BaseModel):
    """What `expert` makes of a deal in all seats, with as many tries as its name says.

    ``declarer``, ``bid``, ``call``, ``made`` and ``took`` (points) are null where nobody plays it;
    ``scores`` has a number for each side. With all hands open from the first lead on, the contract
    takes ``open_points``, and is made or not: ``open_made``; null where that is not known.
    """

    bot: str
    declarer: int | None
    bid: int | str | None
    call: str | None
    made: bool | None
    took: int | None
    scores: list[int]
    open_points: int | None
    open_made: bool | None


class DealOpen(BaseModel):
    """A prepared deal that the server has dealt, once its key is shown.

    ``cards`` are dealt to each seat, and ``options`` are those of the rules. ``line_state`` says
    whether `expert` has played it, or cannot here.
    """

    dealer: int
    cards: list[list[str]]
    nest: list[str]
    options: dict[str, Any]
    line: LineTold | None
    line_state: Literal["played", "working", "absent"]
