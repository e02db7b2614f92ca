"""A searching bot at a table of one hand at a time, and what it thinks of each choice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rookery.bots.mine import Mine, forget, look, look_at_trick
from rookery.engine.state import PLAY
from rookery.game import Hand
from rookery.rules import Rules
from rookery.rules.table import compile_rules
from rookery.search.desk import Desk

TRIES: Final = 1600


@dataclass(frozen=True)
class Choice:
    """An action that was weighed.

    Attributes:
        action: the engine's number of it.
        tries: in how many worlds it was tried; those that looked bad early have few.
        margin: what the seat's side may expect to score above the others, points.
        making: the chance that the contract is made, 0 to 1.
    """

    action: int
    tries: int
    margin: float
    making: float


class Searcher:
    """A bot that tries its choices out before it acts; a `Mover`.

    It is shown the open table and its own cards, never the hand as a whole.
    """

    def __init__(self, rules: Rules, seat: int, options: Mapping[str, str]) -> None:
        """Sit down; `options` may say ``tries`` and ``ms``, the time for one action (0: any)."""
        self._table = compile_rules(rules)
        side = self._table.partners[seat].bit_count()
        self._scale = side * (rules.seats - side)
        self._mine = Mine(rng=1 + seat)
        self._desk = Desk(self._table)
        self._tries = int(options.get("tries", TRIES))
        self._time = float(options.get("ms", 0)) or float("inf")

    def begin(self, hand: Hand, dice: int) -> None:
        """Forget the last hand and take new dice."""
        forget(self._mine)
        self._mine.rng = dice

    def weigh(self, hand: Hand) -> list[Choice]:
        """Return the choices of the seat to act, the best first; of a discard, of its next card."""
        state, hidden = hand.state, hand.hidden
        (look_at_trick if state.phase == PLAY else look)(self._table, state, hidden, self._mine)
        self._desk.think(state, self._mine, self._tries, self._time)
        return [
            Choice(action, tries, margin / max(1, tries) / self._scale, made / max(1, tries))
            for action, tries, margin, made in self._desk.weighed
        ]

    def act(self, hand: Hand) -> str:
        """Return the bot's next action, as a record writes it."""
        written = len(hand.actions)
        while len(hand.actions) == written:
            hand = hand.do(self.weigh(hand)[0].action)
        return hand.actions[-1]

    def finish(self, hand: Hand) -> None:
        """Do nothing: it learns nothing from a hand."""

    def close(self) -> None:
        """Do nothing: nothing was started."""


def expert(rules: Rules, seat: int, options: Mapping[str, str]) -> Searcher:
    """Return `expert` in a seat."""
    return Searcher(rules, seat, options)
