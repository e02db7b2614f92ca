"""The second judge of puzzles: it plays on better than the script, where that can be had cheaply.

The first judge lets the script play on after each choice. Where somebody better would go on
otherwise, two choices that it sees far apart may be level. So the answer has to stand here, too:

- **Cards**, with eleven tricks left or fewer and two sides: worlds that fit what the seat has seen
  are solved. With best play on both sides the answer brings its side so many points more that the
  margins lie ten points apart, or it turns the contract.
- **Discards**: the declarer goes on with the call and the lead that the search finds best for each
  of them, not with the script's.
- What neither can reach (bids and passes, long hands, more than two sides) it does not judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, sqrt
from typing import Final

import numpy as np

from rookery.engine.card_sets import points_of
from rookery.engine.records import copy_of
from rookery.engine.rng import seeded
from rookery.engine.score import score_of, side_of, tricks_of
from rookery.engine.state import Hidden
from rookery.game import Action, Hand
from rookery.review.judge import NO_LIMIT, Judge
from rookery.review.open_cards import OpenValues, margin_of, solvable
from rookery.rules import Rules
from rookery.rules.table import NEST_TO_NOBODY, compile_rules
from rookery.search.search import Search
from rookery.search.searcher import Searcher

SHORT: Final = 11  # tricks left, at most, where worlds are solved
WORLDS: Final = ((7, 48), (9, 24), (SHORT, 16))  # tricks left, at most: how many worlds are solved
POINTS: Final = 10.0  # by which the answer is ahead
CLEAR: Final = 2.0  # standard errors by which it is, at least
TURNS: Final = 0.5  # or: by how much the answer moves the chance of the contract, across one half


class SecondJudge:
    """Judges the choices of puzzles played by one set of rules."""

    def __init__(self, rules: Rules, seed: int, rollouts: int) -> None:
        """Prepare, with so many rollouts for a discard; the first one in a process compiles."""
        table = compile_rules(rules)
        search = Search(table)
        options = {"rollouts": "1", "ms": NO_LIMIT}
        self._seats = [Searcher(rules, seat, options, search) for seat in range(rules.seats)]
        self._solver = OpenValues(table)
        self._judge = Judge(rules, rollouts, seed)
        self._again = Judge(rules, rollouts, seed + 1)
        self._seed = seed

    def agrees(self, hand: Hand, actions: Sequence[Action], place: int) -> bool:
        """Return whether the first action, the right one, is right here, too; see `reaches`.

        The others are wrong ones; `place` is the number of the decision, for the dice.
        """
        if hand.phase == "nest":
            return self._stands_with_calls(hand, actions, place)
        seat = self._seats[hand.to_act or 0]
        seat.begin(hand, seeded(self._seed, place) >> 1)
        return self._stands_solved(hand, seat.worlds(hand, _worlds_for(hand)), actions)

    def _stands_solved(self, hand: Hand, worlds: Sequence[Hidden], cards: Sequence[Action]) -> bool:
        """Return whether a card beats the others by the bar, with best play in some worlds."""
        values = self._solver.of(hand.state, worlds, [one.card for one in cards])
        if values is None:
            return False
        ends = [
            [_ended(hand, world, abs(int(points))) for points in row]
            for world, row in zip(worlds, values, strict=True)
        ]
        margins, made = np.array(ends).transpose(2, 0, 1)
        ahead = margins[:, :1] - margins[:, 1:]
        error = ahead.std(axis=0, ddof=1) / sqrt(len(worlds))
        chance = made.mean(axis=0)
        turns = (abs(chance[0] - chance[1:]) >= TURNS) & ((chance[0] < 0.5) != (chance[1:] < 0.5))
        bar = np.where(turns, 0.0, POINTS)
        return bool(np.all((ahead.mean(axis=0) >= bar) & (ahead.mean(axis=0) > CLEAR * error)))

    def _stands_with_calls(self, hand: Hand, discards: Sequence[Action], place: int) -> bool:
        """Return whether a discard beats the others by the bar, each with the best calls after."""
        best, *others = (self._with_calls(hand, one, place) for one in discards)
        return all(
            best[0] - one[0] >= max(POINTS, CLEAR * hypot(best[1], one[1])) for one in others
        )

    def _with_calls(self, hand: Hand, discard: Action, place: int) -> tuple[float, float]:
        """Return the margin of a discard and its error, points.

        As long as it is the declarer's turn, what the search finds best is done.
        """
        seat, position = hand.to_act, hand.act(discard)
        before, done = position, None
        while position.to_act == seat and not position.over:
            before, done = position, self._judge.choices(position, place)[0].action
            position = position.do(done)
        choices = self._again.choices(before, place, done)
        own = choices[0] if done is None else self._again.choice_for(before, choices, done)
        return own.margin, float(hand.rules.total_points) if own.error is None else own.error


def reaches(hand: Hand) -> bool:
    """Return whether a decision is of a kind that the second judge can judge."""
    return hand.phase == "nest" or (solvable(hand) and _worlds_for(hand) > 0)


def _worlds_for(hand: Hand) -> int:
    """Return in how many worlds the cards of a decision are solved; 0 with too many left."""
    left = hand.table.hand_size - hand.state.tricks
    return next((worlds for most, worlds in WORLDS if left <= most), 0)


def _ended(hand: Hand, world: Hidden, points: int) -> tuple[float, int]:
    """Return a hand's margin and whether the contract is made, if the declarer's side takes points.

    Points say nothing of tricks. A side that may still take all of them does so with all points.
    Where a tie would leave a bonus to nobody, the others are taken to have what is left.
    """
    table, end = hand.table, copy_of(hand.state)
    side = side_of(table, world, end.declarer)
    awarded = hand.rules.total_points
    if table.nest_to == NEST_TO_NOBODY:
        awarded -= points_of(table, world.nest)
    for seat in range(table.seats):
        end.points[seat] = points if side >> seat & 1 else awarded - points
    if points == awarded and tricks_of(table, end, side) == end.tricks:
        end.won[end.declarer] += table.hand_size - end.tricks
    end.made = int(points >= end.contract)
    for seat in range(table.seats):
        end.score[seat] = score_of(table, end, world, seat, awarded)
    return margin_of(hand, end, hand.to_act or 0), end.made
