"""Cards, compared with others in hands that their player could not tell from the true one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.cards import unpack
from rookery.engine.records import copy_of
from rookery.engine.rng import seeded
from rookery.engine.state import Hidden
from rookery.engine.trick import following
from rookery.game import Hand
from rookery.review.hand_review import Step, is_decision, steps_of
from rookery.review.open_cards import OpenValues, Points, solvable
from rookery.rules import Rules
from rookery.rules.table import PLACES, RuleTable, compile_rules
from rookery.search.request import calls_of
from rookery.search.state import SearchState, note_calls
from rookery.search.worlds import draw_by_discards
from rookery.solver.constraints import Constraints, note_own
from rookery.solver.sample import ROOM, prepare_worlds

PARTS: Final = 1000  # of a point, so that sums are the same in any order
WORLDS: Final = 16
TRICKS: Final = 8


class Observation(NamedTuple):
    """Who chose a card, the declarer for a dummy, and its `foresight`, thousandths of a point."""

    seat: int
    gain: int


def foresight(values: Points, done: int) -> int:
    """Return how much better than the best guess a card is in the true hand than on average.

    The result is in thousandths of a point, and 0 for the best guess itself. The average is over
    all hands, the true one among them, and so is the best guess: for all the player could know,
    none of them is special. Several best cards count as their mean. `values` are those of each card
    in each hand, the true one first, shape (hands, cards); `done` is the place of a card there.

    >>> import numpy as np
    >>> foresight(np.array([[0, 10], [10, 0], [10, 0], [10, 0]]), 1)
    15000
    >>> foresight(np.array([[10, 0], [0, 10], [10, 0], [10, 0]]), 1)
    -5000
    """
    hands = len(values)
    totals = values.sum(axis=0)
    best = (totals == totals.max()).nonzero()[0]
    if done in best:
        return 0
    ahead = len(best) * values[:, done] - values[:, best].sum(axis=1)
    return round(PARTS * int(hands * ahead[0] - ahead.sum()) / (hands * len(best)))


class WorldSampler:
    """Draws hands that a seat could not tell from the true one, as the search draws them.

    They agree with all that the seat has seen, and each is as likely as the calls make it. In each
    of them the declarer has chosen the discards. It runs uncompiled: that takes milliseconds, and
    compiling half a minute.
    """

    def __init__(self, table: RuleTable) -> None:
        self._table = table
        self._search = SearchState(new_discards=1)
        self._known, self._world, self._ways = Constraints(), Hidden(), [0.0] * ROOM
        self._seats: Sequence[SeatInfo] = [SeatInfo() for _ in range(PLACES)]

    def draw(self, hand: Hand, many: int, dice: int) -> list[Hidden]:
        """Return so many sets of hidden cards, each of which the seat to act may face.

        The seat is shown the open table and its own cards, never the hand as a whole, which is in
        its play. `dice` is a state of the generator, 0 to 2^63 - 1.
        """
        table, state, mine, world = self._table, hand.state, SeatInfo(rng=dice), self._world
        observe_trick(table, state, hand.hidden, mine)
        note_own(hand.hidden, mine)
        note_calls(table, self._search, calls_of(hand))
        prepare_worlds(table, state, mine, self._known, self._ways)
        world.rng = mine.rng
        drawn = []
        for _ in range(many):
            draw_by_discards(
                table, state, mine.seat, self._known, world, self._seats, self._search, self._ways
            )
            drawn.append(copy_of(world))
        return drawn


class Observer:
    """Looks for foresight in hands played by one set of rules."""

    def __init__(
        self, rules: Rules, *, worlds: int = WORLDS, tricks: int = TRICKS, seed: int = 1
    ) -> None:
        """Prepare; the first observer in a process compiles.

        The true hand is compared with so many other `worlds`, drawn by `seed`, once so many
        `tricks` are left to play, the current one among them.
        """
        table = compile_rules(rules)
        self._sampler = WorldSampler(table)
        self._values = OpenValues(table)
        self._many, self._tricks, self._seed = worlds, tricks, seed

    def observations(self, hand: Hand) -> Iterator[Observation]:
        """Yield an observation for each card of a hand that was a choice and made a difference.

        There are none if the hand is no contest of two sides over points.
        """
        for step, values, done in self.choices(hand):
            yield Observation(step.before.to_act or 0, foresight(values, done))

    def choices(self, hand: Hand) -> Iterator[tuple[Step, Points, int]]:
        """Yield each such card with the values of all cards, and its place among them.

        The values have the true hand first, shape (hands, cards). A card is left out if one of the
        hands takes too long to solve.
        """
        dice = seeded(self._seed, fingerprint(hand)) >> 1
        for step in filter(self._is_judged, steps_of(hand)):
            before = step.before
            played_from = before.hidden.hand[before.state.turn]
            cards = list(unpack(following(hand.table, before.state, played_from)))
            drawn = self._sampler.draw(before, self._many, seeded(dice, step.index) >> 1)
            values = self._values.of(before.state, [before.hidden, *drawn], cards)
            if values is not None and (values != values[:, :1]).any():
                yield step, values, cards.index(step.action.card)

    def _is_judged(self, step: Step) -> bool:
        hand = step.before
        left = hand.table.hand_size - hand.state.tricks
        return 1 < left <= self._tricks and solvable(hand) and is_decision(step)


def fingerprint(hand: Hand) -> int:
    """Return a number below 2^63 for a deal and its actions, whoever the players were."""
    text = repr((hand.dealer, hand.dealt, hand.nest_dealt, tuple(map(str, hand.actions))))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1
