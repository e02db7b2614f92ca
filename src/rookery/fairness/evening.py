"""The deals of an evening: the same at several tables, all promised together before the first.

Scheme ``rook-set-1``, as for the deal of a day, see `day`. The commitment covers the whole set,

    SHA-256("rook-set-1" | evening | how many deals | rules | key),

and is shown before anybody plays. The cards of deal `n`, from 1, follow from the key as those of
table ``evening n`` do in ``rook-deal-1``, without any shares; a deal that the rules let somebody
throw in is left out for the next one. Deals are dealt by each seat in turn, seat 0 first. The key
is shown when the last table has played, and not before.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from rookery.fairness.day import SCHEME, commitment, dealt, is_day
from rookery.fairness.deal import joined, permuted, rules_key
from rookery.game import Hand
from rookery.rules import Rules

MOST_DEALS: Final = 1000
LONGEST_NAME: Final = 64


class EveningDeals(NamedTuple):
    """All deals of one evening.

    Attributes:
        rules: the rules.
        evening: the name of the evening; no day, see `is_evening`.
        boards: how many deals there are, from 1.
        key: the key, secret until the last table has played.
    """

    rules: Rules
    evening: str
    boards: int
    key: bytes

    @property
    def commitment(self) -> str:
        """What binds whoever deals to all of them, in hexadecimal."""
        return commitment(self.rules, self.evening, str(self.boards), self.key)

    def hand(self, number: int) -> Hand:
        """Return a deal by its number, from 1, as it is dealt.

        Raises:
            IndexError: there is no such deal.
            ValueError: the rules throw in whatever is dealt.
        """
        if not 1 <= number <= self.boards:
            raise IndexError(f"deal {number}: expected 1 to {self.boards}")
        dealer = (number - 1) % self.rules.seats
        return dealt(self.rules, f"{self.evening} {number}", self.key, dealer)

    def proof(self, number: int, *, ended: bool) -> dict[str, Any]:
        """Return what a record says of a deal, ready for JSON; the key once all have played."""
        return {
            "scheme": SCHEME,
            "evening": self.evening,
            "boards": self.boards,
            "number": number,
            "rules": rules_key(self.rules),
            "commitment": self.commitment,
            "key": self.key.hex() if ended else None,
        }

    def shuffled(self, what: str, number: int, things: Sequence[int]) -> list[int]:
        """Return numbers in an order that follows from the key, and says nothing of any other."""
        seed = hmac.digest(self.key, joined(what, self.evening, str(number)), "sha256")
        return permuted(things, seed)


def is_evening(name: str, boards: int) -> bool:
    """Return whether an evening may be called so, and have so many deals.

    A day is no evening's name, so that no set of deals can be taken for the deal of a day.

    >>> is_evening("Friday", 24), is_evening("2026-11-23", 24), is_evening("", 24)
    (True, False, False)
    """
    named = 0 < len(name) <= LONGEST_NAME and name.isprintable() and not is_day(name)
    return named and 1 <= boards <= MOST_DEALS
