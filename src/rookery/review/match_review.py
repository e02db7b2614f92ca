"""A match, looked at again: every hand judged, and what it adds up to.

Hands are judged one by one and know nothing of each other, so a long review can be taken up where
it stopped: what `hand_of` has returned is handed to `assembled` whenever the rest is there.

>>> from rookery.record import loads, replay
>>> match = replay(loads('{"format": "rookery/1", "rules": "kd_tournament", "hands": []}'))
>>> review(match).players[0].accuracy is None
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from rookery.game import Match
from rookery.review.accuracy import player_of, turning_points
from rookery.review.document import HandReview, Review
from rookery.review.hand_review import (
    TRIES,
    Court,
    court,
    decisions_of,
    review_hand,
    whole_hand,
)

SEED: Final = 1

Progress = Callable[[int, int], None]


def review(
    match: Match,
    *,
    tries: int = TRIES,
    seed: int = SEED,
    hands: Iterable[int] | None = None,
    kept: Mapping[int, HandReview] | None = None,
    progress: Progress = lambda done, whole: None,
) -> Review:
    """Return a match with every decision of every seat judged.

    The same match, tries and seed give the same review of a hand, whichever hands are asked for.

    Args:
        match: of any rules, over or not.
        tries: for a decision, about; more of them tell smaller differences from noise.
        seed: of all dice.
        hands: the numbers of the hands to judge; all, if not said.
        kept: hands that were judged before with the same tries and seed, by number.
        progress: is called with how many decisions are judged, and how many there are.
    """
    wanted = sorted(range(len(match.hands)) if hands is None else set(hands))
    found = dict(kept or {})
    open_ = [number for number in wanted if number not in found]
    whole = sum(decisions_of(match.hands[number]) for number in open_)
    judges = court(match.rules, tries, seed) if open_ else None
    done = 0

    def tick() -> None:
        nonlocal done
        done += 1
        progress(done, whole)

    progress(0, whole)
    for number in open_:
        if judges is not None:
            found[number] = hand_of(match, number, judges, tick)
    return assembled(match, [found[number] for number in wanted], tries=tries, seed=seed)


def hand_of(
    match: Match, number: int, judges: Court, tick: Callable[[], None] = lambda: None
) -> HandReview:
    """Return hand `number` of a match with every decision judged; no turning points are marked."""
    return review_hand(match.hands[number], number, totals_after(match, number), judges, tick)


def totals_after(match: Match, number: int) -> tuple[int, ...]:
    """Return each seat's total after hand `number` of a match."""
    so_far = Match(match.rules)
    for hand in match.hands[: number + 1]:
        so_far = so_far.begin(hand)
    return so_far.totals


def assembled(match: Match, hands: Iterable[HandReview], *, tries: int, seed: int) -> Review:
    """Return the review of a match from its judged hands, the turning points marked."""
    judged = list(hands)
    points = whole_hand(match.rules)
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
        tries=tries,
        seed=seed,
        hand_points=points,
        players=[player_of(seat, name, marked, points) for seat, name in enumerate(names)],
        hands=marked,
        turning=turning,
        totals=list(match.totals),
        winners=None if match.winners is None else list(match.winners),
    )
