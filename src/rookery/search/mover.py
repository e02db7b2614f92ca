"""A searching bot at a table of one hand at a time, and what it thinks of each choice."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rookery.bots.decide import CLUB, decide, decide_card
from rookery.bots.mine import Mine, forget, look, look_at_trick
from rookery.engine.state import PLAY, State
from rookery.game import Hand
from rookery.rules import Rules
from rookery.rules.table import compile_rules
from rookery.search.desk import Call, Desk
from rookery.search.stakes import WHOLE

log = logging.getLogger("rookery.search")

TRIES: Final = 1600
TIME: Final = 2000  # ms
DOUBT: Final = {"bold": 1, "steady": 4, "cautious": 8}  # hundredths of a hand's points
PEEPS: Final = 200  # tries where the world is known: only how others bid is left to chance


@dataclass(frozen=True)
class Choice:
    """An action that was weighed.

    Attributes:
        action: the engine's number of it.
        tries: in how many worlds it was tried; those that looked bad early have few.
        margin: what the seat's side may expect to score above the others, points; in a match whose
            totals are known, its part of the match instead, 0 to 1.
        making: the chance that the contract is made, 0 to 1; in the auction that of the bid
            itself, should it be the last. None where it never came to that.
    """

    action: int
    tries: int
    margin: float
    making: float | None


class Searcher:
    """A bot that tries its choices out before it acts; a `Mover`.

    It is shown the open table and its own cards, never the hand as a whole.
    """

    def __init__(
        self, rules: Rules, seat: int, options: Mapping[str, str], desk: Desk | None = None
    ) -> None:
        """Sit down; `options` may say ``tries``, ``ms`` for one action, and ``style``."""
        self._table = compile_rules(rules)
        side = self._table.partners[seat].bit_count()
        self._scale = side * (rules.seats - side)
        self._mine = Mine(rng=1 + seat)
        self._desk = desk or Desk(self._table)
        self._desk.temper(doubt=DOUBT[options.get("style", "steady")])
        self._tries = int(options.get("tries", TRIES))
        self._time = int(options.get("ms", TIME))

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        """Forget the last hand and take new dice; `totals` are those of the match so far."""
        forget(self._mine)
        self._mine.rng = dice
        self._desk.stakes(tuple(totals))

    def weigh(self, hand: Hand) -> list[Choice]:
        """Return the choices of the seat to act, the best first; of a discard, of its next card."""
        state, mine = self._look(hand)
        self._desk.hear(calls_of(hand))
        self._before(hand)
        self._desk.think(state, mine, self._tries, self._time)
        scale = WHOLE if self._desk.in_match else self._scale
        return [
            Choice(
                w.action,
                w.tried,
                w.total / max(1, w.tried) / scale,
                w.made / w.stood if w.stood else None,
            )
            for w in self._desk.weighed
        ]

    def act(self, hand: Hand) -> str:
        """Return the bot's next action, as a record writes it.

        Without any time it does what the script would, and the log says so.
        """
        written = len(hand.actions)
        if not self._time:
            log.warning("no time to think: what the script does is done instead")
        while len(hand.actions) == written:
            hand = hand.do(self.weigh(hand)[0].action if self._time else self._script(hand))
        return hand.actions[-1]

    def finish(self, hand: Hand) -> None:
        """Do nothing: it learns nothing from a hand."""

    def close(self) -> None:
        """Do nothing: nothing was started."""

    def _before(self, hand: Hand) -> None:
        """Do nothing more before it thinks; a bot that may peep does."""

    def _look(self, hand: Hand) -> tuple[State, Mine]:
        state = hand.state
        (look_at_trick if state.phase == PLAY else look)(
            self._table, state, hand.hidden, self._mine
        )
        return state, self._mine

    def _script(self, hand: Hand) -> int:
        state, mine = self._look(hand)
        return (decide_card if state.phase == PLAY else decide)(self._table, state, mine, CLUB)


def calls_of(hand: Hand) -> list[Call]:
    """Return the bids and passes of a hand's auction, in order; other calls are left out."""
    calls = []
    for action in hand.actions:
        words = action.split()
        if words[1] == "pass":
            calls.append(Call(int(words[0]), 0))
        elif words[1] == "bid" and words[2].isdigit():
            calls.append(Call(int(words[0]), int(words[2])))
    return calls


def expert(rules: Rules, seat: int, options: Mapping[str, str]) -> Searcher:
    """Return `expert` in a seat."""
    return Searcher(rules, seat, options)


class Peeper(Searcher):
    """A bot that sees all cards: how far seeing would carry, for the laboratory alone."""

    def _before(self, hand: Hand) -> None:
        self._desk.peep(hand.hidden)


def open_hand(rules: Rules, seat: int, options: Mapping[str, str]) -> Peeper:
    """Return `open-hand` in a seat."""
    return Peeper(rules, seat, {"tries": str(PEEPS), **options})
