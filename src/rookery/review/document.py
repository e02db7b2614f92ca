"""What `rookery review --json` prints: a match with every decision judged.

All points are game points, and a *margin* is what the seat's side scores above the others (their
mean, where there are more of them), as everywhere in this project.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT: Literal["rookery-review/1"] = "rookery-review/1"
Judge = Literal["solver", "search"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Reason(_Model):
    """Why something is good, or was worse: for people a sentence, for programs a code."""

    code: str = Field(description="A stable word, the key of its translations.")
    text: str = Field(description="The sentence in English.")
    about: dict[str, str | int] = Field(
        default_factory=dict,
        description="What the sentence speaks of, by the names in its template: `card` as a record "
        "writes it, `suit` as `red` or `trump`, `points`, `percent`.",
    )


class Alternative(_Model):
    """Something that could have been done."""

    action: str = Field(description="As a record writes it, without the seat.")
    margin: float = Field(description="The expected margin of the hand after it, points.")
    error: float = Field(description="The standard error of its distance to the best, points.")
    making: float | None = Field(
        description="The chance that the contract is made then, 0 to 1; for a bid, that of the bid "
        "should it be the last. Null where it never came to that."
    )


class Decision(_Model):
    """One decision, judged on what its seat could know, and with open cards."""

    action_index: int = Field(description="Its number among the actions of the hand, from 0.")
    seat: int = Field(description="Who decided; the declarer for a dummy's card.")
    turn: int = Field(description="The seat that the action names: the dummy for its card.")
    phase: str = Field(description="auction nest trump rook call leader circus play")
    action: str = Field(description="What was done, without the seat.")
    best: str = Field(description="What was best; the same as `action` where nothing was better.")
    cost: float = Field(description="Margin given away; 0 where that may be noise.")
    sure: bool = Field(description="Whether something else was better beyond noise.")
    error: float = Field(description="The standard error of the distance to the best, points.")
    open_cost: float | None = Field(
        description="Margin given away as seen with all cards open; null where that is not known."
    )
    open_by: Judge | None = Field(
        description="How: by exact play (`solver`), or by tries in the true hands (`search`)."
    )
    margin: float = Field(description="The expected margin after what was done.")
    making: float | None = Field(description="The chance of the contract after it, 0 to 1.")
    alternatives: list[Alternative] = Field(
        description="What was weighed, best first, what was done included."
    )
    reason: Reason = Field(description="Why the best was good, from what the seat could know.")
    mistake: Reason | None = Field(description="Why what was done was worse; null where it is not.")
    turning: bool = Field(description="Whether it is one of the match's turning points.")


class Auction(_Model):
    """What buying the contract was worth."""

    seat: int = Field(description="Who bought it.")
    action_index: int = Field(description="The number of the bid that became the contract.")
    bought: float = Field(description="The margin that was to be expected of that bid.")
    left: float = Field(description="The margin that was to be expected of a pass instead.")
    worth: float = Field(description="`bought` above `left`: what the bid was worth.")
    error: float = Field(description="The standard error of `worth`, points.")
    making: float | None = Field(description="The chance of making it, as seen with the bid.")


class OpenContract(_Model):
    """What the contract would have come to with all cards open, from the first lead on."""

    points: int | None = Field(
        description="What the declarer's side takes with best play by everybody; null where that "
        "was too much to solve."
    )
    made: bool = Field(description="Whether the contract is made then.")
    by: Judge = Field(description="By exact play (`solver`), or by one try (`search`).")


class HandReview(_Model):
    """One hand of the match."""

    hand: int = Field(description="Its number, from 0.")
    dealer: int = Field(description="Who dealt it.")
    phase: str = Field(description="Where it ended; `done` where it was played out.")
    declarer: int | None = Field(description="Who played the contract.")
    contract: int | Literal["sun"] | None = Field(description="What was promised, points.")
    call: str | None = Field(description="The trump call.")
    made: bool | None = Field(description="Whether it was made; null where that is not settled.")
    points: int | None = Field(description="What the declarer's side took; null before the end.")
    score: list[int] | None = Field(description="The hand's score of each seat.")
    totals: list[int] = Field(description="Each seat's total after the hand.")
    winning: list[float] = Field(
        description="Each seat's chance of winning the match after the hand, 0 to 1, from the "
        "totals alone."
    )
    auction: Auction | None = Field(
        description="What the auction was worth to the side that bought; null for a contract that "
        "nobody bid for, and in a hand without one."
    )
    open: OpenContract | None = Field(
        description="The contract with open cards; null in a hand that never came to its play, or "
        "has no contract."
    )
    decisions: list[Decision] = Field(description="Every decision with more than one choice.")


class PlayerReview(_Model):
    """How one player did."""

    seat: int
    name: str | None = Field(description="As the record has it.")
    accuracy: float | None = Field(
        description="0 to 100; 100 where nothing better was ever passed by; null without decisions."
    )
    decisions: int = Field(description="Decisions with more than one choice.")
    mistakes: int = Field(description="Those that cost something for sure.")
    cost: float = Field(description="Margin given away in all.")
    open_cost: float | None = Field(
        description="The same with open cards, of the decisions for which it is known."
    )


class TurningPoint(_Model):
    """A decision after which the hand looked most different to somebody who sees all cards."""

    hand: int
    action_index: int
    swing: float = Field(description="By how much the margin of the seat's side fell, points.")
    blame: bool = Field(description="Whether the seat could know better; otherwise it was luck.")


class Review(_Model):
    """A match, looked at again."""

    format: Literal["rookery-review/1"] = FORMAT
    rules: str = Field(description="What the game is called.")
    tries: int = Field(description="Tries for a decision, about.")
    seed: int = Field(description="The same seed, the same review.")
    hand_points: int = Field(description="All the points of a hand, the measure of accuracy.")
    players: list[PlayerReview]
    hands: list[HandReview] = Field(description="Those that were asked for, in order.")
    turning: list[TurningPoint] = Field(description="The few that moved most, the largest first.")
    totals: list[int] = Field(description="Each seat's total at the end of the record.")
    winners: list[int] | None = Field(description="Who has won the match.")


class Explanation(_Model):
    """What is best for a seat now, what else there is, and why: a hint at the table."""

    seat: int = Field(description="Who has to decide.")
    action: str = Field(description="The best, as a record writes it, without the seat.")
    margin: float = Field(description="The expected margin after it, points.")
    making: float | None = Field(description="The chance of the contract after it, 0 to 1.")
    alternatives: list[Alternative] = Field(description="What was weighed, best first.")
    reason: Reason
