"""Which deals a day has, and when it begins and ends.

The families are few, so that somebody can play them all, and as unlike each other as the catalogue
has them: two partners against two, a partner who is called, everybody alone, and two with a blind
hand between them. Under each of these rules a hand that is dealt is played, whatever is bid: where
nobody bids somebody has to. So one deal is one hand.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from rookery.fairness.day import DayDeal, day_key
from rookery.rules import Rules, variant

FAMILIES: Final = {  # the id of its rules in the catalogue, by the name of each family
    "four": "kd_tournament",
    "five": "five_person_poker",
    "three": "rook_three_1914",
    "two": "rook_two_1914",
}
SHOWN: Final = 30  # past days that can still be played
MILLISECONDS: Final = 1000


def rules_of(family: str) -> Rules:
    """Return the rules of a family.

    Raises:
        KeyError: there is none of that name.
    """
    return variant(FAMILIES[family])


def deal_of(secret: bytes, day: str, family: str) -> DayDeal:
    """Return the deal of a day and a family by a server's secret.

    Raises:
        KeyError: there is no family of that name.
    """
    return DayDeal(rules_of(family), day, family, day_key(secret, day, family))


def day_at(moment: int) -> str:
    """Return the day, by UTC, of a moment in milliseconds since 1970.

    >>> day_at(0), day_at(86_399_999), day_at(86_400_000)
    ('1970-01-01', '1970-01-01', '1970-01-02')
    """
    return datetime.fromtimestamp(moment // MILLISECONDS, UTC).date().isoformat()


def end_of(day: str) -> int:
    """Return the first moment after a day, milliseconds since 1970.

    >>> end_of("1970-01-01")
    86400000
    """
    after = datetime.fromisoformat(day).replace(tzinfo=UTC) + timedelta(days=1)
    return int(after.timestamp()) * MILLISECONDS


def after(day: str, days: int = 1) -> str:
    """Return the day so many days after another; before it, where the number is below 0.

    >>> after("2026-12-31"), after("2026-03-01", -1)
    ('2027-01-01', '2026-02-28')
    """
    return (date.fromisoformat(day) + timedelta(days=days)).isoformat()
