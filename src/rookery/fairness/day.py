"""The deal of a day: the same for everybody at a server, promised the day before.

Scheme ``rook-set-1``. A server has one secret for it. The key of a day and a family of rules is

    HMAC-SHA-256(secret, "rook-set-1" | day | family)

and its commitment, which is shown before the day begins,

    SHA-256("rook-set-1" | day | family | rules | key).

The cards follow from the key as those of table ``day family`` do in ``rook-deal-1``, without any
shares; `number` is the first one, from 0, whose deal the rules let nobody throw in. The dealer and
the dice of the bots follow from the key too. When the day has ended the key is shown.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import date
from typing import Any, Final, NamedTuple

from rookery.engine.auction import may_redeal
from rookery.fairness.deal import deal_cards, joined, permuted, rules_key
from rookery.game import Hand
from rookery.rules import Rules

SCHEME: Final = "rook-set-1"
NUMBERS: Final = 1000  # deals of a key that are tried at most; hardly ever more than one is needed


class DayDeal(NamedTuple):
    """One deal of one day.

    Attributes:
        rules: the rules of its family.
        day: the day, by UTC, as 2026-11-23.
        family: the name of the family.
        key: the key, secret until the day has ended.
    """

    rules: Rules
    day: str
    family: str
    key: bytes

    @property
    def commitment(self) -> str:
        """What binds the server to the key, in hexadecimal."""
        return commitment(self.rules, self.day, self.family, self.key)

    @property
    def dice(self) -> int:
        """The seed of all dice that are thrown at this deal, 62 bits."""
        return int.from_bytes(self._drawn("dice")[:8]) >> 2

    def hand(self) -> Hand:
        """Return the hand as it is dealt.

        Raises:
            ValueError: the rules throw in whatever is dealt.
        """
        dealer = permuted(range(self.rules.seats), self._drawn("dealer"))[0]
        return dealt(self.rules, f"{self.day} {self.family}", self.key, dealer)

    def proof(self, *, ended: bool) -> dict[str, Any]:
        """Return what a record says of the deal, ready for JSON; the key once the day has ended."""
        return {
            "scheme": SCHEME,
            "day": self.day,
            "family": self.family,
            "rules": rules_key(self.rules),
            "commitment": self.commitment,
            "key": self.key.hex() if ended else None,
        }

    def _drawn(self, what: str) -> bytes:
        return hmac.digest(self.key, joined(what, self.day, self.family), "sha256")


def dealt(rules: Rules, table: str, key: bytes, dealer: int) -> Hand:
    """Return the first hand that a key deals at a table by rules that let nobody throw it in.

    Raises:
        ValueError: the rules throw in whatever is dealt.
    """
    for number in range(NUMBERS):
        cards = deal_cards(rules, table, number, key, ())
        hand = Hand.deal(rules, dealer, cards.deal, cards.nest)
        if not (hand.over or may_be_thrown_in(hand)):
            return hand
        if len(rules.card_points) < rules.seats:  # somebody has no counter, whatever is dealt
            break
    raise ValueError(f"the rules throw in {NUMBERS} deals running")


def day_key(secret: bytes, day: str, family: str) -> bytes:
    """Return the key of a day and a family by a server's secret."""
    return hmac.digest(secret, joined(SCHEME, day, family), "sha256")


def commitment(rules: Rules, name: str, part: str, key: bytes) -> str:
    """Return what binds to `key`, in hexadecimal.

    Of a daily deal `name` is the day and `part` the family; of an evening they are its name and
    how many deals it has.
    """
    parts = joined(SCHEME, name, part, rules_key(rules), key)
    return hashlib.sha256(parts).hexdigest()


def is_day(text: str) -> bool:
    """Return whether a text is a day as it is written here.

    >>> is_day("2026-11-23"), is_day("20261123"), is_day("2026-11-31")
    (True, False, False)
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def may_be_thrown_in(hand: Hand) -> bool:
    """Return whether a seat may demand another deal of a hand as it is dealt, on its turn."""
    at, hidden = hand.state, hand.hidden
    for seat in range(hand.rules.seats):
        at.turn = seat
        if may_redeal(hand.table, at, hidden, seat):
            return True
    return False
