"""Everything there is to know about a hand at one moment."""

from __future__ import annotations

from .auction import Auction
from .nest import Exchange
from .order import Order
from .pack import Card, Options, check_deal, check_red_and_black, worth
from .sides import called_sides, everyone_alone, fixed_sides, is_fixed, partners_of
from .tricks import Tricks


class Position:
    """One hand as it lies, with all cards open.

    Attributes:
        phase: Where the hand stands, one of ``auction nest trump rook call leader circus play done
            redealt``.
    """

    def __init__(
        self, options: Options, dealer: int, deal: list[list[Card]], nest: list[Card]
    ) -> None:
        """Lay out the deal.

        Raises:
            JudgeError: ``bad-deal`` or ``bad-rules``.
        """
        check_red_and_black(options)
        check_deal(options, deal, nest)
        self.options = options
        self.seats: int = options["seats"]
        self.dealer = dealer
        self.hands = [list(hand) for hand in deal]
        self.nest = list(nest)
        self.auction = Auction(options, dealer)
        self.declarer: int | None = None
        self.bid: int | str | None = None
        self.steps: list[str] = []
        self.seen: list[Card] = []
        self.call: str | None = None
        self.caller: int | None = None
        self.circus = False
        self.rook_word: str | None = None
        self.called: list[Card] = []
        self.said: str | int | None = None
        self.gifts: dict[int, Card] = {}
        self.gifts_done = False
        self.named_leader: int | None = None
        self.tricks: Tricks | None = None
        self.offender: int | None = None
        self.phase = "auction"

    def _left(self, seat: int | None) -> int:
        assert seat is not None
        return (seat + 1) % self.seats

    def _no_counter(self, seat: int) -> bool:
        return all(worth(self.options, card) == 0 for card in self.hands[seat])

    def _order(self) -> Order:
        assert self.call is not None
        return Order(self.options, self.call, self.rook_word)

    def _exchange(self) -> Exchange:
        assert self.declarer is not None
        return Exchange(self.options, self.hands[self.declarer], self.nest, self.call)

    def _givers(self) -> list[int]:
        assert self.declarer is not None
        return [(self.declarer + 1 + i) % self.seats for i in range(self.seats)]

    def _open_dummy(self) -> int | None:
        if self.options["dummy"] != "partner" or self.declarer is None:
            return None
        return next(s for s in partners_of(self.options, self.declarer) if s != self.declarer)

    def declarer_team(self) -> list[int]:
        """Return the seats known to be on the declarer's side before the play."""
        assert self.declarer is not None
        if is_fixed(self.options):
            return partners_of(self.options, self.declarer)
        return [self.declarer]

    def _holders(self) -> list[int]:
        """Return who holds, or has played, the called cards, apart from the declarer."""
        holders = []
        for seat in range(self.seats):
            mine = list(self.hands[seat])
            if self.tricks is not None:
                mine += [card for card, by in self.tricks.played_by.items() if by == seat]
            if seat != self.declarer and any(card in mine for card in self.called):
                holders.append(seat)
        return holders

    def true_sides(self) -> list[list[int]]:
        """Return the sides as they really are, known to the table or not."""
        first = self.declarer if self.declarer is not None else self._left(self.dealer)
        if is_fixed(self.options):
            return fixed_sides(self.options, first)
        if self.options["partnership"] == "called" and self.declarer is not None:
            return called_sides(self.options, self.declarer, self._holders())
        return everyone_alone(self.options, first)

    def may_accuse(self, seat: int) -> list[int]:
        """Return whom the seat may accuse of a revoke: whom the table does not know for a partner.

        The seat itself is left out too, and so is everybody where revokes are prevented.
        """
        if self.options["renege"] != "penalised":
            return []
        sides = self.known_sides()
        if sides is None:
            assert self.declarer is not None
            played = self.tricks.played_by if self.tricks is not None else {}
            shown = [played[card] for card in self.called if card in played]
            sides = [[self.declarer, *shown]]
        own = next((side for side in sides if seat in side), [seat])
        return [other for other in range(self.seats) if other not in own]

    def known_sides(self) -> list[list[int]] | None:
        """Return the sides once the whole table knows them, else None."""
        if self.phase in ("auction", "redealt"):
            return None
        if self.phase == "done" or self.options["partnership"] != "called":
            return self.true_sides()
        if self.declarer is None:
            return self.true_sides()
        if self.options["partner_revealed"] == "at_once":
            shown = bool(self.called) or self.options["called_cards"] == 0
        else:
            played = self.tricks.played_by if self.tricks is not None else {}
            shown = self.tricks is not None and all(card in played for card in self.called)
        return self.true_sides() if shown else None
