"""A deal: who holds which cards before anybody has called, and where the cards are from.

>>> from rookery.rules import load
>>> deal = Deal.shuffled(load("kd_tournament"), seed=7)
>>> deal
<Deal of kd_tournament, seat 0 deals, seed 7>
>>> deal.hand().to_act
1
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rookery.cards import Card, Seat, card_name
from rookery.game import shown
from rookery.game.hand import Hand
from rookery.rules import Rules


@dataclass(frozen=True, repr=False)
class Deal:
    """The cards of one hand as they were dealt.

    Attributes:
        rules: the rules of the game.
        dealer: the seat that deals.
        hands: the cards of each seat, a blind hand last.
        nest: the cards of the nest; empty where the game has none.
        seed: the seed they were dealt from; None where the cards were named.
    """

    rules: Rules
    dealer: Seat
    hands: tuple[tuple[Card, ...], ...]
    nest: tuple[Card, ...] = ()
    seed: int | None = None

    @classmethod
    def shuffled(cls, rules: Rules, seed: int, dealer: Seat = 0) -> Deal:
        """Return the deal that `seed` (0 to 2^63 - 1) of the generator `rookery-rng-1` gives.

        Raises:
            BadDeal: no such dealer or seed; code ``bad-deal``.
        """
        return cls.of(Hand.shuffled(rules, dealer, seed))

    @classmethod
    def named(
        cls,
        rules: Rules,
        hands: Sequence[Sequence[str]],
        nest: Sequence[str] = (),
        dealer: Seat = 0,
    ) -> Deal:
        """Return a deal with these cards, by name: a hand a seat, then a blind one, and the nest.

        Raises:
            BadDeal: they are no deal of this game; codes ``bad-deal`` and ``unknown-card``.
        """
        return cls.of(Hand.deal(rules, dealer, hands, nest))

    @classmethod
    def of(cls, hand: Hand) -> Deal:
        """Return the deal that a hand began with."""
        return cls(hand.rules, hand.dealer, hand.dealt, hand.nest_dealt, hand.seed)

    def hand(self) -> Hand:
        """Return the hand that begins with this deal."""
        if self.seed is not None:
            return Hand.shuffled(self.rules, self.dealer, self.seed)
        names = [[card_name(card, self.rules.pack) for card in cards] for cards in self.hands]
        nest = [card_name(card, self.rules.pack) for card in self.nest]
        return Hand.deal(self.rules, self.dealer, names, nest)

    def __repr__(self) -> str:
        what = f"{shown.game_name(self.rules)}, seat {self.dealer} deals"
        return f"<Deal of {what}, {shown.from_seed(self.seed)}>"

    def __str__(self) -> str:
        return f"{self!r}\n{shown.lines_of(self.rules, self.hands, self.nest)}"

    def _repr_svg_(self) -> str:
        """Return the deal as a picture, for a notebook."""
        return shown.deal_picture(self.rules, self.dealer, self.hands, self.nest, self.seed)
