"""The types of the options' values, and the values that are made of named parts."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Flag: TypeAlias = Annotated[bool, Field(strict=True)]
SeatNumber: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=7)]
Count: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=57)]
PositiveCount: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=57)]
Points: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=100_000)]
PositivePoints: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=100_000)]
NegativePoints: TypeAlias = Annotated[int, Field(strict=True, ge=-100_000, le=-1)]
Rank: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=14)]
Step: TypeAlias = Literal["discard", "trump", "call", "rook"]
TrumpCall: TypeAlias = Literal["suits", "suits-low", "notrump", "notrump-low", "circus"]
DiscardBan: TypeAlias = Literal["counters", "counters_unless_forced", "trumps", "rook"]


def _upper(value: object) -> object:
    return value.strip().upper() if isinstance(value, str) else value


def _counter_key(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _upper(value)


CardName: TypeAlias = Annotated[str, BeforeValidator(_upper)]
CounterKey: TypeAlias = Annotated[str, BeforeValidator(_counter_key)]


class Value(BaseModel):
    """A value made of named parts, written as an inline table: ``{ replace = 200 }``."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class UpTo(Value):
    """The declarer may swap up to this many cards with the nest."""

    up_to: PositiveCount


class ExactlyOrNone(Value):
    """The declarer swaps exactly this many cards with the nest, or none."""

    exactly_or_none: PositiveCount


class Sun(Value):
    """A bid above the maximum: every trick and every counter must be taken, for this value."""

    name: Literal["sun"]
    value: PositivePoints | Literal["game"]


class Moon(Value):
    """A bid of the maximum that, when made, scores this value instead of the points taken."""

    name: Literal["moon"]
    value: PositivePoints


class SweepReplaces(Value):
    """A sweep scores this instead of the points taken."""

    replace: PositivePoints


class SweepAdds(Value):
    """A sweep scores this on top of the points taken."""

    add: PositivePoints


class Cap(Value):
    """A side that makes no contract of its own stops at this total."""

    cap: PositivePoints


class CircusPassing(Value):
    """What is given after a call of circus: the best and the worst card, or any card."""

    best: Literal["enforced", "free"] = "enforced"
    worst: Literal["enforced", "free"] = "free"


SpecialBid: TypeAlias = Annotated[Sun | Moon, Field(discriminator="name")]
