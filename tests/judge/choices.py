"""Who has to act, and what the rules let them do."""

from __future__ import annotations

from typing import Any

from .lawful import best_gifts, worst_gifts
from .order import always_trump, possible_calls
from .pack import Card, deck, in_order
from .position import Position


class Choices(Position):
    """A hand that knows its legal actions."""

    @property
    def to_act(self) -> int | None:
        """Return the seat whose decision it is, None when the hand is over."""
        if self.phase == "auction":
            return self.auction.turn
        if self.phase == "trump" and self.circus:
            return self._left(self.declarer)
        if self.phase == "circus":
            return self._givers()[len(self.gifts)]
        if self.phase == "play":
            assert self.tricks is not None
            turn = self.tricks.turn()
            return self.declarer if turn == self._open_dummy() else turn
        if self.phase in ("done", "redealt"):
            return None
        return self.declarer

    def legal(self) -> list[str] | dict[str, Any]:
        """Return what the seat to act may do, in the shape of ``replay --json``."""
        if self.phase == "auction":
            return self._auction_texts()
        if self.phase == "nest":
            return self._nest_choice()
        if self.phase == "trump":
            calls = possible_calls(self.options)
            if "circus" in self.options["trump_calls"] and not self.circus:
                calls.append("circus")
            return ["trump " + call for call in calls]
        if self.phase == "rook":
            return ["rook high", "rook low"]
        if self.phase == "call":
            most = self.options["called_cards"]
            return {"call": {"min": 1, "max": most, "from": self._callable()}}
        if self.phase == "circus":
            return ["give " + card for card in self._gifts_allowed()]
        if self.phase == "leader":
            return [f"leader {seat}" for seat in self._leaders_allowed()]
        if self.phase == "play":
            return ["play " + card for card in self._plays_allowed()]
        return []

    def may_redeal(self, seat: int) -> bool:
        """Return whether the seat may demand a redeal now."""
        if self.phase != "auction" or not self._no_counter(seat):
            return False
        if self.options["redeal"] == "any_time_no_counters":
            return True
        return self.options["redeal"] == "own_turn_no_counters" and seat == self.auction.turn

    def _auction_texts(self) -> list[str]:
        texts = [f"bid {amount}" for amount in self.auction.bids()]
        if self.auction.may_pass():
            texts.append("pass")
        assert self.auction.turn is not None
        if self.may_redeal(self.auction.turn):
            texts.append("redeal")
        return texts

    def _nest_choice(self) -> dict[str, Any]:
        exchange = self._exchange()
        choice: dict[str, Any] = {
            "discard": exchange.size,
            "from": in_order(self.options, exchange.may_go()),
            "must": in_order(self.options, exchange.must_go()),
        }
        if self.options["nest_exchange"] != "all":
            choice["swap"] = exchange.swaps()
        return choice

    def _plays_allowed(self) -> list[Card]:
        assert self.tricks is not None
        cards = self.tricks.lawful()
        if self.options["renege"] == "penalised":
            cards = self.tricks.hands[self.tricks.turn()]
        return in_order(self.options, cards)

    def _callable(self) -> list[Card]:
        cards = deck(self.options)
        if self.options["callable"] == "any":
            return cards
        cards = [card for card in cards if card not in self.seen]
        if self.options["callable"] == "no_trumps":
            cards = [card for card in cards if not always_trump(self.options, self.call, card)]
        return cards

    def _leaders_allowed(self) -> list[int]:
        assert self.declarer is not None
        return [self.declarer, self._left(self.declarer)]

    def _gifts_allowed(self) -> list[Card]:
        giver = self._givers()[len(self.gifts)]
        hand = self.hands[giver]
        ours = self.declarer_team()
        passing = self.options["circus_passing"]
        cards = hand
        if giver in ours and passing["worst"] == "enforced":
            cards = worst_gifts(self._order(), hand)
        if giver not in ours and passing["best"] == "enforced":
            cards = best_gifts(self._order(), hand)
        return in_order(self.options, cards)
