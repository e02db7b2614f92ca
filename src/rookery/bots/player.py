"""A bot at a table of one hand at a time: the kernel bots, asked in plain Python."""

from __future__ import annotations

from rookery.bots.decide import decide, decide_card, kind_of
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.engine.rng import seeded
from rookery.engine.state import PLAY
from rookery.game import Action, Hand


class Player:
    """A bot in a seat. It is shown the open table and its own cards, never the hand as a whole.

    >>> from rookery.rules import load
    >>> players = [Player(name, seed=1, seat=i) for i, name in enumerate(["papa"] * 4)]
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
        self.name = name
        self.kind = kind_of(name)
        self._mine = SeatInfo(rng=seeded(seed, seat + 1))

    def begin_hand(self) -> None:
        """Forget the last hand."""
        clear_notes(self._mine)

    def choose(self, hand: Hand) -> int:
        """Return the engine's number of the bot's next action; of a discard, its next card."""
        table, state, hidden, mine = hand.table, hand.state, hand.hidden, self._mine
        if state.phase == PLAY:
            observe_trick(table, state, hidden, mine)
            return decide_card(table, state, mine, self.kind)
        observe(table, state, hidden, mine)
        return decide(table, state, mine, self.kind)

    def move(self, hand: Hand) -> Hand:
        """Return the hand after the bot's next action, a whole discard or call of cards at once."""
        written = len(hand.actions)
        while len(hand.actions) == written:
            hand = hand.do(self.choose(hand))
        return hand

    # As a `Mover`, in a match.

    def begin(self, hand: Hand, dice: int) -> None:
        """Forget the last hand and take new dice."""
        self.begin_hand()
        self._mine.rng = dice

    def act(self, hand: Hand) -> Action:
        """Return the bot's next action."""
        return self.move(hand).actions[-1]

    def finish(self, hand: Hand) -> None:
        """Do nothing: these bots learn nothing from a hand."""

    def close(self) -> None:
        """Do nothing: nothing was started."""
