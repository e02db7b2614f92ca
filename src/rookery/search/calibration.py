"""What the search says of its contracts, against what becomes of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rookery.engine.actions import BID, PASS
from rookery.engine.rng import seeded
from rookery.game import Hand
from rookery.rules import Rules
from rookery.search.mover import Searcher

BINS = 10


class Contract(NamedTuple):
    """A contract that was played.

    Attributes:
        bid: the chance of making it that its declarer gave with the bid, 0 to 1; None where it was
            forced upon him.
        declared: the chance that he gave with his first act as declarer.
        points: what was promised.
        made: whether it was made.
    """

    bid: float | None
    declared: float | None
    points: int
    made: bool


def contracts(
    rules: Rules, deals: Iterable[int], seed: int, options: Mapping[str, str]
) -> list[Contract]:
    """Return the contracts of deals at which a searching bot sits in every seat.

    Args:
        rules: what is played.
        deals: the numbers of the deals.
        seed: of them all.
        options: of the bots.
    """
    players = [Searcher(rules, seat, options) for seat in range(rules.seats)]
    found = []
    for deal in deals:
        hand = Hand.shuffled(rules, deal % rules.seats, seeded(seed, deal) >> 1)
        for seat, player in enumerate(players):
            player.begin(hand, seeded(seed ^ deal, seat))
        bids: dict[int, float | None] = {}
        declared: list[float | None] = []
        while (seat_ := hand.to_act) is not None:
            choice = players[seat_].weigh(hand)[0]
            if hand.phase == "auction":
                bids[seat_] = choice.making if BID <= choice.action < PASS else None
            elif not declared:
                declared.append(choice.making)
            hand = hand.do(choice.action)
        if hand.declarer is not None and hand.phase == "done":
            state = hand.state
            found.append(
                Contract(bids.get(hand.declarer), declared[0], state.contract, bool(state.made))
            )
    return found


def table_of(said: Iterable[tuple[float, bool]]) -> list[dict[str, float]]:
    """Return for each tenth of what was said how often it was, its mean, and how often it was so.

    >>> table_of([(0.72, True), (0.78, False), (0.1, False)])[1]["made"]
    0.5
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for chance, made in said:
        bins.setdefault(min(BINS - 1, int(chance * BINS)), []).append((chance, made))
    return [
        {
            "from": place / BINS,
            "contracts": len(some),
            "said": round(sum(chance for chance, _ in some) / len(some), 4),
            "made": round(sum(made for _, made in some) / len(some), 4),
        }
        for place, some in sorted(bins.items())
    ]


def far_off(
    bins: Iterable[Mapping[str, float]], contracts: int, distance: float
) -> list[Mapping[str, float]]:
    """Return the bins of `table_of` with enough contracts that lie too far from what was said.

    >>> far_off(table_of([(0.55, False), (0.55, True), (0.95, False)]), 2, 0.1)
    []
    >>> [bin["from"] for bin in far_off(table_of([(0.95, False), (0.95, True)]), 2, 0.1)]
    [0.9]
    """
    return [
        one
        for one in bins
        if one["contracts"] >= contracts and abs(one["said"] - one["made"]) > distance
    ]
