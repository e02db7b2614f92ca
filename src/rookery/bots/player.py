"""Players: bots in a seat, asked for one action at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rookery.bots.dispatch import decide, decide_card, kind_of
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.engine.card_sets import lowest
from rookery.engine.rng import seeded
from rookery.engine.state import PLAY
from rookery.engine.trick import following
from rookery.game import Action, Hand, Verb


class NoAnswer(Exception):
    """A player gave no action: it is late, its answer makes no sense, or it is gone."""


class BotFailed(ValueError):
    """A bot cannot play at all. Code: ``bot-failed``."""

    code = "bot-failed"


class Player(Protocol):
    """A bot in one seat, for some hands. It may look at what that seat may know, nothing else.

    >>> import rookery
    >>> class Eager(rookery.Player):  # `rookery.view_of(hand, hand.to_act)` is what it may know
    ...     def begin(self, hand, dice, totals=()):
    ...         pass
    ...     def act(self, hand):
    ...         return next(iter(hand.legal()))
    >>> hand = rookery.Deal.shuffled(rookery.load_rules("kd_tournament"), seed=7).hand()
    >>> player = Eager()
    >>> player.begin(hand, dice=1)
    >>> player.act(hand)
    <Action 1 bid 70>
    """

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        """Sit down to a new hand.

        Args:
            hand: the hand as it was dealt.
            dice: the state of the bot's own generator.
            totals: each seat's total in the match before it; empty where only points count.

        Raises:
            BotFailed: it cannot play.
        """

    def act(self, hand: Hand) -> Action:
        """Return what the bot does, which may be against the rules.

        Raises:
            BadAction: its answer is no action.
            NoAnswer: it does nothing in time.
            BotFailed: it cannot play.
        """

    def finish(self, hand: Hand) -> None:
        """Learn how the hand ended; by default nothing."""
        return

    def close(self) -> None:
        """Leave the seat; nothing that was started goes on running. By default nothing was."""
        return


class KernelPlayer(Player):
    """A kernel bot in a seat, asked in plain Python.

    It is given the open table and its own cards, never the hand as a whole.

    >>> from rookery.rules import load
    >>> players = [KernelPlayer("papa", seed=1, seat=seat) for seat in range(4)]
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> while not hand.over:
    ...     hand = players[hand.to_act].move(hand)
    >>> sum(hand.points)
    120
    """

    def __init__(self, name: str, seed: int, seat: int) -> None:
        """Seat the bot called `name`; its dice come from `seed` and the seat.

        Raises:
            UnknownBot: no bot has that name.
        """
        self.kind = kind_of(name)
        self._info = SeatInfo(rng=seeded(seed, seat + 1))

    def choose(self, hand: Hand) -> int:
        """Return the engine's number of the bot's next action; of a discard, its next card."""
        table, state, hidden, info = hand.table, hand.state, hand.hidden, self._info
        if state.phase == PLAY:
            observe_trick(table, state, hidden, info)
            return decide_card(table, state, info, self.kind)
        observe(table, state, hidden, info)
        return decide(table, state, info, self.kind)

    def move(self, hand: Hand) -> Hand:
        """Return the hand after the bot's next action, a whole discard or call of cards at once."""
        written = len(hand.actions)
        while len(hand.actions) == written:
            hand = hand.do(self.choose(hand))
        return hand

    # What a `Player` does besides.

    def begin(self, hand: Hand, dice: int, totals: Sequence[int] = ()) -> None:
        """Forget the last hand and take new dice; the totals are nothing to it."""
        clear_notes(self._info)
        self._info.rng = dice or 1  # a generator at 0 would stay there

    def act(self, hand: Hand) -> Action:
        """Return the bot's next action."""
        return self.move(hand).actions[-1]


def fallback_action(hand: Hand) -> Action:
    """Return a legal action for a bot that is late: a pass, or the first there is; no revoke."""
    if hand.phase == "play" and hand.turn is not None:
        card = lowest(following(hand.table, hand.state, hand.hidden.hand[hand.turn]))
        return Action(hand.turn, Verb.PLAY, (card,), pack=hand.rules.pack)
    legal = hand.legal()
    passes = (action for action in legal.actions if action.verb is Verb.PASS)
    return next(passes, None) or next(iter(legal))
