"""The auction: who speaks, what they may say, and when it is over."""

from __future__ import annotations

from .errors import JudgeError
from .pack import Options


class Auction:
    """The auction of one hand.

    Attributes:
        turn: The seat to speak, or None when the auction is over.
        outcome: None while it runs, then ``contract``, ``redeal`` or ``no_contract``.
        high: The highest bid so far, a number or ``sun``; the contract in the end.
        bidder: Who holds it; the declarer in the end.
    """

    def __init__(self, options: Options, dealer: int) -> None:
        """Open the auction."""
        self.options = options
        self.seats: int = options["seats"]
        self.dealer = dealer
        self.form: str = options["auction_form"]
        self.sun = any(special["name"] == "sun" for special in options["special_bids"])
        self.high: int | str | None = None
        self.bidder: int | None = None
        self.passed: set[int] = set()
        self.calls_made = 0
        self.passes_in_a_row = 0
        self.outcome: str | None = None
        self.turn: int | None = self._first()
        if self.form == "dealer_opens":
            self.high = options["bid_minimum"]
            self.bidder = dealer
            if not self.bids():
                self._close("contract")

    def _first(self) -> int:
        if self.form == "dealer_must_bid":
            return self.dealer
        left = (self.dealer + 1) % self.seats
        first = self.options["first_bidder"]
        if self.form == "dealer_opens" or first == "left_of_dealer":
            return left
        if first == "dealer":
            return self.dealer
        return int(first)

    def bids(self) -> list[int | str]:
        """Return the bids that would be good now, lowest first."""
        if self.high == "sun":
            return []
        step = self.options["bid_step"]
        least = self._least()
        good: list[int | str] = []
        for number in range(least, self.options["bid_maximum"] + 1):
            if number % step == 0:
                good.append(number)
        if self.sun:
            good.append("sun")
        return good

    def _least(self) -> int:
        minimum = int(self.options["bid_minimum"])
        if self.high is None:
            return minimum
        return max(minimum, int(self.high) + int(self.options["bid_step"]))

    def may_pass(self) -> bool:
        """Return whether the speaker may pass; only a dealer who must bid first may not."""
        return not (self.form == "dealer_must_bid" and self.calls_made == 0)

    def has_left(self, seat: int) -> bool:
        """Return whether the seat is out of the auction by a final pass."""
        final = not self.options["return_after_pass"] and self.form != "one_call_each"
        return final and seat in self.passed

    def bid(self, seat: int, amount: int | str) -> None:
        """Take a bid of the seat to speak.

        Raises:
            JudgeError: ``bid-too-low``, ``bid-too-high`` or ``bid-step``.
        """
        if amount not in self.bids():
            if amount == "sun" or int(amount) > self.options["bid_maximum"]:
                raise JudgeError("bid-too-high", str(amount))
            if int(amount) < self._least():
                raise JudgeError("bid-too-low", str(amount))
            raise JudgeError("bid-step", str(amount))
        self.high = amount
        self.bidder = seat
        self.calls_made += 1
        self.passes_in_a_row = 0
        if amount == "sun" or not self.bids():
            self._close("contract")
        else:
            self._go_on(seat)

    def pass_(self, seat: int) -> None:
        """Take a pass of the seat to speak.

        Raises:
            JudgeError: ``not-now`` for a dealer who must open.
        """
        if not self.may_pass():
            raise JudgeError("not-now", "the dealer has to bid first")
        self.passed.add(seat)
        self.calls_made += 1
        self.passes_in_a_row += 1
        self._go_on(seat)

    def _still_to_speak(self, after: int) -> list[int]:
        """Return who may still speak if nobody bids again, the next one first."""
        circle = [(after + i) % self.seats for i in range(1, self.seats + 1)]
        if self.form == "one_call_each":
            return circle[: self.seats - self.calls_made]
        if self.options["return_after_pass"]:
            in_a_row = self.seats if self.high is None else self.seats - 1
            return circle[: in_a_row - self.passes_in_a_row]
        return [seat for seat in circle if seat not in self.passed and seat != self.bidder]

    def _go_on(self, after: int) -> None:
        left = self._still_to_speak(after)
        if self.high is not None:
            if left:
                self.turn = left[0]
            else:
                self._close("contract")
        elif not left:
            self._nobody_bid()
        else:
            self.turn = left[0]
            if len(left) == 1:
                self._one_left(left[0])

    def _one_left(self, seat: int) -> None:
        rule = self.options["all_pass"]
        if rule == "last_player" or (rule == "dealer" and seat == self.dealer):
            self._force(seat)

    def _nobody_bid(self) -> None:
        rule = self.options["all_pass"]
        if rule == "dealer":
            self._force(self.dealer)
        else:
            self._close(rule)

    def _force(self, seat: int) -> None:
        self.high = self.options["bid_minimum"]
        self.bidder = seat
        self._close("contract")

    def _close(self, outcome: str) -> None:
        self.outcome = outcome
        self.turn = None
