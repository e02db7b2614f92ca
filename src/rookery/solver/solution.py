"""What `rookery solve --json` prints, and `solve` returns."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class CardValue(_Model):
    """A card that may be played, and what the declarer's side ends with if it is."""

    card: str
    low: int = Field(description="At least so many points.")
    high: int = Field(description="At most so many points; the same as low once it is known.")
    best: bool = Field(description="Whether no card is known to be better for who plays it.")


class Solution(_Model):
    """What a position is worth with all hands open and everybody playing his best.

    Points are those of the declarer's side at the end of the hand, nest and bonuses included,
    before the contract is held against them. Without a contract the side is that of the seat to
    act.
    """

    rules: str = Field(description="What the game is called.")
    to_act: int = Field(description="The seat whose decision it is; the declarer for a dummy.")
    turn: int = Field(description="The seat that the card comes from.")
    side: list[int] = Field(description="The seats whose points are counted.")
    contract: int | None = Field(description="Points promised; null without a contract.")
    points: int | None = Field(description="The exact value; null where time ran out.")
    low: int = Field(description="The side gets at least so many points.")
    high: int = Field(description="The side gets at most so many points.")
    made: bool | None = Field(
        description="Whether the contract is kept; null where that is not settled, where there is "
        "none, and for the Sun."
    )
    cards: list[CardValue] = Field(
        description="Every card that may be played, the best for who plays it first."
    )
    line: list[str] = Field(
        description="Best play from here on, as a record writes it; short or empty where time ran "
        "out."
    )
    nodes: int = Field(description="Cards played in the search.")
    ms: float = Field(description="Time taken, milliseconds.")
