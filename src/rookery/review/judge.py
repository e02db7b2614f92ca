"""What the search says of one decision: every choice tried in the same worlds, and how sure it is.

The judge sits in the seat that decided. It is shown the open table and that seat's cards, and its
dice hang on nothing but the seed and the place in the record, so a decision is judged the same by
itself and among all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Final

from rookery.cards import CARDS, by_suit, pack_cards
from rookery.engine.rng import seeded
from rookery.engine.state import NEST
from rookery.game import Action, Hand
from rookery.rules import Rules
from rookery.rules.table import compile_rules
from rookery.search.choice import Choice, paired_error
from rookery.search.desk import Desk
from rookery.search.mover import Peeper, Searcher

PATIENT: Final = (
    "600000"  # ms: never the clock decides what is found, or no review were like another
)
SURE: Final = 3.0  # standard errors beyond which a difference is no noise
BLIND: Final = 100  # one part in so many of a hand's points, below which tries tell nothing
PEEPS: Final = 400  # tries where all cards are open: only how others bid is left to chance


@dataclass(frozen=True)
class Weight:
    """An action that was weighed.

    Attributes:
        action: the action.
        margin: what the seat's side may expect to score above the others, points.
        error: the standard error of how far that lies below the best, points.
        making: the chance of the contract, 0 to 1, or None.
        exact: whether the margin is known, every card being known and all playing their best.
    """

    action: Action
    margin: float
    error: float
    making: float | None
    exact: bool = False


@dataclass(frozen=True)
class Judgement:
    """A decision, weighed.

    Attributes:
        weights: what could have been done, the best first; what was done is among them.
        done: what stands for what was done.
        floor: points that a difference has to exceed to be one.
        choices: the search's own choices, where the decision is a single one of the engine's.
    """

    weights: tuple[Weight, ...]
    done: Weight
    floor: float
    choices: tuple[Choice, ...] = ()

    @property
    def best(self) -> Weight:
        """The best of what was weighed."""
        return self.weights[0]

    @property
    def distance(self) -> float:
        """How far what was done lies below the best, points, 0 or more."""
        return max(0.0, self.best.margin - self.done.margin)

    @property
    def sure(self) -> bool:
        """Whether something else was better, and not by noise."""
        exact = self.best.exact and self.done.exact
        return self.distance > (0.0 if exact else max(self.floor, SURE * self.done.error))

    @property
    def cost(self) -> float:
        """What was given away, points; 0 where that may be noise."""
        return self.distance if self.sure else 0.0


class Judge:
    """Judges decisions of hands played by one set of rules."""

    def __init__(self, rules: Rules, tries: int, seed: int, *, peeps: bool = False) -> None:
        """Take a seat; the first of all judges compiles.

        Args:
            rules: what was played.
            tries: for a decision, about.
            seed: of all the dice.
            peeps: whether this one judges by the true hands, in place of what a seat could know.
        """
        table = compile_rules(rules)
        desk = Desk(table)
        options = {"tries": str(tries), "ms": PATIENT}
        kind = Peeper if peeps else Searcher
        self._seats = [kind(rules, seat, options, desk) for seat in range(rules.seats)]
        self._desk, self._seed = desk, seed

    def judge(self, hand: Hand, action: Action | str, place: int, floor: float) -> Judgement:
        """Return what an action was worth, beside all others.

        Args:
            hand: at the moment of the action.
            action: legal for the seat to act.
            place: the number of the decision in its match, for the dice.
            floor: points that a difference has to exceed to be one.
        """
        done = hand.parse(action)
        numbers = hand.numbers_of(done)
        if len(numbers) > 1 or hand.phase in ("nest", "call"):
            return self._judge_group(hand, done, numbers, place, floor)
        choices = self._weigh(hand, numbers[0], place)
        standing = self._standing(hand, choices, numbers[0])
        weights = [
            _weight(done if choice is standing else hand.action_of(choice.action), choice, floor)
            for choice in choices
        ]
        return Judgement(tuple(weights), weights[choices.index(standing)], floor, tuple(choices))

    def choices(self, hand: Hand, place: int) -> list[Choice]:
        """Return the choices of the seat to act, tried in the same worlds, the best first."""
        return self._weigh(hand, None, place)

    def _weigh(self, hand: Hand, also: int | None, place: int) -> list[Choice]:
        seat = self._seats[hand.to_act or 0]
        seat.begin(hand, seeded(self._seed, place) >> 1)
        return seat.weigh(hand, also=also, even=True)

    def _standing(self, hand: Hand, choices: Sequence[Choice], number: int) -> Choice:
        found = self._seats[hand.to_act or 0].stands_for(hand, choices, number)
        return choices[0] if found is None else found

    def _judge_group(
        self, hand: Hand, done: Action, numbers: Sequence[int], place: int, floor: float
    ) -> Judgement:
        """Judge a whole discard or call: beside the one that the search makes card by card.

        Both are weighed at their last card, in the same worlds where what is closed is the same.
        """
        seat = self._seats[hand.to_act or 0]
        seat.begin(hand, seeded(~self._seed & (1 << 62) - 1, place) >> 1)
        best: list[int] = []
        position = hand
        while len(position.actions) == len(hand.actions):
            best.append(seat.weigh(position)[0].action)
            position = position.do(best[-1])
        mine, my_row = self._last(hand, numbers, place)
        if set(best) == set(numbers):
            weight = Weight(done, mine.margin, 0.0, mine.making)
            return Judgement((weight,), weight, floor)
        other, other_row = self._last(hand, best, place)
        if len(my_row) == len(other_row) and hand.state.phase == NEST:
            apart = paired_error(other_row, my_row)
            error = _unknown(floor) if apart is None else apart / self._scale(hand)
        elif mine.error is None or other.error is None:
            error = _unknown(floor)
        else:
            error = hypot(mine.error, other.error)
        cards = tuple(by_suit(pack_cards(number for number in best if number < CARDS)))
        ahead = other.margin > mine.margin
        searched = replace(done, cards=cards)
        first = Weight(searched, other.margin, 0.0 if ahead else error, other.making)
        own = Weight(done, mine.margin, error if ahead else 0.0, mine.making)
        return Judgement((first, own) if ahead else (own, first), own, floor)

    def _last(self, hand: Hand, numbers: Sequence[int], place: int) -> tuple[Choice, list[int]]:
        """Return the last of several numbers, weighed after the others, and its single worlds."""
        for number in numbers[:-1]:
            hand = hand.do(number)
        choices = self._weigh(hand, numbers[-1], place)
        choice = self._standing(hand, choices, numbers[-1])
        return choice, list(self._desk.rows[choice.action])

    def _scale(self, hand: Hand) -> int:
        side = hand.table.partners[hand.to_act or 0].bit_count()
        return side * (hand.rules.seats - side)


def _weight(action: Action, choice: Choice, floor: float) -> Weight:
    error = choice.behind_error
    if error is None:
        error = 0.0 if choice.sure else _unknown(floor)
    return Weight(action, choice.margin, error, choice.making, choice.sure)


def _unknown(floor: float) -> float:
    """Return the error of what was tried too rarely to have one: all the points of a hand."""
    return BLIND * floor
