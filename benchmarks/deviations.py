"""What a call other than the bot's own would have brought, played out by bots that are as good.

In auctions of `expert` the best other call of each kind is made instead, and both hands are played
to their end. A kind of call that gained points would be a habit to give up, and to be exploited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from random import Random
from statistics import mean, stdev
from typing import Final, NamedTuple

from rookery.engine.actions import PASS
from rookery.engine.rng import seeded
from rookery.game import Hand
from rookery.lab.stats import student
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules
from rookery.search.choice import Choice
from rookery.search.searcher import Searcher

A_DEAL: Final = 2  # calls of a deal that are looked at
CLOSE: Final = (5, 15, 40)  # points by which the bot's own call was ahead: less than so many


class Deviation(NamedTuple):
    """Another call than the bot's.

    Attributes:
        deal: the number of the deal.
        kind: what the bot does and what was done instead: ``pass-bid``, ``bid-pass``,
            ``bid-higher`` or ``bid-lower``.
        said: how much better the other call is, as the bot's search says, points.
        came: how much better it was, points by which the seat's side outscored the others.
    """

    deal: int
    kind: str
    said: float
    came: float


def deviations(
    rules: Rules,
    deals: Iterable[int],
    seed: int,
    callers: Sequence[Searcher],
    players: Sequence[Searcher],
) -> Iterator[Deviation]:
    """Yield the other calls of deals at which searching bots sit in every seat.

    Args:
        rules: what is played.
        deals: the numbers of the deals.
        seed: of them all.
        callers: the bots that call, one for each seat.
        players: those that play both hands out from there.
    """
    table = compile_rules(rules)
    for deal in deals:
        hand = Hand.shuffled(rules, deal % rules.seats, seeded(seed, deal) >> 1)
        for seat, caller in enumerate(callers):
            caller.begin(hand, seeded(seed ^ deal, seat))
        calls: list[tuple[Hand, Sequence[Choice]]] = []
        while hand.phase == "auction" and (seat_ := hand.to_act) is not None:
            choices = callers[seat_].weigh(hand)
            if len(choices) > 1:
                calls.append((hand, choices))
            hand = hand.do(choices[0].action)
        for hand, (own, *others) in Random(deal).sample(calls, min(A_DEAL, len(calls))):
            before = _margin(table, hand, own.action, players, seed ^ deal)
            for kind, other in _others(own, others).items():
                after = _margin(table, hand, other.action, players, seed ^ deal)
                yield Deviation(deal, kind, other.margin - own.margin, after - before)


def _others(own: Choice, others: Iterable[Choice]) -> dict[str, Choice]:
    """Return the best other call of each kind."""
    found: dict[str, Choice] = {}
    for other in others:
        if own.action == PASS:
            kind = "pass-bid"
        elif other.action == PASS:
            kind = "bid-pass"
        else:
            kind = "bid-higher" if other.action > own.action else "bid-lower"
        found.setdefault(kind, other)
    return found


def _margin(
    table: RuleTable, hand: Hand, action: int, players: Sequence[Searcher], seed: int
) -> float:
    """Return by how much the side of the seat to act outscores the others after `action`."""
    side = table.partners[hand.state.turn]
    for seat, player in enumerate(players):
        player.begin(hand, seeded(seed, 100 + seat))
    hand = hand.do(action)
    while (seat_ := hand.to_act) is not None:
        hand = hand.do(players[seat_].weigh(hand)[0].action)
    score = hand.score or [0] * table.seats  # nothing, where nobody bid
    ours = [points for seat, points in enumerate(score) if side >> seat & 1]
    theirs = [points for seat, points in enumerate(score) if not side >> seat & 1]
    return sum(ours) / len(ours) - sum(theirs) / len(theirs)


def by_kind(found: Iterable[Deviation]) -> list[dict[str, object]]:
    """Return, for each kind and each closeness, the number of calls, and the means in points.

    >>> by_kind([Deviation(0, "bid-pass", -3.0, 10.0), Deviation(1, "bid-pass", -1.0, -6.0)])[0]
    {'kind': 'bid-pass', 'below': None, 'calls': 2, 'said': -2.0, 'came': 2.0, 'ci95': 101.65}
    """
    rows = list(found)
    told: list[dict[str, object]] = []
    for kind in sorted({one.kind for one in rows}):
        for below in (None, *CLOSE):
            some = [one for one in rows if one.kind == kind and (not below or -one.said < below)]
            if len(some) > 1:
                came = [one.came for one in some]
                told.append(
                    {
                        "kind": kind,
                        "below": below,
                        "calls": len(some),
                        "said": round(mean(one.said for one in some), 2),
                        "came": round(mean(came), 2),
                        "ci95": round(student(len(some)) * stdev(came) / sqrt(len(some)), 2),
                    }
                )
    return told
