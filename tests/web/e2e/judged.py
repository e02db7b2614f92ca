"""A review with every field filled, made up for a record: what pages are shown in tests.

Its shape is the published one; nothing in it was weighed, so no bot has to be compiled for it.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from rookery import record
from rookery.game import Action, Hand
from rookery.review import document as doc

FEW = 6  # choices that are looked at
COSTS = (0.0, 0.0, 3.4, 0.0, 12.6, 0.0, 0.0, 41.0)  # points, in turn
KNOWN = doc.Reason(code="lead-sure", text="No card still out can beat it.")
UNKNOWN = doc.Reason(code="as-yet-unsaid", text="Words that no catalogue has.")


def judged(text: str) -> dict[str, Any]:
    """Return a review of a record's text, as JSON has it."""
    kept = record.loads(text)
    hands = [_hand(kept, number) for number in range(len(kept.hands))]
    costly = [(hand, one) for hand in hands for one in hand.decisions if one.turning]
    players = [_player(kept, seat, hands) for seat in range(kept.rules.seats)]
    return doc.Review(
        rules=kept.rules.name,
        tries=100,
        seed=0,
        hand_points=kept.rules.total_points,
        players=players,
        hands=hands,
        turning=[
            doc.TurningPoint(
                hand=hand.hand, action_index=one.action_index, swing=41.0, blame=one.sure
            )
            for hand, one in costly[:3]
        ],
        totals=hands[-1].totals,
        winners=None,
    ).model_dump(mode="json")


def _hand(kept: record.Record, number: int) -> doc.HandReview:
    written = kept.hands[number]
    hand = Hand.deal(kept.rules, written.dealer, written.deal or [], written.nest)
    decisions: list[doc.Decision] = []
    for index, action in enumerate(map(hand.parse, written.actions)):
        choices = [one.words for one in _choices(hand, action)]
        if len(choices) > 1:
            done, nth = action.words, len(decisions)
            decisions.append(_decision(hand, index, action.seat, done, choices, nth))
        hand = hand.act(action)
    seats = kept.rules.seats
    bid = next((one for one in decisions if one.action.startswith("bid")), None)
    points = None if hand.points is None else hand.points[0]
    return doc.HandReview(
        hand=number,
        dealer=written.dealer,
        phase=str(hand.phase),
        declarer=hand.declarer,
        contract=hand.bid,
        call=hand.call,
        made=None if hand.score is None else hand.score[hand.declarer or 0] > 0,
        points=points,
        score=None if hand.score is None else list(hand.score),
        totals=[0] * seats,
        winning=[0.25] * seats,
        auction=bid
        and doc.Auction(
            seat=bid.seat,
            action_index=bid.action_index,
            bought=31.5,
            left=8.2,
            worth=23.3,
            error=1.5,
            making=0.64,
        ),
        open=doc.OpenContract(points=115, made=True, by="solver"),
        decisions=decisions,
    )


def _choices(hand: Hand, action: Action) -> list[Action]:
    return [action, *(one for one in islice(hand.legal(), FEW) if one != action)]


def _decision(
    hand: Hand, index: int, seat: int, done: str, choices: list[str], nth: int
) -> doc.Decision:
    cost = COSTS[nth % len(COSTS)]
    best = done if not cost else next(one for one in choices if one != done)
    others = [one for one in choices if one not in (best, done)]
    order = [best, *([done] if done != best else []), *others][:4]
    return doc.Decision(
        action_index=index,
        seat=seat,
        turn=seat,
        phase=str(hand.phase),
        action=done,
        best=best,
        cost=cost,
        sure=cost > 0,
        error=1.1,
        open_cost=None if nth % 7 == 6 else 20.0 if nth % 5 == 0 else 0.0,
        open_by=None if nth % 7 == 6 else "solver",
        margin=10.0 - cost,
        making=0.5,
        alternatives=[
            doc.Alternative(
                action=one, margin=10.0 - rank * (cost or 2.5), error=1.1, making=0.6 - rank / 10
            )
            for rank, one in enumerate(order)
        ],
        reason=KNOWN,
        mistake=UNKNOWN if cost else None,
        turning=cost == max(COSTS),
    )


def _player(kept: record.Record, seat: int, hands: list[doc.HandReview]) -> doc.PlayerReview:
    mine = [one for hand in hands for one in hand.decisions if one.seat == seat]
    return doc.PlayerReview(
        seat=seat,
        name=kept.players[seat] if kept.players else None,
        accuracy=100.0 - 7.4 * seat,
        decisions=len(mine),
        mistakes=sum(one.sure for one in mine),
        cost=sum(one.cost for one in mine),
        open_cost=sum(one.open_cost or 0.0 for one in mine),
    )
