"""The JSON documents of the odds commands (``rookery schema odds``)."""

from __future__ import annotations

from typing import Literal, TypeAlias

from pydantic import BaseModel, Field


class Chance(BaseModel, frozen=True):
    """A chance from 0 to 1."""

    probability: float
    fraction: str | None = Field(description="The same exactly, such as 3/4; null where drawn.")
    ci95: tuple[float, float] | None = Field(description="95 % interval; null where exact.")


class Average(BaseModel, frozen=True):
    """An average number."""

    mean: float
    ci95: tuple[float, float] | None = Field(description="95 % interval; null where exact.")


class PlaceSize(BaseModel, frozen=True):
    """A place where unseen cards lie."""

    name: str
    cards: int


class Answer(BaseModel, frozen=True):
    """The fields that every answer has."""

    rules: str = Field(description="The variant's id, or the name of the house rules.")
    method: Literal["exact", "sampled"]
    samples: int | None = Field(description="Deals drawn; null where exact.")
    seed: int | None = Field(description="Of the deals drawn; null where exact.")
    unseen: int = Field(description="How many cards have not been seen.")
    places: list[PlaceSize] = Field(description="Where they lie.")


class CountChances(BaseModel, frozen=True):
    """The chances of a number of cards."""

    count: int
    exactly: Chance
    at_least: Chance


class TrumpOdds(Answer):
    """How many trumps the partner holds."""

    question: Literal["partner-trumps"] = "partner-trumps"
    trump: str
    partner: str
    trumps: int = Field(description="Trumps in the deck.")
    held_trumps: int = Field(description="Of these, in the hand of the player who asks.")
    unseen_trumps: int
    chances: list[CountChances]
    average: Average


class ShapeChance(BaseModel, frozen=True):
    """The chance of a shape: so many in one hand, so many in another, whoever it is."""

    hands: list[int] = Field(description="Cards of the suit in the hands, the longest first.")
    nest: int | None = Field(description="Cards of the suit in the nest, where it is unknown.")
    chance: Chance


class SplitChance(BaseModel, frozen=True):
    """The chance of a split."""

    cards: list[int] = Field(description="Cards of the suit in each of the places.")
    chance: Chance


class SplitOdds(Answer):
    """How the unseen cards of a suit lie."""

    question: Literal["split"] = "split"
    trump: str
    suit: str
    cards: list[str] = Field(description="The unseen cards of the suit.")
    shapes: list[ShapeChance] = Field(description="The likeliest first.")
    splits: list[SplitChance] = Field(description="The likeliest first, a hundred at most.")


class PointChance(BaseModel, frozen=True):
    """The chance of points."""

    points: int
    at_least: Chance


class NestOdds(Answer):
    """What the unknown cards of the nest hold."""

    question: Literal["nest"] = "nest"
    nest: int = Field(description="How many cards of the nest are unknown.")
    counter: Chance = Field(description="At least one counter.")
    rook: Chance | None = Field(description="The Rook; null where it is no card of the game.")
    rook_name: str = Field(description="What it is called: the Rook, or the joker.")
    counters: list[CountChances]
    points: list[PointChance]
    average: Average = Field(description="Of the points.")


class PlainOdds(BaseModel, frozen=True):
    """The answer of plain ``rookery odds``: cards in a hand drawn from a deck."""

    probability: float


class PaperChance(BaseModel, frozen=True):
    """A chance that the Menagerie paper prints."""

    cards: str = Field(description="The cards in question, in words.")
    targets: int = Field(description="How many of them the deck has.")
    at_least: int
    probability: float
    paper: float = Field(description="What the paper has, percent.")


class PaperOdds(BaseModel, frozen=True):
    """The paper's seven chances, ``rookery odds --paper``: cards in a hand drawn from a deck."""

    deck: int
    nest: int
    hand: int
    chances: list[PaperChance]


Odds: TypeAlias = PlainOdds | TrumpOdds | SplitOdds | NestOdds | PaperOdds
