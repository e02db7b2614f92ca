"""What `rookery foresight --json` prints: who chose cards that suit what he could not see."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT: Literal["rookery-foresight/1"] = "rookery-foresight/1"
Verdict = Literal["too-few", "nothing", "more"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Watched(_Model):
    """A player, over all hands in which something was to be seen.

    All figures but the counts are game points a hand.
    """

    name: str | None = Field(description="Null in records without names.")
    seat: int | None = Field(description="The seat in records without names; else null.")
    hands: int = Field(description="Hands with a decision that made a difference.")
    decisions: int = Field(description="Cards chosen that were looked at.")
    foresight: float | None = Field(
        description="By how much more the cards gained over the best guess in the true hands than "
        "in others that looked the same; null without any hand."
    )
    error: float | None = Field(description="Its standard error over hands; null below 2 hands.")
    allowed: float | None = Field(
        description="What honest players stay below; null without any hand."
    )
    verdict: Verdict = Field(
        description="`too-few` hands to say; `nothing` to see; `more` than chance explains."
    )


class Foresight(_Model):
    """Many records, looked at for play that is better than its information."""

    format: Literal["rookery-foresight/1"] = FORMAT
    records: int = Field(description="Files read.")
    hands: int = Field(description="Hands looked at.")
    again: int = Field(description="Hands left out because they were there before.")
    unsuited: int = Field(
        description="Hands looked at with nothing to see: no contest of two sides over points, or "
        "broken off before the last tricks."
    )
    worlds: int = Field(description="Hands that each card was held against, beside the true one.")
    tricks: int = Field(description="Tricks left from which on cards were looked at.")
    seed: int
    players: list[Watched] = Field(description="Most foresight in standard errors first.")
