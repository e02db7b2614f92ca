"""One hand of a match, decision by decision."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final, NamedTuple, TypeVar

from rookery.engine.state import PLAY
from rookery.engine.trick import following
from rookery.game import Action, Hand, Verb
from rookery.review.document import Alternative, Auction, Decision, HandReview, Method, OpenContract
from rookery.review.judge import OPEN_ROLLOUTS, Judge, Judgement
from rookery.review.mistakes import what_was_wrong
from rookery.review.open_cards import OpenPlay, solvable
from rookery.review.reasons import why
from rookery.rules import Rules
from rookery.search.outcome import match_chances

ROLLOUTS: Final = 8000
PLACES: Final = 1000  # more than a hand has actions: action i of hand h has place 1000 h + i

Y = TypeVar("Y")
R = TypeVar("R")


@dataclass(frozen=True)
class Step:
    """An action of a hand, with its number and the hand before it."""

    index: int
    before: Hand
    action: Action


class Judges(NamedTuple):
    """The judges of a match: one by what a seat could know, one with all cards open."""

    fair: Judge
    open: Judge


def judges_for(rules: Rules, rollouts: int = ROLLOUTS, seed: int = 1) -> Judges:
    """Return judges for matches played by `rules`, with so many rollouts for a decision."""
    return Judges(
        Judge(rules, rollouts, seed), Judge(rules, OPEN_ROLLOUTS, seed, perfect_information=True)
    )


def steps_of(hand: Hand) -> list[Step]:
    """Return a hand's actions with the position before each."""
    steps = zip(hand.positions(), hand.actions, strict=False)
    return [Step(index, before, action) for index, (before, action) in enumerate(steps)]


def is_decision(step: Step) -> bool:
    """Return whether a step was a choice among several that the search can judge.

    A redeal demanded out of turn and a claim of a revoke are not judged. Nor is a revoke, which
    breaks the rules.
    """
    hand, action = step.before, step.action
    if action.seat != hand.turn or action.verb is Verb.CHALLENGE:
        return False
    if hand.state.phase == PLAY:
        choice = following(hand.table, hand.state, hand.hidden.hand[hand.state.turn])
        return choice.bit_count() > 1 and bool(choice >> action.card & 1)
    return len(hand.legal_numbers()) > 1


def decisions_of(hand: Hand) -> int:
    """Return how many decisions of a hand will be judged, for a progress bar."""
    return sum(map(is_decision, steps_of(hand)))


def finished(steps: Generator[Y, None, R], told: Callable[[Y], object]) -> R:
    """Return what work in steps comes to; `told` gets what each of them yields."""
    while True:
        try:
            told(next(steps))
        except StopIteration as end:
            found: R = end.value
            return found


def judging(
    hand: Hand, number: int, totals: Sequence[int], judges: Judges
) -> Generator[bool, None, HandReview]:
    """Return a hand with every decision judged.

    It may be over or not. `number` is its own in the match, from 0, and `totals` are those after
    it. Yields True after each decision, and False after each other piece of the work.
    """
    steps = steps_of(hand)
    plays = [step for step in steps if step.action.verb is Verb.PLAY]
    open_play = None
    if plays and solvable(plays[0].before):
        positions = [*(step.before for step in plays), hand]
        open_play = OpenPlay(positions, [step.action.card for step in plays])
        for _ in open_play.work:
            yield False
    first_play = plays[0].index if plays else 0
    bids = [step.index for step in steps if step.action.verb is Verb.BID]
    bought = bids[-1] if bids and hand.declarer is not None else None
    decisions = []
    auction = None
    for step in filter(is_decision, steps):
        place = PLACES * number + step.index
        judged = judges.fair.judge(step.before, step.action, place)
        if len(judged.weighed) > 1 or step.before.phase in ("nest", "call"):
            card = step.index - first_play if step.action.verb is Verb.PLAY else None
            open_cost = _open_cost(step, place, judges, open_play, card)
            decisions.append(decision_of(step, judged, *open_cost))
            if step.index == bought:
                auction = _auction(step, judged)
        yield True
    return HandReview(
        hand=number,
        dealer=hand.dealer,
        phase=hand.phase,
        declarer=hand.declarer,
        contract=hand.bid,
        call=hand.call,
        made=hand.made,
        points=hand.points[0] if hand.points is not None and hand.declarer is not None else None,
        score=hand.score,
        totals=list(totals),
        winning=match_chances(hand.table, hand.state, totals),
        auction=auction,
        open=_open_contract(hand, plays, open_play, judges, number),
        decisions=decisions,
    )


def _auction(step: Step, judged: Judgement) -> Auction | None:
    passed = next((one for one in judged.weighed if one.action.verb is Verb.PASS), None)
    if passed is None:
        return None
    errors = [one.error for one in (passed, judged.done) if one is not judged.best]
    return Auction(
        seat=step.action.seat,
        action_index=step.index,
        bought=judged.done.margin,
        left=passed.margin,
        worth=judged.done.margin - passed.margin,
        error=hypot(*errors),
        making=judged.done.making,
    )


def _open_cost(
    step: Step, place: int, judges: Judges, open_play: OpenPlay | None, card: int | None
) -> tuple[float | None, Method | None]:
    """Return what a decision cost with all cards open, and by which method."""
    seat = step.before.to_act or 0
    if open_play is not None and card is not None:
        before, after = open_play.margin(card, seat), open_play.margin(card + 1, seat)
        if before is not None and after is not None:
            return max(0.0, before - after), "solver"
    judged = judges.open.judge(step.before, step.action, place)
    return judged.cost, "search"


def _open_contract(
    hand: Hand, plays: Sequence[Step], open_play: OpenPlay | None, judges: Judges, number: int
) -> OpenContract | None:
    if not plays or hand.declarer is None:
        return None
    if open_play is not None:
        end = open_play.end(0)
        if end is not None:
            return OpenContract(points=open_play.values[0], made=bool(end.made), by="solver")
    first = plays[0]
    choices = judges.open.choices(first.before, PLACES * number + first.index)
    making = choices[0].making
    return None if making is None else OpenContract(points=None, made=making >= 0.5, by="search")


def decision_of(
    step: Step, judged: Judgement, open_cost: float | None = None, open_by: Method | None = None
) -> Decision:
    """Return a decision in words and figures, judged by what the seat could know.

    `open_cost` is what it cost with all cards open, points; None if that is not known.
    """
    hand = step.before
    best = judged.best.action if judged.sure else step.action
    mistake = None
    if judged.sure:
        mistake = what_was_wrong(hand, step.action, best, judged.done.making, judged.best.making)
    return Decision(
        action_index=step.index,
        seat=hand.to_act or 0,
        turn=step.action.seat,
        phase=hand.phase,
        action=step.action.words,
        best=best.words,
        cost=judged.cost,
        sure=judged.sure,
        error=judged.done.error,
        open_cost=open_cost,
        open_by=open_by,
        margin=judged.done.margin,
        making=judged.done.making,
        alternatives=[
            Alternative(
                action=one.action.words, margin=one.margin, error=one.error, making=one.making
            )
            for one in judged.weighed
        ],
        reason=why(hand, best, judged.choices),
        mistake=mistake,
        turning=False,
    )
