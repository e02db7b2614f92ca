"""The bar for a puzzle: which choices a decision has, and whether one is right beyond doubt.

A choice is right if it beats every other by ten points, or turns the contract, on average over
worlds that fit what the seat has seen. It has to do so with three standard errors to spare, with
one seed and then with another in twice as many worlds. With all cards of the true hand open it may
not be worse than another either. So nothing passes that is right only because of how the hidden
cards happen to lie, and nothing that they make look wrong. A second judge, who plays on better than
the script, has to agree; where there is none, the answer has to be further ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final

from rookery.bots.seat_info import SeatInfo
from rookery.cards import unpack
from rookery.engine.actions import PASS
from rookery.engine.card_sets import count
from rookery.engine.trick import following
from rookery.game import Action, Hand, Verb
from rookery.puzzles.discards import discards_to_try, exchanges, near_misses
from rookery.puzzles.puzzle import Worth
from rookery.puzzles.second_judge import SecondJudge, reaches
from rookery.review.judge import OPEN_ROLLOUTS, RESOLUTION, SURE, Judge, Weighed
from rookery.review.open_cards import OpenValues, solvable
from rookery.rules import Rules
from rookery.rules.table import compile_rules
from rookery.search.choice import Choice
from rookery.search.endgame import points_decide
from rookery.search.request import request_of
from rookery.search.state import equal_among

POINTS: Final = 10.0  # by how much the right choice beats every other, at least
TURNS: Final = 0.5  # or: by how much it moves the chance of the contract, across one half
QUICK: Final = 256  # rollouts of the first look
NEAR: Final = 0.8  # of the bar: what is below this at the first look is not looked at again
CLOSER: Final = 4  # of the first proof's rollouts: the closer look has one part in so many
ROLLOUTS: Final = 4000  # of the first proof; the second has twice as many
PHASES: Final = ("auction", "nest", "play")
RUNG: Final = 5  # the bid offered beside the lowest one: its number on the search's ladder, from 0
CONTRACTS: Final = 30  # a chance is shown from so many on
ENDS: Final = 0.25  # how often the lowest bid has to end the auction where a pass is right
SPARE: Final = 1.0  # standard errors more for a discard that is to be offered as wrong
FAR: Final = 0.25  # of all points, between the answer and the rest, where there is no second judge
NO_CHANCE, SOME = 0.02, 0.4  # of the contract: what the script makes of a wrong choice and a right
STEPS: Final = 3  # exchanges of a card, one after the other, that may mend a discard


class NoPuzzle(ValueError):
    """A decision that is no puzzle.

    Codes: ``no-choice``, ``two-answers`` (another choice is as good, or nearly), ``unstable``
    (another seed and more worlds say something else), ``better-discard`` and ``better-bid`` (one is
    better that is not among the choices), ``empty-bid`` (a bid that hardly ever ends the auction is
    right, or all that there is beside a pass), ``partner-has-it`` (a pass would leave the
    contract to the partner, all others having passed), ``open-hand`` (with all cards open another
    choice is better), ``second-judge`` (with better play after it another choice is as good, or
    nearly; or nobody can say so).
    """

    def __init__(self, code: str) -> None:
        self.code = code
        super().__init__(code)


def stands_out(tried: Sequence[Weighed], part: float = 1.0, errors: float = SURE) -> bool:
    """Return whether the first choice beats every other by the bar, or by a part of it.

    >>> one = Weighed(Action.parse("0 play R5"), 20.0, 0.0, 0.9)
    >>> two = one._replace(margin=5.0, error=1.0, making=0.8)
    >>> stands_out([one, two]), stands_out([one, two._replace(error=2.0)])
    (True, False)
    """
    return len(tried) > 1 and all(_beats(tried[0], other, part, errors) for other in tried[1:])


def _beats(best: Weighed, other: Weighed, part: float = 1.0, errors: float = SURE) -> bool:
    ahead = best.margin - other.margin - errors * other.error
    if ahead >= part * POINTS:
        return True
    if best.making is None or other.making is None or ahead <= 0:
        return False
    across = min(best.making, other.making) < 0.5 < max(best.making, other.making)
    return across and abs(best.making - other.making) >= part * TURNS


def stands_far_out(tried: Sequence[Weighed], points: float) -> bool:
    """Return whether the first choice is ahead by so many points that it needs no second judge.

    Where the script makes a contract half the time, and never after another choice, it may just
    play on badly after that one.
    """
    best, *others = tried
    lost = [one for one in others if one.making is not None and one.making <= NO_CHANCE]
    if lost and best.making is not None and best.making >= SOME:
        return False
    return all(best.margin - one.margin >= points for one in others)


class Prover:
    """Tells puzzles from other decisions, for hands played by one set of rules."""

    def __init__(self, rules: Rules, seed: int, rollouts: int = ROLLOUTS) -> None:
        """Prepare; a first proof takes `rollouts`, and the first in a process compiles."""
        self._quick = Judge(rules, min(QUICK, rollouts), seed)
        self._closer = Judge(rules, max(1, rollouts // CLOSER), seed)
        self._first = Judge(rules, rollouts, seed)
        self._second = Judge(rules, 2 * rollouts, seed + 1)
        self._third = Judge(rules, 2 * rollouts, seed + 2)
        self._open = Judge(rules, OPEN_ROLLOUTS, seed, perfect_information=True)
        self._solver = OpenValues(compile_rules(rules))
        self._other = SecondJudge(rules, seed + 3, rollouts)
        self._floor = rules.total_points / RESOLUTION

    def candidate(self, hand: Hand, place: int) -> bool:
        """Return whether a decision is worth a proof, after two quick looks and one at all cards.

        It is number `place`, and `hand` is the hand before it.
        """
        if not is_choice(hand):
            return False
        tried = self._tried(self._quick, hand, place)
        if not stands_out(tried, NEAR, 0.0) or not self._open_agrees(hand, _actions(tried), place):
            return False
        return stands_out(self._tried(self._closer, hand, place), 1.0, 0.0)

    def prove(self, hand: Hand, place: int) -> tuple[Worth, ...]:
        """Return the choices of a puzzle, the right one first, the worst last; see `candidate`.

        Raises:
            NoPuzzle: it is none.
        """
        if not is_choice(hand):
            raise NoPuzzle("no-choice")
        near = self._near_misses(hand, place) if hand.phase == "nest" else []
        tried = self._tried(self._first, hand, place, near)
        if len(tried) < 2:
            raise NoPuzzle("no-choice")
        if not stands_out(tried):
            raise NoPuzzle("two-answers")
        again = self._tried(self._second, hand, place, _actions(tried))
        right = again[0].action
        if right != tried[0].action or not stands_out(again):
            raise NoPuzzle("unstable")
        if not self._is_seconded(hand, again, place):
            raise NoPuzzle("second-judge")
        if hand.phase == "nest" and self._is_beaten(hand, right, place):
            raise NoPuzzle("better-discard")
        if hand.phase == "auction":
            self._check_call(hand, right, place)
        if not self._open_agrees(hand, _actions(again), place):
            raise NoPuzzle("open-hand")
        groups = _equals(hand, _actions(again))
        return tuple(
            Worth(tuple(action.words for action in group), one.margin, one.making)
            for group, one in zip(groups, again, strict=True)
        )

    def _is_seconded(self, hand: Hand, tried: Sequence[Weighed], place: int) -> bool:
        """Return whether the second judge agrees, or the first choice needs none."""
        if not reaches(hand):
            return stands_far_out(tried, FAR * hand.rules.total_points)
        return self._other.agrees(hand, _actions(tried), place)

    def _tried(
        self, judge: Judge, hand: Hand, place: int, known: Sequence[Action] = ()
    ) -> list[Weighed]:
        """Return the choices, the best first; those of `known` alone if any are given."""
        if hand.phase == "nest":
            weighed = judge.among(hand, known or discards_to_try(judge, hand, place), place)
            return weighed if known else _without_near(weighed)
        found = [_of_choice(judge, hand, choice) for choice in judge.choices(hand, place)]
        if known:
            return _beside_first([one for one in found if one.action in known])
        return offered(found) if hand.phase == "auction" else found

    def _near_misses(self, hand: Hand, place: int) -> list[Action]:
        """Return the best discard that is found, and wrong ones near it; nothing if none is wrong.

        The best of those that are listed is mended card by card as long as an exchange is better.
        """
        judge = self._first
        best = judge.among(hand, discards_to_try(judge, hand, place), place)[0].action
        swaps = exchanges(judge, hand, best, place)
        for _ in range(STEPS):
            if not swaps or swaps[0].ahead <= 0:
                break
            best = swaps[0].action
            swaps = exchanges(judge, hand, best, place)
        wrong = near_misses(hand, best, [one for one in swaps if one.behind(POINTS, SURE + SPARE)])
        return [best, *wrong] if wrong else []

    def _is_beaten(self, hand: Hand, discard: Action, place: int) -> bool:
        """Return whether a discard that is not among the choices is better beyond noise."""
        if self._third.judge(hand, discard, place).sure:
            return True
        return any(s.better(self._floor) for s in exchanges(self._third, hand, discard, place))

    def _check_call(self, hand: Hand, right: Action, place: int) -> None:
        """Refuse a call of the auction beside what was not offered, or a pass that is no question.

        Raises:
            NoPuzzle: ``better-bid``, ``empty-bid`` or ``partner-has-it``.
        """
        for judge in (self._second, self._third):
            choices = judge.choices(hand, place)
            best = choices[0]
            own = next(one for one in choices if hand.action_of(one.action) == right)
            noise = max(self._floor, SURE * (own.behind_error or 0.0))
            if best.margin - own.margin > noise:
                raise NoPuzzle("better-bid")
        table, bidder = hand.table, hand.state.bidder
        ours = bidder >= 0 and table.partners[hand.to_act or 0] >> bidder & 1
        if ours and hand.act(f"{hand.turn} pass").phase != "auction":
            raise NoPuzzle("partner-has-it")
        if right.verb is not Verb.PASS:
            if own.contracts < CONTRACTS:
                raise NoPuzzle("empty-bid")
            return
        bids = [one for one in choices if isinstance(hand.action_of(one.action).amount, int)]
        lowest = min(bids, key=lambda one: one.action, default=None)
        if lowest is None or lowest.contracts < ENDS * lowest.rollouts:
            raise NoPuzzle("empty-bid")

    def _open_agrees(self, hand: Hand, actions: Sequence[Action], place: int) -> bool:
        """Return whether the first choice is no worse than the others with all cards open."""
        if solvable(hand) and points_decide(hand.table, hand.state, hand.hidden):
            cards = [action.card for action in actions]
            values = self._solver.of(hand.state, [hand.hidden], cards)
            if values is not None:
                return bool(values[0, 0] == values[0].max())
        return self._tried(self._open, hand, place, actions)[0].action == actions[0]


def is_choice(hand: Hand) -> bool:
    """Return whether the seat to act has a choice of the kind that puzzles are made of.

    Whoever has to bid has none: the answer is the lowest bid. Neither are bids and discards for a
    game with a called partner: how much they bring hangs on who that will be, and there the
    script's call and play after them say too little.
    """
    if hand.phase not in PHASES or hand.to_act is None:
        return False
    if hand.phase != "play" and hand.table.called:
        return False
    if hand.phase == "auction" and PASS not in hand.legal_numbers():
        return False
    if hand.phase == "play":
        state = hand.state
        return count(following(hand.table, state, hand.hidden.hand[state.turn])) > 1
    return len(hand.legal_numbers()) > 1


def _actions(tried: Sequence[Weighed]) -> list[Action]:
    return [one.action for one in tried]


def _of_choice(judge: Judge, hand: Hand, choice: Choice) -> Weighed:
    one = judge.weighed(hand.action_of(choice.action), choice)
    rare = hand.phase == "auction" and choice.contracts < CONTRACTS
    return one._replace(making=None) if rare else one


def _without_near(tried: Sequence[Weighed]) -> list[Weighed]:
    """Return discards without those nearly as good as the best, of which there always are some."""
    return [tried[0], *(one for one in tried[1:] if _beats(tried[0], one))]


def offered(tried: Sequence[Weighed]) -> list[Weighed]:
    """Return the calls of the auction that a puzzle offers, the best first.

    Two bids that follow each other are never ten points apart, so not all can be offered. These are
    the lowest bid, one some steps higher, and whatever is no bid in points: the same whatever is
    right, so that the list of choices says nothing about it.
    """
    amounts = (one.action.amount for one in tried)
    rungs = sorted(amount for amount in amounts if isinstance(amount, int))
    left_out = set(rungs) - {*rungs[:1], *rungs[: RUNG + 1][-1:]}
    return _beside_first([one for one in tried if one.action.amount not in left_out])


def _beside_first(tried: Sequence[Weighed]) -> list[Weighed]:
    """Return choices with errors beside the first of them, if the best is not among them."""
    first = tried[0]
    rest = (one._replace(error=hypot(one.error, first.error)) for one in tried[1:])
    return [first._replace(error=0.0), *rest]


def _equals(hand: Hand, actions: Sequence[Action]) -> list[list[Action]]:
    """Return each choice with those that are equal to it, which cards alone have."""
    if hand.phase != "play":
        return [[action] for action in actions]
    request = request_of(hand, SeatInfo())
    known = [action.card for action in actions]
    groups = {action.card: [action] for action in actions}
    for card in unpack(request.mine.cards):
        same = equal_among(hand.table, request.state, request.mine, card, known)
        if same is not None and card != same:
            groups[same].append(hand.action_of(card))
    return list(groups.values())
