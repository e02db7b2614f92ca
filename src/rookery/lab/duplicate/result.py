"""What a match says: the JSON document of `rookery match`, from what was noted."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import BaseModel, Field

from rookery.lab.duplicate import boards as at
from rookery.lab.duplicate.known_places import place_of
from rookery.lab.duplicate.match import Played
from rookery.lab.duplicate.seeds import Family
from rookery.lab.stats import Interval, interval_of, variance_of

ROUNDED: Final = 4


class Difference(BaseModel, frozen=True):
    """The first bot's side against the others."""

    mean: float = Field(description="Points a board: see the page on the laboratory.")
    ci95: tuple[float, float] = Field(description="The 95 % interval; the deal is the unit.")


class Sequential(BaseModel, frozen=True):
    """The sequential test and its outcome."""

    low: float = Field(description="Points a board of the one hypothesis.")
    high: float = Field(description="Points a board of the other.")
    alpha: float = Field(description='How often it may say "high" where "low" is true.')
    beta: float = Field(description='How often it may say "low" where "high" is true.')
    ratio: float = Field(description="The likelihood ratio at the end, as a logarithm.")
    bounds: tuple[float, float] = Field(description="The ratios at which it knows.")
    answer: Literal["low", "high"] | None = Field(description="null: it does not know yet.")


class Result(BaseModel, frozen=True):
    """What `rookery match --json` prints."""

    rules: str = Field(description="A variant's id, or a house-rule file.")
    deals: int = Field(description="Deals that were played and counted.")
    hands_played: int = Field(description="Deals times rooms.")
    seats: list[str] = Field(description="The bots; two of them stand for the two sides.")
    points_per_hand: list[float] = Field(description="Each bot's score a hand, one seat's.")
    difference: Difference
    made: list[float | None] = Field(
        description="Each bot's share of its contracts that were made, 0 to 1; null without any."
    )
    illegal: int = Field(description="Actions that the rules did not allow, of all bots.")
    seconds: float = Field(description="How long the play took, compiling left aside.")
    decisions: int = Field(description="Actions that were checked against the rules.")
    fallbacks: list[int] = Field(
        description="How often each bot was answered for: late, gone, no sense, or illegal."
    )
    contracts: list[int] = Field(description="How many contracts each bot played.")
    mean_bid: list[float | None] = Field(description="Points that its contracts were for.")
    mean_taken: list[float | None] = Field(description="Points that it took in them.")
    rooms: int = Field(description="How often each deal was played.")
    unscored: int = Field(description="Hands that ended without a score; 0 for everybody.")
    worth: float | None = Field(
        description="How many hands on deals of their own would say as much as one of these."
    )
    seed: int
    family: Family
    test: Sequential | None
    places: list[float | None] = Field(
        description="Where each bot stands between random (0) and open-hand (100) in the kept "
        "league of this game, percent; null where that is not known."
    )


def result_of(played: Played) -> Result:
    """Return the result of a match of two boards or more."""
    match, sums = played.match, played.sums
    boards, rooms = sums[at.BOARDS], match.rooms
    interval = difference_of(played)
    blocks = [[0] * at.EACH for _ in match.bots]
    for slot, place in enumerate(match.places):
        first = at.BOTS + at.EACH * slot
        blocks[place] = [
            a + b for a, b in zip(blocks[place], sums[first : first + at.EACH], strict=True)
        ]
    seats = [match.places.count(place) for place in range(len(match.bots))]
    hands = boards * rooms
    return Result(
        rules=match.label,
        deals=boards,
        hands_played=hands,
        seats=[str(bot) for bot in match.bots],
        points_per_hand=[
            round(block[at.POINTS] / (hands * n), ROUNDED)
            for block, n in zip(blocks, seats, strict=True)
        ],
        difference=Difference(
            mean=round(interval.mean, ROUNDED),
            ci95=(round(interval.low, ROUNDED), round(interval.high, ROUNDED)),
        ),
        made=[_mean(block, at.MADE) for block in blocks],
        illegal=sum(block[at.ILLEGAL] for block in blocks),
        seconds=round(played.seconds, 3),
        decisions=sums[at.DECISIONS],
        fallbacks=[block[at.FALLBACKS] for block in blocks],
        contracts=[block[at.CONTRACTS] for block in blocks],
        mean_bid=[_mean(block, at.BID) for block in blocks],
        mean_taken=[_mean(block, at.TAKEN) for block in blocks],
        rooms=rooms,
        unscored=sums[at.UNSCORED],
        worth=_worth(played),
        seed=match.seed,
        family=match.family,
        test=_test(played),
        places=[place_of(match.label, str(bot)) for bot in match.bots],
    )


def difference_of(played: Played) -> Interval:
    """Return points a board with the 95 % interval; boards are the unit, not hands."""
    sums = played.sums
    return interval_of(sums[at.BOARDS], sums[at.TOTAL], sums[at.SQUARES], played.match.scale)


def _mean(block: list[int], place: int) -> float | None:
    return round(block[place] / block[at.CONTRACTS], ROUNDED) if block[at.CONTRACTS] else None


def _worth(played: Played) -> float | None:
    """Return the variance of the mean over single hands divided by that over boards."""
    sums, rooms = played.sums, played.match.rooms
    boards = sums[at.BOARDS]
    single = variance_of(boards * rooms, sums[at.TOTAL], sums[at.ROOM_SQUARES])
    board = variance_of(boards, sums[at.TOTAL], sums[at.SQUARES]) / rooms
    return round(single / board, 2) if board else None


def _test(played: Played) -> Sequential | None:
    sprt, ratio = played.match.sprt, played.ratio
    if sprt is None or ratio is None:
        return None
    return Sequential(
        low=sprt.low, high=sprt.high, alpha=sprt.alpha, beta=sprt.beta,
        ratio=round(ratio, ROUNDED), bounds=sprt.bounds, answer=sprt.answer(ratio),
    )  # fmt: skip
