"""How often weaker bots find the answer of a puzzle: what its first rating comes from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.bots.names import LEVELS, bot
from rookery.bots.player import Player
from rookery.engine.rng import seeded
from rookery.game import Action, Hand, Verb
from rookery.puzzles.puzzle import Worth
from rookery.rules import Rules

# Who tries, the weakest first, and how often. What `random` finds needs no dice.
TRIERS: Final = (
    (LEVELS["beginner"], 8),
    (LEVELS["casual"], 1),
    (LEVELS["club"], 1),
    ("expert:rollouts=24:ms=600000", 4),
    ("expert:rollouts=200:ms=600000", 2),
)


class Triers:
    """The bots that try puzzles of one set of rules."""

    def __init__(self, rules: Rules) -> None:
        """Seat them; each is asked in whichever seat has to act."""
        self._bots: list[tuple[list[Player], int]] = [
            ([bot(name).seated(rules, seat) for seat in range(rules.seats)], times)
            for name, times in TRIERS
        ]

    def found(self, hand: Hand, choices: Sequence[Worth]) -> tuple[int, ...]:
        """Return how many of 100 times each bot finds the first of the choices, `random` first."""
        wide = sum(len(one.actions) for one in choices)
        shares = [round(100 * len(choices[0].actions) / wide)]
        for players, times in self._bots:
            player, hits = players[hand.to_act or 0], 0
            for turn in range(times):
                player.begin(hand, seeded(turn, 1) >> 1)
                hits += nearest(hand, player.act(hand), choices) == 0
            shares.append(round(100 * hits / times))
        return tuple(shares)


def nearest(hand: Hand, done: Action, choices: Sequence[Worth]) -> int:
    """Return the number of the choice that an action is, or is nearest to.

    A bot that may do anything can bid or discard what is not among the choices. What is as near to
    several is the last of them, so not the right one, which comes first.
    """
    words = done.words
    for number, choice in enumerate(choices):
        if words in choice.actions:
            return number
    actions = [hand.parse(f"{hand.turn} {one.actions[0]}") for one in choices]
    same = [i for i, action in reversed([*enumerate(actions)]) if action.verb is done.verb]
    if done.verb is Verb.DISCARD:
        return max(same, key=lambda i: len(set(actions[i].cards) & set(done.cards)))
    if isinstance(done.amount, int) and same:
        return min(same, key=lambda i: abs(_points(actions[i]) - _points(done)))
    return len(choices) - 1


def _points(action: Action) -> int:
    return action.amount if isinstance(action.amount, int) else 0
