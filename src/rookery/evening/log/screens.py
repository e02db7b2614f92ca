"""How an evening on screens is played: what all of its tables have in common."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from rookery.evening.log.changes import MOST_ROUNDS, MOST_ROWS

PAUSE: Final = 60_000  # ms from the last score to the next round, where that begins by itself


class Screens(BaseModel):
    """How tables on screens play.

    `hands` are played in each round, null for a whole game; prepared deals are as many as there
    are. `bot` plays for whoever is not there; with `fill` bots sit where somebody would have to sit
    out. `clock` is seconds for a turn. With `auto` a round begins a minute after the one before,
    and after `rounds` the evening is over.
    """

    model_config = ConfigDict(extra="forbid", strict=True)
    hands: Annotated[int, Field(ge=1, le=MOST_ROWS)] | None = 4
    bot: Annotated[str, Field(min_length=1, max_length=64)] = "club"
    fill: bool = True
    pace: Annotated[str, Field(max_length=16)] = "normal"
    clock: Annotated[int, Field(ge=5, le=3600)] | None = None
    auto: bool = True
    rounds: Annotated[int, Field(ge=1, le=MOST_ROUNDS)] | None = None
