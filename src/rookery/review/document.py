"""What `rookery review --json` prints: a match with every decision judged.

All points are game points. A *margin* is by how much the seat's side outscores the others, or their
mean if there are several, as everywhere in this project.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, Field

Method = Literal["solver", "search"]
# Game points to two digits, never -0.0; and a chance from 0 to 1, to four.
Points: TypeAlias = Annotated[float, AfterValidator(lambda points: round(points, 2) + 0.0)]
Chance: TypeAlias = Annotated[float, AfterValidator(lambda chance: round(chance, 4))]


class _Model(BaseModel, frozen=True):
    pass


class Reason(_Model):
    """Why an action is good, or was worse: a sentence for people and a code for programs."""

    code: str = Field(description="A stable word, the key of its translations.")
    text: str = Field(description="The sentence in English.")
    about: dict[str, str | int] = Field(
        default_factory=dict,
        description="The values in the sentence, by name: `card` as a record writes it, `suit` as "
        "`red` or `trump`, `points`, `percent`, `cards`.",
    )


class Alternative(_Model):
    """An action that could have been taken."""

    action: str = Field(description="As a record writes it, without the seat.")
    margin: Points = Field(description="The expected margin of the hand after it, points.")
    error: Points = Field(description="The standard error of its distance to the best, points.")
    making: Chance | None = Field(
        description="The chance that the contract is made then, 0 to 1; for a bid, that this bid "
        "is made if it is the last. Null if no rollout came to that."
    )


class Decision(_Model):
    """One decision, judged by what its seat could know, and with all cards open."""

    action_index: int = Field(description="Its number among the actions of the hand, from 0.")
    seat: int = Field(description="Who decided; the declarer for a dummy's card.")
    turn: int = Field(description="The seat that the action names: the dummy for its card.")
    phase: str = Field(description="auction nest trump rook call leader circus play")
    action: str = Field(description="What was done, without the seat.")
    best: str = Field(description="What was best; the same as `action` if nothing was better.")
    cost: Points = Field(description="Margin given away; 0 if that may be noise.")
    sure: bool = Field(description="Whether something else was better beyond noise.")
    error: Points = Field(description="The standard error of the distance to the best, points.")
    open_cost: Points | None = Field(
        description="Margin given away, judged with all cards open; null if that is not known."
    )
    open_by: Method | None = Field(
        description="How: by exact play (`solver`), or by rollouts in the true hands (`search`)."
    )
    margin: Points = Field(description="The expected margin after what was done.")
    making: Chance | None = Field(description="The chance of the contract after it, 0 to 1.")
    alternatives: list[Alternative] = Field(
        description="What was tried, the best first, what was done included."
    )
    reason: Reason = Field(description="Why the best was good, from what the seat could know.")
    mistake: Reason | None = Field(description="Why what was done was worse; null if it was not.")
    turning: bool = Field(description="Whether it is one of the match's turning points.")


class Auction(_Model):
    """What buying the contract was worth."""

    seat: int = Field(description="Who bought it.")
    action_index: int = Field(description="The number of the bid that became the contract.")
    bought: Points = Field(description="The expected margin with that bid.")
    left: Points = Field(description="The expected margin with a pass instead.")
    worth: Points = Field(description="`bought` above `left`: what the bid was worth.")
    error: Points = Field(description="The standard error of `worth`, points.")
    making: Chance | None = Field(description="The chance of making it, as seen at the bid.")


class OpenContract(_Model):
    """The result of the contract with all cards open, from the first lead on."""

    points: int | None = Field(
        description="What the declarer's side takes if everybody plays their best; null if that "
        "was too much to solve."
    )
    made: bool = Field(description="Whether the contract is made then.")
    by: Method = Field(description="By exact play (`solver`), or by one rollout (`search`).")


class HandReview(_Model):
    """One hand of the match."""

    hand: int = Field(description="Its number, from 0.")
    dealer: int = Field(description="Who dealt it.")
    phase: str = Field(description="Where it ended; `done` if it was played to its end.")
    declarer: int | None = Field(description="Who played the contract.")
    contract: int | Literal["sun"] | None = Field(description="What was promised, points.")
    call: str | None = Field(description="The trump call.")
    made: bool | None = Field(description="Whether it was made; null if that is not settled.")
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
        description="0 to 100; 100 if nothing was ever better; null without decisions."
    )
    decisions: int = Field(description="Decisions with more than one choice.")
    mistakes: int = Field(description="Those that cost something for sure.")
    cost: Points = Field(description="Margin given away in all.")
    open_cost: Points | None = Field(
        description="The same with open cards, of the decisions for which it is known."
    )


class TurningPoint(_Model):
    """A decision that changed the outcome of the hand most, with all cards open."""

    hand: int
    action_index: int
    swing: Points = Field(description="By how much the margin of the seat's side fell, points.")
    blame: bool = Field(
        description="Whether the seat could have known better; otherwise it was luck."
    )


class Review(_Model):
    """The review of a match."""

    format: Literal["rookery-review/1"] = "rookery-review/1"
    rules: str = Field(description="What the game is called.")
    tries: int = Field(description="Rollouts for a decision, about.")
    seed: int = Field(description="The same seed gives the same review.")
    hand_points: int = Field(description="All the points of a hand, the measure of accuracy.")
    players: list[PlayerReview]
    hands: list[HandReview] = Field(description="The hands that were asked for, in order.")
    turning: list[TurningPoint] = Field(description="The few largest, the largest first.")
    totals: list[int] = Field(description="Each seat's total at the end of the record.")
    winners: list[int] | None = Field(description="Who has won the match.")


class Explanation(_Model):
    """A hint: what is best for a seat now, the alternatives, and the reason."""

    action: str = Field(description="The best, as a record writes it, without the seat.")
    making: Chance | None = Field(description="The chance of the contract after it, 0 to 1.")
    alternatives: list[Alternative] = Field(description="What was tried, the best first.")
    reason: Reason
