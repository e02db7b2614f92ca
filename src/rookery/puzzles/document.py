"""What commands and the server say of a puzzle, ready for JSON.

A `Question` holds what the seat may know and nothing else; the `Answer` lays the rest open.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeAlias

from pydantic import BaseModel, Field

from rookery.cards import Seat, by_suit, unpack
from rookery.game import Hand, Match
from rookery.puzzles.puzzle import Puzzle, Worth
from rookery.record import of_match
from rookery.review.document import Chance, Points, Reason
from rookery.search.choice import Choice
from rookery.view import Played, TrickSeen, View, view_of


class _Model(BaseModel, frozen=True):
    pass


class _Named(_Model):
    id: str = Field(description="Its name, the same wherever this position is made.")
    rules: str = Field(description="The id of the rules; of house rules their name.")
    seat: int = Field(description="Whose decision it is; the declarer for a dummy's card.")
    rating: int = Field(description="How hard it is, Glicko-2; 1500 is in the middle.")


class PuzzleEntry(_Named):
    """A puzzle in a list."""

    themes: list[str] = Field(description="What it is about.")


PuzzleList: TypeAlias = list[PuzzleEntry]


class PuzzleChoice(_Model):
    """A choice, and what it is worth."""

    actions: list[str] = Field(
        description="As a record writes it, without the seat; then the equal ones."
    )
    worth: Points = Field(
        description="By how much the seat's side can expect to outscore the others, points."
    )
    behind: Points = Field(description="How far that lies behind the right choice, points.")
    making: Chance | None = Field(description="The chance of the contract then, 0 to 1.")
    right: bool = Field(description="Whether it is the right one.")
    reason: Reason = Field(description="Why it is right, or worse than the right one.")


class PuzzleQuestion(_Named):
    """A puzzle as the seat sees it, without the answer and the themes, which hint at it."""

    deviation: int = Field(description="The standard error of the rating.")
    partners: list[int] = Field(
        description="The seats that play with it by the rules; whoever is called is not among them."
    )
    turn: int = Field(description="The seat that the action names: the dummy for its card.")
    phase: str = Field(description="auction nest play")
    view: dict[str, Any] = Field(description="What the seat may know, as at a table.")
    options: list[list[str]] = Field(
        description="The choices, in an order that gives nothing away: each with its equals."
    )


class PuzzleAnswer(PuzzleQuestion):
    """A puzzle with its answer and all cards."""

    themes: list[str] = Field(description="What it is about.")
    choices: list[PuzzleChoice] = Field(description="The choices, the right one first.")
    held: list[list[str]] = Field(description="The cards that each place holds, a blind hand last.")
    nest: list[str] = Field(
        description="The cards that lie in the nest: as dealt, or the declarer's discards."
    )
    record: dict[str, Any] = Field(description="The hand up to the decision, `rookery/1`.")


def entry(puzzle: Puzzle) -> PuzzleEntry:
    """Return a puzzle as a list has it."""
    return PuzzleEntry(**_named(puzzle).model_dump(), themes=list(puzzle.themes))


def _named(puzzle: Puzzle) -> _Named:
    return _Named(
        id=puzzle.id,
        rules=puzzle.rules_name,
        seat=puzzle.seat,
        rating=round(puzzle.rating.value),
    )


def question(puzzle: Puzzle) -> PuzzleQuestion:
    """Return a puzzle as the seat sees it."""
    hand = puzzle.hand
    return PuzzleQuestion(
        **_named(puzzle).model_dump(),
        deviation=round(puzzle.rating.deviation),
        partners=[s for s in unpack(hand.table.partners[puzzle.seat]) if s != puzzle.seat],
        turn=hand.turn or 0,
        phase=hand.phase,
        view=seen(hand, puzzle.seat).as_dict(),
        options=[list(one.actions) for one in in_order(puzzle)],
    )


def seen(hand: Hand, seat: Seat) -> View:
    """Return a seat's view of a hand with the cards of all tricks, which the seat has seen fall.

    At a table captured tricks stay closed; whoever sits there remembers them.
    """
    tricks = [
        TrickSeen(
            trick.leader,
            trick.winner,
            [
                Played(place, name)
                for place, name in zip(
                    hand.order_from(trick.leader), hand.names(trick.cards), strict=False
                )
            ],
            None,
        )
        for trick in hand.tricks
    ]
    return replace(view_of(hand, seat), tricks=tricks)


def answer(puzzle: Puzzle) -> PuzzleAnswer:
    """Return a puzzle with its answer, the reasons and the record."""
    best = puzzle.right
    hand = puzzle.hand
    return PuzzleAnswer(
        **question(puzzle).model_dump(),
        themes=list(puzzle.themes),
        choices=[
            PuzzleChoice(
                actions=list(one.actions),
                worth=one.margin,
                behind=best.margin - one.margin,
                making=one.making,
                right=one is best,
                reason=reason_of(puzzle, one),
            )
            for one in puzzle.choices
        ],
        held=[hand.names(cards) for cards in hand.cards_held],
        nest=hand.names(by_suit(hand.hidden.nest)),
        record=of_match(Match(hand.rules).begin(hand)).written(),
    )


def reason_of(puzzle: Puzzle, choice: Worth) -> Reason:
    """Return why the right choice is right, or why another one is worse, as a review says it."""
    best = puzzle.right
    hand, right = puzzle.hand, puzzle.action_of(best.actions[0])
    # Imported late: a start loads only what a page needs.
    from rookery.review.mistakes import what_was_wrong
    from rookery.review.reasons import why

    if choice is best:
        return why(hand, right, [] if hand.phase == "nest" else _weighed(puzzle))
    done = puzzle.action_of(choice.actions[0])
    return what_was_wrong(hand, done, right, choice.making, best.making)


def _weighed(puzzle: Puzzle) -> list[Choice]:
    """Return the choices as the search had them, for the words of a bid."""
    hand = puzzle.hand
    return [
        Choice(hand.numbers_of(puzzle.action_of(one.actions[0]))[0], 1, one.margin, one.making)
        for one in puzzle.choices
    ]


def in_order(puzzle: Puzzle) -> list[Worth]:
    """Return the choices in an order that follows from what they are, not from their worth."""
    hand = puzzle.hand
    return sorted(puzzle.choices, key=lambda one: hand.numbers_of(puzzle.action_of(one.actions[0])))
