"""The tricks of one hand: whose turn, what may be played, who wins."""

from __future__ import annotations

from typing import Any

from .lawful import lawful_cards
from .order import Order, winner
from .pack import Card, total_worth


class Tricks:
    """The play of one hand.

    A blind dummy sits directly before the dealer, has the index after the last seat, and turns
    its top card by itself.
    """

    def __init__(self, order: Order, hands: list[list[Card]], dealer: int, leader: int) -> None:
        """Start the first trick; `hands` are changed as cards are played."""
        seats = int(order.options["seats"])
        self.order = order
        self.hands = hands
        self.dummy = seats if len(hands) > seats else None
        self.ring = [(dealer + i) % seats for i in range(seats)]
        if self.dummy is not None:
            self.ring.append(self.dummy)
        self.leader = leader
        self.on_table: list[Card] = []
        self.complete: list[dict[str, Any]] = []
        self.played_by: dict[Card, int] = {}
        self.revoked: set[int] = set()

    def over(self) -> bool:
        """Return whether every card has been played."""
        return not any(self.hands)

    def turn(self) -> int:
        """Return the seat whose card is next."""
        place = self.ring.index(self.leader) + len(self.on_table)
        return self.ring[place % len(self.ring)]

    def broken(self) -> bool:
        """Return whether a trump has been played."""
        return any(self.order.is_trump(card) for card in self.played_by)

    def lawful(self) -> list[Card]:
        """Return the cards that whoever is next may play without revoking."""
        return lawful_cards(self.order, self.hands[self.turn()], self.on_table, self.broken())

    def play(self, card: Card) -> None:
        """Play a card for whoever is next, and the dummy's after it where it follows."""
        if card not in self.lawful() and self.turn() != self.dummy:
            self.revoked.add(self.turn())
        self.played_by[card] = self.turn()
        self.hands[self.turn()].remove(card)
        self.on_table.append(card)
        if len(self.on_table) == len(self.ring):
            self._finish_trick()
        elif self.turn() == self.dummy:
            self.play(self.hands[self.dummy][0])

    def _finish_trick(self) -> None:
        cards = self.on_table
        place = self.ring.index(self.leader) + winner(self.order, cards)
        taker = self.ring[place % len(self.ring)]
        points = total_worth(self.order.options, cards)
        trick = {"leader": self.leader, "cards": cards, "winner": taker, "points": points}
        self.complete.append(trick)
        self.on_table = []
        if taker != self.dummy:
            self.leader = taker
