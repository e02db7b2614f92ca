"""The shapes an option's value may have when it is more than a number, a yes or no, or one word."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

Yes: TypeAlias = Annotated[bool, Field(strict=True)]
SeatNumber: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=7)]
Few: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=57)]
Some: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=57)]
Points: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=100_000)]
Prize: TypeAlias = Annotated[int, Field(strict=True, ge=1, le=100_000)]
Debt: TypeAlias = Annotated[int, Field(strict=True, ge=-100_000, le=-1)]
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
    """The declarer may swap as many cards with the nest as he likes, up to a number."""

    up_to: Some


class ExactlyOrNone(Value):
    """The declarer swaps exactly so many cards with the nest, or none."""

    exactly_or_none: Some


class Sun(Value):
    """A bid above the maximum: every trick and every counter, for a value of its own."""

    name: Literal["sun"]
    value: Prize | Literal["game"]


class Moon(Value):
    """A bid of the maximum which, when made, scores a value instead of the points taken."""

    name: Literal["moon"]
    value: Prize


class SweepReplaces(Value):
    """A sweep scores this instead of the points taken."""

    replace: Prize


class SweepAdds(Value):
    """A sweep scores this on top of the points taken."""

    add: Prize


class Cap(Value):
    """Without a contract of its own a side's total is held at this."""

    cap: Prize


class CircusPassing(Value):
    """Who must give which card when four cards change hands after a circus call."""

    best: Literal["enforced", "free"] = "enforced"
    worst: Literal["enforced", "free"] = "free"


SpecialBid: TypeAlias = Annotated[Sun | Moon, Field(discriminator="name")]
