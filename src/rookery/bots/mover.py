"""Who plays a hand one action at a time: the interface of every bot that is no kernel."""

from __future__ import annotations

from typing import Protocol

from rookery.engine.card_sets import lowest
from rookery.engine.trick import following
from rookery.game import Action, Hand, Verb


class NoAnswer(Exception):
    """A bot gave no action: it was late, wrote no sense, or is gone. It says which."""


class BotFailed(ValueError):
    """A bot cannot play at all. Code: ``bot-failed``."""

    code = "bot-failed"


class Mover(Protocol):
    """A bot in one seat for some hands. It may look at what that seat may know, nothing else."""

    def begin(self, hand: Hand, dice: int) -> None:
        """Sit down to a new hand; `dice` is the state of the bot's own generator.

        Raises:
            BotFailed: it cannot play.
        """

    def act(self, hand: Hand) -> Action:
        """Return what the bot does, which may be against the rules.

        Raises:
            BadAction: it answers with something that is no action.
            NoAnswer: it does nothing in time.
            BotFailed: it cannot play.
        """

    def finish(self, hand: Hand) -> None:
        """Learn how the hand ended."""

    def close(self) -> None:
        """Get up; nothing that was started is left running."""


def reserve(hand: Hand) -> Action:
    """Return a legal act for a bot that is late: a pass, or the first there is; never a revoke."""
    if hand.phase == "play" and hand.turn is not None:
        card = lowest(following(hand.table, hand.state, hand.hidden.hand[hand.turn]))
        return Action(hand.turn, Verb.PLAY, (card,), pack=hand.rules.pack)
    legal = hand.legal()
    passes = (action for action in legal.actions if action.verb is Verb.PASS)
    return next(passes, None) or next(iter(legal))
