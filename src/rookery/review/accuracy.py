"""How well each player did, and where the match turned."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final

from rookery.review.document import Decision, HandReview, PlayerReview, TurningPoint

HALF: Final = 20  # a decision that gives away one part in so many of a hand's points counts half
LARGE: Final = 10  # a turn is a fall of one part in so many of a hand's points, or more
PER_HAND: Final = 2
MOST: Final = 5


def accuracy(costs: Sequence[float], hand_points: int) -> float | None:
    """Return the accuracy of decisions that cost so many points each, 0 to 100.

    A decision counts 1 where nothing better was passed by, a half where it gave away a twentieth of
    a hand's points, a quarter for two twentieths, and so on: ``2 ** (-20 * cost / hand_points)``.
    The accuracy is the mean in percent; None without decisions.

    >>> accuracy([0, 0, 0, 0], 120), accuracy([0, 6], 120), accuracy([], 120)
    (100.0, 75.0, None)
    """
    if not costs:
        return None
    counts = [math.pow(2, -HALF * cost / hand_points) for cost in costs]
    return round(100 * sum(counts) / len(counts), 1)


def player_of(
    seat: int, name: str | None, hands: Iterable[HandReview], hand_points: int
) -> PlayerReview:
    """Return how the player of a seat did in some hands."""
    decisions = [one for hand in hands for one in hand.decisions if one.seat == seat]
    costs = [one.cost for one in decisions]
    known = [one.open_cost for one in decisions if one.open_cost is not None]
    return PlayerReview(
        seat=seat,
        name=name,
        accuracy=accuracy(costs, hand_points),
        decisions=len(decisions),
        mistakes=sum(one.sure for one in decisions),
        cost=round(sum(costs), 2),
        open_cost=round(sum(known), 2) if known else None,
    )


def turning_points(hands: Iterable[HandReview], hand_points: int) -> list[TurningPoint]:
    """Return the few decisions after which the outcome of their hand moved most, largest first.

    The outcome is what an onlooker who sees all cards expects; where he does not know, it is what
    the seat could expect. Two a hand and five in all at most, and none below a tenth of a hand's
    points.
    """
    found: list[TurningPoint] = []
    for hand in hands:
        turns = sorted(
            (turn(hand.hand, one) for one in hand.decisions), key=lambda point: -point.swing
        )
        found += [point for point in turns[:PER_HAND] if LARGE * point.swing >= hand_points]
    found.sort(key=lambda point: (-point.swing, point.hand, point.action_index))
    return found[:MOST]


def turn(hand: int, one: Decision) -> TurningPoint:
    """Return a decision of hand number `hand` as a turning point."""
    swing = one.cost if one.open_cost is None else one.open_cost
    return TurningPoint(hand=hand, action_index=one.action_index, swing=swing, blame=one.sure)
