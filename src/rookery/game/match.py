"""A match: hand after hand, the totals, and who has won. Unchanging, like a hand.

>>> from rookery.rules import load
>>> match = Match(load("kd_tournament")).shuffled(seed=7)
>>> match.hand.dealer, match.totals, match.winners
(0, (0, 0, 0, 0), None)
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from rookery.cards import Seat, unpack
from rookery.engine.match import book
from rookery.engine.match import winners as winners_of
from rookery.game import shown
from rookery.game.errors import IllegalAction
from rookery.game.hand import Hand
from rookery.rules import Rules


class Match:
    """Hands played by one set of rules until somebody has won.

    Attributes:
        rules: the rules.
        players: a name for each seat, or None.
        hands: every hand so far, redealt ones too; the last one may still be under way.
        totals: the total of each seat, game points.
        winners: the seats that have won; None while the match goes on.
    """

    def __init__(self, rules: Rules, players: Sequence[str] | None = None) -> None:
        """Sit down to a new match.

        Raises:
            ValueError: not one name a seat.
        """
        if players is not None and len(players) != rules.seats:
            raise ValueError(f"{len(players)} players are named; expected {rules.seats}")
        self.rules = rules
        self.players = None if players is None else tuple(players)
        self.hands: tuple[Hand, ...] = ()
        self.totals: tuple[int, ...] = (0,) * rules.seats
        self.winners: tuple[Seat, ...] | None = None

    @property
    def hand(self) -> Hand | None:
        """The hand last dealt, under way or over; None before the first."""
        return self.hands[-1] if self.hands else None

    @property
    def dealer(self) -> Seat:
        """Who deals next: seat 0 first, then the one on the left; a redeal leaves it as it was."""
        last = self.hand
        if last is None:
            return 0
        return last.dealer if last.phase == "redealt" else (last.dealer + 1) % self.rules.seats

    def deal(self, deal: Sequence[Sequence[str]], nest: Sequence[str] = ()) -> Match:
        """Return the match with the next hand dealt; see `Hand.deal`.

        Raises:
            IllegalAction: a hand is under way (``not-now``) or the match is over (``hand-over``).
            BadDeal: the cards are no deal of this game.
        """
        self._check_ready()
        return self.begin(Hand.deal(self.rules, self.dealer, deal, nest))

    def shuffled(self, seed: int) -> Match:
        """Return the match with the next hand dealt from a seed; see `Hand.shuffled`."""
        self._check_ready()
        return self.begin(Hand.shuffled(self.rules, self.dealer, seed))

    def begin(self, hand: Hand) -> Match:
        """Return the match with `hand` as the next one, whoever deals it; as records are replayed.

        A hand before it that was not played to its end stays unscored.

        Raises:
            IllegalAction: the match is over; code ``hand-over``.
            ValueError: the hand is played by other rules.
        """
        if hand.rules != self.rules:
            raise ValueError("the hand is played by other rules than the match")
        if self.winners is not None:
            raise IllegalAction("hand-over", "the match is over; no further hand is dealt")
        match = copy(self)
        match.hands = (*self.hands, hand)
        match._score()
        return match

    def act(self, action: str) -> Match:
        """Return the match after an action in its hand; see `Hand.act`."""
        if self.hand is None:
            raise IllegalAction("not-now", "no hand is dealt yet")
        match = copy(self)
        match.hands = (*self.hands[:-1], self.hand.act(action))
        match._score()
        return match

    def __repr__(self) -> str:
        return f"<Match of {shown.game_name(self.rules)}: {shown.match_line(self)}>"

    def __str__(self) -> str:
        """Return the match in a line, and a line for each hand."""
        hands = (f"{i}. {shown.hand_line(hand)}" for i, hand in enumerate(self.hands, 1))
        return "\n".join((repr(self), *hands))

    def _repr_html_(self) -> str:
        """Return the score sheet, for a notebook."""
        return shown.match_table(self)

    def _check_ready(self) -> None:
        if self.hand is not None and not self.hand.over:
            raise IllegalAction("not-now", "the last hand is not over; the next one has to wait")

    def _score(self) -> None:
        hand = self.hands[-1]
        if hand.phase != "done":
            return
        totals = list(self.totals)
        state = hand.state
        book(hand.table, state, totals)
        self.totals = tuple(totals)
        won = winners_of(hand.table, state, totals)
        self.winners = tuple(unpack(won)) if won else None
