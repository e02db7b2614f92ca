"""Does a card suit the hands that its player could not see?

A card is held against hands that its player could not tell from the true one. The solver says, all
cards open, what each card that might have been played is worth in each of them. The best guess is
the card that is worth most on average. Whoever plays another one is right in some of these hands
and wrong in others. To a player who does not see through the backs the true hand is one like the
others, so over many hands he is right in it as often as they say, be he good or bad. One who does
see is right in it more often: his strange cards work.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final, NamedTuple

from rookery.cards import unpack
from rookery.engine.rng import seeded
from rookery.engine.trick import following
from rookery.game import Hand
from rookery.review.hand_review import Step, is_decision, steps_of
from rookery.review.open_play import solvable
from rookery.review.open_values import OpenValues, Points
from rookery.review.worlds import Worlds
from rookery.rules import Rules
from rookery.rules.table import compile_rules

PARTS: Final = 1000  # of a point, so that sums are the same in any order
WORLDS: Final = 16
TRICKS: Final = 8


class Glance(NamedTuple):
    """A card, held against the hands that its player could not tell from the true one.

    Attributes:
        action: its number among the actions of its hand.
        seat: who chose it, the declarer for a dummy.
        gain: its `foresight`, thousandths of a point.
    """

    action: int
    seat: int
    gain: int


def foresight(values: Points, done: int) -> int:
    """Return by how much a card beat the best guess in the true hand, less what it does on average.

    In thousandths of a point; 0 for the best guess itself. The average is over all hands, the true
    one among them, and so is what makes a card the best guess: as far as the player could know,
    none of them stands out. The best of equals is their mean.

    >>> import numpy as np
    >>> foresight(np.array([[0, 10], [10, 0], [10, 0], [10, 0]]), 1)
    15000
    >>> foresight(np.array([[10, 0], [0, 10], [10, 0], [10, 0]]), 1)
    -5000

    Args:
        values: what each card is worth in each hand, the true one first, shape (hands, cards).
        done: the place of the card that was played among the cards.
    """
    hands = len(values)
    totals = values.sum(axis=0)
    best = (totals == totals.max()).nonzero()[0]
    if done in best:
        return 0
    ahead = len(best) * values[:, done] - values[:, best].sum(axis=1)
    return round(PARTS * int(hands * ahead[0] - ahead.sum()) / (hands * len(best)))


class Onlooker:
    """Looks for foresight in hands played by one set of rules."""

    def __init__(
        self,
        rules: Rules,
        *,
        worlds: int = WORLDS,
        tricks: int = TRICKS,
        seed: int = 1,
    ) -> None:
        """Get ready; the first of all compiles.

        Args:
            rules: what was played.
            worlds: how many hands a card is held against, beside the true one.
            tricks: how many tricks may be left to play, the current one among them.
            seed: of the dice that draw them.
        """
        table = compile_rules(rules)
        self._worlds = Worlds(table)
        self._values = OpenValues(table)
        self._many, self._tricks, self._seed = worlds, tricks, seed

    def glances(self, hand: Hand) -> Iterator[Glance]:
        """Yield what is seen of each card of a hand that was a choice and made a difference.

        That is none where the hand is no contest of two sides over points.
        """
        for step, values, done in self.choices(hand):
            yield Glance(step.index, step.before.to_act or 0, foresight(values, done))

    def choices(self, hand: Hand) -> Iterator[tuple[Step, Points, int]]:
        """Yield each such card with what all cards were worth, and its place among them.

        What they were worth has the true hand first, shape (hands, cards). A card is left out if
        one of the hands takes too long to solve.
        """
        dice = seeded(self._seed, fingerprint(hand)) >> 1
        for step in filter(self._judged, steps_of(hand)):
            before = step.before
            cards = list(unpack(following(hand.table, before.state, _played_from(before))))
            drawn = self._worlds.draw(before, self._many, seeded(dice, step.index) >> 1)
            values = self._values.of(before.state, [before.hidden, *drawn], cards)
            if values is not None and (values != values[:, :1]).any():
                yield step, values, cards.index(step.action.card)

    def _judged(self, step: Step) -> bool:
        hand = step.before
        left = hand.table.hand_size - hand.state.tricks
        return 1 < left <= self._tricks and solvable(hand) and is_decision(step)


def _played_from(hand: Hand) -> int:
    return hand.hidden.hand[hand.state.turn]


def fingerprint(hand: Hand) -> int:
    """Return a number below 2^63 for a deal and what was done, whoever did it."""
    told = repr((hand.dealer, hand.dealt, hand.nest_dealt, tuple(map(str, hand.actions))))
    return int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "big") >> 1
