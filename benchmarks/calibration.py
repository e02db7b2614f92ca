"""The chances that the search gives its contracts, against how often they were made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rookery.bots.club.calls import all_points
from rookery.engine.actions import BID, PASS
from rookery.engine.rng import seeded
from rookery.game import Hand
from rookery.rules import Rules
from rookery.rules.table import compile_rules
from rookery.search.choice import chance_of_bid, chance_of_contract
from rookery.search.request import Call, calls_of
from rookery.search.search import Search
from rookery.search.searcher import Searcher

BINS = 10


class Estimate(NamedTuple):
    """The chance of a contract as a seat saw it.

    Attributes:
        made: in how many of its rollouts the contract was made.
        contracts: in how many it came to that contract at all.
        rollouts: how many there were.
        tricks: how many tricks had been played, 0 before the play too; None in the auction.
        declares: whether the seat is the declarer's, or bids to be it.
    """

    made: int
    contracts: int
    rollouts: int
    tricks: int | None
    declares: bool

    @property
    def share(self) -> float:
        """The share of the rollouts that made it, 0 to 1."""
        return self.made / self.contracts

    @property
    def chance(self) -> float:
        """The calibrated chance of the bid or, after the auction, of the contract, 0 to 1."""
        if self.tricks is None:
            return chance_of_bid(self.made, self.contracts, self.rollouts) or 0.0
        return chance_of_contract(self.made, self.contracts, declares=self.declares) or 0.0


class Contract(NamedTuple):
    """A contract that was played.

    Attributes:
        deal: the number of the deal.
        points: what was promised.
        whole: the points of a hand, nest and bonuses included.
        made: whether it was made.
        calls: the bids and passes before the one that became the contract.
        bid: the estimate with it; None if the contract was forced upon the declarer.
        later: the estimates of each seat, with its first act after the auction and in each later
            trick.
    """

    deal: int
    points: int
    whole: int
    made: bool
    calls: tuple[Call, ...]
    bid: Estimate | None
    later: tuple[Estimate, ...]


def contracts(
    rules: Rules,
    deals: Iterable[int],
    seed: int,
    options: Mapping[str, str],
    search: Search | None = None,
) -> Iterator[Contract]:
    """Yield the contracts of deals at which a searching bot sits in every seat.

    Args:
        rules: what is played.
        deals: the numbers of the deals.
        seed: of them all.
        options: of the bots.
        search: what searches for all of them; a search for each by default.
    """
    table = compile_rules(rules)
    players = [Searcher(rules, seat, options, search) for seat in range(rules.seats)]
    for deal in deals:
        hand = Hand.shuffled(rules, deal % rules.seats, seeded(seed, deal) >> 1)
        for seat, player in enumerate(players):
            player.begin(hand, seeded(seed ^ deal, seat))
        bids: dict[int, tuple[tuple[Call, ...], Estimate | None]] = {}
        later: dict[tuple[int, int | None], Estimate] = {}
        while (seat_ := hand.to_act) is not None:
            best = players[seat_].weigh(hand)[0]
            auction = hand.phase == "auction"
            tricks = None if auction else hand.state.tricks
            estimate = None
            if best.contracts:
                declares = auction or seat_ == hand.declarer
                estimate = Estimate(best.made, best.contracts, best.rollouts, tricks, declares)
            if auction and BID <= best.action < PASS:
                bids[seat_] = (tuple(calls_of(hand)), estimate)
            elif not auction and estimate is not None:
                later.setdefault((seat_, tricks), estimate)
            hand = hand.do(best.action)
        if hand.declarer is not None and hand.phase == "done":
            state = hand.state
            calls, bid = bids.get(hand.declarer, ((), None))
            yield Contract(
                deal,
                state.contract,
                all_points(table),
                bool(state.made),
                calls,
                bid,
                tuple(later.values()),
            )


def table_of(estimates: Iterable[tuple[float, bool]]) -> list[dict[str, float]]:
    """Return, for each tenth of chances, how many there were, their mean, and the share made.

    >>> table_of([(0.72, True), (0.78, False), (0.1, False)])[1]["made"]
    0.5
    """
    bins: dict[int, list[tuple[float, bool]]] = {}
    for chance, made in estimates:
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
    """Return the bins of `table_of` with enough contracts whose share made is too far off.

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


def read_part(text: str) -> Iterator[Contract]:
    """Yield contracts from a text with one JSON list a line."""
    for line in text.splitlines():
        deal, points, whole, made, calls, bid, later = json.loads(line)
        yield Contract(
            deal,
            points,
            whole,
            made,
            tuple(Call(*call) for call in calls),
            bid and Estimate(*bid),
            tuple(Estimate(*one) for one in later),
        )
