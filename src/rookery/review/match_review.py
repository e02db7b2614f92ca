"""The review of a match: every hand judged, each player's accuracy, and the turning points.

Hands are judged independently of each other, so a long review can go on where it stopped: keep what
`hand_of` returns, and give all of it to `assembled` at the end.

>>> from rookery.record import loads, replay
>>> match = replay(loads('{"format": "rookery/1", "rules": "kd_tournament", "hands": []}'))
>>> review(match).players[0].accuracy is None
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Final

from rookery.game import Match
from rookery.review.document import HandReview, PlayerReview, Review, TurningPoint
from rookery.review.hand_review import (
    ROLLOUTS,
    Judges,
    decisions_of,
    finished,
    judges_for,
    judging,
)

SEED: Final = 1
HALF: Final = 20  # a decision counts half if it gives away one part in so many of all points
LARGE: Final = 10  # a turning point is a fall of at least one part in so many of all points
PER_HAND: Final = 2
MOST: Final = 5

Progress = Callable[[int, int], None]


def review(
    match: Match,
    *,
    rollouts: int = ROLLOUTS,
    seed: int = SEED,
    hands: Iterable[int] | None = None,
    kept: Mapping[int, HandReview] | None = None,
    progress: Progress = lambda done, whole: None,
) -> Review:
    """Return a match with every decision of every seat judged.

    The same match, rollouts and seed give the same review of a hand, whichever hands are judged.

    Args:
        match: of any rules, over or not.
        rollouts: for a decision, about; more of them tell smaller differences from noise.
        seed: of all dice.
        hands: the numbers of the hands to judge; all if None.
        kept: hands that were judged before with the same rollouts and seed, by number.
        progress: called with how many decisions are judged, and how many there are.
    """
    steps = reviewing(match, rollouts=rollouts, seed=seed, hands=hands, kept=kept)
    last = (-1, -1)

    def told(now: tuple[int, int]) -> None:
        nonlocal last
        if now != last:
            progress(*now)
        last = now

    return finished(steps, told)


def reviewing(
    match: Match,
    *,
    rollouts: int = ROLLOUTS,
    seed: int = SEED,
    hands: Iterable[int] | None = None,
    kept: Mapping[int, HandReview] | None = None,
) -> Generator[tuple[int, int], None, Review]:
    """Judge a match as `review` does, and yield its progress: first of all, and after each piece.

    Whoever has one thread alone does other things meanwhile. A long decision has several pieces.
    """
    wanted = sorted(range(len(match.hands)) if hands is None else set(hands))
    reviews = dict(kept or {})
    left = [number for number in wanted if number not in reviews]
    whole = sum(decisions_of(match.hands[number]) for number in left)
    judges = judges_for(match.rules, rollouts, seed) if left else None
    done = 0
    yield done, whole
    for number in left:
        if judges is not None:
            judged = judging(match.hands[number], number, totals_after(match, number), judges)
            while number not in reviews:
                try:
                    done += next(judged)
                except StopIteration as end:
                    reviews[number] = end.value
                else:
                    yield done, whole
    return assembled(match, [reviews[number] for number in wanted], rollouts=rollouts, seed=seed)


def hand_of(
    match: Match, number: int, judges: Judges, tick: Callable[[], None] = lambda: None
) -> HandReview:
    """Return hand `number` of a match with every decision judged, without turning points.

    `judges` are from `judges_for`, and `tick` is called after each decision.
    """
    steps = judging(match.hands[number], number, totals_after(match, number), judges)
    return finished(steps, lambda judged: tick() if judged else None)


def totals_after(match: Match, number: int) -> tuple[int, ...]:
    """Return each seat's total after hand `number` of a match."""
    so_far = Match(match.rules)
    for hand in match.hands[: number + 1]:
        so_far = so_far.begin(hand)
    return so_far.totals


def assembled(match: Match, hands: Iterable[HandReview], *, rollouts: int, seed: int) -> Review:
    """Return the review of a match from its judged hands, with the turning points marked."""
    judged = list(hands)
    points = match.rules.total_points
    turning = turning_points(judged, points)
    places = {(point.hand, point.action_index) for point in turning}
    marked = [
        hand.model_copy(
            update={
                "decisions": [
                    one.model_copy(update={"turning": (hand.hand, one.action_index) in places})
                    for one in hand.decisions
                ]
            }
        )
        for hand in judged
    ]
    names = match.players or (None,) * match.rules.seats
    return Review(
        rules=match.rules.name,
        tries=rollouts,
        seed=seed,
        hand_points=points,
        players=[player_of(seat, name, marked, points) for seat, name in enumerate(names)],
        hands=marked,
        turning=turning,
        totals=list(match.totals),
        winners=None if match.winners is None else list(match.winners),
    )


def accuracy(costs: Sequence[float], hand_points: int) -> float | None:
    """Return the accuracy of decisions that cost so many points each, 0 to 100.

    A decision counts 1 if nothing was better, a half if it gave away a twentieth of a hand's
    points, a quarter for two twentieths, and so on: ``2 ** (-20 * cost / hand_points)``. The
    accuracy is the mean in percent; None without decisions.

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
    open_costs = [one.open_cost for one in decisions if one.open_cost is not None]
    return PlayerReview(
        seat=seat,
        name=name,
        accuracy=accuracy(costs, hand_points),
        decisions=len(decisions),
        mistakes=sum(one.sure for one in decisions),
        cost=sum(costs),
        open_cost=sum(open_costs) if open_costs else None,
    )


def turning_points(hands: Iterable[HandReview], hand_points: int) -> list[TurningPoint]:
    """Return the few decisions that changed the outcome of their hand most, largest first.

    The outcome is the one with all cards open or, if that is not known, the one that the seat could
    expect. There are at most two in a hand and five in all, and none below a tenth of a hand's
    points.
    """
    points: list[TurningPoint] = []
    for hand in hands:
        turns = [
            TurningPoint(
                hand=hand.hand,
                action_index=one.action_index,
                swing=one.cost if one.open_cost is None else one.open_cost,
                blame=one.sure,
            )
            for one in hand.decisions
        ]
        turns.sort(key=lambda point: -point.swing)
        points += [point for point in turns[:PER_HAND] if LARGE * point.swing >= hand_points]
    points.sort(key=lambda point: (-point.swing, point.hand, point.action_index))
    return points[:MOST]
