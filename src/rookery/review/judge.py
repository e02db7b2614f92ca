"""Judging one decision: every choice is tried in the same worlds, with the error of each.

The judge sits in the seat that decided. It is shown the open table and that seat's own cards. Its
dice depend only on the seed and on the place of the decision in the match. So a decision is judged
the same by itself and among all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import Final, NamedTuple

from rookery.cards import CARDS, by_suit, pack_cards
from rookery.engine.rng import seeded
from rookery.engine.state import NEST
from rookery.game import Action, Hand
from rookery.rules import Rules
from rookery.rules.table import compile_rules
from rookery.search.choice import Choice, paired_error
from rookery.search.search import Search
from rookery.search.searcher import PerfectInformationSearcher, Searcher

NO_LIMIT: Final = "600000"  # ms: with a shorter time two reviews of a match could differ
SURE: Final = 3.0  # standard errors beyond which a difference is not noise
RESOLUTION: Final = 100  # rollouts cannot resolve less than one part in so many of all points
OPEN_ROLLOUTS: Final = 400  # if all hands are open, only the others' bids are left to chance


class Weighed(NamedTuple):
    """An action that was tried.

    Attributes:
        action: the action.
        margin: by how much the seat's side can expect to outscore the others, points.
        error: the standard error of how far the margin lies below the best, points.
        making: the chance of the contract, 0 to 1, or None.
        exact: whether the margin is known: every card is known, and all play their best.
    """

    action: Action
    margin: float
    error: float
    making: float | None
    exact: bool = False


@dataclass(frozen=True)
class Judgement:
    """A decision and its alternatives.

    Attributes:
        weighed: the possible actions, the best first, the one that was done among them.
        done: the action that was done, or an equal card.
        floor: points that a difference has to exceed to count.
        choices: the choices of the search, if the decision is a single one of the engine's.
    """

    weighed: tuple[Weighed, ...]
    done: Weighed
    floor: float
    choices: tuple[Choice, ...] = ()

    @property
    def best(self) -> Weighed:
        """The best action."""
        return self.weighed[0]

    @property
    def distance(self) -> float:
        """How far the action lies below the best, points, 0 or more."""
        return max(0.0, self.best.margin - self.done.margin)

    @property
    def sure(self) -> bool:
        """Whether another action was better beyond noise."""
        exact = self.best.exact and self.done.exact
        return self.distance > (0.0 if exact else max(self.floor, SURE * self.done.error))

    @property
    def cost(self) -> float:
        """What was given away, points; 0 if that may be noise."""
        return self.distance if self.sure else 0.0


class Judge:
    """Judges decisions of hands played by one set of rules."""

    def __init__(
        self, rules: Rules, rollouts: int, seed: int, *, perfect_information: bool = False
    ) -> None:
        """Prepare; a decision takes about `rollouts`, and the first in a process compiles.

        With `perfect_information` it judges by the true hands, not by what a seat could know.
        """
        self._search = Search(compile_rules(rules))
        self._floor = rules.total_points / RESOLUTION
        # With too few rollouts an action may be wrong by all the points of a hand.
        self._unknown_error = float(rules.total_points)
        options = {"rollouts": str(rollouts), "ms": NO_LIMIT}
        kind = PerfectInformationSearcher if perfect_information else Searcher
        self._seats = [kind(rules, seat, options, self._search) for seat in range(rules.seats)]
        self._seed = seed

    def judge(self, hand: Hand, action: Action | str, place: int) -> Judgement:
        """Return a legal action of the seat to act, beside all alternatives.

        `place` is the number of the decision in its match, for the dice.
        """
        done = hand.parse(action)
        numbers = hand.numbers_of(done)
        if len(numbers) > 1 or hand.phase in ("nest", "call"):
            return self._judge_group(hand, done, numbers, place)
        choices = self.choices(hand, place, numbers[0])
        own = self.choice_for(hand, choices, numbers[0])
        weighed = [
            self.weighed(done if choice is own else hand.action_of(choice.action), choice)
            for choice in choices
        ]
        return Judgement(tuple(weighed), weighed[choices.index(own)], self._floor, tuple(choices))

    def choices(self, hand: Hand, place: int, also: int | None = None) -> list[Choice]:
        """Return the choices of the seat to act, tried in the same worlds, the best first.

        `also` is the number of an action that is to be among them.
        """
        seat = self._seats[hand.to_act or 0]
        seat.begin(hand, seeded(self._seed, place) >> 1)
        return seat.weigh(hand, also=also, even=True)

    def choice_for(self, hand: Hand, choices: Sequence[Choice], number: int) -> Choice:
        """Return the choice for the engine's action `number`, or for an equal card."""
        return self._seats[hand.to_act or 0].choice_for(hand, choices, number) or choices[0]

    def _judge_group(
        self, hand: Hand, done: Action, numbers: Sequence[int], place: int
    ) -> Judgement:
        """Judge a whole discard or call, beside the one that the search makes card by card.

        Both are tried at their last card, if possible in the same worlds.
        """
        seat = self._seats[hand.to_act or 0]
        seat.begin(hand, seeded(~self._seed & (1 << 62) - 1, place) >> 1)
        best: list[int] = []
        position = hand
        while len(position.actions) == len(hand.actions):
            best.append(seat.weigh(position)[0].action)
            position = position.do(best[-1])
        if set(best) == set(numbers):
            own, _ = self._last(hand, numbers, place)
            only = Weighed(done, own.margin, 0.0, own.making)
            return Judgement((only,), only, self._floor)
        cards = tuple(by_suit(pack_cards(number for number in best if number < CARDS)))
        tried = {done: numbers, replace(done, cards=cards): best}
        weighed = self._among(hand, tried, place)
        judged = next(one for one in weighed if one.action is done)
        return Judgement(tuple(weighed), judged, self._floor)

    def among(self, hand: Hand, actions: Iterable[Action], place: int) -> list[Weighed]:
        """Return whole discards or calls, the best first, tried in the same worlds if possible.

        They are legal for the seat to act; `place` is that of `judge`.
        """
        return self._among(hand, {one: hand.numbers_of(one) for one in actions}, place)

    def _among(
        self, hand: Hand, tried: Mapping[Action, Sequence[int]], place: int
    ) -> list[Weighed]:
        """Return actions of several numbers each, the best first, each tried at its last card."""
        found = [(action, *self._last(hand, numbers, place)) for action, numbers in tried.items()]
        found.sort(key=lambda one: -one[1].margin)
        _, best, best_values = found[0]
        weighed = [Weighed(found[0][0], best.margin, 0.0, best.making)]
        for action, own, values in found[1:]:
            if len(values) == len(best_values) and hand.state.phase == NEST:
                apart = paired_error(best_values, values)
                error = self._unknown_error if apart is None else apart / self._scale(hand)
            elif own.error is None or best.error is None:
                error = self._unknown_error
            else:
                error = hypot(own.error, best.error)
            weighed.append(Weighed(action, own.margin, error, own.making))
        return weighed

    def _last(self, hand: Hand, numbers: Sequence[int], place: int) -> tuple[Choice, list[int]]:
        """Return the choice for the last of several numbers, and its value in each world."""
        for number in numbers[:-1]:
            hand = hand.do(number)
        choices = self.choices(hand, place, numbers[-1])
        choice = self.choice_for(hand, choices, numbers[-1])
        return choice, list(self._search.values[choice.action])

    def _scale(self, hand: Hand) -> int:
        side = hand.table.partners[hand.to_act or 0].bit_count()
        return side * (hand.rules.seats - side)

    def weighed(self, action: Action, choice: Choice) -> Weighed:
        """Return what a choice of the search says of an action."""
        error = choice.behind_error
        if error is None:  # a single rollout says nothing
            error = 0.0 if choice.exact else self._unknown_error
        return Weighed(action, choice.margin, error, choice.making, choice.exact)
